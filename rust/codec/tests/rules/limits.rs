//! Shapes and sizes that must not make anything grow without bound.

use std::fmt::Write;

use sluice_testkit::arbitrary::wire::varint;

use super::{Setup, Table, render};

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
fn sixty_four_levels_of_rows() {
    let schema = "syntax = \"proto3\"; message M { M m = 1; int32 a = 2; }";
    let columns = format!("{}a INT{}", "m ROW<".repeat(64), ">".repeat(64));
    let table = Table::new(schema, &columns);
    let mut wire = vec![0x10, 0x07];
    for _ in 0..64 {
        let mut outer = vec![0x0a];
        varint(&mut outer, wire.len() as u64);
        wire = [outer, wire].concat();
    }
    let row = render::row(&table.decode(&wire).unwrap(), &table.row);
    assert_eq!(row, format!("{}7{}", "(".repeat(65), ")".repeat(65)));
}

#[test]
fn rows_longer_than_the_limit_are_refused() {
    let setup = Setup { batch_bytes_max: 1000, ..Setup::default() };
    let schema = "syntax = \"proto3\"; message M { repeated M m = 1; int32 a = 2; bytes b = 3; }";
    let columns = "m ARRAY<ROW<a INT, m ARRAY<ROW<a INT>>>>, b BYTES";
    let table = Table::with(schema, columns, setup).unwrap();
    assert!(table.bytes("0a00 0a00").is_ok());
    assert_eq!(table.read(&"0a00".repeat(100)), "row-too-large m[].m[] 2");
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
