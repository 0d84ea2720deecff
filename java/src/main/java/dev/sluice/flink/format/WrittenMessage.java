package dev.sluice.flink.format;

import dev.sluice.flink.engine.WriterMessage;

/** The message that a table's rows are written as, and what stands before it in each record. */
public final class WrittenMessage {
    private final WriterMessage message;
    private final byte[] header;
    private final byte[] recordHeader; // null: none

    public WrittenMessage(WriterMessage message, byte[] header) {
        this(message, header, null);
    }

    private WrittenMessage(WriterMessage message, byte[] header, byte[] recordHeader) {
        this.message = message;
        this.header = header.clone();
        this.recordHeader = recordHeader;
    }

    /** The same message, bare in its payload, with the frame in a header of the record (W15). */
    WrittenMessage withFrameInRecordHeader() {
        return new WrittenMessage(message, new byte[0], header);
    }

    public WriterMessage message() {
        return message;
    }

    /** Frame of each record; empty for bare records. */
    public byte[] header() {
        return header.clone();
    }

    /** Value of the header that each record is to get; null for none. */
    public byte[] recordHeader() {
        return recordHeader == null ? null : recordHeader.clone();
    }
}
