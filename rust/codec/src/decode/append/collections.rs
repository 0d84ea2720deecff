//! Messages inside of a message, and packed numbers.

use sluice_plan::program::{AppendOp, Element, Emit, Number};
use sluice_wire::quick::{Between, Shifts, Squeeze, Text, Value};

use super::texts::run_of;
use super::{GivenUp, Row};
use crate::decode::Level;
use crate::decode::array::Layout;
use crate::decode::check::Source;
use crate::decode::gather::{Writer, slot};

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
        let (count, _, behind) = run_of(op, value)?;
        let elements = self.elements(count, Layout::VIEWS)?;
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
        let run = Run { numbers: Between::inside(run), number, width: array.width };
        #[cfg(target_arch = "x86_64")]
        if self.has_pext {
            // SAFETY: the processor was asked when the decoder was made.
            unsafe { run.fill_pext(out)? };
            return Ok((slot(start - row.base, self.at - start), next));
        }
        // SAFETY: every processor shifts.
        unsafe { run.fill::<Shifts>(out)? };
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

/// Varints one behind the other, and what becomes of them.
struct Run<'a> {
    numbers: Between<'a>,
    number: Number,
    width: u8,
}

impl Run<'_> {
    /// # Safety
    /// `quick::has_pext` holds.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2")]
    unsafe fn fill_pext(self, out: &mut [u8]) -> Result<(), GivenUp> {
        // SAFETY: the caller's promise.
        unsafe { self.fill::<sluice_wire::quick::Pext>(out) }
    }

    /// Fills an array of numbers; they end with the run.
    ///
    /// # Safety
    /// The processor can do what `S` asks for.
    #[inline(always)]
    unsafe fn fill<S: Squeeze>(self, out: &mut [u8]) -> Result<(), GivenUp> {
        let number = self.number;
        match (number, self.width) {
            // SAFETY: the caller's promise, here and below.
            (Number::Int64, _) => unsafe { fill::<S, 8>(out, self.numbers, |raw| raw) },
            // SAFETY: see above.
            (Number::Int32, _) => unsafe { fill::<S, 4>(out, self.numbers, |raw| raw) },
            // SAFETY: see above.
            (_, 8) => unsafe { fill::<S, 8>(out, self.numbers, |raw| number.value(raw)) },
            // SAFETY: see above.
            _ => unsafe { fill::<S, 4>(out, self.numbers, |raw| number.value(raw)) },
        }
    }
}

/// Fills an array of numbers of `WIDTH` bytes.
///
/// # Safety
/// The processor can do what `S` asks for.
#[inline(always)]
unsafe fn fill<S: Squeeze, const WIDTH: usize>(
    out: &mut [u8], mut numbers: Between<'_>, value: impl Fn(u64) -> u64,
) -> Result<(), GivenUp> {
    for to in out.chunks_exact_mut(WIDTH) {
        let at = numbers.next().ok_or(GivenUp)?.bare();
        // SAFETY: the caller's promise.
        let (raw, next) = unsafe { at.varint_by::<S>() }?;
        to.copy_from_slice(&value(raw).to_le_bytes()[..WIDTH]);
        numbers = next;
    }
    if numbers.is_whole() { Ok(()) } else { Err(GivenUp) }
}
