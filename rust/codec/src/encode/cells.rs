//! Where values stand in an image: rows, entries, single values.

use sluice_plan::FailureCode;
use sluice_plan::encode_program::Place;
use sluice_wire::{SLACK, Span};

use super::Encoding;

/// The place of one value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// Where its bytes begin: eight, or as many as an array element has.
    pub at: usize,
    /// Where the row or array begins that offsets in the cell are counted from.
    pub base: usize,
}

/// Something that has a cell for each column.
pub(super) trait Cells: Copy {
    /// The cell of a column; `None` for NULL.
    fn cell(self, image: &[u8], place: Place) -> Result<Option<Cell>, FailureCode>;
}

/// A row that begins at `base`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub base: usize,
}

impl Cells for Row {
    #[inline(always)]
    fn cell(self, image: &[u8], place: Place) -> Result<Option<Cell>, FailureCode> {
        let bit = place.column as usize + 8; // behind the row kind
        let byte = image.get(self.base + bit / 8).ok_or(FailureCode::MalformedRow)?;
        let cell = Cell { at: self.base + place.slot as usize, base: self.base };
        Ok((byte >> (bit % 8) & 1 == 0).then_some(cell))
    }
}

/// Key and value of a map's entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub key: Option<Cell>,
    pub value: Option<Cell>,
}

impl Cells for Pair {
    #[inline(always)]
    fn cell(self, _image: &[u8], place: Place) -> Result<Option<Cell>, FailureCode> {
        Ok(if place.column == 0 { self.key } else { self.value })
    }
}

/// The one value of a wrapper.
#[derive(Debug, Clone, Copy)]
pub(super) struct One {
    pub cell: Cell,
}

impl Cells for One {
    #[inline(always)]
    fn cell(self, _image: &[u8], _place: Place) -> Result<Option<Cell>, FailureCode> {
        Ok(Some(self.cell))
    }
}

impl Encoding<'_> {
    /// The eight bytes from `at` on.
    #[inline(always)]
    pub fn word(&self, at: usize) -> Result<u64, FailureCode> {
        let bytes = self.image.get(at..).and_then(|bytes| bytes.first_chunk());
        bytes.map(|bytes| u64::from_le_bytes(*bytes)).ok_or(FailureCode::MalformedRow)
    }

    /// The bytes that the offset and length in `cell` name; at most 7 bytes stand in the cell itself.
    #[inline(always)]
    pub fn bytes_of(&self, cell: Cell) -> Result<Span, FailureCode> {
        let word = self.word(cell.at)?;
        if word >> 63 != 0 {
            let len = (word >> 56) as usize & 0x7f;
            return if len < 8 {
                Ok(Span { at: cell.at, len })
            } else {
                Err(FailureCode::MalformedRow)
            };
        }
        self.part_of(cell)
    }

    /// The row, array or map that the offset and length in `cell` name.
    #[inline(always)]
    pub fn part_of(&self, cell: Cell) -> Result<Span, FailureCode> {
        let word = self.word(cell.at)?;
        self.behind(cell, word, word as u32 as usize)
    }

    /// `len` bytes behind all cells, where the upper half of `word`, the word in `cell`, says.
    #[inline(always)]
    pub fn behind(&self, cell: Cell, word: u64, len: usize) -> Result<Span, FailureCode> {
        let span = Span { at: cell.base + (word >> 32) as usize, len };
        let is_in_row = cell.base < self.parts_at;
        let end = if is_in_row { self.parts_at } else { self.image.len() - SLACK };
        if span.at > end || span.len > end - span.at {
            return Err(FailureCode::MalformedRow);
        }
        Ok(span)
    }

    /// Lays the parts of one value out as a row without NULLs.
    pub fn parts<const COUNT: usize>(&mut self, slots: [u64; COUNT]) -> Row {
        let base = self.parts_at;
        self.image[base..base + 8].fill(0);
        for (at, slot) in slots.into_iter().enumerate() {
            self.image[base + 8 + 8 * at..][..8].copy_from_slice(&slot.to_le_bytes());
        }
        Row { base }
    }
}

/// An array in the image, checked: all its elements stand inside.
#[derive(Debug, Clone, Copy)]
pub(super) struct Elements {
    /// Where the array begins.
    pub base: usize,
    /// How many there are.
    pub count: usize,
    first: usize,
    width: usize,
    has_nulls: bool,
}

impl Elements {
    /// The array in `span` with elements of `width` bytes.
    pub fn of(encoding: &Encoding<'_>, span: Span, width: usize) -> Result<Elements, FailureCode> {
        let count = encoding.word(span.at)? as u32 as usize;
        let header = 4 + count.div_ceil(32) * 4;
        // The count is untrusted, but below 2^32, so nothing overflows.
        if span.len < header || count * width > span.len - header {
            return Err(FailureCode::MalformedRow);
        }
        let nulls = &encoding.image[span.at + 4..span.at + header];
        let has_nulls = nulls.iter().any(|byte| *byte != 0);
        Ok(Elements { base: span.at, count, first: span.at + header, width, has_nulls })
    }

    /// The bytes of all elements and the width of one; `None` if some are NULL.
    pub fn bytes<'a>(&self, image: &'a [u8]) -> Option<(&'a [u8], usize)> {
        let end = self.first + self.count * self.width;
        (!self.has_nulls).then(|| (&image[self.first..end], self.width))
    }

    /// The cell of element `at`, which must be below `count`; `None` for NULL.
    #[inline(always)]
    pub fn cell(&self, image: &[u8], at: usize) -> Option<Cell> {
        if self.has_nulls && image[self.base + 4 + at / 8] >> (at % 8) & 1 != 0 {
            return None;
        }
        Some(Cell { at: self.first + at * self.width, base: self.base })
    }
}
