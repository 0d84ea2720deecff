package dev.sluice.flink.bench;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads eight columns of a row, spread over it, as generated code of a query does: typed getters,
 * texts as bytes. Of a ROW its first column is read, of an ARRAY its size and its first element.
 */
final class ColumnReads {
    private static final int READ = 8;

    private final int[] columns;
    private final LogicalType[] types;
    private final LogicalTypeRoot[] roots;

    ColumnReads(RowType row) {
        int count = Math.min(READ, row.getFieldCount());
        columns = new int[count];
        types = new LogicalType[count];
        roots = new LogicalTypeRoot[count];
        for (int i = 0; i < count; i++) {
            columns[i] = i * row.getFieldCount() / count;
            types[i] = row.getTypeAt(columns[i]);
            roots[i] = types[i].getTypeRoot();
        }
    }

    /** Something of every value. */
    long read(RowData row) {
        long sum = 0;
        for (int i = 0; i < columns.length; i++) {
            if (!row.isNullAt(columns[i])) {
                sum += column(row, columns[i], roots[i], types[i]);
            }
        }
        return sum;
    }

    private static long column(RowData row, int at, LogicalTypeRoot root, LogicalType type) {
        switch (root) {
            case BOOLEAN:
                return row.getBoolean(at) ? 1 : 0;
            case INTEGER:
                return row.getInt(at);
            case BIGINT:
                return row.getLong(at);
            case FLOAT:
                return (long) row.getFloat(at);
            case DOUBLE:
                return (long) row.getDouble(at);
            case VARCHAR:
                return bytes(row.getString(at));
            case VARBINARY:
                return row.getBinary(at).length;
            case ROW:
                return first(row.getRow(at, ((RowType) type).getFieldCount()), (RowType) type);
            case ARRAY:
                return array(row.getArray(at), type.getChildren().get(0));
            case MAP:
                return row.getMap(at).size();
            default:
                throw new IllegalArgumentException(type.asSummaryString());
        }
    }

    private static long first(RowData row, RowType type) {
        LogicalType first = type.getTypeAt(0);
        return row.isNullAt(0) ? 0 : column(row, 0, first.getTypeRoot(), first);
    }

    private static long array(ArrayData array, LogicalType element) {
        if (array.size() == 0) {
            return 0;
        }
        switch (element.getTypeRoot()) {
            case ROW:
                RowType type = (RowType) element;
                return array.size() + first(array.getRow(0, type.getFieldCount()), type);
            case BIGINT:
                return array.size() + array.getLong(0);
            case VARCHAR:
                return array.size() + bytes(array.getString(0));
            default:
                return array.size();
        }
    }

    private static long bytes(StringData text) {
        BinaryStringData octets = (BinaryStringData) text;
        octets.ensureMaterialized();
        return octets.getSizeInBytes();
    }
}
