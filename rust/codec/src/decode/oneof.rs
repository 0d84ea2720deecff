//! Oneofs that are read as one ROW column.
//!
//! When a message is read, its moves carry the active member to the oneof's column; the gather then
//! writes a row of which at most that member's column is not NULL. The row is a part of its
//! message, so it costs no level of depth, and its faults bear the names of fields alone.

use sluice_plan::FailureCode;
use sluice_plan::program::{MessageProgram, OneofRow};

use super::Level;
use super::check::Source;
use super::gather::{Writer, slot};
use super::presence::Presence;
use super::scan::{Scanner, get, set};

impl<'a> Scanner<'a> {
    /// Hands hidden slots over to the columns that read them.
    #[inline(always)]
    pub fn moves<P: Presence>(
        &mut self, message: &'a MessageProgram, slots: &mut [u8], source: Source, mut seen: P,
    ) -> Result<P, FailureCode> {
        for step in &message.moves {
            if !seen.has(&self.scratch.words, step.bit) {
                continue;
            }
            set(slots, step.to, step.number.value(get(slots, step.from)));
            seen.set(&mut self.scratch.words, step.column);
            if let Some(name) = &step.null_in_not_null {
                return Err(self.null_in_not_null(message, name, source));
            }
        }
        Ok(seen)
    }
}

impl<'a> Writer<'a> {
    /// Appends the ROW of a oneof whose active member has the raw value `raw`.
    pub fn oneof(
        &mut self, row: &'a OneofRow, raw: u64, base: usize, level: Level,
    ) -> Result<u64, FailureCode> {
        let start = self.at;
        let header_len = (row.columns + 8).div_ceil(64) * 8;
        let len = header_len + 8 * row.columns;
        self.reserve(len)?;
        let out = &mut self.rows.from(start)[..len];
        out.fill(0);
        let (bytes, bits) = (row.columns / 8, row.columns % 8);
        out[1..1 + bytes].fill(0xff); // NULL; the first byte is the row kind
        out[1 + bytes] = (1 << bits) - 1;
        self.at += len;
        if let Some(active) = row.active {
            match (self.emit(row.emit, raw, start, level)?, &row.not_null) {
                (Some(value), _) => {
                    self.rows.from(start)[1 + active / 8] &= !(1 << (active % 8));
                    self.rows.set_word(start + header_len + 8 * active, value);
                }
                (None, None) => self.at = start + len,
                (None, Some(name)) => return Err(self.refuse_null(name)),
            }
        }
        Ok(slot(start - base, self.at - start))
    }
}
