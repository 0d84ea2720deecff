//! Fields that are found by their tags make the rows, and the refusals, of those that are guessed.

use super::{Setup, Table, hex, refusal, render};
use sluice_codec::{Decoder, RowBuffer, Slab};

const COLUMNS: &str = "s STRING, n BIGINT, z INT, y BIGINT, b BOOLEAN, d DOUBLE, x BIGINT, o BYTES, \
    e STRING";

/// Nine columns, and many texts and numbers that nobody asks for.
fn table() -> Table {
    let skipped: String = (20..60)
        .map(|number| {
            let kind = ["string", "int64", "double", "fixed32"][number % 4];
            format!("{kind} skipped{number} = {number}; ")
        })
        .collect();
    let schema = format!(
        "syntax = \"proto3\"; message M {{ string s = 1; int64 n = 2; sint32 z = 3; sint64 y = 4; \
        bool b = 5; double d = 6; fixed32 x = 7; bytes o = 8; E e = 16; {skipped} }} \
        enum E {{ ZERO = 0; A_NAME_OF_THE_ENUM = 1; }}"
    );
    Table::new(&schema, COLUMNS)
}

const S: &str = "0a09 6c6f6e672074657874";
const N: &str = "10 ffffffffffffffffff01";
const Z: &str = "1803";
const Y: &str = "20 ffffffffffffffffff01";
const B: &str = "28 80808080808001";
const D: &str = "31 000000000000f83f";
const X: &str = "3d ffffffff";
const O: &str = "4203 ff00fe";
const E_: &str = "800101";
const SKIPPED: [&str; 4] = ["a20103 616263", "a8017f", "b101 0102030405060708", "bd01 01020304"];

/// The row or the refusal, and whether the long way told it.
fn read_with(mut decoder: Decoder, table: &Table, wire: &str) -> (String, u64) {
    let mut rows = RowBuffer::with_capacity(0);
    let read = match decoder.decode_row(&table.program, &Slab::of(&hex(wire)), 0, &mut rows) {
        Ok(_) => render::row(rows.rows(), &table.row),
        Err(_) => refusal(&decoder.failure(&table.program)),
    };
    (read, decoder.given_up())
}

/// The same of all decoders that look up fields by their tags.
fn scattered(table: &Table, wire: &str) -> (String, u64) {
    let read = read_with(Decoder::new().never_guessing(), table, wire);
    assert_eq!(read, read_with(Decoder::baseline().never_guessing(), table, wire));
    read
}

#[test]
fn any_order_makes_the_row_without_the_long_way() {
    let table = table();
    let long_text = format!("0aac02 {}", "61".repeat(300));
    let long_number = "a801 ffffffffffffffffff01";
    for wire in [
        &[][..],
        &[S, N, Z, Y, B, D, X, O, E_],
        &[E_, O, X, D, B, Y, Z, N, S],
        &[O, SKIPPED[0], S, SKIPPED[1], SKIPPED[2], E_, SKIPPED[3]],
        &[N, "1007", Z, Z, E_, E_, O, "4201 00"],
        &[
            "c03e01",
            "c13e 0102030405060708",
            "c23e 0461626364",
            "c53e 01020304",
            "12 0161",
            "0d 01020304",
        ],
        &[&long_text, long_number],
        &["0a00", "1000", "800100"],
        &["0a0e c3a9c3a9c3a9c3a9c3a9c3a9c3a9"],
    ] {
        let wire = wire.concat();
        let (read, given_up) = scattered(&table, &wire);
        assert_eq!(read, read_with(Decoder::new(), &table, &wire).0, "{wire}");
        assert_eq!(given_up, 0, "{wire}");
    }
}

#[test]
fn values_are_those_that_came_last() {
    let all = [S, N, Z, Y, B, D, X, O, E_, SKIPPED[0], "1003"].concat();
    let wanted = "('long text', 3, -2, -9223372036854775808, true, 1.5, 4294967295, xff00fe, \
        'A_NAME_OF_THE_ENUM')";
    assert_eq!(scattered(&table(), &all).0, wanted);
}

#[test]
fn what_has_to_be_looked_at_twice_goes_the_long_way() {
    let table = table();
    for wire in [[S, S].concat(), "8001 05".to_string(), "a20103 6162ff".to_string()] {
        let (read, given_up) = scattered(&table, &wire);
        assert_eq!(read, read_with(Decoder::new(), &table, &wire).0, "{wire}");
        assert_eq!(given_up, 1, "{wire}");
    }
}

#[test]
fn faults_are_told_as_ever() {
    let table = table();
    let texts = |count: usize| format!("{} a20102 c328", "a20101 61".repeat(count));
    for (wire, refusal) in [
        ("0a02 c328".to_string(), "invalid-utf8 s 0"),
        (format!("0a02 c328 {S}"), "invalid-utf8 s 0"),
        (texts(0), "invalid-utf8 skipped20 0"),
        (texts(15), "invalid-utf8 skipped20 60"),
        (texts(16), "invalid-utf8 skipped20 64"),
        (texts(40), "invalid-utf8 skipped20 160"),
        (format!("{} {S}", texts(3)), "invalid-utf8 skipped20 12"),
        ("10ff".to_string(), "truncated n 0"),
        ("10ffffffffffffffffffff01".to_string(), "malformed-varint n 0"),
        ("0a05 61".to_string(), "truncated s 0"),
        ("0aff01 61".to_string(), "truncated s 0"),
        ("31 0102".to_string(), "truncated d 0"),
        ("0001".to_string(), "invalid-tag  0"),
        ("c33e".to_string(), "end-group-mismatch  0"),
        ("c43e".to_string(), "end-group-mismatch  0"),
        ("c63e".to_string(), "invalid-wire-type  0"),
    ] {
        let wanted = read_with(Decoder::new(), &table, &wire).0;
        assert_eq!(scattered(&table, &wire).0, wanted, "{wire}");
        assert_eq!(wanted, refusal, "{wire}");
    }
}

#[test]
fn a_required_field_is_asked_for_at_the_end() {
    let fields: String =
        (1..20).map(|number| format!("required int32 f{number} = {number}; ")).collect();
    let schema = format!("syntax = \"proto2\"; message M {{ {fields} }}");
    let table = Table::new(&schema, "f1 INT, f19 INT");
    let record = |last: u32| -> String {
        (1..=last)
            .map(|n| {
                if n < 16 {
                    format!("{:02x}01", n << 3)
                } else {
                    format!("{:02x}0101", (n << 3 & 0x7f) | 0x80)
                }
            })
            .collect()
    };
    for decoder in [Decoder::new(), Decoder::new().never_guessing()] {
        assert_eq!(read_with(decoder, &table, &record(19)), ("(1, 1)".to_string(), 0));
    }
    let refused = read_with(Decoder::new(), &table, &record(18)).0;
    assert_eq!(refused, "missing-required f19 0");
    assert_eq!(scattered(&table, &record(18)).0, refused);
}

/// Twenty texts of proto2, a closed enum and a text whose defaults do not fit a slot.
fn legacy_table() -> Table {
    let texts: String = (1..21).map(|n| format!("optional string f{n} = {n}; ")).collect();
    let schema = format!(
        "syntax = \"proto2\"; message M {{ {texts} optional E e = 21 [default = A_NAME_OF_THE_ENUM]; \
        optional string d = 22 [default = \"{DEFAULT}\"]; }} \
        enum E {{ A = 1; A_NAME_OF_THE_ENUM = 2; }}"
    );
    let setup = Setup { flink: true, read_defaults: true, ..Setup::default() };
    Table::with(&schema, "f1 STRING, e STRING, d STRING", setup).unwrap()
}

const DEFAULT: &str = "a text that is longer than a block of 32 bytes";

#[test]
fn defaults_that_fit_no_slot_are_written() {
    let table = legacy_table();
    for (wire, row) in [
        ("", format!("('', 'A_NAME_OF_THE_ENUM', '{DEFAULT}')")),
        ("0a01 61 a80101", format!("('a', 'A', '{DEFAULT}')")),
        ("b20108 6c6f6e676572 2e2e", "('', 'A_NAME_OF_THE_ENUM', 'longer..')".to_string()),
        ("b20100 a80102 0a00", "('', 'A_NAME_OF_THE_ENUM', '')".to_string()),
    ] {
        assert_eq!(read_with(Decoder::new(), &table, wire).0, row, "{wire}");
        assert_eq!(scattered(&table, wire), (row, 0), "{wire}");
    }
}

/// The room of a record is that of its own bytes, and of all defaults.
#[test]
fn there_is_room_for_long_defaults() {
    let default = "long".repeat(20_000);
    let numbers: String = (1..20).map(|n| format!("optional int32 f{n} = {n}; ")).collect();
    let schema = format!(
        "syntax = \"proto2\"; message M {{ {numbers} \
        optional string d = 20 [default = \"{default}\"]; }}"
    );
    let setup = Setup { flink: true, read_defaults: true, ..Setup::default() };
    let table = Table::with(&schema, "f1 INT, d STRING", setup).unwrap();
    assert_eq!(scattered(&table, "0807"), (format!("(7, '{default}')"), 0));
}

/// Lenient texts and closed enums have no other way than strict texts and open enums.
#[test]
fn only_what_wants_repair_goes_the_long_way() {
    let table = legacy_table();
    for (wire, row, given_up) in [
        ("0a03 c3a962 a80101 b20100", "('éb', 'A', '')", 0),
        ("0a03 61ff62 a80101 b20100", "('a\u{fffd}b', 'A', '')", 1),
        ("0a01 61 a80101 a80109 b20100", "('a', 'A', '')", 1),
        ("0a01 61 a80109 b20100", "('a', 'A_NAME_OF_THE_ENUM', '')", 1),
    ] {
        let wanted = (row.to_string(), given_up);
        assert_eq!(read_with(Decoder::new(), &table, wire), wanted, "{wire}");
        assert_eq!(scattered(&table, wire), wanted, "{wire}");
    }
}

#[test]
fn messages_with_more_than_plain_fields_are_not_scattered() {
    let plain: String = (1..20).map(|number| format!("string f{number} = {number}; ")).collect();
    for (more, columns, is_scattered) in [
        ("", "f1 STRING, f3 STRING", true),
        ("repeated int32 r = 30;", "f1 STRING, f3 STRING", false),
        ("oneof c { int32 a = 30; string b = 31; }", "f1 STRING, f3 STRING", true),
        ("oneof c { int32 a = 30; string b = 31; }", "f1 STRING, a INT, b STRING", false),
    ] {
        let schema = format!("syntax = \"proto3\"; message M {{ {plain} {more} }}");
        let table = Table::new(&schema, columns);
        let append = table.program.messages[0].append.as_ref().expect("columns by number");
        assert_eq!(append.scatter.is_some(), is_scattered, "{more} {columns}");
    }
}
