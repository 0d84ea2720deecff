package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.rowimage.TimestampValue;

/** {@code google.protobuf.Timestamp} as TIMESTAMP or TIMESTAMP_LTZ (D8). */
final class TimestampConverter implements ValueConverter {
    /** 0001-01-01T00:00:00Z. */
    private static final long SECONDS_MIN = -62_135_596_800L;

    /** 9999-12-31T23:59:59Z. */
    private static final long SECONDS_MAX = 253_402_300_799L;

    private static final int NANOS_END = 1_000_000_000;
    private static final int NANOS_OF_MILLI = 1_000_000;
    private static final int DIGITS = 9;

    private final RowConverter parts; // seconds BIGINT, nanos INTEGER
    private final int unit;

    /**
     * @param precision digits of the second that are kept; the nanoseconds are cut, so towards the
     *     past also before 1970 (decision 8)
     */
    TimestampConverter(RowConverter parts, int precision) {
        this.parts = parts;
        this.unit = (int) Math.pow(10, DIGITS - Math.min(precision, DIGITS));
    }

    @Override
    public Object convert(Object message) throws FaultException {
        Object[] values = parts.convert(message);
        long seconds = (Long) values[0];
        int nanos = (Integer) values[1];
        if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos >= NANOS_END) {
            throw new FaultException(
                    FailureCode.TIMESTAMP_RANGE,
                    "a timestamp of " + seconds + " s and " + nanos + " ns is out of range");
        }
        int cut = nanos - nanos % unit;
        return new TimestampValue(seconds * 1000 + cut / NANOS_OF_MILLI, cut % NANOS_OF_MILLI);
    }
}
