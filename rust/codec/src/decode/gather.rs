//! The row's variable part, in column order.
//!
//! Layout of Flink's `BinaryRowData`: 8 header bits (row kind, INSERT = 0), a null bit for each
//! column, padded to words; one 8-byte slot for each column; the variable part. A value of the
//! variable part starts at a word, is padded with zeros, and its slot holds offset (from the row's
//! start, high half) and length (low half). Strings and bytes of up to 7 bytes stand in the slot
//! itself, marked by `0x80 | length` in its last byte.

use sluice_plan::program::{Absent, Bit, Emit, MessageProgram, Number, VarColumn};
use sluice_plan::{FailureCode, Program};
use sluice_wire::Span;
use sluice_wire::quick::Text;

use super::check::Source;
use super::presence::{Narrow, Presence, Wide};
use super::scan::{Scanner, get, span_of};
use super::{Level, Scratch};
use crate::RowBuffer;

/// Writes one row, and the rows inside it.
pub(super) struct Writer<'a> {
    pub scanner: Scanner<'a>,
    pub rows: &'a mut RowBuffer,
    /// Where the next value of the variable part goes.
    pub at: usize,
    bytes_max: usize,
    /// Rows are appended where they can be; a failure then only says that they cannot.
    appends: bool,
    /// See `quick::has_pext`.
    pub has_pext: bool,
}

/// `len` padded to whole words.
pub(super) fn padded(len: usize) -> usize {
    (len + 7) & !7
}

impl<'a> Writer<'a> {
    pub fn new(
        program: &'a Program, slab: &'a [u8], scratch: &'a mut Scratch, rows: &'a mut RowBuffer,
        bytes_max: usize, appends: bool,
    ) -> Writer<'a> {
        let at = rows.rows().len();
        let has_pext = scratch.has_pext;
        Writer {
            scanner: Scanner { program, slab, scratch },
            rows,
            at,
            bytes_max,
            appends,
            has_pext,
        }
    }

    /// The table row of the message in `span`; its length.
    pub fn root(&mut self, span: Span, level: Level) -> Result<usize, FailureCode> {
        self.row(self.scanner.program.root, Source::Span(span), level)
    }

    pub fn reserve(&mut self, len: usize) -> Result<(), FailureCode> {
        self.rows.reserve(self.at + len, self.bytes_max)
    }

    /// Appends the row of one message; its length.
    pub fn row(&mut self, index: u32, source: Source, level: Level) -> Result<usize, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[index as usize];
        if self.appends
            && let Some(append) = &message.append
            && let Some(span) = self.scanner.whole(source)
        {
            let text = Text::of(self.scanner.slab, span).expect("a span lies in the record");
            return Ok(self.append_row(message, append, text, level)?);
        }
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
        let seen = self.scanner.moves(message, slots, source, seen)?;
        self.scanner.finish(message, slots, source, seen, level)?;
        for (index, null) in message.null_if_absent.iter().enumerate() {
            let nulls = null & !seen.word(&self.scanner.scratch.words, index);
            self.rows.set_word(base + 8 * index, nulls);
        }
        self.at = base + message.fixed_len; // over the hidden slots, which are done with
        for column in &message.columns {
            let present = seen.has(&self.scanner.scratch.words, column.bit);
            if let Err(code) = self.column(message, column, present, base, level) {
                return Err(self.column_fault(message, column, present, base, code));
            }
        }
        seen.finish(&mut self.scanner.scratch.words);
        self.scanner.scratch.pieces.cut(mark);
        Ok(self.at - base)
    }

    #[cold]
    fn column_fault(
        &mut self, message: &'a MessageProgram, column: &VarColumn, present: bool, base: usize,
        code: FailureCode,
    ) -> FailureCode {
        let raw = self.rows.word(base + column.slot as usize);
        let at = if present { self.place(column.emit, raw) } else { None };
        let fault = &mut self.scanner.scratch.fault;
        fault.field(code, &message.fields, column.field, column.repeated, at)
    }

    #[inline(always)]
    fn column(
        &mut self, message: &'a MessageProgram, column: &'a VarColumn, present: bool, base: usize,
        level: Level,
    ) -> Result<(), FailureCode> {
        let slot_at = base + column.slot as usize;
        if !present && column.absent == Absent::Null {
            return Ok(());
        }
        let raw = self.rows.word(slot_at);
        let start = self.at;
        if present && column.emit == Emit::Bytes {
            // The usual column; it is never NULL, and nothing else is asked of it.
            let slot = self.view(span_of(raw), base)?;
            self.rows.set_word(slot_at, slot);
            return Ok(());
        }
        match self.value(column.emit, &column.absent, present, raw, base, level)? {
            Some(slot) if !(column.null_if_empty && self.is_empty(column.emit, start)) => {
                self.rows.set_word(slot_at, slot);
                Ok(())
            }
            value => self.null_column(message, column, base, start, value),
        }
    }

    /// Makes a column NULL whose value does not fit it, or is an empty collection.
    #[inline(never)]
    fn null_column(
        &mut self, message: &'a MessageProgram, column: &VarColumn, base: usize, start: usize,
        value: Option<u64>,
    ) -> Result<(), FailureCode> {
        if value.is_none() && column.not_null {
            let name = message.names.iter().rfind(|(bit, _)| *bit == column.bit);
            return Err(self.refuse_null(name.map_or("", |(_, name)| name)));
        }
        self.at = start;
        let bit = base + 8 * column.bit.word as usize;
        self.rows.set_word(bit, self.rows.word(bit) | column.bit.mask);
        self.rows.set_word(base + column.slot as usize, 0);
        Ok(())
    }

    #[cold]
    pub fn refuse_null(&mut self, name: &str) -> FailureCode {
        let detail = format!("column {name} is NOT NULL and the value does not fit it");
        self.scanner.scratch.fault.because(FailureCode::NullInNotNull, detail)
    }

    /// The slot of a value that is not absent; `None` where it is NULL for another reason.
    #[inline(always)]
    pub fn value(
        &mut self, emit: Emit, absent: &'a Absent, present: bool, raw: u64, base: usize,
        level: Level,
    ) -> Result<Option<u64>, FailureCode> {
        match absent {
            _ if present => self.emit(emit, raw, base, level),
            Absent::Null | Absent::Raw => self.emit(emit, raw, base, level),
            Absent::Text(bytes) => self.bytes(bytes, base).map(Some),
            Absent::Constant(bytes) => self.region(bytes, base).map(Some),
            Absent::NoPieces => {
                let level = Level { enforce: false, ..level };
                self.emit_message(emit, Source::Nothing, base, level)
            }
        }
    }

    /// Turns a raw value into a slot whose offsets count from `base`; `None` is NULL.
    #[inline(always)]
    pub fn emit(
        &mut self, emit: Emit, raw: u64, base: usize, level: Level,
    ) -> Result<Option<u64>, FailureCode> {
        let slot = match emit {
            Emit::Bytes => self.view(span_of(raw), base),
            Emit::Fixed => Ok(raw),
            Emit::EnumName { names } => self.name(names, raw as u32 as i32, base),
            Emit::EnumNumber { names, number } => self.number(names, raw as u32 as i32, number),
            Emit::LenientText => self.lenient(span_of(raw), base),
            Emit::UnsignedDecimal => self.wide_decimal(i128::from(raw), base),
            Emit::Opaque => self.opaque(raw, base),
            Emit::Array { array } => {
                let program = self.scanner.program;
                self.array(&program.arrays[array as usize], raw, base, level)
            }
            Emit::Map { map } => {
                let program = self.scanner.program;
                self.map(&program.maps[map as usize], raw, base, level)
            }
            Emit::Oneof { row } => {
                let program = self.scanner.program;
                self.oneof(&program.oneof_rows[row as usize], raw, base, level)
            }
            Emit::Chosen => self.chosen(raw, base, level),
            Emit::Row { .. }
            | Emit::Timestamp { .. }
            | Emit::Wrapped { .. }
            | Emit::Date { .. }
            | Emit::Time { .. }
            | Emit::Decimal { .. } => {
                return self.emit_message(emit, Source::Pieces(raw as u32), base, level);
            }
        };
        slot.map(Some)
    }

    /// The slot of a value that is made of one message; `None` is NULL.
    pub fn emit_message(
        &mut self, emit: Emit, source: Source, base: usize, level: Level,
    ) -> Result<Option<u64>, FailureCode> {
        let level = match source {
            Source::Nothing => level, // a default is nowhere in the record, however deep the table
            _ => level.inside()?,
        };
        let slot = match emit {
            Emit::Row { message } => {
                let start = self.at;
                self.row(message, source, level).map(|len| slot(start - base, len))
            }
            Emit::Timestamp { message, nanos_unit, compact } => {
                self.timestamp(message, source, level, nanos_unit, compact, base)
            }
            Emit::Date { message } => self.date(message, source, level),
            Emit::Time { message, millis_unit } => self.time(message, source, level, millis_unit),
            Emit::Decimal { message, precision, scale } => {
                return self.decimal(message, source, level, (precision, scale), base);
            }
            Emit::Wrapped { message } => return self.wrapped(message, source, base, level),
            _ => unreachable!("no other value is made of a message"),
        };
        slot.map(Some)
    }

    /// The only column of a message.
    fn wrapped(
        &mut self, message: u32, source: Source, base: usize, level: Level,
    ) -> Result<Option<u64>, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[message as usize];
        let mark = self.scanner.scratch.pieces.mark();
        let (slots, [present, _]) = self.scanner.read_slots::<false>(message, source, level)?;
        let raw = get(&slots, 8);
        self.scanner.give_back(slots, level);
        if !present && message.null_if_absent[0] & Bit::at(8).mask != 0 {
            return Ok(None);
        }
        let Some(column) = message.columns.first() else { return Ok(Some(raw)) };
        let value = self.value(column.emit, &column.absent, present, raw, base, level);
        match value {
            Ok(value) => {
                self.scanner.scratch.pieces.cut(mark);
                Ok(value)
            }
            Err(code) => {
                let at = self.scanner.start(source);
                let fault = &mut self.scanner.scratch.fault;
                Err(fault.field(code, &message.fields, column.field, column.repeated, at))
            }
        }
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

    /// Whether the collection written at `start` has no elements.
    pub fn is_empty(&self, emit: Emit, start: usize) -> bool {
        match emit {
            Emit::Map { .. } => self.rows.word(start) >> 32 == 0, // count of the key array
            _ => self.rows.word(start) as u32 == 0,
        }
    }

    /// Where in the record a value begins, as far as its raw form tells.
    #[cold]
    pub fn place(&self, emit: Emit, raw: u64) -> Option<usize> {
        let emit = match emit {
            Emit::Oneof { row } => self.scanner.program.oneof_rows[row as usize].emit,
            emit => emit,
        };
        match emit {
            Emit::Bytes | Emit::LenientText => Some(span_of(raw).at),
            Emit::Row { .. }
            | Emit::Timestamp { .. }
            | Emit::Wrapped { .. }
            | Emit::Date { .. }
            | Emit::Time { .. }
            | Emit::Decimal { .. }
            | Emit::Opaque
            | Emit::Array { .. }
            | Emit::Map { .. } => self.scanner.start(Source::Pieces(raw as u32)),
            _ => None,
        }
    }
}

/// Offset and length as a slot.
pub(super) fn slot(offset: usize, len: usize) -> u64 {
    (offset as u64) << 32 | len as u64
}
