package dev.sluice.flink.schema;

/**
 * A schema text, or a question to a schema, that cannot be answered. The message says where (file,
 * line, column or full name) and what was expected.
 */
public final class SchemaException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What kind of trouble; callers decide by it, never by the text. */
    public enum Kind {
        /** The text is neither a schema nor a base64 descriptor. */
        SYNTAX,
        /** The text is a schema, but its names, numbers or options contradict each other. */
        LINK,
        /** An import is neither supplied nor built in, and something in it is needed. */
        MISSING_IMPORT,
        /** The message indexes of a record select nothing. */
        UNKNOWN_INDEX,
        /** No message has this full name. */
        UNKNOWN_MESSAGE
    }

    private final Kind kind;

    SchemaException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    SchemaException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
