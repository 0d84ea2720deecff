//! Maps from texts to texts, as long as they have few entries, and those the usual form.
//!
//! Entries are read into an array on the stack, ordered there, and written straight to key and value
//! array. A key that comes twice, an entry without key or value, or anything else, leaves the map to
//! the general way (`map`).

use sluice_plan::program::{AppendOp, Emit, EntryOrder, FieldOp, MapProgram, Step};
use sluice_wire::quick::{Between, Text, Value};

use super::{GivenUp, Row};
use crate::decode::gather::{Writer, padded, slot};
use crate::java_hash;
use crate::short_copy::is_short_ascii;

/// No bin of a Java `HashMap` is split or becomes a tree before there are more.
const FEW: usize = 8;
/// Bins of such a map.
const BINS: u32 = 16;

type Entry<'a> = (Text<'a>, Text<'a>);

impl<'a> Writer<'a> {
    /// The entries that follow each other, as a map; `None` if it has to go the general way.
    pub(super) fn append_text_map(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<Option<(u64, Between<'a>)>, GivenUp> {
        row.level.inside()?;
        let program = self.scanner.program;
        let Emit::Map { map } = row.message.columns[op.detail as usize].emit else {
            return Ok(None);
        };
        let map = &program.maps[map as usize];
        let [key_op, value_op, ..] = &program.messages[map.entry as usize].ops[..] else {
            return Ok(None);
        };
        let (text, mut behind) = value.text()?;
        let Some(first) = entry(text, key_op, value_op) else { return Ok(None) };
        let mut entries = [first; FEW];
        let mut count = 1;
        let mut bytes = text.len();
        while let Some(field) = behind.next()
            && field.head() & op.tag_mask == op.tag_bytes
        {
            let (text, next) = field.value(op.tag_len).text()?;
            let Some(read) = entry(text, key_op, value_op) else { return Ok(None) };
            let is_known = |known: &Entry<'_>| known.0.bytes() == read.0.bytes();
            if count == FEW || entries[..count].iter().any(is_known) {
                return Ok(None);
            }
            entries[count] = read;
            count += 1;
            bytes += text.len();
            behind = next;
        }
        let entries = &mut entries[..count];
        arrange(map, entries);

        // Two arrays with a header of 8 bytes, their slots, texts and padding, and lengths between.
        self.reserve(bytes + 2 * (8 + 16 * count) + 16)?;
        let start = self.at;
        self.at += 4;
        self.append_texts(count, entries.iter().map(|entry| entry.0), false)?;
        let key_len = (self.at - start - 4) as u32;
        self.rows.from(start)[..4].copy_from_slice(&key_len.to_le_bytes());
        self.append_texts(count, entries.iter().map(|entry| entry.1), false)?;
        let len = self.at - start;
        self.rows.set_word(self.at, 0);
        self.at = start + padded(len);
        Ok(Some((slot(start - row.base, len), behind)))
    }
}

/// Key and value of an entry that has one of each, in this order.
#[inline(always)]
fn entry<'a>(text: Text<'a>, key_op: &FieldOp, value_op: &FieldOp) -> Option<Entry<'a>> {
    let (key, behind) = part(Between::inside(text), key_op)?;
    let (value, behind) = part(behind, value_op)?;
    behind.is_whole().then_some((key, value))
}

#[inline(always)]
fn part<'a>(at: Between<'a>, op: &FieldOp) -> Option<(Text<'a>, Between<'a>)> {
    let field = at.next()?;
    if field.head() & op.tag_mask != op.tag_bytes {
        return None;
    }
    let (text, behind) = field.value(op.tag_len).text().ok()?;
    (op.step == Step::View || is_short_ascii(text) || text.is_utf8()).then_some((text, behind))
}

/// Brings the entries into the order of the profile.
#[inline(always)]
fn arrange(map: &MapProgram, entries: &mut [Entry<'_>]) {
    if map.order == EntryOrder::FirstSeen {
        return;
    }
    let mut bins = [0; FEW];
    for later in 0..entries.len() {
        let entry = entries[later];
        let hash = java_hash::of_text(entry.0.bytes()) as u32;
        let bin = (hash ^ hash >> 16) % BINS;
        let mut at = later;
        while at > 0 && bins[at - 1] > bin {
            bins[at] = bins[at - 1];
            entries[at] = entries[at - 1];
            at -= 1;
        }
        bins[at] = bin;
        entries[at] = entry;
    }
}
