//! Rows that are not in Flink's layout: each offset, length and count is checked before it is used.

use super::{Setup, Sink, image};

const SCHEMA: &str = "syntax = \"proto3\"; import \"confluent/type/decimal.proto\"; import
    \"google/protobuf/timestamp.proto\"; message M { string s = 1; repeated int32 a = 2;
    map<int32, int32> m = 3; M r = 4; confluent.type.Decimal d = 5; google.protobuf.Timestamp t = 6;
    oneof o { int32 x = 7; M y = 8; } repeated bool b = 9; }";

/// The row with the `len` lower bytes of `value` at `at`.
fn patched(row: &[u8], at: usize, value: u64, len: usize) -> Vec<u8> {
    let mut row = row.to_vec();
    row[at..at + len].copy_from_slice(&value.to_le_bytes()[..len]);
    row
}

/// Where the slot of the one column and the part behind it stand.
const SLOT: usize = 8;
const PART: usize = 16;

/// A table of one column, and a good row of it.
fn one(columns: &str, row: &str) -> (Sink, Vec<u8>) {
    let sink = Sink::new(SCHEMA, columns);
    let bytes = image::row(row, &sink.row);
    assert!(sink.encode(&bytes).is_ok());
    (sink, bytes)
}

#[test]
fn rows_shorter_than_their_columns() {
    let (sink, row) = one("s STRING", "('x')");
    for len in 0..row.len() {
        assert_eq!(sink.written(&row[..len]), "malformed-row", "{len}");
    }
}

#[test]
fn text_that_leads_out_of_the_row() {
    let (sink, row) = one("s STRING", "('longer than 7')");
    let part = PART as u64;
    for (offset, len) in
        [(part, 17), (part, 1000), (part + 8, 9), (1000, 1), (u32::MAX as u64 >> 1, 1)]
    {
        let row = patched(&row, SLOT, offset << 32 | len, 8);
        assert_eq!(sink.written(&row), "malformed-row s", "{offset} {len}");
    }
    for len in 0..PART + 13 {
        assert!(sink.written(&row[..len]).starts_with("malformed-row"), "{len}");
    }
    assert_eq!(
        sink.written(&patched(&row, SLOT + 7, 0x88, 1)),
        "malformed-row s",
        "8 bytes in a cell"
    );
    assert_eq!(
        sink.written(&patched(&row, SLOT + 7, 0xff, 1)),
        "malformed-row s",
        "127 bytes in a cell"
    );
}

#[test]
fn counts_of_arrays() {
    let (sink, row) = one("a ARRAY<INT>", "([1, 2, 3])");
    for count in [5, 33, 1000, u32::MAX] {
        let row = patched(&row, PART, u64::from(count), 4);
        assert_eq!(sink.written(&row), "malformed-row a[]", "{count}");
    }
    // The header alone is longer than the array.
    let (sink, row) = one("b ARRAY<BOOLEAN>", "([])");
    assert_eq!(sink.written(&patched(&row, SLOT, (PART as u64) << 32 | 3, 8)), "malformed-row b[]");
    assert_eq!(sink.written(&patched(&row, SLOT, 1 << 62, 8)), "malformed-row b[]");
}

#[test]
fn lengths_and_counts_of_maps() {
    for setup in [Setup::default(), super::FLINK] {
        let sink = Sink::with(SCHEMA, "m MAP<INT, INT>", setup).unwrap();
        let row = image::row("({1: 2, 3: 4})", &sink.row);
        assert!(sink.encode(&row).is_ok());
        let refused = |row: &[u8]| assert_eq!(sink.written(row), "malformed-row m[]");
        refused(&patched(&row, SLOT, (PART as u64) << 32 | 3, 8)); // no room for the length
        refused(&patched(&row, PART, 1000, 4)); // keys longer than the map
        refused(&patched(&row, PART, 0, 4)); // keys of no bytes
        refused(&patched(&row, PART + 4, 1, 4)); // one key, two values
        refused(&patched(&row, PART + 4 + 16, 3, 4)); // three values
    }
}

#[test]
fn rows_inside_rows() {
    let (sink, row) = one("r ROW<s STRING, a ARRAY<INT>>", "(('x', [1]))");
    let part = (PART as u64) << 32;
    assert_eq!(sink.written(&patched(&row, SLOT, part | 23, 8)), "malformed-row r");
    assert_eq!(sink.written(&patched(&row, SLOT, part | 1000, 8)), "malformed-row r");
    // Its own offsets count from its own beginning.
    let inner = patched(&row, PART + 16, 1000 << 32 | 16, 8);
    assert_eq!(sink.written(&inner), "malformed-row r.a[]");
}

#[test]
fn rows_of_oneofs() {
    let (sink, row) = one("o ROW<x INT, y ROW<s STRING>>", "((1, NULL))");
    let part = (PART as u64) << 32;
    assert_eq!(sink.written(&patched(&row, SLOT, part | 23, 8)), "malformed-row");
    assert_eq!(sink.written(&patched(&row, SLOT, 1000 << 32 | 24, 8)), "malformed-row");
}

#[test]
fn decimals_of_no_or_too_many_bytes() {
    let (sink, row) = one("d DECIMAL(20, 0)", "(1)");
    for len in [0, 17] {
        let slot = (PART as u64) << 32 | len;
        assert_eq!(sink.written(&patched(&row, SLOT, slot, 8)), "malformed-row d", "{len}");
    }
    assert_eq!(sink.written(&patched(&row, SLOT, 1000 << 32 | 1, 8)), "malformed-row d");
}

#[test]
fn timestamps_whose_milliseconds_stand_elsewhere() {
    let (sink, row) = one("t TIMESTAMP(9)", "(1 1)");
    assert_eq!(sink.written(&patched(&row, SLOT, 1000 << 32 | 1, 8)), "malformed-row t");
    assert_eq!(sink.written(&row[..row.len() - 1]), "malformed-row t");
}
