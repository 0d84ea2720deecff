//! DECIMAL to `confluent.type.Decimal` (E3), and to unsigned 64-bit fields.

use sluice_plan::FailureCode;
use sluice_wire::Span;

use super::Encoding;
use super::cells::Cell;

/// Where the unscaled bytes of a decimal stand among its parts: behind a header and three slots.
const BYTES_AT: usize = 8 + 3 * 8;

impl Encoding<'_> {
    /// The unscaled number in as few bytes as hold it, the column's scale, and the number's own digits
    /// as precision.
    pub fn decimal(
        &mut self, message: u32, compact: bool, scale: u8, cell: Cell,
    ) -> Result<(), FailureCode> {
        let unscaled = self.unscaled(compact, cell)?;
        let bytes = unscaled.to_be_bytes();
        let redundant = (0..15).take_while(|&at| {
            let (byte, next) = (bytes[at], bytes[at + 1] as i8);
            byte == 0 && next >= 0 || byte == 0xff && next < 0
        });
        let kept = &bytes[redundant.count()..];
        let digits = unscaled.unsigned_abs().checked_ilog10().unwrap_or(0) + 1;
        let value = (BYTES_AT as u64) << 32 | kept.len() as u64;
        let parts = self.parts([value, u64::from(scale), u64::from(digits)]);
        self.image[parts.base + BYTES_AT..][..kept.len()].copy_from_slice(kept);
        self.message(message, parts)
    }

    /// A DECIMAL(20, 0) as 64 bits.
    pub fn unsigned_decimal(&mut self, cell: Cell) -> Result<u64, FailureCode> {
        let unscaled = self.unscaled(false, cell)?;
        u64::try_from(unscaled).map_err(|_| FailureCode::NumberRange)
    }

    fn unscaled(&self, compact: bool, cell: Cell) -> Result<i128, FailureCode> {
        let word = self.word(cell.at)?;
        if compact {
            return Ok(i128::from(word as i64));
        }
        let Span { at, len } = self.part_of(cell)?;
        if !(1..=16).contains(&len) {
            return Err(FailureCode::MalformedRow);
        }
        let bytes = &self.image[at..at + len];
        let sign = if bytes[0] & 0x80 != 0 { -1 } else { 0 };
        Ok(bytes.iter().fold(sign, |number, byte| number << 8 | i128::from(*byte)))
    }
}
