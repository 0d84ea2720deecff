package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;

/** Every pairing of field and column in the scope of reading, through SQL. */
class TypesITCase {
    private static Sql table(String schema, String columns, String... records) {
        Topic topic = Topic.create("types");
        ProtoFile file = ProtoFile.of("t.proto", schema).register(topic.name() + "-value");
        byte[][] values = new byte[records.length][];
        for (int i = 0; i < records.length; i++) {
            values[i] = file.record("T", records[i]);
        }
        topic.send(values);
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s')",
                        columns, topic.source(), Registry.shared().url(), topic.name()));
        return sql;
    }

    @Test
    void readsScalars() throws Exception {
        Sql sql =
                table(
                        "syntax = 'proto3'; message T { double d = 1; float f = 2; int32 i = 3;"
                            + " int64 l = 4; uint32 u = 5; sint32 si = 7; sint64 sl = 8; fixed32 x"
                            + " = 9; sfixed32 sx = 11; sfixed64 sxl = 12; bool b = 13; string s ="
                            + " 14; bytes o = 15; }",
                        "d DOUBLE, f FLOAT, i INT, l BIGINT, u BIGINT, si INT, sl BIGINT, x BIGINT,"
                                + " sx INT, sxl BIGINT, b BOOLEAN, s STRING, o BYTES",
                        "d: 1.5 f: -2.5 i: -3 l: 9223372036854775807 u: 4294967295 si: -7 sl: -8 x:"
                                + " 4294967294 sx: -11 sxl: -12 b: true s: 'žluť' o: '\\001\\377'",
                        "");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly(
                        "+I[1.5, -2.5, -3, 9223372036854775807, 4294967295, -7, -8, 4294967294,"
                                + " -11, -12, true, žluť, [1, -1]]",
                        "+I[0.0, 0.0, 0, 0, 0, 0, 0, 0, 0, 0, false, , []]");
    }

    @Test
    void anOptionalFieldTellsAbsentFromDefault() throws Exception {
        Sql sql =
                table(
                        "syntax = 'proto3'; message T { optional int32 i = 1; optional string s ="
                                + " 2; optional E e = 3; enum E { A = 0; B = 1; } }",
                        "e STRING, s STRING, i INT",
                        "i: 0 s: '' e: A",
                        "");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[A, , 0]", "+I[null, null, null]");
    }

    @Test
    void readsArraysAndMapsOfEveryDepth() throws Exception {
        Sql sql =
                table(
                        "syntax = 'proto3'; message T { repeated int32 i = 1; repeated string s ="
                            + " 2; repeated E e = 3; map<int32, In> m = 4; map<string, E> me = 5;"
                            + " repeated In in = 6; enum E { A = 0; B = 1; } message In { repeated"
                            + " double d = 1; map<bool, bytes> b = 2; } }",
                        "i ARRAY<INT>, s ARRAY<STRING>, e ARRAY<STRING>,"
                                + " m MAP<INT, ROW<d ARRAY<DOUBLE>>>, me MAP<STRING, STRING>,"
                                + " `in` ARRAY<ROW<b MAP<BOOLEAN, BYTES>, d ARRAY<DOUBLE>>>",
                        "i: [1, -2] s: ['a', '', 'long enough to be stored apart'] e: [B, A]"
                                + " m { key: 7 value { d: [0.5] } } me { key: 'k' value: B }"
                                + " in { b { key: true value: 'x' } } in { d: [1, 2] }",
                        "");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly(
                        "+I[[1, -2], [a, , long enough to be stored apart], [B, A],"
                                + " {7=+I[[0.5]]}, {k=B},"
                                + " [+I[{true=[120]}, []], +I[{}, [1.0, 2.0]]]]",
                        "+I[[], [], [], {}, {}, []]");
    }

    @Test
    void cutsATimestampToTheColumnsPrecision() throws Exception {
        Sql sql =
                table(
                        "syntax = 'proto3'; import 'google/protobuf/timestamp.proto'; message T {"
                            + " google.protobuf.Timestamp a = 1; google.protobuf.Timestamp b = 2;"
                            + " google.protobuf.Timestamp c = 3; google.protobuf.Timestamp d = 4;"
                            + " repeated google.protobuf.Timestamp r = 5; }",
                        "a TIMESTAMP(0), b TIMESTAMP(3), c TIMESTAMP(9), d TIMESTAMP_LTZ(6),"
                                + " r ARRAY<TIMESTAMP_LTZ(3)>",
                        "a { seconds: -1 nanos: 999999999 } b { seconds: -1 nanos: 999999999 }"
                                + " c { seconds: -1 nanos: 999999999 }"
                                + " d { seconds: 1767225600 nanos: 123456789 }"
                                + " r { seconds: 1 nanos: 2000000 } r { }",
                        "");

        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly(
                        "+I[1969-12-31T23:59:59, 1969-12-31T23:59:59.999,"
                                + " 1969-12-31T23:59:59.999999999, 2026-01-01T00:00:00.123456Z,"
                                + " [1970-01-01T00:00:01.002Z, 1970-01-01T00:00:00Z]]",
                        "+I[null, null, null, null, []]");
    }

    @Test
    void findsANestedMessageByItsIndexes() throws Exception {
        Topic topic = Topic.create("nested");
        ProtoFile file =
                ProtoFile.of(
                                "n.proto",
                                "syntax = 'proto3'; message A { int32 x = 1; } message B { message"
                                        + " C { string c = 1; } message D { string d = 1; } }")
                        .register(topic.name() + "-value");
        topic.send(file.record("B.D", "d: 'found'"));
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE n (d STRING) WITH (%s, 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s')",
                        topic.source(), Registry.shared().url(), topic.name()));

        assertThat(sql.rows("SELECT * FROM n")).containsExactly("+I[found]");
    }
}
