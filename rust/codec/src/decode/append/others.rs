//! Fields without a step of their own: rare values, and what is checked and not kept.

use sluice_plan::program::{AppendOp, FieldOp, NO_COLUMN, Step};
use sluice_wire::quick::{Between, Value};
use sluice_wire::{Cursor, Span, is_utf8};

use super::{GivenUp, Row};
use crate::decode::Level;
use crate::decode::gather::Writer;
use crate::decode::scan::get;

impl<'a> Writer<'a> {
    /// A field without a step of its own, and all values that follow it in a run. Its slot, if a
    /// column asks for it.
    pub(super) fn append_other(
        &mut self, row: &Row<'a>, index: usize, op: &AppendOp, value: Value<'a>,
    ) -> Result<(Option<u64>, Between<'a>), GivenUp> {
        if op.detail == NO_COLUMN {
            let (_, next) = self.collect_other(row, index, value)?;
            return Ok((None, next));
        }
        let (slot, next) = self.append_column(row, index, op.detail, value)?;
        Ok((Some(slot), next))
    }

    /// The value of a column, with all that follows it in a run, by the general way.
    pub(super) fn append_column(
        &mut self, row: &Row<'a>, index: usize, column: u32, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let column = &row.message.columns[column as usize];
        let mark = self.scanner.scratch.pieces.mark();
        let (raw, next) = self.collect_other(row, index, value)?;
        let start = self.at;
        let slot = self.value(column.emit, &column.absent, true, raw, row.base, row.level)?;
        if column.null_if_empty && self.is_empty(column.emit, start) {
            return Err(GivenUp);
        }
        self.scanner.scratch.pieces.cut(mark);
        Ok((slot.ok_or(GivenUp)?, next))
    }

    fn collect_other(
        &mut self, row: &Row<'a>, index: usize, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let field = &row.message.ops[index];
        let cursor = value.cursor(self.scanner.slab)?;
        let (raw, cursor) = match field.step {
            Step::Piece
            | Step::StrictPiece
            | Step::GroupPiece
            | Step::VarintPiece
            | Step::Fixed32Piece
            | Step::Fixed64Piece => self.run(field, cursor, row.level)?,
            _ => self.raw(row, field, cursor)?,
        };
        Ok((raw, Between::of(&cursor)))
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
        &mut self, row: &Row<'a>, field: &'a FieldOp, mut cursor: Cursor<'a>,
    ) -> Result<(u64, Cursor<'a>), GivenUp> {
        let slots = &mut self.rows.from(row.base)[..row.fixed_len];
        if !self.scanner.step_apart(field, slots, &mut cursor, row.level)? {
            return Err(GivenUp); // a number that a closed enum lacks
        }
        Ok((get(slots, field.slot), cursor))
    }
}
