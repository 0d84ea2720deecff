//! A record that is being written: two pointers that stay in registers.
//!
//! ```text
//! memory ─► ROOM │ floor … at ─► what is written
//! ```
//! While `at` is not below the floor, `ROOM` bytes are before it: more than a number, a length and
//! two tags take, whole words that are stored for them included.

use std::marker::PhantomData;

use sluice_wire::quick::Text;

/// Bytes before the record that are there whatever was asked for.
pub(super) const ROOM: usize = 64;

/// Longest text that is copied without a loop.
const SHORT: usize = 32;

/// See the module. Borrows the memory of a `RecordBuffer`, which has to be told where it ends.
pub(super) struct OpenRecord<'a> {
    at: *mut u8,
    floor: *mut u8,
    memory: PhantomData<&'a mut [u8]>,
}

/// A record as it was.
pub(super) struct Mark(*mut u8);

/// There is no room before the record.
pub(super) struct NoRoom;

/// Words that are written at once.
const STEPS: usize = 4;

const _: () = assert!(ROOM >= (STEPS + 1) * 8);

impl<'a> OpenRecord<'a> {
    /// The record that begins at `at` of `memory`.
    #[inline(always)]
    pub fn new(memory: &'a mut [u8], at: usize) -> OpenRecord<'a> {
        assert!(at <= memory.len() && memory.len() >= ROOM);
        let memory = memory.as_mut_ptr();
        OpenRecord {
            // SAFETY: `at` and ROOM are inside of the memory, by the assertion.
            at: unsafe { memory.add(at) },
            // SAFETY: see above.
            floor: unsafe { memory.add(ROOM) },
            memory: PhantomData,
        }
    }

    /// Bytes between the record and the memory's start.
    #[inline(always)]
    pub fn at(&self) -> usize {
        (self.at as usize).wrapping_sub(self.floor as usize).wrapping_add(ROOM)
    }

    /// The record as it is, to come back to.
    #[inline(always)]
    pub fn mark(&self) -> Mark {
        Mark(self.at)
    }

    /// Forgets what was written since.
    #[inline(always)]
    pub fn take_back(&mut self, mark: Mark) {
        self.at = mark.0;
    }

    /// Whether up to `STEPS` words may be put.
    #[inline(always)]
    pub fn has_room(&self) -> bool {
        self.at >= self.floor
    }

    /// The `len` upper bytes of `word`.
    ///
    /// # Safety
    /// `has_room` was true not more than `STEPS` words ago, and `len` is at most 8.
    #[inline(always)]
    pub unsafe fn put(&mut self, word: u64, len: usize) {
        // SAFETY: there were ROOM bytes, of which the words before this one took less than STEPS * 8.
        let to = unsafe { self.at.sub(8) };
        // SAFETY: see above; the store needs no alignment.
        unsafe { to.cast::<u64>().write_unaligned(word.to_le()) };
        // SAFETY: no more than the word.
        self.at = unsafe { self.at.sub(len) };
    }

    /// A varint, at most two words.
    ///
    /// # Safety
    /// As for two words.
    #[inline(always)]
    pub unsafe fn varint(&mut self, value: u64) {
        if value < 0x80 {
            // SAFETY: the caller's promise.
            return unsafe { self.put(value << 56, 1) };
        }
        let mut low = value;
        let mut more = 0;
        if value >> 56 != 0 {
            let high = value >> 56; // 8 bits: bytes 8 and 9
            let (word, len) = match high >> 7 {
                0 => (high << 56, 1),
                top => (top << 56 | (high & 0x7f | 0x80) << 48, 2),
            };
            // SAFETY: the caller's promise.
            unsafe { self.put(word, len) };
            low = value & ((1 << 56) - 1);
            more = 1 << 63;
        }
        let bits = 64 - (low | more >> 8).leading_zeros();
        let len = (bits * 9 + 64) >> 6; // bits / 7, rounded up
        // Seven bits to each byte: halves, quarters, eighths.
        let spread = (low & 0x0fff_ffff) | (low & 0x00ff_ffff_f000_0000) << 4;
        let spread = (spread & 0x0000_3fff_0000_3fff) | (spread & 0x0fff_c000_0fff_c000) << 2;
        let spread = (spread & 0x007f_007f_007f_007f) | (spread & 0x3f80_3f80_3f80_3f80) << 1;
        let goes_on = 0x8080_8080_8080_8080 & !(u64::MAX << (8 * (len - 1)));
        // SAFETY: the caller's promise.
        unsafe { self.put((spread | goes_on | more) << (64 - 8 * len), len as usize) };
    }

    /// A text of 8 bytes and more; whether all its bytes are below 128. Leaves room for words.
    #[inline(always)]
    pub fn text(&mut self, text: Text<'_>) -> Result<bool, NoRoom> {
        let len = text.len();
        if len as isize > (self.at as isize).wrapping_sub(self.floor as isize) {
            return Err(NoRoom);
        }
        // SAFETY: so many bytes are between the floor and the record.
        let to = unsafe { self.at.sub(len) };
        self.at = to;
        let bytes = text.bytes();
        if !(8..=SHORT).contains(&len) {
            // SAFETY: see above; the text is borrowed, so it is other memory.
            unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), len) };
            return Ok(bytes.is_ascii());
        }
        // The first and the last bytes, which may overlap.
        if len <= 16 {
            let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>())
            else {
                return Err(NoRoom);
            };
            // SAFETY: 8 bytes of the `len` that were made room for.
            unsafe { to.cast::<[u8; 8]>().write_unaligned(*first) };
            // SAFETY: see above.
            let to = unsafe { to.add(len - 8) };
            // SAFETY: see above.
            unsafe { to.cast::<[u8; 8]>().write_unaligned(*last) };
            return Ok((u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & HIGH == 0);
        }
        let (Some(first), Some(last)) = (bytes.first_chunk::<16>(), bytes.last_chunk::<16>())
        else {
            return Err(NoRoom);
        };
        // SAFETY: 16 bytes of the `len` that were made room for.
        unsafe { to.cast::<[u8; 16]>().write_unaligned(*first) };
        // SAFETY: see above.
        let to = unsafe { to.add(len - 16) };
        // SAFETY: see above.
        unsafe { to.cast::<[u8; 16]>().write_unaligned(*last) };
        let all = u128::from_le_bytes(*first) | u128::from_le_bytes(*last);
        Ok((all as u64 | (all >> 64) as u64) & HIGH == 0)
    }
}

/// The high bit of every byte.
pub(super) const HIGH: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sluice_wire::{Cursor, SLACK, Span};

    proptest! {
        /// What is put is read back, and nothing behind it changes.
        #[test]
        fn numbers_and_texts_are_read_back(
            number: u64, shift in 0u32..64, text in prop::collection::vec(any::<u8>(), 8..80),
            noise: u8,
        ) {
            let number = number >> shift;
            let mut slab = text.clone();
            slab.extend([noise; SLACK]);
            let mut memory = vec![noise; ROOM + 200];
            let end = memory.len() - SLACK;
            let mut open = OpenRecord::new(&mut memory, end);
            prop_assert!(open.has_room());
            let text_bytes = Text::of(&slab, Span { at: 0, len: text.len() }).unwrap();
            let is_ascii = open.text(text_bytes).map_err(|_| TestCaseError::fail("room"))?;
            prop_assert_eq!(is_ascii, text.is_ascii());
            // SAFETY: two words, and there was room.
            unsafe { open.varint(number) };
            // SAFETY: a third.
            unsafe { open.put(0x5a << 56, 1) };
            let at = open.at();
            prop_assert_eq!(memory[at], 0x5a);
            prop_assert!(memory[end..].iter().all(|byte| *byte == noise));
            let mut cursor = Cursor::new(&memory, at + 1, end).unwrap();
            prop_assert_eq!(cursor.varint(), Ok(number));
            prop_assert_eq!(cursor.at(), end - text.len());
            prop_assert_eq!(&memory[cursor.at()..end], &text[..]);
        }
    }

    #[test]
    fn no_text_is_written_where_there_is_no_room() {
        let slab = [b'x'; 20 + SLACK];
        let text = Text::of(&slab, Span { at: 0, len: 20 }).unwrap();
        let mut memory = [0; ROOM + 19];
        assert!(OpenRecord::new(&mut memory, ROOM + 19).text(text).is_err());
        assert_eq!(memory, [0; ROOM + 19]);
        let mut memory = [0; ROOM + 20];
        let mut open = OpenRecord::new(&mut memory, ROOM + 20);
        assert!(open.text(text).is_ok() && open.has_room());
        assert!(open.text(text).is_err());
    }
}
