package dev.sluice.flink.row;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Lays rows of any class out as {@code BinaryRowData} does: what Flink's own serializer makes of
 * them, but that the bits of a NaN are kept in arrays too. Made once per type and used again, it
 * allocates nothing per value. Belongs to one thread.
 */
final class RowLayout {
    private static final int HEADER_BITS = 8;

    private final CellLayout[] columns;
    private final int slotsAt;

    RowLayout(RowType type) {
        columns = type.getChildren().stream().map(CellLayout::of).toArray(CellLayout[]::new);
        slotsAt = (HEADER_BITS + columns.length + 63) / 64 * Long.BYTES;
    }

    int columns() {
        return columns.length;
    }

    /** Appends a row; where it begins. The row kind stays INSERT: encoders do not look at it. */
    int append(RowData row, LayoutBuffer out) {
        int base = out.reserve(slotsAt + (long) Long.BYTES * columns.length);
        for (int column = 0; column < columns.length; column++) {
            if (row.isNullAt(column)) {
                out.setBit(base, HEADER_BITS + column);
            } else {
                columns[column].fromRow(
                        row, column, out, base + slotsAt + Long.BYTES * column, base);
            }
        }
        return base;
    }
}
