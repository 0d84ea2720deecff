package dev.sluice.flink.engine.rowimage;

/** A row would be longer than its limit. Thrown before the memory is asked for. */
public final class RowTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RowTooLargeException(int bytesMax) {
        super("the row is longer than " + bytesMax + " bytes");
    }
}
