//! Strings into the variable part, most of which are short.
//!
//! Up to 32 bytes are copied as a whole, wanted or not, and looked at for bytes over 127 on the way: no
//! loop, no branch on the length. Input and output have room for that: `SLACK` and `ROOM`.

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
    /// Where the next value goes.
    pub next: usize,
    /// No byte over 127.
    pub is_ascii: bool,
}

/// Writes the bytes of `span` at `at` of `out`, padded with zeros to a whole word, or into the slot.
/// Offsets count from `base`. `out` has room for them, and `ROOM` bytes more.
#[inline(always)]
pub(crate) fn append(slab: &[u8], span: Span, out: &mut [u8], at: usize, base: usize) -> Written {
    let len = span.len;
    if len > BLOCK {
        return append_long(slab, span, out, at, base);
    }
    let from: &[u8; BLOCK + 8] = slab[span.at..].first_chunk().expect("a span has slack behind it");
    let to: &mut [u8; BLOCK + 8] = out[at..].first_chunk_mut().expect("was reserved");
    let tail_at = len & !7;
    let tail = word(from, tail_at) & ((1 << (8 * (len & 7))) - 1);
    to[..BLOCK].copy_from_slice(&from[..BLOCK]);
    to[tail_at..tail_at + 8].copy_from_slice(&tail.to_le_bytes());
    let high = high_bits(from.first_chunk().expect("40 bytes are more than 32"));
    let (slot, next) = place(tail, len, at, base);
    Written { slot, next, is_ascii: high & low_mask(len) == 0 }
}

/// The same for bytes that have zeros behind them up to a multiple of `BLOCK`, `len` without those.
#[inline(always)]
pub(crate) fn append_blocks(
    padded: &[u8], len: usize, out: &mut [u8], at: usize, base: usize,
) -> (u64, usize) {
    let mut first = 0;
    let mut to = at;
    for block in padded.chunks_exact(BLOCK) {
        if to == at {
            first = word(block, 0);
        }
        out[to..to + BLOCK].copy_from_slice(block);
        to += BLOCK;
    }
    place(first, len, at, base)
}

/// Slot and end of a string at `at`, of which `short` is all if it fits a slot.
#[inline(always)]
fn place(short: u64, len: usize, at: usize, base: usize) -> (u64, usize) {
    let inline = short | (0x80 | len as u64) << 56;
    let view = ((at - base) as u64) << 32 | len as u64;
    let is_inline = len <= INLINE_MAX;
    let next = at + if is_inline { 0 } else { (len + 7) & !7 };
    (if is_inline { inline } else { view }, next)
}

#[inline(never)]
fn append_long(slab: &[u8], span: Span, out: &mut [u8], at: usize, base: usize) -> Written {
    let text = &slab[span.at..span.at + span.len];
    let end = at + ((span.len + 7) & !7);
    out[end - 8..end].fill(0);
    out[at..at + span.len].copy_from_slice(text);
    let slot = ((at - base) as u64) << 32 | span.len as u64;
    Written { slot, next: end, is_ascii: text.is_ascii() }
}

#[inline(always)]
fn word(bytes: &[u8], at: usize) -> u64 {
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
            if text.len() <= INLINE_MAX {
                let mut slot = [0; 8];
                slot[..text.len()].copy_from_slice(&text);
                slot[7] = 0x80 | text.len() as u8;
                prop_assert_eq!(written.slot, u64::from_le_bytes(slot));
                prop_assert_eq!(written.next, at);
            } else {
                let mut wanted = text.clone();
                wanted.resize(text.len().next_multiple_of(8), 0);
                prop_assert_eq!(written.slot, (at as u64) << 32 | text.len() as u64);
                prop_assert_eq!(&out[at..written.next], &wanted[..]);
            }
        }
    }
}
