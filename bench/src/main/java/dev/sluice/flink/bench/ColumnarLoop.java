package dev.sluice.flink.bench;

import dev.sluice.flink.arrow.ArrowBatch;
import dev.sluice.flink.arrow.ArrowBatchDecoder;

import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Paths {@code columnar-downstream} and {@code columnar-read}: what {@link DownstreamLoop} does
 * with rows of bytes, over a view of Arrow columns instead, a batch being decoded at once.
 */
final class ColumnarLoop implements Contender.Work {
    private static final int BUFFER_BYTES = 1 << 15;

    private final byte[][][] batches;
    private final ArrowBatchDecoder decoder;
    private final boolean isOnlyRead;
    private final RowDataSerializer serializer;
    private final ColumnReads columns;
    private final DataOutputSerializer network = new DataOutputSerializer(2 * BUFFER_BYTES);
    private long sum;

    ColumnarLoop(byte[][][] batches, ArrowBatchDecoder decoder, RowType row, boolean isOnlyRead) {
        this.batches = batches;
        this.decoder = decoder;
        this.isOnlyRead = isOnlyRead;
        serializer = new RowDataSerializer(row);
        columns = new ColumnReads(row);
    }

    @Override
    public void run(int batch) throws Exception {
        try (ArrowBatch decoded = decoder.decode(batches[batch])) {
            ColumnarRow view = new ColumnarRow(ColumnarColumn.columns(decoded.columns()), 0);
            for (int at = 0; at < decoded.rowCount(); at++) {
                view.moveTo(at);
                if (isOnlyRead) {
                    sum += columns.read(view);
                } else {
                    send(serializer.copy(view));
                }
            }
        }
        Sink.accept(sum);
    }

    private void send(RowData row) throws Exception {
        sum += columns.read(row);
        if (network.length() > BUFFER_BYTES) {
            network.clear();
        }
        serializer.serialize(row, network);
        Sink.accept(row);
    }
}
