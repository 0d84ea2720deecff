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
        Slab::with_capacity(0)
    }

    /// A slab with an empty record, which does not move for records of up to `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Slab {
        Slab { bytes: vec![0; capacity + SLACK], len: 0 }
    }

    /// A slab that holds a copy of `record`.
    pub fn of(record: &[u8]) -> Slab {
        let mut slab = Slab::new();
        slab.space(record.len()).copy_from_slice(record);
        slab
    }

    /// Room for a record of `len` bytes, which the caller overwrites completely.
    #[inline]
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        if self.bytes.len() < len + SLACK {
            self.grow(len + SLACK);
        }
        let slack: &mut [u8; SLACK] = self.bytes[len..].first_chunk_mut().expect("was made");
        *slack = [0; SLACK];
        self.len = len;
        &mut self.bytes[..len]
    }

    #[cold]
    fn grow(&mut self, needed: usize) {
        self.bytes.resize(needed.next_power_of_two(), 0);
    }

    /// Room for all records that do not move the slab, for whoever writes one before `space` is told
    /// its length.
    pub fn capacity(&mut self) -> &mut [u8] {
        let capacity = self.bytes.len() - SLACK;
        &mut self.bytes[..capacity]
    }

    /// The record without its slack.
    #[inline]
    pub fn record(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// The record with at least `SLACK` readable bytes behind it.
    #[inline]
    pub fn readable(&self) -> &[u8] {
        &self.bytes[..self.len + SLACK]
    }
}

impl Default for Slab {
    fn default() -> Slab {
        Slab::new()
    }
}
