//! FLINK: what Flink's own format writes for NULLs in collections, and the order of its maps.

use super::{Setup, Sink};

const SCHEMA: &str = "syntax = \"proto2\"; message M { repeated int32 i = 1; repeated string s = 2;
    repeated bytes b = 3; repeated E e = 4; repeated bool t = 5 [packed = true]; repeated double d = 6;
    repeated M m = 7; map<int32, string> is = 8; map<string, E> se = 9; map<bool, bytes> bb = 10;
    map<int64, M> lm = 11; map<string, R> r = 12; repeated R all = 13; }
    message R { required int32 a = 1; } enum E { FIVE = 5; ONE = 1; }";

#[test]
fn null_elements_are_defaults() {
    let columns =
        "i ARRAY<INT>, s ARRAY<STRING>, b ARRAY<BYTES>, e ARRAY<STRING>, t ARRAY<BOOLEAN>,
        d ARRAY<DOUBLE>, m ARRAY<ROW<i ARRAY<INT>>>";
    Sink::flink(SCHEMA, columns).all_written(&[(
        "([NULL, 1], [NULL], [NULL], [NULL, 'ONE'], [NULL, true], [NULL], [NULL, ([1])])",
        "0800 0801 1204 6e756c6c 1a00 2005 2001 2a02 0001 310000000000000000 3a00 3a02 0801",
    )]);
    Sink::flink(SCHEMA, "e ARRAY<INT>").all_written(&[("([NULL, 77])", "2005 2005")]);
}

#[test]
fn null_keys_and_values_are_defaults() {
    let columns = "is MAP<INT, STRING>, se MAP<STRING, STRING>, bb MAP<BOOLEAN, BYTES>, lm MAP<BIGINT, ROW<i ARRAY<INT>>>";
    Sink::flink(SCHEMA, columns).all_written(&[(
        "({NULL: NULL}, {NULL: NULL}, {NULL: NULL}, {NULL: NULL})",
        "4208 0800 1204 6e756c6c 4a08 0a04 6e756c6c 1005 5204 0800 1200 5a04 0800 1200",
    )]);
    let setup = Setup { flink: true, ..Setup::default() };
    let sink = Sink::with(SCHEMA, "s ARRAY<STRING>", setup).unwrap();
    sink.all_written(&[("([NULL])", "1200")]);
}

#[test]
fn of_equal_keys_the_last_value_is_written_in_the_place_of_the_first() {
    Sink::flink(SCHEMA, "is MAP<INT, STRING>").all_written(&[
        ("({0: 'a', NULL: 'b'})", "4205 0800 120162"),
        ("({1: 'a', 0: 'b', 1: 'c'})", "4205 0800 120162 4205 0801 120163"),
    ]);
    Sink::flink(SCHEMA, "se MAP<STRING, STRING>").all_written(&[
        ("({'null': 'ONE', NULL: 'FIVE'})", "4a08 0a04 6e756c6c 1005"),
        ("({xff: 'ONE', xefbfbd: 'FIVE'})", "4a07 0a03 efbfbd 1005"),
    ]);
}

/// Tables of 16 places: by the low bits of the hash, then in the order of arrival.
#[test]
fn entries_stand_in_the_order_of_a_hash_map() {
    Sink::flink(SCHEMA, "is MAP<INT, STRING>").all_written(&[(
        "({100: '', 3: '', 77: '', -1: '', 0: ''})",
        "420d 08ffffffffffffffffff01 1200 4204 0800 1200 4204 0803 1200 4204 0864 1200 4204 084d 1200",
    )]);
    Sink::flink(SCHEMA, "se MAP<STRING, STRING>").all_written(&[(
        "({'BB': 'ONE', 'Aa': 'ONE', 'b': 'ONE', 'a': 'ONE'})",
        "4a06 0a024242 1001 4a06 0a024161 1001 4a05 0a0161 1001 4a05 0a0162 1001",
    )]);
    Sink::flink(SCHEMA, "bb MAP<BOOLEAN, BYTES>")
        .all_written(&[("({false: x, true: x})", "5204 0800 1200 5204 0801 1200")]);
}

#[test]
fn null_messages_that_lack_required_fields_are_refused_where_they_are_written() {
    let sink = Sink::flink(SCHEMA, "r MAP<STRING, ROW<a INT>>, all ARRAY<ROW<a INT>>");
    sink.all_written(&[
        ("({'k': NULL}, NULL)", "missing-required r[].value"),
        ("(NULL, [NULL])", "missing-required all[]"),
        ("({'k': (1), 'k': NULL}, NULL)", "missing-required r[].value"),
        ("({'k': NULL, 'k': (1)}, NULL)", "6207 0a016b 1202 0801"),
    ]);
}

/// Flink builds each value that is not NULL before it puts it into the map.
#[test]
fn values_that_are_replaced_are_checked() {
    let sink = Sink::flink(SCHEMA, "r MAP<STRING, ROW<a INT>>, i ARRAY<INT>");
    sink.all_written(&[
        ("({'k': (NULL), 'k': (1)}, [2])", "missing-required r[].value.a"),
        (
            "({'k': (3), 'l': (2), 'k': (1)}, [2])",
            "0802 6207 0a016b 1202 0801 6207 0a016c 1202 0802",
        ),
    ]);
}
