package dev.sluice.flink.registry;

import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and how fast one URL is asked again (C14): exponential pauses with full jitter, so that
 * the subtasks of a cluster do not come back in step.
 */
final class RetryPolicy {
    private final int retries;
    private final int pauseMillis;
    private final int pauseMillisMax;

    RetryPolicy(int retries, int pauseMillis, int pauseMillisMax) {
        this.retries = retries;
        this.pauseMillis = pauseMillis;
        this.pauseMillisMax = pauseMillisMax;
    }

    static RetryPolicy of(ClientProperties properties) {
        return new RetryPolicy(
                properties.number("max.retries", 0),
                properties.number("retries.wait.ms", 0),
                properties.number("retries.max.wait.ms", 0));
    }

    int retries() {
        return retries;
    }

    /** The longest pause before retry {@code retry}, counted from 0. */
    long pauseMillisBound(int retry) {
        return (long) Math.min(pauseMillis * Math.pow(2, retry), pauseMillisMax);
    }

    /** A random pause from 1 to the bound; none if the bound is 0. */
    void pause(int retry) throws InterruptedException {
        long bound = pauseMillisBound(retry);
        if (bound > 0) {
            Thread.sleep(ThreadLocalRandom.current().nextLong(1, bound + 1));
        }
    }

    /** Statuses that another attempt, or another URL, may not repeat. */
    static boolean isRetriable(int status) {
        switch (status) {
            case 408:
            case 429:
            case 500:
            case 502:
            case 503:
            case 504:
                return true;
            default:
                return false;
        }
    }
}
