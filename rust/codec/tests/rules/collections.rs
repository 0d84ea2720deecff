//! Collections that the short way writes by itself are those of the long way.

use std::sync::LazyLock;

use super::{Setup, Table};
use proptest::collection::vec;
use proptest::prelude::*;
use sluice_codec::{Decoder, RowBuffer, Slab};

const SCHEMA: &str = "syntax = \"proto3\"; message M { \
    string head = 1; map<string, string> m = 2; repeated int64 l = 3; repeated sint32 z = 4; \
    repeated int32 i = 5; repeated N n = 6; N one = 7; string tail = 8; } \
    message N { int64 id = 1; string name = 2; repeated N inner = 3; }";
const COLUMNS: &str = "head STRING, m MAP<STRING, STRING>, l ARRAY<BIGINT>, z ARRAY<INT>, \
    i ARRAY<INT>, n ARRAY<ROW<id BIGINT, name STRING, inner ARRAY<ROW<name STRING>>>>, \
    one ROW<id BIGINT, name STRING>, tail STRING";

static TABLES: LazyLock<[Table; 2]> = LazyLock::new(|| {
    [false, true].map(|flink| {
        let setup = Setup { flink, ..Setup::default() };
        Table::with(SCHEMA, COLUMNS, setup).expect("a table")
    })
});

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// A length-delimited field.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    [&[number << 3 | 2][..], &varint(bytes.len() as u64), bytes].concat()
}

/// Texts of one letter to 40, now and then of two bytes, rarely no text at all.
fn text() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[a-c]{0,3}".prop_map(String::into_bytes),
        3 => "[a-zé]{0,40}".prop_map(String::into_bytes),
        1 => Just(vec![0xc3]),
    ]
}

/// Key and value, now and then without one, the other way round, or with more.
fn entry() -> impl Strategy<Value = Vec<u8>> {
    (text(), text(), 0..20).prop_map(|(key, value, form)| {
        let (key, value) = (field(1, &key), field(2, &value));
        match form {
            0 => key,
            1 => value,
            2 => [value, key].concat(),
            3 => [&key[..], &value, &[0x18, 1]].concat(),
            _ => [key, value].concat(),
        }
    })
}

fn numbers() -> impl Strategy<Value = Vec<u8>> {
    let number = (any::<u64>(), 0..64u32).prop_map(|(number, shift)| varint(number >> shift));
    let run = vec(number, 0..20).prop_map(|numbers| numbers.concat());
    prop_oneof![9 => run.clone(), 1 => run.prop_map(|run| [run, vec![0x80]].concat())]
}

fn leaf() -> impl Strategy<Value = Vec<u8>> {
    (any::<u64>(), text(), 0..8).prop_map(|(id, name, form)| match form {
        0 => field(2, &name),
        1 => [field(2, &name), vec![8, 1]].concat(),
        _ => [vec![8], varint(id), field(2, &name)].concat(),
    })
}

fn message() -> impl Strategy<Value = Vec<u8>> {
    let inner = vec(leaf(), 0..4).prop_map(|all| all.concat_as(3));
    (leaf(), inner).prop_map(|(leaf, inner)| [leaf, inner].concat())
}

trait ConcatAs {
    /// Each as a field of this number.
    fn concat_as(&self, number: u8) -> Vec<u8>;
}

impl ConcatAs for Vec<Vec<u8>> {
    fn concat_as(&self, number: u8) -> Vec<u8> {
        self.iter().flat_map(|bytes| field(number, bytes)).collect()
    }
}

fn runs(number: u8, run: &[u8]) -> Vec<u8> {
    if run.is_empty() { Vec::new() } else { field(number, run) }
}

fn read(table: &Table, wire: &[u8]) -> (Result<Vec<u8>, String>, u64) {
    let read = read_with(Decoder::new(), table, wire);
    assert_eq!(read, read_with(Decoder::baseline(), table, wire));
    read
}

fn read_with(mut decoder: Decoder, table: &Table, wire: &[u8]) -> (Result<Vec<u8>, String>, u64) {
    let mut rows = RowBuffer::with_capacity(0);
    let read = decoder.decode_row(&table.program, &Slab::of(wire), 0, &mut rows);
    let given_up = decoder.given_up();
    (read.map(|_| rows.rows().to_vec()).map_err(|code| code.label().to_string()), given_up)
}

proptest! {
    /// A text that comes last although it is the first column leads over the long way.
    #[test]
    fn the_short_way_makes_the_rows_of_the_long_way(
        entries in vec(entry(), 0..12), l in numbers(), z in numbers(), i in numbers(),
        messages in vec(message(), 0..5), one in message(), first in "[a-z]{0,9}",
    ) {
        let body = [
            entries.concat_as(2), runs(3, &l), runs(4, &z), runs(5, &i), messages.concat_as(6),
            field(7, &one), field(8, b"the end of it"),
        ].concat();
        let first = field(1, first.as_bytes());
        for table in &*TABLES {
            let (ordered, _) = read(table, &[&first[..], &body].concat());
            let (other, given_up) = read(table, &[&body[..], &first].concat());
            prop_assert_eq!(given_up, 1);
            prop_assert_eq!(ordered, other);
        }
    }
}

#[test]
fn usual_collections_are_not_given_up() {
    let entries: Vec<Vec<u8>> = ["k1", "channel", "b"]
        .map(|key| [field(1, key.as_bytes()), field(2, b"v")].concat())
        .into();
    let wire = [
        entries.concat_as(2),
        field(3, &[1, 0xac, 2, 3]),
        field(4, &[1, 2]),
        field(5, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
        vec![vec![8, 1], vec![]].concat_as(6),
        field(7, &[]),
    ];
    for table in &*TABLES {
        for at in 0..wire.len() {
            assert_eq!(read(table, &wire[at..].concat()).1, 0, "from {at}");
        }
    }
}
