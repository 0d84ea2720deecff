//! `google.protobuf.Timestamp`, `google.type.Date` and `google.type.TimeOfDay` to Flink's
//! TIMESTAMP(_LTZ), DATE and TIME (D6 to D8).

use sluice_plan::FailureCode;
use sluice_plan::program::MessageProgram;

use super::Level;
use super::check::Source;
use super::gather::{Writer, slot};
use super::scan::get;
use crate::SECONDS;

impl<'a> Writer<'a> {
    /// Milliseconds in the slot (`compact`), or in the variable part with the nanoseconds of the
    /// millisecond in the slot. `nanos_unit` cuts towards the past, also before 1970 (decision 8).
    pub fn timestamp(
        &mut self, message: u32, source: Source, level: Level, nanos_unit: u32, compact: bool,
        base: usize,
    ) -> Result<u64, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[message as usize];
        let (seconds, nanos) = match self.plain_timestamp(message, source) {
            Some(plain) => plain,
            None => {
                let (slots, _) = self.scanner.read_slots::<false>(message, source, level)?;
                let (seconds, nanos) = (get(&slots, 8), get(&slots, 16));
                self.scanner.give_back(slots, level);
                (seconds, nanos)
            }
        };
        let (seconds, nanos) = (seconds as i64, nanos as u32 as i32);
        if !SECONDS.contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
            let detail = format!("a timestamp of {seconds} s and {nanos} ns is out of range");
            let fault = &mut self.scanner.scratch.fault;
            return Err(fault.because(FailureCode::TimestampRange, detail));
        }
        let nanos = nanos as u32 - nanos as u32 % nanos_unit;
        let millis = seconds * 1000 + i64::from(nanos / 1_000_000);
        if compact {
            return Ok(millis as u64);
        }
        let start = self.at;
        self.reserve(8)?;
        self.rows.set_word(start, millis as u64);
        self.at += 8;
        Ok(slot(start - base, nanos as usize % 1_000_000))
    }

    /// Seconds and nanoseconds as nearly all writers send them: in one piece, in this order, each
    /// once or not at all, and nothing else.
    #[inline(always)]
    fn plain_timestamp(&self, message: &'a MessageProgram, source: Source) -> Option<(u64, u64)> {
        let mut cursor = self.scanner.cursor(self.scanner.whole(source)?);
        let [seconds_op, nanos_op, ..] = &message.ops[..] else { return None };
        if (seconds_op.slot, nanos_op.slot) != (8, 16) {
            return None;
        }
        let seconds = self.scanner.plain_value(seconds_op, &mut cursor)?;
        let nanos =
            if cursor.is_empty() { 0 } else { self.scanner.plain_value(nanos_op, &mut cursor)? };
        cursor.is_empty().then_some((seconds, nanos))
    }

    /// Days since 1970-01-01 in the proleptic calendar; partial dates are no dates.
    pub fn date(&mut self, message: u32, source: Source, level: Level) -> Result<u64, FailureCode> {
        let [year, month, day] = self.numbers(message, source, level)?;
        if !is_date(year, month, day) {
            let detail = format!("there is no date of year {year}, month {month} and day {day}");
            let fault = &mut self.scanner.scratch.fault;
            return Err(fault.because(FailureCode::BadDate, detail));
        }
        Ok(u64::from(epoch_day(year, month, day) as u32))
    }

    /// Milliseconds of the day, cut to a multiple of `millis_unit`.
    pub fn time(
        &mut self, message: u32, source: Source, level: Level, millis_unit: u32,
    ) -> Result<u64, FailureCode> {
        let [hours, minutes, seconds, nanos] = self.numbers(message, source, level)?;
        let fits = (0..24).contains(&hours)
            && (0..60).contains(&minutes)
            && (0..60).contains(&seconds)
            && (0..1_000_000_000).contains(&nanos);
        if !fits {
            let detail =
                format!("there is no time of {hours} h, {minutes} min, {seconds} s and {nanos} ns");
            let fault = &mut self.scanner.scratch.fault;
            return Err(fault.because(FailureCode::BadTime, detail));
        }
        let millis = ((hours * 60 + minutes) * 60 + seconds) * 1000 + nanos / 1_000_000;
        let millis = millis as u32;
        Ok(u64::from(millis - millis % millis_unit))
    }

    /// The INT columns of a message.
    fn numbers<const COUNT: usize>(
        &mut self, message: u32, source: Source, level: Level,
    ) -> Result<[i32; COUNT], FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[message as usize];
        let (slots, _) = self.scanner.read_slots::<false>(message, source, level)?;
        let numbers = std::array::from_fn(|at| get(&slots, 8 + 8 * at as u32) as u32 as i32);
        self.scanner.give_back(slots, level);
        Ok(numbers)
    }
}

fn is_date(year: i32, month: i32, day: i32) -> bool {
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) {
        return false;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + i32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (1..=last).contains(&day)
}

/// Years are counted from March, so that the leap day is the last of its year.
fn epoch_day(year: i32, month: i32, day: i32) -> i32 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    let day_of_year = (153 * month + 2) / 5 + day - 1; // 153 days in any 5 months from March on
    365 * year + leap_days + day_of_year - 719_468 // 0000-03-01 to 1970-01-01
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_years_1_to_9999_is_the_one_after_the_last() {
        let mut expected = -719_162; // 0001-01-01, as LocalDate.toEpochDay has it
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in (1..=31).filter(|day| is_date(year, month, *day)) {
                    assert_eq!(epoch_day(year, month, day), expected, "{year}-{month}-{day}");
                    expected += 1;
                }
            }
        }
        assert_eq!(expected, 2_932_897); // 10000-01-01
        assert_eq!(epoch_day(1970, 1, 1), 0);
    }

    #[test]
    fn dates_that_do_not_exist() {
        for (year, month, day) in [
            (0, 1, 1),
            (10_000, 1, 1),
            (2023, 0, 1),
            (2023, 13, 1),
            (2023, 1, 0),
            (2023, 2, 29),
            (1900, 2, 29),
            (2023, 4, 31),
            (2023, 1, 32),
            (i32::MIN, i32::MAX, i32::MIN),
        ] {
            assert!(!is_date(year, month, day), "{year}-{month}-{day}");
        }
        assert!(is_date(2000, 2, 29) && is_date(2024, 2, 29));
    }
}
