package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Ports;
import dev.sluice.flink.it.server.Registry;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Topics that hold what should not be there: framed and unframed records, several messages, poison.
 * Every record is a row, or was skipped and has a dead letter.
 */
class SkippedRecordsITCase {
    private static final String SCHEMA =
            "syntax = 'proto3'; package shop.v1; message Order { int64 id = 1; string name = 2; }"
                    + " message Refund { int64 id = 1; string reason = 2; }";

    private static ProtoFile file;

    @BeforeAll
    static void readTheSchema() {
        file = ProtoFile.of("order.proto", SCHEMA);
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static Sql table(Topic topic, String columns, String... options) {
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent'%s)",
                        columns, topic.source(), options("value", topic, options)));
        return sql;
    }

    private static String options(String role, Topic topic, String... options) {
        List<String> all = new ArrayList<>();
        all.addAll(List.of("url", Registry.shared().url(), "topic", topic.name()));
        all.addAll(List.of(options));
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < all.size(); at += 2) {
            text.append(
                    String.format(
                            ", '%s.proto-confluent.%s' = '%s'",
                            role, all.get(at), all.get(at + 1)));
        }
        return text.toString();
    }

    private static String[] skipping(Topic dead) {
        return new String[] {
            "on-deserialize-error", "skip",
            "dead-letter-topic", dead.name(),
            "dead-letter.properties.bootstrap.servers", KafkaBroker.shared().bootstrapServers()
        };
    }

    @Test
    void recordsWithAndWithoutFrameAreReadFromOneTopic() throws Exception {
        Topic topic = Topic.create("mixed");
        ProtoFile registered = file.register(topic.name() + "-value");
        int id = registered.id();
        topic.send(
                registered.record("Order", "id: 1 name: 'framed'"),
                hex("0802 1203726177"),
                hex(""),
                registered.record("Refund", "id: 3 reason: 'late'"));
        Sql sql =
                table(
                        topic,
                        "id BIGINT, name STRING, reason STRING,"
                                + " m STRING METADATA FROM 'value.message-name',"
                                + " s INT METADATA FROM 'value.schema-id'");
        long unframed = CountReporter.total("unframedRecords");

        assertThat(sql.rows("SELECT id, name, reason, m, s FROM t"))
                .containsExactly(
                        "+I[1, framed, null, shop.v1.Order, " + id + "]",
                        "+I[2, raw, null, shop.v1.Order, " + id + "]",
                        "+I[0, , null, shop.v1.Order, " + id + "]",
                        "+I[3, null, late, shop.v1.Refund, " + id + "]");
        assertThat(CountReporter.total("unframedRecords") - unframed).isEqualTo(2);
    }

    @Test
    void oneMessageOfSeveralIsRead() throws Exception {
        Topic topic = Topic.create("several");
        ProtoFile registered = file.register(topic.name() + "-value");
        topic.send(
                registered.record("Order", "id: 1"),
                registered.record("Refund", "id: 2 reason: 'late'"),
                registered.record("Order", "id: 3"));
        Sql sql = table(topic, "id BIGINT, reason STRING", "message-name", "shop.v1.Refund");
        long others = CountReporter.total("otherMessageRecords");

        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[2, late]");
        assertThat(CountReporter.total("otherMessageRecords") - others).isEqualTo(2);
    }

    @Test
    void aColumnThatTheLatestSchemaCannotFillIsRefusedWhilePlanning() {
        Topic topic = Topic.create("planned");
        file.register(topic.name() + "-value");
        Sql sql = table(topic, "id BOOLEAN, name STRING, reason BOOLEAN");

        assertThatThrownBy(() -> sql.rows("SELECT * FROM t"))
                .hasStackTraceContaining("ValidationException")
                .hasStackTraceContaining("subject '" + topic.name() + "-value'");
    }

    @Test
    void everyRecordIsARowOrHasADeadLetter() throws Exception {
        Topic topic = Topic.create("poison");
        Topic dead = Topic.create("dead");
        ProtoFile registered = file.register(topic.name() + "-value");
        List<byte[]> poison =
                List.of(
                        hex("00 00"),
                        Frames.afterId(987_654, "000801"),
                        Frames.afterId(registered.id(), "0208"),
                        Frames.afterId(registered.id(), "0008011205"),
                        "{\"id\":1}".getBytes(StandardCharsets.UTF_8));
        List<byte[]> records = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            records.add(registered.record("Order", "id: 7 name: 'good'"));
            records.addAll(poison);
        }
        topic.send(records.toArray(byte[][]::new));
        Sql sql = table(topic, "id BIGINT, name STRING", skipping(dead));
        long skipped = CountReporter.total("skippedRecords");

        assertThat(sql.rows("SELECT * FROM t")).hasSize(20);
        assertThat(CountReporter.total("skippedRecords") - skipped).isEqualTo(100);
        List<String> letters = DeadLetterRows.of(dead);
        assertThat(letters).hasSize(100).allMatch(letter -> letter.endsWith(", value]"));
        List<String> kinds = letters.stream().distinct().toList();
        assertThat(kinds).hasSize(poison.size());
        assertThat(letters.stream().filter(letter -> letter.contains(", truncated, "))).hasSize(20);

        // Replayed, they are what they were.
        Topic again = Topic.create("replayed");
        Topic deadAgain = Topic.create("deadagain");
        file.register(again.name() + "-value");
        again.send(poison.toArray(byte[][]::new));
        assertThat(
                        table(again, "id BIGINT, name STRING", skipping(deadAgain))
                                .rows("SELECT * FROM t"))
                .isEmpty();
        assertThat(DeadLetterRows.of(deadAgain)).containsExactlyInAnyOrderElementsOf(kinds);
    }

    /** The producer's properties come in the other form that Flink's maps have. */
    @Test
    void keyAndValueThatBothFailGiveTwoLetters() throws Exception {
        Topic topic = Topic.create("both");
        Topic dead = Topic.create("deadboth");
        topic.send(List.of(new ProducerRecord<>(topic.name(), hex("00"), hex("0001"))));
        String servers = "bootstrap.servers:''" + KafkaBroker.shared().bootstrapServers() + "''";
        String[] policy = {
            "on-deserialize-error",
            "skip",
            "dead-letter-topic",
            dead.name(),
            "dead-letter.properties",
            servers
        };
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (k BIGINT, v BIGINT) WITH (%s, 'key.fields' = 'k',"
                                + " 'value.fields-include' = 'EXCEPT_KEY', 'key.format' ="
                                + " 'proto-confluent', 'key.proto-confluent.is_key' = 'true',"
                                + " 'value.format' = 'proto-confluent'%s%s)",
                        topic.source(),
                        options("key", topic, policy),
                        options("value", topic, policy)));
        sql.rows("SELECT * FROM t");
        assertThat(DeadLetterRows.of(dead))
                .containsExactlyInAnyOrder(
                        "+I[[0], bad-frame, key]", "+I[[0, 1], bad-frame, value]");
    }

    @Test
    void aDeadLetterThatCannotBeSentFailsTheJobUnlessTheTableSaysOtherwise() throws Exception {
        Topic topic = Topic.create("nobroker");
        topic.send(hex("00"), file.register(topic.name() + "-value").record("Order", "id: 1"));
        String[] options = {
            "on-deserialize-error", "skip",
            "dead-letter-topic", "dead",
            "dead-letter.properties.bootstrap.servers", "127.0.0.1:" + Ports.free(),
            "dead-letter.properties.max.block.ms", "500",
            "dead-letter.on-failure", "fail"
        };
        Sql failing = table(topic, "id BIGINT", options);
        assertThatThrownBy(() -> failing.rows("SELECT * FROM t"))
                .hasStackTraceContaining("the dead letter for topic 'dead'");
        options[options.length - 1] = "log";
        assertThat(table(topic, "id BIGINT", options).rows("SELECT * FROM t"))
                .containsExactly("+I[1]");
    }
}
