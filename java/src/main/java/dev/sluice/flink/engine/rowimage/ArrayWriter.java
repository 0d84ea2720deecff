package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.List;

/**
 * Flink's {@code BinaryArrayData}: count (4 bytes), a null bit for each element in words of 4
 * bytes, the elements with 1 to 8 bytes each, padded to words of 8; the variable part.
 *
 * <p>NaN is stored in its canonical form, as Flink's array writer does; rows keep the bits.
 */
final class ArrayWriter implements ValueWriter {
    private static final long CANONICAL_NAN_32 = 0x7fc0_0000L;
    private static final long CANONICAL_NAN_64 = 0x7ff8_0000_0000_0000L;

    private final ValueWriter element;
    private final SqlKind kind;
    private final int width;

    ArrayWriter(SqlType elementType) {
        element = ValueWriter.of(elementType);
        kind = elementType.getKind();
        width = width(kind);
    }

    /** Bytes of an element of this kind. */
    static int width(SqlKind kind) {
        switch (kind) {
            case BOOLEAN:
            case TINYINT:
                return 1;
            case SMALLINT:
                return 2;
            case INTEGER:
            case DATE:
            case TIME:
            case FLOAT:
                return 4;
            default:
                return 8;
        }
    }

    @Override
    public long slot(Object value, ImageBuffer out, int base) {
        int start = out.end();
        append((List<?>) value, out);
        return ValueWriter.place(start - base, out.end() - start);
    }

    /** Appends the array, whose length is in whole words. */
    void append(List<?> values, ImageBuffer out) {
        Elements elements = begin(values.size(), out);
        for (Object value : values) {
            elements.add(value);
        }
    }

    /** Appends an array of {@code count} elements, which are then added one by one. */
    Elements begin(int count, ImageBuffer out) {
        return new Elements(count, out);
    }

    /** The elements of one array that is being written. */
    final class Elements {
        private final ImageBuffer out;
        private final int start;
        private final int elementsAt;
        private int index;

        private Elements(int count, ImageBuffer out) {
            this.out = out;
            int header = Integer.BYTES + (int) ((count + 31L) / 32) * Integer.BYTES;
            start = out.reserve(ImageBuffer.padded(header + (long) width * count));
            elementsAt = start + header;
            out.putInt(start, count);
        }

        void add(Object value) {
            if (value == null) {
                out.orByte(start + Integer.BYTES + index / 8, 1 << index % 8);
            } else {
                put(elementsAt + width * index, element.slot(value, out, start));
            }
            index++;
        }

        private void put(int at, long slot) {
            switch (width) {
                case 1:
                    out.putByte(at, (byte) slot);
                    break;
                case 2:
                    out.putShort(at, (short) slot);
                    break;
                case 4:
                    out.putInt(at, (int) canonical(slot));
                    break;
                default:
                    out.putLong(at, canonical(slot));
                    break;
            }
        }
    }

    private long canonical(long slot) {
        if (kind == SqlKind.FLOAT && Float.isNaN(Float.intBitsToFloat((int) slot))) {
            return CANONICAL_NAN_32;
        }
        if (kind == SqlKind.DOUBLE && Double.isNaN(Double.longBitsToDouble(slot))) {
            return CANONICAL_NAN_64;
        }
        return slot;
    }
}
