//! Scatter programs: the way through a message of which few of many fields are set.
//!
//! An append program goes from the field that is there to the one expected next. Where that guess
//! goes wrong most times, each field is found by its tag instead, and what is done with it does not
//! branch: numbers go to their slots, texts leave a view there, all by the same instructions. The
//! variable part is written once all fields are known.
//!
//! Only messages of plain fields have one: numbers, texts, bytes, enums, and what is skipped.

use sluice_wire::Tag;

use super::AppendProgram;
use crate::padded_text::PaddedText;

/// Part of an append program, whose template and masks it shares.
#[derive(Debug)]
pub struct ScatterProgram {
    /// Index into `ops` by tag; the last one stands for all tags behind.
    pub by_tag: Box<[u16]>,
    /// The first one is that of unknown fields.
    pub ops: Box<[ScatterOp]>,
    /// What is written to the variable part, in column order.
    pub columns: Box<[ScatterColumn]>,
    /// Bytes that the defaults take, beside the room of the append program.
    pub room: usize,
}

/// What to do with one field. Half a cache line.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub struct ScatterOp {
    /// The presence bit; 0 for fields that nobody waits for.
    pub bit: u64,
    /// Bits that must not be set before: the field's own, if each value has to be looked at and only
    /// the last one will be.
    pub once: u64,
    /// Bits of the number that count.
    pub keep: u64,
    /// Offset of the slot; 0, which is the header, for fields that are not kept.
    pub slot: u32,
    /// What the slot holds.
    pub form: ScatterForm,
    /// Bytes that are not kept must be valid UTF-8.
    pub is_checked: bool,
}

const _: () = assert!(std::mem::size_of::<ScatterOp>() == 32);

/// What a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ScatterForm {
    /// Bits of a varint.
    Varint,
    /// The same, zigzag.
    ZigZag,
    /// Whether a varint is not 0.
    Bool,
    /// Bytes of fixed length.
    Fixed,
    /// Offset and length of bytes in the record.
    View,
}

/// A column that is gathered from its slot.
#[derive(Debug)]
pub struct ScatterColumn {
    /// Offset of the slot.
    pub slot: u32,
    /// The presence bit.
    pub bit: u64,
    /// What the slot becomes.
    pub emit: ScatterEmit,
    /// The slot of an absent value; 0 where there is a default.
    pub absent: u64,
    /// What an absent value is, if it does not fit the slot.
    pub default: Option<PaddedText>,
}

/// How a slot becomes that of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScatterEmit {
    /// Viewed bytes that must be valid UTF-8.
    Text,
    /// Viewed bytes.
    Octets,
    /// The name of a number, by the enum of this index.
    EnumName(u32),
}

impl ScatterProgram {
    /// The operation of a tag.
    #[inline(always)]
    pub fn op(&self, tag: Tag) -> &ScatterOp {
        let last = self.by_tag.len() - 1;
        let index = self.by_tag[(tag.0 as usize).min(last)];
        &self.ops[usize::from(index)]
    }

    /// Whether every slot lies in the fixed part: what the decoder relies on without looking.
    pub fn is_sound(&self, append: &AppendProgram) -> bool {
        let slots = self.ops.iter().map(|op| op.slot);
        slots
            .chain(self.columns.iter().map(|column| column.slot))
            .all(|slot| slot as usize + 8 <= append.fixed_len)
            && self.by_tag.iter().all(|op| usize::from(*op) < self.ops.len())
            && self.by_tag.last() == Some(&0)
    }
}
