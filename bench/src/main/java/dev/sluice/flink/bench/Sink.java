package dev.sluice.flink.bench;

/**
 * Where results go. The JVM is told not to inline {@link #accept}: a result that leaves through a
 * call has to exist, as the row that an operator hands on. It is not kept: the collector would have
 * the thread wait for its own stores each time an old object came to hold a new one.
 */
final class Sink {
    private static long count;

    private Sink() {}

    static void accept(Object result) {
        if (result != null) {
            count++;
        }
    }

    /** How many results there were. */
    static long count() {
        return count;
    }
}
