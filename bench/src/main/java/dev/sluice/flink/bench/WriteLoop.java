package dev.sluice.flink.bench;

import org.apache.flink.table.data.RowData;

/**
 * Paths {@code encode…}: rows to records. Rows are made anew for every batch, untimed: a row
 * remembers what it was asked for once, such as a text as bytes or as characters, and would be read
 * faster by whoever asks second.
 */
final class WriteLoop implements Contender.Work {
    private final byte[][][] batches;
    private final RecordReader source;
    private final RowWriter writer;
    private final RowData[] rows;

    /**
     * @param source where the rows come from
     */
    WriteLoop(byte[][][] batches, RecordReader source, RowWriter writer) {
        this.batches = batches;
        this.source = source;
        this.writer = writer;
        rows = new RowData[batches[0].length];
    }

    @Override
    public void prepare(int batch) throws Exception {
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (RowData) source.read(batches[batch][i]);
        }
    }

    @Override
    public void run(int batch) throws Exception {
        for (RowData row : rows) {
            Sink.accept(writer.write(row));
        }
    }
}
