package dev.sluice.flink.datastream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** Records as a source hands them over and as a sink sends them, without either. */
class RecordSchemasTest {
    private static final String VALUE_HEADER = "__value_schema_id";
    private static final Submission SCHEMA =
            Submission.protobuf(
                    "syntax = \"proto3\"; package shop; message Key { int64 id = 1; }"
                            + " message Order { int64 id = 1; string note = 2; }");
    private static final String GUID = SCHEMA.guid().toString().replace("-", "");
    private static final DataType KEY = DataTypes.ROW(DataTypes.FIELD("id", DataTypes.BIGINT()));
    private static final DataType VALUE =
            DataTypes.ROW(
                    DataTypes.FIELD("id", DataTypes.BIGINT()),
                    DataTypes.FIELD("note", DataTypes.STRING()));
    private static final String MESSAGE = "0805" + "120178"; // (5, 'x')

    private TestRegistry registry;
    private int id;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        registry.register("orders-key", SCHEMA);
        id = registry.register("orders-value", SCHEMA);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private Map<String, String> options(String message, String... more) {
        Map<String, String> options = new HashMap<>();
        options.put("url", registry.url());
        options.put("topic", "orders");
        options.put("message-name", message);
        for (int at = 0; at < more.length; at += 2) {
            options.put(more[at], more[at + 1]);
        }
        return options;
    }

    /** A copy, as a task gets it, opened. */
    private static ProtobufRecordDeserializationSchema opened(
            ProtobufRecordDeserializationSchema.Builder reader) throws Exception {
        ProtobufRecordDeserializationSchema copy = InstantiationUtil.clone(reader.build());
        copy.open(new Task());
        return copy;
    }

    private static ProtobufRecordSerializationSchema opened(
            ProtobufRecordSerializationSchema.Builder writer) throws Exception {
        ProtobufRecordSerializationSchema copy = InstantiationUtil.clone(writer.build());
        copy.open(new Task(), null);
        return copy;
    }

    private ProtobufRecordDeserializationSchema.Builder values(String... more) {
        return ProtobufRecordDeserializationSchema.builder()
                .value(VALUE, options("shop.Order", more));
    }

    private ProtobufRecordDeserializationSchema.Builder keysAndValues() {
        return values().key(KEY, options("shop.Key"));
    }

    private ProtobufRecordSerializationSchema.Builder writer(String... more) {
        return ProtobufRecordSerializationSchema.builder()
                .topic("orders")
                .value(VALUE, options("shop.Order", more));
    }

    private static byte[] bytes(String hex) {
        return hex == null ? null : HexFormat.of().parseHex(hex);
    }

    private static ConsumerRecord<byte[], byte[]> record(String key, String value) {
        return new ConsumerRecord<>("orders", 0, 7, bytes(key), bytes(value));
    }

    private static ConsumerRecord<byte[], byte[]> withHeader(String header, String value) {
        ConsumerRecord<byte[], byte[]> record = record(null, value);
        record.headers().add(VALUE_HEADER, bytes(header));
        return record;
    }

    private static List<String> rows(
            ProtobufRecordDeserializationSchema reader, ConsumerRecord<byte[], byte[]> record)
            throws IOException {
        List<String> rows = new ArrayList<>();
        reader.deserialize(
                record,
                new Collector<RowData>() {
                    @Override
                    public void collect(RowData row) {
                        rows.add(text(reader, row));
                    }

                    @Override
                    public void close() {}
                });
        return rows;
    }

    private static String text(ProtobufRecordDeserializationSchema reader, RowData row) {
        List<Object> values = new ArrayList<>();
        InternalTypeInfo<RowData> type = (InternalTypeInfo<RowData>) reader.getProducedType();
        for (int at = 0; at < row.getArity(); at++) {
            values.add(
                    RowData.createFieldGetter(type.toRowType().getTypeAt(at), at)
                            .getFieldOrNull(row));
        }
        return row.getRowKind().shortString() + values;
    }

    @Test
    void theHeaderCountsThenThePayloadThenTheLatestSchema() throws Exception {
        ProtobufRecordDeserializationSchema reader = opened(values());

        assertThat(rows(reader, withHeader("01" + GUID + "0202", MESSAGE)))
                .containsExactly("+I[5, x]");
        assertThat(rows(reader, withHeader(String.format("00%08x0202", id), MESSAGE)))
                .containsExactly("+I[5, x]");
        assertThat(rows(reader, record(null, String.format("00%08x0202", id) + MESSAGE)))
                .containsExactly("+I[5, x]");
        assertThat(rows(reader, record(null, MESSAGE))).containsExactly("+I[5, x]");
    }

    @Test
    void theLastHeaderCountsAndWhatStandsBehindIsNotLookedAt() throws Exception {
        ConsumerRecord<byte[], byte[]> record = withHeader("01" + GUID + "00", MESSAGE);
        record.headers().add(VALUE_HEADER, bytes("01" + GUID + "0202" + "ffff"));
        record.headers().add("__key_schema_id", bytes("ff"));

        assertThat(rows(opened(values()), record)).containsExactly("+I[5, x]");
    }

    @Test
    void aHeaderWithoutValueIsNone() throws Exception {
        ConsumerRecord<byte[], byte[]> record = withHeader("ff", MESSAGE);
        record.headers().add(VALUE_HEADER, null);

        assertThat(rows(opened(values()), record)).containsExactly("+I[5, x]");
    }

    /** Not even where the payload has a frame, or would complete the header. */
    @Test
    void aBrokenHeaderIsAnErrorWithoutFallBack() throws Exception {
        ProtobufRecordDeserializationSchema reader = opened(values());
        for (String broken : List.of("", "02", "01" + GUID, "00000000")) {
            RecordException refused =
                    catchThrowableOfType(
                            RecordException.class,
                            () ->
                                    rows(
                                            reader,
                                            withHeader(
                                                    broken,
                                                    String.format("%08x0202", id) + MESSAGE)));
            assertThat(refused.code()).isEqualTo(FailureCode.BAD_FRAME);
            assertThat(refused).hasMessageContaining(VALUE_HEADER);
        }
        assertThat(rows(opened(values("on-deserialize-error", "skip")), withHeader("02", MESSAGE)))
                .isEmpty();
    }

    @Test
    void offsetsCountFromTheStartOfThePayload() throws Exception {
        ProtobufRecordDeserializationSchema reader = opened(values());
        RecordException refused =
                catchThrowableOfType(
                        RecordException.class,
                        () -> rows(reader, withHeader("01" + GUID + "0202", "0805" + "1203")));

        assertThat(refused.code()).isEqualTo(FailureCode.TRUNCATED);
        assertThat(refused.byteOffset()).hasValue(2);
        assertThat(refused).hasMessageContaining("schema GUID " + SCHEMA.guid());
    }

    @Test
    void aNullValueIsADeletionOfItsKey() throws Exception {
        ProtobufRecordDeserializationSchema reader = opened(keysAndValues());
        ConsumerRecord<byte[], byte[]> record = record("0807", null);
        record.headers().add("__key_schema_id", bytes("01" + GUID + "00"));

        assertThat(rows(reader, record)).containsExactly("-D[7, null, null]");
        assertThat(rows(reader, record("0807", MESSAGE))).containsExactly("+I[7, 5, x]");
        assertThat(rows(reader, record(null, MESSAGE))).isEmpty();
        assertThat(rows(opened(values()), record("0807", null))).isEmpty();
    }

    @Test
    void theProducedTypeNamesKeyColumnsApart() {
        InternalTypeInfo<RowData> type =
                (InternalTypeInfo<RowData>) keysAndValues().build().getProducedType();

        assertThat(type.toRowType().getFieldNames()).containsExactly("key_id", "id", "note");
    }

    private static GenericRowData row(RowKind kind) {
        GenericRowData row = GenericRowData.of(7L, 5L, StringData.fromString("x"));
        row.setRowKind(kind);
        return row;
    }

    private static String text(ProducerRecord<byte[], byte[]> record) {
        StringBuilder text = new StringBuilder();
        for (byte[] part : Arrays.asList(record.key(), record.value())) {
            text.append(part == null ? "null" : HexFormat.of().formatHex(part)).append(' ');
        }
        record.headers()
                .forEach(
                        header ->
                                text.append(header.key())
                                        .append('=')
                                        .append(HexFormat.of().formatHex(header.value()))
                                        .append(' '));
        return text.toString().trim();
    }

    @Test
    void headersNameTheSchemasOfKeyAndValue() throws Exception {
        ProtobufRecordSerializationSchema writer =
                opened(
                        writer("id-encoding", "header")
                                .key(KEY, options("shop.Key", "id-encoding", "header")));
        String key = "0807";
        String keyHeader = "__key_schema_id=01" + GUID + "00";
        String valueHeader = "__value_schema_id=01" + GUID + "0202";

        for (RowKind kind : List.of(RowKind.INSERT, RowKind.UPDATE_AFTER)) {
            assertThat(text(writer.serialize(row(kind), null, 9L)))
                    .isEqualTo(String.join(" ", key, MESSAGE, keyHeader, valueHeader));
        }
        for (RowKind kind : List.of(RowKind.DELETE, RowKind.UPDATE_BEFORE)) {
            assertThat(text(writer.serialize(row(kind), null, 9L)))
                    .isEqualTo(String.join(" ", key, "null", keyHeader));
        }
    }

    @Test
    void framesStandInFrontOfTheMessageByDefault() throws Exception {
        RowData row = GenericRowData.of(5L, StringData.fromString("x"));
        ProducerRecord<byte[], byte[]> record = opened(writer()).serialize(row, null, 9L);

        assertThat(text(record)).isEqualTo("null " + String.format("00%08x0202", id) + MESSAGE);
        assertThat(record.topic()).isEqualTo("orders");
        assertThat(record.timestamp()).isEqualTo(9);
        assertThat(opened(writer()).serialize(row, null, Long.MIN_VALUE).timestamp()).isNull();
        assertThat(opened(writer()).serialize(row, null, null).timestamp()).isNull();
    }

    @Test
    void aDeletionWithoutKeyIsRefused() throws Exception {
        GenericRowData row = GenericRowData.of(5L, StringData.fromString("x"));
        row.setRowKind(RowKind.DELETE);
        ProtobufRecordSerializationSchema writer = opened(writer());

        assertThatThrownBy(() -> writer.serialize(row, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("DELETE");
    }

    @Test
    void whatATableWouldRefuseIsRefused() {
        assertThatThrownBy(() -> values("no-such", "x").build())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("no-such");
        assertThatThrownBy(() -> writer("message-name", "shop.Key").build())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("note");
        assertThatThrownBy(
                        () ->
                                ProtobufRecordDeserializationSchema.builder()
                                        .value(DataTypes.BIGINT(), options("shop.Order"))
                                        .build())
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("ROW");
    }

    private static final class Task
            implements DeserializationSchema.InitializationContext,
                    SerializationSchema.InitializationContext {
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
