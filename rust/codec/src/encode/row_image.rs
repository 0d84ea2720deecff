//! Input memory: the bytes of one `BinaryRowData`, room for parts, and slack.

use sluice_wire::SLACK;

/// A row's header, four slots, and the bytes of a decimal.
const PARTS: usize = 64;

/// Owns the bytes of one row. Reused: it grows to the longest row and keeps that size.
#[derive(Debug, Default)]
pub struct RowImage {
    bytes: Vec<u8>,
    len: usize,
}

impl RowImage {
    /// Memory that does not move for rows of up to `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> RowImage {
        RowImage { bytes: vec![0; capacity + PARTS + SLACK], ..RowImage::default() }
    }

    /// Room for a row of `len` bytes, which the caller overwrites completely.
    pub fn space(&mut self, len: usize) -> &mut [u8] {
        let needed = len + PARTS + SLACK;
        if self.bytes.len() < needed {
            self.bytes.resize(needed.next_power_of_two(), 0);
        }
        // What a corrupt row finds behind its end must not be a row from before.
        self.bytes[len..needed].fill(0);
        self.len = len;
        &mut self.bytes[..len]
    }

    /// Room for all rows that do not move the memory, for whoever writes one before `space` is told its
    /// length.
    pub fn capacity(&mut self) -> &mut [u8] {
        let capacity = self.bytes.len().saturating_sub(PARTS + SLACK);
        &mut self.bytes[..capacity]
    }

    pub(super) fn parts_at(&self) -> usize {
        self.len
    }

    /// The row, its parts and its slack.
    pub(super) fn memory(&mut self) -> &mut [u8] {
        let len = self.len + PARTS + SLACK;
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
        &mut self.bytes[..len]
    }
}
