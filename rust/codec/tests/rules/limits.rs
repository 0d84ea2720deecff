//! Shapes and sizes that must not make anything grow without bound.

use std::fmt::Write;
use std::time::Instant;

use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_testkit::arbitrary::wire::varint;
use sluice_testkit::text;

use super::{Setup, Table, render, resolved};

#[test]
fn wide_messages_and_high_numbers() {
    let (mut fields, mut columns, mut wire) = (String::new(), String::new(), Vec::new());
    for at in 1..=2000u32 {
        let number = if at == 2000 { 536_870_911 } else { at };
        let _ = write!(fields, "optional string f{at} = {number}; ");
        if at % 3 != 0 {
            let _ = write!(columns, "f{at} STRING, ");
        }
        if at % 2 == 0 {
            varint(&mut wire, u64::from(number) << 3 | 2);
            wire.extend([3, b'a' + (at % 26) as u8, b'b', b'c']);
        }
    }
    let schema = format!("syntax = \"proto3\"; message M {{ {fields} }}");
    let table = Table::new(&schema, &columns);
    let bytes = table.decode(&wire).unwrap();
    let row = render::row(&bytes, &table.row);
    assert_eq!(row.matches("NULL").count(), 667);
    assert!(row.starts_with("(NULL, 'cbc', 'ebc', NULL,"), "{row}");
    assert!(row.ends_with("'ybc')"), "{row}");
    let root = &table.program.messages[table.program.root as usize];
    assert!(root.tags.size() < 17 * 2000);
}

#[test]
fn two_thousand_fields_and_columns() {
    let fields: String = (1..=2000).map(|at| format!("optional int32 f{at} = {at}; ")).collect();
    let columns: String = (1..=2000).rev().map(|at| format!("f{at} INT, ")).collect();
    let schema = format!("syntax = \"proto3\"; message M {{ {fields} }}");
    let schema = resolved(&schema);
    let started = Instant::now();
    let table = Table::over(&schema, &columns, Setup::default()).unwrap();
    assert!(started.elapsed().as_secs() < 2, "{:?}", started.elapsed());
    let wire: Vec<u8> = (1..=2000u64)
        .flat_map(|at| {
            let mut field = Vec::new();
            varint(&mut field, at << 3);
            varint(&mut field, at * at);
            field
        })
        .collect();
    let row = render::row(&table.decode(&wire).unwrap(), &table.row);
    assert!(row.starts_with("(4000000, 3996001, "), "{row}");
    assert!(row.ends_with(", 9, 4, 1)"), "{row}");
}

/// `inner` inside so many messages of this tag.
fn nested(levels: usize, tag: u8, inner: &[u8]) -> Vec<u8> {
    (0..levels).fold(inner.to_vec(), |inner, _| {
        let mut outer = vec![tag];
        varint(&mut outer, inner.len() as u64);
        [outer, inner].concat()
    })
}

/// The least stack that a JVM gives a thread unasked.
const STACK_BYTES: usize = 1 << 20;

fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(test).unwrap();
    thread.join().unwrap();
}

const DEEP: &str = "syntax = \"proto3\"; message M { M m = 1; int32 a = 2; repeated M r = 3;
    map<int32, M> e = 4; oneof o { M om = 5; } oneof p { M pm = 6; } string s = 7; }";

#[test]
fn sixty_four_and_a_hundred_levels_of_rows() {
    for levels in [64, 100] {
        on_a_small_stack(move || {
            let columns = format!("{}a INT{}", "m ROW<".repeat(levels), ">".repeat(levels));
            let table = Table::new(DEEP, &columns);
            let wire = nested(levels, 0x0a, &[0x10, 0x07]);
            let row = render::row(&table.decode(&wire).unwrap(), &table.row);
            assert_eq!(row, format!("{}7{}", "(".repeat(levels + 1), ")".repeat(levels + 1)));
        });
    }
}

#[test]
fn other_kinds_of_rows_nest_as_deep_as_messages_may() {
    for (columns, end, levels, open, close, tag) in [
        ("r ARRAY<ROW<", ">>", 100, "[(", ")]", &[0x1a][..]),
        ("o ROW<om ROW<", ">>", 100, "((", "))", &[0x2a]),
        ("e MAP<INT, ROW<", ">>", 50, "{1: (", ")}", &[0x12, 0x22]),
    ] {
        on_a_small_stack(move || {
            let columns = format!("{}a INT{}", columns.repeat(levels), end.repeat(levels));
            let table = Table::new(DEEP, &columns);
            let wire = (0..levels).fold(vec![0x10, 0x07], |inner, _| match tag {
                [value, entry] => {
                    nested(1, *entry, &[&[8, 1][..], &nested(1, *value, &inner)].concat())
                }
                _ => nested(1, tag[0], &inner),
            });
            let row = render::row(&table.decode(&wire).unwrap(), &table.row);
            let (open, close) = (open.repeat(levels), close.repeat(levels));
            assert_eq!(row, format!("({open}7{close})"));
            let deeper = nested(1, 0x0a, &nested(100, 0x0a, &[]));
            assert_eq!(table.decode(&deeper).unwrap_err().code.label(), "too-deep");
        });
    }
}

/// What is absent has no depth: only the record's own levels count.
#[test]
fn defaults_fill_more_levels_than_a_record_may_have() {
    on_a_small_stack(|| {
        let columns = format!("{}a INT{}", "m ROW<".repeat(120), ">".repeat(120));
        let setup = Setup { flink: true, read_defaults: true, ..Setup::default() };
        let table = Table::with(DEEP, &columns, setup).unwrap();
        for wire in [vec![], nested(100, 0x0a, &[])] {
            let row = render::row(&table.decode(&wire).unwrap(), &table.row);
            assert_eq!(row, format!("{}0{}", "(".repeat(121), ")".repeat(121)));
        }
        assert!(table.decode(&nested(101, 0x0a, &[])).is_err());
    });
}

#[test]
fn recursion_is_read_as_deep_as_the_columns_say_and_checked_below() {
    let table = Table::new(DEEP, "m ROW<a INT, m ROW<a INT, m ROW<a INT>>>");
    let wire = |levels, inner: &[u8]| nested(levels, 0x0a, &[&[0x10, 0x05], inner].concat());
    let read = |wire: Vec<u8>| table.read(&text::hex(&wire));
    assert_eq!(read(wire(0, &[])), "(NULL)");
    assert_eq!(read(wire(2, &[])), "((0, (5, NULL)))");
    assert_eq!(read(wire(3, &[])), "((0, (0, (5))))");
    assert_eq!(read(wire(4, &[])), "((0, (0, (0))))", "the fourth level is dropped");
    assert_eq!(read(wire(100, &[])), "((0, (0, (0))))");
    let failure = table.decode(&wire(101, &[])).unwrap_err();
    assert_eq!(
        (failure.code.label(), &*failure.field_path),
        ("too-deep", &*vec!["m"; 101].join("."))
    );
    assert_eq!(read(wire(5, &[0x3a, 1, 0xff])), "invalid-utf8 m.m.m.m.m.s 12");
    let required = Table::new(
        "syntax = \"proto2\"; message M { optional M m = 1; optional R r = 2; }
         message R { required int32 q = 1; }",
        "m ROW<m ROW<r ROW<q INT>>>",
    );
    assert_eq!(required.read("0a06 0a04 0a02 1200"), "missing-required m.m.m.r.q 8");
}

#[test]
fn arrays_of_ten_thousand_elements() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { repeated int32 n = 1; repeated fixed64 f = 2;
         repeated string s = 3; repeated M m = 4; repeated int32 u = 5 [packed = false];
         int32 a = 6; }",
        "n ARRAY<INT>, f ARRAY<BIGINT>, s ARRAY<STRING>, m ARRAY<ROW<a INT>>, u ARRAY<INT>",
    );
    let count = 10_000u64;
    let (mut packed, mut fixed, mut wire) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..count {
        varint(&mut packed, at);
        fixed.extend(at.to_le_bytes());
        wire.extend(length(0x1a, format!("text number {at}").as_bytes()));
        let mut message = vec![0x30];
        varint(&mut message, at);
        wire.extend(length(0x22, &message));
        wire.push(0x28);
        varint(&mut wire, at);
    }
    wire.extend(length(0x0a, &packed));
    wire.extend(length(0x12, &fixed));
    let list = |text: &dyn Fn(u64) -> String| {
        format!("[{}]", (0..count).map(text).collect::<Vec<_>>().join(", "))
    };
    let numbers = list(&|at| at.to_string());
    let texts = list(&|at| format!("'text number {at}'"));
    let rows = list(&|at| format!("({at})"));
    let wanted = format!("({numbers}, {numbers}, {texts}, {rows}, {numbers})");
    assert!(render::row(&table.decode(&wire).unwrap(), &table.row) == wanted);
}

fn length(tag: u8, bytes: &[u8]) -> Vec<u8> {
    nested(1, tag, bytes)
}

#[test]
fn big_records_leave_a_decoder_that_grows_no_more() {
    let table = Table::new(
        "syntax = \"proto2\"; message M { optional string s = 1; optional bytes b = 2;
         repeated M m = 3; map<string, M> e = 4; oneof o { M x = 5; int32 y = 6; } }",
        "s STRING, b BYTES, m ARRAY<ROW<o ROW<y INT>>>, e MAP<STRING, ROW<s STRING>>,
         o ROW<x ROW<b BYTES>>",
    );
    let long = "x".repeat(16 << 20);
    let mut lenient = long.clone().into_bytes();
    lenient[0] = 0xff; // has to be replaced, so it passes through scratch memory
    let entry = |at: u32| length(0x22, &length(0x0a, at.to_string().as_bytes()));
    let records = [
        length(0x0a, long.as_bytes()),
        length(0x0a, &lenient),
        length(0x12, &lenient),
        length(0x2a, &length(0x12, &lenient)),
        length(0x1a, &[0x30, 7]).repeat(100_000),
        (0..10_000).flat_map(entry).collect(),
        [length(0x0a, &lenient), vec![0x0a, 5]].concat(), // refused
    ];
    let (mut decoder, mut rows) = (Decoder::new(), RowBuffer::with_capacity(0));
    let mut slab = Slab::new();
    let mut round = || {
        for record in &records {
            slab.space(record.len()).copy_from_slice(record);
            rows.clear();
            let read = decoder.decode_row(&table.program, &slab, 0, &mut rows);
            assert_eq!(read.is_err(), record.ends_with(&[0x0a, 5]));
        }
        (decoder.kept_bytes(), rows.memory().len())
    };
    let first = round();
    assert!(first.0 < 128 << 20, "{first:?}");
    for _ in 0..2 {
        assert_eq!(round(), first);
    }
    rows.clear();
    slab.space(records[0].len()).copy_from_slice(&records[0]);
    let len = decoder.decode_row(&table.program, &slab, 0, &mut rows).unwrap();
    assert!(len > 16 << 20);
    let row = &rows.rows()[len - (16 << 20)..];
    assert!(row.iter().filter(|byte| **byte == b'x').count() > (16 << 20) - 200);
}

#[test]
fn rows_longer_than_the_limit_are_refused() {
    let setup = Setup { batch_bytes_max: 1000, ..Setup::default() };
    let schema = "syntax = \"proto3\"; message M { repeated M m = 1; int32 a = 2; bytes b = 3; }";
    let columns = "m ARRAY<ROW<a INT, m ARRAY<ROW<a INT>>>>, b BYTES";
    let table = Table::with(schema, columns, setup).unwrap();
    assert!(table.bytes("0a00 0a00").is_ok());
    assert_eq!(table.read(&"0a00".repeat(100)), "row-too-large m[].m[] 10");
    let long = [&[0x1a, 0xe8, 0x07][..], &[0; 1000]].concat();
    assert_eq!(table.decode(&long).unwrap_err().code.label(), "row-too-large");
}

#[test]
fn a_column_list_too_big_for_the_tables_is_refused() {
    let fields: String = (1..=1500).map(|at| format!("M f{at} = {at}; ")).collect();
    let schema = format!("syntax = \"proto3\"; message M {{ {fields} }}");
    let columns: String = (1..=1500).map(|at| format!("f{at} ROW<f1 ROW<gone INT>>, ")).collect();
    let failure = Table::refused(&schema, &columns);
    assert_eq!(failure.code.label(), "unsupported-plan");
}
