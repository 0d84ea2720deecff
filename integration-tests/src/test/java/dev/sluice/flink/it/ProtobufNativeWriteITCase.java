package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.it.server.CountReporter;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Rows written as bare records of a generated class that only the client has, and read back by
 * Flink's own format, which needs the class and its protobuf-java on the cluster, and by ours.
 */
class ProtobufNativeWriteITCase {
    private static final String PROTO3 =
            "syntax = 'proto3'; package shop; option java_package = 'shop.write3';"
                    + " option java_multiple_files = true;"
                    + " message Order { int64 id = 1; optional string note = 2; Line line = 3;"
                    + " repeated Line lines = 4; map<string, int32> counts = 5;"
                    + " enum Status { NEW = 0; SENT = 1; } Status status = 6;"
                    + " oneof pay { string iban = 7; uint32 cash = 8; } repeated double rates = 9;"
                    + " bytes payload = 10;"
                    + " message Line { string sku = 1; int32 quantity = 2; } }";
    private static final String PROTO2 =
            "syntax = 'proto2'; package shop; option java_package = 'shop.write2';"
                    + " message Old { required int32 id = 1; optional string note = 2;"
                    + " optional group Part = 3 { optional string sku = 4; }"
                    + " optional Old next = 5; repeated string tags = 6; }";
    private static final String ORDER = "shop.write3.Order";
    private static final String OLD = "shop.write2.OldOuterClass$Old";
    private static final String ORDER_COLUMNS =
            "status STRING, id BIGINT, note STRING, line ROW<quantity INT, sku STRING>,"
                    + " lines ARRAY<ROW<sku STRING>>, counts MAP<STRING, INT>, cash INT,"
                    + " iban STRING, rates ARRAY<DOUBLE>, payload BYTES";
    private static final String ORDERS =
            "('SENT', 1, 'x', ROW(2, 'tea'), ARRAY[ROW('cup'), ROW('')], MAP['a', 3], 5,"
                    + " CAST(NULL AS STRING), ARRAY[1e0, -0.5e0], x'00ff'),"
                    + " ('none', -1, '', CAST(NULL AS ROW<quantity INT, sku STRING>),"
                    + " CAST(NULL AS ARRAY<ROW<sku STRING>>), CAST(NULL AS MAP<STRING, INT>), 6,"
                    + " 'DE02', CAST(NULL AS ARRAY<DOUBLE>), CAST(NULL AS BYTES))";
    private static final String[] READ = {
        "+I[SENT, 1, x, +I[2, tea], [+I[cup], +I[]], {a=3}, 5, , [1.0, -0.5], [0, -1]]",
        "+I[NEW, -1, , null, null, null, 0, DE02, null, []]"
    };
    private static final String OLD_COLUMNS =
            "id INT, note STRING, part ROW<sku STRING>, `next` ROW<id INT, `next` ROW<id INT>>,"
                    + " tags ARRAY<STRING>";

    private static Path jar;
    private static ClassLoader client;

    @BeforeAll
    static void generate() throws Exception {
        jar =
                GeneratedJar.of(
                        ProtobufRelease.ofThisLine(),
                        Map.of("order.proto", PROTO3, "old.proto", PROTO2));
        client =
                new URLClassLoader(
                        new URL[] {jar.toUri().toURL()},
                        ProtobufNativeWriteITCase.class.getClassLoader());
    }

    private static String table(
            String name, Topic topic, String columns, String className, String... options) {
        StringBuilder more = new StringBuilder();
        for (String option : options) {
            more.append(", 'value.protobuf-native.").append(option);
        }
        return String.format(
                "CREATE TABLE %s (%s) WITH (%s, 'value.format' = 'protobuf-native',"
                        + " 'value.protobuf-native.message-class-name' = '%s'%s)",
                name, columns, topic.source(), className, more);
    }

    /** What Flink's own format reads: planned by the thread's class loader, run from jars. */
    private static List<String> readByFlink(Topic topic, String columns, String className)
            throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (FlinkProtobuf flink = new FlinkProtobuf(jar)) {
            thread.setContextClassLoader(flink);
            String jars =
                    Arrays.stream(flink.getURLs())
                            .map(URL::toString)
                            .collect(Collectors.joining(";"));
            Sql sql = new Sql(flink).set("pipeline.jars", jars);
            sql.run(
                    String.format(
                            "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'protobuf',"
                                    + " 'value.protobuf.message-class-name' = '%s')",
                            columns, topic.source(), className));
            return sql.rows("SELECT * FROM t");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static List<String> records(Topic topic) throws Exception {
        Sql sql = new Sql();
        sql.run("CREATE TABLE t (record BYTES) WITH (" + topic.source() + ", 'format' = 'raw')");
        return sql.rows("SELECT * FROM t");
    }

    @Test
    void tasksWriteWithoutTheGeneratedClass() throws Exception {
        Topic topic = Topic.create("written");
        Sql sql = new Sql(client);
        sql.function("loads", LoadsClass.class);
        sql.run(table("t", topic, ORDER_COLUMNS, ORDER, "engine' = 'native'"));
        long before = CountReporter.total("nativeRecordsWritten");

        sql.insert("INSERT INTO t VALUES " + ORDERS);
        sql.insert(
                "INSERT INTO t (id, note) SELECT id, CAST(loads('"
                        + ORDER
                        + "') AS STRING) FROM (VALUES (CAST(3 AS BIGINT))) AS v(id)");

        assertThat(CountReporter.total("nativeRecordsWritten") - before).isEqualTo(3);
        String third = "+I[NEW, 3, FALSE, null, null, null, 0, , null, []]";
        assertThat(sql.rows("SELECT * FROM t")).containsExactlyInAnyOrder(READ[0], READ[1], third);
        assertThat(readByFlink(topic, ORDER_COLUMNS, ORDER))
                .containsExactlyInAnyOrder(READ[0], READ[1], third);
    }

    @Test
    void bothEnginesWriteTheSameRecords() throws Exception {
        Topic natively = Topic.create("written");
        Topic inJava = Topic.create("written");
        Sql sql = new Sql(client);
        sql.run(table("n", natively, ORDER_COLUMNS, ORDER, "engine' = 'native'"));
        sql.run(table("j", inJava, ORDER_COLUMNS, ORDER, "engine' = 'java'"));
        long before = CountReporter.total("javaRecordsWritten");

        sql.insert("INSERT INTO n VALUES " + ORDERS);
        sql.insert("INSERT INTO j VALUES " + ORDERS);

        assertThat(CountReporter.total("javaRecordsWritten") - before).isEqualTo(2);
        assertThat(records(inJava))
                .hasSize(2)
                .containsExactlyInAnyOrderElementsOf(records(natively));
    }

    @Test
    void groupRecursionAndNullsInArraysAreWrittenNatively() throws Exception {
        Topic topic = Topic.create("written");
        Sql sql = new Sql(client);
        String nullText = "write-null-string-literal' = 'n\\u00fcll'";
        sql.run(table("t", topic, OLD_COLUMNS, OLD, "engine' = 'native'", nullText));
        long before = CountReporter.total("nativeRecordsWritten");

        sql.insert(
                "INSERT INTO t VALUES (1, 'x', ROW('tea'), ROW(2, ROW(3)),"
                        + " ARRAY['a', CAST(NULL AS STRING)])");

        assertThat(CountReporter.total("nativeRecordsWritten") - before).isEqualTo(1);
        String row = "+I[1, x, +I[tea], +I[2, +I[3]], [a, n\u00fcll]]";
        assertThat(sql.rows("SELECT * FROM t")).containsExactly(row);
        assertThat(readByFlink(topic, OLD_COLUMNS, OLD)).containsExactly(row);
    }

    @Test
    void aColumnWithoutAFieldIsNamedWhilePlanning() {
        Sql sql = new Sql(client);
        sql.run(table("t", Topic.create("written"), "id BIGINT, nope INT", ORDER));

        assertThatThrownBy(() -> sql.insert("INSERT INTO t VALUES (1, 2)"))
                .hasStackTraceContaining("ValidationException")
                .hasStackTraceContaining("shop.Order has no field nope to write");
    }

    @Test
    void aRequiredFieldWithoutColumnIsNamedWhilePlanning() {
        Sql sql = new Sql(client);
        sql.run(table("t", Topic.create("written"), "note STRING", OLD));

        assertThatThrownBy(() -> sql.insert("INSERT INTO t VALUES ('x')"))
                .hasStackTraceContaining("ValidationException")
                .hasStackTraceContaining("no column sets shop.Old.id, which is required");
    }

    @Test
    void aRowThatCannotBeWrittenFailsTheJobByFieldPath() {
        Sql sql = new Sql(client);
        sql.run(table("t", Topic.create("written"), OLD_COLUMNS, OLD));
        long before = CountReporter.total("numSerializeErrors");

        assertThatThrownBy(
                        () ->
                                sql.insert(
                                        "INSERT INTO t SELECT 1, 'x', ROW('tea'),"
                                                + " ROW(2, ROW(CAST(NULL AS INT))),"
                                                + " CAST(NULL AS ARRAY<STRING>)"))
                .hasStackTraceContaining("[missing-required")
                .hasStackTraceContaining("field next.next.id");
        assertThat(CountReporter.total("numSerializeErrors") - before).isEqualTo(1);
    }
}
