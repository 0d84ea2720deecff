//! The way for fields that cannot be guessed.
//!
//! Of each field, tag and place are told by its wire type alone (`sluice_wire::leap`); its operation is
//! found by the tag, and does the same for every field: a value is made in each of the forms that it
//! could have, one is chosen and stored. No branch depends on what the field is. Texts leave views in
//! their slots and are written at the end, in column order.
//!
//! A wrong guess costs about as much as two fields cost here, and a right one half of a field. So the
//! usual loop counts those that went wrong, and this way is taken for a while where they were many.

use std::hint::select_unpredictable;

use sluice_plan::program::{
    AppendProgram, MessageProgram, ScatterEmit, ScatterForm, ScatterProgram,
};
use sluice_wire::Tag;
use sluice_wire::quick::{self, Between, Squeeze, Text};

use super::{GivenUp, Row, is_utf8, open_row};
use crate::decode::Level;
use crate::decode::gather::Writer;
use crate::decode::scan::{span_of, view};
use crate::short_copy::is_short_ascii;

/// Texts that are not kept, and wait to be looked at.
const WAITING: usize = 16;

/// Whether fields can be guessed. One for each reader, whatever it reads.
#[derive(Debug, Default)]
pub(in crate::decode) struct Guesses {
    /// Length of the record that was guessed at last.
    bytes: u64,
    /// Its wrong guesses, and those of the record before: a processor learns what it meets again.
    wrong: Wrong,
    last_wrong: Wrong,
    /// Bad records in a row, up to `RECORDS`.
    bad_records: u8,
    /// Records that are not guessed at.
    left: u8,
    /// For tests.
    is_off: bool,
}

/// Fields that were not where they were expected: their number, and above it the sum of their indexes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Wrong(u64);

impl Wrong {
    /// One more; this field was there instead.
    #[inline(always)]
    fn and(self, found: u32) -> Wrong {
        Wrong(self.0.wrapping_add(u64::from(found) << 16 | 1))
    }

    #[inline(always)]
    fn count(self) -> u64 {
        self.0 & 0xffff
    }
}

impl Guesses {
    /// Bad records in a row after which guessing stops.
    const RECORDS: u8 = 4;
    /// For so many records.
    const PAUSE: u8 = 63;
    /// A record is bad if it has one wrong guess in so many bytes, and other ones than the last.
    const BYTES: u64 = 16;

    /// None is ever due.
    pub fn never() -> Guesses {
        Guesses { is_off: true, left: 1, ..Guesses::default() }
    }

    /// A field was not where it was expected; this one was there. Counted in memory: the usual loop has
    /// no register left.
    #[inline(always)]
    pub fn went_wrong(&mut self, found: u32) {
        self.wrong = self.wrong.and(found);
    }

    /// Whether the next record, of so many bytes, is guessed at.
    #[inline(always)]
    fn are_due(&mut self, bytes: usize) -> bool {
        if self.left == 0 && self.wrong.count() * Guesses::BYTES < self.bytes {
            self.bad_records = 0;
            self.begin(bytes);
            return true;
        }
        self.judge(bytes)
    }

    #[inline(always)]
    fn begin(&mut self, bytes: usize) {
        self.wrong = Wrong::default();
        self.bytes = bytes as u64;
    }

    #[inline(never)]
    fn judge(&mut self, bytes: usize) -> bool {
        if self.is_off {
            return false;
        }
        if self.left > 0 {
            self.left -= 1;
            if self.left > 0 {
                return false;
            }
        } else {
            let is_bad = self.wrong != self.last_wrong;
            self.last_wrong = self.wrong;
            self.bad_records =
                if is_bad { (self.bad_records + 1).min(Guesses::RECORDS) } else { 0 };
            if self.bad_records == Guesses::RECORDS {
                self.left = Guesses::PAUSE;
                return false;
            }
        }
        self.begin(bytes);
        true
    }
}

impl<'a> Writer<'a> {
    /// Whether the row of the message in `text`, which has this way as well, is guessed at.
    #[inline(always)]
    pub(super) fn guesses(&mut self, text: Text<'a>) -> bool {
        self.scanner.scratch.guesses.are_due(text.len())
    }

    /// Appends the row of the message in `text`, whose fields cannot be guessed.
    #[inline(never)]
    pub(super) fn append_scattered(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram,
        scatter: &'a ScatterProgram, text: Text<'a>, level: Level,
    ) -> Result<usize, GivenUp> {
        #[cfg(target_arch = "x86_64")]
        if self.has_pext {
            // SAFETY: the processor was asked when the decoder was made.
            return unsafe { self.append_scattered_pext(message, append, scatter, text, level) };
        }
        self.append_scattered_shifts(message, append, scatter, text, level)
    }

    /// # Safety
    /// `quick::has_pext` holds.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "bmi1,bmi2")]
    unsafe fn append_scattered_pext(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram,
        scatter: &'a ScatterProgram, text: Text<'a>, level: Level,
    ) -> Result<usize, GivenUp> {
        // SAFETY: the caller's promise.
        unsafe { self.append_scattered_by::<quick::Pext>(message, append, scatter, text, level) }
    }

    #[inline(never)]
    fn append_scattered_shifts(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram,
        scatter: &'a ScatterProgram, text: Text<'a>, level: Level,
    ) -> Result<usize, GivenUp> {
        // SAFETY: every processor shifts.
        unsafe { self.append_scattered_by::<quick::Shifts>(message, append, scatter, text, level) }
    }

    /// # Safety
    /// The processor can do what `S` asks for.
    #[inline(always)]
    unsafe fn append_scattered_by<S: Squeeze>(
        &mut self, message: &'a MessageProgram, append: &'a AppendProgram,
        scatter: &'a ScatterProgram, text: Text<'a>, level: Level,
    ) -> Result<usize, GivenUp> {
        let base = self.at;
        let room = text.len() + append.room;
        let row = Row { message, base, fixed_len: append.fixed_len, room, level };
        self.reserve(append.fixed_len + room + scatter.room)?;
        self.set_template(&append.template);
        self.at += append.fixed_len;
        let slab = self.scanner.slab;
        let mut open = open_row(self.rows, row, self.at);
        let mut seen = 0;
        let mut again = 0;
        let mut waiting = [0; WAITING];
        let mut waits = 0;
        let mut between = Between::inside(text);
        while let Some(field) = between.next() {
            let leap;
            // SAFETY: the caller's promise.
            (leap, between) = unsafe { field.leap_by::<S>() }?;
            let op = scatter.op(Tag(leap.tag));
            let view = view(leap.text.span(slab));
            let number = leap.number & op.keep;
            let zigzag = (number >> 1) ^ ((number & 1).wrapping_neg() & op.keep);
            let is = |form| op.form == form;
            let mut value = select_unpredictable(is(ScatterForm::ZigZag), zigzag, number);
            value = select_unpredictable(is(ScatterForm::Bool), u64::from(number != 0), value);
            value = select_unpredictable(is(ScatterForm::Fixed), leap.word & op.keep, value);
            value = select_unpredictable(is(ScatterForm::View), view, value);
            // SAFETY: `ScatterProgram::is_sound`, which compiling asserts: the slot lies in the fixed
            // part.
            unsafe { open.set_slot(op.slot, value) };
            again |= seen & op.once;
            seen |= op.bit;
            waiting[waits % WAITING] = view;
            waits += usize::from(op.is_checked);
            if waits == WAITING {
                check(slab, &waiting)?;
                waits = 0;
            }
        }
        if !between.is_whole() || append.needed & !seen != 0 || again != 0 {
            return Err(GivenUp);
        }
        check(slab, &waiting[..waits])?;
        for column in &scatter.columns {
            let is_present = seen & column.bit != 0;
            if !is_present && let Some(default) = &column.default {
                let (blocks, len) = default.blocks();
                let slot = open.append_padded(blocks, len)?;
                // SAFETY: `ScatterProgram::is_sound`, as above.
                unsafe { open.set_slot(column.slot, slot) };
                continue;
            }
            // SAFETY: `ScatterProgram::is_sound`, as above.
            let raw = unsafe { open.slot(column.slot) };
            let value = match column.emit {
                ScatterEmit::Text => {
                    let text = viewed(slab, select_unpredictable(is_present, raw, 0))?;
                    let appended = open.append(text)?;
                    if !appended.is_ascii && !is_utf8(text) {
                        return Err(GivenUp);
                    }
                    appended.slot
                }
                ScatterEmit::Octets => {
                    open.append(viewed(slab, select_unpredictable(is_present, raw, 0))?)?.slot
                }
                ScatterEmit::EnumName(names) if is_present => {
                    let names = &self.scanner.program.enums[names as usize];
                    let (name, len) = names.find_padded(raw as u32 as i32).ok_or(GivenUp)?;
                    open.append_padded(name, len)?
                }
                ScatterEmit::EnumName(_) => column.absent,
            };
            let value = select_unpredictable(is_present, value, column.absent);
            // SAFETY: see above.
            unsafe { open.set_slot(column.slot, value) };
        }
        self.at = base + open.len();
        self.rows.set_word(base, append.null_if_absent & !seen);
        Ok(self.at - base)
    }
}

#[inline(always)]
fn viewed(slab: &[u8], view: u64) -> Result<Text<'_>, GivenUp> {
    Text::of(slab, span_of(view)).ok_or(GivenUp)
}

/// Whether the texts are valid UTF-8.
#[inline(always)]
fn check(slab: &[u8], waiting: &[u64]) -> Result<(), GivenUp> {
    for view in waiting {
        let text = viewed(slab, *view)?;
        if !is_short_ascii(text) && !is_utf8(text) {
            return Err(GivenUp);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of the next records are guessed at, each of 64 bytes, with so many wrong guesses.
    fn guessed(guesses: &mut Guesses, records: usize, wrong: u32) -> Vec<usize> {
        let mut guessed = Vec::new();
        for record in 0..records {
            if guesses.are_due(64) {
                (0..wrong).for_each(|at| guesses.went_wrong(at + record as u32));
                guessed.push(record);
            }
        }
        guessed
    }

    #[test]
    fn guessing_pauses_after_bad_records_and_is_tried_again() {
        let mut guesses = Guesses::default();
        assert_eq!(guessed(&mut guesses, 200, 4), [0, 1, 2, 3, 67, 131, 195]);
        // One good record is enough to go on guessing.
        assert_eq!(guessed(&mut guesses, 66, 3), [59, 60, 61, 62, 63, 64, 65]);
        assert_eq!(guessed(&mut guesses, 6, 4), [0, 1, 2, 3]);
    }

    #[test]
    fn guesses_that_hold_are_never_paused() {
        let mut guesses = Guesses::default();
        assert_eq!(guessed(&mut guesses, 1000, 3).len(), 1000);
        assert_eq!(guessed(&mut guesses, 3, 4).len(), 3);
        assert_eq!(guessed(&mut guesses, 1000, 0).len(), 1000);
        assert!(guessed(&mut Guesses::never(), 10, 0).is_empty());
    }

    #[test]
    fn what_goes_wrong_as_before_can_be_learned() {
        let mut guesses = Guesses::default();
        for _ in 0..1000 {
            assert!(guesses.are_due(64));
            (0..20).for_each(|at| guesses.went_wrong(7 * at));
        }
    }
}
