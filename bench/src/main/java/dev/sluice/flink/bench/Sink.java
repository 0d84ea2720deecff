package dev.sluice.flink.bench;

/**
 * Where results go. The JVM is told not to inline {@link #accept}: a result that leaves through a
 * call has to exist, as the row that an operator hands on.
 */
final class Sink {
    private static Object last;

    private Sink() {}

    static void accept(Object result) {
        last = result;
    }

    /** The last result, so that there is a reader. */
    static Object last() {
        return last;
    }
}
