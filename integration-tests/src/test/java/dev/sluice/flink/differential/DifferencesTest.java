package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.it.GeneratedJar;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where Flink's own format and ours differ on purpose: the list of decision 0011, each with what
 * both do. Where Flink cannot start, we read.
 */
class DifferencesTest {
    private static final String ODD2 =
            "syntax = 'proto2'; package odd2; option java_package = 'odd2'; option"
                + " java_multiple_files = true; message Names { optional string class = 1; optional"
                + " int32 serialized_size = 2; } message Counts { repeated string tags = 1;"
                + " optional int32 tags_count = 2; } message Twins { optional int32 foo_bar = 1;"
                + " optional int32 fooBar = 2; } message Groups { optional group MyRes = 1 {"
                + " optional int32 a = 1; } } message Widths { optional E e = 1; enum E { A = 0; B"
                + " = 300; } }";
    private static final String ODD3 =
            "syntax = 'proto3'; package odd3; option java_package = 'odd3'; option"
                    + " java_multiple_files = true; message Names { string class = 1; }";
    private static final String BARE = "syntax = 'proto3'; message Bare { int32 i = 1; }";

    static final FlinkFormat FLINK =
            new FlinkFormat(
                    GeneratedJar.of(
                            FlinkFormat.release(),
                            Map.of(
                                    "odd2.proto", ODD2,
                                    "odd3.proto", ODD3,
                                    "no.package-x.proto", BARE)));

    private static RowType row(DataTypes.Field... columns) {
        return (RowType) DataTypes.ROW(columns).notNull().getLogicalType();
    }

    private static String read(
            FlinkFormat classes, Engine engine, RowType row, String className, String record)
            throws Exception {
        DeserializationSchema<RowData> schema =
                new NativeFormat(classes.loader(), engine).open(row, className, false, false);
        return RowText.of(schema.deserialize(HexFormat.of().parseHex(record)), row);
    }

    static Stream<Arguments> unreadable() {
        DataTypes.Field i = DataTypes.FIELD("i", DataTypes.INT());
        return Stream.of(
                arguments(
                        "odd2.Names",
                        row(DataTypes.FIELD("class", DataTypes.STRING())),
                        "0a0178",
                        "+I(class='x')"),
                arguments(
                        "odd2.Names",
                        row(DataTypes.FIELD("serialized_size", DataTypes.INT())),
                        "1007",
                        "+I(serialized_size=7)"),
                arguments(
                        "odd2.Counts",
                        row(
                                DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING())),
                                DataTypes.FIELD("tags_count", DataTypes.INT())),
                        "0a01781005",
                        "+I(tags=['x'], tags_count=5)"),
                arguments(
                        "odd2.Twins",
                        row(
                                DataTypes.FIELD("foo_bar", DataTypes.INT()),
                                DataTypes.FIELD("fooBar", DataTypes.INT())),
                        "08011002",
                        "+I(foo_bar=1, fooBar=2)"),
                arguments(
                        "odd2.Groups",
                        row(
                                DataTypes.FIELD(
                                        "myres",
                                        DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT())))),
                        "0b08010c",
                        "+I(myres=+I(a=1))"),
                arguments(
                        "odd2.Widths",
                        row(DataTypes.FIELD("e", DataTypes.TINYINT())),
                        "08ac02",
                        "+I(e=44)"),
                arguments(
                        "odd2.Widths",
                        row(DataTypes.FIELD("e", DataTypes.SMALLINT())),
                        "08ac02",
                        "+I(e=300)"),
                arguments("NoPackageX$Bare", row(i), "0807", "+I(i=7)"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("unreadable")
    void flinkCannotStartAndWeRead(String className, RowType row, String record, String expected)
            throws Exception {
        assertThatThrownBy(() -> FLINK.open(row, className, false, false))
                .isNotInstanceOf(ValidationException.class);
        for (Engine engine : new Engine[] {Engine.NATIVE, Engine.JAVA}) {
            assertThat(read(FLINK, engine, row, className, record)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void flinkReadsAnEnumAsBigintButNobodyCanTakeTheValue(Engine engine) throws Exception {
        RowType row = row(DataTypes.FIELD("e", DataTypes.BIGINT()));
        RowData flinks =
                FLINK.open(row, "odd2.Widths", false, false)
                        .deserialize(HexFormat.of().parseHex("08ac02"));
        assertThatThrownBy(() -> flinks.getLong(0)).isInstanceOf(ClassCastException.class);
        assertThat(read(FLINK, engine, row, "odd2.Widths", "08ac02")).isEqualTo("+I(e=300)");
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void flinkTakesAProto3FieldNamedClassForTheJavaClass(Engine engine) throws Exception {
        RowType row = row(DataTypes.FIELD("class", DataTypes.STRING()));
        RowData flinks =
                FLINK.open(row, "odd3.Names", false, false)
                        .deserialize(HexFormat.of().parseHex("0a0178"));
        assertThat(flinks.getString(0)).hasToString("class odd3.Names");
        assertThat(read(FLINK, engine, row, "odd3.Names", "0a0178")).isEqualTo("+I(class='x')");
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void flinkCannotAskForPresenceThatAFieldDoesNotHave(Engine engine) throws Exception {
        RowType row =
                row(DataTypes.FIELD("small", DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT()))));
        assertThatThrownBy(
                        () -> Messages.flink().open(row, Messages.OUTER.className(), false, false))
                .isNotInstanceOf(ValidationException.class);
        assertThat(read(Messages.flink(), engine, row, Messages.OUTER.className(), "0a00"))
                .isEqualTo("+I(small=+I(a=0))");
    }

    @Test
    void flinkFailsOnANullRecordWhichIsNoRow() throws Exception {
        RowType row = row(DataTypes.FIELD("i", DataTypes.INT()));
        String className = Messages.PROTO3.className();
        assertThatThrownBy(
                        () -> Messages.flink().open(row, className, false, false).deserialize(null))
                .hasRootCauseInstanceOf(NullPointerException.class);
        assertThat(
                        new NativeFormat(Messages.flink().loader(), Engine.NATIVE)
                                .open(row, className, false, false)
                                .deserialize(null))
                .isNull();
    }

    @Test
    void aMissingClassIsAnotherExceptionWhilePlanning() {
        RowType row = row(DataTypes.FIELD("i", DataTypes.INT()));
        assertThatThrownBy(() -> FLINK.plan(row, "no.such.Message"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () ->
                                new NativeFormat(FLINK.loader(), Engine.NATIVE)
                                        .plan(row, "no.such.Message", false))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("message-class-name");
    }
}
