package dev.sluice.flink.row;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Opens canonical binary row bytes, in one of two forms.
 *
 * <p>The binary form is a {@link BinaryRowData} over the bytes: nothing is read, nothing copied.
 * The generic form is a {@link GenericRowData} for connectors that cast to it: numbers are boxed
 * and {@code byte[]} columns copied, while strings, arrays, maps and nested rows stay views on the
 * bytes. Either way the row owns its bytes from then on: nobody writes to them again, and every
 * call gives a new row.
 *
 * <p>The generic form can also pick nested fields ({@code line.sku}) of the decoded row as its own
 * columns; a NULL on the way to such a field is a NULL column.
 *
 * <p>The NULL bits decide what is NULL, also in NOT NULL columns: a profile may let one pass.
 */
public final class RowOpener implements Serializable {

    private static final long serialVersionUID = 1L;

    private final RowType decoded;
    private final boolean binary;
    private final int[][] paths;
    private transient OpenedColumns columns;
    private transient int columnCount; // of decoded, which asks two lists for it

    private RowOpener(RowType decoded, boolean binary, int[][] paths) {
        this.decoded = decoded;
        this.binary = binary;
        this.paths = paths;
        this.columns = new OpenedColumns(decoded, paths);
        this.columnCount = decoded.getFieldCount();
    }

    /** Rows are {@link BinaryRowData} with the columns of {@code decoded}. */
    public static RowOpener binary(RowType decoded) {
        return new RowOpener(decoded, true, OpenedColumns.all(decoded));
    }

    /** Rows are {@link GenericRowData} with the columns of {@code decoded}. */
    public static RowOpener generic(RowType decoded) {
        return new RowOpener(decoded, false, OpenedColumns.all(decoded));
    }

    /**
     * Rows are {@link GenericRowData} with one column per path.
     *
     * @param paths per column the indexes that lead to its field from the root of {@code decoded};
     *     all but the last step are ROW columns
     */
    public static RowOpener picking(RowType decoded, int[][] paths) {
        return new RowOpener(
                decoded, false, Arrays.stream(paths).map(int[]::clone).toArray(int[][]::new));
    }

    /** A row over {@code bytes}, which belong to the row afterwards. */
    public RowData open(byte[] bytes) {
        BinaryRowData row = new BinaryRowData(columnCount);
        row.pointTo(MemorySegmentFactory.wrap(bytes), 0, bytes.length);
        if (binary) {
            return row;
        }
        return columns.open(row, bytes);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        columns = new OpenedColumns(decoded, paths);
        columnCount = decoded.getFieldCount();
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof RowOpener)) {
            return false;
        }
        RowOpener that = (RowOpener) other;
        return binary == that.binary
                && decoded.equals(that.decoded)
                && Arrays.deepEquals(paths, that.paths);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * decoded.hashCode() + Arrays.deepHashCode(paths))
                + Boolean.hashCode(binary);
    }

    @Override
    public String toString() {
        return (binary ? "binary " : "generic ") + decoded.asSummaryString();
    }
}
