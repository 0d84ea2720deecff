//! Which fields of one message have been seen.
//!
//! Messages of up to 64 presence bits keep them in one register (`Narrow`); wider ones in a stack of
//! words in the scratch memory (`Wide`). The scan is compiled for both.

use sluice_plan::program::{Bit, MessageProgram};

/// The presence bits of the message that is being read.
pub(super) trait Presence: Copy {
    /// No field seen yet.
    fn start(message: &MessageProgram, words: &mut Vec<u64>) -> Self;
    /// Gives the memory back.
    fn finish(self, words: &mut Vec<u64>);
    fn set(&mut self, words: &mut [u64], bit: Bit);
    fn clear(&mut self, words: &mut [u64], bit: Bit);
    fn word(self, words: &[u64], index: usize) -> u64;

    fn has(self, words: &[u64], bit: Bit) -> bool {
        self.word(words, bit.word as usize) & bit.mask != 0
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Narrow(u64);

impl Presence for Narrow {
    #[inline(always)]
    fn start(_: &MessageProgram, _: &mut Vec<u64>) -> Narrow {
        Narrow(0)
    }

    #[inline(always)]
    fn finish(self, _: &mut Vec<u64>) {}

    #[inline(always)]
    fn set(&mut self, _: &mut [u64], bit: Bit) {
        self.0 |= bit.mask;
    }

    #[inline(always)]
    fn clear(&mut self, _: &mut [u64], bit: Bit) {
        self.0 &= !bit.mask;
    }

    #[inline(always)]
    fn word(self, _: &[u64], _: usize) -> u64 {
        self.0
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Wide {
    base: usize,
}

impl Presence for Wide {
    fn start(message: &MessageProgram, words: &mut Vec<u64>) -> Wide {
        let base = words.len();
        words.resize(base + message.presence_words, 0);
        Wide { base }
    }

    fn finish(self, words: &mut Vec<u64>) {
        words.truncate(self.base);
    }

    #[inline(always)]
    fn set(&mut self, words: &mut [u64], bit: Bit) {
        words[self.base + bit.word as usize] |= bit.mask;
    }

    #[inline(always)]
    fn clear(&mut self, words: &mut [u64], bit: Bit) {
        words[self.base + bit.word as usize] &= !bit.mask;
    }

    #[inline(always)]
    fn word(self, words: &[u64], index: usize) -> u64 {
        words[self.base + index]
    }
}
