//! Bytes that Flink 1.20.3's `RowDataSerializer.toBinaryRow` made of the same rows.

use super::{Table, hex};

/// `schema` is the body of message `M`.
fn same(body: &str, columns: &str, wire: &str, row: &str) {
    let schema = format!(
        "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message M {{ {body} }}"
    );
    assert_eq!(Table::new(&schema, columns).bytes(wire), Ok(hex(row)), "{columns}");
}

#[test]
fn timestamps_stand_in_the_slot_or_behind_it() {
    let body = "google.protobuf.Timestamp t = 1; string s = 2;";
    let (null, value) =
        ("120d 6c6f6e676572207468616e2037", "0a10 08ffffffffffffffffff01 10 80e59a77");
    same(
        body,
        "t TIMESTAMP(9), s STRING",
        null,
        "0001000000000000 0000000000000000 0d00000018000000 6c6f6e6765722074 68616e2037000000",
    );
    same(body, "t TIMESTAMP(3)", value, "0000000000000000 12fdffffffffffff");
    same(
        body,
        "t TIMESTAMP_LTZ(6)",
        "0a07 0801 10959aef3a",
        "0000000000000000 40f5060010000000 6304000000000000",
    );
}

#[test]
fn short_numbers_leave_the_rest_of_the_slot_zero() {
    same(
        "bool a = 1; int32 b = 2; int32 c = 3; int32 d = 4;",
        "a BOOLEAN, b TINYINT, c SMALLINT, d INT",
        "0801 10ffffffffffffffffff01 18ffffffffffffffffff01 20ffffffffffffffffff01",
        "0000000000000000 0100000000000000 ff00000000000000 ffff000000000000 ffffffff00000000",
    );
}

#[test]
fn arrays_are_packed_by_width() {
    same(
        "repeated bool a = 1;",
        "a ARRAY<BOOLEAN>",
        "0a03 010001",
        "0000000000000000 1000000010000000 0300000000000000 0100010000000000",
    );
    same(
        "repeated int32 a = 1;",
        "a ARRAY<INT>",
        "0a0c 0102 fdffffffffffffffff01",
        "0000000000000000 1800000010000000 0300000000000000 0100000002000000 fdffffff00000000",
    );
    same(
        "repeated string a = 1;",
        "a ARRAY<STRING>",
        "0a0161 0a0d6c6f6e676572207468616e2037 0a00",
        "0000000000000000 3000000010000000 0300000000000000 6100000000000081 0d00000020000000
         0000000000000080 6c6f6e6765722074 68616e2037000000",
    );
    same(
        "repeated int32 a = 1;",
        "a ARRAY<INT>",
        "",
        "0000000000000000 0800000010000000 0000000000000000",
    );
}

#[test]
fn arrays_make_every_nan_canonical_and_rows_do_not() {
    same(
        "repeated float a = 1; repeated double b = 2; float c = 3;",
        "a ARRAY<FLOAT>, c FLOAT",
        "0a08 2301c07f 0100c0ff 1d0100c0ff",
        "0000000000000000 1000000018000000 0100c0ff00000000 0200000000000000 0000c07f0000c07f",
    );
    same(
        "repeated double b = 2;",
        "b ARRAY<DOUBLE>",
        "1208 230100000000f8ff",
        "0000000000000000 1000000010000000 0100000000000000 000000000000f87f",
    );
}

#[test]
fn maps_are_padded_behind_the_value_array() {
    let body = "map<string, int32> m = 1; string s = 2;";
    same(
        body,
        "m MAP<STRING, INT>, s STRING",
        "0a05 0a016b 1007 120d6c6f6e676572207468616e2037",
        "0000000000000000 2400000018000000 0d00000040000000 1000000001000000 000000006b000000
         0000008101000000 0000000007000000 0000000000000000 6c6f6e6765722074 68616e2037000000",
    );
    same(
        body,
        "m MAP<STRING, INT>",
        "",
        "0000000000000000 1400000010000000 0800000000000000 0000000000000000 0000000000000000",
    );
}

#[test]
fn unsigned_decimals_take_sixteen_bytes() {
    let body = "uint64 d = 1;";
    same(
        body,
        "d DECIMAL(20, 0)",
        "08ffffffffffffffffff01",
        "0000000000000000 0900000010000000 00ffffffffffffff ff00000000000000",
    );
    same(
        body,
        "d DECIMAL(20, 0)",
        "",
        "0000000000000000 0100000010000000 0000000000000000 0000000000000000",
    );
}

#[test]
fn nested_rows_and_columns_without_order() {
    let schema = "message N { int32 x = 1; optional string s = 2; } N n = 1; bytes b = 2;";
    let row = "0000000000000000 1800000018000000 0800000030000000 0000000000000000 0500000000000000
               7800000000000081 0102030405060708";
    let (n, b) = ("0a05 0805 120178", "1208 0102030405060708");
    same(schema, "n ROW<x INT, s STRING>, b BYTES", &format!("{n} {b}"), row);
    same(schema, "n ROW<x INT, s STRING>, b BYTES", &format!("{b} {n}"), row);
}
