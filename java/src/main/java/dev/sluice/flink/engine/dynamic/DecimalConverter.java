package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * {@code confluent.type.Decimal} as DECIMAL (D5): the message's unscaled number and scale, rounded
 * to the message's precision and then to the column's scale, HALF_UP both times; NULL if it has
 * more digits than the column. Scales are far beyond what {@code BigDecimal} could shift by; no
 * number longer than {@value #BYTES_MAX} bytes is ever made of one.
 */
final class DecimalConverter implements ValueConverter {
    private static final int BYTES_MAX = 1024;

    private final RowConverter parts; // value VARBINARY, scale INTEGER, precision BIGINT
    private final int columnPrecision;
    private final int columnScale;

    DecimalConverter(RowConverter parts, int columnPrecision, int columnScale) {
        this.parts = parts;
        this.columnPrecision = columnPrecision;
        this.columnScale = columnScale;
    }

    @Override
    public Object convert(Object message) throws FaultException {
        Object[] values = parts.convert(message);
        byte[] bytes = (byte[]) values[0];
        if (bytes.length == 0) {
            throw new FaultException(FailureCode.BAD_DECIMAL, "a decimal without value");
        }
        if (bytes.length > BYTES_MAX) {
            throw new FaultException(
                    FailureCode.BAD_DECIMAL,
                    "a decimal of " + bytes.length + " bytes, more than " + BYTES_MAX);
        }
        BigInteger unscaled = new BigInteger(bytes);
        long scale = (Integer) values[1];
        long precision = values[2] == null ? 0 : (Long) values[2];
        int digits = digits(unscaled);
        if (precision > 0 && digits > precision) {
            int dropped = (int) (digits - precision);
            unscaled = withoutLast(unscaled, dropped);
            scale -= dropped;
        }
        return fitted(unscaled, columnScale - scale);
    }

    /**
     * @param shift by how many digits the number must grow to have the column's scale
     */
    private BigDecimal fitted(BigInteger unscaled, long shift) {
        int digits = digits(unscaled);
        BigInteger fitted;
        if (unscaled.signum() == 0 || -shift > digits) {
            fitted = BigInteger.ZERO; // less than a tenth of the last place
        } else if (shift <= 0) {
            fitted = withoutLast(unscaled, (int) -shift);
        } else if (digits + shift > columnPrecision) {
            return null;
        } else {
            fitted = unscaled.multiply(BigInteger.TEN.pow((int) shift));
        }
        return digits(fitted) > columnPrecision ? null : new BigDecimal(fitted, columnScale);
    }

    private static int digits(BigInteger number) {
        return new BigDecimal(number).precision();
    }

    private static BigInteger withoutLast(BigInteger number, int digits) {
        return new BigDecimal(number)
                .divide(new BigDecimal(BigInteger.TEN.pow(digits)), 0, RoundingMode.HALF_UP)
                .unscaledValue();
    }
}
