package dev.sluice.flink.schema;

import java.math.BigInteger;

/** A number as it stands in a schema text: decimal, octal, hexadecimal or floating, with sign. */
final class NumberLiteral {
    private final String text;
    private final boolean negative;
    private final boolean whole; // an integer of at most 64 bits
    private final long magnitude; // unsigned; 0 unless whole

    /**
     * @param text an INTEGER or FLOAT token
     * @param negative whether a minus stood in front of it
     */
    NumberLiteral(String text, boolean negative) {
        this.text = text;
        this.negative = negative;
        int radix = radix(text);
        int at = radix == 16 ? 2 : 0;
        long value = 0;
        long roomy = Long.divideUnsigned(-1L, radix); // at most this may be multiplied
        for (; at < text.length(); at++) {
            int digit = Character.digit(text.charAt(at), radix);
            long grown = value * radix + digit;
            if (digit < 0
                    || Long.compareUnsigned(value, roomy) > 0
                    || Long.compareUnsigned(grown, value * radix) < 0) {
                break;
            }
            value = grown;
        }
        this.whole = at == text.length();
        this.magnitude = whole ? value : 0;
    }

    private static int radix(String text) {
        if (text.startsWith("0x") || text.startsWith("0X")) {
            return 16;
        }
        boolean octal = text.length() > 1 && text.charAt(0) == '0' && text.charAt(1) != '.';
        return octal && text.indexOf('e') < 0 && text.indexOf('E') < 0 ? 8 : 10;
    }

    /** Whether this is an integer within signed bounds. */
    boolean fits(long least, long most) {
        if (!whole) {
            return false;
        }
        if (negative) {
            return Long.compareUnsigned(magnitude, -least) <= 0;
        }
        return magnitude >= 0 && magnitude <= most;
    }

    /** Whether this is an integer from 0 to {@code most}, read unsigned. */
    boolean fitsUnsigned(long most) {
        return whole && !negative && Long.compareUnsigned(magnitude, most) <= 0;
    }

    /** The integer, or its low 64 bits; meaningful once one of the {@code fits} said yes. */
    long value() {
        return negative ? -magnitude : magnitude;
    }

    /** Whether this has a value as a double: beyond 64 bits only decimal numbers do. */
    boolean isDouble() {
        return whole || radix(text) == 10;
    }

    /** The value as a double, once {@link #isDouble} said yes. */
    double asDouble() {
        double value =
                whole
                        ? new BigInteger(Long.toUnsignedString(magnitude)).doubleValue()
                        : Double.parseDouble(text);
        return negative ? -value : value;
    }

    /** The number that {@code inf}, {@code -inf}, {@code nan} or {@code -nan} names, or null. */
    static Double named(String word) {
        switch (word) {
            case "inf":
                return Double.POSITIVE_INFINITY;
            case "-inf":
                return Double.NEGATIVE_INFINITY;
            case "nan":
            case "-nan":
                return Double.NaN;
            default:
                return null;
        }
    }
}
