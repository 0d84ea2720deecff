//! Arrays, maps and multisets in CONFLUENT: packing, entries, NULLs (E1, E6).

use super::Sink;

#[test]
fn packed_or_one_by_one() {
    let proto3 = "syntax = \"proto3\"; message M { repeated int32 p = 1; repeated int32 u = 2
        [packed = false]; repeated string s = 3; repeated double d = 4; repeated M m = 5; }";
    let sink = Sink::new(proto3, "p ARRAY<INT>, u ARRAY<INT>, s ARRAY<STRING>");
    sink.all_written(&[
        ("([1, 300], [1, 300], ['', 'x'])", "0a03 01ac02 1001 10ac02 1a00 1a0178"),
        ("([], [], [])", ""),
        ("([0], [0], NULL)", "0a0100 1000"),
    ]);
    let sink = Sink::new(proto3, "d ARRAY<DOUBLE>, m ARRAY<ROW<p ARRAY<INT>>>");
    sink.all_written(&[(
        "([1, -0], [([1]), (NULL)])",
        "2210 000000000000f03f 0000000000000080 2a03 0a0101 2a00",
    )]);
    let proto2 = "syntax = \"proto2\"; message M { repeated bool p = 1 [packed = true];
        repeated bool u = 2; repeated E e = 3 [packed = true]; } enum E { A = 1; }";
    let sink = Sink::new(proto2, "p ARRAY<BOOLEAN>, u ARRAY<BOOLEAN>, e ARRAY<STRING>");
    sink.all_written(&[("([true, false], [true, false], ['A'])", "0a02 0100 1001 1000 1a0101")]);
}

#[test]
fn elements_of_every_width() {
    let schema = "syntax = \"proto3\"; message M { repeated int32 a = 1; repeated sint32 b = 2;
        repeated int64 c = 3; repeated float d = 4; repeated bool e = 5; }";
    let columns =
        "a ARRAY<TINYINT>, b ARRAY<SMALLINT>, c ARRAY<BIGINT>, d ARRAY<FLOAT>, e ARRAY<BOOLEAN>";
    Sink::new(schema, columns).all_written(&[(
        "([1, 2, 3], [1, -1, 2], [1, 2], [1, 2], [true, false, true])",
        "0a03 010203 1203 020104 1a02 0102 2208 0000803f 00000040 2a03 010001",
    )]);
}

#[test]
fn more_elements_than_a_word_has_null_bits() {
    let schema = "syntax = \"proto3\"; message M { repeated int32 a = 1; }";
    let elements = vec!["7"; 33].join(", ");
    let sink = Sink::new(schema, "a ARRAY<INT>");
    assert_eq!(sink.write(&format!("([{elements}])")), format!("0a21{}", "07".repeat(33)));
    assert_eq!(sink.write(&format!("([{elements}, NULL])")), "null-in-not-null a[]");
}

#[test]
fn entries_of_native_maps_have_both_parts_in_the_order_of_the_row() {
    let schema = "syntax = \"proto3\"; message M { map<string, int32> m = 1; map<bool, M> r = 2; }";
    let sink = Sink::new(schema, "m MAP<STRING, INT>, r MAP<BOOLEAN, ROW<m MAP<STRING, INT>>>");
    sink.all_written(&[
        ("({}, {})", ""),
        ("({'b': 1, 'a': 0, '': 2}, NULL)", "0a05 0a0162 1001 0a05 0a0161 1000 0a04 0a00 1002"),
        ("({'a': 1, 'a': 2}, NULL)", "0a05 0a0161 1001 0a05 0a0161 1002"),
        ("(NULL, {false: ({'a': 0})})", "120b 0800 1207 0a05 0a0161 1000"),
        ("({NULL: 1}, NULL)", "null-in-not-null m[].key"),
        ("({'a': NULL}, NULL)", "null-in-not-null m[].value"),
        ("(NULL, {true: NULL})", "null-in-not-null r[].value"),
    ]);
}

#[test]
fn entry_shaped_messages_omit_defaults_and_may_hold_null() {
    let schema = "syntax = \"proto3\"; message M { repeated Entry m = 1; repeated Count c = 2; }
        message Entry { optional string key = 1; int32 value = 2; }
        message Count { string key = 1; int32 value = 2; }";
    let sink = Sink::new(schema, "m MAP<STRING, INT>, c MULTISET<STRING>");
    sink.all_written(&[
        ("({'a': 0, '': 1, NULL: NULL}, NULL)", "0a03 0a0161 0a04 0a00 1001 0a00"),
        ("(NULL, {'a': 2, '': 1})", "1205 0a0161 1002 1202 1001"),
    ]);
}

#[test]
fn null_elements_have_no_form() {
    let schema = "syntax = \"proto3\"; message M { repeated int32 a = 1; repeated string s = 2;
        repeated M m = 3; }";
    let sink = Sink::new(schema, "a ARRAY<INT>, s ARRAY<STRING>, m ARRAY<ROW<a ARRAY<INT>>>");
    sink.all_written(&[
        ("([1, NULL], NULL, NULL)", "null-in-not-null a[]"),
        ("(NULL, [NULL], NULL)", "null-in-not-null s[]"),
        ("(NULL, NULL, [NULL])", "null-in-not-null m[]"),
        ("(NULL, NULL, [([1]), ([NULL])])", "null-in-not-null m[].a[]"),
    ]);
}
