package dev.sluice.flink.bench;

import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Path {@code decode-downstream}: a row is copied for the next operator of a chain, eight columns
 * of it are read, and it is serialized for the network. A format that leaves work to whoever reads
 * its rows pays for it here.
 */
final class DownstreamLoop implements Contender.Work {
    private static final int BUFFER_BYTES = 1 << 15;

    private final byte[][][] batches;
    private final RecordReader reader;
    private final RowDataSerializer serializer;
    private final ColumnReads columns;
    private final boolean isOnlyRead;
    private final DataOutputSerializer network = new DataOutputSerializer(2 * BUFFER_BYTES);
    private long sum;

    /**
     * @param isOnlyRead rows are neither copied nor serialized: a chain that reuses objects
     */
    DownstreamLoop(byte[][][] batches, RecordReader reader, RowType row, boolean isOnlyRead) {
        this.isOnlyRead = isOnlyRead;
        this.batches = batches;
        this.reader = reader;
        serializer = new RowDataSerializer(row);
        columns = new ColumnReads(row);
    }

    @Override
    public void run(int batch) throws Exception {
        for (byte[] record : batches[batch]) {
            if (isOnlyRead) {
                sum += columns.read((RowData) reader.read(record));
                continue;
            }
            RowData row = serializer.copy((RowData) reader.read(record));
            sum += columns.read(row);
            if (network.length() > BUFFER_BYTES) {
                network.clear();
            }
            serializer.serialize(row, network);
            Sink.accept(row);
        }
        Sink.accept(sum);
    }
}
