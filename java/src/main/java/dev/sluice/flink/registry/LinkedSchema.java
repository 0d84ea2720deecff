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
    private final boolean isGuidTold;
    private final List<String> writeRules;

    /**
     * @param origin {@link SchemaOrigin#NONE} for a schema that a table brings itself
     */
    public LinkedSchema(WriterSchema schema, SchemaOrigin origin) {
        this(schema, origin, false, List.of());
    }

    LinkedSchema(
            WriterSchema schema, SchemaOrigin origin, boolean isGuidTold, List<String> writeRules) {
        this.schema = schema;
        this.origin = origin;
        this.isGuidTold = isGuidTold;
        this.writeRules = writeRules;
    }

    /** Names of rules that a writer would have to run (R7); readers are told by an exception. */
    public List<String> writeRules() {
        return writeRules;
    }

    public WriterSchema schema() {
        return schema;
    }

    /** Id and GUID, as far as the registry told them or they follow from the text (W17). */
    public SchemaOrigin origin() {
        return origin;
    }

    /**
     * Whether the GUID is the registry's own word. One that does not tell GUIDs finds no schema by
     * them either.
     */
    public boolean isGuidTold() {
        return isGuidTold;
    }
}
