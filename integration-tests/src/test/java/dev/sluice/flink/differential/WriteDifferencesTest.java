package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.flink.engine.Engine;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.FlinkRuntimeException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where Flink's own format and ours write differently on purpose: the list of decision 0011, each
 * with what both do.
 */
class WriteDifferencesTest {
    private static final FlinkFormat FLINK = DifferencesTest.FLINK;
    private static final String M2 = Messages.PROTO2.className();
    private static final String M3 = Messages.PROTO3.className();
    private static final RowType NUMBER = row(DataTypes.FIELD("i", DataTypes.INT()));

    private static RowType row(DataTypes.Field... columns) {
        return (RowType) DataTypes.ROW(columns).notNull().getLogicalType();
    }

    private static SerializationSchema<RowData> ours(
            FlinkFormat classes, Engine engine, RowType row, String className, String nullText)
            throws Exception {
        return new NativeFormat(classes.loader(), engine).openWriter(row, className, nullText);
    }

    private static String hex(byte[] record) {
        return HexFormat.of().formatHex(record);
    }

    static Stream<Arguments> unwritable() {
        StringData x = StringData.fromString("x");
        return Stream.of(
                arguments(
                        "odd2.Names",
                        row(DataTypes.FIELD("class", DataTypes.STRING())),
                        GenericRowData.of(x),
                        "0a0178"),
                arguments(
                        "odd2.Names",
                        row(DataTypes.FIELD("serialized_size", DataTypes.INT())),
                        GenericRowData.of(7),
                        "1007"),
                arguments(
                        "odd3.Names",
                        row(DataTypes.FIELD("class", DataTypes.STRING())),
                        GenericRowData.of(x),
                        "0a0178"),
                arguments(
                        "odd2.Counts",
                        row(
                                DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING())),
                                DataTypes.FIELD("tags_count", DataTypes.INT())),
                        GenericRowData.of(new GenericArrayData(new Object[] {x}), 5),
                        "0a01781005"),
                arguments(
                        "odd2.Twins",
                        row(
                                DataTypes.FIELD("foo_bar", DataTypes.INT()),
                                DataTypes.FIELD("fooBar", DataTypes.INT())),
                        GenericRowData.of(1, 2),
                        "08011002"),
                arguments(
                        "odd2.Groups",
                        row(
                                DataTypes.FIELD(
                                        "myres",
                                        DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT())))),
                        GenericRowData.of(GenericRowData.of(1)),
                        "0b08010c"),
                arguments(
                        "odd2.Widths",
                        row(DataTypes.FIELD("e", DataTypes.TINYINT())),
                        GenericRowData.of((byte) 1),
                        "0800"),
                arguments(
                        "odd2.Widths",
                        row(DataTypes.FIELD("e", DataTypes.SMALLINT())),
                        GenericRowData.of((short) 300),
                        "08ac02"),
                arguments("NoPackageX$Bare", NUMBER, GenericRowData.of(7), "0807"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("unwritable")
    void flinkCannotStartAndWeWrite(
            String className, RowType type, GenericRowData row, String expected) throws Exception {
        for (Engine engine : List.of(Engine.NATIVE, Engine.JAVA)) {
            assertThat(hex(ours(FLINK, engine, type, className, "").serialize(row)))
                    .isEqualTo(expected);
        }
        assertThatThrownBy(() -> FLINK.openWriter(type, className, ""))
                .isNotInstanceOf(ValidationException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void flinkFailsOnANullRowWhichIsADeletion(Engine engine) throws Exception {
        assertThatThrownBy(() -> Messages.flink().openWriter(NUMBER, M3, "").serialize(null))
                .isInstanceOf(FlinkRuntimeException.class);
        assertThat(ours(Messages.flink(), engine, NUMBER, M3, "").serialize(null)).isNull();
    }

    /** Flink fails on the first row. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aRequiredFieldWithoutColumnIsRefusedWhilePlanning(Engine engine) throws Exception {
        RowType type = row(DataTypes.FIELD("o", DataTypes.INT()));
        String className = Messages.REQUIRED.className();
        SerializationSchema<RowData> flinks = Messages.flink().openWriter(type, className, "");
        assertThatThrownBy(() -> flinks.serialize(GenericRowData.of(1)))
                .hasRootCauseMessage("Message missing required fields: r");
        assertThatThrownBy(() -> ours(Messages.flink(), engine, type, className, ""))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("no column sets diff2.Req2.r");
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aLineBreakOrAQuoteInTheNullTextBreaksFlinksCode(Engine engine) throws Exception {
        RowType type = row(DataTypes.FIELD("rs", DataTypes.ARRAY(DataTypes.STRING())));
        GenericRowData row = GenericRowData.of(new GenericArrayData(new Object[] {null}));
        for (String nullText : List.of("a\nb", "a\"b")) {
            assertThatThrownBy(() -> Messages.flink().openWriter(type, M2, nullText))
                    .isNotInstanceOf(ValidationException.class);
            assertThat(ours(Messages.flink(), engine, type, M2, nullText).serialize(row))
                    .isEqualTo(("r\3" + nullText).getBytes());
        }
    }

    /** Laid out, half a pair is {@code ?}, and so two keys become one; in Flink they differ. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void halvesOfSurrogatePairsAreOneKeyAlsoInRowsThatWereNeverLaidOut(Engine engine)
            throws Exception {
        RowType type =
                row(DataTypes.FIELD("ms", DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING())));
        List<StringData> halves =
                List.of(StringData.fromString("\ud800"), StringData.fromString("\udc00"));
        RowData row = GenericRowData.of(new RowPairs(halves, halves));
        RowData laidOut = new RowDataSerializer(type).toBinaryRow(row);
        String one = "aa01060a013f12013f";
        SerializationSchema<RowData> flink = Messages.flink().openWriter(type, M2, "");
        assertThat(hex(flink.serialize(row))).isEqualTo(one + one);
        assertThat(hex(flink.serialize(laidOut))).isEqualTo(one);
        SerializationSchema<RowData> ours = ours(Messages.flink(), engine, type, M2, "");
        assertThat(hex(ours.serialize(row))).isEqualTo(one);
        assertThat(hex(ours.serialize(laidOut))).isEqualTo(one);
    }
}
