//! The usual values of a row, each with a step of its own: what a writer of rows looks at first.

use super::{Choice, EncodeOp, EncodeValue, OnNull, WrittenNumber};

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
    /// The column's bit in the byte `null_byte` of the row: set for NULL, which is not written. 0 if a
    /// NULL is written or refused, or the value stands elsewhere.
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
    pub(crate) fn all(ops: &[EncodeOp], choices: &[Choice], fixed_len: usize) -> Vec<RowOp> {
        let in_oneof_rows: Vec<u32> = choices.iter().flat_map(Choice::in_rows).collect();
        let row_op = |(at, op)| RowOp::of(op, !in_oneof_rows.contains(&(at as u32)));
        let row_ops: Vec<RowOp> = ops.iter().enumerate().map(row_op).collect();
        let is_inside =
            |op: &RowOp| op.slot as usize + 8 <= fixed_len && (op.null_byte as usize) < fixed_len;
        assert!(ops.is_empty() || row_ops.iter().all(is_inside));
        row_ops
    }

    /// `in_row`: the value stands in the row itself, not in the ROW of a oneof.
    fn of(op: &EncodeOp, in_row: bool) -> RowOp {
        let step = if op.choice == 0 { RowStep::of(op.value) } else { RowStep::Other };
        let is_passed = in_row && op.null == OnNull::Unset;
        let bit = op.place.column + 8; // behind the row kind
        RowOp {
            tag: op.tag.word,
            tag_len: op.tag.len,
            step: if is_passed { step } else { RowStep::Other },
            keep_default: op.keep_default,
            null_bit: if is_passed { 1 << (bit % 8) } else { 0 },
            null_byte: if in_row { bit / 8 } else { 0 },
            slot: if in_row { op.place.slot } else { 0 },
            detail: match op.value {
                EncodeValue::EnumName { names } => names,
                _ => 0,
            },
        }
    }
}
