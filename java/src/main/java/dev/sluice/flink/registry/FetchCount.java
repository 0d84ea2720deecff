package dev.sluice.flink.registry;

/** How many schemas one store has fetched, and how long that took. Any thread may ask and count. */
final class FetchCount {
    private long fetches; // all three are guarded by this
    private long nanos;
    private long lastNanos;

    synchronized void add(long took) {
        fetches++;
        nanos += took;
        lastNanos = took;
    }

    synchronized long fetches() {
        return fetches;
    }

    synchronized long nanos() {
        return nanos;
    }

    synchronized long lastNanos() {
        return lastNanos;
    }
}
