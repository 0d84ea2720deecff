//! Values of messages that mean one value (D5 to D8), digit by digit and day by day.

use sluice_plan::proto::{ResolvedMessage, SqlType};

use super::cells::Cell;
use super::code;
use super::tree::{Tree, Value};

/// Longest value of a decimal.
const DECIMAL_BYTES_MAX: usize = 1024;
/// More digits than any number that is read, or any column, has.
const FAR: i64 = 5000;

fn part(message: &ResolvedMessage, tree: &Tree, name: &str) -> i64 {
    let field = message.fields.iter().find(|field| field.name == name);
    match field.and_then(|field| tree.one(field.number)) {
        Some(Value::Integer(value)) => *value,
        _ => 0,
    }
}

/// D8 and decision 8: range, then the nanos of the second cut to the precision.
pub fn moment(message: &ResolvedMessage, tree: &Tree, precision: u32) -> Result<Cell, i32> {
    let (seconds, nanos) = (part(message, tree, "seconds"), part(message, tree, "nanos"));
    let seconds_fit = (-62_135_596_800..=253_402_300_799).contains(&seconds);
    if !seconds_fit || !(0..=999_999_999).contains(&nanos) {
        return Err(code::TIMESTAMP_RANGE);
    }
    let unit = 10i64.pow(9 - precision);
    let nanos = nanos / unit * unit;
    Ok(Cell::Moment(seconds * 1000 + nanos / 1_000_000, (nanos % 1_000_000) as i32))
}

/// D6: counts the days of all years and months before.
pub fn date(message: &ResolvedMessage, tree: &Tree) -> Result<Cell, i32> {
    let [year, month, day] = ["year", "month", "day"].map(|name| part(message, tree, name));
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
        return Err(code::BAD_DATE);
    }
    if day < 1 || day > days_of_month(year, month) {
        return Err(code::BAD_DATE);
    }
    let years: i64 = (1..year).map(|year| if is_leap(year) { 366 } else { 365 }).sum();
    let months: i64 = (1..month).map(|month| days_of_month(year, month)).sum();
    let days = years + months + day - 1 - 719_162; // LocalDate.of(1, 1, 1).toEpochDay()
    Ok(Cell::Fixed((days as i32).to_le_bytes().to_vec()))
}

fn is_leap(year: i64) -> bool {
    year % 400 == 0 || year % 4 == 0 && year % 100 != 0
}

fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// D7: milliseconds of the day, cut to the precision.
pub fn time(message: &ResolvedMessage, tree: &Tree, precision: u32) -> Result<Cell, i32> {
    let parts = ["hours", "minutes", "seconds", "nanos"].map(|name| part(message, tree, name));
    let bounds = [23, 59, 59, 999_999_999];
    if parts.iter().zip(bounds).any(|(part, bound)| *part < 0 || *part > bound) {
        return Err(code::BAD_TIME);
    }
    let [hours, minutes, seconds, nanos] = parts;
    let nanos = (hours * 3600 + minutes * 60 + seconds) * 1_000_000_000 + nanos;
    let unit = 10i64.pow(9 - precision.min(3));
    let millis = nanos / unit * unit / 1_000_000;
    Ok(Cell::Fixed((millis as i32).to_le_bytes().to_vec()))
}

/// D5: the number in decimal digits, rounded to the message's precision and the column's scale.
pub fn decimal(message: &ResolvedMessage, tree: &Tree, sql: &SqlType) -> Result<Cell, i32> {
    let field = message.fields.iter().find(|field| field.name == "value");
    let bytes = match field.and_then(|field| tree.one(field.number)) {
        Some(Value::Octets(bytes)) => &bytes[..],
        _ => &[],
    };
    if bytes.is_empty() || bytes.len() > DECIMAL_BYTES_MAX {
        return Err(code::BAD_DECIMAL);
    }
    let (negative, mut digits) = digits_of(bytes);
    let mut scale = part(message, tree, "scale");
    let precision = part(message, tree, "precision");
    if precision > 0 && digits.len() as i64 > precision {
        let surplus = digits.len() as i64 - precision;
        digits = without_last(digits, surplus);
        scale -= surplus;
    }
    let missing = i64::from(sql.scale) - scale;
    if missing > FAR && !digits.is_empty() {
        return Ok(Cell::Null);
    }
    if missing < 0 {
        digits = without_last(digits, (-missing).min(FAR));
    } else if !digits.is_empty() {
        digits.resize(digits.len() + missing as usize, 0);
    }
    if digits.len() > sql.precision as usize {
        return Ok(Cell::Null);
    }
    let number = digits.iter().fold(0i128, |number, digit| number * 10 + i128::from(*digit));
    Ok(Cell::Decimal(if negative { -number } else { number }))
}

/// Sign and decimal digits of a two's complement, the first one first, none of them a leading zero.
fn digits_of(bytes: &[u8]) -> (bool, Vec<u8>) {
    let negative = bytes[0] >= 0x80;
    let mut last_first: Vec<u8> = Vec::new();
    let mut add = |times: u32, summand: u32| {
        let mut carry = summand;
        for digit in &mut last_first {
            let value = u32::from(*digit) * times + carry;
            *digit = (value % 10) as u8;
            carry = value / 10;
        }
        while carry > 0 {
            last_first.push((carry % 10) as u8);
            carry /= 10;
        }
    };
    // The magnitude of a negative number is one more than that of its complement.
    bytes.iter().for_each(|byte| add(256, u32::from(if negative { !byte } else { *byte })));
    if negative {
        add(1, 1);
    }
    last_first.reverse();
    (negative, last_first)
}

/// Drops the last `count` digits after adding half a unit of what stays.
fn without_last(digits: Vec<u8>, count: i64) -> Vec<u8> {
    let count = count as usize;
    if count == 0 {
        return digits;
    }
    let mut padded = vec![0; (count + 1).saturating_sub(digits.len()) + 1];
    padded.extend(digits);
    let mut at = padded.len() - count;
    padded[at] += 5;
    while padded[at] >= 10 {
        padded[at] -= 10;
        padded[at - 1] += 1;
        at -= 1;
    }
    padded.truncate(padded.len() - count);
    let zeros = padded.iter().take_while(|digit| **digit == 0).count();
    padded.split_off(zeros)
}
