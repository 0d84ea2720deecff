package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

import java.time.DateTimeException;
import java.time.LocalTime;

/** {@code google.type.TimeOfDay} as TIME: milliseconds of the day (D7). */
final class TimeConverter implements ValueConverter {
    private static final int DIGITS = 3;
    private static final long NANOS_OF_MILLI = 1_000_000;

    private final RowConverter parts; // hours, minutes, seconds, nanos INTEGER
    private final int unit;

    /**
     * @param precision digits of the second that are kept, three at most; the rest is cut
     */
    TimeConverter(RowConverter parts, int precision) {
        this.parts = parts;
        this.unit = (int) Math.pow(10, DIGITS - Math.min(precision, DIGITS));
    }

    @Override
    public Object convert(Object message) throws FaultException {
        Object[] values = parts.convert(message);
        try {
            LocalTime time =
                    LocalTime.of(
                            (Integer) values[0],
                            (Integer) values[1],
                            (Integer) values[2],
                            (Integer) values[3]);
            int millis = (int) (time.toNanoOfDay() / NANOS_OF_MILLI);
            return millis - millis % unit;
        } catch (DateTimeException e) {
            throw new FaultException(
                    FailureCode.BAD_TIME,
                    String.format(
                            "there is no time of %d h, %d min, %d s and %d ns",
                            values[0], values[1], values[2], values[3]));
        }
    }
}
