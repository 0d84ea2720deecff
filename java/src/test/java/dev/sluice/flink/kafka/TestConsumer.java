package dev.sluice.flink.kafka;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A consumer with our interceptor, as far as Kafka calls that. */
final class TestConsumer implements AutoCloseable {
    private final RecordInterceptor interceptor = new RecordInterceptor();

    /** One poll of records of one split. */
    ConsumerRecords<Object, Object> poll(Sent... records) {
        return poll(Map.of(0, List.of(records)));
    }

    /** One poll, by split. */
    ConsumerRecords<Object, Object> poll(Map<Integer, List<Sent>> bySplit) {
        Map<TopicPartition, List<ConsumerRecord<Object, Object>>> answer = new LinkedHashMap<>();
        bySplit.forEach(
                (split, records) ->
                        answer.put(
                                new TopicPartition("t", split),
                                records.stream()
                                        .map(record -> record.received(split))
                                        .collect(Collectors.toList())));
        return interceptor.onConsume(new ConsumerRecords<>(answer));
    }

    @Override
    public void close() {
        interceptor.close();
    }

    /** A record as it was sent. Its arrays are those that the consumer hands out. */
    static final class Sent {
        final byte[] key;
        final byte[] value;
        private final RecordHeaders headers = new RecordHeaders();

        private Sent(byte[] key, byte[] value) {
            this.key = key;
            this.value = value;
        }

        static Sent of(byte[] value) {
            return new Sent(null, value);
        }

        static Sent of(byte[] key, byte[] value) {
            return new Sent(key, value);
        }

        /** Adds a header; its value may be null. */
        Sent with(String header, byte[] value) {
            Header added = new RecordHeader(header, value);
            headers.add(added);
            return this;
        }

        /** The same record in other arrays. */
        Sent copy() {
            Sent copy =
                    new Sent(
                            key == null ? null : key.clone(), value == null ? null : value.clone());
            headers.forEach(header -> copy.headers.add(header));
            return copy;
        }

        private ConsumerRecord<Object, Object> received(int split) {
            return new ConsumerRecord<>(
                    "t",
                    split,
                    0,
                    0,
                    TimestampType.CREATE_TIME,
                    -1,
                    -1,
                    key,
                    value,
                    headers,
                    Optional.empty());
        }
    }
}
