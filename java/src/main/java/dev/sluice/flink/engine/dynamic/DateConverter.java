package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

import java.time.DateTimeException;
import java.time.LocalDate;

/** {@code google.type.Date} as DATE, in the proleptic calendar (D6). Partial dates are no dates. */
final class DateConverter implements ValueConverter {
    private static final int YEAR_MAX = 9999;

    private final RowConverter parts; // year, month, day INTEGER

    DateConverter(RowConverter parts) {
        this.parts = parts;
    }

    @Override
    public Object convert(Object message) throws FaultException {
        Object[] values = parts.convert(message);
        int year = (Integer) values[0];
        int month = (Integer) values[1];
        int day = (Integer) values[2];
        if (year >= 1 && year <= YEAR_MAX) {
            try {
                return (int) LocalDate.of(year, month, day).toEpochDay();
            } catch (DateTimeException e) {
                // no such day: told below, in our words
            }
        }
        throw new FaultException(
                FailureCode.BAD_DATE,
                String.format(
                        "there is no date of year %d, month %d and day %d", year, month, day));
    }
}
