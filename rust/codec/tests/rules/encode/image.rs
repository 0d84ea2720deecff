//! Rows in Flink's binary layout from text: `(1, 'a', x00ff, NULL, [2, 3], {'k': 4})`.
//!
//! The inverse of `render`, so the same texts serve both directions.

use sluice_plan::proto::{SqlKind, SqlType};

/// The bytes of the row in `text`.
pub fn row(text: &str, sql: &SqlType) -> Vec<u8> {
    let mut reader = Reader { rest: text };
    let bytes = reader.row(sql);
    assert!(reader.rest.trim().is_empty(), "{:?} is left of {text}", reader.rest);
    bytes
}

struct Reader<'a> {
    rest: &'a str,
}

/// What stands in the cell, or goes behind all cells with a place in the cell.
enum Cell {
    Null,
    Here(u64),
    /// The bytes, and what the lower half of the cell holds if not their length.
    Behind(Vec<u8>, Option<u32>),
}

impl Reader<'_> {
    fn row(&mut self, sql: &SqlType) -> Vec<u8> {
        let count = sql.columns.len();
        let mut bytes = vec![0; (count + 8).div_ceil(64) * 8];
        let header = bytes.len();
        bytes.resize(header + 8 * count, 0);
        self.expect("(");
        for (at, column) in sql.columns.iter().enumerate() {
            if at > 0 {
                self.expect(",");
            }
            let cell = self.cell(column.r#type.as_ref().expect("columns have types"));
            place(&mut bytes, cell, 8, header + 8 * at, at + 8);
        }
        self.expect(")");
        bytes
    }

    fn array(&mut self, elements: Vec<Cell>, width: usize) -> Vec<u8> {
        let count = elements.len();
        let mut bytes = (count as u32).to_le_bytes().to_vec();
        let header = 4 + count.div_ceil(32) * 4;
        bytes.resize((header + width * count).next_multiple_of(8), 0);
        for (at, cell) in elements.into_iter().enumerate() {
            place(&mut bytes, cell, width, header + width * at, 32 + at);
        }
        bytes
    }

    fn cell(&mut self, sql: &SqlType) -> Cell {
        if self.eat("NULL") {
            return Cell::Null;
        }
        match sql.kind() {
            SqlKind::Boolean => Cell::Here(u64::from(self.word() == "true")),
            SqlKind::Float => Cell::Here(u64::from(self.parse::<f32>().to_bits())),
            SqlKind::Double => Cell::Here(self.parse::<f64>().to_bits()),
            SqlKind::Char | SqlKind::Varchar | SqlKind::Binary | SqlKind::Varbinary => {
                let bytes = self.octets();
                if bytes.len() > 7 {
                    return Cell::Behind(bytes, None);
                }
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(&bytes);
                word[7] = 0x80 | bytes.len() as u8;
                Cell::Here(u64::from_le_bytes(word))
            }
            SqlKind::Timestamp | SqlKind::TimestampLtz if sql.precision > 3 => {
                let millis = self.parse::<i64>();
                Cell::Behind(millis.to_le_bytes().to_vec(), Some(self.parse()))
            }
            SqlKind::Decimal if sql.precision > 18 => {
                let number = self.parse::<i128>();
                let unscaled = number.to_be_bytes();
                let fits = |len: usize| number << (128 - 8 * len) >> (128 - 8 * len) == number;
                let from = 16 - (1..=16).find(|&len| fits(len)).expect("16 bytes hold all");
                let mut bytes = unscaled[from..].to_vec();
                let len = bytes.len() as u32;
                bytes.resize(16, 0);
                Cell::Behind(bytes, Some(len))
            }
            SqlKind::Row => Cell::Behind(self.row(sql), None),
            SqlKind::Array => {
                let element = sql.element.as_ref().expect("arrays have elements");
                let mut elements = Vec::new();
                self.items("[", "]", |reader| elements.push(reader.cell(element)));
                Cell::Behind(self.array(elements, width(element)), None)
            }
            SqlKind::Map | SqlKind::Multiset => {
                let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
                let key = sql.key.as_ref().or(sql.element.as_ref()).expect("maps have keys");
                let value = sql.value.as_deref().unwrap_or(&count);
                let (mut keys, mut values) = (Vec::new(), Vec::new());
                self.items("{", "}", |reader| {
                    keys.push(reader.cell(key));
                    reader.expect(":");
                    values.push(reader.cell(value));
                });
                let keys = self.array(keys, width(key));
                let values = self.array(values, width(value));
                let bytes = [&(keys.len() as u32).to_le_bytes(), &keys[..], &values[..]].concat();
                Cell::Behind(bytes, None)
            }
            _ => Cell::Here(self.parse::<i64>() as u64),
        }
    }

    fn items(&mut self, begin: &str, end: &str, mut item: impl FnMut(&mut Self)) {
        self.expect(begin);
        let mut is_first = true;
        while !self.eat(end) {
            if !is_first {
                self.expect(",");
            }
            is_first = false;
            item(self);
        }
    }

    /// `'text'` or `x` and hex digits.
    fn octets(&mut self) -> Vec<u8> {
        if self.eat("'") {
            let (text, rest) = self.rest.split_once('\'').expect("texts end");
            self.rest = rest;
            return text.as_bytes().to_vec();
        }
        super::super::hex(&self.word()[1..])
    }

    fn parse<T: std::str::FromStr<Err: std::fmt::Debug>>(&mut self) -> T {
        let word = self.word();
        word.parse().unwrap_or_else(|error| panic!("{word}: {error:?}"))
    }

    fn word(&mut self) -> String {
        self.rest = self.rest.trim_start();
        let is_end = |letter: char| letter.is_whitespace() || ",:()[]{}".contains(letter);
        let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
        self.rest = rest;
        word.to_string()
    }

    fn expect(&mut self, text: &str) {
        assert!(self.eat(text), "{text:?} expected before {:?}", self.rest);
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(text);
        found.inspect(|rest| self.rest = rest).is_some()
    }
}

/// Writes a cell of `width` bytes, its null bit, and what stands behind.
fn place(bytes: &mut Vec<u8>, cell: Cell, width: usize, at: usize, null_bit: usize) {
    let word = match cell {
        Cell::Null => {
            bytes[null_bit / 8] |= 1 << (null_bit % 8);
            return;
        }
        Cell::Here(word) => word,
        Cell::Behind(part, low) => {
            let word = (bytes.len() as u64) << 32 | u64::from(low.unwrap_or(part.len() as u32));
            bytes.extend(part);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            word
        }
    };
    bytes[at..at + width].copy_from_slice(&word.to_le_bytes()[..width]);
}

fn width(sql: &SqlType) -> usize {
    match sql.kind() {
        SqlKind::Boolean | SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer | SqlKind::Float | SqlKind::Date | SqlKind::Time => 4,
        _ => 8,
    }
}
