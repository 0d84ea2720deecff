package dev.sluice.flink.differential;

import static dev.sluice.flink.differential.WrittenRule.REFUSED;
import static dev.sluice.flink.differential.WrittenRule.array;
import static dev.sluice.flink.differential.WrittenRule.map;
import static dev.sluice.flink.differential.WrittenRule.row;
import static dev.sluice.flink.differential.WrittenRule.rule;
import static dev.sluice.flink.differential.WrittenRule.text;
import static dev.sluice.flink.differential.WrittenRule.written;

import static org.apache.flink.table.api.DataTypes.ARRAY;
import static org.apache.flink.table.api.DataTypes.BOOLEAN;
import static org.apache.flink.table.api.DataTypes.DOUBLE;
import static org.apache.flink.table.api.DataTypes.FIELD;
import static org.apache.flink.table.api.DataTypes.FLOAT;
import static org.apache.flink.table.api.DataTypes.INT;
import static org.apache.flink.table.api.DataTypes.MAP;
import static org.apache.flink.table.api.DataTypes.ROW;
import static org.apache.flink.table.api.DataTypes.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.stream.Stream;

/** Rows of arrays and maps, and the bytes that Flink's format and ours write. */
class WrittenCollectionsTest {
    private static final DataType SMALL = ROW(FIELD("a", INT()));
    private static final DataType NAMED = MAP(STRING(), ROW(FIELD("r", INT())));

    static Stream<Arguments> rules() {
        return WrittenRule.ofThisLine(collections());
    }

    static Stream<Arguments> collections() {
        DataType integers = ARRAY(INT());
        return Stream.of(
                rule(
                        "packed and not, proto2",
                        Messages.PROTO2,
                        ROW(FIELD("ri", integers), FIELD("rp", integers)),
                        row(array(1, 2), array(1, 2)),
                        "3001 3002 3a020102"),
                rule(
                        "packed and not, proto3",
                        Messages.PROTO3,
                        ROW(
                                FIELD("re", ARRAY(STRING())),
                                FIELD("ri", integers),
                                FIELD("ru", integers)),
                        row(array(text("ZERO"), text("TWO")), array(1, 2), array(1, 2)),
                        "22020002 32020102 3801 3802"),
                rule(
                        "editions",
                        Messages.EDITIONS,
                        ROW(
                                FIELD("a", INT()),
                                FIELD("implicit", INT()),
                                FIELD("packed", integers),
                                FIELD("expanded", integers)),
                        row(0, 0, array(1), array(1)),
                        "0800 320101 3801"),
                rule(
                        "empty ones",
                        Messages.PROTO2,
                        ROW(FIELD("rp", integers), FIELD("ms", MAP(STRING(), STRING()))),
                        row(array(), map()),
                        ""),
                rule(
                        "NaN keeps its bits in a row that was never laid out",
                        Messages.PROTO2,
                        ROW(FIELD("rfl", ARRAY(FLOAT()))),
                        row(array(Float.intBitsToFloat(0x7fc00001))),
                        "e502 0100c07f"),
                rule(
                        "NULL elements are defaults, that of an enum its first value",
                        Messages.PROTO2,
                        ROW(
                                FIELD("re", ARRAY(STRING())),
                                FIELD("ri", integers),
                                FIELD("rs", ARRAY(STRING())),
                                FIELD("small", ARRAY(SMALL))),
                        row(
                                array((Object) null),
                                array(null, 1),
                                array(null, text("x")),
                                array((Object) null)),
                        "2005 3000 3001 72 04 6e756c6c 720178 faffffff0f00"),
                rule(
                        "entries have both parts",
                        Messages.PROTO2,
                        ROW(
                                FIELD("me", MAP(STRING(), STRING())),
                                FIELD("mi", MAP(INT(), STRING())),
                                FIELD("ms", MAP(STRING(), STRING()))),
                        row(map(text(""), text("Z0")), map(0, text("")), map(text(""), text(""))),
                        "2a040a001000 7a0408001200 aa01040a001200"),
                rule(
                        "NULL in entries",
                        Messages.PROTO2,
                        ROW(
                                FIELD("mi", MAP(INT(), STRING())),
                                FIELD("mm", MAP(STRING(), SMALL)),
                                FIELD("mb", MAP(BOOLEAN(), DOUBLE()))),
                        row(map(null, null), map(text("k"), null), map(null, null)),
                        "4a050a016b1200 7a08080012046e756c6c fa020b0800110000000000000000"),
                rule(
                        "the order of a HashMap, of equal keys the last value",
                        Messages.PROTO3,
                        ROW(FIELD("mi", MAP(INT(), STRING()))),
                        row(
                                map(
                                        100, text("a"), 3, text("b"), 77, text("c"), -1, text("d"),
                                        null, text("e"), 3, text("f"), 0, text("g"))),
                        "9201 0e 08ffffffffffffffffff01 120164 9201 05 0800 120167 9201 05 0803"
                                + " 120166 9201 05 0864 120161 9201 05 084d 120163"),
                rule(
                        "a value that is replaced may not lack a required field",
                        Messages.REQUIRED,
                        ROW(FIELD("r", INT()), FIELD("by_name", NAMED)),
                        row(1, map(text("k"), row((Object) null), text("k"), row(2))),
                        REFUSED),
                rule(
                        "but may be NULL",
                        Messages.REQUIRED,
                        ROW(FIELD("r", INT()), FIELD("by_name", NAMED)),
                        row(1, map(text("k"), null, text("k"), row(2))),
                        "0801 22070a016b12020802"),
                rule(
                        "which one that is written may not",
                        Messages.REQUIRED,
                        ROW(FIELD("r", INT()), FIELD("by_name", NAMED)),
                        row(1, map(text("k"), row(2), text("k"), null)),
                        REFUSED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void rowIsWrittenAsFlinkWritesIt(
            String rule, Messages message, DataType columns, GenericRowData row, String record)
            throws Exception {
        assertThat(written(message, columns, row)).isEqualTo(record.replace(" ", ""));
    }
}
