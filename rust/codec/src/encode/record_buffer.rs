//! Output memory: one record, written from its end to its beginning.
//!
//! The bridge shows this memory to Java as a direct buffer, so its address stays the same until it
//! has to grow; `generation` changes exactly then. Numbers are stored as whole words whose upper
//! bytes count; what they leave before the record is overwritten by what comes next.

use sluice_plan::FailureCode;
use sluice_plan::encode_program::StoredTag;

use super::open_record::{OpenRecord, ROOM};

/// Owns the bytes of one record, which is the end of its memory.
#[derive(Debug)]
pub struct RecordBuffer {
    bytes: Vec<u8>,
    /// Where the record begins so far.
    at: usize,
    bytes_max: usize,
    generation: u64,
}

impl RecordBuffer {
    /// A buffer with at least `capacity` bytes of room.
    pub fn with_capacity(capacity: usize) -> RecordBuffer {
        let bytes = vec![0; capacity + ROOM];
        RecordBuffer { at: bytes.len(), bytes, bytes_max: 0, generation: 0 }
    }

    /// The record.
    pub fn record(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// All memory; what the bridge shows to Java.
    pub fn memory(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    /// Changes whenever the memory has moved.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub(super) fn clear(&mut self, bytes_max: usize) {
        self.at = self.bytes.len();
        self.bytes_max = bytes_max;
    }

    /// The record, to be written on quickly; see [`RecordBuffer::close`].
    #[inline(always)]
    pub(super) fn open(&mut self) -> OpenRecord<'_> {
        OpenRecord::new(&mut self.bytes, self.at)
    }

    /// What was written since it was opened counts: the record begins `at` bytes behind the start.
    #[inline(always)]
    pub(super) fn close(&mut self, at: usize) {
        debug_assert!(at <= self.at);
        self.at = at;
    }

    /// Writes a varint for each `WIDTH` bytes of `elements`, or nothing and false if there is no room.
    #[inline(always)]
    pub(super) fn varints<const WIDTH: usize>(
        &mut self, elements: &[u8], raw: impl Fn(u64) -> u64,
    ) -> bool {
        let mut open = self.open();
        for element in elements.chunks_exact(WIDTH).rev() {
            if !open.has_room() {
                return false;
            }
            let mut word = [0; 8];
            word[..WIDTH].copy_from_slice(element);
            // SAFETY: two words, and there is room.
            unsafe { open.varint(raw(u64::from_le_bytes(word))) };
        }
        let at = open.at();
        self.close(at);
        true
    }

    /// Bytes written so far.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.bytes.len() - self.at
    }

    /// Bytes of the record, unless they are more than allowed. `grow` alone bounds the memory.
    pub(super) fn checked_len(&self) -> Result<usize, FailureCode> {
        if self.len() > self.bytes_max { Err(FailureCode::RecordTooLarge) } else { Ok(self.len()) }
    }

    /// Makes sure that `len` bytes fit, and a tag and a length before them.
    #[inline(always)]
    pub(super) fn room(&mut self, len: usize) -> Result<(), FailureCode> {
        if self.at >= len + ROOM { Ok(()) } else { self.grow(len) }
    }

    /// Forgets all but the first `len` bytes that were written, which are the record's last.
    pub(super) fn take_back(&mut self, len: usize) {
        self.at = self.bytes.len() - len;
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Result<(), FailureCode> {
        let written = self.len();
        if written + len > self.bytes_max {
            return Err(FailureCode::RecordTooLarge);
        }
        let mut bytes = vec![0; (2 * self.bytes.len()).max(written + len + 2 * ROOM)];
        let at = bytes.len() - written;
        bytes[at..].copy_from_slice(&self.bytes[self.at..]);
        (self.bytes, self.at) = (bytes, at);
        self.generation += 1;
        Ok(())
    }

    /// The `len` upper bytes of `word`, at most 8.
    #[inline(always)]
    fn put_word(&mut self, word: u64, len: usize) {
        self.bytes[self.at - 8..self.at].copy_from_slice(&word.to_le_bytes());
        self.at -= len;
    }

    #[inline(always)]
    pub(super) fn tag(&mut self, tag: StoredTag) {
        self.put_word(tag.word, usize::from(tag.len));
    }

    #[inline(always)]
    pub(super) fn fixed32(&mut self, value: u32) {
        self.put_word(u64::from(value) << 32, 4);
    }

    #[inline(always)]
    pub(super) fn fixed64(&mut self, value: u64) {
        self.put_word(value, 8);
    }

    /// Behind [`RecordBuffer::room`], or a `put` of what that was asked for.
    #[inline(always)]
    pub(super) fn varint(&mut self, value: u64) {
        let mut open = self.open();
        assert!(open.has_room(), "was made");
        // SAFETY: two words, and there is room.
        unsafe { open.varint(value) };
        let at = open.at();
        self.close(at);
    }

    #[inline(always)]
    pub(super) fn put(&mut self, bytes: &[u8]) {
        let at = self.at - bytes.len();
        self.bytes[at..self.at].copy_from_slice(bytes);
        self.at = at;
    }
}

impl Default for RecordBuffer {
    fn default() -> RecordBuffer {
        RecordBuffer::with_capacity(16 << 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_wire::{Cursor, SLACK, Tag, WireType};

    #[test]
    fn varints_of_every_length_are_read_back() {
        let mut values: Vec<u64> = (0..64).flat_map(|bit| [1 << bit, (1 << bit) - 1]).collect();
        values.extend([u64::MAX, 0xdead_beef_cafe_f00d, i64::MIN as u64, 300]);
        for value in values {
            let mut records = RecordBuffer::with_capacity(0);
            records.varint(value);
            let mut slab = records.record().to_vec();
            assert_eq!(slab.len(), (64 - (value | 1).leading_zeros() as usize).div_ceil(7));
            let end = slab.len();
            slab.extend([0; SLACK]);
            let mut cursor = Cursor::new(&slab, 0, end).unwrap();
            assert_eq!(cursor.varint(), Ok(value));
            assert!(cursor.is_empty());
        }
    }

    #[test]
    fn tags_are_read_back() {
        for number in [1, 15, 16, 2047, 2048, 262_144, (1 << 29) - 1] {
            let tag = Tag::new(number, WireType::Length);
            let mut records = RecordBuffer::with_capacity(0);
            records.tag(StoredTag::new(tag));
            let mut slab = records.record().to_vec();
            let end = slab.len();
            slab.extend([0; SLACK]);
            let mut cursor = Cursor::new(&slab, 0, end).unwrap();
            assert_eq!(cursor.tag(), Ok(tag));
            assert!(cursor.is_empty());
        }
    }

    #[test]
    fn a_record_survives_growth_up_to_the_limit() {
        let mut records = RecordBuffer::with_capacity(4);
        records.clear(1000);
        let generation = records.generation();
        for at in 0..100u8 {
            records.room(10).unwrap();
            records.put(&[at; 10]);
        }
        assert_ne!(records.generation(), generation);
        let expected: Vec<u8> = (0..100u8).rev().flat_map(|at| [at; 10]).collect();
        assert_eq!(records.record(), expected);
        while records.at > ROOM {
            records.put(&[0]);
        }
        assert_eq!(records.room(1), Err(FailureCode::RecordTooLarge));
    }
}
