package dev.sluice.flink.bench;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.util.Optional;

/**
 * Holds contenders against a reference before they are timed: who does something else is not
 * compared.
 *
 * @param reference reads the rows that are right
 */
record Agreement(RowType row, RecordReader reference) {

    private static final int RECORDS_MAX = 2000;

    /**
     * @throws IllegalStateException if the reader gives another row than the reference
     */
    void require(String contender, RecordReader reader, byte[][] records) throws Exception {
        for (int i = 0; i < Math.min(records.length, RECORDS_MAX); i++) {
            require(contender, i, (RowData) reader.read(records[i]), records[i]);
        }
    }

    /**
     * @throws IllegalStateException if what is written of the reference's rows does not read as
     *     them
     */
    void requireWriter(String contender, RowWriter writer, RowData[] rows, byte[][] records)
            throws Exception {
        for (int i = 0; i < Math.min(rows.length, RECORDS_MAX); i++) {
            byte[] written = writer.write(rows[i]);
            require(contender, i, (RowData) reference.read(written), records[i]);
        }
    }

    private void require(String contender, int at, RowData row, byte[] record) throws Exception {
        Optional<String> difference =
                RowDifference.find((RowData) reference.read(record), row, this.row);
        if (difference.isPresent()) {
            throw new IllegalStateException(
                    String.format(
                            "%s disagrees about record %d: %s", contender, at, difference.get()));
        }
    }
}
