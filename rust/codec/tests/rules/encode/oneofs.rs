//! Which member of a oneof is written: columns of their own, the ROW of the oneof, both.

use super::Sink;

const SCHEMA: &str = "syntax = \"proto3\"; message M { int32 a = 1; oneof o { int32 i = 2;
    string s = 3; M m = 4; bytes b = 5; } oneof p { int32 x = 10; int32 y = 11; } }";

#[test]
fn the_last_column_that_is_not_null_wins() {
    Sink::new(SCHEMA, "i INT, s STRING").all_written(&[
        ("(1, 'x')", "1a0178"),
        ("(1, NULL)", "1001"),
        ("(1, '')", "1a00"),
        ("(NULL, NULL)", ""),
    ]);
    Sink::new(SCHEMA, "s STRING, a INT, m ROW<a INT>, i INT").all_written(&[
        ("('x', 5, (1), 0)", "0805 1000"),
        ("('x', 5, (1), NULL)", "0805 2202 0801"),
        ("('x', 5, NULL, NULL)", "0805 1a0178"),
    ]);
}

#[test]
fn each_oneof_of_each_message_has_its_own_winner() {
    let sink = Sink::new(SCHEMA, "y INT, m ROW<y INT, x INT>, x INT, s STRING");
    sink.all_written(&[
        ("(1, (2, 3), NULL, NULL)", "2202 5003 5801"),
        ("(1, (2, NULL), 4, 'a')", "1a0161 5004"),
        ("(1, (2, NULL), 4, NULL)", "2202 5802 5004"),
    ]);
}

#[test]
fn of_the_row_of_a_oneof_the_first_member_that_is_not_null_is_written() {
    let sink = Sink::new(SCHEMA, "o ROW<s STRING, i INT, m ROW<a INT>>, a INT");
    sink.all_written(&[
        ("(NULL, 1)", "0801"),
        ("((NULL, NULL, NULL), 1)", "0801"),
        ("(('', 1, (2)), 0)", "1a00"),
        ("((NULL, 0, (2)), 0)", "1000"),
        ("((NULL, NULL, (2)), 0)", "2202 0802"),
    ]);
}

#[test]
fn rows_and_members_side_by_side() {
    Sink::new(SCHEMA, "o ROW<i INT, s STRING>, b BYTES").all_written(&[
        ("((1, 'x'), NULL)", "1001"),
        ("((1, 'x'), x)", "2a00"),
        ("((NULL, NULL), NULL)", ""),
    ]);
    Sink::new(SCHEMA, "b BYTES, o ROW<i INT, s STRING>").all_written(&[
        ("(x00, (1, 'x'))", "1001"),
        ("(x00, (NULL, NULL))", "2a0100"),
        ("(x00, NULL)", "2a0100"),
    ]);
}

#[test]
fn a_not_null_member_must_not_be_null() {
    Sink::new(SCHEMA, "i INT, s STRING NOT NULL")
        .all_written(&[("(1, 'x')", "1a0178"), ("(1, NULL)", "null-in-not-null s")]);
}

#[test]
fn faults_inside_a_member_name_its_path() {
    let sink = Sink::new(SCHEMA, "o ROW<m ROW<a BIGINT>>, s STRING");
    sink.all_written(&[
        ("((NULL), NULL)", ""),
        ("(((2147483648)), NULL)", "number-range m.a"),
        ("(((2147483648)), 'not looked at')", "1a0d 6e6f74206c6f6f6b6564206174"),
    ]);
}

const REQUIRED: &str =
    "syntax = \"proto2\"; message M { oneof o { int32 i = 1; R r = 2; H h = 3; } }
    message R { required int32 a = 1; } message H { repeated R all = 1; map<int32, R> by = 2; }";

/// Flink builds each member that is not NULL, and keeps the last one.
#[test]
fn flink_refuses_a_member_that_lacks_a_required_field_though_another_is_written() {
    let sink = Sink::flink(REQUIRED, "r ROW<a INT>, h ROW<all ARRAY<ROW<a INT>>>, i INT");
    sink.all_written(&[
        ("((1), ([(2)]), 3)", "0803"),
        ("((NULL), NULL, 3)", "missing-required r.a"),
        ("(NULL, ([(NULL)]), 3)", "missing-required h.all[].a"),
        ("(NULL, ([NULL]), 3)", "missing-required h.all[]"),
        ("((1), ([(2)]), NULL)", "1a04 0a02 0802"),
    ]);
    let sink = Sink::flink(REQUIRED, "h ROW<by MAP<INT, ROW<a INT>>>, i INT");
    sink.all_written(&[
        ("(({1: (2)}), 3)", "0803"),
        ("(({1: (NULL)}), 3)", "missing-required h.by[].value.a"),
        ("(({1: NULL}), 3)", "missing-required h.by[].value"),
    ]);
    let sink = Sink::flink(REQUIRED, "r ROW<>, i INT");
    sink.all_written(&[("((), 3)", "missing-required r.a"), ("(NULL, 3)", "0803")]);
}

#[test]
fn confluent_does_not_look_at_members_that_are_not_written() {
    Sink::new(REQUIRED, "r ROW<a INT>, i INT")
        .all_written(&[("((NULL), 3)", "0803"), ("((NULL), NULL)", "missing-required r.a")]);
}
