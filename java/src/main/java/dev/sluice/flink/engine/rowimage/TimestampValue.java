package dev.sluice.flink.engine.rowimage;

/**
 * A value of a TIMESTAMP or TIMESTAMP_LTZ column, cut to the column's precision already.
 *
 * <p>It holds the milliseconds since 1970-01-01T00:00:00, which are negative before, and the
 * nanoseconds on top of them, 0 to 999999, which never are.
 */
public final class TimestampValue {
    private final long millis;
    private final int nanosOfMilli;

    public TimestampValue(long millis, int nanosOfMilli) {
        this.millis = millis;
        this.nanosOfMilli = nanosOfMilli;
    }

    /** Milliseconds since the epoch, rounded towards the past. */
    public long millis() {
        return millis;
    }

    /** Nanoseconds of the millisecond, 0 to 999999. */
    public int nanosOfMilli() {
        return nanosOfMilli;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TimestampValue
                && millis == ((TimestampValue) other).millis
                && nanosOfMilli == ((TimestampValue) other).nanosOfMilli;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(millis) + nanosOfMilli;
    }

    @Override
    public String toString() {
        return millis + " ms " + nanosOfMilli + " ns";
    }
}
