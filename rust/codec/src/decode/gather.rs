//! The row's variable part, in column order.
//!
//! Layout of Flink's `BinaryRowData`: 8 header bits (row kind, INSERT = 0), a null bit for each
//! column, padded to words; one 8-byte slot for each column; the variable part. A value of the
//! variable part starts at a word, is padded with zeros, and its slot holds offset (from the row's
//! start, high half) and length (low half). Strings and bytes of up to 7 bytes stand in the slot
//! itself, marked by `0x80 | length` in its last byte.

use sluice_plan::program::{Absent, Emit, MessageProgram, Number, VarColumn};
use sluice_plan::{FailureCode, Program};
use sluice_wire::{SLACK, Span, append_replacing, is_utf8};

use super::check::Source;
use super::presence::{Narrow, Presence, Wide};
use super::scan::{Scanner, get, span_of};
use super::{Level, Scratch};
use crate::RowBuffer;

/// Longest string that stands in its slot.
const INLINE_MAX: usize = 7;

/// Writes one row, and the rows inside it.
pub(super) struct Writer<'a> {
    pub scanner: Scanner<'a>,
    pub rows: &'a mut RowBuffer,
    /// Where the next value of the variable part goes.
    pub at: usize,
    bytes_max: usize,
}

/// `len` padded to whole words.
pub(super) fn padded(len: usize) -> usize {
    (len + 7) & !7
}

impl<'a> Writer<'a> {
    pub fn new(
        program: &'a Program, slab: &'a [u8], scratch: &'a mut Scratch, rows: &'a mut RowBuffer,
        bytes_max: usize,
    ) -> Writer<'a> {
        let at = rows.rows().len();
        Writer { scanner: Scanner { program, slab, scratch }, rows, at, bytes_max }
    }

    /// The table row of the message in `span`; its length.
    pub fn root(&mut self, span: Span, level: Level) -> Result<usize, FailureCode> {
        self.row(self.scanner.program.root, Source::Span(span), level)
    }

    pub fn reserve(&mut self, len: usize) -> Result<(), FailureCode> {
        self.rows.reserve(self.at + len, self.bytes_max)
    }

    /// Appends the row of one message; its length.
    fn row(&mut self, index: u32, source: Source, level: Level) -> Result<usize, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[index as usize];
        if message.is_wide {
            self.fill::<Wide>(message, source, level)
        } else {
            self.fill::<Narrow>(message, source, level)
        }
    }

    fn fill<P: Presence>(
        &mut self, message: &'a MessageProgram, source: Source, level: Level,
    ) -> Result<usize, FailureCode> {
        let base = self.at;
        self.reserve(message.template.len())?;
        let slots = &mut self.rows.from(base)[..message.template.len()];
        slots.copy_from_slice(&message.template);
        let mark = self.scanner.scratch.pieces.mark();
        let seen = P::start(message, &mut self.scanner.scratch.words);
        let (seen, _) = self.scanner.read(message, slots, source, seen, level)?;
        self.scanner.finish(message, slots, source, seen, level)?;
        for (index, null) in message.null_if_absent.iter().enumerate() {
            let nulls = null & !seen.word(&self.scanner.scratch.words, index);
            self.rows.set_word(base + 8 * index, nulls);
        }
        self.at = base + message.fixed_len; // over the hidden slots, which are done with
        for column in &message.columns {
            let present = seen.has(&self.scanner.scratch.words, column.bit);
            if let Err(code) = self.column(column, present, base, level) {
                let at = self.place(column, base);
                let fault = &mut self.scanner.scratch.fault;
                return Err(fault.field(code, message, column.field, column.repeated, at));
            }
        }
        seen.finish(&mut self.scanner.scratch.words);
        self.scanner.scratch.pieces.cut(mark);
        Ok(self.at - base)
    }

    #[inline(always)]
    fn column(
        &mut self, column: &'a VarColumn, present: bool, base: usize, level: Level,
    ) -> Result<(), FailureCode> {
        let slot_at = base + column.slot as usize;
        if !present && column.absent == Absent::Null {
            return Ok(());
        }
        let raw = self.rows.word(slot_at);
        let start = self.at;
        let slot = self.value(column.emit, &column.absent, present, raw, base, level)?;
        if column.null_if_empty && self.is_empty(column.emit, start) {
            self.at = start;
            let bit = base + 8 * column.bit.word as usize;
            self.rows.set_word(bit, self.rows.word(bit) | column.bit.mask);
            self.rows.set_word(slot_at, 0);
            return Ok(());
        }
        self.rows.set_word(slot_at, slot);
        Ok(())
    }

    /// The slot of a value that is not NULL.
    #[inline(always)]
    pub fn value(
        &mut self, emit: Emit, absent: &'a Absent, present: bool, raw: u64, base: usize,
        level: Level,
    ) -> Result<u64, FailureCode> {
        match absent {
            _ if present => self.emit(emit, raw, base, level),
            Absent::Null | Absent::Raw => self.emit(emit, raw, base, level),
            Absent::Text(bytes) => self.bytes(bytes, base),
            Absent::Constant(bytes) => self.region(bytes, base),
            Absent::NoPieces => {
                let level = Level { enforce: false, ..level };
                self.emit_message(emit, Source::Nothing, base, level)
            }
        }
    }

    /// Turns a raw value into a slot whose offsets count from `base`.
    #[inline(always)]
    pub fn emit(
        &mut self, emit: Emit, raw: u64, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        match emit {
            Emit::Bytes => self.view(span_of(raw), base),
            Emit::Fixed => Ok(raw),
            Emit::EnumName { names } => self.name(names, raw as u32 as i32, base),
            Emit::EnumNumber { names, number } => self.number(names, raw as u32 as i32, number),
            Emit::LenientText => self.lenient(span_of(raw), base),
            Emit::UnsignedDecimal => self.unsigned_decimal(raw, base),
            Emit::Array { array } => {
                let program = self.scanner.program;
                self.array(&program.arrays[array as usize], raw, base, level)
            }
            Emit::Map { map } => {
                let program = self.scanner.program;
                self.map(&program.maps[map as usize], raw, base, level)
            }
            Emit::Row { .. } | Emit::Timestamp { .. } | Emit::Wrapped { .. } => {
                self.emit_message(emit, Source::Pieces(raw as u32), base, level)
            }
        }
    }

    /// The slot of a value that is made of one message.
    pub fn emit_message(
        &mut self, emit: Emit, source: Source, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        let level = level.inside()?;
        match emit {
            Emit::Row { message } => {
                let start = self.at;
                let len = self.row(message, source, level)?;
                Ok(slot(start - base, len))
            }
            Emit::Timestamp { message, nanos_unit, compact } => {
                self.timestamp(message, source, level, nanos_unit, compact, base)
            }
            Emit::Wrapped { message } => {
                let program = self.scanner.program;
                let message = &program.messages[message as usize];
                let (slots, [present, _]) = self.scanner.read_slots(message, source, level)?;
                let raw = get(&slots, 8);
                self.scanner.give_back(slots, level);
                match message.columns.first() {
                    Some(column) => {
                        self.value(column.emit, &column.absent, present, raw, base, level)
                    }
                    None => Ok(raw),
                }
            }
            _ => unreachable!("no other value is made of a message"),
        }
    }

    /// Bytes of the record, which has slack behind it.
    #[inline(always)]
    fn view(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        let Span { at, len } = span;
        let slab = self.scanner.slab;
        let word = |at: usize| {
            u64::from_le_bytes(*slab[at..].first_chunk().expect("a span has slack behind it"))
        };
        const _: () = assert!(SLACK >= 8);
        let last = len & !7;
        let tail = word(at + last) & ((1 << (8 * (len & 7))) - 1);
        if len <= INLINE_MAX {
            return Ok(tail | (0x80 | len as u64) << 56);
        }
        let start = self.at;
        self.reserve(last + 8)?;
        let out = self.rows.from(start);
        if len <= 64 {
            // Word by word; a call of memcpy costs more than these few steps.
            let words = slab[at..at + last].chunks_exact(8);
            out[..last].chunks_exact_mut(8).zip(words).for_each(|(to, word)| {
                to.copy_from_slice(word);
            });
        } else {
            out[..last].copy_from_slice(&slab[at..at + last]);
        }
        self.rows.set_word(start + last, tail); // overwritten if `len` is whole words
        self.at = start + padded(len);
        Ok(slot(start - base, len))
    }

    /// Bytes from elsewhere.
    pub fn bytes(&mut self, bytes: &[u8], base: usize) -> Result<u64, FailureCode> {
        let len = bytes.len();
        if len <= INLINE_MAX {
            let mut word = [0; 8];
            word[..len].copy_from_slice(bytes);
            word[INLINE_MAX] = 0x80 | len as u8;
            return Ok(u64::from_le_bytes(word));
        }
        self.region(bytes, base)
    }

    /// Bytes that stand in the variable part whatever their length.
    fn region(&mut self, bytes: &[u8], base: usize) -> Result<u64, FailureCode> {
        let (start, len) = (self.at, padded(bytes.len()));
        self.reserve(len)?;
        self.rows.set_word(start + len - 8, 0);
        self.rows.from(start)[..bytes.len()].copy_from_slice(bytes);
        self.at += len;
        Ok(slot(start - base, bytes.len()))
    }

    fn lenient(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        if is_utf8(self.scanner.slab, span) {
            return self.view(span, base);
        }
        let mut text = std::mem::take(&mut self.scanner.scratch.text);
        text.clear();
        append_replacing(&self.scanner.slab[span.at..span.at + span.len], &mut text);
        let slot = self.bytes(&text, base);
        self.scanner.scratch.text = text;
        slot
    }

    fn name(&mut self, names: u32, number: i32, base: usize) -> Result<u64, FailureCode> {
        let program = self.scanner.program;
        let names = &program.enums[names as usize];
        match names.find(number) {
            Some(name) => self.bytes(name, base),
            None => self.bytes(names.unknown(number).as_bytes(), base),
        }
    }

    fn number(&mut self, names: u32, raw: i32, number: Number) -> Result<u64, FailureCode> {
        if self.scanner.program.enums[names as usize].find(raw).is_none() {
            let detail = format!("the enum has no value of number {raw}");
            let fault = &mut self.scanner.scratch.fault;
            return Err(fault.because(FailureCode::UnknownEnumNumber, detail));
        }
        Ok(number.value(u64::from(raw as u32)))
    }

    /// DECIMAL(20, 0): the shortest two's complement, big-endian, in 16 zeroed bytes.
    fn unsigned_decimal(&mut self, value: u64, base: usize) -> Result<u64, FailureCode> {
        let start = self.at;
        self.reserve(16)?;
        let bytes = u128::from(value).to_be_bytes();
        // One bit more than the number has, for the sign.
        let len = (64 - value.leading_zeros() as usize) / 8 + 1;
        let out = &mut self.rows.from(start)[..16];
        out.fill(0);
        out[..len].copy_from_slice(&bytes[16 - len..]);
        self.at += 16;
        Ok(slot(start - base, len))
    }

    /// Whether the collection written at `start` has no elements.
    fn is_empty(&self, emit: Emit, start: usize) -> bool {
        match emit {
            Emit::Map { .. } => self.rows.word(start) >> 32 == 0, // count of the key array
            _ => self.rows.word(start) as u32 == 0,
        }
    }

    /// Where in the record a column's value begins, as far as its slot still tells.
    #[cold]
    fn place(&self, column: &VarColumn, base: usize) -> usize {
        let raw = self.rows.word(base + column.slot as usize);
        match column.emit {
            Emit::Bytes | Emit::LenientText => span_of(raw).at,
            Emit::Row { .. }
            | Emit::Timestamp { .. }
            | Emit::Wrapped { .. }
            | Emit::Array { .. }
            | Emit::Map { .. } => self.scanner.start(Source::Pieces(raw as u32)),
            _ => 0,
        }
    }
}

/// Offset and length as a slot.
pub(super) fn slot(offset: usize, len: usize) -> u64 {
    (offset as u64) << 32 | len as u64
}
