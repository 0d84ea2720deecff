//! Columns of enum names: a dictionary of the names that the batch holds, in the order in which they
//! came first.

use std::collections::HashMap;

use arrow_buffer::MutableBuffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType};
use sluice_plan::EnumNames;

use super::cells::{Cells, octets};
use super::validity::Validity;
use super::{Array, renewed};

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
    /// Keys of the numbers of one enum of one program, or `MISS`.
    of: (u64, u32),
    by_number: [i32; RECENT],
}

const MISS: i32 = -1;

impl Names {
    pub fn new() -> Names {
        Names { keys: MutableBuffer::new(0), known: Known::new() }
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

    /// Adds the name of a number, if the enum has one. `of` is the same for one enum only.
    #[inline(always)]
    pub fn push(&mut self, of: (u64, u32), number: i32, names: &EnumNames) -> Option<()> {
        let known = &mut self.known;
        let key = match known.by_number.get(number as u32 as usize) {
            Some(&key) if key != MISS && known.of == of => key,
            _ => known.number(of, number, names.find(number)?),
        };
        self.keys.push(key);
        Some(())
    }

    /// Adds a key that stands for NULL.
    pub fn push_null(&mut self) {
        self.keys.push(0i32);
    }

    /// Adds a name.
    pub fn push_text(&mut self, text: &[u8]) {
        let key = self.known.key(text);
        self.keys.push(key);
    }

    pub fn truncate(&mut self, len: usize) {
        self.keys.truncate(4 * len);
    }

    pub fn take(&mut self, array: Array) -> Result<Array, ArrowError> {
        let keys = renewed(&mut self.keys);
        let mut known = std::mem::replace(&mut self.known, Known::new());
        if known.texts.is_empty() && !keys.is_empty() {
            // Key 0 stands for what is NULL. Where a row is NULL, a NOT NULL column inside of it has
            // no bit to say so, and the key must be that of a name.
            known.look_up(b"");
        }
        Ok(array.add_buffer(keys.into()).add_child_data(known.values()?))
    }
}

impl Known {
    fn new() -> Known {
        Known {
            texts: Vec::new(),
            by_text: HashMap::new(),
            recent: [0; RECENT],
            of: (0, 0),
            by_number: [MISS; RECENT],
        }
    }

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
    fn number(&mut self, of: (u64, u32), number: i32, text: &[u8]) -> i32 {
        if self.of != of {
            (self.of, self.by_number) = (of, [MISS; RECENT]);
        }
        let key = self.look_up(text);
        if let Some(known) = self.by_number.get_mut(number as u32 as usize) {
            *known = key;
        }
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
