package dev.sluice.flink.bridge;

import dev.sluice.flink.plan.Failure;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * An encoder in native memory: the program of one plan and one schema, the header of its records,
 * and a record buffer.
 *
 * <p>Threads, release and use after close are as {@link NativeDecoder} has them. Record path: one
 * call into native code, nothing thrown from it, and no allocation but the record.
 */
public final class NativeEncoder implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int MOVED = -FailureCode.ROW_BUFFER_MOVED.number();

    private final NativeHandle handle;
    private final Cleaner.Cleanable release;

    /**
     * Native memory where rows are written; it stays where it is until the encoder is closed. Like
     * {@link #records} it is the encoder's, so it never leaves this class.
     */
    private final ByteBuffer input;

    /** The native record buffer, which moves when it has to grow. */
    private ByteBuffer records;

    private int code;

    /**
     * Compiles a plan for the schema that is written.
     *
     * @param resolved a serialized {@code ResolvedSchema}
     * @param header the bytes of each record before its message
     * @throws PlanRefusedException if native code does not accept it
     * @throws NativeUnavailableException if there is no native library
     */
    public NativeEncoder(byte[] plan, byte[] resolved, byte[] header) throws PlanRefusedException {
        NativeLibrary.require();
        long opened = open(plan, resolved, header);
        NativeLog.drain();
        if (opened < 0) {
            throw new PlanRefusedException(
                    NativeFailure.read((int) -opened, openFailure(plan, resolved)));
        }
        handle = new NativeHandle(opened);
        release = CLEANER.register(this, handle);
        input = inputBuffer(opened);
        records = recordBuffer(opened);
    }

    /**
     * The record of a row, or null if it is refused: {@link #failure} says why.
     *
     * @param row bytes of a {@code BinaryRowData}
     */
    public byte[] encodeRow(byte[] row, int offset, int length) {
        long open = handle.enter();
        try {
            int result = encode(open, row, offset, length);
            if (result == MOVED) {
                records = recordBuffer(open);
                result = encode(open, row, offset, length);
            }
            if (result < 0) {
                code = -result;
                return null;
            }
            byte[] record = new byte[result];
            records.position(records.capacity() - result);
            records.get(record);
            return record;
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private int encode(long open, byte[] row, int offset, int length) {
        if (length > input.capacity()) {
            return encodeArray(open, row, offset, length);
        }
        input.position(0);
        input.put(row, offset, length);
        return encodeInput(open, length);
    }

    /** Why the last call was refused, with the place. */
    public Failure failure() {
        long open = handle.enter();
        try {
            return NativeFailure.read(code, lastFailure(open));
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
            NativeLog.drain();
        }
    }

    /** Records made so far, as native code counts them. From any thread, also after close. */
    public long records() {
        return handle.records();
    }

    @Override
    public void close() {
        release.clean();
        NativeLog.drain();
    }

    private static native long open(byte[] plan, byte[] resolved, byte[] header);

    private static native byte[] openFailure(byte[] plan, byte[] resolved);

    private static native int encodeInput(long handle, int length);

    private static native int encodeArray(long handle, byte[] row, int offset, int length);

    private static native ByteBuffer inputBuffer(long handle);

    private static native ByteBuffer recordBuffer(long handle);

    private static native byte[] lastFailure(long handle);
}
