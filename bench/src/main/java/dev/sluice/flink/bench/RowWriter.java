package dev.sluice.flink.bench;

import org.apache.flink.table.data.RowData;

/** One row in, one record out. */
@FunctionalInterface
interface RowWriter {
    byte[] write(RowData row) throws Exception;
}
