package dev.sluice.flink.bench;

import dev.sluice.flink.kafka.ConsumerPolls;
import dev.sluice.flink.kafka.Poll;

/**
 * Path {@code decode-polled}: with the Kafka interceptor a poll's records are decoded by the
 * consumer's thread before the task asks for them. A batch is a poll here, and either half of the
 * work is timed: what is left to the task, or what the consumer's thread does. Kafka itself is not
 * in it.
 */
final class PollLoop implements Contender.Work {
    private final byte[][][] batches;
    private final RecordReader reader;
    private final boolean isConsumerTimed;
    private final ConsumerPolls consumer = new ConsumerPolls();
    private Object answer; // what Kafka's consumer would hold while the task reads
    private byte[][] published = {};

    /**
     * @param batches of arrays that no other contender reads: a poll is found by a record's
     *     identity
     * @param isConsumerTimed else the task is
     */
    PollLoop(byte[][][] batches, RecordReader reader, boolean isConsumerTimed) {
        this.batches = batches;
        this.reader = reader;
        this.isConsumerTimed = isConsumerTimed;
    }

    @Override
    public void prepare(int batch) throws Exception {
        if (isConsumerTimed) {
            take(published);
        } else {
            publish(batches[batch]);
        }
    }

    @Override
    public void run(int batch) throws Exception {
        if (isConsumerTimed) {
            publish(batches[batch]);
        } else {
            take(published);
        }
    }

    private void publish(byte[][] records) {
        answer = new Object();
        Poll poll = new Poll(records.length);
        for (byte[] record : records) {
            poll.add(null, null, record, null);
        }
        consumer.publish(poll, answer);
        published = records;
    }

    private void take(byte[][] records) throws Exception {
        for (byte[] record : records) {
            Sink.accept(reader.read(record));
        }
    }
}
