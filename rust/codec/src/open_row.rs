//! A row whose message is being read: fixed part below, variable part growing behind it.
//!
//! ```text
//! row ─► header, slots │ variable part │ at ─► room … limit │ ROOM │ end of the memory
//! ```
//!
//! Three pointers that stay in registers, where the row buffer's own would be loaded anew behind
//! every store. The limit makes short strings one compare: behind it `ROOM` bytes are left.

use std::marker::PhantomData;

use sluice_wire::quick::Text;

use crate::row_buffer::ROOM;
use crate::short_copy::{self, BLOCK};

/// See the module. Borrows the memory; whoever writes there otherwise opens the row again.
pub(crate) struct OpenRow<'a> {
    row: *mut u8,
    at: *mut u8,
    limit: *mut u8,
    memory: PhantomData<&'a mut [u8]>,
}

/// There is no room: the row buffer has to grow, or another program reckoned wrong.
#[derive(Debug)]
pub(crate) struct NoRoom;

/// A string in the variable part or in its slot.
pub(crate) struct Appended {
    pub slot: u64,
    /// No byte over 127.
    pub is_ascii: bool,
}

impl<'a> OpenRow<'a> {
    /// The row at `base` of `memory` whose variable part ends at `at`; its fixed part has
    /// `fixed_len` bytes.
    #[inline(always)]
    pub fn new(memory: &'a mut [u8], base: usize, fixed_len: usize, at: usize) -> OpenRow<'a> {
        assert!(base + fixed_len <= at && at + ROOM <= memory.len(), "was reserved");
        let limit = memory.len() - ROOM;
        let memory = memory.as_mut_ptr();
        OpenRow {
            // SAFETY: `base <= at <= limit <= len` by the assertion, for all three.
            row: unsafe { memory.add(base) },
            // SAFETY: see above.
            at: unsafe { memory.add(at) },
            // SAFETY: see above.
            limit: unsafe { memory.add(limit) },
            memory: PhantomData,
        }
    }

    /// Bytes from the row's start to the end of its variable part.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.at as usize - self.row as usize
    }

    /// # Safety
    /// `slot + 8` is not beyond the fixed part.
    #[inline(always)]
    pub unsafe fn slot(&self, slot: u32) -> u64 {
        // SAFETY: the fixed part is in the memory, by `new` and the caller's promise.
        let slot = unsafe { self.row.add(slot as usize) };
        // SAFETY: see above; the memory is initialised, and the load needs no alignment.
        u64::from_le(unsafe { slot.cast::<u64>().read_unaligned() })
    }

    /// # Safety
    /// `slot + 8` is not beyond the fixed part.
    #[inline(always)]
    pub unsafe fn set_slot(&mut self, slot: u32, value: u64) {
        // SAFETY: the fixed part is in the memory, by `new` and the caller's promise.
        let slot = unsafe { self.row.add(slot as usize) };
        // SAFETY: see above; the store needs no alignment.
        unsafe { slot.cast::<u64>().write_unaligned(value.to_le()) };
    }

    /// Appends a string, or puts it into its slot.
    #[inline(always)]
    pub fn append(&mut self, text: Text<'_>) -> Result<Appended, NoRoom> {
        let offset = self.len();
        let written = if text.len() <= BLOCK && self.at <= self.limit {
            // SAFETY: ROOM bytes are behind the limit, which is more than a block and a word.
            unsafe { short_copy::write_short(text, self.at, offset) }
        } else if text.len() as isize <= (self.limit as isize).wrapping_sub(self.at as isize) {
            // SAFETY: the text fits before the limit, and ROOM is more than a word.
            unsafe { short_copy::write_long(text, self.at, offset) }
        } else {
            return Err(NoRoom);
        };
        // SAFETY: no more is taken than there is room for; the padding may reach into ROOM.
        self.at = unsafe { self.at.add(written.taken) };
        Ok(Appended { slot: written.slot, is_ascii: written.is_ascii })
    }

    /// The same for a text of `len` bytes that has zeros behind it up to a multiple of `BLOCK`.
    #[inline(always)]
    pub fn append_padded(&mut self, padded: &[u8], len: usize) -> Result<u64, NoRoom> {
        let left = (self.limit as isize).wrapping_sub(self.at as isize);
        if padded.len() as isize > left + BLOCK as isize {
            return Err(NoRoom);
        }
        let offset = self.len();
        // SAFETY: what does not fit before the limit fits in ROOM.
        let (slot, taken) = unsafe { short_copy::write_blocks(padded, len, self.at, offset) };
        // SAFETY: the text takes no more than its blocks.
        self.at = unsafe { self.at.add(taken) };
        Ok(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sluice_wire::{SLACK, Span};

    const FIXED: usize = 24;

    proptest! {
        /// Texts stand one behind the other, padded, and their slots say where; what does not fit is
        /// refused and changes nothing before the end.
        #[test]
        fn texts_follow_each_other(
            texts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..70), 0..6),
            base in 0usize..9, room in 0usize..200,
        ) {
            let mut memory = vec![0xee; base + FIXED + room + ROOM];
            let mut open = OpenRow::new(&mut memory, base, FIXED, base + FIXED);
            let mut wanted = Vec::new();
            let mut slots = Vec::new();
            for text in &texts {
                let slab = [&text[..], &[0xff; SLACK]].concat();
                let text_bytes = Text::of(&slab, Span { at: 0, len: text.len() }).unwrap();
                let Ok(appended) = open.append(text_bytes) else {
                    prop_assert!(wanted.len() + text.len() > room);
                    break;
                };
                prop_assert_eq!(appended.is_ascii, text.is_ascii());
                if text.len() > 7 {
                    slots.push((appended.slot, (FIXED + wanted.len()) as u64));
                    wanted.extend_from_slice(text);
                    wanted.resize(wanted.len().next_multiple_of(8), 0);
                }
                // SAFETY: the last slot of the fixed part.
                unsafe { open.set_slot(FIXED as u32 - 8, appended.slot) };
            }
            prop_assert_eq!(open.len(), FIXED + wanted.len());
            prop_assert_eq!(&memory[base + FIXED..base + FIXED + wanted.len()], &wanted[..]);
            prop_assert!(memory[..base + FIXED - 8].iter().all(|byte| *byte == 0xee));
            for (slot, offset) in slots {
                prop_assert_eq!(slot >> 32, offset);
            }
        }
    }

    #[test]
    fn names_are_written_by_blocks_as_long_as_there_is_room() {
        let mut name = [0; 2 * BLOCK];
        name[..40].fill(b'n');
        for (room, fits) in [(31, false), (32, true), (64, true)] {
            let mut memory = vec![0; FIXED + room + ROOM];
            let mut open = OpenRow::new(&mut memory, 0, FIXED, FIXED);
            assert_eq!(open.append_padded(&name, 40).is_ok(), fits, "{room}");
        }
    }
}
