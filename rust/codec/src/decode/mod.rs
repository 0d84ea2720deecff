//! One record to one canonical row.
//!
//! ```text
//! scan    one pass over a message: numbers go to their slots, all else stays in the record and the
//!         slot gets a view or a list of pieces; whatever no column asks for is checked
//! gather  in column order: views and pieces become the row's variable part, nested rows included
//! append  both at once, for fields that come in column order: the usual case; anything else, faults
//!         included, makes the record go through scan and gather
//! ```
//! So the row's bytes depend on its values only, never on the order in which fields arrived, and
//! equal what Flink's `RowDataSerializer.toBinaryRow` makes of the same row. Values that a later
//! one replaces, or that a oneof clears, have been checked all the same.
//!
//! A record is refused exactly when protobuf-java refuses it, or when a value does not fit its
//! column. Of several faults in one record, whichever is met first is reported; nested messages are
//! met when their row is written, not in the order of the wire.

mod append;
mod array;
mod calendar;
mod check;
mod decimal;
mod entries;
mod gather;
mod key_image;
mod map;
mod octets;
mod oneof;
mod pieces;
mod presence;
mod scan;

use sluice_plan::{Failure, FailureCode, Program};
use sluice_wire::{Span, quick};

use crate::fault::Fault;
use crate::hash_order::HashOrder;
use crate::hold_off::HoldOff;
use crate::{RowBuffer, Slab};
use append::scatter::Guesses;
use entries::Entry;
use gather::Writer;
use oneof::Choice;
use pieces::Pieces;

/// Scratch memory of one decoding thread: reused, so that a warm decoder allocates nothing.
#[derive(Debug, Default)]
pub struct Decoder {
    scratch: Scratch,
    hold_off: HoldOff,
}

#[derive(Debug, Default)]
struct Scratch {
    pieces: Pieces,
    words: Vec<u64>,      // presence bits of wide messages, a stack
    slots: Vec<Vec<u8>>,  // of messages that are no rows, by depth
    values: Vec<u64>,     // of the array that is being written
    entries: Vec<Entry>,  // of the maps that are being written, a stack
    choices: Vec<Choice>, // of the oneofs in those entries, a stack
    order: Vec<u32>,      // of a big map's entries
    hash_order: HashOrder,
    moved: Vec<Entry>, // of the map whose entries are brought into that order
    images: Vec<u8>,   // keys of the maps that are being written, a stack
    text: Vec<u8>,     // a string whose malformed parts were replaced, a message in pieces
    digits: Vec<u8>,   // of a long decimal
    fault: Fault,
    /// The short way leaves all this as it was.
    is_clean: bool,
    guesses: Guesses,
    /// See `quick::has_pext`.
    has_pext: bool,
}

/// Where in the tree of messages a message stands.
#[derive(Debug, Clone, Copy)]
struct Level {
    depth: u32,
    depth_max: u32,
    /// Absent required fields refuse the record. Not so in messages that are not part of it:
    /// cleared members of a oneof, default instances.
    enforce: bool,
}

impl Level {
    /// The level of a message or group inside this one.
    fn inside(self) -> Result<Level, FailureCode> {
        if self.depth >= self.depth_max {
            return Err(FailureCode::TooDeep);
        }
        Ok(Level { depth: self.depth + 1, ..self })
    }

    /// Levels of groups that may still follow.
    fn left(self) -> u32 {
        self.depth_max - self.depth
    }
}

impl Decoder {
    /// An empty decoder.
    pub fn new() -> Decoder {
        let mut decoder = Decoder::default();
        decoder.scratch.has_pext = quick::has_pext();
        decoder
    }

    /// A decoder that asks no more of the processor than every one of its family has.
    pub fn baseline() -> Decoder {
        Decoder::default()
    }

    /// This decoder, but looking up each field by its tag where it can: for tests, as a decoder comes to
    /// that by itself where fields cannot be guessed.
    pub fn never_guessing(mut self) -> Decoder {
        self.scratch.guesses = Guesses::never();
        self
    }

    /// Appends the row of the message that starts at `message_at` of the slab's record to `rows`
    /// and returns the row's length; on failure `rows` is as before.
    pub fn decode_row(
        &mut self, program: &Program, input: &Slab, message_at: usize, rows: &mut RowBuffer,
    ) -> Result<usize, FailureCode> {
        let len = input.record().len();
        let limits = program.limits();
        let levels = limits.depth_max as usize + 2;
        let scratch = &mut self.scratch;
        if !scratch.is_clean(levels) {
            scratch.reset(levels);
        }
        let message_len = match len.checked_sub(message_at) {
            _ if len > limits.record_bytes_max => {
                return Err(scratch.close_fault(FailureCode::RecordTooLarge));
            }
            None => return Err(scratch.close_fault(FailureCode::Truncated)),
            Some(message_len) => message_len,
        };
        let level = Level { depth: 0, depth_max: limits.depth_max, enforce: true };
        let span = Span { at: message_at, len: message_len };
        let start = rows.rows().len();
        let (slab, bytes_max) = (input.readable(), limits.batch_bytes_max);
        if self.hold_off.allows() {
            match Writer::new(program, slab, scratch, rows, bytes_max, true).root(span, level) {
                Ok(len) => {
                    self.hold_off.succeeded();
                    rows.extend_to(start + len);
                    return Ok(len);
                }
                Err(_) => {
                    self.hold_off.gave_up();
                    scratch.reset(levels);
                }
            }
        }
        scratch.is_clean = false;
        match Writer::new(program, slab, scratch, rows, bytes_max, false).root(span, level) {
            Ok(len) => {
                rows.extend_to(start + len);
                Ok(len)
            }
            Err(code) => {
                scratch.fault.at(code, message_at); // where no field has a place of its own
                Err(scratch.close_fault(code))
            }
        }
    }

    /// Detail of the last refusal; `program` must be the one that refused.
    pub fn failure(&self, program: &Program) -> Failure {
        self.scratch.fault.failure(program.message_name())
    }

    /// Records that the short way was tried for and gave up, faulty ones included.
    pub fn given_up(&self) -> u64 {
        self.hold_off.given_up()
    }

    /// Bytes of scratch memory that wait for the next record. They grow with the biggest record,
    /// not with the number of records.
    pub fn kept_bytes(&self) -> usize {
        self.scratch.kept_bytes()
    }
}

impl Scratch {
    #[inline(always)]
    fn is_clean(&self, levels: usize) -> bool {
        self.is_clean && self.slots.len() >= levels
    }

    #[cold]
    fn close_fault(&mut self, code: FailureCode) -> FailureCode {
        self.is_clean = false;
        self.fault.close(code)
    }

    #[inline(never)]
    fn reset(&mut self, levels: usize) {
        self.pieces.reset();
        self.words.clear();
        self.entries.clear();
        self.choices.clear();
        self.images.clear();
        self.fault.reset();
        self.is_clean = true;
        if self.slots.len() < levels {
            self.slots.resize_with(levels, Vec::new);
        }
    }

    fn kept_bytes(&self) -> usize {
        fn of<T>(memory: &Vec<T>) -> usize {
            memory.capacity() * size_of::<T>()
        }
        let entries = of(&self.entries) + of(&self.order) + of(&self.moved) + of(&self.images);
        let slots: usize = self.slots.iter().map(of).sum();
        self.pieces.kept_bytes()
            + self.hash_order.kept_bytes()
            + entries
            + of(&self.choices)
            + of(&self.slots)
            + slots
            + of(&self.words)
            + of(&self.values)
            + of(&self.text)
            + of(&self.digits)
    }
}
