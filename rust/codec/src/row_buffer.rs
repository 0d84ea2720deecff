//! Output memory: rows, one behind the other.
//!
//! The bridge shows this memory to Java as a direct buffer, so its address stays the same until it
//! has to grow; `generation` changes exactly then.

use sluice_plan::FailureCode;

/// Owns the bytes of finished rows. `len` bytes are used, everything behind is room.
#[derive(Debug)]
pub struct RowBuffer {
    bytes: Vec<u8>,
    len: usize,
    generation: u64,
}

impl RowBuffer {
    /// A buffer with at least `capacity` bytes of room.
    pub fn with_capacity(capacity: usize) -> RowBuffer {
        RowBuffer { bytes: vec![0; capacity.max(64)], len: 0, generation: 0 }
    }

    /// The rows written so far.
    pub fn rows(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Forgets the rows; the memory stays.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// All memory, used or not; what the bridge shows to Java.
    pub fn memory(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Changes whenever the memory has moved.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Makes sure that `capacity` bytes are there, but never more than `bytes_max`.
    pub(crate) fn reserve(&mut self, capacity: usize, bytes_max: usize) -> Result<(), FailureCode> {
        if capacity <= self.bytes.len() {
            return Ok(());
        }
        if capacity > bytes_max {
            return Err(FailureCode::RowTooLarge);
        }
        self.bytes.resize(capacity.next_power_of_two(), 0);
        self.generation += 1;
        Ok(())
    }
}

impl Default for RowBuffer {
    fn default() -> RowBuffer {
        RowBuffer::with_capacity(64 << 10)
    }
}
