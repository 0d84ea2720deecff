//! The shape of messages: unknown fields, groups, depth, required fields, names.

use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_testkit::arbitrary::wire::varint;

use super::Table;

#[test]
fn wire_faults_are_named_with_field_and_offset() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { int32 a = 1; repeated N line = 2; } message N { string sku = 1; }",
        "line ARRAY<ROW<sku STRING>>",
    );
    for (wire, expected) in [
        ("08", "truncated a 0"),
        ("08ffffffffffffffffffff01", "malformed-varint a 0"),
        ("0001", "invalid-tag  0"),
        ("0e01", "invalid-wire-type  0"),
        ("0c", "end-group-mismatch  0"),
        ("1a05", "truncated  0"),
        ("1205 0a0378", "truncated line[] 0"),
        ("1200 1204 0a0241ff", "invalid-utf8 line[].sku 4"),
        ("1202 0a05", "truncated line[].sku 2"),
        ("1202 0c00", "end-group-mismatch line[] 2"),
        ("7f7f7f7f7f", "invalid-wire-type  0"),
    ] {
        assert_eq!(table.read(wire), expected, "{wire}");
    }
}

#[test]
fn unselected_fields_are_checked_as_well() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { int32 a = 1; N n = 2; repeated fixed64 f = 3;
         repeated int32 v = 4; map<string, N> m = 5; } message N { string s = 1; N n = 2; }",
        "a INT",
    );
    assert_eq!(table.read("0801 1203 0a0178 1a08 0102030405060708 2201 05"), "(1)");
    assert_eq!(table.read("1207 1205 1203 0a01ff"), "invalid-utf8 n.n.n.s 6");
    assert_eq!(table.read("1a09 010203040506070809"), "truncated f[] 10");
    assert_eq!(table.read("2202 0580"), "truncated v[] 3");
    assert_eq!(table.read("2a05 1203 0a01ff"), "invalid-utf8 m[].value.s 4");
    assert_eq!(table.read("0a01ff 0801"), "(1)", "another wire type is an unknown field");
}

#[test]
fn groups_are_rows_and_may_be_unknown() {
    let table = Table::new(
        "syntax = \"proto2\"; message M { optional group Pair = 1 { optional int32 x = 2;
         optional string s = 3; } repeated group Line = 4 { optional int32 x = 5; }
         optional group Hidden = 6 { optional int32 x = 7; } optional int32 a = 8; }",
        "pair ROW<x INT, s STRING>, line ARRAY<ROW<x INT>>, a INT",
    );
    assert_eq!(table.read("0b 1001 0c 23 2802 24 23 24 4003"), "((1, NULL), [(2), (NULL)], 3)");
    assert_eq!(table.read("0b 1001 0c 0b 1a0178 0c"), "((1, 'x'), [], NULL)", "pieces merge");
    assert_eq!(table.read("33 3807 34 4001 7b 08 01 7c"), "(NULL, [], 1)");
    assert_eq!(table.read("0b 1001"), "end-group-mismatch pair 0");
    assert_eq!(table.read("33 3807 3c"), "end-group-mismatch hidden 3");
    assert_eq!(table.read("33 3807"), "end-group-mismatch hidden 3");
    assert_eq!(table.read("7b 0801 74"), "end-group-mismatch  0");
}

fn nested_in(tag: u8, inner: &[u8]) -> Vec<u8> {
    let mut out = vec![tag];
    varint(&mut out, inner.len() as u64);
    out.extend(inner);
    out
}

fn nested(levels: usize, tag: u8) -> Vec<u8> {
    (0..levels).fold(Vec::new(), |inner, _| nested_in(tag, &inner))
}

#[test]
fn a_hundred_levels_pass_and_one_more_does_not() {
    let schema = "syntax = \"proto3\"; message M { M m = 1; repeated M r = 2; int32 a = 3;
                  map<int32, M> e = 4; }";
    let table = Table::new(schema, "a INT");
    let rows = Table::new(schema, "m ROW<m ROW<m ROW<a INT>>>");
    for (table, tag) in [(&table, 0x0a), (&table, 0x12), (&rows, 0x0a)] {
        assert!(table.decode(&nested(100, tag)).is_ok());
        let failure = table.decode(&nested(101, tag)).unwrap_err();
        assert_eq!(failure.code.label(), "too-deep");
    }
    let groups = |levels: usize| [vec![0x2b; levels], vec![0x2c; levels]].concat();
    assert!(table.decode(&groups(100)).is_ok());
    assert_eq!(table.decode(&groups(101)).unwrap_err().code.label(), "too-deep");
    // A map level costs two: the entry and its value.
    let maps = |levels: usize| {
        (0..levels).fold(Vec::new(), |inner, _| nested_in(0x22, &nested_in(0x12, &inner)))
    };
    assert!(table.decode(&maps(50)).is_ok());
    assert_eq!(table.decode(&maps(51)).unwrap_err().code.label(), "too-deep");
}

#[test]
fn required_fields_are_asked_for_in_the_whole_tree() {
    let schema =
        "syntax = \"proto2\"; message M { optional R r = 1; repeated R l = 2; optional int32 a = 3;
                  oneof o { R x = 4; int32 y = 5; } map<int32, R> m = 6; optional M deep = 7; }
                  message R { required int32 q = 1; optional int32 p = 2; }";
    let hidden = Table::new(schema, "a INT");
    let shown = Table::new(
        schema,
        "a INT, r ROW<p INT>, l ARRAY<ROW<q INT>>, x ROW<p INT>, m MAP<INT, ROW<q INT>>",
    );
    for table in [&hidden, &shown] {
        assert!(table.bytes("").is_ok());
        assert_eq!(table.read("0a02 1001"), "missing-required r.q 2");
        assert!(table.bytes("0a02 1001 0a02 0801").is_ok(), "the pieces of a message are one");
        assert_eq!(table.read("1202 0801 1200"), "missing-required l[].q 6");
        assert_eq!(table.read("2200"), "missing-required x.q 2");
        assert!(table.bytes("2200 2801").is_ok(), "a cleared member is not asked");
        assert_eq!(table.read("2202 0880 2801"), "truncated x.q 2", "but it is checked");
        assert_eq!(table.read("3a02 0a00"), "missing-required deep.r.q 4");
        assert_eq!(table.read("3206 0801 12020805"), table.read("3206 0801 12020805"));
        assert!(table.read("3202 0801").starts_with("missing-required m[].value 2"));
    }
    assert_eq!(shown.read("3206 0801 12020805"), "(NULL, NULL, [], NULL, {1: (5)})");
}

#[test]
fn pairs_that_make_no_sense_are_refused_by_name() {
    let schema = "syntax = \"proto3\"; import \"google/protobuf/duration.proto\"; message M { string s = 1;
                  N n = 2; repeated int32 r = 3; google.protobuf.Duration d = 4; } message N { int32 i = 1; }";
    let failure = Table::refused(schema, "n ROW<i STRING>");
    assert_eq!(
        failure.to_string(),
        "[type-mismatch 401] VARCHAR cannot hold field i, which is int32 (message M, field n.i)"
    );
    assert_eq!(Table::refused(schema, "s INT").code.label(), "type-mismatch");
    assert_eq!(Table::refused(schema, "r INT").code.label(), "type-mismatch");
    assert_eq!(Table::refused(schema, "n BINARY(3)").code.label(), "type-mismatch");
    assert_eq!(Table::new(schema, "d ROW<nanos INT>").read("2202 1005"), "((5))");
}

#[test]
fn what_has_no_place_is_reported_where_it_should_have_been() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { map<int32, N> m = 1; }
         message N { optional int32 x = 1; }",
        "m MAP<INT, ROW<x INT NOT NULL>>",
    );
    // Three bytes stand in front of the message; the entry has no value, so its ROW has no bytes.
    let record = [0xff, 0xff, 0xff, 0x0a, 0x02, 0x08, 0x01];
    let (mut decoder, mut rows) = (Decoder::new(), RowBuffer::with_capacity(0));
    assert!(decoder.decode_row(&table.program, &Slab::of(&record), 3, &mut rows).is_err());
    let failure = decoder.failure(&table.program);
    assert_eq!(super::refusal(&failure), "null-in-not-null m[].value.x 5");
}
