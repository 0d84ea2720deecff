//! TIMESTAMP(_LTZ), DATE and TIME to `google.protobuf.Timestamp`, `google.type.Date` and
//! `google.type.TimeOfDay` (E2, E4).

use sluice_plan::FailureCode;

use super::Encoding;
use super::cells::Cell;
use crate::SECONDS;

/// 0001-01-01 to 9999-12-31.
const DAYS: std::ops::RangeInclusive<i32> = -719_162..=2_932_896;
const MILLIS_OF_DAY: std::ops::Range<i32> = 0..86_400_000;

impl Encoding<'_> {
    /// Seconds are floored and nanoseconds count forward, also before 1970.
    pub fn timestamp(
        &mut self, message: u32, compact: bool, cell: Cell,
    ) -> Result<(), FailureCode> {
        let word = self.word(cell.at)?;
        let (millis, nanos) = match compact {
            true => (word as i64, 0),
            // The milliseconds stand in the variable part, the nanoseconds of one in the slot.
            false => (self.word(self.behind(cell, word, 8)?.at)? as i64, word as u32),
        };
        let seconds = millis.div_euclid(1000);
        let nanos = millis.rem_euclid(1000) * 1_000_000 + i64::from(nanos);
        if !SECONDS.contains(&seconds) || nanos >= 1_000_000_000 {
            let detail = format!("a timestamp of {seconds} s and {nanos} ns is out of range");
            return Err(self.scratch.fault.because(FailureCode::TimestampRange, detail));
        }
        let parts = self.parts([seconds as u64, nanos as u64]);
        self.message(message, parts)
    }

    /// From days since 1970-01-01, in the proleptic calendar.
    pub fn date(&mut self, message: u32, cell: Cell) -> Result<(), FailureCode> {
        let days = self.word(cell.at)? as i32;
        if !DAYS.contains(&days) {
            let detail = format!("day {days} since 1970-01-01 is not in the years 1 to 9999");
            return Err(self.scratch.fault.because(FailureCode::BadDate, detail));
        }
        let parts = self.parts(civil(days).map(u64::from));
        self.message(message, parts)
    }

    /// From milliseconds of the day.
    pub fn time(&mut self, message: u32, cell: Cell) -> Result<(), FailureCode> {
        let millis = self.word(cell.at)? as i32;
        if !MILLIS_OF_DAY.contains(&millis) {
            let detail = format!("there is no millisecond {millis} in a day");
            return Err(self.scratch.fault.because(FailureCode::BadTime, detail));
        }
        let millis = millis as u64;
        let seconds = millis / 1000;
        let nanos = millis % 1000 * 1_000_000;
        let parts = self.parts([seconds / 3600, seconds / 60 % 60, seconds % 60, nanos]);
        self.message(message, parts)
    }
}

/// Year, month and day of a day since 1970-01-01. Years are counted from March, so that the leap day
/// is the last of its year, in cycles of 400 years.
fn civil(days: i32) -> [u32; 3] {
    let days = (days + 719_468) as u32; // since 0000-03-01
    let (cycle, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 153 days in any 5 months from March on
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    [400 * cycle + year + later, month, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_the_years_1_to_9999_is_the_one_after_the_last() {
        let last = |year: u32, month: u32| match month {
            2 => {
                let by = |years: u32| year.is_multiple_of(years);
                28 + u32::from(by(4) && (!by(100) || by(400)))
            }
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        let mut days = *DAYS.start();
        for year in 1..=9999 {
            for month in 1..=12 {
                for day in 1..=last(year, month) {
                    assert_eq!(civil(days), [year, month, day]);
                    days += 1;
                }
            }
        }
        assert_eq!(days, DAYS.end() + 1);
        assert_eq!(civil(0), [1970, 1, 1]);
    }
}
