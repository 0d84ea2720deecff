//! Cells to bytes, as `RowDataSerializer.toBinaryRow` of Flink 1.20 and 2.x lays them out.
//!
//! ```text
//! row    null bits: 8 for the row kind (INSERT = 0), one per column, in whole words
//!        one word per column
//!        variable part, in column order, each value padded to whole words
//! array  count (4)  null bits in units of 4  elements (1, 2, 4 or 8 each)  padding to a word
//!        variable part as in a row
//! map    length of the key array (4)  key array  value array
//! slot   fixed:   the bytes, low end first
//!        octets:  up to 7 bytes inline, last byte 0x80 | length; else offset << 32 | length
//!        moment:  precision up to 3: milliseconds; else offset << 32 | nanos, milliseconds at
//!                 the offset
//!        decimal: precision up to 18: the unscaled number; else offset << 32 | length of its two's
//!                 complement, high end first, in 16 bytes
//!        others:  offset << 32 | length
//! ```
//! Offsets count from the start of the innermost row or array. All padding is zero; NULL leaves
//! a zero slot and nothing in the variable part.
//!
//! One trap: `BinaryArrayWriter` makes every NaN the same one (`Float.NaN`, `Double.NaN`), so in
//! elements, keys and values; `BinaryRowWriter` keeps the bits of a column.

use sluice_plan::proto::{SqlKind, SqlType};

use super::cells::{Cell, count};

/// The bytes of a row with these cells.
pub fn row(cells: &[Cell], row: &SqlType) -> Vec<u8> {
    let null_bytes = (cells.len() + 8).div_ceil(64) * 8;
    let mut out = vec![0; null_bytes + 8 * cells.len()];
    for (at, (cell, column)) in cells.iter().zip(&row.columns).enumerate() {
        if *cell == Cell::Null {
            out[(8 + at) / 8] |= 1 << (at % 8);
        } else if let Some(r#type) = &column.r#type {
            put(&mut out, null_bytes + 8 * at, cell, r#type);
        }
    }
    out
}

/// The bytes of an array with these cells.
pub fn array(cells: &[Cell], element: &SqlType) -> Vec<u8> {
    let width = element_bytes(element.kind());
    let header = 4 + cells.len().div_ceil(32) * 4;
    let mut out = vec![0; (header + width * cells.len()).next_multiple_of(8)];
    out[..4].copy_from_slice(&(cells.len() as u32).to_le_bytes());
    for (at, cell) in cells.iter().enumerate() {
        if *cell == Cell::Null {
            out[4 + at / 8] |= 1 << (at % 8);
        } else {
            put(&mut out, header + width * at, &with_plain_nan(cell, element.kind()), element);
        }
    }
    out
}

fn map(keys: &[Cell], values: &[Cell], r#type: &SqlType) -> Vec<u8> {
    let part = |cells: &[Cell], r#type: &Option<Box<SqlType>>| match r#type {
        Some(element) => array(cells, element),
        None => unreachable!("a MAP has a key and a value type"),
    };
    let is_multiset = r#type.kind() == SqlKind::Multiset;
    let keys = part(keys, if is_multiset { &r#type.element } else { &r#type.key });
    let mut out = (keys.len() as u32).to_le_bytes().to_vec();
    out.extend(keys);
    out.extend(if is_multiset { array(values, &count()) } else { part(values, &r#type.value) });
    out
}

/// The cell, or the one NaN of arrays in place of any other.
fn with_plain_nan(cell: &Cell, kind: SqlKind) -> Cell {
    match (kind, cell) {
        (SqlKind::Float, Cell::Fixed(bytes)) => {
            let value = f32::from_le_bytes(bytes[..].try_into().expect("four bytes"));
            Cell::Fixed(
                if value.is_nan() { 0x7fc0_0000_u32 } else { value.to_bits() }
                    .to_le_bytes()
                    .to_vec(),
            )
        }
        (SqlKind::Double, Cell::Fixed(bytes)) => {
            let value = f64::from_le_bytes(bytes[..].try_into().expect("eight bytes"));
            Cell::Fixed(
                if value.is_nan() { 0x7ff8_0000_0000_0000_u64 } else { value.to_bits() }
                    .to_le_bytes()
                    .to_vec(),
            )
        }
        _ => cell.clone(),
    }
}

fn element_bytes(kind: SqlKind) -> usize {
    match kind {
        SqlKind::Boolean | SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer | SqlKind::Float | SqlKind::Date | SqlKind::Time => 4,
        _ => 8,
    }
}

/// Fills the slot at `slot` and appends what does not fit in it.
fn put(out: &mut Vec<u8>, slot: usize, cell: &Cell, r#type: &SqlType) {
    match cell {
        Cell::Null => {}
        Cell::Fixed(bytes) => out[slot..slot + bytes.len()].copy_from_slice(bytes),
        Cell::Octets(bytes) if bytes.len() <= 7 => {
            out[slot..slot + bytes.len()].copy_from_slice(bytes);
            out[slot + 7] = 0x80 | bytes.len() as u8;
        }
        Cell::Moment(millis, _) if r#type.precision <= 3 => {
            out[slot..slot + 8].copy_from_slice(&millis.to_le_bytes());
        }
        Cell::Moment(millis, nanos) => append(out, slot, &millis.to_le_bytes(), *nanos as u32),
        Cell::Decimal(number) if r#type.precision <= 18 => {
            out[slot..slot + 8].copy_from_slice(&number.to_le_bytes()[..8]);
        }
        Cell::Decimal(number) => {
            // BigInteger.toByteArray: no byte more than the sign needs.
            let bytes = number.to_be_bytes();
            let signs = |at: &usize| (bytes[*at] as i8 >> 7) as u8 == bytes[at - 1];
            let first = (1..16).take_while(signs).last().unwrap_or(0);
            let mut padded = bytes[first..].to_vec();
            padded.resize(16, 0);
            append(out, slot, &padded, 16 - first as u32);
        }
        Cell::Octets(bytes) => append_whole(out, slot, bytes),
        Cell::Row(cells) => append_whole(out, slot, &row(cells, r#type)),
        Cell::Map(keys, values) => append_whole(out, slot, &map(keys, values, r#type)),
        Cell::Array(cells) => match &r#type.element {
            Some(element) => append_whole(out, slot, &array(cells, element)),
            None => unreachable!("an ARRAY has an element type"),
        },
    }
}

fn append_whole(out: &mut Vec<u8>, slot: usize, bytes: &[u8]) {
    append(out, slot, bytes, bytes.len() as u32);
}

/// Appends `bytes` and writes their offset and `low` into the slot.
fn append(out: &mut Vec<u8>, slot: usize, bytes: &[u8], low: u32) {
    let word = (out.len() as u64) << 32 | u64::from(low);
    out[slot..slot + 8].copy_from_slice(&word.to_le_bytes());
    out.extend_from_slice(bytes);
    out.resize(out.len().next_multiple_of(8), 0);
}
