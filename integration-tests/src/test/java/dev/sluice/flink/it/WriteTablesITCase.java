package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Sink tables of every shape that the Kafka connectors have, read by Confluent's own client. */
class WriteTablesITCase {
    private static final String REGISTERS = "auto-register-schemas' = 'true";

    private static String format(String role, Topic topic, String... options) {
        String prefix = role + ".proto-confluent.";
        StringBuilder text = new StringBuilder();
        text.append(String.format("'%s.format' = 'proto-confluent'", role));
        text.append(String.format(", '%surl' = '%s'", prefix, Registry.shared().url()));
        text.append(String.format(", '%stopic' = '%s'", prefix, topic.name()));
        text.append(String.format(", '%sis_key' = '%s'", prefix, role.equals("key")));
        for (String option : options) {
            text.append(String.format(", '%s%s'", prefix, option));
        }
        return text.toString();
    }

    @Test
    void upsertWritesKeysAndTombstones() throws Exception {
        Orders orders = Orders.create();
        orders.topic.send(
                List.of(
                        orders.topic.record(
                                orders.key(1), orders.first.record("Order", "id: 1 note: 'a'")),
                        orders.topic.record(
                                orders.key(2), orders.first.record("Order", "id: 2 note: 'b'")),
                        orders.topic.record(orders.key(2), null)));
        Topic topic = Topic.create("upserted");
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE latest (id BIGINT, note STRING, PRIMARY KEY (id) NOT"
                            + " ENFORCED) WITH (%s, %s, %s, 'key.proto-confluent.is_key' = 'true')",
                        orders.topic.upsertSource(),
                        orders.format("key."),
                        orders.format("value.")));
        sql.run(
                String.format(
                        "CREATE TABLE sink (k_id BIGINT, note STRING, PRIMARY KEY (k_id) NOT"
                                + " ENFORCED) WITH (%s, 'key.fields-prefix' = 'k_',"
                                + " 'value.fields-include' = 'EXCEPT_KEY', %s, %s)",
                        topic.upsertSource(),
                        format("key", topic, REGISTERS),
                        format("value", topic, REGISTERS)));
        sql.insert("INSERT INTO sink SELECT * FROM latest");

        assertThat(PythonClient.keysAndValues(topic))
                .containsExactly(
                        "{\"id\": \"1\"} {\"note\": \"a\"}",
                        "{\"id\": \"2\"} {\"note\": \"b\"}",
                        "{\"id\": \"2\"} null");
        assertThat(sql.rows("SELECT * FROM sink"))
                .containsExactly("+I[1, a]", "+I[2, b]", "-D[2, b]");
        // A column of the primary key is NOT NULL.
        assertThat(Registry.shared().latestText(topic.name() + "-key"))
                .contains("\n  int64 id = 1;");
    }

    /** As the documentation of the option has it, but for the addresses. */
    @Test
    void aKeyedSinkWritesTwoMessageClasses() throws Exception {
        Path jar =
                GeneratedJar.of(
                        ProtobufRelease.current(),
                        Map.of(
                                "order.proto",
                                "syntax = 'proto3'; package com.example; option java_package ="
                                        + " 'com.example'; option java_outer_classname ="
                                        + " 'OrderProto'; message OrderKey { string id = 1; }"
                                        + " message Order { string event_ts = 1; string payload ="
                                        + " 2; }"));
        Topic topic = Topic.create("keyed");
        Sql sql =
                new Sql(
                        new URLClassLoader(
                                new URL[] {jar.toUri().toURL()},
                                WriteTablesITCase.class.getClassLoader()));
        sql.run(
                ("CREATE TABLE keyed_sink (`k_id` STRING, `payload` STRING, `event_ts` STRING) WITH"
                     + " ('connector' = 'kafka', 'topic' = 'orders', 'properties.bootstrap.servers'"
                     + " = 'kafka:9092', 'key.format' = 'proto-confluent', 'key.fields' = 'k_id',"
                     + " 'key.fields-prefix' = 'k_', 'key.proto-confluent.url' ="
                     + " 'http://schema-registry:8081', 'key.proto-confluent.topic' = 'orders',"
                     + " 'key.proto-confluent.is_key' = 'true',"
                     + " 'key.proto-confluent.auto-register-schemas' = 'true',"
                     + " 'key.proto-confluent.message-class' = 'com.example.OrderProto$OrderKey',"
                     + " 'value.format' = 'proto-confluent', 'value.fields-include' = 'EXCEPT_KEY',"
                     + " 'value.proto-confluent.url' = 'http://schema-registry:8081',"
                     + " 'value.proto-confluent.topic' = 'orders', 'value.proto-confluent.is_key' ="
                     + " 'false', 'value.proto-confluent.auto-register-schemas' = 'true',"
                     + " 'value.proto-confluent.message-class' = 'com.example.OrderProto$Order')")
                        .replace("'orders'", "'" + topic.name() + "'")
                        .replace("kafka:9092", KafkaBroker.shared().bootstrapServers())
                        .replace("http://schema-registry:8081", Registry.shared().url()));
        sql.insert("INSERT INTO keyed_sink VALUES ('o-1', 'tea', '2026-01-01')");

        assertThat(PythonClient.keysAndValues(topic))
                .containsExactly(
                        "{\"id\": \"o-1\"} {\"event_ts\": \"2026-01-01\", \"payload\": \"tea\"}");
        assertThat(Registry.shared().latestText(topic.name() + "-key"))
                .isEqualTo(Registry.shared().latestText(topic.name() + "-value"));
    }

    @Test
    void everyRowOfATransactionalSinkIsWrittenOnce() throws Exception {
        Topic topic = Topic.create("transactional");
        Sql sql = new Sql().set("execution.checkpointing.interval", "200ms");
        sql.run(
                String.format(
                        "CREATE TABLE sink (id INT) WITH (%s, %s, 'sink.delivery-guarantee' ="
                                + " 'exactly-once', 'sink.transactional-id-prefix' = '%s',"
                                + " 'properties.transaction.timeout.ms' = '60000')",
                        topic.source(), format("value", topic, REGISTERS), topic.name()));
        sql.run(
                "CREATE TABLE numbers (id INT) WITH ('connector' = 'datagen', 'number-of-rows' ="
                        + " '50', 'rows-per-second' = '50', 'fields.id.kind' = 'sequence',"
                        + " 'fields.id.start' = '1', 'fields.id.end' = '50')");
        sql.insert("INSERT INTO sink SELECT id FROM numbers");

        List<String> expected = new ArrayList<>();
        for (int id = 1; id <= 50; id++) {
            expected.add("{\"id\": " + id + "}");
        }
        assertThat(PythonClient.values(topic)).containsExactlyElementsOf(expected);
        assertThat(topic.count()).as("with the marks of transactions").isGreaterThan(50);
    }

    @Test
    void aStatementSetWritesTwoTables() throws Exception {
        Topic whole = Topic.create("whole");
        Topic part = Topic.create("part");
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE whole (id INT, word STRING) WITH (%s, %s)",
                        whole.source(), format("value", whole, REGISTERS)));
        sql.run(
                String.format(
                        "CREATE TABLE part (word STRING NOT NULL) WITH (%s, %s)",
                        part.source(), format("value", part, REGISTERS)));
        sql.insert(
                "EXECUTE STATEMENT SET BEGIN INSERT INTO whole VALUES (1, 'x'), (2, 'y');"
                        + " INSERT INTO part VALUES ('z'); END");

        assertThat(PythonClient.values(whole))
                .containsExactlyInAnyOrder(
                        "{\"id\": 1, \"word\": \"x\"}", "{\"id\": 2, \"word\": \"y\"}");
        assertThat(PythonClient.values(part)).containsExactly("{\"word\": \"z\"}");
    }

    @Test
    void theNamedMessageOfAFileIsWritten() throws Exception {
        Topic topic = Topic.create("named");
        ProtoFile.of(
                        "named.proto",
                        "syntax = 'proto3'; package shop; message Head { int64 id = 1; } message"
                                + " Body { message Part { int32 id = 2; } message Page { int32 id ="
                                + " 3; } }")
                .register(topic.name() + "-value");
        Sql sql = new Sql();
        String table = "CREATE TABLE %s (id %s) WITH (%s, %s)";
        sql.run(
                String.format(
                        table,
                        "pages",
                        "INT",
                        topic.source(),
                        format("value", topic, "message-name' = 'shop.Body.Page")));
        sql.run(String.format(table, "heads", "BIGINT", topic.source(), format("value", topic)));
        sql.insert("INSERT INTO pages VALUES (7)");
        sql.insert("INSERT INTO heads VALUES (8)");

        assertThat(PythonClient.values(topic)).containsExactly("{\"id\": 7}", "{\"id\": \"8\"}");
        assertThat(sql.rows("SELECT * FROM pages")).containsExactly("+I[7]");
        assertThat(Registry.shared().versionCount(topic.name() + "-value")).isEqualTo(1);
    }
}
