package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Timestamp;

import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Request;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which schema a table writes, and as which message: each case against a registry. */
class ProtoConfluentWritingTest {
    private static final String PREFIX = "value.proto-confluent.";
    private static final String SUBJECT = "orders-value";
    private static final String TEXT =
            "syntax = \"proto3\"; package shop; message Head { int64 at = 1; }"
                    + " message Order { string name = 7; int64 id = 3; }";
    private static final Column ID = Column.physical("id", DataTypes.BIGINT());
    private static final Column NAME = Column.physical("name", DataTypes.STRING());

    private TestRegistry registry;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private SerializationSchema<RowData> planned(List<Column> columns, String... options) {
        Map<String, String> table = FakeKafka.options();
        table.put(PREFIX + "url", registry.url());
        table.put(PREFIX + "properties.retries.wait.ms", "1");
        table.put(PREFIX + "properties.retries.max.wait.ms", "1");
        for (int at = 0; at < options.length; at += 2) {
            table.put(PREFIX + options[at], options[at + 1]);
        }
        DataType row =
                DataTypes.ROW(
                        columns.stream()
                                .map(one -> DataTypes.FIELD(one.getName(), one.getDataType()))
                                .toArray(DataTypes.Field[]::new));
        return FakeKafka.encoding(table, columns.toArray(new Column[0]))
                .createRuntimeEncoder(null, row);
    }

    private SerializationSchema<RowData> opened(String... options) throws Exception {
        SerializationSchema<RowData> schema = planned(List.of(ID, NAME), options);
        schema.open(new NoSink());
        return schema;
    }

    private static RowData row() {
        return GenericRowData.of(5L, StringData.fromString("x"));
    }

    /** The record of (5, 'x') as hexadecimal digits: indexes and message, and its schema id. */
    private static String written(SerializationSchema<RowData> schema, int id) {
        byte[] record = schema.serialize(row());
        assertThat(record[0]).isZero();
        assertThat(ByteBuffer.wrap(record).getInt(1)).isEqualTo(id);
        return HexFormat.of().formatHex(Arrays.copyOfRange(record, 5, record.length));
    }

    private Stream<Request> registrations() {
        return registry.requests().stream()
                .filter(request -> request.target().contains("/versions?normalize"));
    }

    @Test
    void theLatestSchemaOfTheSubjectIsWrittenAndNoneIsAdded() throws Exception {
        int id = registry.register(SUBJECT, Submission.protobuf(TEXT));

        assertThat(written(opened("message-name", "shop.Order"), id))
                .isEqualTo("0202" + "1805" + "3a0178");
        assertThat(registrations()).isEmpty();
    }

    @Test
    void withoutANameTheFirstMessageIsWritten() {
        registry.register(SUBJECT, Submission.protobuf(TEXT));

        assertThatThrownBy(() -> planned(List.of(ID, NAME)))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("shop.Head has no field id to write");
    }

    @Test
    void aSubjectWithoutSchemaIsRefusedByName() {
        assertThatThrownBy(() -> planned(List.of(ID)))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'" + SUBJECT + "'")
                .hasMessageContaining("auto-register-schemas");
    }

    @Test
    void theDerivedSchemaIsRegisteredOnceAndFoundAgain() throws Exception {
        SerializationSchema<RowData> first = opened("auto-register-schemas", "true");
        String body = registrations().findFirst().orElseThrow().body();
        int id = ByteBuffer.wrap(first.serialize(row())).getInt(1);

        assertThat(body)
                .contains("package io.confluent.protobuf.generated;")
                .contains("optional int64 id = 1;");
        assertThat(written(first, id)).isEqualTo("00" + "0805" + "120178");
        assertThat(written(opened("auto-register-schemas", "true"), id)).startsWith("00");
        assertThat(written(opened(), id)).startsWith("00");
        assertThat(written(opened("normalize-schemas", "false"), id)).startsWith("00");
    }

    @Test
    void planningRegistersNothing() {
        planned(List.of(ID, NAME), "auto-register-schemas", "true");

        assertThat(registry.requests()).isEmpty();
    }

    @Test
    void commentsAndNullabilityOfColumnsAreRegistered() throws Exception {
        Column id = Column.physical("id", DataTypes.BIGINT().notNull()).withComment("a number");
        planned(List.of(id, NAME), "auto-register-schemas", "true").open(new NoSink());

        assertThat(registrations().findFirst().orElseThrow().body())
                .contains("  int64 id = 1 [(confluent.field_meta) = {\\n    doc: \\\"a number\\\"");
    }

    @Test
    void anIdPinsTheSchemaAlsoUnderAutoRegistration() throws Exception {
        int id = registry.register(SUBJECT, Submission.protobuf(TEXT));
        registry.register(SUBJECT, Submission.protobuf("message Other {}"));
        String[] pinned = {
            "use-schema-id", String.valueOf(id),
            "message-name", "shop.Order",
            "auto-register-schemas", "true"
        };

        assertThat(written(opened(pinned), id)).isEqualTo("0202" + "1805" + "3a0178");
        assertThat(registrations()).isEmpty();
    }

    @Test
    void aGuidNamesTheSchemaAndTheSubjectItsId() throws Exception {
        Submission schema = Submission.protobuf(TEXT);
        int id = registry.register(SUBJECT, schema);
        registry.register(SUBJECT, Submission.protobuf("message Other {}"));

        assertThat(
                        written(
                                opened(
                                        "properties.use.schema.guid",
                                        schema.guid().toString(),
                                        "message-name",
                                        "shop.Order"),
                                id))
                .startsWith("0202");
    }

    @Test
    void aTextIsLookedUpOrRegistered() throws Exception {
        String[] text = {"schema", TEXT, "message-name", "shop.Order"};
        assertThatThrownBy(() -> opened(text))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("does not hold the schema of option 'schema'");

        int id = registry.register(SUBJECT, Submission.protobuf(TEXT));

        assertThat(written(opened(text), id)).startsWith("0202");
    }

    @Test
    void theFileOfAMessageClassIsRegistered() throws Exception {
        Column seconds = Column.physical("seconds", DataTypes.BIGINT());
        SerializationSchema<RowData> schema =
                planned(
                        List.of(seconds),
                        "message-class",
                        Timestamp.class.getName(),
                        "auto-register-schemas",
                        "true");
        schema.open(new NoSink());

        assertThat(registrations().findFirst().orElseThrow().body())
                .contains("package google.protobuf;")
                .contains("int64 seconds = 1;");
        assertThat(schema.serialize(GenericRowData.of(5L))).endsWith(0, 8, 5);
    }

    @Test
    void twoSchemasForOneTableAreRefusedByName() {
        for (List<String> pair :
                List.of(
                        List.of("use-schema-id", "7", "schema", TEXT),
                        List.of("use-schema-id", "7", "message-class", Timestamp.class.getName()),
                        List.of("schema", TEXT, "message-class", Timestamp.class.getName()))) {
            assertThatThrownBy(() -> planned(List.of(ID), pair.toArray(new String[0])))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("'" + pair.get(0) + "' and '" + pair.get(2) + "'");
        }
    }

    @Test
    void aRecordStrategyNamesTheSubjectAfterTheMessage() throws Exception {
        String strategy = "io.confluent.kafka.serializers.subject.TopicRecordNameStrategy";
        opened(
                "auto-register-schemas",
                "true",
                "properties.value.subject.name.strategy",
                strategy,
                "message-name",
                "shop.v2.Order");

        assertThat(registrations().findFirst().orElseThrow().target())
                .startsWith("/subjects/orders-shop.v2.Order/versions");
    }

    @Test
    void aStrategyOfTheUsersNamesTheSubject() throws Exception {
        opened(
                "auto-register-schemas",
                "true",
                "properties.value.subject.name.strategy",
                Shouting.class.getName());

        assertThat(registrations().findFirst().orElseThrow().target())
                .startsWith("/subjects/ORDERS/versions");
    }

    /** A subject for each topic, in capitals. */
    public static final class Shouting implements SubjectNameStrategy {
        @Override
        public String subject(String topic, boolean isKey, String messageName) {
            return topic.toUpperCase(java.util.Locale.ROOT);
        }
    }

    @Test
    void theRegistrysReasonReachesTheUser() throws Exception {
        SerializationSchema<RowData> schema =
                planned(List.of(ID, NAME), "auto-register-schemas", "true");
        registry.failAlways(
                Fault.body(
                        409,
                        "{\"error_code\":409,\"message\":\"Schema is incompatible: {oldSchema:"
                                + " 'x'}\"}"));

        assertThatThrownBy(() -> schema.open(new NoSink()))
                .hasMessageContaining("Schema is incompatible: {oldSchema: 'x'}");
    }

    @Test
    void aRegistryThatIsDownLeavesTheCheckToTheTask() throws Exception {
        registry.failAlways(Fault.error(503, 50003));
        SerializationSchema<RowData> schema = planned(List.of(ID, NAME));

        assertThatThrownBy(() -> schema.open(new NoSink())).hasMessageContaining("HTTP 503");
        assertThatThrownBy(() -> planned(List.of(ID), "validate-at-planning", "true"))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void rulesToRunOnWriteAreRefused() {
        Map<String, Object> rule = Map.of("name", "encrypt", "mode", "WRITE", "kind", "TRANSFORM");
        registry.register(
                SUBJECT,
                Submission.protobuf(TEXT).withRuleSet(Map.of("domainRules", List.of(rule))));

        assertThatThrownBy(() -> planned(List.of(ID), "message-name", "shop.Order"))
                .hasMessageContaining("encrypt");
    }

    @Test
    void aNullRowIsADeletion() throws Exception {
        registry.register(SUBJECT, Submission.protobuf(TEXT));

        assertThat(opened("message-name", "shop.Order").serialize(null)).isNull();
    }

    /** Where a schema is opened outside a job. */
    private static final class NoSink implements SerializationSchema.InitializationContext {
        @Override
        public MetricGroup getMetricGroup() {
            return null;
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return null;
        }
    }
}
