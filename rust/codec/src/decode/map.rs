//! Maps: Flink's `BinaryMapData`, the length of the key array (4 bytes), key array, value array.

use sluice_plan::FailureCode;
use sluice_plan::program::{Absent, Emit, KeyForm, MapProgram, MapSide};

use super::Level;
use super::array::Layout;
use super::entries::{Entry, Side};
use super::gather::{Writer, padded, slot};
use super::scan::span_of;

impl<'a> Writer<'a> {
    /// Appends the map whose entries hang on `pieces`.
    pub fn map(
        &mut self, map: &'a MapProgram, pieces: u64, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        let level = level.inside()?;
        let choices = self.scanner.scratch.choices.len();
        let first = self.scanner.read_entries(map, pieces, level)?;
        let images = self.scanner.scratch.images.len();
        let has_images = map.key_form == KeyForm::Image;
        if has_images {
            self.write_images(&map.key, first, level)?;
        }
        self.scanner.merge(map, first, level)?;
        self.scanner.require_values(map, pieces, first, level)?;
        self.scanner.arrange(map, first);

        let start = self.at;
        self.reserve(8)?;
        self.at += 4;
        if has_images {
            self.place_images(&map.key, first)?;
        } else {
            self.side(&map.key, first, "key", |entry| entry.key, level)?;
        }
        let key_len = (self.at - start - 4) as u32;
        self.rows.from(start)[..4].copy_from_slice(&key_len.to_le_bytes());
        self.side(&map.value, first, "value", |entry| entry.value, level)?;
        let len = self.at - start;
        self.reserve(8)?;
        self.rows.set_word(self.at, 0);
        self.at = start + padded(len);
        self.scanner.scratch.entries.truncate(first);
        self.scanner.scratch.images.truncate(images);
        self.scanner.scratch.choices.truncate(choices);
        Ok(slot(start - base, len))
    }

    /// The key array or the value array.
    fn side(
        &mut self, side: &'a MapSide, first: usize, name: &str, part: impl Fn(Entry) -> Side,
        level: Level,
    ) -> Result<(), FailureCode> {
        let layout = Layout { width: side.width, canonical_nan: side.canonical_nan };
        let base = self.at;
        let count = self.scanner.scratch.entries.len() - first;
        let elements = self.elements(count, layout)?;
        for index in 0..count {
            let part = part(self.scanner.scratch.entries[first + index]);
            if part.present && side.emit == Emit::Bytes {
                let text = self.view(span_of(part.raw), base)?; // as most keys and values are
                self.set_element(elements, index, layout, text);
                continue;
            }
            match self.side_value(side, name, part, base, level)? {
                Some(value) => self.set_element(elements, index, layout, value),
                None => self.set_null(base, elements, index, layout),
            }
        }
        Ok(())
    }

    /// One key or value; `None` is a NULL that may be there.
    #[inline(always)]
    pub fn side_value(
        &mut self, side: &'a MapSide, name: &str, Side { raw, present }: Side, base: usize,
        level: Level,
    ) -> Result<Option<u64>, FailureCode> {
        let value = if !present && side.absent == Absent::Null {
            Ok(None)
        } else {
            self.value(side.emit, &side.absent, present, raw, base, level)
        };
        match value {
            Ok(Some(value)) => Ok(Some(value)),
            Ok(None) if !side.not_null => Ok(None),
            value => Err(self.refuse_side(side, name, Side { raw, present }, value.err())),
        }
    }

    #[cold]
    fn refuse_side(
        &mut self, side: &MapSide, name: &str, part: Side, code: Option<FailureCode>,
    ) -> FailureCode {
        let code = code.unwrap_or_else(|| self.null_element(&format!("the {name} of a map")));
        if part.present && side.emit == Emit::Chosen {
            return code; // the member has named itself
        }
        if part.present {
            let at = self.place(side.emit, part.raw);
            return self.scanner.scratch.fault.named(code, name.to_string(), at);
        }
        self.scanner.scratch.fault.inside(code, name)
    }
}
