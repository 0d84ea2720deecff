package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlType;

import java.math.BigDecimal;

/**
 * Writes values of one SQL type. A value has one slot of up to 8 bytes, where its row or array
 * keeps it; what does not fit there stands in the variable part, and the slot holds its offset from
 * the start of that row or array (high half) and its length (low half).
 */
@FunctionalInterface
interface ValueWriter {
    /** Longest string that stands in its slot, marked by {@code 0x80 | length} in the last byte. */
    int INLINE_MAX = 7;

    /** Digits of a DECIMAL that stands in its slot. */
    int COMPACT_DECIMAL_MAX = 18;

    /** Precision of a TIMESTAMP that stands in its slot. */
    int COMPACT_TIMESTAMP_MAX = 3;

    /** Bytes that a DECIMAL in the variable part takes, whatever its digits. */
    int DECIMAL_BYTES = 16;

    /**
     * The slot of a value that is not null; what does not fit is appended to {@code out}.
     *
     * @param base where the row or array of the slot begins
     */
    long slot(Object value, ImageBuffer out, int base);

    static ValueWriter of(SqlType type) {
        switch (type.getKind()) {
            case BOOLEAN:
                return (value, out, base) -> (Boolean) value ? 1 : 0;
            case TINYINT:
                return (value, out, base) -> Byte.toUnsignedLong((Byte) value);
            case SMALLINT:
                return (value, out, base) -> Short.toUnsignedLong((Short) value);
            case INTEGER:
            case DATE:
            case TIME:
                return (value, out, base) -> Integer.toUnsignedLong((Integer) value);
            case BIGINT:
                return (value, out, base) -> (Long) value;
            case FLOAT:
                return (value, out, base) ->
                        Integer.toUnsignedLong(Float.floatToRawIntBits((Float) value));
            case DOUBLE:
                return (value, out, base) -> Double.doubleToRawLongBits((Double) value);
            case CHAR:
            case VARCHAR:
            case BINARY:
            case VARBINARY:
                return ValueWriter::bytes;
            case DECIMAL:
                return decimal(type);
            case TIMESTAMP:
            case TIMESTAMP_LTZ:
                return type.getPrecision() <= COMPACT_TIMESTAMP_MAX
                        ? (value, out, base) -> ((TimestampValue) value).millis()
                        : ValueWriter::timestamp;
            case ARRAY:
                return new ArrayWriter(type.getElement());
            case MULTISET:
                return MapWriter.ofMultiset(type);
            case MAP:
                return new MapWriter(type.getKey(), type.getValue());
            case ROW:
                return new RowWriter(type);
            default:
                throw new IllegalArgumentException("no row holds a value of " + type.getKind());
        }
    }

    private static ValueWriter decimal(SqlType type) {
        int scale = type.getScale();
        boolean compact = type.getPrecision() <= COMPACT_DECIMAL_MAX;
        return (value, out, base) -> {
            BigDecimal decimal = (BigDecimal) value;
            if (decimal.scale() != scale) {
                throw new IllegalArgumentException(
                        "a value of scale " + decimal.scale() + " in a column of scale " + scale);
            }
            if (compact) {
                return decimal.unscaledValue().longValueExact();
            }
            byte[] digits = decimal.unscaledValue().toByteArray();
            int start = out.reserve(DECIMAL_BYTES);
            out.putBytes(start, digits);
            return place(start - base, digits.length);
        };
    }

    private static long timestamp(Object value, ImageBuffer out, int base) {
        TimestampValue timestamp = (TimestampValue) value;
        int start = out.reserve(Long.BYTES);
        out.putLong(start, timestamp.millis());
        return place(start - base, timestamp.nanosOfMilli());
    }

    private static long bytes(Object value, ImageBuffer out, int base) {
        byte[] bytes = (byte[]) value;
        if (bytes.length > INLINE_MAX) {
            int start = out.append(bytes);
            return place(start - base, bytes.length);
        }
        long slot = (0x80L | bytes.length) << 56;
        for (int at = 0; at < bytes.length; at++) {
            slot |= (bytes[at] & 0xffL) << (8 * at);
        }
        return slot;
    }

    /** Offset and length as a slot. */
    static long place(int offset, int len) {
        return (long) offset << 32 | len;
    }
}
