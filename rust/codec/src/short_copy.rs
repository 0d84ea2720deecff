//! Strings into the variable part, most of which are short.
//!
//! Up to 32 bytes are copied as a whole, wanted or not, and looked at for bytes over 127 on the way: no
//! loop, no branch on the length. Input and output have room for that: `SLACK` and `ROOM`.

use std::hint::select_unpredictable;

use sluice_wire::quick::Text;
use sluice_wire::{SLACK, Span};

use crate::row_buffer::ROOM;

/// What is copied at a time.
pub(crate) const BLOCK: usize = 32;

const _: () = assert!(SLACK >= BLOCK + 8 && ROOM >= BLOCK + 8);

/// Longest string that stands in its slot.
const INLINE_MAX: usize = 7;

/// A string that was written.
pub(crate) struct Written {
    /// Offset and length, or the string itself.
    pub slot: u64,
    /// Bytes of the variable part that it takes.
    pub taken: usize,
    /// No byte over 127.
    pub is_ascii: bool,
}

/// Writes the bytes of `span` at `at` of `out`, padded with zeros to a whole word, or into the slot.
/// Offsets count from `base`. `out` has room for a block and a word, and for long ones and a word.
#[inline(always)]
pub(crate) fn append(slab: &[u8], span: Span, out: &mut [u8], at: usize, base: usize) -> Written {
    let text = Text::of(slab, span).expect("a span has slack behind it");
    let out = &mut out[at..];
    assert!(out.len() >= span.len.max(BLOCK) + 8, "was reserved");
    // SAFETY: just asserted.
    unsafe { write(text, out.as_mut_ptr(), at - base) }
}

/// Writes `text` to `to`, padded with zeros to a whole word, or into the slot; `offset` is where it
/// stands in its row or array.
///
/// # Safety
/// `to` has room for the text or a block, whatever is longer, and 8 bytes more; what they hold may be
/// lost.
#[inline(always)]
unsafe fn write(text: Text<'_>, to: *mut u8, offset: usize) -> Written {
    if text.len() > BLOCK {
        // SAFETY: the caller's promise.
        unsafe { write_long(text, to, offset) }
    } else {
        // SAFETY: the caller's promise.
        unsafe { write_short(text, to, offset) }
    }
}

/// [`write`] of a text of up to `BLOCK` bytes.
///
/// # Safety
/// `to` has `BLOCK + 8` bytes; what they hold may be lost.
#[inline(always)]
pub(crate) unsafe fn write_short(text: Text<'_>, to: *mut u8, offset: usize) -> Written {
    let len = text.len().min(BLOCK);
    let from = text.first::<{ BLOCK + 8 }>();
    let tail_at = len & !7;
    let tail = word(from, tail_at) & ((1 << (8 * (len & 7))) - 1);
    let block: &[u8; BLOCK] = from.first_chunk().expect("40 bytes are more than 32");
    // SAFETY: the caller promises BLOCK bytes and more.
    unsafe { to.cast::<[u8; BLOCK]>().write_unaligned(*block) };
    // SAFETY: `tail_at` is BLOCK at most, and 8 bytes more are promised.
    let tail_to = unsafe { to.add(tail_at) };
    // SAFETY: see above.
    unsafe { tail_to.cast::<u64>().write_unaligned(tail.to_le()) };
    let (slot, taken) = place(tail, len, offset);
    Written { slot, taken, is_ascii: high_bits(block) & low_mask(len) == 0 }
}

/// [`write`] of a text of more than `BLOCK` bytes; 8 would do.
///
/// # Safety
/// `to` has as many bytes as the text, and 8 more; what they hold may be lost.
#[inline(never)]
pub(crate) unsafe fn write_long(text: Text<'_>, to: *mut u8, offset: usize) -> Written {
    let bytes = text.bytes();
    assert!(bytes.len() > INLINE_MAX);
    let taken = (bytes.len() + 7) & !7;
    // SAFETY: the text is longer than a word, and its padding is less than the 8 bytes behind it.
    let last = unsafe { to.add(taken - 8) };
    // SAFETY: see above.
    unsafe { last.cast::<u64>().write_unaligned(0) };
    // SAFETY: the caller promises room for the text; input and output are different memory, as the
    // one is borrowed and the other may be written.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    let slot = (offset as u64) << 32 | bytes.len() as u64;
    Written { slot, taken, is_ascii: bytes.is_ascii() }
}

/// The same for a text that has zeros behind it up to a multiple of `BLOCK`, `len` without those.
///
/// # Safety
/// `to` has as many bytes as `padded`; what they hold may be lost.
#[inline(always)]
pub(crate) unsafe fn write_blocks(
    padded: &[u8], len: usize, to: *mut u8, offset: usize,
) -> (u64, usize) {
    let mut first = 0;
    for (at, block) in padded.chunks_exact(BLOCK).enumerate() {
        let block: &[u8; BLOCK] = block.first_chunk().expect("a whole block");
        if at == 0 {
            first = word(block, 0);
        }
        // SAFETY: the caller promises as many bytes as the blocks have.
        let to = unsafe { to.add(at * BLOCK) };
        // SAFETY: see above.
        unsafe { to.cast::<[u8; BLOCK]>().write_unaligned(*block) };
    }
    place(first, len, offset)
}

/// Whether the text has up to `BLOCK` bytes, all below 128: without a loop, as its length cannot be
/// guessed.
#[inline(always)]
pub(crate) fn is_short_ascii(text: Text<'_>) -> bool {
    let len = text.len().min(BLOCK);
    text.len() <= BLOCK && high_bits(text.first()) & low_mask(len) == 0
}

/// Slot of a string, of which `short` is all if it fits a slot, and what it takes of the variable
/// part.
#[inline(always)]
fn place(short: u64, len: usize, offset: usize) -> (u64, usize) {
    let inline = short | (0x80 | len as u64) << 56;
    let view = (offset as u64) << 32 | len as u64;
    let is_inline = len <= INLINE_MAX; // no branch: lengths around 7 are usual
    let taken = select_unpredictable(is_inline, 0, (len + 7) & !7);
    (select_unpredictable(is_inline, inline, view), taken)
}

#[inline(always)]
fn word<const N: usize>(bytes: &[u8; N], at: usize) -> u64 {
    u64::from_le_bytes(*bytes[at..].first_chunk().expect("a word"))
}

/// The lowest `len` of 32 bits.
#[inline(always)]
fn low_mask(len: usize) -> u32 {
    ((1u64 << len) - 1) as u32
}

/// Which of the bytes are over 127.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn high_bits(bytes: &[u8; BLOCK]) -> u32 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
    // SAFETY: 32 bytes are 16 and more; the load needs no alignment.
    let low = unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
    // SAFETY: bytes 16..32 of 32; the load needs no alignment.
    let high = unsafe { _mm_loadu_si128(bytes[16..].as_ptr().cast()) };
    // SSE2 is part of x86-64.
    let bits = |half| {
        // SAFETY: no memory is touched, and every x86-64 has SSE2.
        (unsafe { _mm_movemask_epi8(half) }) as u32
    };
    bits(low) | bits(high) << 16
}

/// Which of the bytes are over 127.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn high_bits(bytes: &[u8; BLOCK]) -> u32 {
    bytes.iter().enumerate().fold(0, |bits, (at, byte)| bits | u32::from(byte >> 7) << at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is written is the string, zeros up to the word, and nothing else that counts.
        #[test]
        fn writes_what_a_loop_would(
            text in prop::collection::vec(prop_oneof![9 => 0u8..0x80, 1 => 0x80u8..=0xff], 0..80),
            before in 0usize..9, at in 0usize..9, noise: u8,
        ) {
            let mut slab = vec![noise; before];
            slab.extend_from_slice(&text);
            slab.extend_from_slice(&[noise; SLACK]);
            let mut out = vec![0xee; 200];
            let span = Span { at: before, len: text.len() };
            let written = append(&slab, span, &mut out, at, 0);
            prop_assert_eq!(written.is_ascii, text.is_ascii());
            let checked = is_short_ascii(Text::of(&slab, span).expect("in the slab"));
            prop_assert_eq!(checked, text.len() <= BLOCK && text.is_ascii());
            if text.len() <= INLINE_MAX {
                let mut slot = [0; 8];
                slot[..text.len()].copy_from_slice(&text);
                slot[7] = 0x80 | text.len() as u8;
                prop_assert_eq!(written.slot, u64::from_le_bytes(slot));
                prop_assert_eq!(written.taken, 0);
            } else {
                let mut wanted = text.clone();
                wanted.resize(text.len().next_multiple_of(8), 0);
                prop_assert_eq!(written.slot, (at as u64) << 32 | text.len() as u64);
                prop_assert_eq!(&out[at..at + written.taken], &wanted[..]);
            }
        }
    }
}
