//! Columns of text and binary.

use arrow_buffer::MutableBuffer;

use super::Array;
use super::cells::{Cells, octets};
use super::validity::Validity;

/// Longest value that is copied as one block.
const BLOCK: usize = 16;

/// Values one behind the other, and where each ends.
#[derive(Debug)]
pub(super) struct Octets {
    ends: Offsets,
    bytes: MutableBuffer,
}

impl Octets {
    pub fn new() -> Octets {
        Octets { ends: Offsets::new(), bytes: MutableBuffer::new(0) }
    }

    pub fn append(&mut self, nulls: &mut Validity, image: &[u8], cells: impl Cells) {
        self.ends.reserve(cells.count());
        let mut end = self.bytes.len();
        cells.for_each(image, |cell| {
            nulls.push(cell.is_null);
            if !cell.is_null {
                let (at, len) = octets(image, cell);
                self.bytes.resize_for(end + len.max(BLOCK));
                let (from, into) = (&image[at..], &mut self.bytes.as_slice_mut()[end..]);
                match (from.first_chunk::<BLOCK>(), len <= BLOCK) {
                    // What follows the value is overwritten by the next, or cut off.
                    (Some(block), true) => into[..BLOCK].copy_from_slice(block),
                    _ => into[..len].copy_from_slice(&from[..len]),
                }
                end += len;
            }
            self.ends.push(end);
        });
        self.bytes.truncate(end);
    }

    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.bytes.truncate(self.ends.last());
    }

    pub fn take(&mut self, array: Array) -> Array {
        array.add_buffer(self.ends.take()).add_buffer(std::mem::take(&mut self.bytes).into())
    }
}

trait Room {
    /// Makes sure that there are `len` bytes.
    fn resize_for(&mut self, len: usize);
}

impl Room for MutableBuffer {
    #[inline(always)]
    fn resize_for(&mut self, len: usize) {
        if self.len() < len {
            self.extend_zeros((len - self.len()).max(1024));
        }
    }
}

/// Where the values of a column end, as 32-bit offsets.
///
/// A batch has less than 2^31 bytes of images, and each byte and element of the columns comes from one
/// of them, so no offset overflows; the limit is `batch_builder`'s.
#[derive(Debug)]
pub(super) struct Offsets {
    buffer: MutableBuffer,
}

impl Offsets {
    pub fn new() -> Offsets {
        let mut offsets = Offsets { buffer: MutableBuffer::new(0) };
        offsets.buffer.push(0i32);
        offsets
    }

    pub fn reserve(&mut self, count: usize) {
        self.buffer.reserve(4 * count);
    }

    #[inline(always)]
    pub fn push(&mut self, end: usize) {
        self.buffer.push(i32::try_from(end).expect("a batch is smaller than 2^31 bytes"));
    }

    pub fn last(&self) -> usize {
        *self.buffer.typed_data::<i32>().last().expect("begins with 0") as usize
    }

    pub fn truncate(&mut self, len: usize) {
        self.buffer.truncate(4 * (len + 1));
    }

    pub fn take(&mut self) -> arrow_buffer::Buffer {
        std::mem::replace(self, Offsets::new()).buffer.into()
    }
}
