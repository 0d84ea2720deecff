//! The short way: a row is written while its message is read.
//!
//! It holds as long as the fields of the variable part come in column order and once each; that is
//! one test of two masks per field. Anything else gives the record up, and it is decoded anew by
//! `scan` and `gather`, which alone know how to order values and to report faults. A record that was
//! given up makes the next ones go the long way at once: 1, 3, 7 ... up to 127 of them, so that a
//! writer with another order of fields costs next to nothing.
//!
//! Memory: before a message, room is reserved for all that its strings and names can take (its own
//! length, and `AppendProgram::room`), so that they are written without looking; whatever else a
//! message holds reserves for itself, and the room is made anew behind it.

use sluice_plan::FailureCode;
use sluice_plan::program::{
    AppendOp, AppendProgram, AppendStep, Emit, FieldOp, MessageProgram, NO_COLUMN, Step,
};
use sluice_wire::{Cursor, Span, Tag, is_utf8};

use super::Level;
use super::check::Source;
use super::gather::Writer;
use super::scan::get;
use crate::short_copy;

/// Why a record goes the long way; never told to anybody.
const GIVEN_UP: FailureCode = FailureCode::Truncated;

/// Records that go the long way at once.
#[derive(Debug, Default)]
pub(super) struct HoldOff {
    left: u32,
    penalty: u32,
    pub given_up: u64,
}

impl HoldOff {
    /// Longest penalty, in records.
    const MAX: u32 = 127;

    /// Whether the next record may try the short way.
    #[inline(always)]
    pub fn allows(&mut self) -> bool {
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        false
    }

    pub fn succeeded(&mut self) {
        self.penalty = 0;
    }

    #[cold]
    pub fn gave_up(&mut self) {
        self.penalty = (2 * self.penalty + 1).min(HoldOff::MAX);
        self.left = self.penalty;
        self.given_up += 1;
    }
}

/// The operation that a message is at: a walk over `AppendProgram::ops`.
#[derive(Clone, Copy)]
struct Walk<'a> {
    ops: &'a [AppendOp],
    /// Into `ops`, never at the last of them.
    op: *const AppendOp,
}

impl<'a> Walk<'a> {
    fn start(append: &'a AppendProgram) -> Walk<'a> {
        let ops = &append.ops[..];
        assert!(ops.len() >= 2);
        Walk { ops, op: ops.as_ptr() }
    }

    #[inline(always)]
    fn op(&self) -> &'a AppendOp {
        // SAFETY: `op` is inside of `ops`, as `start`, `step` and `jump` leave it.
        unsafe { &*self.op }
    }

    /// The operation behind this one.
    #[inline(always)]
    fn behind(&self) -> &'a AppendOp {
        // SAFETY: `op` is never the last, so its successor is inside of `ops`.
        let behind = unsafe { self.op.add(1) };
        // SAFETY: see above.
        unsafe { &*behind }
    }

    /// To the operation behind this one, which has just been found to match a tag or follows one
    /// that did: so this one is no sentinel, or the one behind is not.
    #[inline(always)]
    fn step(&mut self) {
        debug_assert!(self.op().step != AppendStep::Sentinel || self.ops.len() > self.index() + 2);
        // SAFETY: the last two of `ops` are sentinels (`AppendProgram::is_sound`), which match no
        // tag. Steps start at an operation that matched, or go to one: never behind the first
        // sentinel, which is not the last.
        self.op = unsafe { self.op.add(1) };
    }

    /// To the operation that a tag table names.
    #[inline(always)]
    fn jump(&mut self, index: u32) {
        self.op = &raw const self.ops[..self.ops.len() - 1][index as usize];
    }

    fn index(&self) -> usize {
        // SAFETY: both point into `ops`.
        (unsafe { self.op.offset_from(self.ops.as_ptr()) }) as usize
    }
}

impl<'a> Writer<'a> {
    /// Appends the row of the message in `span`; its length.
    pub fn append_row(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram, span: Span, level: Level,
    ) -> Result<usize, FailureCode> {
        let base = self.at;
        let fixed_len = append.fixed_len();
        let room = span.len + append.room;
        self.reserve(fixed_len + room)?;
        self.rows.from(base)[..fixed_len].copy_from_slice(&append.template);
        self.at = base + fixed_len;
        let mut seen = 0;
        let mut cursor = self.scanner.cursor(span);
        let mut walk = Walk::start(append);
        while !cursor.is_empty() {
            let head = cursor.peek32();
            let mut op = walk.op();
            if head & op.tag_mask == op.tag_bytes {
                cursor.advance(op.tag_len.into())?;
            } else if head & walk.behind().tag_mask == walk.behind().tag_bytes {
                walk.step();
                op = walk.op();
                cursor.advance(op.tag_len.into())?;
            } else {
                let tag = cursor.tag()?;
                let Some(found) = message.tags.find(tag) else {
                    cursor = skip(cursor, tag, level)?;
                    continue;
                };
                walk.jump(found);
                op = walk.op();
            }
            let value = match op.step {
                AppendStep::Int32 => u64::from(cursor.varint32()?),
                AppendStep::Int64 => cursor.varint()?,
                AppendStep::SInt32 => {
                    let raw = cursor.varint32()?;
                    u64::from((raw >> 1) ^ (raw & 1).wrapping_neg())
                }
                AppendStep::SInt64 => {
                    let raw = cursor.varint()?;
                    (raw >> 1) ^ (raw & 1).wrapping_neg()
                }
                AppendStep::Bool => u64::from(cursor.varint()? != 0),
                AppendStep::Fixed32 => u64::from(cursor.fixed32()?),
                AppendStep::Fixed64 => cursor.fixed64()?,
                AppendStep::Text => {
                    seen = self.in_order(message, op, seen, base, room, level)?;
                    self.append_text(cursor.span()?, base)?
                }
                AppendStep::Octets => {
                    seen = self.in_order(message, op, seen, base, room, level)?;
                    self.append_octets(cursor.span()?, base)
                }
                AppendStep::EnumName => {
                    seen = self.in_order(message, op, seen, base, room, level)?;
                    self.append_name(op.detail, cursor.varint32()? as i32, base)?
                }
                _ => {
                    if op.step == AppendStep::Other {
                        seen = self.in_order(message, op, seen, base, room, level)?;
                        let index = walk.index();
                        cursor = self.append_other(message, index, op, cursor, base, level)?;
                        self.reserve(room)?;
                    } else {
                        cursor = self.pass(op.step, cursor)?;
                    }
                    seen |= op.bit;
                    walk.step();
                    continue;
                }
            };
            if seen & op.bars != 0 {
                return Err(GIVEN_UP); // beside another member of its oneof
            }
            self.rows.set_word(base + op.slot as usize, value);
            seen |= op.bit;
            walk.step();
        }
        if append.needed & !seen != 0 {
            return Err(GIVEN_UP);
        }
        if append.gaps & !seen != 0 {
            self.fill_gaps(message, append.gaps & !seen, base, level)?;
        }
        self.rows.set_word(base, append.null_if_absent & !seen);
        Ok(self.at - base)
    }

    /// Over a value that is in no column.
    #[inline(always)]
    fn pass(
        &mut self, step: AppendStep, mut cursor: Cursor<'a>,
    ) -> Result<Cursor<'a>, FailureCode> {
        match step {
            AppendStep::SkipVarint => {
                cursor.varint()?;
            }
            AppendStep::SkipFixed32 => cursor.advance(4)?,
            AppendStep::SkipFixed64 => cursor.advance(8)?,
            AppendStep::SkipLength => {
                cursor.span()?;
            }
            AppendStep::CheckText => {
                let span = cursor.span()?;
                if !is_utf8(self.scanner.slab, span) {
                    return Err(GIVEN_UP);
                }
            }
            _ => unreachable!("no tag matches the sentinel"),
        }
        Ok(cursor)
    }

    /// The bits seen, once everything that stands before this column in the row is written.
    #[inline(always)]
    fn in_order(
        &mut self, message: &'a MessageProgram, op: &AppendOp, seen: u64, base: usize, room: usize,
        level: Level,
    ) -> Result<u64, FailureCode> {
        if seen & op.bars != 0 {
            return Err(GIVEN_UP);
        }
        let gaps = op.gaps & !seen;
        if gaps != 0 {
            self.fill_gaps(message, gaps, base, level)?;
            self.reserve(room)?;
        }
        Ok(seen | gaps)
    }

    /// Writes what absent columns put into the variable part.
    #[inline(never)]
    fn fill_gaps(
        &mut self, message: &'a MessageProgram, gaps: u64, base: usize, level: Level,
    ) -> Result<(), FailureCode> {
        for column in message.columns.iter().filter(|column| column.bit.mask & gaps != 0) {
            let raw = get(&message.template, column.slot);
            let value = self.value(column.emit, &column.absent, false, raw, base, level)?;
            self.rows.set_word(base + column.slot as usize, value.ok_or(GIVEN_UP)?);
        }
        Ok(())
    }

    /// A field without a step of its own, and all values that follow it in a run.
    #[inline(never)]
    fn append_other(
        &mut self, message: &'a MessageProgram, index: usize, op: &AppendOp, cursor: Cursor<'a>,
        base: usize, level: Level,
    ) -> Result<Cursor<'a>, FailureCode> {
        let mark = self.scanner.scratch.pieces.mark();
        let field = &message.ops[index];
        let column = match op.detail {
            NO_COLUMN => None,
            at => Some(&message.columns[at as usize]),
        };
        let (raw, cursor) = match (field.step, column) {
            (Step::Piece, Some(column)) if !field.repeated => {
                let mut cursor = cursor;
                let span = cursor.span()?;
                let value = match column.emit {
                    Emit::Opaque => Some(self.view(span, base)?),
                    emit => self.emit_message(emit, Source::Span(span), base, level)?,
                };
                self.rows.set_word(base + column.slot as usize, value.ok_or(GIVEN_UP)?);
                return Ok(cursor);
            }
            (
                Step::Piece
                | Step::StrictPiece
                | Step::GroupPiece
                | Step::VarintPiece
                | Step::Fixed32Piece
                | Step::Fixed64Piece,
                _,
            ) => self.run(field, cursor, level)?,
            _ => self.raw(message, index, cursor, base, level)?,
        };
        if let Some(column) = column {
            let start = self.at;
            let value = self.value(column.emit, &column.absent, true, raw, base, level)?;
            if column.null_if_empty && self.is_empty(column.emit, start) {
                return Err(GIVEN_UP);
            }
            self.rows.set_word(base + column.slot as usize, value.ok_or(GIVEN_UP)?);
        }
        self.scanner.scratch.pieces.cut(mark);
        Ok(cursor)
    }

    /// The pieces of a field as far as they follow each other.
    fn run(
        &mut self, field: &FieldOp, mut cursor: Cursor<'a>, level: Level,
    ) -> Result<(u64, Cursor<'a>), FailureCode> {
        let mut list = 0;
        loop {
            let at = cursor.at();
            let span = match field.step {
                Step::Piece => cursor.span()?,
                Step::StrictPiece => {
                    let span = cursor.span()?;
                    if !is_utf8(self.scanner.slab, span) {
                        return Err(GIVEN_UP);
                    }
                    span
                }
                Step::GroupPiece => cursor.skip_group(field.tag, level.left())?,
                Step::VarintPiece => {
                    cursor.varint()?;
                    Span { at, len: cursor.at() - at }
                }
                Step::Fixed32Piece => {
                    cursor.advance(4)?;
                    Span { at, len: 4 }
                }
                _ => {
                    cursor.advance(8)?;
                    Span { at, len: 8 }
                }
            };
            list = self.scanner.scratch.pieces.append(list, span);
            let goes_on = field.repeated
                && !cursor.is_empty()
                && cursor.peek32() & field.tag_mask == field.tag_bytes;
            if !goes_on {
                return Ok((list, cursor));
            }
            cursor.advance(field.tag_len.into())?;
        }
    }

    /// A value that is not made of pieces.
    fn raw(
        &mut self, message: &'a MessageProgram, index: usize, mut cursor: Cursor<'a>, base: usize,
        level: Level,
    ) -> Result<(u64, Cursor<'a>), FailureCode> {
        let field = &message.ops[index];
        let slots = &mut self.rows.from(base)[..message.fixed_len];
        if !self.scanner.step_apart(field, slots, &mut cursor, level)? {
            return Err(GIVEN_UP); // a number that a closed enum lacks
        }
        Ok((get(slots, field.slot), cursor))
    }

    #[inline(always)]
    fn append_text(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        let written =
            short_copy::append(self.scanner.slab, span, self.rows.memory(), self.at, base);
        if !written.is_ascii && !is_utf8(self.scanner.slab, span) {
            return Err(GIVEN_UP);
        }
        self.at = written.next;
        Ok(written.slot)
    }

    #[inline(always)]
    fn append_octets(&mut self, span: Span, base: usize) -> u64 {
        let written =
            short_copy::append(self.scanner.slab, span, self.rows.memory(), self.at, base);
        self.at = written.next;
        written.slot
    }

    #[inline(always)]
    fn append_name(&mut self, names: u32, number: i32, base: usize) -> Result<u64, FailureCode> {
        let program = self.scanner.program;
        let Some((name, len)) = program.enums[names as usize].find_padded(number) else {
            return Err(GIVEN_UP);
        };
        let (value, next) = short_copy::append_blocks(name, len, self.rows.memory(), self.at, base);
        self.at = next;
        Ok(value)
    }
}

#[inline(never)]
fn skip<'a>(mut cursor: Cursor<'a>, tag: Tag, level: Level) -> Result<Cursor<'a>, FailureCode> {
    cursor.skip(tag, level.left())?;
    Ok(cursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of the next records are let through while all of them are given up.
    #[test]
    fn records_that_are_given_up_cost_one_try_in_128_at_last() {
        let mut hold_off = HoldOff::default();
        let mut tries = Vec::new();
        for record in 0..1000 {
            if hold_off.allows() {
                hold_off.gave_up();
                tries.push(record);
            }
        }
        assert_eq!(tries, [0, 2, 6, 14, 30, 62, 126, 254, 382, 510, 638, 766, 894]);
        assert_eq!(hold_off.given_up, 13);
    }

    #[test]
    fn success_takes_the_penalty_back() {
        let mut hold_off = HoldOff::default();
        hold_off.gave_up();
        assert!(!hold_off.allows());
        assert!(hold_off.allows());
        hold_off.succeeded();
        assert!(hold_off.allows());
        hold_off.gave_up();
        assert!(!hold_off.allows());
        assert!(hold_off.allows());
    }
}
