//! Strings and bytes: up to 7 of them stand in the slot, more in the variable part.

use sluice_plan::FailureCode;
use sluice_wire::{Span, append_replacing, is_utf8};

use super::gather::{Writer, padded, slot};
use crate::short_copy;

/// Longest string that stands in its slot.
const INLINE_MAX: usize = 7;

impl<'a> Writer<'a> {
    /// Bytes of the record, which has slack behind it.
    #[inline(always)]
    pub fn view(&mut self, span: Span, base: usize) -> Result<u64, FailureCode> {
        if span.len > INLINE_MAX {
            self.reserve((span.len & !7) + 8)?;
        }
        let written =
            short_copy::append(self.scanner.slab, span, self.rows.memory(), self.at, base);
        self.at += written.taken;
        Ok(written.slot)
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
