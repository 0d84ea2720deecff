package dev.sluice.flink.bridge;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The right to use one native object, and the action that releases it.
 *
 * <p>A call enters and leaves; release takes the same gate, so native memory is never freed under a
 * running call, and never twice. Entering is one compare-and-set, leaving one store. Holds no
 * reference to its owner: the cleaner that holds this must not keep the owner reachable.
 */
final class NativeHandle implements Runnable {
    private static final int IDLE = 0;
    private static final int ENTERED = 1;
    private static final int RELEASED = 2;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(NativeHandle.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long value;
    private volatile int state = IDLE;
    private volatile long lastRecords;
    private volatile byte[] lastRows = {};

    NativeHandle(long value) {
        this.value = value;
    }

    /** The handle, until {@link #leave}. */
    long enter() {
        if (!STATE.compareAndSet(this, IDLE, ENTERED)) {
            throw new IllegalStateException(
                    state == RELEASED
                            ? "the decoder is closed"
                            : "the decoder is used by two threads at once");
        }
        return value;
    }

    void leave() {
        STATE.setRelease(this, IDLE);
    }

    /** The object's count of records; the last one once released. */
    long records() {
        long records = records(value);
        return records < 0 ? lastRecords : records;
    }

    /**
     * Rows made so far of each message, as lines of name, tab and count; the last ones once
     * released. From any thread, and outside of the gate: neither this nor a call waits.
     */
    byte[] rowsByMessage() {
        byte[] rows = rowsByMessage(value);
        return rows == null ? lastRows : rows;
    }

    /** Releases the object as soon as no call is in it. A second run does nothing. */
    @Override
    public void run() {
        while (!STATE.compareAndSet(this, IDLE, RELEASED)) {
            if (state == RELEASED) {
                return;
            }
            Thread.yield();
        }
        lastRecords = records(value);
        byte[] rows = rowsByMessage(value);
        lastRows = rows == null ? lastRows : rows;
        close(value);
    }

    private static native long records(long handle);

    private static native byte[] rowsByMessage(long handle);

    private static native void close(long handle);
}
