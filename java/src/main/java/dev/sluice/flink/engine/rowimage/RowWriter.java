package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.SqlType;

/**
 * Flink's {@code BinaryRowData}: 8 header bits (row kind, INSERT = 0), a null bit for each column,
 * padded to words; one slot of 8 bytes for each column; the variable part.
 */
final class RowWriter implements ValueWriter {
    private static final int HEADER_BITS = 8;

    private final ValueWriter[] columns;
    private final int slotsAt;

    RowWriter(SqlType row) {
        columns =
                row.getColumnsList().stream()
                        .map(Column::getType)
                        .map(ValueWriter::of)
                        .toArray(ValueWriter[]::new);
        slotsAt = (HEADER_BITS + columns.length + 63) / 64 * Long.BYTES;
    }

    @Override
    public long slot(Object value, ImageBuffer out, int base) {
        int start = out.end();
        append((Object[]) value, out);
        return ValueWriter.place(start - base, out.end() - start);
    }

    /** Appends the row, whose length is in whole words. */
    void append(Object[] values, ImageBuffer out) {
        if (values.length != columns.length) {
            throw new IllegalArgumentException(
                    values.length + " values for " + columns.length + " columns");
        }
        int start = out.reserve(slotsAt + (long) Long.BYTES * columns.length);
        for (int column = 0; column < columns.length; column++) {
            Object value = values[column];
            if (value == null) {
                int bit = HEADER_BITS + column;
                out.orByte(start + bit / 8, 1 << bit % 8);
            } else {
                int slotAt = start + slotsAt + Long.BYTES * column;
                out.putLong(slotAt, columns[column].slot(value, out, start));
            }
        }
    }
}
