package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.it.server.Registry;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Sink tables that name their schemas in headers, read by Confluent's own client. Of the two
 * registries, ours tells GUIDs and finds schemas by them; the real one does neither.
 */
class WriteHeadersITCase {
    private static final String INTERCEPTOR =
            "'properties.interceptor.classes' = '" + Topic.INTERCEPTOR + "'";
    private static final Submission ORDERS =
            Submission.protobuf(
                    "syntax = \"proto3\"; package shop; message Head { int64 at = 1; }"
                            + " message Order { int64 id = 1; string note = 2; }"
                            + " message OrderKey { int64 id = 1; }");
    private static final String ORDER = "message-name' = 'shop.Order";
    private static final String ORDER_KEY = "message-name' = 'shop.OrderKey";
    private static final String KEY_HEADER = "__key_schema_id=" + header("0204");
    private static final String VALUE_HEADER = "__value_schema_id=" + header("0202");

    private static TestRegistry registry;

    @BeforeAll
    static void start() throws Exception {
        registry = TestRegistry.start();
    }

    @AfterAll
    static void stop() {
        registry.close();
    }

    /** GUID, then the indexes. */
    private static String header(String indexes) {
        return "01" + ORDERS.guid().toString().replace("-", "") + indexes;
    }

    private static Topic topic(String purpose) {
        Topic topic = Topic.create(purpose);
        registry.register(topic.name() + "-key", ORDERS);
        registry.register(topic.name() + "-value", ORDERS);
        return topic;
    }

    private static String format(String role, Topic topic, String url, String... options) {
        String prefix = role + ".proto-confluent.";
        StringBuilder text = new StringBuilder();
        text.append(String.format("'%s.format' = 'proto-confluent'", role));
        text.append(String.format(", '%sid-encoding' = 'header'", prefix));
        text.append(String.format(", '%surl' = '%s'", prefix, url));
        text.append(String.format(", '%stopic' = '%s'", prefix, topic.name()));
        text.append(String.format(", '%sis_key' = '%s'", prefix, role.equals("key")));
        for (String option : options) {
            text.append(String.format(", '%s%s'", prefix, option));
        }
        return text.toString();
    }

    private static String keyed(Topic topic) {
        return String.format(
                "%s, %s, %s",
                INTERCEPTOR,
                format("key", topic, registry.url(), ORDER_KEY),
                format("value", topic, registry.url(), ORDER));
    }

    private static List<List<String>> headers(Topic topic) {
        return topic.records().stream()
                .map(WriteHeadersITCase::headers)
                .collect(Collectors.toList());
    }

    private static List<String> headers(ConsumerRecord<byte[], byte[]> record) {
        List<String> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(header.key() + "=" + HexFormat.of().formatHex(header.value()));
        }
        return headers;
    }

    private static String json(int id) {
        return String.format("{\"id\": \"%d\"} {\"id\": \"%d\", \"note\": \"n\"}", id, id);
    }

    @Test
    void keyAndValueNameTheirSchemasByGuid() throws Exception {
        Topic topic = topic("headers");
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (id BIGINT, note STRING) WITH (%s, 'key.fields' = 'id',"
                                + " %s)",
                        topic.sourceWith(""), keyed(topic)));
        sql.insert("INSERT INTO t VALUES (1, 'n'), (2, 'n'), (0, CAST(NULL AS STRING))");

        assertThat(headers(topic)).hasSize(3).containsOnly(List.of(KEY_HEADER, VALUE_HEADER));
        assertThat(topic.values().get(0)).containsExactly(8, 1, 18, 1, 'n');
        assertThat(PythonClient.keysAndValues(topic, registry.url()))
                .containsExactly(json(1), json(2), "{} {}");
        // The table's own consumer has the interceptor as well.
        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[1, n]", "+I[2, n]", "+I[0, ]");
    }

    @Test
    void aRowThatBringsItsHeaderAlongHasItOnce() throws Exception {
        Topic topic = topic("header-metadata");
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (id BIGINT, note STRING, headers MAP<STRING, BYTES>"
                                + " METADATA) WITH (%s, 'key.fields' = 'id', %s)",
                        topic.sourceWith(""), keyed(topic)));
        String row = "(1, 'n', MAP['__value_schema_id', x'%s'])";
        sql.insert(
                "INSERT INTO t VALUES "
                        + String.format(row, header("0202"))
                        + ", "
                        + String.format(row, "ff"));

        assertThat(headers(topic))
                .containsExactlyInAnyOrder(
                        List.of(VALUE_HEADER, KEY_HEADER),
                        List.of("__value_schema_id=ff", KEY_HEADER, VALUE_HEADER));
        // The last one counts.
        assertThat(sql.rows("SELECT id, note FROM t")).containsExactly("+I[1, n]", "+I[1, n]");
    }

    @Test
    void aRegistryWithoutGuidsIsNamedItsIds() throws Exception {
        Topic topic = Topic.create("header-ids");
        String url = Registry.shared().url();
        String registers = "auto-register-schemas' = 'true";
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (id BIGINT, note STRING) WITH (%s, 'key.fields' = 'id', %s,"
                                + " %s, %s)",
                        topic.sourceWith(""),
                        INTERCEPTOR,
                        format("key", topic, url, registers),
                        format("value", topic, url, registers)));
        sql.insert("INSERT INTO t VALUES (1, 'n'), (2, 'n')");

        String form = "__%s_schema_id=00%08x00";
        assertThat(headers(topic))
                .hasSize(2)
                .containsOnly(
                        List.of(
                                String.format(
                                        form,
                                        "key",
                                        Registry.shared().latestId(topic.name() + "-key")),
                                String.format(
                                        form,
                                        "value",
                                        Registry.shared().latestId(topic.name() + "-value"))));
        assertThat(PythonClient.keysAndValues(topic)).containsExactly(json(1), json(2));
    }

    @Test
    void aDeletionOfAnUpsertTableHasTheHeaderOfItsKeyOnly() throws Exception {
        Orders orders = Orders.create();
        orders.topic.send(
                List.of(
                        orders.topic.record(
                                orders.key(1), orders.first.record("Order", "id: 1 note: 'n'")),
                        orders.topic.record(orders.key(1), null),
                        orders.topic.record(
                                orders.key(2), orders.first.record("Order", "id: 2 note: 'n'"))));
        Topic topic = topic("header-upserts");
        Sql sql = new Sql();
        String columns = "(id BIGINT, note STRING, PRIMARY KEY (id) NOT ENFORCED)";
        sql.run(
                String.format(
                        "CREATE TABLE latest %s WITH (%s, %s, %s, 'key.proto-confluent.is_key' ="
                                + " 'true')",
                        columns,
                        orders.topic.upsertSource(),
                        orders.format("key."),
                        orders.format("value.")));
        sql.run(
                String.format(
                        "CREATE TABLE sink %s WITH (%s, %s)",
                        columns, topic.upsertSourceWith(""), keyed(topic)));
        sql.insert("INSERT INTO sink SELECT * FROM latest");

        assertThat(headers(topic))
                .containsExactly(
                        List.of(KEY_HEADER, VALUE_HEADER),
                        List.of(KEY_HEADER),
                        List.of(KEY_HEADER, VALUE_HEADER));
        assertThat(PythonClient.keysAndValues(topic, registry.url()))
                .containsExactly(json(1), "{\"id\": \"1\"} null", json(2));
    }

    @Test
    void headersOfConfluentsClientAreRead() throws Exception {
        Topic topic = Topic.create("header-python");
        PythonClient.produceHeaders(topic, registry.url(), 3);
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (k_id BIGINT, id BIGINT, note STRING) WITH (%s, %s,"
                                + " 'key.fields' = 'k_id', 'key.fields-prefix' = 'k_',"
                                + " 'value.fields-include' = 'EXCEPT_KEY', %s, %s)",
                        topic.sourceWith(""),
                        INTERCEPTOR,
                        format("key", topic, registry.url()),
                        format("value", topic, registry.url())));

        assertThat(headers(topic)).hasSize(3).allMatch(headers -> headers.size() == 2);
        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[1, 1, n]", "+I[2, 2, n]", "+I[3, 3, n]");
    }

    private static void numbers(Sql sql, int perSecond) {
        sql.run(
                String.format(
                        "CREATE TABLE numbers (id BIGINT) WITH ('connector' = 'datagen',"
                                + " 'number-of-rows' = '50', 'rows-per-second' = '%d',"
                                + " 'fields.id.kind' = 'sequence', 'fields.id.start' = '1',"
                                + " 'fields.id.end' = '50')",
                        perSecond));
    }

    private static List<String> fifty() {
        List<String> rows = new ArrayList<>();
        for (int id = 1; id <= 50; id++) {
            rows.add(json(id));
        }
        return rows;
    }

    @Test
    void everyProducerOfATransactionalSinkPutsHeaders() throws Exception {
        Topic topic = topic("header-transactions");
        Sql sql = new Sql().set("execution.checkpointing.interval", "200ms");
        sql.run(
                String.format(
                        "CREATE TABLE sink (id BIGINT, note STRING) WITH (%s, 'key.fields' = 'id',"
                                + " %s, 'sink.delivery-guarantee' = 'exactly-once',"
                                + " 'sink.transactional-id-prefix' = '%s',"
                                + " 'properties.transaction.timeout.ms' = '60000')",
                        topic.sourceWith(""), keyed(topic), topic.name()));
        numbers(sql, 10);
        sql.insert("INSERT INTO sink SELECT id, 'n' FROM numbers");

        assertThat(topic.count()).as("with the marks of several transactions").isGreaterThan(51);
        assertThat(headers(topic)).hasSize(50).containsOnly(List.of(KEY_HEADER, VALUE_HEADER));
        assertThat(PythonClient.keysAndValues(topic, registry.url()))
                .containsExactlyElementsOf(fifty());
    }

    /** Both sinks are chained to the one source. The third names its schema in the payload. */
    @Test
    void sinksOfOneTaskHaveTheirOwnHeaders() throws Exception {
        Topic first = topic("header-first");
        Topic second = topic("header-second");
        Topic framed = topic("header-none");
        Sql sql = new Sql();
        String table =
                "CREATE TABLE %s (id BIGINT, note STRING) WITH (%s, 'key.fields' = 'id', %s)";
        sql.run(String.format(table, "a", first.sourceWith(""), keyed(first)));
        sql.run(
                String.format(
                        table,
                        "b",
                        second.sourceWith(""),
                        String.format(
                                "%s, %s, %s",
                                INTERCEPTOR,
                                "'key.format' = 'json'",
                                format("value", second, registry.url(), ORDER))));
        sql.run(
                String.format(
                        table,
                        "c",
                        framed.sourceWith(""),
                        keyed(framed).replace("'header'", "'prefix'")));
        numbers(sql, 50);
        sql.insert(
                "EXECUTE STATEMENT SET BEGIN INSERT INTO a SELECT id, 'n' FROM numbers; INSERT INTO"
                        + " b SELECT id, 'n' FROM numbers; INSERT INTO c SELECT id, 'n' FROM"
                        + " numbers; END");

        assertThat(headers(first)).hasSize(50).containsOnly(List.of(KEY_HEADER, VALUE_HEADER));
        assertThat(headers(second)).hasSize(50).containsOnly(List.of(VALUE_HEADER));
        assertThat(headers(framed)).hasSize(50).containsOnly(List.of());
        assertThat(PythonClient.keysAndValues(first, registry.url()))
                .containsExactlyElementsOf(fifty());
        assertThat(PythonClient.keysAndValues(framed, registry.url()))
                .containsExactlyElementsOf(fifty());
    }

    @Test
    void withoutTheInterceptorNothingIsWritten() throws Exception {
        Topic topic = topic("header-refused");
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (id BIGINT, note STRING) WITH (%s, %s)",
                        topic.sourceWith(""), format("value", topic, registry.url(), ORDER)));

        assertThatThrownBy(() -> sql.insert("INSERT INTO t VALUES (1, 'n')"))
                .hasStackTraceContaining("'properties.interceptor.classes' = '");
        // A table that is read has no use for it.
        assertThat(sql.rows("SELECT * FROM t")).isEmpty();
    }
}
