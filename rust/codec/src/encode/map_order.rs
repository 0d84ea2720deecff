//! FLINK: the order in which Flink's own format writes the entries of a map.
//!
//! It copies them into a `HashMap` over boxed keys, one after the other, and writes what that
//! iterates over. So of equal keys the last value is written, at the place of the first key; a NULL
//! key is the default of its type by then, and equal to that.

use std::cmp::Ordering;

use sluice_plan::FailureCode;
use sluice_plan::encode_program::BoxedKey;
use sluice_wire::{Span, append_replacing};

use super::cells::Elements;
use super::{Encoding, Scratch};
use crate::java_hash;

/// A key as it is put into the map.
#[derive(Debug, Clone, Copy)]
pub(super) struct Put {
    hash: i32,
    /// A number, or offset and length of a text in the scratch memory.
    key: i64,
    /// Index of the value: its own, or that of a later entry with the same key.
    value: u32,
    replaced: bool,
}

impl Encoding<'_> {
    /// Appends to the scratch order, for each entry that is written, the indexes of key and value.
    pub fn java_order(&mut self, class: BoxedKey, keys: &Elements) -> Result<(), FailureCode> {
        self.scratch.puts.clear();
        self.scratch.text.clear();
        for at in 0..keys.count {
            let (key, hash) = self.boxed(class, keys, at)?;
            self.scratch.puts.push(Put { hash, key, value: at as u32, replaced: false });
        }
        let Scratch { order, hash_order, puts, sorted, text, .. } = &mut *self.scratch;
        let compare = |a: &Put, b: &Put| match class {
            BoxedKey::Text => compare_utf16(&text[range(a.key)], &text[range(b.key)]),
            _ => a.key.cmp(&b.key),
        };
        sorted.clear();
        sorted.extend(0..puts.len() as u32);
        sorted.sort_unstable_by(|&a, &b| {
            compare(&puts[a as usize], &puts[b as usize]).then(a.cmp(&b))
        });
        for pair in (1..sorted.len()).rev() {
            let (before, at) = (sorted[pair - 1] as usize, sorted[pair] as usize);
            if compare(&puts[before], &puts[at]).is_eq() {
                puts[before].value = puts[at].value;
                puts[at].replaced = true;
            }
        }
        // Keys of one hash stand in a tree by their order, for which their place in it does.
        for (rank, &at) in sorted.iter().enumerate() {
            puts[at as usize].key = rank as i64;
        }
        hash_order.clear();
        sorted.clear();
        for (at, put) in puts.iter().enumerate().filter(|(_, put)| !put.replaced) {
            hash_order.put(put.hash, put.key);
            sorted.push(at as u32);
        }
        let written = hash_order.iter().map(|id| {
            let at = sorted[id as usize];
            (at, puts[at as usize].value)
        });
        order.extend(written);
        Ok(())
    }

    /// A key and its hash.
    fn boxed(
        &mut self, class: BoxedKey, keys: &Elements, at: usize,
    ) -> Result<(i64, i32), FailureCode> {
        let cell = keys.cell(self.image, at);
        if class == BoxedKey::Text {
            let from = self.scratch.text.len();
            match cell {
                Some(cell) => {
                    let Span { at, len } = self.bytes_of(cell)?;
                    append_replacing(&self.image[at..at + len], &mut self.scratch.text);
                }
                None => self.scratch.text.extend_from_slice(&self.program.null_text),
            }
            let text = &self.scratch.text[from..];
            let hash = std::str::from_utf8(text).map_or(0, java_hash::of_string);
            return Ok(((from as i64) << 32 | text.len() as i64, hash));
        }
        let word = cell.map_or(Ok(0), |cell| self.word(cell.at))?;
        Ok(match class {
            BoxedKey::Integer => (i64::from(word as i32), word as i32),
            BoxedKey::Boolean => {
                let set = word as u8 != 0;
                (i64::from(set), java_hash::of_bool(set))
            }
            _ => (word as i64, java_hash::of_long(word as i64)),
        })
    }
}

fn range(key: i64) -> std::ops::Range<usize> {
    let (at, len) = ((key >> 32) as usize, key as u32 as usize);
    at..at + len
}

/// `String.compareTo`: by UTF-16 units. Only characters beyond the basic plane, which have
/// surrogates there, stand elsewhere than by their bytes.
fn compare_utf16(a: &[u8], b: &[u8]) -> Ordering {
    let place = |byte: u8| match byte {
        0xf0.. => byte - 2,
        0xee.. => byte + 5,
        _ => byte,
    };
    a.iter().map(|byte| place(*byte)).cmp(b.iter().map(|byte| place(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_stand_in_the_order_of_their_utf16_units(
            a in "[a\u{e9}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}]{0,4}",
            b in "[a\u{e9}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}]{0,4}",
        ) {
            let units = a.encode_utf16().cmp(b.encode_utf16());
            prop_assert_eq!(compare_utf16(a.as_bytes(), b.as_bytes()), units);
        }
    }
}
