//! `confluent.type.Decimal` to DECIMAL(p, s) (D5).
//!
//! ```text
//! value    unscaled number: big-endian two's complement, any number of leading sign bytes
//! round 1  to the message's precision, if that is not 0, in digits counted from the first
//! round 2  to the column's scale; both HALF_UP
//! NULL     if more than p digits are left
//! ```
//! Numbers of up to 16 bytes are u128 arithmetic. Longer ones are written out in decimal digits,
//! where rounding is cutting; their length is bounded, so one value is a bounded amount of work.
//! A scale never makes digits: it is compared with the number of digits that there are.

use sluice_plan::FailureCode;

use super::Level;
use super::check::Source;
use super::gather::{Writer, slot};
use super::scan::{get, span_of};

/// Longest `value` that is read; over 2400 digits.
const BYTES_MAX: usize = 1024;
/// Most digits of a DECIMAL.
const DIGITS_MAX: i64 = 38;
/// Most digits of a DECIMAL whose unscaled number stands in the slot.
const COMPACT_MAX: u8 = 18;

/// What a DECIMAL column is.
type Shape = (u8, u8);

impl<'a> Writer<'a> {
    /// The decimal's slot; `None` if it has too many digits for the column.
    pub fn decimal(
        &mut self, message: u32, source: Source, level: Level, (precision, scale): Shape,
        base: usize,
    ) -> Result<Option<u64>, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[message as usize];
        let (slots, _) = self.scanner.read_slots::<false>(message, source, level)?;
        let value = span_of(get(&slots, 8));
        let number_scale = get(&slots, 16) as u32 as i32;
        let number_precision = get(&slots, 24);
        self.scanner.give_back(slots, level);
        if value.len == 0 || value.len > BYTES_MAX {
            let detail = match value.len {
                0 => "a decimal without value bytes is no number".to_string(),
                len => format!("a decimal of {len} bytes is longer than {BYTES_MAX}"),
            };
            let fault = &mut self.scanner.scratch.fault;
            return Err(fault.because(FailureCode::BadDecimal, detail));
        }
        let bytes = &self.scanner.slab[value.at..value.at + value.len];
        let digits = &mut self.scanner.scratch.digits;
        let Some(unscaled) = fit(bytes, number_scale, number_precision, (precision, scale), digits)
        else {
            return Ok(None);
        };
        if precision <= COMPACT_MAX {
            return Ok(Some(unscaled as i64 as u64));
        }
        self.wide_decimal(unscaled, base).map(Some)
    }

    /// The shortest two's complement, big-endian, in 16 zeroed bytes of the variable part.
    pub fn wide_decimal(&mut self, unscaled: i128, base: usize) -> Result<u64, FailureCode> {
        let start = self.at;
        self.reserve(16)?;
        let sign_bits = (unscaled ^ (unscaled >> 127)).leading_zeros() as usize;
        let len = (128 - sign_bits) / 8 + 1; // one bit more than the number has, for the sign
        let out = &mut self.rows.from(start)[..16];
        out.fill(0);
        out[..len].copy_from_slice(&unscaled.to_be_bytes()[16 - len..]);
        self.at += 16;
        Ok(slot(start - base, len))
    }
}

/// The number in `bytes` · 10^-`scale` as an unscaled number of the column; a `precision` of 0
/// rounds nothing away, and so does one that no number reaches.
fn fit(
    bytes: &[u8], scale: i32, precision: u64, column: Shape, digits: &mut Vec<u8>,
) -> Option<i128> {
    let sign = if bytes[0] >= 0x80 { 0xff } else { 0 };
    let padding = bytes.iter().take_while(|byte| **byte == sign).count();
    let bytes = &bytes[padding..];
    let magnitude = if bytes.len() <= 16 {
        let mut wide = [sign; 17];
        wide[17 - bytes.len()..].copy_from_slice(bytes);
        // The 17th byte is the sign; a magnitude of 2^128 is the one that u128 does not hold.
        let low = u128::from_be_bytes(*wide[1..].first_chunk().expect("16 bytes"));
        match (sign, low) {
            (0, _) => fit_short(low, scale, precision, column),
            (_, 0) => fit_long(bytes, true, scale, precision, column, digits),
            _ => fit_short(low.wrapping_neg(), scale, precision, column),
        }
    } else {
        fit_long(bytes, sign != 0, scale, precision, column, digits)
    }?;
    Some(if sign == 0 { magnitude as i128 } else { -(magnitude as i128) })
}

fn fit_short(magnitude: u128, scale: i32, precision: u64, column: Shape) -> Option<u128> {
    let (mut magnitude, mut scale) = (magnitude, i64::from(scale));
    if magnitude == 0 {
        return Some(0);
    }
    if precision != 0 && precision <= DIGITS_MAX as u64 {
        let surplus = i64::from(magnitude.ilog10()) + 1 - precision as i64;
        if surplus > 0 {
            magnitude = divide_half_up(magnitude, surplus);
            scale -= surplus;
        }
    }
    let shift = i64::from(column.1) - scale;
    let magnitude = match shift {
        0.. if shift > DIGITS_MAX => return None,
        0.. => magnitude.checked_mul(10u128.pow(shift as u32))?,
        _ => divide_half_up(magnitude, -shift),
    };
    (magnitude < 10u128.pow(column.0.into())).then_some(magnitude)
}

/// `magnitude` / 10^`digits`, half a unit up.
fn divide_half_up(magnitude: u128, digits: i64) -> u128 {
    // 2^128 is 3.4 · 10^38: from 39 digits on, less than half a unit is left.
    if digits > DIGITS_MAX {
        return 0;
    }
    let unit = 10u128.pow(digits as u32);
    magnitude / unit + u128::from(magnitude % unit >= unit / 2)
}

/// The same with digits, which the number has many of; `bytes` lack their sign.
fn fit_long(
    bytes: &[u8], negative: bool, scale: i32, precision: u64, column: Shape, digits: &mut Vec<u8>,
) -> Option<u128> {
    write_digits(bytes, negative, digits);
    let mut scale = i64::from(scale);
    if precision != 0 && precision < digits.len() as u64 {
        let surplus = digits.len() - precision as usize;
        scale -= surplus as i64;
        round(digits, surplus);
    }
    let shift = i64::from(column.1) - scale;
    if shift < 0 {
        round(digits, usize::try_from(-shift).unwrap_or(usize::MAX));
    }
    let len = digits.len() as i64 + shift.max(0);
    if digits.is_empty() || len > i64::from(column.0) {
        return digits.is_empty().then_some(0);
    }
    let number = digits.iter().rev().fold(0, |sum, digit| sum * 10 + u128::from(*digit));
    Some(number * 10u128.pow(shift.max(0) as u32))
}

/// Takes away the last `count` of `digits`, half a unit up.
fn round(digits: &mut Vec<u8>, count: usize) {
    if count > digits.len() {
        return digits.clear();
    }
    let up = count > 0 && digits[count - 1] >= 5;
    digits.drain(..count);
    if !up {
        return;
    }
    for digit in digits.iter_mut() {
        *digit += 1;
        if *digit < 10 {
            return;
        }
        *digit = 0;
    }
    digits.push(1);
}

/// Writes the magnitude of a two's complement as decimal digits, the last one first, no zeros in
/// front.
fn write_digits(bytes: &[u8], negative: bool, digits: &mut Vec<u8>) {
    const UNIT: u64 = 1_000_000_000; // 9 digits at a time
    let mut limbs = [0u32; BYTES_MAX / 4 + 1]; // the last one first
    for (at, byte) in bytes.iter().rev().enumerate() {
        limbs[at / 4] |= u32::from(*byte) << (8 * (at % 4));
    }
    let mut count = bytes.len() / 4 + 1;
    let limbs = &mut limbs[..count];
    if negative {
        // The bytes lack their sign, which is all ones; the magnitude of -2^n has one bit more.
        let filled = bytes.len() % 4;
        limbs[count - 1] |= u32::MAX << (8 * filled);
        let mut carry = true;
        for limb in limbs.iter_mut() {
            (*limb, carry) = (!*limb).overflowing_add(u32::from(carry));
        }
    }
    digits.clear();
    while count > 0 {
        if limbs[count - 1] == 0 {
            count -= 1;
            continue;
        }
        let mut remainder = 0u64;
        for limb in limbs[..count].iter_mut().rev() {
            let part = remainder << 32 | u64::from(*limb);
            *limb = (part / UNIT) as u32;
            remainder = part % UNIT;
        }
        for _ in 0..9 {
            digits.push((remainder % 10) as u8);
            remainder /= 10;
        }
    }
    let zeros = digits.iter().rev().take_while(|digit| **digit == 0).count();
    digits.truncate(digits.len() - zeros);
}
