package dev.sluice.flink.schema;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Floating numbers as protoc writes them into a descriptor: the shortest of C's {@code %.15g} and
 * {@code %.17g} ({@code %.6g} and {@code %.9g} for float) that reads back as the same number.
 */
final class FloatText {
    private FloatText() {}

    static String of(double value) {
        if (Double.isNaN(value)) {
            return "nan";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "inf" : "-inf";
        }
        String few = general(value, 15);
        return Double.parseDouble(few) == value ? few : general(value, 17);
    }

    static String of(float value) {
        if (Float.isNaN(value) || Float.isInfinite(value)) {
            return of((double) value);
        }
        String few = general(value, 6);
        // C calls every subnormal out of range when it reads one, so protoc takes the long form.
        boolean subnormal = value != 0 && Math.abs(value) < Float.MIN_NORMAL;
        return Float.parseFloat(few) == value && !subnormal ? few : general(value, 9);
    }

    /** C's {@code %.<digits>g} of a finite number. */
    private static String general(double value, int digits) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal rounded =
                new BigDecimal(value)
                        .round(new MathContext(digits, RoundingMode.HALF_EVEN))
                        .stripTrailingZeros();
        int exponent = rounded.precision() - rounded.scale() - 1;
        if (exponent >= -4 && exponent < digits) {
            return rounded.toPlainString();
        }
        String figures = rounded.unscaledValue().abs().toString();
        StringBuilder text = new StringBuilder(value < 0 ? "-" : "").append(figures.charAt(0));
        if (figures.length() > 1) {
            text.append('.').append(figures, 1, figures.length());
        }
        text.append('e').append(exponent < 0 ? '-' : '+');
        if (Math.abs(exponent) < 10) {
            text.append('0');
        }
        return text.append(Math.abs(exponent)).toString();
    }
}
