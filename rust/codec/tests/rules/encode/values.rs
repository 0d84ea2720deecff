//! Single values: numbers and their ranges, enums, text, groups (E5).

use super::{Setup, Sink};

fn proto3(body: &str) -> String {
    format!(
        "syntax = \"proto3\"; enum E {{ ZERO = 0; ONE = 1; MINUS = -5; }} message M {{ {body} }}"
    )
}

#[test]
fn integers_of_every_encoding() {
    let schema = proto3(
        "int32 a = 1; sint32 b = 2; sfixed32 c = 3; int64 d = 4; sint64 e = 5; sfixed64 f = 6;
         uint64 g = 7; fixed64 h = 8;",
    );
    let columns = "a INT, b INT, c INT, d BIGINT, e BIGINT, f BIGINT, g BIGINT, h BIGINT";
    Sink::new(&schema, columns).all_written(&[
        (
            "(-1, -1, -1, -1, -1, -1, -1, -1)",
            "08ffffffffffffffffff01 1001 1dffffffff 20ffffffffffffffffff01 2801
             31ffffffffffffffff 38ffffffffffffffffff01 41ffffffffffffffff"
,
        ),
        (
            "(2147483647, -2147483648, 1, 128, -9223372036854775808, 1, 300, 1)",
            "08ffffffff07 10ffffffff0f 1d01000000 208001 28ffffffffffffffffff01 310100000000000000 38ac02 410100000000000000",
        ),
    ]);
}

#[test]
fn narrow_columns_are_sign_extended() {
    let schema = proto3("int32 a = 1; sint32 b = 2; sfixed32 c = 3;");
    for kind in ["TINYINT", "SMALLINT"] {
        let columns = format!("a {kind}, b {kind}, c {kind}");
        Sink::new(&schema, &columns).all_written(&[
            ("(-1, -1, -1)", "08ffffffffffffffffff01 1001 1dffffffff"),
            ("(127, 127, 127)", "087f 10fe01 1d7f000000"),
        ]);
    }
}

#[test]
fn unsigned_fields_take_the_low_bits_of_a_bigint() {
    let schema = proto3("uint32 a = 1; fixed32 b = 2; sfixed32 c = 3;");
    Sink::new(&schema, "a BIGINT, b BIGINT, c BIGINT").all_written(&[
        ("(4294967295, 4294967295, 4294967295)", "08ffffffff0f 15ffffffff 1dffffffff"),
        ("(-1, -1, -1)", "08ffffffff0f 15ffffffff 1dffffffff"),
        ("(-2147483648, 0, 0)", "088080808008"),
        ("(4294967296, 0, 0)", "number-range a"),
        ("(0, -2147483649, 0)", "number-range b"),
        ("(0, 0, 4294967297)", "number-range c"),
    ]);
    Sink::flink(&schema, "a INT, b INT").all_written(&[("(-1, -1)", "08ffffffff0f 15ffffffff")]);
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let sink = Sink::new(&proto3("int32 a = 1; sint32 b = 2;"), "a BIGINT, b BIGINT");
    sink.all_written(&[
        ("(2147483647, -2147483648)", "08ffffffff07 10ffffffff0f"),
        ("(2147483648, 0)", "number-range a"),
        ("(0, -2147483649)", "number-range b"),
    ]);
    let sink = Sink::new(&proto3("float f = 1;"), "f DOUBLE");
    sink.all_written(&[
        ("(1.5)", "0d0000c03f"),
        ("(inf)", "0d0000807f"),
        ("(1e39)", "number-range f"),
        ("(1e-60)", ""),
    ]);
    let sink =
        Sink::new(&proto3("uint64 a = 1; fixed64 b = 2;"), "a DECIMAL(20, 0), b DECIMAL(20, 0)");
    sink.all_written(&[
        ("(18446744073709551615, 1)", "08ffffffffffffffffff01 110100000000000000"),
        ("(18446744073709551616, 1)", "number-range a"),
        ("(1, -1)", "number-range b"),
        ("(0, 0)", ""),
    ]);
}

#[test]
fn enums_by_name_and_by_number() {
    let schema = proto3("E n = 1; optional E i = 2; E b = 3;");
    let columns = "n STRING, i INT, b BIGINT";
    Sink::new(&schema, columns).all_written(&[
        (
            "('MINUS', -5, -5)",
            "08fbffffffffffffffff01 10fbffffffffffffffff01 18fbffffffffffffffff01",
        ),
        ("('ZERO', 0, 0)", "1000"),
        ("('ONE', 77, 77)", "0801 104d 184d"),
        ("('one', 0, 0)", "unknown-enum-name n"),
        ("(NULL, NULL, 4294967296)", "number-range b"),
    ]);
    Sink::flink(&schema, columns).all_written(&[("('one', 77, 4294967297)", "1000 1801")]);
}

#[test]
fn numbers_that_a_closed_enum_lacks() {
    let schema =
        "syntax = \"proto2\"; enum E { FIVE = 5; ONE = 1; } message M { optional E e = 1; }";
    Sink::new(schema, "e INT").all_written(&[("(1)", "0801"), ("(2)", "unknown-enum-number e")]);
    Sink::flink(schema, "e INT").all_written(&[("(1)", "0801"), ("(2)", "0805")]);
    Sink::flink(schema, "e STRING").all_written(&[("('ONE')", "0801"), ("('TWO')", "0805")]);
}

#[test]
fn text_is_made_valid_and_bytes_are_not() {
    let sink = Sink::new(&proto3("string s = 1; bytes b = 2;"), "s STRING, b BYTES");
    sink.all_written(&[
        ("(xc328, xc328)", "0a04 efbfbd28 1202 c328"),
        ("(xeda080, xeda080)", "0a03 efbfbd 1203 eda080"),
        (
            "('longer than 7', x0001020304050607)",
            "0a0d 6c6f6e676572207468616e2037 1208 0001020304050607",
        ),
    ]);
}

#[test]
fn groups_end_with_a_tag_and_have_no_length() {
    let schema = "syntax = \"proto2\"; message M { optional group One = 1 { optional int32 a = 1;
        optional group Two = 2 { optional string s = 1; } } repeated group Many = 20 {
        optional int32 a = 1; } }";
    let columns = "many ARRAY<ROW<a INT>>, one ROW<a INT, two ROW<s STRING>>";
    for setup in [Setup::default(), super::FLINK] {
        let sink = Sink::with(schema, columns, setup).unwrap();
        sink.all_written(&[
            ("(NULL, (NULL, NULL))", "0b 0c"),
            ("([(1), (NULL)], (2, ('x')))", "0b 0802 13 0a0178 14 0c a301 0801 a401 a301 a401"),
        ]);
    }
    Sink::flink(schema, "many ARRAY<ROW<a INT>>").all_written(&[("([NULL])", "a301 a401")]);
}
