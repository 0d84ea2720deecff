package dev.sluice.flink.bench;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RawValueData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.types.RowKind;
import org.apache.flink.types.variant.Variant;

/** A row of an Arrow batch, or of a struct column of one, read in place. */
final class ColumnarRow implements RowData {
    private final ColumnarColumn[] columns;
    private int index;

    ColumnarRow(ColumnarColumn[] columns, int index) {
        this.columns = columns;
        this.index = index;
    }

    /** To another row of the batch. */
    void moveTo(int row) {
        index = row;
    }

    @Override
    public int getArity() {
        return columns.length;
    }

    @Override
    public RowKind getRowKind() {
        return RowKind.INSERT;
    }

    @Override
    public void setRowKind(RowKind kind) {
        if (kind != RowKind.INSERT) {
            throw new UnsupportedOperationException(kind.toString());
        }
    }

    @Override
    public boolean isNullAt(int at) {
        return columns[at].isNull(index);
    }

    @Override
    public boolean getBoolean(int at) {
        return columns[at].bool(index);
    }

    @Override
    public int getInt(int at) {
        return columns[at].int32(index);
    }

    @Override
    public long getLong(int at) {
        return columns[at].int64(index);
    }

    @Override
    public float getFloat(int at) {
        return Float.intBitsToFloat(columns[at].int32(index));
    }

    @Override
    public double getDouble(int at) {
        return Double.longBitsToDouble(columns[at].int64(index));
    }

    @Override
    public StringData getString(int at) {
        return columns[at].text(index);
    }

    @Override
    public RowData getRow(int at, int fieldCount) {
        return columns[at].row(index);
    }

    @Override
    public ArrayData getArray(int at) {
        return columns[at].array(index);
    }

    @Override
    public MapData getMap(int at) {
        return columns[at].map(index);
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
}
