package dev.sluice.flink.bridge;

import dev.sluice.flink.plan.Failure;

/** Native code does not accept a plan. */
public final class PlanRefusedException extends Exception {
    private final transient Failure failure;

    PlanRefusedException(Failure failure) {
        super(failure.getReason());
        this.failure = failure;
    }

    /** Why. */
    public Failure failure() {
        return failure;
    }
}
