package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Timestamp;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext;
import org.apache.flink.table.types.DataType;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/** Messages are those that protobuf-java itself is made of: it has classes of all syntaxes. */
class ProtobufNativeDecodingFormatTest {

    private static final String TIMESTAMP = "com.google.protobuf.Timestamp";
    private static final String FIELD = "com.google.protobuf.DescriptorProtos$FieldDescriptorProto";
    private static final Column OFFSET = Column.metadata("offset", DataTypes.BIGINT(), null, true);
    private static final DataType INSTANT =
            DataTypes.ROW(
                            DataTypes.FIELD("nanos", DataTypes.INT()),
                            DataTypes.FIELD("seconds", DataTypes.BIGINT()))
                    .notNull();

    @Test
    void isAValue() {
        ProtobufNativeDecodingFormat format = format(TIMESTAMP);
        assertThat(format(TIMESTAMP)).isEqualTo(format).hasSameHashCodeAs(format);
        assertThat(format.copy()).isEqualTo(format).isNotSameAs(format);
        assertThat(format)
                .isNotEqualTo(format("com.google.protobuf.Duration"))
                .isNotEqualTo(format(TIMESTAMP, "read-default-values", "true"))
                .isNotEqualTo(format(TIMESTAMP, "ignore-parse-errors", "true"))
                .isNotEqualTo(format(TIMESTAMP, "engine", "native"));
        assertThat(format)
                .hasToString(
                        "protobuf-native(message-class-name=com.google.protobuf.Timestamp,"
                                + " engine=auto, rows=generic, read-default-values=false,"
                                + " ignore-parse-errors=false)");
    }

    @Test
    void schemasOfEqualFormatsAreEqual() throws Exception {
        DeserializationSchema<RowData> schema = schema(format(TIMESTAMP), INSTANT);
        assertThat(schema(format(TIMESTAMP), INSTANT)).isEqualTo(schema).hasSameHashCodeAs(schema);
        assertThat(schema)
                .isNotEqualTo(schema(format(TIMESTAMP, "read-default-values", "true"), INSTANT))
                .isNotEqualTo(schema(format(TIMESTAMP, "ignore-parse-errors", "true"), INSTANT));
        assertThat(InstantiationUtil.clone(schema)).isEqualTo(schema).hasSameHashCodeAs(schema);
    }

    @Test
    void readsBareRecordsOfAProto3Class() throws Exception {
        DeserializationSchema<RowData> schema = opened(format(TIMESTAMP), INSTANT);
        byte[] record = Timestamp.newBuilder().setSeconds(7).build().toByteArray();
        assertThat(schema.deserialize(record)).isEqualTo(GenericRowData.of(0, 7L));
        assertThat(schema.deserialize(new byte[0])).isEqualTo(GenericRowData.of(0, 0L));
        assertThat(schema.deserialize(null)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"false, , ", "true, 0, ''"})
    void readsAbsentFieldsOfAProto2ClassAsTheOptionSays(
            boolean defaults, Integer number, String name) throws Exception {
        DataType row =
                DataTypes.ROW(
                                DataTypes.FIELD("number", DataTypes.INT()),
                                DataTypes.FIELD("name", DataTypes.STRING()),
                                DataTypes.FIELD("type", DataTypes.STRING()))
                        .notNull();
        String option = Boolean.toString(defaults);
        byte[] record =
                FieldDescriptorProto.newBuilder()
                        .setType(FieldDescriptorProto.Type.TYPE_BOOL)
                        .build()
                        .toByteArray();
        DeserializationSchema<RowData> schema =
                opened(format(FIELD, "read-default-values", option), row);
        assertThat(schema.deserialize(record))
                .isEqualTo(
                        GenericRowData.of(
                                number,
                                StringData.fromString(name),
                                StringData.fromString("TYPE_BOOL")));
    }

    static Stream<Arguments> misfits() {
        return Stream.of(
                arguments("number", DataTypes.BIGINT(), "number", "BIGINT", "int32"),
                arguments("number", DataTypes.STRING(), "number", "VARCHAR", "int32"),
                arguments("name", DataTypes.BYTES(), "name", "VARBINARY", "string"),
                arguments("type", DataTypes.BOOLEAN(), "type", "BOOLEAN", "enum"),
                arguments(
                        "options",
                        DataTypes.STRING(),
                        "options",
                        "VARCHAR",
                        "google.protobuf.FieldOptions"),
                arguments(
                        "options",
                        DataTypes.ROW(DataTypes.FIELD("packed", DataTypes.INT())),
                        "options.packed",
                        "INTEGER",
                        "bool"),
                arguments("absent", DataTypes.INT(), "has no field absent", "", ""),
                arguments("jsonName", DataTypes.STRING(), "has no field jsonName", "", ""));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("misfits")
    void aColumnThatDoesNotFitIsRefusedWhilePlanning(
            String name, DataType type, String path, String sql, String kind) {
        DataType row = DataTypes.ROW(DataTypes.FIELD(name, type)).notNull();
        assertThatThrownBy(() -> schema(format(FIELD), row))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(path)
                .hasMessageContaining(sql)
                .hasMessageContaining(kind);
    }

    @Test
    void columnsThatNoQueryAsksForAreNotChecked() {
        DataType row =
                DataTypes.ROW(
                                DataTypes.FIELD("number", DataTypes.INT()),
                                DataTypes.FIELD("name", DataTypes.INT()))
                        .notNull();
        assertThat(
                        format(FIELD)
                                .createRuntimeDecoder(
                                        ScanRuntimeProviderContext.INSTANCE,
                                        row,
                                        new int[][] {{0}}))
                .isNotNull();
    }

    private static ProtobufNativeDecodingFormat format(String messageClass, String... options) {
        return (ProtobufNativeDecodingFormat)
                FakeKafka.decoding(FakeKafka.nativeOptions(messageClass, options), OFFSET);
    }

    private static DeserializationSchema<RowData> schema(
            ProtobufNativeDecodingFormat format, DataType row) {
        return format.createRuntimeDecoder(
                ScanRuntimeProviderContext.INSTANCE, row, Projection.all(row).toNestedIndexes());
    }

    private static DeserializationSchema<RowData> opened(
            ProtobufNativeDecodingFormat format, DataType row) throws Exception {
        DeserializationSchema<RowData> schema = InstantiationUtil.clone(schema(format, row));
        schema.open(
                new DeserializationSchema.InitializationContext() {
                    @Override
                    public UnregisteredMetricsGroup getMetricGroup() {
                        return new UnregisteredMetricsGroup();
                    }

                    @Override
                    public UserCodeClassLoader getUserCodeClassLoader() {
                        return null;
                    }
                });
        return schema;
    }
}
