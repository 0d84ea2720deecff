//! The usual values of a row, each with a step of its own: what a writer of rows looks at first.

use super::{EncodeOp, EncodeValue, OnNull, WrittenNumber};

/// What to write for one column of a row. One cache line; has the index of its [`EncodeOp`].
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct RowOp {
    /// As in `StoredTag`.
    pub tag: u64,
    /// As in `StoredTag`.
    pub tag_len: u8,
    /// What to do.
    pub step: RowStep,
    /// As in `EncodeOp`.
    pub keep_default: bool,
    /// The column's bit in the byte `null_byte` of the row: set for NULL, which is not written.
    pub null_bit: u8,
    /// See `null_bit`.
    pub null_byte: u32,
    /// Offset of the slot in the row.
    pub slot: u32,
    /// Index of an enum (`EnumName`).
    pub detail: u32,
}

const _: () = assert!(std::mem::size_of::<RowOp>() == 64);

/// The usual values have steps of their own, all else is `Other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowStep {
    /// `WrittenNumber::Int32`.
    Int32,
    /// `WrittenNumber::Int64`.
    Int64,
    /// `WrittenNumber::UInt32`.
    UInt32,
    /// `WrittenNumber::SInt32`.
    SInt32,
    /// `WrittenNumber::SInt64`.
    SInt64,
    /// `WrittenNumber::Bool`.
    Bool,
    /// `WrittenNumber::Fixed32`.
    Fixed32,
    /// `WrittenNumber::Fixed64`.
    Fixed64,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// The number of an enum's name.
    EnumName,
    /// What the [`EncodeOp`] says.
    Other,
}

impl RowStep {
    /// The step of one value, whatever a NULL does.
    pub fn of(value: EncodeValue) -> RowStep {
        match value {
            EncodeValue::Number(WrittenNumber::Int32) => RowStep::Int32,
            EncodeValue::Number(WrittenNumber::Int64) => RowStep::Int64,
            EncodeValue::Number(WrittenNumber::UInt32) => RowStep::UInt32,
            EncodeValue::Number(WrittenNumber::SInt32) => RowStep::SInt32,
            EncodeValue::Number(WrittenNumber::SInt64) => RowStep::SInt64,
            EncodeValue::Number(WrittenNumber::Bool) => RowStep::Bool,
            EncodeValue::Number(WrittenNumber::Fixed32) => RowStep::Fixed32,
            EncodeValue::Number(WrittenNumber::Fixed64) => RowStep::Fixed64,
            EncodeValue::Text => RowStep::Text,
            EncodeValue::Bytes => RowStep::Bytes,
            EncodeValue::EnumName { .. } => RowStep::EnumName,
            _ => RowStep::Other,
        }
    }
}

impl RowOp {
    /// For a message whose row has a fixed part of `fixed_len` bytes, in which everything lies that
    /// the operations name.
    pub(crate) fn all(ops: &[EncodeOp], fixed_len: usize) -> Vec<RowOp> {
        let row_ops: Vec<RowOp> = ops.iter().map(RowOp::of).collect();
        let is_inside =
            |op: &RowOp| op.slot as usize + 8 <= fixed_len && (op.null_byte as usize) < fixed_len;
        assert!(ops.is_empty() || row_ops.iter().all(is_inside));
        row_ops
    }

    fn of(op: &EncodeOp) -> RowOp {
        let is_usual = op.choice == 0 && op.null == OnNull::Unset;
        let step = if is_usual { RowStep::of(op.value) } else { RowStep::Other };
        let bit = op.place.column + 8; // behind the row kind
        // What is `Other` may stand elsewhere: in the ROW of a oneof.
        let (null_byte, slot) =
            if step == RowStep::Other { (0, 0) } else { (bit / 8, op.place.slot) };
        RowOp {
            tag: op.tag.word,
            tag_len: op.tag.len,
            step,
            keep_default: op.keep_default,
            null_bit: 1 << (bit % 8),
            null_byte,
            slot,
            detail: match op.value {
                EncodeValue::EnumName { names } => names,
                _ => 0,
            },
        }
    }
}
