package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.NativeEncoder;
import dev.sluice.flink.bridge.PlanRefusedException;

/** Encodes in native code. */
public final class NativeRecordEncoder implements RecordEncoder {
    private final NativeEncoder encoder;

    /**
     * Opens an encoder.
     *
     * @param plan a serialized {@code Plan}
     * @param message what is written
     * @param header the bytes of each record before its message
     * @throws RecordException if the plan cannot be written as this message
     * @throws dev.sluice.flink.bridge.NativeUnavailableException if there is no native library
     */
    public NativeRecordEncoder(byte[] plan, WriterMessage message, byte[] header)
            throws RecordException {
        try {
            this.encoder = new NativeEncoder(plan, message.resolved(), header);
        } catch (PlanRefusedException e) {
            throw RecordException.of(e.failure(), null);
        }
    }

    @Override
    public byte[] encode(byte[] row, int offset, int length) throws RecordException {
        byte[] record = encoder.encodeRow(row, offset, length);
        if (record == null) {
            throw RecordException.of(encoder.failure(), null);
        }
        return record;
    }

    @Override
    public long records() {
        return encoder.records();
    }

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public void close() {
        encoder.close();
    }
}
