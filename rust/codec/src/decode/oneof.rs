//! Oneofs that are read as one ROW column.
//!
//! When a message is read, its moves carry the active member to the oneof's column; the gather then
//! writes a row of which at most that member's column is not NULL. The row is a part of its
//! message, so it costs no level of depth, and its faults bear the names of fields alone.
//!
//! Entries of a map are read all before anything is written, each into the same slots. So where
//! their key or value is a oneof, the entry remembers the choice: which member, and its raw value.

use sluice_plan::FailureCode;
use sluice_plan::program::{Emit, MessageProgram, OneofRow};

use super::Level;
use super::check::Source;
use super::gather::{Writer, slot};
use super::presence::Presence;
use super::scan::{Scanner, get, set};

/// The active member of a oneof in an entry of a map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// Index into `Program::oneof_rows`.
    pub row: u32,
    /// The member's raw value.
    pub raw: u64,
}

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

    /// Remembers the active member of each oneof; its slot then tells where the choice stands.
    pub fn choose<P: Presence>(&mut self, message: &MessageProgram, slots: &mut [u8], seen: P) {
        for column in &message.columns {
            if let Emit::Oneof { row } = column.emit
                && seen.has(&self.scratch.words, column.bit)
            {
                let raw = get(slots, column.slot);
                set(slots, column.slot, self.scratch.choices.len() as u64);
                self.scratch.choices.push(Choice { row, raw });
            }
        }
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

    /// Appends the ROW of a oneof in an entry of a map; `at` tells where its choice stands.
    #[inline(never)]
    pub fn chosen(&mut self, at: u64, base: usize, level: Level) -> Result<u64, FailureCode> {
        let Choice { row, raw } = self.scanner.scratch.choices[at as usize];
        let row = &self.scanner.program.oneof_rows[row as usize];
        let written = match &row.null_in_not_null {
            Some(column) => Err(self.other_member(column)),
            None => self.oneof(row, raw, base, level),
        };
        written.map_err(|code| {
            let name = row.null_in_not_null.as_ref().unwrap_or(&row.member);
            let at = self.place(row.emit, raw);
            self.scanner.scratch.fault.named(code, name.clone(), at)
        })
    }

    #[cold]
    fn other_member(&mut self, column: &str) -> FailureCode {
        let detail = format!("column {column} is NOT NULL and another member of the oneof is set");
        self.scanner.scratch.fault.because(FailureCode::NullInNotNull, detail)
    }
}
