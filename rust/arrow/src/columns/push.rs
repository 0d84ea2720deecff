//! Columns that grow by one value after the other, as they come over the wire.
//!
//! A value of another kind than the column's is nobody's: the record is given up.

use sluice_wire::{Cursor, Span};

use super::wire::GivenUp;
use super::{Column, DataType, Values};

type Pushed = Result<(), GivenUp>;

/// Seconds that a `google.protobuf.Timestamp` may have: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

impl Column {
    /// Whether what it holds must be UTF-8.
    pub(super) fn is_text(&self) -> bool {
        self.data_type == DataType::Utf8
    }

    /// Adds a number, of which a narrower column takes the low bits.
    #[inline(always)]
    pub(super) fn push_word(&mut self, value: u64) -> Pushed {
        match &mut self.values {
            Values::Fixed(buffer, 8) => buffer.push(value),
            Values::Fixed(buffer, 4) => buffer.push(value as u32),
            Values::Booleans(bits) => bits.push(value != 0),
            Values::Fixed(buffer, 2) => buffer.push(value as u16),
            Values::Fixed(buffer, _) => buffer.push(value as u8),
            _ => return Err(GivenUp),
        }
        self.validity.push(false);
        Ok(())
    }

    /// Adds numbers to the end of `run`.
    #[inline(always)]
    pub(super) fn push_run<'a>(
        &mut self, mut run: Cursor<'a>,
        mut read: impl FnMut(&mut Cursor<'a>) -> Result<u64, GivenUp>,
    ) -> Pushed {
        let mut count = 0;
        match &mut self.values {
            Values::Fixed(buffer, 8) => {
                while !run.is_empty() {
                    buffer.push(read(&mut run)?);
                    count += 1;
                }
            }
            Values::Fixed(buffer, 4) => {
                while !run.is_empty() {
                    buffer.push(read(&mut run)? as u32);
                    count += 1;
                }
            }
            _ => {
                while !run.is_empty() {
                    self.push_word(read(&mut run)?)?;
                }
            }
        }
        self.validity.push_values(count);
        Ok(())
    }

    /// Adds the bytes of `span`, which have slack behind them.
    #[inline(always)]
    pub(super) fn push_octets(&mut self, slab: &[u8], span: Span) -> Pushed {
        let Values::Octets(octets) = &mut self.values else { return Err(GivenUp) };
        octets.push(slab, span);
        self.validity.push(false);
        Ok(())
    }

    /// Adds a text that is in no record.
    pub(super) fn push_text(&mut self, text: &[u8]) -> Pushed {
        match &mut self.values {
            Values::Octets(octets) => octets.push_text(text),
            Values::Names(names) => names.push_text(text),
            _ => return Err(GivenUp),
        }
        self.validity.push(false);
        Ok(())
    }

    /// Adds a moment, nanoseconds cut to a multiple of `nanos_unit`.
    pub(super) fn push_moment(&mut self, seconds: i64, nanos: i32, nanos_unit: u32) -> Pushed {
        let Values::Moments(moments) = &mut self.values else { return Err(GivenUp) };
        if !SECONDS.contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
            return Err(GivenUp);
        }
        let nanos = nanos as u32 - nanos as u32 % nanos_unit;
        let millis = seconds * 1000 + i64::from(nanos / 1_000_000);
        moments.push(millis, nanos % 1_000_000).ok_or(GivenUp)?;
        self.validity.push(false);
        Ok(())
    }

    /// Adds a list or map of the elements that have come since the last one.
    pub(super) fn close(&mut self) -> Pushed {
        match &mut self.values {
            Values::List(list) => list.ends.push(list.element.len()),
            Values::Map(map) => map.ends.push(map.key.len()),
            _ => return Err(GivenUp),
        }
        self.validity.push(false);
        Ok(())
    }

    /// Adds a NULL, which is none where the row itself is not there.
    pub(super) fn push_null(&mut self) {
        match &mut self.values {
            Values::Booleans(bits) => bits.push(false),
            Values::Fixed(buffer, width) => buffer.extend_zeros(*width),
            Values::Decimals(buffer, _) => buffer.extend_zeros(16),
            Values::Moments(moments) => moments.push_null(),
            Values::Octets(octets) => octets.push_text(b""),
            Values::Names(names) => names.push_null(),
            Values::List(list) => list.ends.push(list.element.len()),
            Values::Map(map) => map.ends.push(map.key.len()),
            Values::Struct(rows) => rows.columns.iter_mut().for_each(Column::push_null),
        }
        self.validity.push(true);
    }

    /// Whether the last value differs from those from `first` on, which are `max` at most.
    pub(super) fn ends_with_new(&self, first: usize, max: usize) -> bool {
        let count = self.len() - first;
        count <= max
            && match &self.values {
                Values::Octets(octets) => octets.ends_with_new(first),
                Values::Fixed(buffer, width) => {
                    let mut values = buffer.as_slice()[first * width..].chunks_exact(*width);
                    let last = values.next_back();
                    values.all(|value| Some(value) != last)
                }
                _ => false,
            }
    }
}
