//! Which fields are written: NULL, defaults, required fields, order (E1, E6).

use super::{FLINK, Setup, Sink};

const PROTO3: &str = "syntax = \"proto3\"; message M { int32 i = 1; string s = 2; bool b = 3;
    double d = 4; bytes by = 5; optional int32 oi = 6; M m = 7; E e = 8; float f = 20;
    oneof o { int32 only = 9; } } enum E { ZERO = 0; ONE = 1; }";
const PROTO2: &str = "syntax = \"proto2\"; message M { optional int32 i = 1; optional string s = 2;
    optional E e = 3 [default = B]; required int32 r = 15; optional M m = 16; repeated M all = 17;
    } enum E { A = 5; B = 0; }";

#[test]
fn null_leaves_a_field_unset() {
    let sink = Sink::new(PROTO3, "i INT, oi INT, m ROW<s STRING>, e STRING");
    sink.all_written(&[
        ("(NULL, NULL, NULL, NULL)", ""),
        ("(NULL, NULL, (NULL), NULL)", "3a00"),
        ("(NULL, 1, NULL, 'ONE')", "3001 4001"),
    ]);
}

#[test]
fn defaults_without_presence_are_omitted() {
    let sink =
        Sink::new(PROTO3, "i INT, s STRING, b BOOLEAN, d DOUBLE, by BYTES, e STRING, f FLOAT");
    sink.all_written(&[
        ("(0, '', false, 0, x, 'ZERO', 0)", ""),
        (
            "(1, 'x', true, 1, x00, 'ONE', 1)",
            "0801 120178 1801 21000000000000f03f 2a0100 4001 a5010000803f",
        ),
        ("(0, '', false, -0, x, 'ZERO', -0)", "210000000000000080 a50100000080"),
        ("(0, '', false, NaN, x, 'ZERO', NaN)", "21000000000000f87f a5010000c07f"),
    ]);
}

#[test]
fn defaults_with_presence_are_written() {
    Sink::new(PROTO3, "oi INT, only INT").all_written(&[("(0, 0)", "3000 4800")]);
    let sink = Sink::new(PROTO2, "i INT, s STRING, e STRING, r INT");
    sink.all_written(&[
        ("(0, '', 'B', 0)", "0800 1200 1800 7800"),
        ("(NULL, NULL, 'A', 1)", "1805 7801"),
    ]);
}

#[test]
fn fields_go_out_by_number_whatever_the_order_of_columns() {
    let sink = Sink::new(PROTO3, "f FLOAT, m ROW<s STRING, i INT>, only INT, i INT, s STRING");
    sink.all_written(&[(
        "(1, ('a', 2), 3, 4, 'b')",
        "0804 120162 3a05 0802 120161 4803 a5010000803f",
    )]);
}

#[test]
fn a_required_field_is_never_left_out() {
    assert_eq!(Sink::refused(PROTO2, "i INT", Setup::default()), "missing-required ");
    assert_eq!(
        Sink::refused(PROTO2, "r INT, m ROW<i INT>", Setup::default()),
        "missing-required m"
    );
    assert_eq!(Sink::refused(PROTO2, "i INT", FLINK), "missing-required ");
    for setup in [Setup::default(), FLINK] {
        let sink = Sink::with(PROTO2, "r INT, m ROW<r INT>, all ARRAY<ROW<r INT>>", setup).unwrap();
        sink.all_written(&[
            ("(1, NULL, NULL)", "7801"),
            ("(NULL, NULL, NULL)", "missing-required r"),
            ("(1, (NULL), NULL)", "missing-required m.r"),
            ("(1, (2), [(3), (NULL)])", "missing-required all[].r"),
            ("(1, (2), [(3)])", "7801 82010278 02 8a01027803"),
        ]);
    }
}

/// Flink plans such a table, and fails on the first row that has the message.
#[test]
fn flink_leaves_a_nested_required_field_without_column_to_the_row() {
    let sink = Sink::flink(PROTO2, "r INT, m ROW<i INT>, all ARRAY<ROW<i INT>>");
    sink.all_written(&[
        ("(1, NULL, [])", "7801"),
        ("(1, (NULL), [])", "missing-required m.r"),
        ("(1, NULL, [(1)])", "missing-required all[].r"),
    ]);
}

#[test]
fn null_in_a_not_null_place_is_refused() {
    let columns = "i INT NOT NULL, m ROW<s STRING NOT NULL>";
    Sink::new(PROTO3, columns).all_written(&[
        ("(1, NULL)", "0801"),
        ("(NULL, NULL)", "null-in-not-null i"),
        ("(1, (NULL))", "null-in-not-null m.s"),
    ]);
    Sink::flink(PROTO3, columns).all_written(&[("(NULL, (NULL))", "3a00")]);
}

#[test]
fn columns_without_a_field_are_refused_by_name() {
    for setup in [Setup::default(), FLINK] {
        assert_eq!(Sink::refused(PROTO3, "i INT, nope INT", setup), "type-mismatch ");
        assert_eq!(Sink::refused(PROTO3, "i STRING", setup), "type-mismatch i");
        assert_eq!(Sink::refused(PROTO3, "m ROW<m ROW<i STRING>>", setup), "type-mismatch m.m.i");
    }
}
