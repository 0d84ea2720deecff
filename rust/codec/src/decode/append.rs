//! The short way: a row is written while its message is read.
//!
//! It holds as long as the fields of the variable part come in column order and once each; that is
//! one test of two masks per field. Anything else gives the record up, and it is decoded anew by
//! `scan` and `gather`, which alone know how to order values and to report faults. A record that was
//! given up makes the next ones go the long way at once: 1, 3, 7 ... up to 127 of them, so that a
//! writer with another order of fields costs next to nothing.
//!
//! Reading is quick (`sluice_wire::quick`), and writing is into an open row: neither looks at more
//! than it must, and a message that was read wrong is found out at its end.
//!
//! Memory: before a message, room is reserved for all that its strings and names can take (its own
//! length, and `AppendProgram::room`), so that they are written without looking; whatever else a
//! message holds reserves for itself, and the room is made anew behind it.

mod collections;
mod others;
pub(super) mod scatter;
mod text_map;
mod texts;
mod walk;

use sluice_plan::FailureCode;
use sluice_plan::program::{AppendOp, AppendProgram, AppendStep, MessageProgram};
use sluice_wire::quick::{self, Amiss, Between, Field, Squeeze, Text, Value};
use sluice_wire::{Tag, WireError};

use super::Level;
use super::gather::Writer;
use super::scan::get;
use crate::RowBuffer;
use crate::open_row::{NoRoom, OpenRow};
use crate::short_copy::is_short_ascii;
use walk::Walk;

/// The record goes the long way. Why is not told: the long way finds it out.
pub(super) struct GivenUp;

impl From<Amiss> for GivenUp {
    fn from(_: Amiss) -> GivenUp {
        GivenUp
    }
}

impl From<NoRoom> for GivenUp {
    fn from(_: NoRoom) -> GivenUp {
        GivenUp
    }
}

impl From<FailureCode> for GivenUp {
    fn from(_: FailureCode) -> GivenUp {
        GivenUp
    }
}

impl From<WireError> for GivenUp {
    fn from(_: WireError) -> GivenUp {
        GivenUp
    }
}

impl From<GivenUp> for FailureCode {
    /// Any code does: nobody is told.
    fn from(_: GivenUp) -> FailureCode {
        FailureCode::Truncated
    }
}

/// The row that is being written, and of what.
#[derive(Clone, Copy)]
struct Row<'a> {
    message: &'a MessageProgram,
    base: usize,
    fixed_len: usize,
    /// To be reserved behind the fixed part, and behind whatever reserves for itself.
    room: usize,
    level: Level,
}

impl<'a> Writer<'a> {
    /// Appends the row of the message in `text`; its length.
    #[inline(always)]
    pub fn append_row(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram, text: Text<'a>,
        level: Level,
    ) -> Result<usize, GivenUp> {
        if let Some(scatter) = &append.scatter
            && !self.guesses(text)
        {
            return self.append_scattered(message, append, scatter, text, level);
        }
        #[cfg(target_arch = "x86_64")]
        if self.has_pext {
            // SAFETY: the processor was asked when the decoder was made.
            return unsafe { self.append_row_pext(message, append, text, level) };
        }
        self.append_row_shifts(message, append, text, level)
    }

    /// # Safety
    /// `quick::has_pext` holds.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2")]
    unsafe fn append_row_pext(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram, text: Text<'a>,
        level: Level,
    ) -> Result<usize, GivenUp> {
        // SAFETY: the caller's promise.
        unsafe { self.append_row_by::<quick::Pext>(message, append, text, level) }
    }

    #[inline(never)]
    fn append_row_shifts(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram, text: Text<'a>,
        level: Level,
    ) -> Result<usize, GivenUp> {
        // SAFETY: every processor shifts.
        unsafe { self.append_row_by::<quick::Shifts>(message, append, text, level) }
    }

    /// The loop over the fields of a message; `S` joins the bits of numbers.
    ///
    /// # Safety
    /// The processor can do what `S` asks for.
    #[inline(always)]
    unsafe fn append_row_by<S: Squeeze>(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram, text: Text<'a>,
        level: Level,
    ) -> Result<usize, GivenUp> {
        let base = self.at;
        let room = text.len() + append.room;
        let row = Row { message, base, fixed_len: append.fixed_len, room, level };
        self.reserve(append.fixed_len + room)?;
        self.set_template(&append.template);
        self.at += append.fixed_len;
        let mut open = open_row(self.rows, row, self.at);
        let mut seen = 0;
        let mut between = Between::inside(text);
        let mut walk = Walk::start(append);
        while let Some(field) = between.next() {
            let head = field.head();
            let mut op = walk.op();
            let value = if head & op.tag_mask == op.tag_bytes {
                field.value(op.tag_len)
            } else if head & walk.behind().tag_mask == walk.behind().tag_bytes {
                walk.step();
                op = walk.op();
                field.value(op.tag_len)
            } else {
                match find(message, field) {
                    Some((index, tag_len)) => {
                        self.scanner.scratch.guesses.went_wrong(index);
                        walk.jump(index);
                        op = walk.op();
                        field.value(tag_len)
                    }
                    None => {
                        self.scanner.scratch.guesses.went_wrong(0);
                        between = skip(self.scanner.slab, field, level)?;
                        continue;
                    }
                }
            };
            if (seen ^ op.gaps) & op.marks != 0 {
                if seen & op.marks & !op.gaps != 0 {
                    return Err(GivenUp); // out of order, or beside another member of its oneof
                }
                self.at = base + open.len();
                self.fill_gaps(&row, op.gaps & !seen)?;
                seen |= op.gaps;
                open = open_row(self.rows, row, self.at);
            }
            // SAFETY: the caller's promise, for this call and every other one of it.
            let varint = |value: Value<'a>| unsafe { value.varint_by::<S>() };
            let slot;
            (slot, between) = match op.step {
                AppendStep::Text => {
                    let (text, next) = value.text()?;
                    let appended = open.append(text)?;
                    if !appended.is_ascii && !is_utf8(text) {
                        return Err(GivenUp);
                    }
                    (appended.slot, next)
                }
                AppendStep::Int32 => {
                    let (raw, next) = varint(value)?;
                    (u64::from(raw as u32), next)
                }
                AppendStep::Int64 => varint(value)?,
                AppendStep::SInt32 => {
                    let (raw, next) = varint(value)?;
                    let raw = raw as u32;
                    (u64::from((raw >> 1) ^ (raw & 1).wrapping_neg()), next)
                }
                AppendStep::SInt64 => {
                    let (raw, next) = varint(value)?;
                    ((raw >> 1) ^ (raw & 1).wrapping_neg(), next)
                }
                AppendStep::Bool => {
                    let (raw, next) = varint(value)?;
                    (u64::from(raw != 0), next)
                }
                AppendStep::Fixed32 => value.fixed32(),
                AppendStep::Fixed64 => value.fixed64(),
                AppendStep::Octets => {
                    let (octets, next) = value.text()?;
                    (open.append(octets)?.slot, next)
                }
                AppendStep::EnumName => {
                    let (raw, next) = varint(value)?;
                    let names = &self.scanner.program.enums[op.detail as usize];
                    let (name, len) = names.find_padded(raw as u32 as i32).ok_or(GivenUp)?;
                    (open.append_padded(name, len)?, next)
                }
                AppendStep::Row
                | AppendStep::Rows
                | AppendStep::Numbers
                | AppendStep::Texts
                | AppendStep::TextMap
                | AppendStep::Single
                | AppendStep::Other => {
                    self.at = base + open.len();
                    between = self.append_apart(&row, walk.index(), op, value)?;
                    seen |= op.bit;
                    walk.step();
                    open = open_row(self.rows, row, self.at);
                    continue;
                }
                AppendStep::SkipVarint => {
                    between = varint(value)?.1;
                    seen |= op.bit; // of a required field
                    walk.step();
                    continue;
                }
                AppendStep::SkipFixed32 => {
                    between = value.fixed32().1;
                    seen |= op.bit;
                    walk.step();
                    continue;
                }
                AppendStep::SkipFixed64 => {
                    between = value.fixed64().1;
                    seen |= op.bit;
                    walk.step();
                    continue;
                }
                AppendStep::SkipLength => {
                    between = value.text()?.1;
                    seen |= op.bit;
                    walk.step();
                    continue;
                }
                AppendStep::CheckText => {
                    let (text, next) = value.text()?;
                    if !is_short_ascii(text) && !is_utf8(text) {
                        return Err(GivenUp);
                    }
                    between = next;
                    seen |= op.bit;
                    walk.step();
                    continue;
                }
                AppendStep::Sentinel => return Err(GivenUp), // no tag matches it
            };
            // SAFETY: `AppendProgram::is_sound`, which compiling asserts: the slot lies in the fixed
            // part.
            unsafe { open.set_slot(op.slot, slot) };
            seen |= op.bit;
            walk.step();
        }
        if !between.is_whole() || append.needed & !seen != 0 {
            return Err(GivenUp);
        }
        self.at = base + open.len();
        if append.gaps & !seen != 0 {
            self.fill_gaps(&row, append.gaps & !seen)?;
        }
        self.rows.set_word(base, append.null_if_absent & !seen);
        Ok(self.at - base)
    }

    /// Copies the fixed part; what is written behind it is noise.
    #[inline(always)]
    fn set_template(&mut self, template: &[u8]) {
        const BLOCK: usize = AppendProgram::BLOCK;
        let to = self.rows.from(self.at);
        let block: &[u8; BLOCK] = template.first_chunk().expect("a block at least");
        to[..BLOCK].copy_from_slice(block);
        if template.len() > BLOCK {
            copy_blocks(&template[BLOCK..], &mut to[BLOCK..]);
        }
    }

    /// A value that calls for more than a few instructions, and all values that follow it in a run.
    ///
    /// One call for all of them: with several, the loop of `append_row` has its variables in memory.
    #[inline(never)]
    fn append_apart(
        &mut self, row: &Row<'a>, index: usize, op: &AppendOp, value: Value<'a>,
    ) -> Result<Between<'a>, GivenUp> {
        let (slot, next) = match op.step {
            AppendStep::Row => self.append_message(row, op, value)?,
            AppendStep::Rows => self.append_messages(row, op, value)?,
            AppendStep::Numbers => self.append_numbers(row, op, value)?,
            AppendStep::Texts => self.append_text_array(row, op, value)?,
            AppendStep::Single => self.append_single(row, op, value)?,
            AppendStep::TextMap => match self.append_text_map(row, op, value)? {
                Some(appended) => appended,
                None => self.append_column(row, index, op.detail, value)?,
            },
            _ => match self.append_other(row, index, op, value)? {
                (Some(slot), next) => (slot, next),
                (None, next) => return Ok(next),
            },
        };
        self.reserve(row.room)?;
        self.rows.set_word(row.base + op.slot as usize, slot);
        Ok(next)
    }

    /// Writes what absent columns put into the variable part, and makes room anew.
    #[inline(never)]
    fn fill_gaps(&mut self, row: &Row<'a>, gaps: u64) -> Result<(), GivenUp> {
        for column in row.message.columns.iter().filter(|column| column.bit.mask & gaps != 0) {
            let raw = get(&row.message.template, column.slot);
            let value = self.value(column.emit, &column.absent, false, raw, row.base, row.level)?;
            self.rows.set_word(row.base + column.slot as usize, value.ok_or(GivenUp)?);
        }
        self.reserve(row.room)?;
        Ok(())
    }
}

#[inline(never)]
fn copy_blocks(from: &[u8], to: &mut [u8]) {
    const BLOCK: usize = AppendProgram::BLOCK;
    let to = to[..from.len()].chunks_exact_mut(BLOCK);
    to.zip(from.chunks_exact(BLOCK)).for_each(|(to, from)| to.copy_from_slice(from));
}

#[inline(always)]
fn open_row<'a>(rows: &'a mut RowBuffer, row: Row<'_>, at: usize) -> OpenRow<'a> {
    OpenRow::new(rows.memory(), row.base, row.fixed_len, at)
}

/// The operation for a tag that was not expected, and the length of the tag.
#[inline(always)]
fn find(message: &MessageProgram, field: Field<'_>) -> Option<(u32, u8)> {
    let (tag, tag_len) = field.tag()?;
    Some((message.tags.find(Tag(tag))?, tag_len))
}

/// Over a field that has no operation. A tag that `find` cannot read may have one.
#[inline(never)]
fn skip<'a>(slab: &'a [u8], field: Field<'a>, level: Level) -> Result<Between<'a>, GivenUp> {
    field.tag().ok_or(GivenUp)?;
    let mut cursor = field.cursor(slab)?;
    let tag = cursor.tag()?;
    cursor.skip(tag, level.left())?;
    Ok(Between::of(&cursor))
}

/// Apart, so that the loop of `append_row` keeps its registers.
#[inline(never)]
fn is_utf8(text: Text<'_>) -> bool {
    text.is_utf8()
}
