package dev.sluice.flink.format;

import dev.sluice.flink.engine.WriterMessage;

/** The message that a table's rows are written as, and what stands before it in each record. */
public final class WrittenMessage {
    private final WriterMessage message;
    private final byte[] header;

    public WrittenMessage(WriterMessage message, byte[] header) {
        this.message = message;
        this.header = header.clone();
    }

    public WriterMessage message() {
        return message;
    }

    /** Frame of each record; empty for bare records. */
    public byte[] header() {
        return header.clone();
    }
}
