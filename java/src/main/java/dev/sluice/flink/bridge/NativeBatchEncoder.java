package dev.sluice.flink.bridge;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.plan.BatchDescription;
import dev.sluice.flink.plan.Failure;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * An encoder of batches in native memory: the program of one plan and one schema, and the header of
 * its records.
 *
 * <p>Threads, release and use after close are as {@link NativeDecoder} has them.
 */
public final class NativeBatchEncoder implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final NativeHandle handle;
    private final Cleaner.Cleanable release;

    private int code;

    /**
     * Compiles a plan for the schema that is written.
     *
     * @param resolved a serialized {@code ResolvedSchema}
     * @param header the bytes of each record before its message
     * @throws PlanRefusedException if native code does not accept it
     * @throws NativeUnavailableException if there is no native library
     */
    public NativeBatchEncoder(byte[] plan, byte[] resolved, byte[] header)
            throws PlanRefusedException {
        NativeLibrary.require();
        long opened = open(plan, resolved, header);
        NativeLog.drain();
        if (opened < 0) {
            throw new PlanRefusedException(
                    NativeFailure.read((int) -opened, openFailure(plan, resolved)));
        }
        handle = new NativeHandle(opened);
        release = CLEANER.register(this, handle);
    }

    /**
     * Takes a batch and encodes its rows from {@code from} on; false if the batch is refused as a
     * whole: {@link #failure} says why. Both structs are released, whatever comes of them.
     *
     * @param array address of an {@code ArrowArray}
     * @param schema address of its {@code ArrowSchema}
     */
    public boolean encode(long array, long schema, int from) {
        int result = call(open -> encode(open, array, schema, from));
        code = Math.max(0, -result);
        return result >= 0;
    }

    /** The records of the last batch, one behind the other. */
    public byte[] slab() {
        return call(NativeBatchEncoder::slab);
    }

    /** Where each of them begins, and where the last one ends. */
    public int[] offsets() {
        return call(NativeBatchEncoder::offsets);
    }

    /** Rows without record, and how many rows were looked at. */
    public BatchDescription describe() {
        byte[] description = call(NativeBatchEncoder::describe);
        try {
            return BatchDescription.parseFrom(description);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("native code broke its contract", e);
        }
    }

    /** Why the last batch was refused, with the place. */
    public Failure failure() {
        return NativeFailure.read(code, call(NativeBatchEncoder::lastFailure));
    }

    private interface Call<T> {
        T on(long open);
    }

    private <T> T call(Call<T> call) {
        long open = handle.enter();
        try {
            return call.on(open);
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public void close() {
        release.clean();
        NativeLog.drain();
    }

    private static native long open(byte[] plan, byte[] resolved, byte[] header);

    private static native byte[] openFailure(byte[] plan, byte[] resolved);

    private static native int encode(long handle, long array, long schema, int from);

    private static native byte[] slab(long handle);

    private static native int[] offsets(long handle);

    private static native byte[] describe(long handle);

    private static native byte[] lastFailure(long handle);
}
