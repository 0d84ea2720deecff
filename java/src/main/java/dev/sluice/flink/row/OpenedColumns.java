package dev.sluice.flink.row;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The columns of an opened row. Where they are those of the decoded row, one for one, NULLs are not
 * looked at: the NULL bits lead from each value to the next one.
 */
final class OpenedColumns {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The first byte of the NULL bits is the row kind. */
    private static final int FIRST_BIT = 8;

    private final OpenedColumn[] columns;

    /** Per word of NULL bits those of columns; null where columns are picked. */
    private final long[] bits;

    /**
     * @param paths per column the indexes that lead to it from the root of {@code decoded}
     */
    OpenedColumns(RowType decoded, int[][] paths) {
        columns =
                Arrays.stream(paths)
                        .map(path -> new OpenedColumn(decoded, path))
                        .toArray(OpenedColumn[]::new);
        bits = Arrays.deepEquals(paths, all(decoded)) ? bits(columns.length) : null;
    }

    /** The paths of the columns of {@code row}. */
    static int[][] all(RowType row) {
        int[][] paths = new int[row.getFieldCount()][];
        Arrays.setAll(paths, column -> new int[] {column});
        return paths;
    }

    private static long[] bits(int columns) {
        long[] bits = new long[BinaryRowData.calculateBitSetWidthInBytes(columns) / Long.BYTES];
        for (int bit = FIRST_BIT; bit < FIRST_BIT + columns; bit++) {
            bits[bit / Long.SIZE] |= 1L << bit % Long.SIZE;
        }
        return bits;
    }

    /**
     * The values as objects.
     *
     * @param bytes of the row
     */
    GenericRowData open(BinaryRowData row, byte[] bytes) {
        GenericRowData opened = new GenericRowData(columns.length);
        if (bits == null) {
            for (int column = 0; column < columns.length; column++) {
                opened.setField(column, columns[column].open(row, bytes));
            }
            return opened;
        }
        for (int word = 0; word < bits.length; word++) {
            long left = bits[word] & ~(long) LONGS.get(bytes, word * Long.BYTES);
            for (; left != 0; left &= left - 1) {
                int column = word * Long.SIZE + Long.numberOfTrailingZeros(left) - FIRST_BIT;
                opened.setField(column, columns[column].value(row, bytes));
            }
        }
        return opened;
    }
}
