//! Entries of a map: read, made one for each key, and put in order.
//!
//! Of entries with equal keys the last value stands at the place of the first key. Few entries are
//! compared with each other, many are sorted, so that no choice of keys makes a record slow. In
//! FLINK the entries are then brought into the order of a Java HashMap.

use std::cmp::Ordering;

use sluice_plan::FailureCode;
use sluice_plan::program::{
    Absent, Bit, EntryOrder, JavaKey, KeyForm, MapProgram, MessageProgram, Replaced,
};
use sluice_wire::Span;

use super::check::Source;
use super::oneof::Choice;
use super::scan::{Scanner, get, span_of};
use super::{Level, Scratch};
use crate::java_hash;

/// Up to this many entries are compared each with each.
const FEW: usize = 16;

/// Key and value of one entry, raw.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub key: Side,
    pub value: Side,
    /// A later entry has the same key.
    replaced: bool,
}

/// `raw` of a key that has an image is the view of it; a key that is NULL is not `present` then.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub raw: u64,
    pub present: bool,
}

impl<'a> Scanner<'a> {
    /// Reads the entries that hang on `pieces`; they stand in the scratch memory from the returned
    /// index on.
    pub fn read_entries(
        &mut self, map: &'a MapProgram, pieces: u64, level: Level,
    ) -> Result<usize, FailureCode> {
        if map.has_oneofs {
            self.read_each::<true>(map, pieces, level)
        } else {
            self.read_each::<false>(map, pieces, level)
        }
    }

    fn read_each<const ONEOFS: bool>(
        &mut self, map: &'a MapProgram, pieces: u64, level: Level,
    ) -> Result<usize, FailureCode> {
        let first = self.scratch.entries.len();
        let program = self.program;
        let message = &program.messages[map.entry as usize];
        let known = map.known.map(|names| &program.enums[names as usize]);
        let inside = Level { enforce: level.enforce && map.replaced_count, ..level };
        let is_plain = !ONEOFS && is_plain(message);
        let mut next = Some(pieces as u32);
        while let Some(span) = self.scratch.pieces.next(&mut next) {
            if is_plain
                && known.is_none()
                && let Some((key, value)) = self.plain_entry(message, span)
            {
                let [key, value] = [key, value].map(|raw| Side { raw, present: true });
                self.scratch.entries.push(Entry { key, value, replaced: false });
                continue;
            }
            let source = Source::Span(span);
            let (slots, [key, value]) = match self.read_slots::<ONEOFS>(message, source, inside) {
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
        Ok(first)
    }

    /// Key and value of an entry as nearly all writers send it: both, in this order, and nothing else.
    #[inline(always)]
    fn plain_entry(&self, message: &'a MessageProgram, span: Span) -> Option<(u64, u64)> {
        let mut cursor = self.cursor(span);
        let key = self.plain_value(&message.ops[0], &mut cursor)?;
        let value = self.plain_value(&message.ops[1], &mut cursor)?;
        cursor.is_empty().then_some((key, value))
    }

    /// Makes entries with equal keys one.
    pub fn merge(
        &mut self, map: &'a MapProgram, first: usize, level: Level,
    ) -> Result<(), FailureCode> {
        let slab = self.slab;
        let scratch = &mut *self.scratch;
        let keys = if map.key_form == KeyForm::Image { &scratch.images[..] } else { slab };
        let is_number = map.key_form == KeyForm::Number;
        // Without presence there is no NULL: an absent key is its default.
        let has_null = map.key.absent == Absent::Null || map.key_form == KeyForm::Image;
        let compare = |a: Side, b: Side| -> Ordering {
            if has_null && !(a.present && b.present) {
                return a.present.cmp(&b.present);
            }
            if is_number {
                return a.raw.cmp(&b.raw);
            }
            let bytes = |side: Side| {
                let Span { at, len } = span_of(side.raw);
                &keys[at..at + len]
            };
            bytes(a).cmp(bytes(b))
        };
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
        if map.replaced != Replaced::Nothing {
            let level = Level { enforce: level.enforce && map.replaced_count, ..level };
            for at in first..self.scratch.entries.len() {
                let Entry { value, replaced, .. } = self.scratch.entries[at];
                if replaced && value.present {
                    self.check_value(map.replaced, value.raw, level)?;
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

    /// Checks a value that is not read.
    fn check_value(
        &mut self, replaced: Replaced, raw: u64, level: Level,
    ) -> Result<(), FailureCode> {
        match replaced {
            Replaced::Nothing => {}
            Replaced::Message(check) => self.check_message(check, raw as u32, "value", level)?,
            Replaced::Messages(check) => {
                let mut next = Some(raw as u32);
                while let Some(span) = self.scratch.pieces.next(&mut next) {
                    let source = Source::Span(span);
                    let checked = level.inside().and_then(|level| self.check(check, source, level));
                    if let Err(code) = checked {
                        return Err(self.scratch.fault.named(code, "value[]".into(), span.at));
                    }
                }
            }
            Replaced::Chosen => {
                let Choice { row, raw } = self.scratch.choices[raw as usize];
                let row = &self.program.oneof_rows[row as usize];
                if let Some(check) = row.check {
                    self.check_message(check, raw as u32, &row.member, level)?;
                }
            }
        }
        Ok(())
    }

    fn check_message(
        &mut self, check: u32, pieces: u32, name: &str, level: Level,
    ) -> Result<(), FailureCode> {
        let source = Source::Pieces(pieces);
        let checked = level.inside().and_then(|level| self.check(check, source, level));
        checked.map(drop).map_err(|code| {
            let at = self.start(source);
            self.scratch.fault.named(code, name.to_string(), at)
        })
    }

    /// Asks the entries from `first` on for their values, where those have required fields.
    pub fn require_values(
        &mut self, map: &MapProgram, pieces: u64, first: usize, level: Level,
    ) -> Result<(), FailureCode> {
        if !map.value_required || !level.enforce {
            return Ok(());
        }
        if self.scratch.entries[first..].iter().all(|entry| entry.value.present) {
            return Ok(());
        }
        let program = self.program;
        Err(self.no_value(&program.messages[map.entry as usize], pieces))
    }

    /// Checks the values of a map that no column asks for, but those that others replace.
    pub fn check_values(&mut self, map: u32, pieces: u64, level: Level) -> Result<(), FailureCode> {
        let program = self.program;
        let map = &program.maps[map as usize];
        let first = self.read_entries(map, pieces, level)?;
        self.merge(map, first, level)?;
        self.require_values(map, pieces, first, level)?;
        for at in first..self.scratch.entries.len() {
            let value = self.scratch.entries[at].value;
            if value.present {
                self.check_value(map.replaced, value.raw, level)?;
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
    pub fn arrange(&mut self, map: &MapProgram, first: usize) {
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
}

/// Whether key and value are the first two operations, and nothing waits for the end of an entry.
fn is_plain(message: &MessageProgram) -> bool {
    let both = Bit::at(8).mask | Bit::at(9).mask;
    let needed = message.required[0] | message.not_null[0];
    message.ops.len() > 2
        && message.ops[0].slot == 8
        && message.ops[1].slot == 16
        && !message.is_wide
        && needed & !both == 0
        && message.tracked.is_empty()
        && message.moves.is_empty()
        && message.oneofs.is_empty()
}
