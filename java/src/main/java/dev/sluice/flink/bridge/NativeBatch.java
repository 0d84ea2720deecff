package dev.sluice.flink.bridge;

import com.google.protobuf.CodedInputStream;

import dev.sluice.flink.plan.BatchDescription;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One batch of columns in native memory. May be used by any thread.
 *
 * <p>Buffers that it hands out are valid until it is closed. What it exports is not bound to it: an
 * exported struct keeps the memory until its consumer releases it.
 */
public final class NativeBatch implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final AtomicLong LIVE = new AtomicLong();

    /** Columns nest as deep as plans do. */
    private static final int DEPTH_MAX = 1000;

    private final NativeHandle handle;
    private final Cleaner.Cleanable release;
    private boolean isOpen = true;

    NativeBatch(long opened) {
        handle = new NativeHandle(opened);
        LIVE.incrementAndGet();
        release = CLEANER.register(this, release(handle));
    }

    /** Static on purpose: it must not keep the batch reachable. */
    private static Runnable release(NativeHandle handle) {
        return () -> {
            handle.run();
            LIVE.decrementAndGet();
        };
    }

    /** Batches that are not closed, nor collected. */
    public static long live() {
        return LIVE.get();
    }

    /** Exported arrays and batches that their consumers have not released. */
    public static long exported() {
        NativeLibrary.require();
        return liveExports();
    }

    /** Columns, and records without row. */
    public synchronized BatchDescription describe() {
        byte[] description = call(NativeBatch::describe);
        try {
            CodedInputStream bytes = CodedInputStream.newInstance(description);
            bytes.setRecursionLimit(DEPTH_MAX);
            return BatchDescription.parseFrom(bytes);
        } catch (IOException e) {
            throw new IllegalStateException("native code broke its contract", e);
        }
    }

    /** A read-only view of this buffer; null if the column has none. */
    public synchronized ByteBuffer buffer(int index) {
        ByteBuffer buffer = call(open -> buffer(open, index));
        return buffer == null ? null : buffer.asReadOnlyBuffer().order(ByteOrder.nativeOrder());
    }

    /**
     * Fills structs of the Arrow C Data Interface.
     *
     * @param array address of room for an {@code ArrowArray}; what is there is overwritten
     * @param schema address of room for an {@code ArrowSchema}
     */
    public synchronized void export(long array, long schema) {
        check(call(open -> export(open, array, schema)));
    }

    /**
     * Fills an {@code ArrowArrayStream} that gives these batches, which have one schema.
     *
     * @param stream address of room for the struct; what is there is overwritten
     */
    public static void exportStream(List<NativeBatch> batches, long stream) {
        if (batches.isEmpty()) {
            throw new IllegalArgumentException("a stream has a batch at least");
        }
        Map<NativeBatch, Long> entered = new IdentityHashMap<>(); // one may come twice
        try {
            for (NativeBatch batch : batches) {
                entered.computeIfAbsent(batch, NativeBatch::enter);
            }
            check(exportStream(batches.stream().mapToLong(entered::get).toArray(), stream));
        } finally {
            entered.keySet().forEach(batch -> batch.handle.leave());
            Reference.reachabilityFence(batches);
        }
    }

    private interface Call<T> {
        T on(long open);
    }

    private <T> T call(Call<T> call) {
        long open = enter();
        try {
            return call.on(open);
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private synchronized long enter() {
        if (!isOpen) {
            throw new IllegalStateException("the batch is closed");
        }
        return handle.enter();
    }

    private static void check(int result) {
        if (result < 0) {
            FailureCode code = FailureCode.of(-result);
            throw new IllegalArgumentException(
                    code == FailureCode.CLOSED
                            ? "there can be no struct at this address"
                            : "native code refused to export: " + code);
        }
    }

    @Override
    public synchronized void close() {
        isOpen = false;
        release.clean();
    }

    private static native byte[] describe(long handle);

    private static native ByteBuffer buffer(long handle, int index);

    private static native int export(long handle, long array, long schema);

    private static native int exportStream(long[] handles, long stream);

    private static native long liveExports();
}
