package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;

/** Bare records of a generated class that only the client has, through SQL. */
class ProtobufNativeITCase {
    private static final String PROTO3 =
            "syntax = 'proto3'; package shop; option java_package = 'shop.gen3';"
                    + " option java_multiple_files = true;"
                    + " message Order { int64 id = 1; optional string note = 2; Line line = 3;"
                    + " repeated Line lines = 4; map<string, int32> counts = 5;"
                    + " enum Status { NEW = 0; SENT = 1; } Status status = 6;"
                    + " message Line { string sku = 1; int32 quantity = 2; } }";
    private static final String PROTO2 =
            "syntax = 'proto2'; package shop; option java_package = 'shop.gen2';"
                    + " message Old { optional int32 id = 1 [default = 7]; optional string note ="
                    + " 2; optional group Part = 3 { optional string sku = 4; }"
                    + " optional Old next = 5; }";
    private static final String ORDER = "shop.gen3.Order";
    private static final String OLD = "shop.gen2.OldOuterClass$Old";
    private static final String OLD_COLUMNS =
            "id INT, note STRING, part ROW<sku STRING>, `next` ROW<id INT, `next` ROW<id INT>>";

    private static Path jar;
    private static ClassLoader client;
    private static ProtoFile order;
    private static ProtoFile old;

    @BeforeAll
    static void generate() throws Exception {
        jar =
                GeneratedJar.of(
                        ProtobufRelease.current(),
                        Map.of("order.proto", PROTO3, "old.proto", PROTO2));
        client =
                new URLClassLoader(
                        new URL[] {jar.toUri().toURL()},
                        ProtobufNativeITCase.class.getClassLoader());
        order = ProtoFile.of("order.proto", PROTO3);
        old = ProtoFile.of("old.proto", PROTO2);
    }

    private static void createTable(
            Sql sql, Topic topic, String columns, String className, String... options) {
        StringBuilder more = new StringBuilder();
        for (String option : options) {
            more.append(", 'value.protobuf-native.").append(option);
        }
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'protobuf-native',"
                                + " 'value.protobuf-native.message-class-name' = '%s',"
                                + " 'value.protobuf-native.engine' = 'native'%s)",
                        columns, topic.source(), className, more));
    }

    @Test
    void tasksNeedNoGeneratedClass() throws Exception {
        Topic topic = Topic.create("bare");
        topic.send(
                order.bytes(
                        "Order",
                        "id: 1 note: 'x' line { sku: 'tea' quantity: 2 } lines { sku: 'cup' }"
                                + " counts { key: 'a' value: 3 } status: SENT"),
                new byte[0]);
        Sql sql = new Sql(client);
        sql.function("loads", LoadsClass.class);
        createTable(
                sql,
                topic,
                "status STRING, id BIGINT, note STRING, line ROW<quantity INT, sku STRING>,"
                        + " lines ARRAY<ROW<sku STRING>>, counts MAP<STRING, INT>",
                ORDER);

        assertThat(sql.rows("SELECT loads('" + ORDER + "'), t.* FROM t"))
                .containsExactly(
                        "+I[false, SENT, 1, x, +I[2, tea], [+I[cup]], {a=3}]",
                        "+I[false, NEW, 0, , null, null, null]");
    }

    @Test
    void theClassMayComeByAddJar() throws Exception {
        Topic topic = Topic.create("bare");
        topic.send(order.bytes("Order", "id: 1"));
        Sql sql = new Sql();
        sql.run("ADD JAR '" + jar + "'");
        createTable(sql, topic, "id BIGINT", ORDER);

        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[1]");
    }

    /** Flink's own format cannot be given a protobuf-java beside its own. */
    @Test
    void theClassMayBringItsOwnProtobufJava() throws Exception {
        ProtobufRelease release = ProtobufRelease.ofFlink1(); // 3.21.7
        Path classes = GeneratedJar.of(release, Map.of("order.proto", PROTO3));
        Topic topic = Topic.create("bare");
        topic.send(order.bytes("Order", "id: 1 status: SENT"));
        Sql sql = new Sql();
        sql.run("ADD JAR '" + classes + "'");
        for (Path jar : release.runtime()) {
            if (jar.getFileName().toString().startsWith("protobuf-java")) {
                sql.run("ADD JAR '" + jar + "'");
            }
        }
        createTable(sql, topic, "id BIGINT, status STRING", ORDER);

        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[1, SENT]");
    }

    @Test
    void aColumnThatDoesNotFitIsNamedWhilePlanning() {
        Sql sql = new Sql(client);
        createTable(sql, Topic.create("bare"), "id STRING", ORDER);

        assertThatThrownBy(() -> sql.rows("SELECT * FROM t"))
                .hasStackTraceContaining(
                        "ValidationException: The columns do not fit the message: [type-mismatch"
                                + " 401] VARCHAR cannot hold field id, which is int64");
    }

    @Test
    void aClassThatNobodyHasIsNamedWhilePlanning() {
        Sql sql = new Sql();
        createTable(sql, Topic.create("bare"), "id BIGINT", ORDER);

        assertThatThrownBy(() -> sql.rows("SELECT * FROM t"))
                .hasStackTraceContaining(
                        "ValidationException: Option 'message-class-name': " + ORDER);
    }

    @Test
    void proto2DefaultsAreReadByNativeCode() throws Exception {
        Topic topic = Topic.create("bare");
        topic.send(new byte[0], old.bytes("Old", "id: 0 next { }"));
        Sql sql = new Sql(client);
        createTable(sql, topic, OLD_COLUMNS, OLD, "read-default-values' = 'true'");
        long before = CountReporter.total("nativeRecords");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[7, , +I[], +I[7, +I[7]]]", "+I[0, , +I[], +I[7, +I[7]]]");
        assertThat(CountReporter.total("nativeRecords") - before).isEqualTo(2);
    }

    @Test
    void badRecordsAreSkippedByNativeCodeAndCounted() throws Exception {
        Topic topic = Topic.create("bare");
        topic.send(
                old.bytes("Old", "id: 1"),
                new byte[] {8},
                old.bytes("Old", "id: 2"),
                new byte[] {0, 0, 0, 0, 7, 0, 8, 1}, // framed
                null,
                old.bytes("Old", "id: 3"));
        Sql sql = new Sql(client);
        createTable(sql, topic, "id INT", OLD, "ignore-parse-errors' = 'true'");
        long read = CountReporter.total("nativeRecords");
        long skipped = CountReporter.total("skippedRecords");

        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[1]", "+I[2]", "+I[3]");
        assertThat(CountReporter.total("nativeRecords") - read).isEqualTo(3);
        assertThat(CountReporter.total("skippedRecords") - skipped).isEqualTo(2);
    }

    @Test
    void aBadRecordFailsTheJobUnlessItMayBeSkipped() {
        Topic topic = Topic.create("bare");
        topic.send(new byte[] {8});
        Sql sql = new Sql(client);
        createTable(sql, topic, "id INT", OLD);

        assertThatThrownBy(() -> sql.rows("SELECT * FROM t"))
                .hasStackTraceContaining("[truncated 101]")
                .hasStackTraceContaining("message shop.Old");
    }

    @Test
    void groupAndRecursionAreReadByNativeCode() throws Exception {
        Topic topic = Topic.create("bare");
        topic.send(
                old.bytes("Old", "id: 1 Part { sku: 'tea' }"),
                old.bytes("Old", "id: 2 next { id: 3 next { id: 4 next { id: 5 } } }"));
        Sql sql = new Sql(client);
        createTable(sql, topic, OLD_COLUMNS, OLD);
        long before = CountReporter.total("nativeRecords");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[1, null, +I[tea], null]", "+I[2, null, null, +I[3, +I[4]]]");
        assertThat(CountReporter.total("nativeRecords") - before).isEqualTo(2);
    }

    @Test
    void groupAndRecursionOfFramedRecordsAreReadByNativeCode() throws Exception {
        Topic topic = Topic.create("framed");
        ProtoFile file = ProtoFile.of("old.proto", PROTO2).register(topic.name() + "-value");
        topic.send(
                file.record("Old", "id: 1 Part { sku: 'tea' }"),
                file.record("Old", "id: 2 next { id: 3 next { id: 4 next { id: 5 } } }"));
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s',"
                                + " 'value.proto-confluent.engine' = 'native')",
                        OLD_COLUMNS, topic.source(), Registry.shared().url(), topic.name()));
        long before = CountReporter.total("nativeRecords");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[1, null, +I[tea], null]", "+I[2, null, null, +I[3, +I[4]]]");
        assertThat(CountReporter.total("nativeRecords") - before).isEqualTo(2);
    }
}
