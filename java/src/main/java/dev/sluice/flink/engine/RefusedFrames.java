package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.FailureCode;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Frames whose records cannot be read, so that each further record of them costs a look-up instead
 * of a schema that is resolved and compiled again.
 *
 * <p>What the schema is at fault for stays. What the registry said is forgotten after a while: a
 * schema that it lacks may be registered later. The frames used least are forgotten first.
 */
public final class RefusedFrames {
    private static final int FRAMES_MAX = 1000;
    private static final long REGISTRY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final LongSupplier nanoTime;
    private final FrameCache<Refusal> refusals = new FrameCache<>(FRAMES_MAX, Long.MAX_VALUE);

    public RefusedFrames() {
        this(System::nanoTime);
    }

    RefusedFrames(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * @throws RecordException the failure that is remembered for this frame, if there is one
     */
    public void check(Frame frame) throws RecordException {
        Refusal refusal = refusals.find(frame);
        if (refusal == null) {
            return;
        }
        if (refusal.passes && nanoTime.getAsLong() - refusal.nanos > REGISTRY_NANOS) {
            refusals.remove(frame);
            return;
        }
        throw refusal.failure.again();
    }

    /** Remembers why records of a frame cannot be read, unless something else is at fault. */
    public void add(Frame frame, RecordException failure) {
        if (failure.code().isRecordsFault()) {
            refusals.put(frame, new Refusal(failure, nanoTime.getAsLong()), 0);
        }
    }

    private static final class Refusal {
        private final RecordException failure;
        private final long nanos;
        private final boolean passes;

        Refusal(RecordException failure, long nanos) {
            this.failure = failure;
            this.nanos = nanos;
            passes =
                    failure.code() == FailureCode.SCHEMA_NOT_FOUND
                            || failure.code() == FailureCode.BAD_SCHEMA
                            || failure.code() == FailureCode.OTHER_SCHEMA_TYPE;
        }
    }
}
