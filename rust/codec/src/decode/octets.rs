//! Strings and bytes: up to 7 of them stand in the slot, more in the variable part.

use sluice_plan::FailureCode;
use sluice_wire::{SLACK, Span, append_replacing, is_utf8};

use super::gather::{Writer, padded, slot};

/// Longest string that stands in its slot.
const INLINE_MAX: usize = 7;

impl<'a> Writer<'a> {
    /// Bytes of the record, which has slack behind it.
    #[inline(always)]
    pub fn view(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        let Span { at, len } = span;
        let slab = self.scanner.slab;
        let word = |at: usize| {
            u64::from_le_bytes(*slab[at..].first_chunk().expect("a span has slack behind it"))
        };
        const _: () = assert!(SLACK >= 8);
        let last = len & !7;
        let tail = word(at + last) & ((1 << (8 * (len & 7))) - 1);
        if len <= INLINE_MAX {
            return Ok(tail | (0x80 | len as u64) << 56);
        }
        let start = self.at;
        self.reserve(last + 8)?;
        let out = self.rows.from(start);
        if len <= 64 {
            // Word by word; a call of memcpy costs more than these few steps.
            let words = slab[at..at + last].chunks_exact(8);
            out[..last].chunks_exact_mut(8).zip(words).for_each(|(to, word)| {
                to.copy_from_slice(word);
            });
        } else {
            out[..last].copy_from_slice(&slab[at..at + last]);
        }
        self.rows.set_word(start + last, tail); // overwritten if `len` is whole words
        self.at = start + padded(len);
        Ok(slot(start - base, len))
    }

    /// Bytes from elsewhere.
    pub fn bytes(&mut self, bytes: &[u8], base: usize) -> Result<u64, FailureCode> {
        let len = bytes.len();
        if len <= INLINE_MAX {
            let mut word = [0; 8];
            word[..len].copy_from_slice(bytes);
            word[INLINE_MAX] = 0x80 | len as u8;
            return Ok(u64::from_le_bytes(word));
        }
        self.region(bytes, base)
    }

    /// Bytes that stand in the variable part whatever their length.
    pub fn region(&mut self, bytes: &[u8], base: usize) -> Result<u64, FailureCode> {
        let (start, len) = (self.at, padded(bytes.len()));
        self.reserve(len)?;
        self.rows.set_word(start + len - 8, 0);
        self.rows.from(start)[..bytes.len()].copy_from_slice(bytes);
        self.at += len;
        Ok(slot(start - base, bytes.len()))
    }

    pub fn lenient(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        if is_utf8(self.scanner.slab, span) {
            return self.view(span, base);
        }
        let mut text = std::mem::take(&mut self.scanner.scratch.text);
        text.clear();
        append_replacing(&self.scanner.slab[span.at..span.at + span.len], &mut text);
        let slot = self.bytes(&text, base);
        self.scanner.scratch.text = text;
        slot
    }

    /// All pieces of a message, one behind the other.
    pub fn opaque(&mut self, pieces: u64, base: usize) -> Result<u64, FailureCode> {
        let mut next = Some(pieces as u32);
        if self.scanner.scratch.pieces.count(pieces) == 1 {
            let span = self.scanner.scratch.pieces.next(&mut next);
            return self.view(span.expect("a list is never empty"), base);
        }
        let mut joined = std::mem::take(&mut self.scanner.scratch.text);
        joined.clear();
        while let Some(Span { at, len }) = self.scanner.scratch.pieces.next(&mut next) {
            joined.extend_from_slice(&self.scanner.slab[at..at + len]);
        }
        let slot = self.bytes(&joined, base);
        self.scanner.scratch.text = joined;
        slot
    }
}
