//! Output memory: rows, one behind the other.
//!
//! The bridge shows this memory to Java as a direct buffer, so its address stays the same until it
//! has to grow; `generation` changes exactly then. Writers reserve first and store later; what a
//! refused record has left behind is dead memory, never read.

use sluice_plan::FailureCode;

/// Owns the bytes of finished rows. `len` bytes are used, everything behind is room.
#[derive(Debug)]
pub struct RowBuffer {
    bytes: Vec<u8>,
    len: usize,
    generation: u64,
}

/// Bytes behind what was reserved that a writer may overwrite with noise.
pub(crate) const ROOM: usize = 64;

impl RowBuffer {
    /// A buffer with at least `capacity` bytes of room.
    pub fn with_capacity(capacity: usize) -> RowBuffer {
        RowBuffer { bytes: vec![0; capacity + ROOM], len: 0, generation: 0 }
    }

    /// The rows written so far.
    #[inline]
    pub fn rows(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Forgets the rows; the memory stays.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Keeps the rows that end at `len` or before; the memory stays.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// All memory, used or not; what the bridge shows to Java.
    pub fn memory(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Changes whenever the memory has moved.
    #[inline]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The rows now end here.
    #[inline]
    pub(crate) fn extend_to(&mut self, len: usize) {
        debug_assert!(len <= self.bytes.len());
        self.len = len;
    }

    /// Makes sure that bytes up to `end` and `ROOM` behind are there; rows never pass `bytes_max`.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, end: usize, bytes_max: usize) -> Result<(), FailureCode> {
        if end + ROOM <= self.bytes.len() && end <= bytes_max {
            return Ok(());
        }
        self.grow(end, bytes_max)
    }

    #[cold]
    fn grow(&mut self, end: usize, bytes_max: usize) -> Result<(), FailureCode> {
        if end > bytes_max {
            return Err(FailureCode::RowTooLarge);
        }
        let doubled = (2 * self.bytes.len()).min(bytes_max + ROOM);
        self.bytes.resize(doubled.max(end + ROOM), 0);
        self.generation += 1;
        Ok(())
    }

    /// The reserved bytes from `at` on.
    #[inline(always)]
    pub(crate) fn from(&mut self, at: usize) -> &mut [u8] {
        &mut self.bytes[at..]
    }

    #[inline(always)]
    pub(crate) fn word(&self, at: usize) -> u64 {
        let bytes = self.bytes[at..].first_chunk().expect("was reserved");
        u64::from_le_bytes(*bytes)
    }

    #[inline(always)]
    pub(crate) fn set_word(&mut self, at: usize, value: u64) {
        self.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }
}

impl Default for RowBuffer {
    fn default() -> RowBuffer {
        RowBuffer::with_capacity(64 << 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_only_when_it_grows_and_never_beyond_the_limit() {
        let mut rows = RowBuffer::with_capacity(100);
        let generation = rows.generation();
        assert_eq!(rows.reserve(100, 1000), Ok(()));
        assert_eq!(rows.generation(), generation);
        assert_eq!(rows.reserve(101, 1000), Ok(()));
        assert_ne!(rows.generation(), generation);
        assert_eq!(rows.reserve(1000, 1000), Ok(()));
        assert_eq!(rows.reserve(1001, 1000), Err(FailureCode::RowTooLarge));
        assert!(rows.memory().len() <= 1000 + ROOM);
    }
}
