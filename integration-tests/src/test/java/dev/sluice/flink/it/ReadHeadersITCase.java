package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** Schema ids in headers, as Confluent's own client writes them, and as no client should. */
class ReadHeadersITCase {
    private static final String ORDERS =
            "syntax = \"proto3\"; package shop; message Head { int64 at = 1; }"
                    + " message Order { int64 id = 1; string note = 2; }";

    private static TestRegistry registry;

    @BeforeAll
    static void start() throws Exception {
        registry = TestRegistry.start();
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    private static Sql table(Topic topic, String polls, String columns, String... options) {
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s'%s)",
                        columns,
                        topic.sourceWith(polls),
                        registry.url(),
                        topic.name(),
                        String.join("", options)));
        return sql;
    }

    private static String keys(Topic topic) {
        return String.format(
                ", 'key.format' = 'proto-confluent', 'key.fields' = 'k_id',"
                        + " 'key.fields-prefix' = 'k_', 'value.fields-include' = 'EXCEPT_KEY',"
                        + " 'key.proto-confluent.is_key' = 'true',"
                        + " 'key.proto-confluent.url' = '%s', 'key.proto-confluent.topic' = '%s'",
                registry.url(), topic.name());
    }

    @Test
    void readsKeysAndValuesThatConfluentsClientWrote() throws Exception {
        int count = 200;
        Topic topic = Topic.create("read-headers");
        PythonClient.produceHeaders(topic, registry.url(), count);
        List<String> rows = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            rows.add(String.format("+I[%d, %d, n]", id, id));
        }
        String columns = "k_id BIGINT, id BIGINT, note STRING";
        long unframed = CountReporter.total("unframedRecords");
        long polled = CountReporter.total("polledRecords");

        Sql sql = table(topic, Topic.polls(3), columns, keys(topic));
        assertThat(sql.rows("SELECT * FROM t")).containsExactlyElementsOf(rows);
        assertThat(CountReporter.total("unframedRecords")).isEqualTo(unframed);
        assertThat(CountReporter.total("polledRecords")).isGreaterThan(polled + count);

        // Without the interceptor they are messages of the latest schema's first, which is another.
        Sql blind = table(topic, "", columns, keys(topic));
        assertThatThrownBy(() -> blind.rows("SELECT * FROM t"))
                .hasStackTraceContaining("[bad-frame 201] the record has no frame");
    }

    /** Nothing tells of it: the first message of this file has a field of that number and type. */
    @Test
    void withoutTheInterceptorTheFirstMessageIsRead() throws Exception {
        Topic topic = Topic.create("second-message");
        int id = registry.register(topic.name() + "-value", Submission.protobuf(ORDERS));
        ProtoFile file = ProtoFile.of("orders.proto", ORDERS);
        ProducerRecord<byte[], byte[]> second = topic.record(null, file.bytes("Order", "id: 7"));
        second.headers().add("__value_schema_id", Frames.framed(id, new int[] {1}, new byte[0]));
        topic.send(List.of(second, second));
        String columns = "id BIGINT, `at` BIGINT";

        assertThat(table(topic, Topic.polls(1), columns).rows("SELECT * FROM t"))
                .containsExactly("+I[7, null]", "+I[7, null]");
        long unframed = CountReporter.total("unframedRecords");
        assertThat(table(topic, "", columns).rows("SELECT * FROM t"))
                .containsExactly("+I[null, 7]", "+I[null, 7]");
        assertThat(CountReporter.total("unframedRecords")).isEqualTo(unframed + 2);
    }

    @Test
    void headersAndPrefixesMayBeMixed() throws Exception {
        Topic topic = Topic.create("mixed-headers");
        int id = registry.register(topic.name() + "-value", Submission.protobuf(ORDERS));
        ProtoFile file = ProtoFile.of("orders.proto", ORDERS);
        byte[] order = file.bytes("Order", "id: 1 note: 'a'");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int at = 0; at < 20; at++) {
            ProducerRecord<byte[], byte[]> headed = topic.record(null, order);
            headed.headers()
                    .add("__value_schema_id", Frames.framed(id, new int[] {1}, new byte[0]));
            records.add(headed);
            records.add(topic.record(null, Frames.framed(id, new int[] {1}, order)));
        }
        topic.send(records);
        Sql sql = table(topic, Topic.polls(3), "id BIGINT, note STRING");

        assertThat(sql.rows("SELECT * FROM t")).hasSize(40).containsOnly("+I[1, a]");
    }

    @Test
    void aBrokenHeaderFailsWhereAPrefixWouldDo() throws Exception {
        Topic topic = Topic.create("broken-headers");
        int id = registry.register(topic.name() + "-value", Submission.protobuf(ORDERS));
        ProtoFile file = ProtoFile.of("orders.proto", ORDERS);
        byte[] value = Frames.framed(id, new int[] {1}, file.bytes("Order", "id: 1"));
        ProducerRecord<byte[], byte[]> broken = topic.record(null, value);
        broken.headers().add("__value_schema_id", new byte[] {1, 2, 3});
        topic.send(List.of(topic.record(null, value), broken));
        Sql sql = table(topic, Topic.polls(1), "id BIGINT, note STRING");

        assertThatThrownBy(() -> sql.rows("SELECT * FROM t"))
                .hasStackTraceContaining(
                        "[bad-frame 201] header '__value_schema_id' is broken: it ends inside the"
                                + " schema GUID");
    }
}
