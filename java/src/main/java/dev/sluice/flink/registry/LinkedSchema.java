package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

/**
 * A schema, mostly of the registry, linked with all that it imports. Immutable, shared by threads.
 */
public final class LinkedSchema {
    private final WriterSchema schema;
    private final SchemaOrigin origin;

    /**
     * @param origin {@link SchemaOrigin#NONE} for a schema that a table brings itself
     */
    public LinkedSchema(WriterSchema schema, SchemaOrigin origin) {
        this.schema = schema;
        this.origin = origin;
    }

    public WriterSchema schema() {
        return schema;
    }

    /** Id and GUID, as far as the registry told them. */
    public SchemaOrigin origin() {
        return origin;
    }
}
