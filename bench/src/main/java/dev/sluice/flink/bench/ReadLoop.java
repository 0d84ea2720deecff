package dev.sluice.flink.bench;

/** Path {@code decode}: records to rows. */
final class ReadLoop implements Contender.Work {
    private final byte[][][] batches;
    private final RecordReader reader;

    ReadLoop(byte[][][] batches, RecordReader reader) {
        this.batches = batches;
        this.reader = reader;
    }

    @Override
    public void run(int batch) throws Exception {
        for (byte[] record : batches[batch]) {
            Sink.accept(reader.read(record));
        }
    }
}
