package dev.sluice.flink.engine;

/** Encodes rows one by one. An instance belongs to one task thread. */
public interface RecordEncoder extends EngineResource {
    /**
     * The record of one row, header included, in an array of its own that nothing here touches
     * again.
     *
     * @param row bytes of a {@code BinaryRowData} of the plan's row type; not changed and not kept
     * @param offset where the row begins
     * @param length how long it is
     * @throws RecordException if the row is refused
     */
    byte[] encode(byte[] row, int offset, int length) throws RecordException;

    /** Records made so far. May be asked from any thread, also after {@link #close}. */
    long records();

    /** Whether records are made by native code. */
    boolean isNative();
}
