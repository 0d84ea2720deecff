package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

/**
 * Writes rows of one type in Flink's canonical binary layout: exactly the bytes of {@code
 * RowDataSerializer.toBinaryRow}, row kind INSERT. Made once per type; an instance belongs to one
 * thread.
 *
 * <p>Values by SQL type; null is NULL, whatever the type says about it:
 *
 * <ul>
 *   <li>BOOLEAN {@code Boolean}, TINYINT {@code Byte}, SMALLINT {@code Short}, BIGINT {@code Long};
 *       INTEGER, DATE (days since the epoch) and TIME (milliseconds of the day) {@code Integer}
 *   <li>FLOAT {@code Float} and DOUBLE {@code Double}: the bits of a NaN are kept in rows, while
 *       arrays and maps hold the canonical NaN, as Flink's do
 *   <li>CHAR and VARCHAR {@code byte[]} of UTF-8, BINARY and VARBINARY {@code byte[]}
 *   <li>DECIMAL {@code BigDecimal} of the column's scale, within its precision
 *   <li>TIMESTAMP and TIMESTAMP_LTZ {@link TimestampValue}
 *   <li>ARRAY {@code List<Object>}; MAP and MULTISET {@code List<Map.Entry<Object, Object>>} in the
 *       order of the entries, each key once
 *   <li>ROW {@code Object[]} with a value for each column
 * </ul>
 *
 * <p>Values of another class are a bug of the caller and fail with {@code ClassCastException} or
 * {@code IllegalArgumentException}.
 */
public final class RowImage {
    private final RowWriter row;
    private final ImageBuffer out;

    /** Rows as long as a Java array may be. */
    public RowImage(SqlType row) {
        this(row, Integer.MAX_VALUE - 8);
    }

    /**
     * Rows of up to {@code bytesMax} bytes.
     *
     * @param row of kind ROW
     */
    public RowImage(SqlType row, int bytesMax) {
        if (row.getKind() != SqlKind.ROW) {
            throw new IllegalArgumentException("a row is of kind ROW, not " + row.getKind());
        }
        this.row = new RowWriter(row);
        this.out = new ImageBuffer(bytesMax);
    }

    /**
     * The bytes of one row, in an array of its own.
     *
     * @throws RowTooLargeException if there are more than {@code bytesMax}
     */
    public byte[] write(Object[] columns) {
        out.clear();
        row.append(columns, out);
        return out.toBytes();
    }
}
