package dev.sluice.flink.bench.table;

/** A record that is no message of the table. */
final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
        super(why, null, false, false);
    }
}
