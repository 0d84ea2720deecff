package dev.sluice.flink.row;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Lays out values of one type, which are not NULL: in the slot of a row or in the element of an
 * array. {@code base} is where that row or array begins, from where offsets are counted.
 */
abstract class CellLayout {
    private static final int COMPACT_TIMESTAMP = 3;

    abstract void fromRow(RowData row, int column, LayoutBuffer out, int at, int base);

    abstract void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base);

    /** Bytes of an element; a slot always has eight. */
    int width() {
        return Long.BYTES;
    }

    static CellLayout of(LogicalType type) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return new Booleans();
            case TINYINT:
                return new Bytes();
            case SMALLINT:
                return new Shorts();
            case INTEGER:
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
                return new Ints();
            case BIGINT:
                return new Longs();
            case FLOAT:
                return new Floats();
            case DOUBLE:
                return new Doubles();
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return new Timestamps(LogicalTypeChecks.getPrecision(type));
            case CHAR:
            case VARCHAR:
                return new PartLayouts.Texts();
            case BINARY:
            case VARBINARY:
                return new PartLayouts.Octets();
            case DECIMAL:
                return new PartLayouts.Decimals(
                        LogicalTypeChecks.getPrecision(type), LogicalTypeChecks.getScale(type));
            case ROW:
                return new PartLayouts.Rows(new RowLayout((RowType) type));
            case ARRAY:
                return new PartLayouts.Arrays(of(type.getChildren().get(0)));
            case MAP:
                return new PartLayouts.Maps(
                        of(type.getChildren().get(0)), of(type.getChildren().get(1)));
            case MULTISET:
                return new PartLayouts.Maps(of(type.getChildren().get(0)), new Ints());
            default:
                throw new IllegalArgumentException(
                        "no row holds a value of "
                                + type.asSummaryString()
                                + ", a "
                                + LogicalTypeRoot.class.getSimpleName()
                                + " that no plan has");
        }
    }

    private static final class Booleans extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putByte(at, row.getBoolean(column) ? 1 : 0);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putByte(at, array.getBoolean(element) ? 1 : 0);
        }

        @Override
        int width() {
            return Byte.BYTES;
        }
    }

    private static final class Bytes extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putByte(at, row.getByte(column));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putByte(at, array.getByte(element));
        }

        @Override
        int width() {
            return Byte.BYTES;
        }
    }

    private static final class Shorts extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putShort(at, row.getShort(column));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putShort(at, array.getShort(element));
        }

        @Override
        int width() {
            return Short.BYTES;
        }
    }

    private static final class Ints extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putInt(at, row.getInt(column));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putInt(at, array.getInt(element));
        }

        @Override
        int width() {
            return Integer.BYTES;
        }
    }

    private static final class Longs extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putLong(at, row.getLong(column));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putLong(at, array.getLong(element));
        }
    }

    private static final class Floats extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putInt(at, Float.floatToRawIntBits(row.getFloat(column)));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putInt(at, Float.floatToRawIntBits(array.getFloat(element)));
        }

        @Override
        int width() {
            return Float.BYTES;
        }
    }

    private static final class Doubles extends CellLayout {
        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            out.putLong(at, Double.doubleToRawLongBits(row.getDouble(column)));
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            out.putLong(at, Double.doubleToRawLongBits(array.getDouble(element)));
        }
    }

    /** Milliseconds in the slot, or in the variable part with the nanoseconds in the slot. */
    private static final class Timestamps extends CellLayout {
        private final int precision;

        Timestamps(int precision) {
            this.precision = precision;
        }

        @Override
        void fromRow(RowData row, int column, LayoutBuffer out, int at, int base) {
            put(row.getTimestamp(column, precision), out, at, base);
        }

        @Override
        void fromArray(ArrayData array, int element, LayoutBuffer out, int at, int base) {
            put(array.getTimestamp(element, precision), out, at, base);
        }

        private void put(TimestampData value, LayoutBuffer out, int at, int base) {
            if (precision <= COMPACT_TIMESTAMP) {
                out.putLong(at, value.getMillisecond());
                return;
            }
            int start = out.reserve(Long.BYTES);
            out.putLong(start, value.getMillisecond());
            out.putLong(at, (long) (start - base) << 32 | value.getNanoOfMillisecond());
        }
    }
}
