//! Maps: one message for each entry.

use sluice_plan::FailureCode;
use sluice_plan::encode_program::EncodeOp;
use sluice_wire::Span;

use super::Encoding;
use super::cells::{Cell, Elements, Pair};

impl Encoding<'_> {
    /// Writes the map in `cell`, tags included; no tag has to follow.
    pub fn map(&mut self, map: u32, op: &EncodeOp, cell: Cell) -> Result<bool, FailureCode> {
        let program = self.program;
        let map = &program.maps[map as usize];
        let (keys, values) = self.sides(cell, map.key_width, map.value_width)?;
        let first = self.scratch.order.len();
        let kept = match map.java_key {
            Some(class) if keys.count > 1 => {
                self.java_order(class, &keys)?;
                self.scratch.order.len() - first
            }
            _ => keys.count,
        };
        let reordered = self.scratch.order.len() > first;
        if map.checked && kept < keys.count {
            self.check_replaced(map.entry, first, &keys, &values)?;
        }
        let texts = program.messages[map.entry as usize].row_ops.first_chunk();
        let texts = texts.filter(|_| map.is_text);
        for at in (0..kept).rev() {
            let (key, value) = match reordered {
                true => self.scratch.order[first + at],
                false => (at as u32, at as u32),
            };
            if let Some(ops) = texts
                && self.text_entry(ops, [&values, &keys], [value as usize, key as usize], op.tag)
            {
                continue;
            }
            let pair = Pair {
                key: keys.cell(self.image, key as usize),
                value: values.cell(self.image, value as usize),
            };
            let before = self.records.len();
            self.message(map.entry, pair)?;
            self.length_since(before)?;
            self.records.tag(op.tag);
        }
        self.scratch.order.truncate(first);
        Ok(false)
    }

    /// FLINK: refuses a value that could not be written, though a later one of its key is.
    #[cold]
    fn check_replaced(
        &mut self, entry: u32, first: usize, keys: &Elements, values: &Elements,
    ) -> Result<(), FailureCode> {
        let mut is_written = vec![false; values.count];
        for (_, value) in &self.scratch.order[first..] {
            is_written[*value as usize] = true;
        }
        for at in (0..values.count).filter(|at| !is_written[*at]) {
            let value = values.cell(self.image, at);
            if value.is_some() {
                let before = self.records.len();
                self.message(entry, Pair { key: keys.cell(self.image, at), value })?;
                self.records.take_back(before);
            }
        }
        Ok(())
    }

    /// Key and value array of a map: the length of the first, then both.
    fn sides(
        &self, cell: Cell, key_width: u8, value_width: u8,
    ) -> Result<(Elements, Elements), FailureCode> {
        let Span { at, len } = self.part_of(cell)?;
        let keys_len = self.word(at)? as u32 as usize;
        if len < 4 || keys_len > len - 4 {
            return Err(FailureCode::MalformedRow);
        }
        let keys = Span { at: at + 4, len: keys_len };
        let values = Span { at: at + 4 + keys_len, len: len - 4 - keys_len };
        let keys = Elements::of(self, keys, usize::from(key_width))?;
        let values = Elements::of(self, values, usize::from(value_width))?;
        if keys.count != values.count {
            return Err(FailureCode::MalformedRow);
        }
        Ok((keys, values))
    }
}
