//! Fields without a step of their own: messages, collections, what is checked and not kept.

use sluice_plan::program::{AppendOp, Emit, FieldOp, MessageProgram, NO_COLUMN, Step};
use sluice_wire::quick::{Between, Value};
use sluice_wire::{Cursor, Span, is_utf8};

use super::{GivenUp, Row};
use crate::decode::Level;
use crate::decode::check::Source;
use crate::decode::gather::Writer;
use crate::decode::scan::get;

impl<'a> Writer<'a> {
    /// A field without a step of its own, and all values that follow it in a run.
    #[inline(never)]
    pub(super) fn append_other(
        &mut self, row: Row<'a>, index: usize, op: &AppendOp, value: Value<'a>,
    ) -> Result<Between<'a>, GivenUp> {
        let Row { message, base, level, .. } = row;
        let cursor = value.cursor(self.scanner.slab)?;
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
                self.rows.set_word(base + column.slot as usize, value.ok_or(GivenUp)?);
                self.reserve(row.room)?;
                return Ok(Between::of(&cursor));
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
                return Err(GivenUp);
            }
            self.rows.set_word(base + column.slot as usize, value.ok_or(GivenUp)?);
        }
        self.scanner.scratch.pieces.cut(mark);
        self.reserve(row.room)?;
        Ok(Between::of(&cursor))
    }

    /// The pieces of a field as far as they follow each other.
    fn run(
        &mut self, field: &FieldOp, mut cursor: Cursor<'a>, level: Level,
    ) -> Result<(u64, Cursor<'a>), GivenUp> {
        let mut list = 0;
        loop {
            let at = cursor.at();
            let span = match field.step {
                Step::Piece => cursor.span()?,
                Step::StrictPiece => {
                    let span = cursor.span()?;
                    if !is_utf8(self.scanner.slab, span) {
                        return Err(GivenUp);
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
    ) -> Result<(u64, Cursor<'a>), GivenUp> {
        let field = &message.ops[index];
        let slots = &mut self.rows.from(base)[..message.fixed_len];
        if !self.scanner.step_apart(field, slots, &mut cursor, level)? {
            return Err(GivenUp); // a number that a closed enum lacks
        }
        Ok((get(slots, field.slot), cursor))
    }
}
