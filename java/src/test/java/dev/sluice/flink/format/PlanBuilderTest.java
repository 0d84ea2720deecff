package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.UnframedRecords;

import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.NullType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.ZonedTimestampType;
import org.apache.flink.table.types.utils.TypeConversions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

class PlanBuilderTest {

    static Stream<Arguments> types() {
        return Stream.of(
                Arguments.of(DataTypes.CHAR(3), type(SqlKind.CHAR).setLength(3)),
                Arguments.of(DataTypes.VARCHAR(3), type(SqlKind.VARCHAR).setLength(3)),
                Arguments.of(
                        DataTypes.STRING(), type(SqlKind.VARCHAR).setLength(Integer.MAX_VALUE)),
                Arguments.of(DataTypes.BINARY(3), type(SqlKind.BINARY).setLength(3)),
                Arguments.of(
                        DataTypes.BYTES(), type(SqlKind.VARBINARY).setLength(Integer.MAX_VALUE)),
                Arguments.of(DataTypes.BOOLEAN(), type(SqlKind.BOOLEAN)),
                Arguments.of(DataTypes.TINYINT(), type(SqlKind.TINYINT)),
                Arguments.of(DataTypes.SMALLINT(), type(SqlKind.SMALLINT)),
                Arguments.of(DataTypes.INT(), type(SqlKind.INTEGER)),
                Arguments.of(DataTypes.BIGINT(), type(SqlKind.BIGINT)),
                Arguments.of(DataTypes.BIGINT().notNull(), notNull(SqlKind.BIGINT)),
                Arguments.of(DataTypes.FLOAT(), type(SqlKind.FLOAT)),
                Arguments.of(DataTypes.DOUBLE(), type(SqlKind.DOUBLE)),
                Arguments.of(DataTypes.DATE(), type(SqlKind.DATE)),
                Arguments.of(
                        DataTypes.DECIMAL(20, 4),
                        type(SqlKind.DECIMAL).setPrecision(20).setScale(4)),
                Arguments.of(DataTypes.TIME(3), type(SqlKind.TIME).setPrecision(3)),
                Arguments.of(DataTypes.TIMESTAMP(9), type(SqlKind.TIMESTAMP).setPrecision(9)),
                Arguments.of(
                        DataTypes.TIMESTAMP_LTZ(0), type(SqlKind.TIMESTAMP_LTZ).setPrecision(0)),
                Arguments.of(
                        DataTypes.ARRAY(DataTypes.INT().notNull()).notNull(),
                        notNull(SqlKind.ARRAY).setElement(notNull(SqlKind.INTEGER))),
                Arguments.of(
                        DataTypes.MULTISET(DataTypes.INT()),
                        type(SqlKind.MULTISET).setElement(type(SqlKind.INTEGER))),
                Arguments.of(
                        DataTypes.MAP(DataTypes.INT(), DataTypes.DATE()),
                        type(SqlKind.MAP)
                                .setKey(type(SqlKind.INTEGER))
                                .setValue(type(SqlKind.DATE))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("types")
    void columnKeepsItsType(DataType type, SqlType.Builder expected) throws Exception {
        SqlType row = Plan.parseFrom(plan(DataTypes.FIELD("a", type))).getRow();
        assertThat(row.getKind()).isEqualTo(SqlKind.ROW);
        assertThat(row.getColumns(0).getName()).isEqualTo("a");
        assertThat(row.getColumns(0).getType()).isEqualTo(expected.build());
    }

    static Stream<Arguments> impossible() {
        DataType zoned = TypeConversions.fromLogicalToDataType(new ZonedTimestampType(3));
        DataType nothing = TypeConversions.fromLogicalToDataType(new NullType());
        DataType months = DataTypes.INTERVAL(DataTypes.MONTH());
        DataType seconds = DataTypes.INTERVAL(DataTypes.SECOND(3));
        DataType structured =
                DataTypes.STRUCTURED(Object.class, DataTypes.FIELD("x", DataTypes.INT()));
        DataType raw = DataTypes.RAW(Void.class, VoidSerializer.INSTANCE);
        return Stream.of(
                Arguments.of(months, "'a' of type INTERVAL MONTH"),
                Arguments.of(seconds, "'a' of type INTERVAL SECOND(3)"),
                Arguments.of(zoned, "'a' of type TIMESTAMP(3) WITH TIME ZONE"),
                Arguments.of(nothing, "'a' of type NULL"),
                Arguments.of(structured, "java.lang.Object"),
                Arguments.of(raw, "'a' of type RAW("),
                Arguments.of(DataTypes.ARRAY(months), "'a[]' of type INTERVAL"),
                Arguments.of(DataTypes.MULTISET(months), "'a[]' of type INTERVAL"),
                Arguments.of(DataTypes.MAP(months, DataTypes.INT()), "'a.key' of type INTERVAL"),
                Arguments.of(
                        DataTypes.MAP(
                                DataTypes.INT(),
                                DataTypes.ARRAY(DataTypes.ROW(DataTypes.FIELD("b", months)))),
                        "'a.value[].b' of type INTERVAL"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("impossible")
    void columnThatNoFieldCanHoldIsRefused(DataType type, String named) {
        assertThatThrownBy(() -> plan(DataTypes.FIELD("a", type)))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining(named);
    }

    @Test
    void equalSettingsGiveEqualBytes() {
        assertThat(plan(DataTypes.FIELD("a", DataTypes.INT())))
                .isEqualTo(plan(DataTypes.FIELD("a", DataTypes.INT())))
                .isNotEqualTo(plan(DataTypes.FIELD("a", DataTypes.INT().notNull())));
    }

    @Test
    void planSaysByWhichRulesToRead() throws Exception {
        RowType row = RowType.of();
        Plan confluent =
                Plan.parseFrom(
                        new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY)
                                .unframedRecords(UnframedRecords.LATEST)
                                .build());
        assertThat(confluent.getVersion()).isEqualTo(1);
        assertThat(confluent.getBody()).isEqualTo(Body.PROTOBUF);
        assertThat(confluent.getProfile()).isEqualTo(Profile.CONFLUENT);
        assertThat(confluent.getFraming()).isEqualTo(Framing.REGISTRY);
        assertThat(confluent.getReader().getUnframedRecords()).isEqualTo(UnframedRecords.LATEST);
        assertThat(confluent.getMessage().getWriterSchema()).isTrue();
        assertThat(confluent.getLimits().getDepthMax()).isEqualTo(100);
        assertThat(confluent.getLimits().getRecordBytesMax()).isGreaterThan(1L << 30);
        assertThat(confluent.getLimits().getBatchBytesMax()).isGreaterThan(1L << 30);

        Plan flink =
                Plan.parseFrom(
                        new PlanBuilder(row, Profile.FLINK, Framing.BARE)
                                .readDefaults(false, true)
                                .messageName("shop.Order")
                                .build());
        assertThat(flink.getProfile()).isEqualTo(Profile.FLINK);
        assertThat(flink.getFraming()).isEqualTo(Framing.BARE);
        assertThat(flink.getReader().getReadDefaults()).isFalse();
        assertThat(flink.getReader().getReadSimpleDefaults()).isTrue();
        assertThat(flink.getMessage().getName()).isEqualTo("shop.Order");
    }

    private static byte[] plan(DataTypes.Field... columns) {
        RowType row = (RowType) DataTypes.ROW(columns).notNull().getLogicalType();
        return new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY).build();
    }

    private static SqlType.Builder type(SqlKind kind) {
        return notNull(kind).setNullable(true);
    }

    private static SqlType.Builder notNull(SqlKind kind) {
        return SqlType.newBuilder().setKind(kind);
    }
}
