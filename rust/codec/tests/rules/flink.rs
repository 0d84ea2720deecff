//! The FLINK profile's presence rules (section 1.2 of the contract) and unknown enum numbers.

use super::{Setup, Table};

const PROTO2: &str =
    "syntax = \"proto2\"; message M { optional int32 i = 1 [default = 7]; optional string s = 2;
    optional E e = 3; repeated int32 r = 4; optional M m = 5; } enum E { FIVE = 5; ONE = 1; }";
const PROTO3: &str = "syntax = \"proto3\"; message M { int32 i = 1; optional string s = 2; E e = 3;
    repeated int32 r = 4; M m = 5; oneof o { int32 o1 = 6; } } enum E { ZERO = 0; ONE = 1; }";
const COLUMNS: &str = "i INT, s STRING, e STRING, r ARRAY<INT>, m ROW<i INT, r ARRAY<INT>>";

fn table(schema: &str, columns: &str, read_defaults: bool) -> Table {
    let setup = Setup { flink: true, read_defaults, ..Setup::default() };
    Table::with(schema, columns, setup).unwrap()
}

#[test]
fn absent_fields_follow_syntax_and_flag() {
    assert_eq!(table(PROTO2, COLUMNS, false).read(""), "(NULL, NULL, NULL, NULL, NULL)");
    assert_eq!(table(PROTO2, COLUMNS, true).read(""), "(7, '', 'FIVE', [], (7, []))");
    assert_eq!(table(PROTO3, COLUMNS, false).read(""), "(0, '', 'ZERO', NULL, NULL)");
    assert_eq!(table(PROTO3, COLUMNS, true).read(""), "(0, '', 'ZERO', [], (0, []))");
    assert_eq!(table(PROTO3, "o1 INT", false).read(""), "(0)");
}

#[test]
fn empty_collections_are_absent() {
    assert_eq!(table(PROTO3, COLUMNS, false).read("2200 2a00"), "(0, '', 'ZERO', NULL, (0, NULL))");
    assert_eq!(table(PROTO2, "r ARRAY<INT>", false).read("2200 2001"), "([1])");
}

#[test]
fn not_null_is_not_enforced() {
    assert_eq!(table(PROTO2, "i INT NOT NULL", false).read(""), "(NULL)");
}

#[test]
fn unknown_enum_numbers() {
    assert_eq!(table(PROTO3, "e STRING", false).read("1863"), "('UNRECOGNIZED')");
    assert_eq!(table(PROTO2, "e STRING", false).read("1863"), "(NULL)");
    assert_eq!(table(PROTO3, "e INT", false).read("1801"), "(1)");
    assert_eq!(table(PROTO3, "e INT", false).read("1863"), "unknown-enum-number e 0");
    assert_eq!(table(PROTO3, "e INT", false).read("1863 1801"), "(1)", "the last value counts");
}

#[test]
fn columns_must_be_fields_and_types_are_not_widened() {
    let setup = Setup { flink: true, ..Setup::default() };
    for columns in ["gone INT", "i BIGINT", "r ARRAY<BIGINT>"] {
        let failure = Table::with(PROTO3, columns, setup).err().unwrap();
        assert_eq!(failure.code.label(), "type-mismatch", "{columns}");
    }
}
