package dev.sluice.flink.it;

import dev.sluice.flink.it.server.FlinkCluster;
import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** A topic of its own for one test, and the means to fill it. */
final class Topic {
    static {
        // Side by side with the broker, which a topic waits for.
        CompletableFuture.runAsync(Registry::shared);
        CompletableFuture.runAsync(FlinkCluster::shared);
    }

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Map<String, Object> CLIENT =
            Map.of("bootstrap.servers", KafkaBroker.shared().bootstrapServers());

    /** The interceptor for the connector of this run. */
    static final String INTERCEPTOR =
            System.getProperty("interceptor", "dev.sluice.flink.kafka.RecordInterceptor");

    /**
     * Of a run in which each table has the interceptor: polls are short, so that there are many.
     */
    private static final String POLLS = System.getProperty("interceptor") == null ? "" : polls(3);

    private final String name;

    private Topic(String name) {
        this.name = name;
    }

    static Topic create(String purpose) {
        return create(purpose, 1);
    }

    static Topic create(String purpose, int partitions) {
        return named(purpose + "-" + COUNT.incrementAndGet(), partitions);
    }

    /** A topic whose name a writer chose. */
    static Topic named(String name) {
        return named(name, 1);
    }

    private static Topic named(String name, int partitions) {
        Topic topic = new Topic(name);
        try (Admin admin = Admin.create(CLIENT)) {
            admin.createTopics(List.of(new NewTopic(topic.name, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("no topic " + topic.name, e);
        }
        return topic;
    }

    String name() {
        return name;
    }

    /** Sends values without keys to partition 0. */
    void send(byte[]... values) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (byte[] value : values) {
            records.add(record(null, value));
        }
        send(records);
    }

    ProducerRecord<byte[], byte[]> record(byte[] key, byte[] value) {
        return new ProducerRecord<>(name, 0, key, value);
    }

    void send(List<ProducerRecord<byte[], byte[]>> records) {
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(CLIENT, bytes, bytes)) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("not sent to " + name, e);
        }
    }

    /** The values of partition 0, up to its end. */
    List<byte[]> values() {
        List<byte[]> values = new ArrayList<>();
        records().forEach(one -> values.add(one.value()));
        return values;
    }

    /** The records of partition 0 that are committed, up to its end. */
    List<ConsumerRecord<byte[], byte[]>> records() {
        Map<String, Object> settings = new HashMap<>(CLIENT);
        settings.put("isolation.level", "read_committed");
        TopicPartition partition = new TopicPartition(name, 0);
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings, bytes, bytes)) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        return records;
    }

    /** How many records it has, with those of transactions that were given up. */
    long count() {
        List<TopicPartition> partitions = new ArrayList<>();
        try (Admin admin = Admin.create(CLIENT)) {
            admin.describeTopics(List.of(name))
                    .allTopicNames()
                    .get()
                    .get(name)
                    .partitions()
                    .forEach(one -> partitions.add(new TopicPartition(name, one.partition())));
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            partitions.forEach(one -> ends.put(one, OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(ListOffsetsResultInfo::offset)
                    .sum();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("no topic " + name, e);
        }
    }

    /** Table options that read the whole topic as it is now, then end; they write as well. */
    String source() {
        return sourceWith(POLLS);
    }

    /** The same with or without {@link #polls}, whatever the run. */
    String sourceWith(String polls) {
        return String.format(
                "'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',"
                        + " 'scan.startup.mode' = 'earliest-offset',"
                        + " 'scan.bounded.mode' = 'latest-offset'%s",
                name, KafkaBroker.shared().bootstrapServers(), polls);
    }

    /** The same by the upsert connector, which always begins at the beginning. */
    String upsertSource() {
        return upsertSourceWith(POLLS);
    }

    /** The same with or without {@link #polls}, whatever the run. */
    String upsertSourceWith(String polls) {
        return String.format(
                "'connector' = 'upsert-kafka', 'topic' = '%s',"
                        + " 'properties.bootstrap.servers' = '%s',"
                        + " 'scan.bounded.mode' = 'latest-offset'%s",
                name, KafkaBroker.shared().bootstrapServers(), polls);
    }

    /** Table options, each after a comma, that give the format whole polls of so many records. */
    static String polls(int records) {
        return String.format(
                ", 'properties.interceptor.classes' = '%s', 'properties.max.poll.records' = '%d'",
                INTERCEPTOR, records);
    }
}
