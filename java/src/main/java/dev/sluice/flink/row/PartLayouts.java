package dev.sluice.flink.row;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryFormat;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.data.binary.BinaryStringData;

import java.nio.charset.StandardCharsets;

/**
 * Layouts of values that may stand in the variable part, whose offset and length the cell holds.
 */
final class PartLayouts {
    private static final int INLINE_MAX = 7;
    private static final int COMPACT_DECIMAL = 18;
    private static final int DECIMAL_BYTES = 16;

    private PartLayouts() {}

    private static void place(LayoutBuffer out, int at, int offset, int length) {
        out.putLong(at, (long) offset << 32 | length);
    }

    /** Copies what is laid out already. */
    private static void copy(BinaryFormat value, LayoutBuffer out, int at, int base) {
        int length = value.getSizeInBytes();
        int start = out.reserve(length);
        copyBytes(value.getSegments(), value.getOffset(), length, out, start);
        place(out, at, start - base, length);
    }

    private static void copyBytes(
            MemorySegment[] segments, int offset, int length, LayoutBuffer out, int to) {
        if (segments.length == 1) {
            segments[0].get(offset, out.bytes(), to, length);
        } else {
            byte[] bytes = BinarySegmentUtils.copyToBytes(segments, offset, length);
            System.arraycopy(bytes, 0, out.bytes(), to, length);
        }
    }

    private static void putOctets(byte[] value, LayoutBuffer out, int at, int base) {
        int length = value.length;
        if (length <= INLINE_MAX) {
            System.arraycopy(value, 0, out.bytes(), at, length);
            out.putByte(at + INLINE_MAX, 0x80 | length);
            return;
        }
        int start = out.reserve(length);
        System.arraycopy(value, 0, out.bytes(), start, length);
        place(out, at, start - base, length);
    }

    /** Text: in UTF-8 already, or as a Java string, which is mostly ASCII. */
    static final class Texts extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getString(column), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getString(element), out, at, base);
        }

        private static void put(StringData text, LayoutBuffer out, int at, int base) {
            if (!(text instanceof BinaryStringData)) {
                putOctets(text.toBytes(), out, at, base);
                return;
            }
            BinaryStringData binary = (BinaryStringData) text;
            if (binary.getBinarySection() == null) {
                putString(binary.getJavaObject(), out, at, base);
                return;
            }
            int length = binary.getSizeInBytes();
            if (length <= INLINE_MAX) {
                copyBytes(binary.getSegments(), binary.getOffset(), length, out, at);
                out.putByte(at + INLINE_MAX, 0x80 | length);
                return;
            }
            copy(binary, out, at, base);
        }

        @SuppressWarnings("deprecation") // the low bytes of chars are the bytes of ASCII
        private static void putString(String text, LayoutBuffer out, int at, int base) {
            int length = text.length();
            for (int index = 0; index < length; index++) {
                if (text.charAt(index) >= 0x80) {
                    putOctets(text.getBytes(StandardCharsets.UTF_8), out, at, base);
                    return;
                }
            }
            if (length <= INLINE_MAX) {
                text.getBytes(0, length, out.bytes(), at);
                out.putByte(at + INLINE_MAX, 0x80 | length);
                return;
            }
            int start = out.reserve(length);
            text.getBytes(0, length, out.bytes(), start);
            place(out, at, start - base, length);
        }
    }

    static final class Octets extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            putOctets(row.getBinary(column), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            putOctets(array.getBinary(element), out, at, base);
        }
    }

    static final class Decimals extends CellLayout {
        private final int precision;
        private final int scale;

        Decimals(int precision, int scale) {
            this.precision = precision;
            this.scale = scale;
        }

        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getDecimal(column, precision, scale), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getDecimal(element, precision, scale), out, at, base);
        }

        private void put(DecimalData value, LayoutBuffer out, int at, int base) {
            if (precision <= COMPACT_DECIMAL) {
                out.putLong(at, value.toUnscaledLong());
                return;
            }
            byte[] digits = value.toUnscaledBytes();
            int start = out.reserve(DECIMAL_BYTES);
            System.arraycopy(digits, 0, out.bytes(), start, digits.length);
            place(out, at, start - base, digits.length);
        }
    }

    static final class Rows extends CellLayout {
        private final RowLayout layout;

        Rows(RowLayout layout) {
            this.layout = layout;
        }

        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getRow(column, layout.columns()), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getRow(element, layout.columns()), out, at, base);
        }

        private void put(RowData row, LayoutBuffer out, int at, int base) {
            if (row instanceof BinaryFormat) {
                copy((BinaryFormat) row, out, at, base);
                return;
            }
            int start = layout.append(row, out);
            place(out, at, start - base, out.end() - start);
        }
    }

    static final class Arrays extends CellLayout {
        private final CellLayout elements;

        Arrays(CellLayout elements) {
            this.elements = elements;
        }

        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getArray(column), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getArray(element), out, at, base);
        }

        private void put(ArrayData array, LayoutBuffer out, int at, int base) {
            if (array instanceof BinaryFormat) {
                copy((BinaryFormat) array, out, at, base);
                return;
            }
            int start = append(array, elements, out);
            place(out, at, start - base, out.end() - start);
        }

        /** Appends an array: count, NULL bits, elements. */
        static int append(ArrayData array, CellLayout elements, LayoutBuffer out) {
            int size = array.size();
            int header = Integer.BYTES + (size + 31) / 32 * Integer.BYTES;
            int start = out.reserve(header + (long) size * elements.width());
            out.putInt(start, size);
            for (int element = 0; element < size; element++) {
                if (array.isNullAt(element)) {
                    out.setBit(start + Integer.BYTES, element);
                } else {
                    int at = start + header + element * elements.width();
                    elements.fromArray(array, element, out, at, start);
                }
            }
            return start;
        }
    }

    static final class Maps extends CellLayout {
        private final CellLayout keys;
        private final CellLayout values;

        Maps(CellLayout keys, CellLayout values) {
            this.keys = keys;
            this.values = values;
        }

        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getMap(column), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getMap(element), out, at, base);
        }

        /** The length of the key array, the key array, the value array. */
        private void put(MapData map, LayoutBuffer out, int at, int base) {
            if (map instanceof BinaryFormat) {
                copy((BinaryFormat) map, out, at, base);
                return;
            }
            int start = out.reserveExactly(Integer.BYTES);
            append(map.keyArray(), keys, out);
            out.putInt(start, out.end() - start - Integer.BYTES);
            append(map.valueArray(), values, out);
            int length = out.end() - start;
            out.reserveExactly(-length & 7);
            place(out, at, start - base, length);
        }

        private static void append(ArrayData array, CellLayout elements, LayoutBuffer out) {
            if (!(array instanceof BinaryFormat)) {
                Arrays.append(array, elements, out);
                return;
            }
            BinaryFormat binary = (BinaryFormat) array;
            int length = binary.getSizeInBytes();
            int start = out.reserveExactly(length);
            copyBytes(binary.getSegments(), binary.getOffset(), length, out, start);
        }
    }
}
