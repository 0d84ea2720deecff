//! One value: from its cell to the record.

use sluice_plan::encode_program::{EncodeOp, EncodeValue, OnNull, StoredTag, WrittenNumber};
use sluice_plan::{FailureCode, NumberNames};
use sluice_wire::{Span, WireType, append_replacing, is_utf8};

use super::Encoding;
use super::cells::{Cell, One};

impl Encoding<'_> {
    /// Writes the value in `cell`; whether its tag has to follow.
    #[inline(always)]
    pub fn value(&mut self, op: &EncodeOp, cell: Cell) -> Result<bool, FailureCode> {
        match op.value {
            EncodeValue::Number(number) => {
                let raw = match number.raw(self.word(cell.at)?) {
                    Some(raw) => raw,
                    None => return Err(self.out_of_range()),
                };
                self.number(number, raw, op.keep_default)
            }
            EncodeValue::Text => {
                let span = self.bytes_of(cell)?;
                if is_utf8(self.image, span) {
                    self.octets(span, op.keep_default)
                } else {
                    self.replaced_text(span)
                }
            }
            EncodeValue::Bytes => {
                let span = self.bytes_of(cell)?;
                self.octets(span, op.keep_default)
            }
            EncodeValue::EnumName { names } => {
                let Span { at, len } = self.bytes_of(cell)?;
                let program = self.program;
                let names = &program.enums[names as usize];
                let number = names.number(&self.image[at..at + len]);
                self.enum_value(op, names, number.ok_or(FailureCode::UnknownEnumName)?)
            }
            EncodeValue::Message { message } => {
                let Span { at, len } = self.part_of(cell)?;
                if self.program.messages[message as usize].fixed_len > len {
                    return Err(FailureCode::MalformedRow);
                }
                let before = self.open(op)?;
                self.row(message, at)?;
                self.close(op, before)
            }
            EncodeValue::List { list } => self.list(list, cell),
            EncodeValue::Map { map } => self.map(map, op, cell),
            _ => self.other_value(op, cell),
        }
    }

    #[inline(never)]
    fn other_value(&mut self, op: &EncodeOp, cell: Cell) -> Result<bool, FailureCode> {
        let before = self.open(op)?;
        match op.value {
            EncodeValue::EnumNumber { names, width, closed } => {
                let word = self.word(cell.at)?;
                return self.enum_number(op, word, names, width, closed);
            }
            EncodeValue::UnsignedDecimal { fixed } => {
                let bits = self.unsigned_decimal(cell)?;
                let number = if fixed { WrittenNumber::Fixed64 } else { WrittenNumber::Int64 };
                return self.number(number, bits, op.keep_default);
            }
            EncodeValue::Wrapped { message } => self.message(message, One { cell })?,
            EncodeValue::Timestamp { message, compact } => {
                self.timestamp(message, compact, cell)?
            }
            EncodeValue::Date { message } => self.date(message, cell)?,
            EncodeValue::Time { message } => self.time(message, cell)?,
            EncodeValue::Decimal { message, compact, scale } => {
                self.decimal(message, compact, scale, cell)?;
            }
            _ => unreachable!("`value` has written it"),
        }
        self.close(op, before)
    }

    /// Writes what stands for NULL; whether its tag has to follow.
    pub fn null(&mut self, op: &EncodeOp) -> Result<bool, FailureCode> {
        match op.null {
            OnNull::Unset => return Ok(false),
            OnNull::Required => return Err(FailureCode::MissingRequired),
            OnNull::Refuse => return Err(FailureCode::NullInNotNull),
            OnNull::Empty | OnNull::Default => {}
        }
        self.records.room(0)?;
        match op.value {
            EncodeValue::Number(number) => return self.number(number, 0, true),
            EncodeValue::EnumName { names } | EncodeValue::EnumNumber { names, .. } => {
                let first = self.program.enums[names as usize].first();
                return self.number(WrittenNumber::Int32, i64::from(first) as u64, true);
            }
            EncodeValue::Text => {
                let text = &self.program.null_text;
                self.records.room(text.len())?;
                self.records.put(text);
                self.records.varint(text.len() as u64);
            }
            _ if op.end != StoredTag::NONE => self.records.tag(op.end),
            _ => self.records.varint(0),
        }
        Ok(true)
    }

    #[inline(always)]
    pub fn number(
        &mut self, number: WrittenNumber, raw: u64, keep_default: bool,
    ) -> Result<bool, FailureCode> {
        if raw == 0 && !keep_default {
            return Ok(false);
        }
        self.records.room(0)?;
        match number.wire_type() {
            WireType::Fixed32 => self.records.fixed32(raw as u32),
            WireType::Fixed64 => self.records.fixed64(raw),
            _ => self.records.varint(raw),
        }
        Ok(true)
    }

    #[inline(always)]
    fn octets(&mut self, Span { at, len }: Span, keep_default: bool) -> Result<bool, FailureCode> {
        if len == 0 && !keep_default {
            return Ok(false);
        }
        self.records.room(len)?;
        self.records.put(&self.image[at..at + len]);
        self.records.varint(len as u64);
        Ok(true)
    }

    /// Text that is not valid UTF-8, as a Java `String` would have read it.
    #[cold]
    fn replaced_text(&mut self, Span { at, len }: Span) -> Result<bool, FailureCode> {
        let text = &mut self.scratch.text;
        text.clear();
        append_replacing(&self.image[at..at + len], text);
        self.records.room(text.len())?;
        self.records.put(text);
        self.records.varint(text.len() as u64);
        Ok(true)
    }

    /// Begins the end of a message; how much was written before.
    #[inline(always)]
    fn open(&mut self, op: &EncodeOp) -> Result<usize, FailureCode> {
        if op.end != StoredTag::NONE {
            self.records.room(0)?;
            self.records.tag(op.end);
        }
        Ok(self.records.len())
    }

    /// Ends the beginning of a message: a group needs no length.
    #[inline(always)]
    fn close(&mut self, op: &EncodeOp, before: usize) -> Result<bool, FailureCode> {
        if op.end != StoredTag::NONE {
            return self.records.room(0).map(|()| true);
        }
        self.length_since(before)
    }

    /// The length of what was written since `before`.
    #[inline(always)]
    pub fn length_since(&mut self, before: usize) -> Result<bool, FailureCode> {
        let len = self.records.len() - before;
        self.records.room(0)?;
        self.records.varint(len as u64);
        Ok(true)
    }

    fn enum_number(
        &mut self, op: &EncodeOp, word: u64, names: u32, width: u8, closed: bool,
    ) -> Result<bool, FailureCode> {
        let program = self.program;
        let names = &program.enums[names as usize];
        let number = match width {
            1 => i32::from(word as i8),
            2 => i32::from(word as i16),
            8 if !names.is_lenient() => {
                i32::try_from(word as i64).map_err(|_| self.out_of_range())?
            }
            _ => word as i32,
        };
        let number = match closed {
            true => names.known(number).ok_or(FailureCode::UnknownEnumNumber)?,
            false => number,
        };
        self.enum_value(op, names, number)
    }

    /// The default of an enum is its first value, which is 0 but in a proto2 enum inside proto3.
    #[inline(always)]
    fn enum_value(
        &mut self, op: &EncodeOp, names: &NumberNames, number: i32,
    ) -> Result<bool, FailureCode> {
        if number == names.first() && !op.keep_default {
            return Ok(false);
        }
        self.number(WrittenNumber::Int32, i64::from(number) as u64, true)
    }

    #[cold]
    pub fn out_of_range(&mut self) -> FailureCode {
        FailureCode::NumberRange
    }
}
