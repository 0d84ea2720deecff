//! Texts that programs bring along, ready to be stored in a row.

/// A text with zeros behind it up to a multiple of [`PaddedText::BLOCK`].
#[derive(Debug, Clone)]
pub struct PaddedText {
    padded: Box<[u8]>,
    len: usize,
}

impl PaddedText {
    /// Bytes that are copied at a time.
    pub const BLOCK: usize = 32;

    /// Of the bytes of a text.
    pub fn new(text: &[u8]) -> PaddedText {
        let mut padded = vec![0; text.len().next_multiple_of(PaddedText::BLOCK)];
        padded[..text.len()].copy_from_slice(text);
        PaddedText { padded: padded.into(), len: text.len() }
    }

    /// The text alone.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.padded[..self.len]
    }

    /// The text in whole blocks, zeros behind it, and its length.
    #[inline(always)]
    pub fn blocks(&self) -> (&[u8], usize) {
        (&self.padded, self.len)
    }

    /// Bytes of the whole blocks.
    pub fn padded_len(&self) -> usize {
        self.padded.len()
    }
}
