package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.format.RowSelection;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

class ProtoConfluentDecodingFormatTest {

    private static final Column ID = Column.physical("id", DataTypes.BIGINT());
    private static final Column OFFSET = Column.metadata("offset", DataTypes.BIGINT(), null, true);
    private static final String PREFIX = "value.proto-confluent.";
    private static final DynamicTableSource.Context CONTEXT = ScanRuntimeProviderContext.INSTANCE;
    private static final DataType ORDER =
            DataTypes.ROW(
                            DataTypes.FIELD("id", DataTypes.BIGINT()),
                            DataTypes.FIELD(
                                    "line",
                                    DataTypes.ROW(
                                            DataTypes.FIELD("sku", DataTypes.STRING().notNull()),
                                            DataTypes.FIELD("count", DataTypes.INT()))))
                    .notNull();

    @Test
    void onlyAddsRows() {
        assertThat(format().getChangelogMode()).isEqualTo(ChangelogMode.insertOnly());
        assertThat(format().supportsNestedProjection()).isTrue();
    }

    @Test
    void isAValue() {
        ProtoConfluentDecodingFormat format = format();
        assertThat(format()).isEqualTo(format).hasSameHashCodeAs(format);
        assertThat(format.copy()).isEqualTo(format).isNotSameAs(format);
        assertThat(format)
                .isNotEqualTo(format("url", "http://other:1"))
                .isNotEqualTo(format("unframed-records", "fail"))
                .isNotEqualTo(format("engine", "native"))
                .isNotEqualTo(format("row-format", "generic"))
                .isNotEqualTo(format("batch.max-bytes", "0"))
                .isNotEqualTo(format("properties.max.retries", "1"));
    }

    @Test
    void schemasOfEqualFormatsAreEqual() throws Exception {
        DeserializationSchema<RowData> schema = schema(format(), new int[][] {{0}});
        assertThat(schema(format(), new int[][] {{0}})).isEqualTo(schema).hasSameHashCodeAs(schema);
        assertThat(schema)
                .isNotEqualTo(schema(format(), new int[][] {{1}}))
                .isNotEqualTo(schema(format("row-format", "generic"), new int[][] {{0}}))
                .isNotEqualTo(schema(format("batch.max-bytes", "0"), new int[][] {{0}}))
                .isNotEqualTo(schema(format("url", "http://other:1"), new int[][] {{0}}));
        DeserializationSchema<RowData> shipped = InstantiationUtil.clone(schema);
        assertThat(shipped).isEqualTo(schema).hasSameHashCodeAs(schema);
    }

    @Test
    void secretsOfTheRegistryStayOutOfTheSchemasText() {
        DeserializationSchema<RowData> schema =
                schema(
                        format(
                                "url", "http://alice:s3cret1@registry:8081",
                                "bearer-auth.credentials-source", "STATIC_TOKEN",
                                "bearer-auth.token", "s3cret2"),
                        new int[][] {{0}});
        assertThat(schema.toString()).contains("registry:8081").doesNotContain("s3cret");
    }

    @Test
    void producedTypeFollowsTheProjection() {
        int[][] nested = {{1, 0}, {0}};
        assertThat(schema(format(), nested).getProducedType())
                .isEqualTo(
                        InternalTypeInfo.of(Projection.of(nested).project(ORDER).getLogicalType()));
        assertThat(schema(format(), new int[0][]).getProducedType())
                .isEqualTo(InternalTypeInfo.ofFields());
    }

    @ParameterizedTest
    @CsvSource({
        "auto, false, true",
        "auto, true, false",
        "binary, true, true",
        "generic, false, false"
    })
    void optionOverrulesWhatTheConnectorIsKnownToTake(
            String option, boolean withMetadata, boolean binary) {
        Map<String, String> options = FakeKafka.options(PREFIX + "row-format", option);
        ProtoConfluentDecodingFormat format =
                (ProtoConfluentDecodingFormat)
                        (withMetadata
                                ? FakeKafka.decoding(options, ID, OFFSET)
                                : FakeKafka.decoding(options, ID));
        int[][] all = Projection.all(ORDER).toNestedIndexes();
        RowSelection selection = RowSelection.of((RowType) ORDER.getLogicalType(), all);
        assertThat(schema(format, all).toString()).contains(selection.opener(binary).toString());
    }

    private static ProtoConfluentDecodingFormat format(String... options) {
        String[] prefixed = options.clone();
        for (int at = 0; at < options.length; at += 2) {
            prefixed[at] = PREFIX + options[at];
        }
        return (ProtoConfluentDecodingFormat) FakeKafka.decoding(FakeKafka.options(prefixed), ID);
    }

    private static DeserializationSchema<RowData> schema(
            ProtoConfluentDecodingFormat format, int[][] projections) {
        return format.createRuntimeDecoder(CONTEXT, ORDER, projections);
    }
}
