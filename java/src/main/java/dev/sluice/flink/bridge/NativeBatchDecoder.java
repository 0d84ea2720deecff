package dev.sluice.flink.bridge;

import dev.sluice.flink.plan.Failure;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;

/**
 * A decoder of batches in native memory: a decoder as {@link NativeDecoder} is one, and the columns
 * of the batch that grows.
 *
 * <p>Threads, release and use after close are as {@link NativeDecoder} has them. A batch that was
 * taken has a life of its own.
 */
public final class NativeBatchDecoder implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();

    private final NativeHandle handle;
    private final Cleaner.Cleanable release;

    private int code;

    /**
     * Compiles a plan.
     *
     * @param schema a serialized {@code ResolvedSchema} that says which columns of text are enums;
     *     null if the plan brings one along, or if none is known
     * @throws PlanRefusedException if native code does not accept them
     * @throws NativeUnavailableException if there is no native library
     */
    public NativeBatchDecoder(byte[] plan, byte[] schema) throws PlanRefusedException {
        NativeLibrary.require();
        long opened = open(plan, schema);
        NativeLog.drain();
        if (opened < 0) {
            throw new PlanRefusedException(
                    NativeFailure.read((int) -opened, openFailure(plan, schema)));
        }
        handle = new NativeHandle(opened);
        release = CLEANER.register(this, handle);
    }

    /**
     * The row type that a schema has, as a serialized {@code SqlType}.
     *
     * @param resolved a serialized {@code ResolvedSchema}
     * @throws PlanRefusedException if it has none: a cycle, a group
     */
    public static byte[] inferRowType(byte[] resolved) throws PlanRefusedException {
        NativeLibrary.require();
        byte[] row = inferRow(resolved);
        if (row == null) {
            int unknown = FailureCode.PANIC.number();
            throw new PlanRefusedException(NativeFailure.read(unknown, inferFailure(resolved)));
        }
        return row;
    }

    /**
     * Adds records to the batch, until it is full: how many were looked at, those before {@code
     * from} included. Negative if one of them was not: {@link #code} says why, {@link #position}
     * which.
     *
     * @param slab the records, one behind the other
     * @param offsets where each begins, and where the last one ends
     * @param from index of the first record to add
     */
    public int decode(byte[] slab, int[] offsets, int from) {
        return enter(open -> decode(open, slab, offsets, from));
    }

    /** Index of the record at which the last call stopped. */
    public int position() {
        return enter(NativeBatchDecoder::position);
    }

    /**
     * Adds the schema for all records whose frame is this one; see {@link NativeDecoder#addSchema}.
     */
    public boolean addSchema(byte[] frame, byte[] resolved) {
        boolean added = enter(open -> addSchema(open, frame, resolved)) >= 0;
        NativeLog.drain();
        return added;
    }

    /** The batch so far, which the caller closes; null if native code refused. The next begins. */
    public NativeBatch take() {
        long open = handle.enter();
        try {
            long taken = take(open);
            if (taken < 0) {
                code = (int) -taken;
                return null;
            }
            return new NativeBatch(taken);
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private interface Call {
        int on(long open);
    }

    private int enter(Call call) {
        long open = handle.enter();
        try {
            int result = call.on(open);
            code = Math.max(0, -result);
            return result;
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    /** Why the last call was refused. */
    public FailureCode code() {
        return FailureCode.of(code);
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

    /** Rows made so far. From any thread, also after close. */
    public long records() {
        return handle.records();
    }

    @Override
    public void close() {
        release.clean();
        NativeLog.drain();
    }

    private static native long open(byte[] plan, byte[] schema);

    private static native byte[] openFailure(byte[] plan, byte[] schema);

    private static native byte[] inferRow(byte[] schema);

    private static native byte[] inferFailure(byte[] schema);

    private static native int decode(long handle, byte[] slab, int[] offsets, int from);

    private static native int position(long handle);

    private static native int addSchema(long handle, byte[] frame, byte[] resolved);

    private static native long take(long handle);

    private static native byte[] lastFailure(long handle);
}
