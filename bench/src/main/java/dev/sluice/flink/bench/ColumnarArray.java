package dev.sluice.flink.bench;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.variant.Variant;

/** Elements of a list in an Arrow batch, read in place. */
final class ColumnarArray implements ArrayData {
    private final ColumnarColumn column;
    private final int begin;
    private final int end;

    ColumnarArray(ColumnarColumn column, int begin, int end) {
        this.column = column;
        this.begin = begin;
        this.end = end;
    }

    @Override
    public int size() {
        return end - begin;
    }

    @Override
    public boolean isNullAt(int at) {
        return column.isNull(begin + at);
    }

    @Override
    public boolean getBoolean(int at) {
        return column.bool(begin + at);
    }

    @Override
    public int getInt(int at) {
        return column.int32(begin + at);
    }

    @Override
    public long getLong(int at) {
        return column.int64(begin + at);
    }

    @Override
    public float getFloat(int at) {
        return Float.intBitsToFloat(column.int32(begin + at));
    }

    @Override
    public double getDouble(int at) {
        return Double.longBitsToDouble(column.int64(begin + at));
    }

    @Override
    public StringData getString(int at) {
        return column.text(begin + at);
    }

    @Override
    public RowData getRow(int at, int fieldCount) {
        return column.row(begin + at);
    }

    @Override
    public ArrayData getArray(int at) {
        return column.array(begin + at);
    }

    @Override
    public MapData getMap(int at) {
        return column.map(begin + at);
    }

    @Override
    public byte getByte(int at) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public short getShort(int at) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public byte[] getBinary(int at) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public DecimalData getDecimal(int at, int precision, int scale) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public TimestampData getTimestamp(int at, int precision) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public <T> RawValueData<T> getRawValue(int at) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public Variant getVariant(int at) {
        throw new UnsupportedOperationException("no payload has it");
    }

    @Override
    public boolean[] toBooleanArray() {
        boolean[] values = new boolean[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getBoolean(at);
        }
        return values;
    }

    @Override
    public byte[] toByteArray() {
        byte[] values = new byte[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getByte(at);
        }
        return values;
    }

    @Override
    public short[] toShortArray() {
        short[] values = new short[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getShort(at);
        }
        return values;
    }

    @Override
    public int[] toIntArray() {
        int[] values = new int[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getInt(at);
        }
        return values;
    }

    @Override
    public long[] toLongArray() {
        long[] values = new long[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getLong(at);
        }
        return values;
    }

    @Override
    public float[] toFloatArray() {
        float[] values = new float[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getFloat(at);
        }
        return values;
    }

    @Override
    public double[] toDoubleArray() {
        double[] values = new double[size()];
        for (int at = 0; at < values.length; at++) {
            values[at] = getDouble(at);
        }
        return values;
    }
}
