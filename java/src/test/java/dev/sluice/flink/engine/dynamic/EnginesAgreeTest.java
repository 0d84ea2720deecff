package dev.sluice.flink.engine.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules that the corpus has no case for: both engines, and what they must say. */
class EnginesAgreeTest {
    private static final String NODES =
            "syntax = 'proto3'; message M { In a = 1; repeated In r = 2; map<string, In> m = 3;"
                    + " oneof o { In x = 4; int32 y = 5; string t = 6; } int32 z = 7;"
                    + " repeated Entry e = 8; }"
                    + " message In { int32 n = 1; M deep = 2; } message Entry { In key = 1; In"
                    + " value = 2; }";

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "a BYTES | 0a020801 3801 0a020802 | [x08010802]",
                "a BYTES, z INT | 0a02ffff 3801 | [xffff, 1]",
                "a BYTES | 3801 | [null]",
                "a BYTES | 0800 | [null]",
                "a BYTES NOT NULL | 3801 | null-in-not-null a",
                "a BYTES | 0a03ffff | truncated a",
                "a BYTES | 0a020801 3c | end-group-mismatch",
                "a BYTES | 0a020801 3b 0a00 3c | [x0801]",
                "a BYTES, z INT | 0a020801 33 0801 | end-group-mismatch",
                "r ARRAY<BYTES> | 1200 1202ffff 1200 | [[x, xffff, x]]",
                "m MAP<STRING, BYTES> | 1a030a016b 1a070a016c 1202ffff 1a020a00"
                        + " | [[[k, l, ], [x, xffff, x]]]",
                "m MAP<STRING, BYTES> | 1a070a016b1202ffff 1a070a016b12020801 | [[[k], [x0801]]]",
                "m MAP<STRING, BYTES> | 1a0b0a016b1202ffff12020801 | [[[k], [xffff0801]]]",
                "m MAP<STRING, BYTES> | 1a040a02c328 | invalid-utf8 m[].key",
                "x BYTES, y INT | 22020801 2805 22020802 | [x0802, null]",
                "x BYTES, y INT | 22020801 22020802 | [x08010802, null]",
                "x BYTES, y INT | 22020801 2805 | [null, 5]",
                "x BYTES, t STRING | 22020801 320161 | [null, a]",
                "x BYTES, t STRING | 320161 22020801 | [x0801, null]",
                "x BYTES, t STRING | 22020801 3001 | [x0801, null]",
                "o ROW<x BYTES, y INT> | 22020801 | [[x0801, null]]",
                "o ROW<x BYTES, y INT> | 22020801 320161 | [[null, null]]",
                "x BYTES, o ROW<x BYTES> | 22020801 | [x0801, [x0801]]",
                "a ROW<deep BYTES, n INT> | 0a040801 1200 0a04 12053a01 | truncated a.deep",
                "a ROW<deep BYTES, n INT> | 0a04 08011200 0a06 12020802 0803 | [[x0802, 3]]",
                "r ARRAY<ROW<deep BYTES>> | 1204 12020801 1200 | [[[x0801], [null]]]",
                "o ROW<x ROW<deep BYTES>>, t STRING | 2204 12020801 | [[[x0801]], null]",
                "o ROW<x ROW<deep BYTES>>, t STRING | 2204 12020801 320161 | [[null], a]",
                "o ROW<x ROW<deep BYTES>>, t STRING | 2204 12050801 320161 | truncated x.deep",
                "e MAP<BYTES, BYTES> | 420412020801 | [[[null], [x0801]]]",
                "e MAP<ROW<n INT>, BYTES> | 42040a020801 42080a0208011202ffff"
                        + " | [[[[1]], [xffff]]]",
                "e MAP<ROW<n INT>, ROW<n INT>> | 42060a0208011200 42080a02080112020805"
                        + " 42020a00 | [[[[1], [0]], [[5], null]]]",
                "a STRING | 0a00 | type-mismatch a",
                "a ROW<n INT, N INT> | 0a020801 | [[1, null]]",
                "z INT, Z_ INT | 3801 | [1, null]",
                "o INT | 3801 | type-mismatch o",
                "z STRING | 3801 | type-mismatch z",
                "z ARRAY<INT> | 3801 | type-mismatch z",
                "r MAP<STRING, INT> | 3801 | type-mismatch r",
                "m ARRAY<ROW<`key` STRING>> | 3801 | type-mismatch m",
                "m MULTISET<STRING> | 3801 | type-mismatch m",
            })
    void messagesAsBytesOneofsAndMaps(String columns, String hex, String expected) {
        assertThat(BothEngines.confluent(columns, NODES).read(hex)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "d DECIMAL(5, 2) | 0a00 | bad-decimal d",
                "d DECIMAL(5, 2) | 0a030a0101 | [1.00]",
                "d DECIMAL(5, 2) | 0a050a01011801 | [0.10]",
                "d DECIMAL(5, 2) | 0a0e0a010118808080f8ffffffffff01 | [null]",
                "d DECIMAL(5, 2) | 0a090a010118ffffffff07 | [0.00]",
                "d DECIMAL(5, 2) | 0a0e0a010018808080f8ffffffffff01 | [0.00]",
                "d DECIMAL(5, 2) | 0a060a0204d21803 | [1.23]",
                "d DECIMAL(5, 2) | 0a060a0204d31803 | [1.24]",
                "d DECIMAL(5, 2) | 0a060a02fb2d1803 | [-1.24]",
                "d DECIMAL(5, 2) | 0a080a0204d210021803 | [1.20]",
                "d DECIMAL(5, 2) | 0a080a0203e710021803 | [1.00]",
                "d DECIMAL(5, 2) | 0a050a0427100f | truncated d.value",
                "d DECIMAL(2, 2) | 0a030a0101 | [null]",
                "d DECIMAL(2, 2) NOT NULL | 0a030a0101 | null-in-not-null d",
                "d DECIMAL(1, 0) | 0a050a015f1801 | [null]",
                "d DECIMAL(1, 0) | 0a050a015e1801 | [9]",
                "d DECIMAL(1, 0) | 0a050a01051801 | [1]",
                "d DECIMAL(1, 0) | 0a050a01041801 | [0]",
                "d DECIMAL(1, 0) | 0a050a01051802 | [0]",
                "dd DATE | 120708e80f1002181d | [19782]",
                "dd DATE | 120708e70f1002181d | bad-date dd",
                "dd DATE | 1200 | bad-date dd",
                "dd DATE | 120708904e10011801 | bad-date dd",
                "t TIME(3) | 1a0c0817103b183b20ff93ebdc03 | [86399999]",
                "t TIME(0) | 1a0c0817103b183b20ff93ebdc03 | [86399000]",
                "t TIME(3) | 1a00 | [0]",
                "t TIME(3) | 1a020818 | bad-time t",
                "t TIME(3) | 1a062080 94ebdc03 | bad-time t",
                "s TIMESTAMP(0) | 220f08ffffffffffffffffff0110c0843d | [1969-12-31T23:59:59]",
                "s TIMESTAMP(3) | 220f08ffffffffffffffffff0110c0843d | [1969-12-31T23:59:59.001]",
                "s TIMESTAMP(9) | 22021001 | [1970-01-01T00:00:00.000000001]",
                "s TIMESTAMP(9) | 220b10ffffffffffffffffff01 | timestamp-range s",
                "s TIMESTAMP(9) | 2207088083d1ffaf07 | timestamp-range s",
                "s ROW<seconds BIGINT, nanos INT> | 22021001 | [[0, 1]]",
                "b BYTES | 2a030a01ff | [xff]",
                "b ROW<`value` BYTES> | 2a030a01ff | [[xff]]",
                "u DECIMAL(20, 0) | 320b08ffffffffffffffffff01 | [18446744073709551615]",
                "u BIGINT | 320b08ffffffffffffffffff01 | [-1]",
            })
    void wellKnownTypes(String columns, String hex, String expected) {
        String schema =
                String.join(
                        "\n",
                        "syntax = 'proto3';",
                        "import 'confluent/type/decimal.proto';",
                        "import 'google/type/date.proto';",
                        "import 'google/type/timeofday.proto';",
                        "import 'google/protobuf/timestamp.proto';",
                        "import 'google/protobuf/wrappers.proto';",
                        "message M { confluent.type.Decimal d = 1; google.type.Date dd = 2;",
                        "  google.type.TimeOfDay t = 3; google.protobuf.Timestamp s = 4;",
                        "  google.protobuf.BytesValue b = 5; google.protobuf.UInt64Value u = 6; }");
        assertThat(BothEngines.confluent(columns, schema).read(hex)).isEqualTo(expected);
    }

    private static final String OLD =
            "message M { map<string, R> m = 1; optional R r = 2; oneof o { R x = 3; int32 y = 4; }"
                    + " map<string, E> e = 5; optional E one = 6; repeated E many = 7;"
                    + " optional group G = 8 { optional R r = 1; } }"
                    + " message R { required int32 n = 1; optional R deep = 2; }"
                    + " enum E { ZERO = 0; TWO = 2; BIG = 300; }";

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "y INT | 1200 | missing-required r.n",
                "y INT | 1a00 2001 | [1]",
                "y INT | 1a00 | missing-required x.n",
                "y INT | 0a030a016b | missing-required m[].value",
                "y INT | 43 | end-group-mismatch g",
                "y INT | 430a0044 | missing-required g.r.n",
                "r BYTES | 1200 | [x]",
                "m MAP<STRING, BYTES> | 0a030a016b | [[[k], [x]]]",
                "m MAP<STRING, ROW<n INT>> | 0a050a016b1200 0a070a016b12020801"
                        + " | missing-required m[].value.n",
                "r ROW<deep BYTES> | 1202 1200 | missing-required r.n",
                "r ROW<deep BYTES> | 1204 0801 1200 | [[x]]",
                "e MAP<STRING, STRING> | 2a050a016b1063 | [[[k], [ZERO]]]",
                "many ARRAY<STRING> | 3a03026302 | [[TWO, TWO]]",
                "one BIGINT | 3002 | [2]",
                "one BIGINT | 3003 | [null]",
                "g ROW<r BYTES> | 430a0044 | [[x]]",
                "g BYTES | 430a0044 | type-mismatch g",
            })
    void proto2(String columns, String hex, String expected) {
        assertThat(BothEngines.confluent(columns, OLD).read(hex)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "m MAP<STRING, ROW<n INT>> | 0a050a016b1200 0a070a016b12020801 | [[[k], [[1]]]]",
                "m MAP<STRING, ROW<n INT>> | 0a070a016b12020801 0a050a016b1200"
                        + " | missing-required m[].value.n",
                "y INT | 0a050a016b1200 0a070a016b12020801 | [null]",
                "e MAP<STRING, STRING> | 2a050a016b1063 | [null]",
                "e MAP<STRING, STRING> | 2a070a016b10021063 2a050a016c1002 | [[[l], [TWO]]]",
                "e MAP<STRING, STRING> | 2a070a016b10631002 | [[[k], [TWO]]]",
                "e MAP<STRING, STRING> | 2a050a016b1002 2a050a016b1063 | [[[k], [TWO]]]",
                "e MAP<STRING, TINYINT> | 2a060a016b10ac02 2a030a016c | [[[l, k], [0, 44]]]",
                "one TINYINT | 30ac02 | [44]",
                "one SMALLINT | 30ac02 | [300]",
                "one BIGINT | 30ac02 | [300]",
                "one BIGINT | 3003 | [null]",
                "r BYTES | 1200 | type-mismatch r",
                "missing INT | 1200 | type-mismatch",
                "o ROW<y INT> | 1200 | type-mismatch",
            })
    void proto2InFlink(String columns, String hex, String expected) {
        assertThat(BothEngines.flink(columns, OLD).read(hex)).isEqualTo(expected);
    }

    @Test
    void mapsOfFlinkStandInTheOrderOfAHashMap() {
        StringBuilder hex = new StringBuilder();
        for (int at = 0; at < 200; at++) {
            String key = String.format("%02x%02x", 'a' + at % 23, 'a' + at / 23);
            hex.append("0a040a02").append(key);
        }
        BothEngines engines =
                BothEngines.flink(
                        "m MAP<STRING, STRING>",
                        "syntax = 'proto3'; message M { map<string, string> m = 1; }");
        assertThat(engines.read(hex.toString())).startsWith("[[[");
    }

    @ParameterizedTest
    @CsvSource({"100, [[null]]", "101, too-deep"})
    void depthCountsLevelsAlsoInSplitMessages(int levels, String expected) {
        String schema =
                "syntax = 'proto3'; message M { M m = 1; bytes b = 2; N n = 3; }"
                        + " message N { M m = 1; }";
        String hex = nested(levels);
        assertThat(BothEngines.confluent("m ROW<b BYTES>", schema).read(hex))
                .startsWith(expected.startsWith("[") ? "[[x]]" : expected);
        assertThat(BothEngines.confluent("m ROW<n BYTES>", schema).read(hex)).startsWith(expected);
        assertThat(BothEngines.confluent("m BYTES", schema).read(hex)).startsWith("[x0a");
    }

    private static String nested(int levels) {
        String hex = "";
        for (int at = 0; at < levels; at++) {
            int length = hex.length() / 2;
            String varint =
                    length < 128
                            ? String.format("%02x", length)
                            : String.format("%02x%02x", length & 127 | 128, length >> 7);
            hex = "0a" + varint + hex;
        }
        return hex;
    }
}
