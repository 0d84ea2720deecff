package dev.sluice.flink.schema;

import dev.sluice.flink.plan.ResolvedSchema;
import java.util.Map;

/** One linked writer schema: root file and all that it imports. Immutable and thread safe. */
public final class WriterSchema {
    private WriterSchema() {}

    /**
     * Reads and links a schema.
     *
     * @param rootText schema text, or a base64 descriptor
     * @param imports texts of the references by import path; the built-in files need not be there
     */
    public static WriterSchema of(String rootText, Map<String, String> imports)
            throws SchemaException {
        throw new SchemaException(SchemaException.Kind.SYNTAX, "schema texts are not read yet");
    }

    /** The message that a record's message indexes select (W8, W11, W12), with all it reaches. */
    public ResolvedSchema message(int[] indexes) throws SchemaException {
        throw new SchemaException(
                SchemaException.Kind.UNKNOWN_INDEX, "message indexes are not read yet");
    }

    /** The message of this full name, without leading dot, with all it reaches. */
    public ResolvedSchema message(String fullName) throws SchemaException {
        throw new SchemaException(
                SchemaException.Kind.UNKNOWN_MESSAGE, "message names are not read yet");
    }

    /** The indexes under which a record of this message is written (W9). */
    public int[] indexes(String fullName) throws SchemaException {
        throw new SchemaException(
                SchemaException.Kind.UNKNOWN_MESSAGE, "message names are not read yet");
    }
}
