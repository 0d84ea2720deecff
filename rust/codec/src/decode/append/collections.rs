//! Messages inside of a message, and packed numbers.

use sluice_plan::program::{AppendOp, Element, Emit, Number};
use sluice_wire::quick::{Between, Text, Value};

use super::{GivenUp, Row};
use crate::decode::Level;
use crate::decode::array::Layout;
use crate::decode::check::Source;
use crate::decode::gather::{Writer, slot};

/// Offsets and lengths.
const VIEWS: Layout = Layout { width: 8, canonical_nan: false };

impl<'a> Writer<'a> {
    /// A message as a nested row.
    pub(super) fn append_message(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let (text, next) = value.text()?;
        let start = self.at;
        let len = self.nested_row(op.detail, text, row.level.inside()?)?;
        Ok((slot(start - row.base, len), next))
    }

    /// Messages that follow each other, as an array of rows: counted first, for the array begins
    /// with its offsets.
    pub(super) fn append_messages(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let level = row.level.inside()?;
        let start = self.at;
        let mut count = 1;
        let (_, mut behind) = value.text()?;
        while let Some(field) = behind.next()
            && field.head() & op.tag_mask == op.tag_bytes
        {
            behind = field.value(op.tag_len).text()?.1;
            count += 1;
        }
        let elements = self.elements(count, VIEWS)?;
        let mut value = value;
        for index in 0..count {
            let (text, next) = value.text()?;
            let element = self.at;
            let len = self.nested_row(op.detail, text, level)?;
            self.rows.set_word(elements + 8 * index, slot(element - start, len));
            if index + 1 < count {
                value = next.next().ok_or(GivenUp)?.value(op.tag_len);
            }
        }
        Ok((slot(start - row.base, self.at - start), behind))
    }

    #[inline(always)]
    fn nested_row(&mut self, message: u32, text: Text<'a>, level: Level) -> Result<usize, GivenUp> {
        let program = self.scanner.program;
        let message_program = &program.messages[message as usize];
        match &message_program.append {
            Some(append) => self.append_row(message_program, append, text, level),
            None => {
                let span = text.span(self.scanner.slab);
                Ok(self.row(message, Source::Span(span), level)?)
            }
        }
    }

    /// A packed run of varints, as an array. Each ends with a byte below 128, so they are counted
    /// without being read.
    pub(super) fn append_numbers(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let (run, next) = value.text()?;
        let array = &self.scanner.program.arrays[op.detail as usize];
        let Element::Number(number) = array.element else { return Err(GivenUp) };
        let layout = Layout { width: array.width, canonical_nan: false };
        let count = run.varints();
        if count == 0 {
            return Err(GivenUp); // it may be NULL
        }
        let start = self.at;
        let elements = self.elements(count, layout)?;
        let out = &mut self.rows.from(elements)[..count * usize::from(array.width)];
        let numbers = Between::inside(run);
        match number {
            Number::Int64 => fill::<8>(out, numbers, |raw| raw)?,
            Number::Int32 => fill::<4>(out, numbers, |raw| raw)?,
            number => match array.width {
                8 => fill::<8>(out, numbers, |raw| number.value(raw))?,
                _ => fill::<4>(out, numbers, |raw| number.value(raw))?,
            },
        }
        Ok((slot(start - row.base, self.at - start), next))
    }

    /// Another value that is made of one message.
    pub(super) fn append_single(
        &mut self, row: &Row<'a>, op: &AppendOp, value: Value<'a>,
    ) -> Result<(u64, Between<'a>), GivenUp> {
        let (text, next) = value.text()?;
        let span = text.span(self.scanner.slab);
        let slot = match row.message.columns[op.detail as usize].emit {
            Emit::Opaque => self.view(span, row.base)?,
            emit => {
                self.emit_message(emit, Source::Span(span), row.base, row.level)?.ok_or(GivenUp)?
            }
        };
        Ok((slot, next))
    }
}

/// Fills an array of numbers of `WIDTH` bytes; they end with the run.
#[inline(always)]
fn fill<const WIDTH: usize>(
    out: &mut [u8], mut numbers: Between<'_>, value: impl Fn(u64) -> u64,
) -> Result<(), GivenUp> {
    for to in out.chunks_exact_mut(WIDTH) {
        let (raw, next) = numbers.next().ok_or(GivenUp)?.bare().varint()?;
        to.copy_from_slice(&value(raw).to_le_bytes()[..WIDTH]);
        numbers = next;
    }
    if numbers.is_whole() { Ok(()) } else { Err(GivenUp) }
}
