package dev.sluice.flink;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;

/**
 * A row cannot be written as its message. The text says why and where, and never holds a value of
 * the row.
 */
public final class RowNotWrittenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;

    RowNotWrittenException(RecordException cause) {
        super("A row cannot be written: " + cause.getMessage(), cause);
        code = cause.code();
    }

    /** Why. */
    public FailureCode code() {
        return code;
    }
}
