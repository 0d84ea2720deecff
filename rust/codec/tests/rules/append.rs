//! Which records go the short way, and that the long way makes the same rows.

use super::{Setup, Table, hex};
use sluice_codec::{Decoder, RowBuffer, Slab};

const SCHEMA: &str = "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message M { \
    int32 i = 1; string s = 2; optional string t = 3; E e = 4; N n = 5; repeated int64 p = 6; \
    repeated N r = 7; map<string, int32> m = 8; google.protobuf.Timestamp at = 9; \
    oneof c { string x = 10; sint64 y = 11; N z = 12; } bytes b = 13; fixed32 f = 14; \
    repeated string w = 15; int64 v = 16; } \
    message N { int64 id = 1; string name = 2; } \
    enum E { A_NAME_OF_THE_ENUM = 0; B = 1; }";
const COLUMNS: &str = "i INT, s STRING, t STRING, e STRING, n ROW<id BIGINT, name STRING>, \
    p ARRAY<BIGINT>, r ARRAY<ROW<id BIGINT, name STRING>>, m MAP<STRING, INT>, \
    at TIMESTAMP_LTZ(3), x STRING, y BIGINT, z ROW<id BIGINT, name STRING>, b BYTES, f BIGINT, w ARRAY<STRING>, \
    v BIGINT";

const I: &str = "0807";
const S: &str = "1209 6c6f6e672074657874";
const T: &str = "1a01 74";
const E_: &str = "2001";
const N: &str = "2a05 0801 1201 6e";
const P: &str = "3204 01 ac02 03";
const R: &str = "3a02 0801 3a03 1201 61";
const M: &str = "4205 0a01 6b 1002 4203 0a01 6c";
const AT: &str = "4a02 0805";
const X: &str = "5201 78";
const Y: &str = "5803";
const Z: &str = "6202 0809";
const B: &str = "6a03 ff00fe";
const F: &str = "75 01000000";
const W: &str = "7a03 c3a962 7a00 7a09 6c6f6e672074657874";
const V: &str = "8001 05";

/// The row, and how often the short way was given up.
fn decode(table: &Table, wire: &str) -> (Vec<u8>, u64) {
    let (mut decoder, mut rows) = (Decoder::new(), RowBuffer::with_capacity(0));
    let slab = Slab::of(&hex(wire));
    decoder.decode_row(&table.program, &slab, 0, &mut rows).expect("a valid record");
    (rows.rows().to_vec(), decoder.given_up())
}

#[test]
fn fields_by_number_go_the_short_way() {
    let table = Table::new(SCHEMA, COLUMNS);
    for wire in [
        &[][..],
        &[I, S, T, E_, N, P, R, M, AT, X, B, F, W, V],
        &[I, S, E_, P, M, Y, F],
        &[N, R, AT, Z],
        &[S, I, I, B], // numbers may come anywhere, and again
        &[F, I, Y],
        &[I, "a006 01", "a206 0161", S, F], // unknown fields do not matter
    ] {
        assert_eq!(decode(&table, &wire.concat()).1, 0, "{wire:?}");
    }
}

#[test]
fn any_other_order_makes_the_same_row_by_the_long_way() {
    let table = Table::new(SCHEMA, COLUMNS);
    for (ordered, other) in [
        (vec![S, T], vec![T, S]),
        (vec![I, S, T, E_, N, P, R, M, AT, B], vec![B, AT, M, R, P, N, E_, T, S, I]),
        (vec![S], vec![S, S]),
        (vec!["2a05 0802 1201 6e"], vec!["2a02 0802", "2a03 1201 6e"]),
        (vec!["3204 01 ac02 03", AT], vec!["3201 01", AT, "3203 ac02 03"]),
        (vec!["7a01 61 7a01 62", V], vec!["7a01 61", V, "7a01 62"]),
        (vec![Y], vec![X, Y]),
        (vec![X], vec![Y, X]),
        (vec![Z], vec![X, Z]),
    ] {
        let (row, given_up) = decode(&table, &ordered.concat());
        assert_eq!(given_up, 0, "{ordered:?}");
        assert_eq!(decode(&table, &other.concat()), (row, 1), "{other:?}");
    }
}

/// An absent enum, array, map and message of CONFLUENT stand between what comes.
#[test]
fn absent_columns_are_written_in_their_place() {
    let table = Table::new(SCHEMA, COLUMNS);
    for (wire, again) in
        [(vec![I, S], S), (vec![S, M, AT], AT), (vec![S, B], B), (vec![E_, AT], E_), (vec![X], X)]
    {
        let (row, given_up) = decode(&table, &wire.concat());
        assert_eq!(given_up, 0, "{wire:?}");
        // A field that comes once more, unchanged, leads over the long way.
        let twice = [wire.concat(), again.to_string()].concat();
        assert_eq!(decode(&table, &twice), (row, 1), "{wire:?}");
    }
}

#[test]
fn columns_in_another_order_than_fields_have_no_short_way() {
    let schema = "syntax = \"proto3\"; message M { string a = 1; string b = 2; int32 c = 3; }";
    let (a, b) = ("0a01 61", "1201 62");
    let ordered = Table::new(schema, "c INT, a STRING, b STRING");
    assert_eq!(decode(&ordered, &[a, b].concat()).1, 0);
    let row = |columns| Table::new(schema, columns).program.messages[0].append.is_some();
    assert!(row("c INT, a STRING, b STRING"));
    assert!(!row("b STRING, a STRING, c INT"));
}

/// Texts that are repaired have the short way as long as there is nothing to repair.
#[test]
fn repeated_texts_are_repaired_by_the_long_way() {
    let schema = "syntax = \"proto2\"; message M { repeated string w = 1; }";
    let table = Table::new(schema, "w ARRAY<STRING>");
    for (wire, row, given_up) in [
        ("0a01 61 0a03 c3a962 0a00", "(['a', 'éb', ''])", 0),
        ("0a01 61 0a03 61ff62", "(['a', 'a\u{fffd}b'])", 1),
    ] {
        assert_eq!(table.read(wire), row, "{wire}");
        assert_eq!(decode(&table, wire).1, given_up, "{wire}");
    }
}

/// A record that is refused is refused by the long way, which knows the place.
#[test]
fn faults_are_told_as_ever() {
    let table = Table::with(SCHEMA, COLUMNS, Setup::default()).expect("a table");
    for (wire, refusal) in [
        ("1202 c328", "invalid-utf8 s 0"),
        ("0807 1205 61", "truncated s 2"),
        ("3a04 1202 c328", "invalid-utf8 r[].name 2"),
        ("7a01 61 7a02 c328", "invalid-utf8 w[] 3"),
        ("7a01 61 7a05 61", "truncated w[] 3"),
        ("08ffffffffffffffffffff01", "malformed-varint i 0"),
    ] {
        assert_eq!(table.read(wire), refusal, "{wire}");
    }
}
