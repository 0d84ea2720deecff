//! Input memory: one record followed by slack.
//!
//! Readers load whole words and so may touch bytes behind the record. The slab guarantees that
//! `SLACK` bytes stand there, always zero, so that what is read past the end is never a stale
//! record.

use sluice_wire::SLACK;

/// Owns the bytes of one record. Reused: it grows to the longest record and keeps that size.
#[derive(Debug)]
pub struct Slab {
    bytes: Vec<u8>,
    len: usize,
}

impl Slab {
    /// A slab with an empty record.
    pub fn new() -> Slab {
        Slab { bytes: vec![0; SLACK], len: 0 }
    }

    /// A slab that holds a copy of `record`.
    pub fn of(record: &[u8]) -> Slab {
        let mut slab = Slab::new();
        slab.space(record.len()).copy_from_slice(record);
        slab
    }

    /// Room for a record of `len` bytes, which the caller overwrites completely.
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + SLACK {
            self.bytes.resize((len + SLACK).next_power_of_two(), 0);
        }
        self.bytes[len..len + SLACK].fill(0);
        self.len = len;
        &mut self.bytes[..len]
    }

    /// The record without its slack.
    pub fn record(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The record with at least `SLACK` readable bytes behind it.
    pub fn readable(&self) -> &[u8] {
        &self.bytes[..self.len + SLACK]
    }
}

impl Default for Slab {
    fn default() -> Slab {
        Slab::new()
    }
}
