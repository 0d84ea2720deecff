//! Maps: Flink's `BinaryMapData`, the length of the key array (4 bytes), key array, value array.
//!
//! Entries are read first, then those with equal keys become one: the last value at the place of
//! the first key. Few entries are compared with each other, many are sorted, so that no choice of
//! keys makes a record slow. In FLINK the entries are then brought into the order of a Java HashMap.

use std::cmp::Ordering;

use sluice_plan::FailureCode;
use sluice_plan::program::{Absent, EntryOrder, JavaKey, MapProgram, MapSide, MessageProgram};

use super::array::Layout;
use super::check::Source;
use super::gather::{Writer, padded, slot};
use super::java_hash;
use super::scan::{Scanner, get, span_of};
use super::{Level, Scratch};

/// Up to this many entries are compared each with each.
const FEW: usize = 16;

/// Key and value of one entry, raw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: Side,
    value: Side,
    /// A later entry has the same key.
    replaced: bool,
}

#[derive(Debug, Clone, Copy)]
struct Side {
    raw: u64,
    present: bool,
}

impl<'a> Writer<'a> {
    /// Appends the map whose entries hang on `pieces`.
    pub fn map(
        &mut self, map: &'a MapProgram, pieces: u64, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        let level = level.inside()?;
        let first = self.scanner.entries(map, pieces, level)?;
        self.scanner.arrange(map, first);

        let start = self.at;
        self.reserve(8)?;
        self.at += 4;
        self.side(&map.key, first, |entry| entry.key, level)?;
        let key_len = (self.at - start - 4) as u32;
        self.rows.from(start)[..4].copy_from_slice(&key_len.to_le_bytes());
        self.side(&map.value, first, |entry| entry.value, level)?;
        let len = self.at - start;
        self.reserve(8)?;
        self.rows.set_word(self.at, 0);
        self.at = start + padded(len);
        self.scanner.scratch.entries.truncate(first);
        Ok(slot(start - base, len))
    }

    /// The key array or the value array.
    fn side(
        &mut self, side: &'a MapSide, first: usize, part: fn(Entry) -> Side, level: Level,
    ) -> Result<(), FailureCode> {
        let layout = Layout { width: side.width, canonical_nan: side.canonical_nan };
        let base = self.at;
        let count = self.scanner.scratch.entries.len() - first;
        let elements = self.elements(count, layout)?;
        for index in 0..count {
            let Side { raw, present } = part(self.scanner.scratch.entries[first + index]);
            let value = if !present && side.absent == Absent::Null {
                self.rows.from(base + 4 + index / 8)[0] |= 1 << (index % 8);
                0
            } else {
                self.value(side.emit, &side.absent, present, raw, base, level)?
            };
            self.set_element(elements, index, layout, value);
        }
        Ok(())
    }
}

impl<'a> Scanner<'a> {
    /// Reads the entries that hang on `pieces` and makes those with equal keys one; they stand in
    /// the scratch memory from the returned index on.
    pub fn entries(
        &mut self, map: &'a MapProgram, pieces: u64, level: Level,
    ) -> Result<usize, FailureCode> {
        let first = self.scratch.entries.len();
        let program = self.program;
        let message = &program.messages[map.entry as usize];
        let known = map.known.map(|names| &program.enums[names as usize]);
        let inside = Level { enforce: level.enforce && map.replaced_count, ..level };
        let mut next = Some(pieces as u32);
        while let Some(span) = self.scratch.pieces.next(&mut next) {
            let (slots, [key, value]) = match self.read_slots(message, Source::Span(span), inside) {
                Ok(read) => read,
                Err(code) => return Err(self.scratch.fault.at(code, span.at)),
            };
            let key = Side { raw: get(&slots, 8), present: key };
            let value = Side { raw: get(&slots, 16), present: value };
            self.give_back(slots, level);
            if known.is_none_or(|known| known.find(value.raw as u32 as i32).is_some()) {
                self.scratch.entries.push(Entry { key, value, replaced: false });
            }
        }
        self.merge(map, first, level)?;
        if map.value_required && level.enforce {
            let without = |entry: &Entry| !entry.value.present;
            if self.scratch.entries[first..].iter().any(without) {
                return Err(self.no_value(message, pieces));
            }
        }
        Ok(first)
    }

    /// Checks the values of a map that no column asks for, but those that others replace.
    pub fn check_values(&mut self, map: u32, pieces: u64, level: Level) -> Result<(), FailureCode> {
        let program = self.program;
        let map = &program.maps[map as usize];
        let first = self.entries(map, pieces, level)?;
        for at in first..self.scratch.entries.len() {
            let value = self.scratch.entries[at].value;
            if let (Some(check), true) = (map.replaced, value.present) {
                self.check(check, Source::Pieces(value.raw as u32), level.inside()?)?;
            }
        }
        self.scratch.entries.truncate(first);
        Ok(())
    }

    /// A missing value counts as an empty message, which lacks its required fields.
    #[cold]
    fn no_value(&mut self, entry: &MessageProgram, pieces: u64) -> FailureCode {
        let at = self.start(Source::Pieces(pieces as u32));
        let detail = format!("an entry of {} has no value, which has required fields", entry.name);
        let code = self.scratch.fault.because(FailureCode::MissingRequired, detail);
        self.scratch.fault.named(code, "value".to_string(), at)
    }

    /// Brings the entries from `first` on into the order of the profile.
    fn arrange(&mut self, map: &MapProgram, first: usize) {
        let EntryOrder::HashMap(class) = map.order else { return };
        let Scratch { entries, hash_order, moved, .. } = &mut *self.scratch;
        let entries = &mut entries[first..];
        if entries.len() < 2 {
            return;
        }
        hash_order.clear();
        for (at, entry) in entries.iter().enumerate() {
            let raw = entry.key.raw;
            match class {
                JavaKey::Text => {
                    let span = span_of(raw);
                    let text = &self.slab[span.at..span.at + span.len];
                    hash_order.put(java_hash::of_text(text), at as i64);
                }
                JavaKey::Integer => hash_order.put(raw as u32 as i32, at as i64),
                JavaKey::Long => hash_order.put(java_hash::of_long(raw as i64), raw as i64),
                JavaKey::Boolean => hash_order.put(java_hash::of_bool(raw != 0), at as i64),
            }
        }
        moved.clear();
        moved.extend(hash_order.iter().map(|at| entries[at as usize]));
        entries.copy_from_slice(moved);
    }

    /// Makes entries with equal keys one.
    fn merge(
        &mut self, map: &'a MapProgram, first: usize, level: Level,
    ) -> Result<(), FailureCode> {
        let slab = self.slab;
        let is_view = map.key_is_view;
        let key = |side: Side| {
            let span =
                if is_view { span_of(side.raw) } else { sluice_wire::Span { at: 0, len: 0 } };
            let number = if is_view { 0 } else { side.raw };
            (side.present || !matches!(map.key.absent, Absent::Null), number, span)
        };
        let compare = |a: Side, b: Side| -> Ordering {
            let ((a_some, a, a_span), (b_some, b, b_span)) = (key(a), key(b));
            let bytes = |span: sluice_wire::Span| &slab[span.at..span.at + span.len];
            a_some.cmp(&b_some).then(a.cmp(&b)).then_with(|| bytes(a_span).cmp(bytes(b_span)))
        };
        let scratch = &mut *self.scratch;
        let entries = &mut scratch.entries[first..];
        let mut any = false;
        if entries.len() <= FEW {
            for later in 1..entries.len() {
                let same = (0..later).find(|&at| {
                    !entries[at].replaced && compare(entries[at].key, entries[later].key).is_eq()
                });
                if let Some(at) = same {
                    let value = entries[later].value;
                    entries[later].value = std::mem::replace(&mut entries[at].value, value);
                    entries[later].replaced = true;
                    any = true;
                }
            }
        } else {
            let order = &mut scratch.order;
            order.clear();
            order.extend(0..entries.len() as u32);
            order.sort_unstable_by(|&a, &b| {
                compare(entries[a as usize].key, entries[b as usize].key).then(a.cmp(&b))
            });
            let mut kept = 0;
            for &at in order.iter() {
                let at = at as usize;
                if at == order[0] as usize || compare(entries[kept].key, entries[at].key).is_ne() {
                    kept = at;
                    continue;
                }
                let value = entries[at].value;
                entries[at].value = std::mem::replace(&mut entries[kept].value, value);
                entries[at].replaced = true;
                any = true;
            }
        }
        if !any {
            return Ok(());
        }
        if let Some(check) = map.replaced {
            let level = Level { enforce: level.enforce && map.replaced_count, ..level };
            for at in first..self.scratch.entries.len() {
                let Entry { value, replaced, .. } = self.scratch.entries[at];
                if replaced && value.present {
                    let pieces = Source::Pieces(value.raw as u32);
                    self.check(check, pieces, level.inside()?)?;
                }
            }
        }
        let entries = &mut self.scratch.entries;
        let mut kept = first;
        for at in first..entries.len() {
            if !entries[at].replaced {
                entries[kept] = entries[at];
                kept += 1;
            }
        }
        entries.truncate(kept);
        Ok(())
    }
}
