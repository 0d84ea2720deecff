//! The hot loop: one pass over the fields of a message.
//!
//! Writers usually emit fields in field-number order, so each operation names the one expected
//! `next` and the common step is one compare. Cursors are plain values; the calls that are not
//! inlined take and return positions.

use sluice_plan::program::{Bit, FieldOp, MessageProgram, Number, Step};
use sluice_plan::{FailureCode, Program};
use sluice_wire::{Cursor, Span, Tag, WireType, is_utf8};

use super::check::Source;
use super::presence::Presence;
use super::{Level, Scratch};

/// Reads messages of one record.
pub(super) struct Scanner<'a> {
    pub program: &'a Program,
    pub slab: &'a [u8],
    pub scratch: &'a mut Scratch,
}

/// What a step did.
#[derive(PartialEq, Eq)]
enum Done {
    /// The field has a value now.
    Set,
    /// The number of a closed enum is not one of the enum's: as if the field were unknown.
    Unknown,
}

impl<'a> Scanner<'a> {
    /// Reads the fields in `span`, or up to and over the group end `stop` (`Tag(0)`: none). Returns
    /// what was seen and where reading stopped.
    pub fn scan<P: Presence>(
        &mut self, message: &'a MessageProgram, slots: &mut [u8], span: Span, stop: Tag,
        mut seen: P, level: Level,
    ) -> Result<(P, usize), FailureCode> {
        // Made here and not passed in: an argument of four words would stay in memory.
        let mut cursor = self.cursor(span);
        let ops = &message.ops[..];
        let mut op = &ops[0];
        while !cursor.is_empty() {
            let start = cursor.at();
            if cursor.peek32() & op.tag_mask == op.tag_bytes {
                if cursor.advance(op.tag_len.into()).is_err() {
                    return Err(self.scratch.fault.at(FailureCode::Truncated, start));
                }
            } else {
                let tag = match cursor.tag() {
                    Ok(tag) => tag,
                    Err(error) => return Err(self.scratch.fault.at(error.into(), start)),
                };
                match message.tags.find(tag) {
                    Some(found) => op = &ops[found as usize],
                    None if tag == stop => return Ok((seen, cursor.at())),
                    None => {
                        // Not in the schema; the prediction still stands.
                        match skip(cursor, tag, level) {
                            Ok(skipped) => cursor = skipped,
                            Err(code) => return Err(self.scratch.fault.at(code, start)),
                        }
                        continue;
                    }
                }
            }
            match self.step(op, slots, &mut cursor, level) {
                Ok(Done::Set) => {
                    if op.oneof != 0 {
                        seen = self.clear_siblings(message, op, slots, seen, level)?;
                    }
                    seen.set(&mut self.scratch.words, op.bit);
                }
                Ok(Done::Unknown) => {}
                Err(code) => {
                    let fault = &mut self.scratch.fault;
                    return Err(fault.field(code, &message.fields, op.field, op.repeated, start));
                }
            }
            op = &ops[op.next as usize];
        }
        if stop != Tag(0) {
            return Err(self.scratch.fault.at(FailureCode::EndGroupMismatch, cursor.at()));
        }
        Ok((seen, cursor.at()))
    }

    /// Reads the value of one field.
    #[inline(always)]
    fn step(
        &mut self, op: &FieldOp, slots: &mut [u8], cursor: &mut Cursor<'a>, level: Level,
    ) -> Result<Done, FailureCode> {
        match op.step {
            Step::Int32 => put(slots, op, Number::Int32.value(cursor.varint()?)),
            Step::Int64 => put(slots, op, cursor.varint()?),
            Step::SInt32 => put(slots, op, Number::SInt32.value(cursor.varint()?)),
            Step::SInt64 => put(slots, op, Number::SInt64.value(cursor.varint()?)),
            Step::Bool => put(slots, op, Number::Bool.value(cursor.varint()?)),
            Step::Fixed32 => put(slots, op, cursor.fixed32()?.into()),
            Step::Fixed64 => put(slots, op, cursor.fixed64()?),
            Step::OtherNumber => {
                let number = Number::from_detail(op.detail);
                put(slots, op, number.value(raw_number(cursor, number)?));
            }
            Step::ClosedEnum => {
                let number = cursor.varint32()?;
                if self.program.enums[op.detail as usize].find(number as i32).is_none() {
                    return Ok(Done::Unknown);
                }
                put(slots, op, number.into());
            }
            Step::View => put(slots, op, view(cursor.span()?)),
            Step::StrictView => {
                let span = cursor.span()?;
                self.require_utf8(span)?;
                put(slots, op, view(span));
            }
            Step::Piece => {
                let span = cursor.span()?;
                self.append(slots, op, span);
            }
            Step::StrictPiece => {
                let span = cursor.span()?;
                self.require_utf8(span)?;
                self.append(slots, op, span);
            }
            Step::GroupPiece => {
                let (span, end) = skip_group(*cursor, op.tag, level)?;
                self.append(slots, op, span);
                *cursor = end;
            }
            Step::VarintPiece => {
                let at = cursor.at();
                cursor.varint()?;
                self.append(slots, op, Span { at, len: cursor.at() - at });
            }
            Step::Fixed32Piece => {
                let at = cursor.at();
                cursor.advance(4)?;
                self.append(slots, op, Span { at, len: 4 });
            }
            Step::Fixed64Piece => {
                let at = cursor.at();
                cursor.advance(8)?;
                self.append(slots, op, Span { at, len: 8 });
            }
            Step::SkipVarint => {
                cursor.varint()?;
            }
            Step::SkipFixed32 => cursor.advance(4)?,
            Step::SkipFixed64 => cursor.advance(8)?,
            Step::SkipLength => {
                cursor.span()?;
            }
            Step::CheckText => {
                let span = cursor.span()?;
                self.require_utf8(span)?;
            }
            Step::CheckClosedEnum => {
                let number = cursor.varint32()?;
                if self.program.enums[op.detail as usize].find(number as i32).is_none() {
                    return Ok(Done::Unknown);
                }
            }
            Step::CheckMessage => {
                let span = cursor.span()?;
                self.check(op.detail, Source::Span(span), level.inside()?)?;
            }
            Step::CheckGroup => {
                let span = Span { at: cursor.at(), len: cursor.end() - cursor.at() };
                let group = Source::Group(span, op.tag.group_end());
                let end = self.check(op.detail, group, level.inside()?)?;
                cursor.advance(end - cursor.at())?;
            }
            Step::CheckVarints => {
                let span = cursor.span()?;
                self.check_varints(span)?;
            }
            Step::CheckFixed32s => self.check_whole(cursor.span()?, 4)?,
            Step::CheckFixed64s => self.check_whole(cursor.span()?, 8)?,
            Step::Sentinel => unreachable!("no tag matches the sentinel"),
        }
        Ok(Done::Set)
    }

    /// The raw value of a field that comes next, if it is one of the usual kinds and sound.
    #[inline(always)]
    pub fn plain_value(&self, op: &FieldOp, cursor: &mut Cursor<'a>) -> Option<u64> {
        if cursor.peek32() & op.tag_mask != op.tag_bytes {
            return None;
        }
        cursor.advance(op.tag_len.into()).ok()?;
        Some(match op.step {
            Step::StrictView => {
                let span = cursor.span().ok()?;
                self.require_utf8(span).ok()?;
                view(span)
            }
            Step::View => view(cursor.span().ok()?),
            Step::Int32 => Number::Int32.value(cursor.varint().ok()?),
            Step::Int64 => cursor.varint().ok()?,
            Step::Bool => Number::Bool.value(cursor.varint().ok()?),
            Step::Fixed32 => cursor.fixed32().ok()?.into(),
            Step::Fixed64 => cursor.fixed64().ok()?,
            _ => return None,
        })
    }

    /// `step` for the short way; false for a number that a closed enum lacks.
    #[inline(never)]
    pub fn step_apart(
        &mut self, op: &FieldOp, slots: &mut [u8], cursor: &mut Cursor<'a>, level: Level,
    ) -> Result<bool, FailureCode> {
        Ok(self.step(op, slots, cursor, level)? == Done::Set)
    }

    #[inline(always)]
    fn require_utf8(&self, span: Span) -> Result<(), FailureCode> {
        if is_utf8(self.slab, span) { Ok(()) } else { Err(FailureCode::InvalidUtf8) }
    }

    /// A packed run of varints ends with a whole one.
    fn check_varints(&mut self, run: Span) -> Result<(), FailureCode> {
        let mut run = self.cursor(run);
        while !run.is_empty() {
            let at = run.at();
            if let Err(error) = run.varint() {
                return Err(self.scratch.fault.at(error.into(), at));
            }
        }
        Ok(())
    }

    /// A packed run of values of `width` bytes ends with a whole one.
    fn check_whole(&mut self, run: Span, width: usize) -> Result<(), FailureCode> {
        match run.len % width {
            0 => Ok(()),
            rest => Err(self.scratch.fault.at(FailureCode::Truncated, run.at + run.len - rest)),
        }
    }

    #[inline(always)]
    fn append(&mut self, slots: &mut [u8], op: &FieldOp, span: Span) {
        let slot = self.scratch.pieces.append(get(slots, op.slot), span);
        put(slots, op, slot);
    }

    /// A member of a oneof has come: the others are absent. Their values have been checked when they
    /// were read, except messages, which wait for all their pieces.
    #[cold]
    fn clear_siblings<P: Presence>(
        &mut self, message: &'a MessageProgram, op: &FieldOp, slots: &mut [u8], mut seen: P,
        level: Level,
    ) -> Result<P, FailureCode> {
        let oneof = &message.oneofs[op.oneof as usize - 1];
        for bits in &oneof.bits {
            let mut others = seen.word(&self.scratch.words, bits.word as usize) & bits.mask;
            if bits.word == op.bit.word {
                others &= !op.bit.mask;
            }
            if others == 0 {
                continue;
            }
            // The invariant of a oneof: never more than one member has its bit.
            let member = oneof.member(Bit { mask: others, word: bits.word });
            seen.clear(&mut self.scratch.words, member.bit);
            if oneof.revives && member.check.is_some() {
                continue; // its pieces wait, and are checked when the message ends
            }
            if let Some(check) = member.check {
                let pieces = Source::Pieces(get(slots, member.slot) as u32);
                let checked = level
                    .inside()
                    .and_then(|level| self.check(check, pieces, Level { enforce: false, ..level }));
                if let Err(code) = checked {
                    let at = self.start(pieces);
                    return Err(self.scratch.fault.field(
                        code,
                        &message.fields,
                        member.field,
                        false,
                        at,
                    ));
                }
            }
            set(slots, member.slot, member.absent);
        }
        Ok(seen)
    }

    /// A cursor over `span`.
    #[inline(always)]
    pub fn cursor(&self, span: Span) -> Cursor<'a> {
        Cursor::new(self.slab, span.at, span.at + span.len).expect("a span lies in the record")
    }
}

/// The undecoded bits of one number.
#[inline(always)]
pub(super) fn raw_number(cursor: &mut Cursor<'_>, number: Number) -> Result<u64, FailureCode> {
    Ok(match number.wire_type() {
        WireType::Fixed32 => cursor.fixed32()?.into(),
        WireType::Fixed64 => cursor.fixed64()?,
        _ => cursor.varint()?,
    })
}

#[inline(never)]
fn skip<'a>(mut cursor: Cursor<'a>, tag: Tag, level: Level) -> Result<Cursor<'a>, FailureCode> {
    cursor.skip(tag, level.left())?;
    Ok(cursor)
}

#[inline(never)]
fn skip_group<'a>(
    mut cursor: Cursor<'a>, tag: Tag, level: Level,
) -> Result<(Span, Cursor<'a>), FailureCode> {
    let span = cursor.skip_group(tag, level.left())?;
    Ok((span, cursor))
}

/// A span as a slot: offset in the high half, length in the low half.
#[inline(always)]
pub(super) fn view(span: Span) -> u64 {
    (span.at as u64) << 32 | span.len as u64
}

/// The span that a slot holds.
#[inline(always)]
pub(super) fn span_of(view: u64) -> Span {
    Span { at: (view >> 32) as usize, len: view as u32 as usize }
}

#[inline(always)]
fn put(slots: &mut [u8], op: &FieldOp, value: u64) {
    set(slots, op.slot, value);
}

#[inline(always)]
pub(super) fn set(slots: &mut [u8], slot: u32, value: u64) {
    let slot = slot as usize;
    slots[slot..slot + 8].copy_from_slice(&value.to_le_bytes());
}

#[inline(always)]
pub(super) fn get(slots: &[u8], slot: u32) -> u64 {
    let bytes = slots[slot as usize..].first_chunk().expect("slots are 8 bytes");
    u64::from_le_bytes(*bytes)
}
