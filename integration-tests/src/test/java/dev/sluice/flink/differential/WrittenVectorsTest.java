package dev.sluice.flink.differential;

import static dev.sluice.flink.differential.WrittenRule.REFUSED;
import static dev.sluice.flink.differential.WrittenRule.row;
import static dev.sluice.flink.differential.WrittenRule.rule;
import static dev.sluice.flink.differential.WrittenRule.text;
import static dev.sluice.flink.differential.WrittenRule.written;

import static org.apache.flink.table.api.DataTypes.BIGINT;
import static org.apache.flink.table.api.DataTypes.BOOLEAN;
import static org.apache.flink.table.api.DataTypes.BYTES;
import static org.apache.flink.table.api.DataTypes.DOUBLE;
import static org.apache.flink.table.api.DataTypes.FIELD;
import static org.apache.flink.table.api.DataTypes.FLOAT;
import static org.apache.flink.table.api.DataTypes.INT;
import static org.apache.flink.table.api.DataTypes.ROW;
import static org.apache.flink.table.api.DataTypes.STRING;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HexFormat;
import java.util.stream.Stream;

/** Rows of single values, rows and oneofs, and the bytes that Flink's format and ours write. */
class WrittenVectorsTest {
    private static final DataType SMALL = ROW(FIELD("a", INT()));
    private static final DataType INNER2 = ROW(FIELD("a", INT()), FIELD("r", INT()));

    static Stream<Arguments> rules() {
        return WrittenRule.ofThisLine(Stream.concat(singleValues(), oneofs()));
    }

    static Stream<Arguments> singleValues() {
        return Stream.of(
                rule(
                        "negative zero is no default",
                        Messages.PROTO3,
                        ROW(FIELD("fl", FLOAT()), FIELD("db", DOUBLE())),
                        row(-0.0f, -0.0),
                        "7d 00000080 8101 0000000000000080"),
                rule(
                        "zero is",
                        Messages.PROTO3,
                        ROW(FIELD("fl", FLOAT()), FIELD("db", DOUBLE())),
                        row(0f, 0.0),
                        ""),
                rule(
                        "NaN keeps its bits",
                        Messages.PROTO3,
                        ROW(FIELD("fl", FLOAT())),
                        row(Float.intBitsToFloat(0x7fc00001)),
                        "7d 0100c07f"),
                rule(
                        "defaults without presence are omitted",
                        Messages.PROTO3,
                        ROW(
                                FIELD("i", INT()),
                                FIELD("s", STRING()),
                                FIELD("e", STRING()),
                                FIELD("by", BYTES()),
                                FIELD("b", BOOLEAN())),
                        row(0, text(""), text("ZERO"), new byte[0], false),
                        ""),
                rule(
                        "defaults with presence are not",
                        Messages.PROTO3,
                        ROW(FIELD("oi", INT()), FIELD("oe", STRING())),
                        row(0, text("ZERO")),
                        "5000 b80100"),
                rule(
                        "nor those of proto2",
                        Messages.PROTO2,
                        ROW(
                                FIELD("i", INT()),
                                FIELD("s", STRING()),
                                FIELD("b", BOOLEAN()),
                                FIELD("fl", FLOAT()),
                                FIELD("by", BYTES())),
                        row(0, text(""), false, 0f, new byte[0]),
                        "0800 1200 6800 9d0100000000 b20100"),
                rule(
                        "a declared default is written",
                        Messages.PROTO2,
                        ROW(FIELD("di", INT()), FIELD("de", STRING())),
                        row(7, text("C2")),
                        "c80107 e00102"),
                rule(
                        "a row of NULLs is an empty message",
                        Messages.PROTO3,
                        ROW(FIELD("inner", SMALL)),
                        row(row((Object) null)),
                        "4200"),
                rule(
                        "no row but NULLs",
                        Messages.PROTO3,
                        ROW(FIELD("i", INT())),
                        row((Object) null),
                        ""),
                rule(
                        "half a surrogate pair",
                        Messages.PROTO3,
                        ROW(FIELD("s", STRING())),
                        row(text("a\ud800b")),
                        "1203 613f62"),
                rule(
                        "bytes that are no text",
                        Messages.PROTO3,
                        ROW(FIELD("s", STRING())),
                        row(StringData.fromBytes(HexFormat.of().parseHex("eda080"))),
                        "1203 efbfbd"),
                rule(
                        "fields go out by number",
                        Messages.PROTO3,
                        ROW(
                                FIELD("u", INT()),
                                FIELD("o1", INT()),
                                FIELD("i", INT()),
                                FIELD("by", BYTES()),
                                FIELD("oi", INT())),
                        row(1, 2, 3, new byte[] {'z'}, 4),
                        "0803 5004 5802 8a01017a c00101"),
                rule(
                        "negative numbers",
                        Messages.PROTO3,
                        ROW(
                                FIELD("i", INT()),
                                FIELD("e", INT()),
                                FIELD("u", INT()),
                                FIELD("si", INT()),
                                FIELD("sf", INT()),
                                FIELD("sl", BIGINT())),
                        row(-1, -5, -1, -1, -1, -2L),
                        "08ffffffffffffffffff01 18fbffffffffffffffff01 c001ffffffff0f c80101"
                                + " b502ffffffff c00203"),
                rule(
                        "an alias of an enum",
                        Messages.PROTO2,
                        ROW(FIELD("al", STRING())),
                        row(text("Y")),
                        "6001"),
                rule(
                        "an unknown name is the first value",
                        Messages.PROTO2,
                        ROW(FIELD("e", STRING())),
                        row(text("b2")),
                        "1805"),
                rule(
                        "so is an unknown number",
                        Messages.PROTO3,
                        ROW(FIELD("oe", INT())),
                        row(99),
                        "b80100"),
                rule(
                        "an enum as BIGINT",
                        Messages.PROTO2,
                        ROW(FIELD("e", BIGINT()), FIELD("al", BIGINT()), FIELD("de", BIGINT())),
                        row(2L, (1L << 32) + 2, 1L << 40),
                        "1802 6002 e00105"),
                rule(
                        "a required field is missing",
                        Messages.PROTO2,
                        ROW(FIELD("inner", INNER2)),
                        row(row(1, null)),
                        REFUSED),
                rule(
                        "its message is",
                        Messages.PROTO2,
                        ROW(FIELD("inner", INNER2)),
                        row((Object) null),
                        ""),
                rule(
                        "its column is",
                        Messages.PROTO2,
                        ROW(FIELD("inner", ROW(FIELD("a", INT())))),
                        row(row(1)),
                        REFUSED));
    }

    static Stream<Arguments> oneofs() {
        DataType subs = ROW(FIELD("o2", ROW(FIELD("r", BIGINT()))), FIELD("o1", STRING()));
        return Stream.of(
                rule(
                        "the later column wins",
                        Messages.PROTO3,
                        ROW(FIELD("o2", STRING()), FIELD("o1", INT())),
                        row(text("x"), 3),
                        "5803"),
                rule(
                        "also with a smaller number",
                        Messages.PROTO3,
                        ROW(FIELD("o1", INT()), FIELD("o3", SMALL), FIELD("o2", STRING())),
                        row(3, row(1), text("x")),
                        "620178"),
                rule(
                        "also with a default",
                        Messages.PROTO3,
                        ROW(FIELD("o3", SMALL), FIELD("o1", INT())),
                        row(row(1), 0),
                        "5800"),
                rule(
                        "but not with NULL",
                        Messages.PROTO3,
                        ROW(FIELD("o1", INT()), FIELD("o2", STRING())),
                        row(3, null),
                        "5803"),
                rule(
                        "a member that is not written may not lack a required field",
                        Messages.EDITIONS,
                        subs,
                        row(row((Object) null), text("x")),
                        REFUSED),
                rule("if it has it", Messages.EDITIONS, subs, row(row(1L), text("x")), "92010178"),
                rule("or is NULL", Messages.EDITIONS, subs, row(null, text("x")), "92010178"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void rowIsWrittenAsFlinkWritesIt(
            String rule, Messages message, DataType columns, GenericRowData row, String record)
            throws Exception {
        assertThat(written(message, columns, row)).isEqualTo(record.replace(" ", ""));
    }
}
