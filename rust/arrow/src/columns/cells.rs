//! Where the values of one column stand in a run of row images.
//!
//! ```text
//! RowCells      the same slot of many rows: of the table, or of the rows in a struct column
//! ElementCells  the elements of many arrays, one behind the other
//! ```
//! A row that is not there (its parent is NULL) has the base [`ABSENT`]; its cells are NULL, which is
//! no fault even where the column is NOT NULL.

/// The base of a row that is not there.
pub(crate) const ABSENT: u32 = u32::MAX;

/// The place of one value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    /// Where its bytes begin.
    pub at: usize,
    /// Where the row or array begins that offsets in the cell are counted from.
    pub base: usize,
    /// There is no value.
    pub is_null: bool,
}

impl Cell {
    /// Whether the row itself is not there.
    #[inline(always)]
    pub fn is_absent(self) -> bool {
        self.base == ABSENT as usize
    }
}

/// A run of cells.
pub(crate) trait Cells: Copy {
    /// How many there are.
    fn count(self) -> usize;

    /// Calls `take` on each, in order.
    fn for_each(self, image: &[u8], take: impl FnMut(Cell));
}

/// One column of many rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowCells<'a> {
    /// Where the rows begin.
    pub bases: &'a [u32],
    /// Index of the column.
    pub column: usize,
    /// Offset of the column's slot.
    pub slot: usize,
}

impl Cells for RowCells<'_> {
    fn count(self) -> usize {
        self.bases.len()
    }

    #[inline(always)]
    fn for_each(self, image: &[u8], mut take: impl FnMut(Cell)) {
        let bit = self.column + 8; // behind the row kind
        let (byte, mask) = (bit / 8, 1u8 << (bit % 8));
        for &base in self.bases {
            let base = base as usize;
            if base == ABSENT as usize {
                take(Cell { at: 0, base, is_null: true });
                continue;
            }
            let is_null = image[base + byte] & mask != 0;
            take(Cell { at: base + self.slot, base, is_null });
        }
    }
}

/// An array in the images.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArrayAt {
    /// Where it begins.
    pub base: u32,
    /// Its number of elements.
    pub count: u32,
}

impl ArrayAt {
    /// The array that begins at `base`.
    pub fn read(image: &[u8], base: usize) -> ArrayAt {
        ArrayAt { base: base as u32, count: word32(image, base) }
    }
}

/// The elements of many arrays.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ElementCells<'a> {
    /// The arrays.
    pub arrays: &'a [ArrayAt],
    /// Sum of their elements.
    pub count: usize,
    /// Bytes of an element.
    pub width: usize,
}

impl Cells for ElementCells<'_> {
    fn count(self) -> usize {
        self.count
    }

    #[inline(always)]
    fn for_each(self, image: &[u8], mut take: impl FnMut(Cell)) {
        for array in self.arrays {
            let (base, count) = (array.base as usize, array.count as usize);
            let first = base + 4 + count.div_ceil(32) * 4;
            for at in 0..count {
                let is_null = image[base + 4 + at / 8] >> (at % 8) & 1 != 0;
                take(Cell { at: first + at * self.width, base, is_null });
            }
        }
    }
}

/// The four bytes at `at`.
#[inline(always)]
pub(crate) fn word32(image: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes(image, at))
}

/// The eight bytes at `at`.
#[inline(always)]
pub(crate) fn word(image: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes(image, at))
}

/// The `N` bytes at `at`.
#[inline(always)]
pub(crate) fn bytes<const N: usize>(image: &[u8], at: usize) -> [u8; N] {
    *image[at..].first_chunk().expect("rows end with their last value")
}

/// Where the part begins that the offset in `cell` names, and its length.
#[inline(always)]
pub(crate) fn part(image: &[u8], cell: Cell) -> (usize, usize) {
    let word = word(image, cell.at);
    (cell.base + (word >> 32) as usize, word as u32 as usize)
}

/// The string or binary in `cell`, as place and length: up to 7 bytes stand in the cell itself.
#[inline(always)]
pub(crate) fn octets(image: &[u8], cell: Cell) -> (usize, usize) {
    let word = word(image, cell.at);
    if word >> 63 != 0 {
        return (cell.at, (word >> 56) as usize & 0x7f);
    }
    (cell.base + (word >> 32) as usize, word as u32 as usize)
}
