//! Append programs: the way through a message whose fields come in column order.
//!
//! Writers usually send fields by number, each once, and tables usually name columns in that order.
//! Then the variable part can be written while the message is read, and nothing needs to be
//! remembered. Operations have the numbers that they have in `MessageProgram::ops`, so that one tag
//! table serves both.
//!
//! Whatever does not go this way makes the whole record go the other one (`scan`, `gather`), faults
//! included: so an append program knows no error but "not so".

use super::{MessageProgram, ScatterProgram};

/// How a row is appended; part of a row program whose columns stand in the order of their fields.
#[derive(Debug)]
pub struct AppendProgram {
    /// One for each of `MessageProgram::ops`, and one more that no tag matches.
    pub ops: Vec<AppendOp>,
    /// Header and slots of a row without any field, final but for the null bits and `gaps`; zeros
    /// behind them up to a multiple of `BLOCK`.
    pub template: Vec<u8>,
    /// Bytes of header and slots.
    pub fixed_len: usize,
    /// Bits whose absence makes the column NULL.
    pub null_if_absent: u64,
    /// Bits that must be set at the end.
    pub needed: u64,
    /// Bits of columns that put something into the variable part when they are absent.
    pub gaps: u64,
    /// Bytes that the strings and names of one message may take, beside their own lengths.
    pub room: usize,
    /// The way for fields that cannot be guessed, if there is one.
    pub scatter: Option<ScatterProgram>,
}

/// What to do with one field. One cache line.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct AppendOp {
    /// As in `FieldOp`.
    pub tag_bytes: u32,
    /// As in `FieldOp`.
    pub tag_mask: u32,
    /// As in `FieldOp`.
    pub tag_len: u8,
    /// What to do.
    pub step: AppendStep,
    /// The bit that is set; 0 for fields that nobody waits for.
    pub bit: u64,
    /// Bits to look at before the value is written: `gaps` and bars. If a bar is set, the field comes
    /// out of order, again, or beside another member of its oneof.
    pub marks: u64,
    /// Those of `marks` that should be set: unless all are, absent columns must be written first.
    pub gaps: u64,
    /// Offset of the slot.
    pub slot: u32,
    /// Index of an enum (`EnumName`), of a message (`Row`, `Rows`), an array (`Numbers`), or of the
    /// column (`Single`, `TextMap`, and `Other` unless `NO_COLUMN`).
    pub detail: u32,
}

const _: () = assert!(std::mem::size_of::<AppendOp>() == 64);

/// `AppendOp::detail` of a field without a column.
pub const NO_COLUMN: u32 = u32::MAX;

/// The usual values have steps of their own, all else is `Other`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendStep {
    /// `Number::Int32` to the slot.
    Int32,
    /// `Number::Int64` to the slot.
    Int64,
    /// `Number::SInt32` to the slot.
    SInt32,
    /// `Number::SInt64` to the slot.
    SInt64,
    /// `Number::Bool` to the slot.
    Bool,
    /// 4 bytes to the slot.
    Fixed32,
    /// 8 bytes to the slot.
    Fixed64,
    /// Valid UTF-8.
    Text,
    /// Any bytes.
    Octets,
    /// The name of a number.
    EnumName,
    /// Discards a varint.
    SkipVarint,
    /// Discards 4 bytes.
    SkipFixed32,
    /// Discards 8 bytes.
    SkipFixed64,
    /// Discards length-delimited bytes.
    SkipLength,
    /// Discards valid UTF-8.
    CheckText,
    /// A message as a nested row.
    Row,
    /// Messages that follow each other, as an array of rows.
    Rows,
    /// A packed run of varints, as an array.
    Numbers,
    /// Texts that follow each other, as an array.
    Texts,
    /// Entries of a map of texts that follow each other.
    TextMap,
    /// Another value that is made of one message.
    Single,
    /// What `MessageProgram::ops` says.
    Other,
    /// Never reached.
    Sentinel,
}

impl AppendProgram {
    /// Bytes of the template that are copied at a time.
    pub const BLOCK: usize = 64;

    /// Whether every slot lies in the fixed part and every operation has one behind it: what the
    /// decoder relies on without looking.
    pub fn is_sound(&self, message: &MessageProgram) -> bool {
        let slots = self.fixed_len;
        self.template.len() == slots.next_multiple_of(AppendProgram::BLOCK)
            && self.ops.len() == message.ops.len() + 1
            && slots >= 8
            && self.ops.iter().all(|op| op.slot as usize + 8 <= slots)
            && self.ops[message.ops.len() - 1..]
                .iter()
                .all(|op| op.step == AppendStep::Sentinel && op.tag_mask == 0 && op.tag_bytes != 0)
    }
}
