package dev.sluice.flink.kafka;

import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import java.util.Arrays;
import java.util.Map;

/**
 * What a table names in {@code 'properties.interceptor.classes'}. Kafka's connector hands the
 * property to the consumer of a table that is read and to the producer of one that is written, so
 * one class serves both.
 *
 * <p>The build compiles this source twice: as it stands, and for the Kafka of {@code
 * flink-sql-connector-kafka}, as {@code dev.sluice.flink.kafka.shaded.RecordInterceptor}. It only
 * passes on what Kafka's types hold; all logic is in classes that do not know them.
 */
public final class RecordInterceptor
        implements ConsumerInterceptor<Object, Object>, ProducerInterceptor<Object, Object> {

    private final ConsumerPolls polls = new ConsumerPolls();
    private ProducerHeaders headers; // null: the client is a consumer

    @Override
    public void configure(Map<String, ?> properties) {
        headers = properties.containsKey("value.serializer") ? new ProducerHeaders() : null;
    }

    @Override
    public ConsumerRecords<Object, Object> onConsume(ConsumerRecords<Object, Object> records) {
        if (!records.isEmpty()) {
            Poll poll = new Poll(records.count());
            for (ConsumerRecord<Object, Object> record : records) {
                poll.add(
                        record.key(),
                        last(record.headers(), ConsumerPolls.KEY_HEADER),
                        record.value(),
                        last(record.headers(), ConsumerPolls.VALUE_HEADER));
            }
            polls.publish(poll, records);
        }
        return records;
    }

    private static byte[] last(Headers headers, String name) {
        Header last = headers.lastHeader(name);
        return last == null ? null : last.value();
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public ProducerRecord<Object, Object> onSend(ProducerRecord<Object, Object> record) {
        if (headers != null) {
            put(record.headers(), ProducerHeaders.KEY, headers.ofKey(record.key()));
            put(record.headers(), ProducerHeaders.VALUE, headers.ofValue(record.value()));
        }
        return record;
    }

    /** A record that is sent again, or brings the header along, does not get it twice (W16). */
    private static void put(Headers headers, String name, byte[] value) {
        if (value != null) {
            Header last = headers.lastHeader(name);
            if (last == null || !Arrays.equals(last.value(), value)) {
                headers.add(name, value);
            }
        }
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {}

    @Override
    public void close() {
        polls.close();
    }
}
