//! Columns of numbers: as they stand in the image, or scaled to Arrow's unit.

use arrow_buffer::{ArrowNativeType, Buffer, MutableBuffer};
use arrow_schema::TimeUnit;
use sluice_plan::FailureCode;

use super::cells::{Cell, Cells, bytes, part, word};
use super::validity::Validity;
use super::{Spread, renewed};

/// A number of `N` bytes.
pub(super) trait Fixed<const N: usize>: ArrowNativeType {
    fn from_image(bytes: [u8; N]) -> Self;
}

macro_rules! fixed {
    ($($number:ty)*) => {
        $(impl Fixed<{ size_of::<$number>() }> for $number {
            #[inline(always)]
            fn from_image(bytes: [u8; size_of::<$number>()]) -> Self {
                <$number>::from_le_bytes(bytes)
            }
        })*
    };
}

fixed!(u8 u16 u32 u64);

/// Adds numbers of `N` bytes; 0 for NULL.
pub(super) fn fixed<T: Fixed<N>, const N: usize>(
    buffer: &mut MutableBuffer, nulls: &mut Validity, image: &[u8], cells: impl Cells,
) {
    fill::<T>(buffer, nulls, image, cells, |cell| T::from_image(bytes(image, cell.at)));
}

/// Adds unscaled decimals.
pub(super) fn decimals(
    buffer: &mut MutableBuffer, compact: bool, nulls: &mut Validity, image: &[u8],
    cells: impl Cells,
) {
    if compact {
        fill::<i128>(buffer, nulls, image, cells, |cell| word(image, cell.at) as i64 as i128);
    } else {
        fill::<i128>(buffer, nulls, image, cells, |cell| {
            let (at, len) = part(image, cell);
            let bytes = &image[at..at + len];
            let sign = if bytes.first().is_some_and(|first| *first >= 0x80) { -1 } else { 0 };
            bytes.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte))
        });
    }
}

#[inline(always)]
fn fill<T: ArrowNativeType>(
    buffer: &mut MutableBuffer, nulls: &mut Validity, image: &[u8], cells: impl Cells,
    mut value: impl FnMut(Cell) -> T,
) {
    let before = buffer.len();
    buffer.extend_zeros(cells.count() * size_of::<T>());
    let values = &mut buffer.typed_data_mut::<T>()[before / size_of::<T>()..];
    let mut rest = values.iter_mut();
    cells.for_each(image, |cell| {
        let place = rest.next().expect("as many as there are cells");
        if !cell.is_null {
            *place = value(cell);
        }
        nulls.push(cell.is_null);
    });
}

/// TIMESTAMP and TIMESTAMP_LTZ, counted in Arrow's unit.
#[derive(Debug)]
pub(super) struct Moments {
    counts: MutableBuffer,
    unit: TimeUnit,
    /// The milliseconds stand in the cell, and there is nothing below them.
    compact: bool,
}

impl Moments {
    pub fn new(unit: TimeUnit, compact: bool) -> Moments {
        Moments { counts: MutableBuffer::new(0), unit, compact }
    }

    pub fn append(
        &mut self, path: &str, nulls: &mut Validity, spread: &mut Spread<'_>, cells: impl Cells,
    ) {
        let image = spread.image;
        let (unit, compact) = (self.unit, self.compact);
        fill::<i64>(&mut self.counts, nulls, image, cells, |cell| {
            let slot = word(image, cell.at);
            let (millis, nanos) = if compact {
                (slot as i64, 0)
            } else {
                // The milliseconds stand behind, the nanoseconds of one in the cell.
                (word(image, cell.base + (slot >> 32) as usize) as i64, slot as u32)
            };
            count(unit, millis, nanos).unwrap_or_else(|| {
                let reason = "the timestamp is outside of what the Arrow column's unit can count";
                spread.fault(cell, FailureCode::TimestampRange, path, reason);
                0
            })
        });
    }

    /// Adds a moment, if the unit can count it.
    pub fn push(&mut self, millis: i64, nanos: u32) -> Option<()> {
        self.counts.push(count(self.unit, millis, if self.compact { 0 } else { nanos })?);
        Some(())
    }

    pub fn push_null(&mut self) {
        self.counts.push(0i64);
    }

    pub fn truncate(&mut self, len: usize) {
        self.counts.truncate(len * 8);
    }

    pub fn take(&mut self) -> Buffer {
        renewed(&mut self.counts).into()
    }
}

/// Units since the epoch, cut towards the past; `None` beyond 64 bits.
#[inline(always)]
fn count(unit: TimeUnit, millis: i64, nanos: u32) -> Option<i64> {
    let nanos = i64::from(nanos);
    match unit {
        TimeUnit::Second => Some(millis.div_euclid(1000)),
        TimeUnit::Millisecond => Some(millis),
        TimeUnit::Microsecond => millis.checked_mul(1000)?.checked_add(nanos / 1000),
        TimeUnit::Nanosecond => match millis.checked_mul(1_000_000) {
            Some(whole) => whole.checked_add(nanos),
            // The earliest moments: the millisecond they began in cannot be counted, they can.
            None => (millis + 1).checked_mul(1_000_000)?.checked_add(nanos - 1_000_000),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_cuts_towards_the_past_and_says_where_it_ends() {
        assert_eq!(count(TimeUnit::Second, -1, 0), Some(-1));
        assert_eq!(count(TimeUnit::Millisecond, -1, 999_999), Some(-1));
        assert_eq!(count(TimeUnit::Microsecond, -1, 999_999), Some(-1));
        assert_eq!(count(TimeUnit::Nanosecond, -1, 999_999), Some(-1));
        let last = 9_223_372_036_854; // 2262-04-11T23:47:16.854Z
        assert_eq!(count(TimeUnit::Nanosecond, last, 775_807), Some(i64::MAX));
        assert_eq!(count(TimeUnit::Nanosecond, last, 775_808), None);
        assert_eq!(count(TimeUnit::Nanosecond, last + 1, 0), None);
        assert_eq!(count(TimeUnit::Nanosecond, -last - 1, 224_192), Some(i64::MIN));
        assert_eq!(count(TimeUnit::Nanosecond, -last - 1, 224_191), None);
        let far = 253_402_300_799_999; // 9999-12-31T23:59:59.999Z
        assert_eq!(count(TimeUnit::Microsecond, far, 999_999), Some(far * 1000 + 999));
        assert_eq!(count(TimeUnit::Nanosecond, far, 0), None);
    }
}
