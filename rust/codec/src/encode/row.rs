//! Rows: the usual values by a step each, all else as `message` writes it.
//!
//! The record is open (`OpenRecord`) as long as steps follow each other. A step that finds anything
//! unusual (a malformed slot, text that is no UTF-8, a name that the enum lacks, no room) writes
//! nothing, and leaves the value to the general way, which knows what to do or how to refuse it.

use sluice_plan::FailureCode;
use sluice_plan::encode_program::{EncodeMessage, RowOp, RowStep, StoredTag};
use sluice_wire::quick::Text;
use sluice_wire::{SLACK, Span};

use super::Encoding;
use super::cells::{Cell, Elements, Row};
use super::open_record::{HIGH, NoRoom, OpenRecord};

/// The value is left to the general way.
struct Unusual;

impl From<NoRoom> for Unusual {
    fn from(_: NoRoom) -> Unusual {
        Unusual
    }
}

impl Encoding<'_> {
    /// Writes the fields of message `index` from the row at `base`.
    pub fn row(&mut self, index: u32, base: usize) -> Result<(), FailureCode> {
        let program = self.program;
        let message = &program.messages[index as usize];
        let cells = Row { base };
        let first = self.begin(message, cells)?;
        let fixed = self.image.get(base..).filter(|row| row.len() >= message.fixed_len);
        let Some(fixed) = fixed.map(<[u8]>::as_ptr) else {
            return Err(FailureCode::MalformedRow);
        };
        let mut at = 0;
        loop {
            at = self.steps(message, base, fixed, at);
            if at == message.row_ops.len() {
                break;
            }
            self.other(message, first, at, cells)?;
            at += 1;
        }
        self.scratch.chosen.truncate(first);
        Ok(())
    }

    /// Kept apart: what it calls needs other registers than the steps.
    #[inline(never)]
    fn other(
        &mut self, message: &EncodeMessage, first: usize, at: usize, row: Row,
    ) -> Result<(), FailureCode> {
        self.op(message, first, at, row)
    }

    /// Writes values from operation `at` on; the first one that it has not written. The row's fixed
    /// part begins at `base` of the image, which is `fixed`.
    #[inline(always)]
    fn steps(
        &mut self, message: &EncodeMessage, base: usize, fixed: *const u8, mut at: usize,
    ) -> usize {
        let end = end_of_parts(self.parts_at, self.image, base);
        let program = self.program;
        let mut open = self.records.open();
        while let Some(op) = message.row_ops.get(at) {
            let written = match op.step {
                // SAFETY: `RowOp::all` asserts that byte and slot lie in the fixed part, and `row` that
                // this lies in the image, which nobody moves or changes while steps are taken.
                _ if unsafe { is_null(fixed, op) } => Ok(()),
                RowStep::Other => break,
                _ => {
                    // SAFETY: as above, for the eight bytes of the slot.
                    let slot = unsafe { fixed.add(op.slot as usize) };
                    // SAFETY: see above; the load needs no alignment.
                    let word = u64::from_le(unsafe { slot.cast::<u64>().read_unaligned() });
                    match op.step {
                        RowStep::Int32 => number(&mut open, op, word as i32 as i64 as u64),
                        RowStep::Int64 => number(&mut open, op, word),
                        RowStep::UInt32 => number(&mut open, op, word as u32 as u64),
                        RowStep::SInt32 => {
                            let int = word as i32;
                            number(&mut open, op, u64::from((int << 1 ^ int >> 31) as u32))
                        }
                        RowStep::SInt64 => {
                            let long = word as i64;
                            number(&mut open, op, (long << 1 ^ long >> 63) as u64)
                        }
                        RowStep::Bool => number(&mut open, op, u64::from(word as u8 != 0)),
                        RowStep::Fixed32 => fixed_number(&mut open, op, word << 32, 4),
                        RowStep::Fixed64 => fixed_number(&mut open, op, word, 8),
                        RowStep::EnumName => {
                            let names = &program.enums[op.detail as usize];
                            let known = octets(self.image, base, end, op.slot, word)
                                .ok()
                                .and_then(|text| names.number(text));
                            match known {
                                Some(known) if known != names.first() || op.keep_default => {
                                    present_number(&mut open, op, i64::from(known) as u64)
                                }
                                Some(_) => Ok(()),
                                None => Err(Unusual),
                            }
                        }
                        _ if word >> 63 != 0 => short_text(&mut open, op, word),
                        _ => long_text(&mut open, op, self.image, base, end, word),
                    }
                }
            };
            if written.is_err() {
                break;
            }
            at += 1;
        }
        let record_at = open.at();
        self.records.close(record_at);
        at
    }

    /// An entry of a map whose key and value are texts; false if it has to be written otherwise.
    #[inline(always)]
    pub fn text_entry(
        &mut self, ops: &[RowOp; 2], arrays: [&Elements; 2], at: [usize; 2], tag: StoredTag,
    ) -> bool {
        let mut open = self.records.open();
        let before = open.at();
        for (op, (array, at)) in ops.iter().zip(arrays.into_iter().zip(at)) {
            let Some(Cell { at, base }) = array.cell(self.image, at) else { return false };
            let Some(word) = self.image.get(at..).and_then(|bytes| bytes.first_chunk()) else {
                return false;
            };
            let word = u64::from_le_bytes(*word);
            let end = end_of_parts(self.parts_at, self.image, base);
            let written = if word >> 63 != 0 {
                short_text(&mut open, op, word)
            } else {
                long_text(&mut open, op, self.image, base, end, word)
            };
            if written.is_err() {
                return false;
            }
        }
        if !open.has_room() {
            return false;
        }
        let len = before - open.at();
        // SAFETY: three words, and there is room.
        unsafe { open.varint(len as u64) };
        // SAFETY: see above.
        unsafe { open.put(tag.word, tag.len.into()) };
        let record_at = open.at();
        self.records.close(record_at);
        true
    }

    /// The elements of a packed list of usual numbers, without NULLs; false if it has to be written
    /// otherwise.
    pub fn packed(&mut self, step: RowStep, elements: &Elements) -> bool {
        let Some((bytes, width)) = elements.bytes(self.image) else { return false };
        match (step, width) {
            (RowStep::Int64, 8) => self.records.varints::<8>(bytes, |word| word),
            (RowStep::SInt64, 8) => self
                .records
                .varints::<8>(bytes, |word| ((word as i64) << 1 ^ (word as i64) >> 63) as u64),
            (RowStep::Int32, 4) => {
                self.records.varints::<4>(bytes, |word| word as i32 as i64 as u64)
            }
            (RowStep::UInt32, 4) => self.records.varints::<4>(bytes, |word| word),
            (RowStep::SInt32, 4) => self.records.varints::<4>(bytes, |word| {
                let int = word as i32;
                u64::from((int << 1 ^ int >> 31) as u32)
            }),
            _ => false,
        }
    }
}

/// Whether the column is NULL in the row whose fixed part this is.
///
/// # Safety
/// The byte that the operation names lies in the fixed part.
#[inline(always)]
unsafe fn is_null(fixed: *const u8, op: &RowOp) -> bool {
    // SAFETY: the caller's promise.
    let byte = unsafe { fixed.add(op.null_byte as usize) };
    // SAFETY: see above.
    (unsafe { *byte }) & op.null_bit != 0
}

/// Where the variable part of what stands at `base` ends at last.
#[inline(always)]
fn end_of_parts(parts_at: usize, image: &[u8], base: usize) -> usize {
    if base < parts_at { parts_at } else { image.len() - SLACK }
}

/// A varint and its tag.
#[inline(always)]
fn number(open: &mut OpenRecord<'_>, op: &RowOp, raw: u64) -> Result<(), Unusual> {
    if raw == 0 && !op.keep_default {
        return Ok(());
    }
    present_number(open, op, raw)
}

/// The same, whatever the default is.
#[inline(always)]
fn present_number(open: &mut OpenRecord<'_>, op: &RowOp, raw: u64) -> Result<(), Unusual> {
    if !open.has_room() {
        return Err(Unusual);
    }
    // SAFETY: three words, and there is room.
    unsafe { open.varint(raw) };
    // SAFETY: see above; a tag has 5 bytes at most.
    unsafe { open.put(op.tag, op.tag_len.into()) };
    Ok(())
}

/// The `len` upper bytes of `word`, and a tag.
#[inline(always)]
fn fixed_number(
    open: &mut OpenRecord<'_>, op: &RowOp, word: u64, len: usize,
) -> Result<(), Unusual> {
    if word == 0 && !op.keep_default {
        return Ok(());
    }
    if !open.has_room() {
        return Err(Unusual);
    }
    // SAFETY: two words, and there is room.
    unsafe { open.put(word, len) };
    // SAFETY: see above; a tag has 5 bytes at most.
    unsafe { open.put(op.tag, op.tag_len.into()) };
    Ok(())
}

/// A text that stands in its slot.
#[inline(always)]
fn short_text(open: &mut OpenRecord<'_>, op: &RowOp, word: u64) -> Result<(), Unusual> {
    let len = (word >> 56) as usize & 0x7f;
    if len == 0 && !op.keep_default {
        return Ok(());
    }
    if len > 7 || !open.has_room() {
        return Err(Unusual);
    }
    let text = word << 8 << (56 - 8 * len); // in the upper bytes
    if text & HIGH != 0 && op.step != RowStep::Bytes {
        return Err(Unusual);
    }
    // SAFETY: three words, and there is room.
    unsafe { open.put(text, len) };
    // SAFETY: see above.
    unsafe { open.put((len as u64) << 56, 1) };
    // SAFETY: see above; a tag has 5 bytes at most.
    unsafe { open.put(op.tag, op.tag_len.into()) };
    Ok(())
}

/// A text in the variable part of what begins at `base`.
#[inline(always)]
fn long_text(
    open: &mut OpenRecord<'_>, op: &RowOp, image: &[u8], base: usize, end: usize, word: u64,
) -> Result<(), Unusual> {
    let len = word as u32 as usize;
    if len == 0 && !op.keep_default {
        return Ok(());
    }
    let text = part(image, base, end, word)?;
    let before = open.mark();
    let is_ascii = open.text(text)?;
    if !is_ascii && op.step != RowStep::Bytes && !text.is_utf8() || !open.has_room() {
        open.take_back(before);
        return Err(Unusual);
    }
    // SAFETY: three words, and there is room.
    unsafe { open.varint(len as u64) };
    // SAFETY: see above; a tag has 5 bytes at most.
    unsafe { open.put(op.tag, op.tag_len.into()) };
    Ok(())
}

/// What the offset and length in `word` name, if it lies before `end`.
#[inline(always)]
fn part(image: &[u8], base: usize, end: usize, word: u64) -> Result<Text<'_>, Unusual> {
    let span = Span { at: base + (word >> 32) as usize, len: word as u32 as usize };
    if span.at > end || span.len > end - span.at {
        return Err(Unusual);
    }
    Text::of(image, span).ok_or(Unusual)
}

/// The bytes of the slot at `slot`, or those that it names.
#[inline(always)]
fn octets(image: &[u8], base: usize, end: usize, slot: u32, word: u64) -> Result<&[u8], Unusual> {
    if word >> 63 == 0 {
        return Ok(part(image, base, end, word)?.bytes());
    }
    let len = (word >> 56) as usize & 0x7f;
    let slot: &[u8; 8] =
        image.get(base + slot as usize..).and_then(<[u8]>::first_chunk).ok_or(Unusual)?;
    slot.get(..len).ok_or(Unusual)
}
