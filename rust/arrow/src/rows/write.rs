//! One row's bytes, as `RowDataSerializer.toBinaryRow` lays them out.
//!
//! The variable part grows at the end of the buffer, in column order; offsets in a row or array are
//! counted from where it begins.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_schema::{DataType, TimeUnit};
use sluice_plan::FailureCode;

use super::{Ends, Fault, MomentForm, Source, Times, Values};
use crate::columns::nested::header_len;

/// An image that grows, and how long it may get.
pub(crate) struct Image<'a> {
    pub bytes: &'a mut Vec<u8>,
    pub bytes_max: usize,
}

/// Where a value goes.
#[derive(Clone, Copy)]
struct Cell {
    at: usize,
    base: usize,
}

impl Image<'_> {
    /// Adds zeros up to the next multiple of 8 from `base` on.
    fn pad(&mut self, base: usize) {
        let len = self.bytes.len() - base;
        self.bytes.resize(base + len.next_multiple_of(8), 0);
    }

    fn room(&mut self, len: usize) -> Result<(), Fault> {
        if len > self.bytes_max || self.bytes.len() > self.bytes_max - len {
            return Err(Fault::new(FailureCode::RowTooLarge));
        }
        Ok(())
    }

    fn zeros(&mut self, len: usize) -> Result<usize, Fault> {
        self.room(len)?;
        let at = self.bytes.len();
        self.bytes.resize(at + len, 0);
        Ok(at)
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Stores where a part of `len` bytes begins: with 32-bit lengths, as `room` has seen to.
    fn point(&mut self, cell: Cell, at: usize, len: usize) {
        let word = ((at - cell.base) as u64) << 32 | len as u64;
        self.put(cell.at, &word.to_le_bytes());
    }

    fn octets(&mut self, cell: Cell, octets: &[u8]) -> Result<(), Fault> {
        if octets.len() < 8 {
            self.put(cell.at, octets);
            self.put(cell.at + 7, &[0x80 | octets.len() as u8]);
            return Ok(());
        }
        self.room(octets.len() + 8)?;
        let at = self.bytes.len();
        self.bytes.extend_from_slice(octets);
        self.pad(cell.base);
        self.point(cell, at, octets.len());
        Ok(())
    }

    /// Writes row `row` of these columns at the end.
    pub fn row(&mut self, columns: &[Source], row: usize) -> Result<(), Fault> {
        let header = header_len(columns.len());
        let base = self.zeros(header + 8 * columns.len())?;
        for (at, column) in columns.iter().enumerate() {
            if column.is_null(row) {
                let bit = at + 8; // behind the row kind
                self.bytes[base + bit / 8] |= 1 << (bit % 8);
                continue;
            }
            let cell = Cell { at: base + header + 8 * at, base };
            self.value(column, row, cell).map_err(|fault| fault.inside(column.name.clone()))?;
        }
        Ok(())
    }

    /// Writes the elements `from` to `to` as an array at the end.
    fn array(
        &mut self, source: &Source, from: usize, to: usize, width: usize,
    ) -> Result<(), Fault> {
        let count = to - from;
        let header = 4 + count.div_ceil(32) * 4;
        let len = count.checked_mul(width).and_then(|len| len.checked_add(header));
        let len = len.ok_or_else(|| Fault::new(FailureCode::RowTooLarge))?;
        let base = self.zeros(len.next_multiple_of(8))?;
        self.put(base, &(count as u32).to_le_bytes());
        for at in 0..count {
            if source.is_null(from + at) {
                self.bytes[base + 4 + at / 8] |= 1 << (at % 8);
                continue;
            }
            let cell = Cell { at: base + header + width * at, base };
            self.value(source, from + at, cell)?;
        }
        Ok(())
    }

    fn value(&mut self, source: &Source, at: usize, cell: Cell) -> Result<(), Fault> {
        match &source.values {
            Values::Booleans(bits) => self.put(cell.at, &[u8::from(bits.value(at))]),
            Values::Fixed(buffer, width) => {
                self.put(cell.at, &buffer[at * width..(at + 1) * width]);
            }
            Values::Times(times, unit) => {
                self.put(cell.at, &millis_of_day(times, *unit, at)?.to_le_bytes());
            }
            Values::Decimals(values, true) => {
                let value = i64::try_from(values[at]);
                let value = value.map_err(|_| Fault::new(FailureCode::NumberRange))?;
                self.put(cell.at, &value.to_le_bytes());
            }
            Values::Decimals(values, false) => self.decimal(cell, values[at])?,
            Values::Moments(counts, form) => self.moment(cell, counts[at], *form)?,
            Values::Octets(ends, bytes) => {
                let (from, to) = ends.range(at);
                self.octets(cell, &bytes[from..to])?;
            }
            Values::FixedOctets(bytes, width) => {
                self.octets(cell, &bytes[at * width..(at + 1) * width])?;
            }
            Values::Names(keys, names) => self.value(names, key(keys.as_ref(), at), cell)?,
            Values::List(ends, element, width) => {
                let (from, to) = ends.range(at);
                let begin = self.bytes.len();
                self.array(element, from, to, *width).map_err(|fault| fault.inside("[]"))?;
                self.point(cell, begin, self.bytes.len() - begin);
            }
            Values::Map(ends, sides, widths) => {
                let (from, to) = ends.range(at);
                let begin = self.zeros(4)?;
                for (side, width) in sides.iter().zip(widths) {
                    let keys = self.bytes.len();
                    self.array(side, from, to, *width)
                        .map_err(|fault| fault.inside(side.name.clone()))?;
                    if keys == begin + 4 {
                        let len = (self.bytes.len() - keys) as u32;
                        self.put(begin, &len.to_le_bytes());
                    }
                }
                let len = self.bytes.len() - begin;
                self.pad(cell.base);
                self.point(cell, begin, len);
            }
            Values::Struct(columns) => {
                let begin = self.bytes.len();
                self.row(columns, at)?;
                self.point(cell, begin, self.bytes.len() - begin);
            }
        }
        Ok(())
    }

    /// Up to 16 bytes, the highest first, as few as hold the number.
    fn decimal(&mut self, cell: Cell, value: i128) -> Result<(), Fault> {
        let bytes = value.to_be_bytes();
        let redundant = (0..15).take_while(|&at| {
            let (byte, next) = (bytes[at], bytes[at + 1] as i8);
            byte == 0 && next >= 0 || byte == 0xff && next < 0
        });
        let kept = &bytes[redundant.count()..];
        let at = self.zeros(16)?;
        self.put(at, kept);
        self.point(cell, at, kept.len());
        Ok(())
    }

    fn moment(&mut self, cell: Cell, count: i64, form: MomentForm) -> Result<(), Fault> {
        let (per_second, nanos_each) = match form.unit {
            TimeUnit::Second => (1, 1_000_000_000),
            TimeUnit::Millisecond => (1_000, 1_000_000),
            TimeUnit::Microsecond => (1_000_000, 1_000),
            TimeUnit::Nanosecond => (1_000_000_000, 1),
        };
        let seconds = count.div_euclid(per_second);
        let nanos = count.rem_euclid(per_second) * nanos_each;
        let nanos = nanos - nanos % form.nanos_unit; // towards the past, as reading cuts
        let millis = seconds.checked_mul(1000).and_then(|ms| ms.checked_add(nanos / 1_000_000));
        let millis = millis.ok_or_else(|| Fault::new(FailureCode::TimestampRange))?;
        if form.compact {
            self.put(cell.at, &millis.to_le_bytes());
            return Ok(());
        }
        let at = self.zeros(8)?;
        self.put(at, &millis.to_le_bytes());
        self.point(cell, at, (nanos % 1_000_000) as usize);
        Ok(())
    }
}

impl Source {
    /// Whether there is no value; a dictionary may hold NULL as well.
    fn is_null(&self, at: usize) -> bool {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(at)) {
            return true;
        }
        match &self.values {
            Values::Names(keys, names) => names.is_null(key(keys.as_ref(), at)),
            _ => false,
        }
    }
}

impl Ends {
    /// Where value `at` begins and ends. Rising and not negative: arrow-rs checks that when an array is
    /// made.
    fn range(&self, at: usize) -> (usize, usize) {
        match self {
            Ends::Small(ends) => (ends[at] as usize, ends[at + 1] as usize),
            Ends::Large(ends) => (ends[at] as usize, ends[at + 1] as usize),
        }
    }
}

fn millis_of_day(times: &Times, unit: TimeUnit, at: usize) -> Result<i32, Fault> {
    let count = match times {
        Times::Short(times) => i64::from(times[at]),
        Times::Long(times) => times[at],
    };
    let millis = match unit {
        TimeUnit::Second => count.checked_mul(1000),
        TimeUnit::Millisecond => Some(count),
        TimeUnit::Microsecond => Some(count.div_euclid(1000)),
        TimeUnit::Nanosecond => Some(count.div_euclid(1_000_000)),
    };
    let millis = millis.and_then(|millis| i32::try_from(millis).ok());
    millis.ok_or_else(|| Fault::new(FailureCode::BadTime))
}

fn key(keys: &dyn Array, at: usize) -> usize {
    match keys.data_type() {
        DataType::Int8 => keys.as_primitive::<Int8Type>().value(at) as usize,
        DataType::Int16 => keys.as_primitive::<Int16Type>().value(at) as usize,
        DataType::Int32 => keys.as_primitive::<Int32Type>().value(at) as usize,
        DataType::Int64 => keys.as_primitive::<Int64Type>().value(at) as usize,
        DataType::UInt8 => keys.as_primitive::<UInt8Type>().value(at) as usize,
        DataType::UInt16 => keys.as_primitive::<UInt16Type>().value(at) as usize,
        DataType::UInt32 => keys.as_primitive::<UInt32Type>().value(at) as usize,
        _ => keys.as_primitive::<UInt64Type>().value(at) as usize,
    }
}
