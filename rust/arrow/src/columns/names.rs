//! Columns of enum names: a dictionary of the names that the batch holds, in the order in which they
//! came first.

use std::collections::HashMap;

use arrow_buffer::MutableBuffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};

use super::Array;
use super::cells::{Cells, octets};
use super::validity::Validity;

/// Names that were looked up last, by a few of their bits.
const RECENT: usize = 64;

/// See the module.
#[derive(Debug)]
pub(super) struct Names {
    keys: MutableBuffer,
    known: Known,
}

#[derive(Debug)]
struct Known {
    texts: Vec<Box<[u8]>>,
    /// Not only the schema chooses names: a number that the enum lacks has one, too. So this map must
    /// bear hostile keys.
    by_text: HashMap<Box<[u8]>, i32>,
    recent: [i32; RECENT],
}

impl Names {
    pub fn new() -> Names {
        let known = Known { texts: Vec::new(), by_text: HashMap::new(), recent: [0; RECENT] };
        Names { keys: MutableBuffer::new(0), known }
    }

    pub fn append(&mut self, nulls: &mut Validity, image: &[u8], cells: impl Cells) {
        let Names { keys, known } = self;
        keys.reserve(4 * cells.count());
        cells.for_each(image, |cell| {
            nulls.push(cell.is_null);
            let key = match cell.is_null {
                true => 0,
                false => {
                    let (at, len) = octets(image, cell);
                    known.key(&image[at..at + len])
                }
            };
            keys.push(key);
        });
    }

    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(4 * len);
    }

    pub fn take(&mut self, array: Array) -> Result<Array, ArrowError> {
        let Names { keys, mut known } = std::mem::replace(self, Names::new());
        if known.texts.is_empty() && !keys.is_empty() {
            // Key 0 stands for what is NULL. Where a row is NULL, a NOT NULL column inside of it has
            // no bit to say so, and the key must be that of a name.
            known.look_up(b"");
        }
        Ok(array.add_buffer(keys.into()).add_child_data(known.values()?))
    }
}

impl Known {
    #[inline(always)]
    fn key(&mut self, text: &[u8]) -> i32 {
        let last = usize::from(text.last().copied().unwrap_or_default());
        let slot = (5 * text.len() + last) % RECENT;
        let recent = self.recent[slot];
        if self.texts.get(recent as usize).is_some_and(|known| **known == *text) {
            return recent;
        }
        let key = self.look_up(text);
        self.recent[slot] = key;
        key
    }

    #[inline(never)]
    fn look_up(&mut self, text: &[u8]) -> i32 {
        if let Some(key) = self.by_text.get(text) {
            return *key;
        }
        let key = self.texts.len() as i32; // fewer than rows, which are fewer than 2^31
        self.texts.push(text.into());
        self.by_text.insert(text.into(), key);
        key
    }

    fn values(self) -> Result<ArrayData, ArrowError> {
        let mut ends = super::octets::Offsets::new();
        let mut bytes = MutableBuffer::new(0);
        for text in &self.texts {
            bytes.extend_from_slice(text);
            ends.push(bytes.len());
        }
        ArrayData::builder(DataType::Utf8)
            .len(self.texts.len())
            .add_buffer(ends.take())
            .add_buffer(bytes.into())
            .build()
    }
}
