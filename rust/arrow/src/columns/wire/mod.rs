//! The short way: from the wire to columns, without a row.
//!
//! It holds for the usual record: fields that a column takes as they stand, each singular one once, in
//! whatever order. Anything else gives the record up: its values are cut off again, and it becomes a row
//! by the decoder, which alone knows all rules and reports faults. So this way knows no error but "not so",
//! and a record that it takes has the values that its row would have. As in the decoder's own short way, a
//! record that was given up makes the next ones go by rows at once: 1, 3, 7 … up to 127 of them.

mod program;

use sluice_plan::Program;
use sluice_plan::program::Number;
use sluice_wire::{Cursor, Span, Tag, WireError, WireType, is_utf8};

pub(crate) use program::WireProgram;
use program::{FIRST_BIT, Message, Op, Way, WhenAbsent};

use super::nested::Struct;
use super::{Column, Values};

/// The record becomes a row.
#[derive(Debug)]
pub(crate) struct GivenUp;

impl From<WireError> for GivenUp {
    fn from(_: WireError) -> GivenUp {
        GivenUp
    }
}

type Result<T> = std::result::Result<T, GivenUp>;

/// Entries of a map that are compared each with each.
const ENTRIES_MAX: usize = 16;
/// Rows may have more bytes than columns, mostly by the slots of nested rows. A record whose columns have
/// this part of what a row may have leaves it to the decoder to say whether its row is too large.
const ROW_PER_COLUMNS: usize = 64;

impl WireProgram {
    /// Adds the message in `span` as a row of `columns`: the bytes that it took there beside the columns'
    /// own. `slab` has slack behind the record. What a record that is given up leaves behind must be cut
    /// off.
    pub fn append(
        &self, program: &Program, slab: &[u8], span: Span, columns: &mut Struct,
    ) -> Result<usize> {
        let limits = program.limits();
        if span.at + span.len > limits.record_bytes_max {
            return Err(GivenUp);
        }
        let bytes_max = limits.batch_bytes_max / ROW_PER_COLUMNS;
        let mut reader = Reader { wire: self, program, slab, bytes: 0, bytes_max };
        // Two levels are kept for what has levels of its own: a map, a message in it.
        let levels = limits.depth_max.saturating_sub(2);
        reader.message(&self.messages[self.root], span, &mut columns.columns, levels)?;
        Ok(reader.bytes)
    }
}

struct Reader<'a> {
    wire: &'a WireProgram,
    program: &'a Program,
    slab: &'a [u8],
    bytes: usize,
    bytes_max: usize,
}

impl<'a> Reader<'a> {
    #[inline(always)]
    fn cursor(&self, span: Span) -> Cursor<'a> {
        Cursor::new(self.slab, span.at, span.at + span.len).expect("a span has slack behind it")
    }

    fn message(
        &mut self, message: &'a Message, span: Span, columns: &mut [Column], levels: u32,
    ) -> Result<()> {
        let mut seen = 0;
        let mut cursor = self.cursor(span);
        let ops = &message.ops[..];
        let mut op = &ops[0];
        while !cursor.is_empty() {
            if cursor.peek32() & op.tag_mask == op.tag_bytes {
                cursor.advance(op.tag_len.into())?;
            } else {
                let tag = tag(&mut cursor)?;
                match self.program.messages[message.program as usize].tags.find(tag) {
                    Some(found) => op = &ops[found as usize],
                    None => {
                        cursor.skip(tag, levels)?;
                        continue;
                    }
                }
            }
            if seen & op.bars != 0 {
                return Err(GivenUp);
            }
            seen |= op.bit;
            let value = match op.way {
                Way::Int32 => u64::from(cursor.varint32()?),
                Way::Int64 => cursor.varint()?,
                Way::SInt32 => Number::SInt32.value(cursor.varint()?),
                Way::SInt64 => Number::SInt64.value(cursor.varint()?),
                Way::Bool => u64::from(cursor.varint()? != 0),
                Way::Fixed32 => u64::from(cursor.fixed32()?),
                Way::Fixed64 => cursor.fixed64()?,
                Way::Text => {
                    let span = cursor.span()?;
                    if !is_utf8(self.slab, span) {
                        return Err(GivenUp);
                    }
                    self.bytes += span.len;
                    columns[op.column as usize].push_octets(self.slab, span)?;
                    op = &ops[op.next as usize];
                    continue;
                }
                _ => {
                    cursor = self.other(op, cursor, columns, levels)?;
                    op = &ops[op.next as usize];
                    continue;
                }
            };
            columns[op.column as usize].push_word(value)?;
            op = &ops[op.next as usize];
        }
        if message.needed & !seen != 0 || self.bytes > self.bytes_max {
            return Err(GivenUp);
        }
        let mut lists = message.lists & seen;
        while lists != 0 {
            columns[(lists.trailing_zeros() - FIRST_BIT) as usize].close()?;
            lists &= lists - 1;
        }
        let mut missing = message.columns & !seen;
        while missing != 0 {
            let at = (missing.trailing_zeros() - FIRST_BIT) as usize;
            self.absent(&message.absent[at], &mut columns[at])?;
            missing &= missing - 1;
        }
        Ok(())
    }

    fn absent(&mut self, absent: &WhenAbsent, column: &mut Column) -> Result<()> {
        match absent {
            WhenAbsent::Null => column.push_null(),
            WhenAbsent::Word(value) => column.push_word(*value)?,
            WhenAbsent::Text(text) => {
                self.bytes += text.len();
                column.push_text(text)?;
            }
            WhenAbsent::Name { names, number } => self.name(*names, *number, column)?,
            WhenAbsent::NoElements => column.close()?,
            WhenAbsent::GiveUp => return Err(GivenUp),
        }
        Ok(())
    }

    #[inline(always)]
    fn name(&mut self, names: u32, number: i32, column: &mut Column) -> Result<()> {
        let known = &self.program.enums[names as usize];
        match &mut column.values {
            Values::Names(keys) => {
                keys.push((self.wire.id, names), number, known).ok_or(GivenUp)?;
                column.validity.push(false);
            }
            _ => {
                let name = known.find(number).ok_or(GivenUp)?;
                self.bytes += name.len();
                column.push_text(name)?;
            }
        }
        Ok(())
    }

    /// A field that is no plain number and no text.
    fn other(
        &mut self, op: &'a Op, mut cursor: Cursor<'a>, columns: &mut [Column], levels: u32,
    ) -> Result<Cursor<'a>> {
        match op.way {
            Way::SkipVarint => {
                cursor.varint()?;
                return Ok(cursor);
            }
            Way::SkipFixed32 => {
                cursor.advance(4)?;
                return Ok(cursor);
            }
            Way::SkipFixed64 => {
                cursor.advance(8)?;
                return Ok(cursor);
            }
            Way::SkipLength => {
                cursor.span()?;
                return Ok(cursor);
            }
            Way::CheckText => {
                let span = cursor.span()?;
                return if is_utf8(self.slab, span) { Ok(cursor) } else { Err(GivenUp) };
            }
            _ => {}
        }
        let column = columns.get_mut(op.column as usize).ok_or(GivenUp)?;
        self.value(op, cursor, column, levels)
    }

    /// A value of any kind.
    #[inline(always)]
    fn value(
        &mut self, op: &'a Op, mut cursor: Cursor<'a>, column: &mut Column, levels: u32,
    ) -> Result<Cursor<'a>> {
        match op.way {
            Way::Int32 => column.push_word(u64::from(cursor.varint32()?))?,
            Way::Int64 => column.push_word(cursor.varint()?)?,
            Way::SInt32 => column.push_word(Number::SInt32.value(cursor.varint()?))?,
            Way::SInt64 => column.push_word(Number::SInt64.value(cursor.varint()?))?,
            Way::Bool => column.push_word(u64::from(cursor.varint()? != 0))?,
            Way::Fixed32 => column.push_word(u64::from(cursor.fixed32()?))?,
            Way::Fixed64 => column.push_word(cursor.fixed64()?)?,
            Way::Text => {
                let span = cursor.span()?;
                if !is_utf8(self.slab, span) {
                    return Err(GivenUp);
                }
                self.bytes += span.len;
                column.push_octets(self.slab, span)?;
            }
            Way::Other(number) => column.push_word(number.value(raw(&mut cursor, number)?))?,
            Way::Octets => {
                let span = cursor.span()?;
                self.bytes += span.len;
                column.push_octets(self.slab, span)?;
            }
            Way::Name(names) => self.name(names, cursor.varint32()? as i32, column)?,
            Way::Message(message) => {
                let span = cursor.span()?;
                let Values::Struct(rows) = &mut column.values else { return Err(GivenUp) };
                self.nested(message, span, &mut rows.columns, levels)?;
                column.validity.push(false);
            }
            Way::Timestamp { message, nanos_unit } => {
                let (seconds, nanos) = self.timestamp(message, cursor.span()?)?;
                column.push_moment(seconds, nanos, nanos_unit)?;
            }
            _ => self.elements(op.way, &mut cursor, column, levels)?,
        }
        Ok(cursor)
    }

    /// What a list or map takes in one go.
    #[inline(never)]
    fn elements(
        &mut self, way: Way, cursor: &mut Cursor<'a>, column: &mut Column, levels: u32,
    ) -> Result<()> {
        if let (Way::Entries(message), Values::Map(map)) = (way, &mut column.values) {
            self.bytes += map.key.width() + map.value.width();
            let start = map.ends.last();
            let span = cursor.span()?;
            self.entry(message, span, &mut map.key, &mut map.value, levels)?;
            return if map.key.ends_with_new(start, ENTRIES_MAX) { Ok(()) } else { Err(GivenUp) };
        }
        let Values::List(list) = &mut column.values else { return Err(GivenUp) };
        let element = &mut *list.element;
        match way {
            Way::Packed(number, canonical_nan) => {
                let run = self.cursor(cursor.span()?);
                let before = element.len();
                match number {
                    // The usual numbers have loops of their own.
                    Number::Int64 => element.push_run(run, |run| Ok(run.varint()?))?,
                    Number::Int32 => element.push_run(run, |run| Ok(run.varint32()?.into()))?,
                    _ => element.push_run(run, |run| {
                        Ok(canonical(number.value(raw(run, number)?), number, canonical_nan))
                    })?,
                }
                self.bytes += (element.len() - before) * element.width();
            }
            Way::Unpacked(number, canonical_nan) => {
                let value = number.value(raw(cursor, number)?);
                element.push_word(canonical(value, number, canonical_nan))?;
                self.bytes += element.width();
            }
            Way::Texts | Way::ManyOctets => {
                let span = cursor.span()?;
                if matches!(way, Way::Texts) && !is_utf8(self.slab, span) {
                    return Err(GivenUp);
                }
                self.bytes += span.len + element.width();
                element.push_octets(self.slab, span)?;
            }
            Way::Messages(message) => {
                self.bytes += element.width();
                let span = cursor.span()?;
                let Values::Struct(rows) = &mut element.values else { return Err(GivenUp) };
                self.nested(message, span, &mut rows.columns, levels)?;
                element.validity.push(false);
            }
            _ => return Err(GivenUp),
        }
        Ok(())
    }

    fn nested(
        &mut self, message: u32, span: Span, columns: &mut [Column], levels: u32,
    ) -> Result<()> {
        let levels = levels.checked_sub(1).ok_or(GivenUp)?;
        self.message(&self.wire.messages[message as usize], span, columns, levels)
    }

    /// Seconds and nanoseconds in this order, each once or not at all, and nothing else.
    fn timestamp(&self, message: u32, span: Span) -> Result<(i64, i32)> {
        let mut cursor = self.cursor(span);
        let mut numbers = [0, 0];
        for (op, number) in self.program.messages[message as usize].ops.iter().zip(&mut numbers) {
            if !cursor.is_empty() && cursor.peek32() & op.tag_mask == op.tag_bytes {
                cursor.advance(op.tag_len.into())?;
                *number = cursor.varint()?;
            }
        }
        if cursor.is_empty() { Ok((numbers[0] as i64, numbers[1] as i32)) } else { Err(GivenUp) }
    }

    /// Key and value as nearly all writers send them: both, in this order, and nothing else.
    fn entry(
        &mut self, message: u32, span: Span, key: &mut Column, value: &mut Column, levels: u32,
    ) -> Result<()> {
        let ops = &self.wire.messages[message as usize].ops;
        let mut cursor = self.cursor(span);
        for (op, column) in ops.iter().zip([key, value]) {
            if cursor.is_empty() || cursor.peek32() & op.tag_mask != op.tag_bytes {
                return Err(GivenUp);
            }
            cursor.advance(op.tag_len.into())?;
            cursor = self.value(op, cursor, column, levels)?;
        }
        if cursor.is_empty() { Ok(()) } else { Err(GivenUp) }
    }
}

/// A tag; those of two bytes at most, which are nearly all, without a look at eight.
#[inline(always)]
fn tag(cursor: &mut Cursor<'_>) -> Result<Tag> {
    let head = cursor.peek32();
    let (tag, len) = match head & 0x8080 {
        0 | 0x8000 => (head & 0x7f, 1),
        0x80 => (head & 0x7f | head >> 1 & 0x3f80, 2),
        _ => return Ok(cursor.tag()?),
    };
    cursor.advance(len)?;
    if tag < 8 { Err(GivenUp) } else { Ok(Tag(tag)) }
}

/// A number as it stands on the wire.
#[inline(always)]
fn raw(cursor: &mut Cursor<'_>, number: Number) -> Result<u64> {
    Ok(match number.wire_type() {
        WireType::Fixed32 => cursor.fixed32()?.into(),
        WireType::Fixed64 => cursor.fixed64()?,
        _ => cursor.varint()?,
    })
}

/// Arrays hold one NaN only.
#[inline(always)]
fn canonical(value: u64, number: Number, canonical_nan: bool) -> u64 {
    match number {
        Number::Fixed32 if canonical_nan && f32::from_bits(value as u32).is_nan() => 0x7fc0_0000,
        Number::Fixed64 | Number::FloatAsDouble
            if canonical_nan && f64::from_bits(value).is_nan() =>
        {
            0x7ff8_0000_0000_0000
        }
        _ => value,
    }
}
