//! Columns of text and binary.

use arrow_buffer::MutableBuffer;
use sluice_wire::{SLACK, Span};

use super::cells::{Cells, octets};
use super::validity::Validity;
use super::{Array, renewed};

/// Longest value that is copied as one block, from images and from the wire.
const BLOCK: usize = 16;
const WIRE_BLOCK: usize = 32;

const _: () = assert!(SLACK >= WIRE_BLOCK);

/// Values one behind the other, and where each ends.
#[derive(Debug)]
pub(super) struct Octets {
    ends: Offsets,
    /// The values, and what blocks have left behind them.
    bytes: MutableBuffer,
    /// Where the values end.
    end: usize,
}

impl Octets {
    pub fn new() -> Octets {
        Octets { ends: Offsets::new(), bytes: MutableBuffer::new(0), end: 0 }
    }

    pub fn append(&mut self, nulls: &mut Validity, image: &[u8], cells: impl Cells) {
        self.ends.reserve(cells.count());
        let mut end = self.end;
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
        self.end = end;
    }

    /// Adds the bytes of `span`, which have slack behind them.
    #[inline(always)]
    pub fn push(&mut self, slab: &[u8], span: Span) {
        let end = self.end;
        self.bytes.resize_for(end + span.len.max(WIRE_BLOCK));
        let (from, into) = (&slab[span.at..], &mut self.bytes.as_slice_mut()[end..]);
        if span.len <= WIRE_BLOCK {
            // What follows the value is overwritten by the next, or cut off.
            let from: &[u8; WIRE_BLOCK] = from.first_chunk().expect("a span has slack behind it");
            into[..WIRE_BLOCK].copy_from_slice(from);
        } else {
            into[..span.len].copy_from_slice(&from[..span.len]);
        }
        self.end = end + span.len;
        self.ends.push(self.end);
    }

    /// Adds a value that is in no record.
    pub fn push_text(&mut self, text: &[u8]) {
        let end = self.end + text.len();
        self.bytes.resize_for(end);
        self.bytes.as_slice_mut()[self.end..end].copy_from_slice(text);
        self.end = end;
        self.ends.push(end);
    }

    /// Whether the last value differs from those from `first` on.
    pub fn ends_with_new(&self, first: usize) -> bool {
        let ends = &self.ends.as_slice()[first..];
        let value = |at: usize| &self.bytes.as_slice()[ends[at] as usize..ends[at + 1] as usize];
        let last = ends.len() - 2;
        (0..last).all(|at| value(at) != value(last))
    }

    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.end = self.ends.last();
    }

    pub fn take(&mut self, array: Array) -> Array {
        self.bytes.truncate(std::mem::take(&mut self.end));
        array.add_buffer(self.ends.take()).add_buffer(renewed(&mut self.bytes).into())
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

    pub fn as_slice(&self) -> &[i32] {
        self.buffer.typed_data()
    }

    pub fn last(&self) -> usize {
        *self.buffer.typed_data::<i32>().last().expect("begins with 0") as usize
    }

    pub fn truncate(&mut self, len: usize) {
        self.buffer.truncate(4 * (len + 1));
    }

    pub fn take(&mut self) -> arrow_buffer::Buffer {
        let taken = renewed(&mut self.buffer);
        self.buffer.push(0i32);
        taken.into()
    }
}
