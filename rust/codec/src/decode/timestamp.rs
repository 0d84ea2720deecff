//! `google.protobuf.Timestamp` to Flink's TIMESTAMP and TIMESTAMP_LTZ (D8).

use sluice_plan::FailureCode;

use super::Level;
use super::check::Source;
use super::gather::{Writer, slot};
use super::scan::get;

/// 0001-01-01T00:00:00Z.
const SECONDS_MIN: i64 = -62_135_596_800;
/// 9999-12-31T23:59:59Z.
const SECONDS_MAX: i64 = 253_402_300_799;

impl<'a> Writer<'a> {
    /// Milliseconds in the slot (`compact`), or in the variable part with the nanoseconds of the
    /// millisecond in the slot. `nanos_unit` cuts towards the past, also before 1970 (decision 8).
    pub fn timestamp(
        &mut self, message: u32, source: Source, level: Level, nanos_unit: u32, compact: bool,
        base: usize,
    ) -> Result<u64, FailureCode> {
        let program = self.scanner.program;
        let message = &program.messages[message as usize];
        let (slots, _) = self.scanner.read_slots(message, source, level)?;
        let seconds = get(&slots, 8) as i64;
        let nanos = get(&slots, 16) as u32 as i32;
        self.scanner.give_back(slots, level);
        if !(SECONDS_MIN..=SECONDS_MAX).contains(&seconds) || !(0..1_000_000_000).contains(&nanos) {
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
}
