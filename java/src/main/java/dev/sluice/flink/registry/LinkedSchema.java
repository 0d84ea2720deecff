package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.util.List;

/**
 * A schema, mostly of the registry, linked with all that it imports. Immutable, shared by threads.
 */
public final class LinkedSchema {
    private final WriterSchema schema;
    private final SchemaOrigin origin;
    private final List<String> writeRules;

    /**
     * @param origin {@link SchemaOrigin#NONE} for a schema that a table brings itself
     */
    public LinkedSchema(WriterSchema schema, SchemaOrigin origin) {
        this(schema, origin, List.of());
    }

    LinkedSchema(WriterSchema schema, SchemaOrigin origin, List<String> writeRules) {
        this.schema = schema;
        this.origin = origin;
        this.writeRules = writeRules;
    }

    /** Names of rules that a writer would have to run (R7); readers are told by an exception. */
    public List<String> writeRules() {
        return writeRules;
    }

    public WriterSchema schema() {
        return schema;
    }

    /** Id and GUID, as far as the registry told them. */
    public SchemaOrigin origin() {
        return origin;
    }
}
