package dev.sluice.flink.bench;

import dev.sluice.flink.kafka.ConsumerPolls;
import dev.sluice.flink.kafka.Poll;

/**
 * What {@link PollLoop} is for whole polls, where each record is alone in its poll: such a record
 * is decoded at its turn, and what the interceptor does for it is only a cost. Both halves are
 * timed.
 */
final class AloneLoop implements Contender.Work {
    private final byte[][][] batches;
    private final RecordReader reader;
    private final ConsumerPolls consumer = new ConsumerPolls();
    private Object answer; // what Kafka's consumer would hold while the task reads

    /**
     * @param batches of arrays that no other contender reads: a poll is found by a record's
     *     identity
     */
    AloneLoop(byte[][][] batches, RecordReader reader) {
        this.batches = batches;
        this.reader = reader;
    }

    @Override
    public void run(int batch) throws Exception {
        for (byte[] record : batches[batch]) {
            answer = new Object();
            Poll poll = new Poll(1);
            poll.add(null, null, record, null);
            consumer.publish(poll, answer);
            Sink.accept(reader.read(record));
        }
    }
}
