//! Append program -> scatter program, where there is one.
//!
//! None for messages with a oneof, with another form of field than the plain ones, or with few fields:
//! those can be guessed.

use crate::enum_names::EnumNames;
use crate::padded_text::PaddedText;
use crate::program::{
    Absent, AppendOp, AppendProgram, AppendStep, Emit, MessageProgram, ScatterColumn, ScatterEmit,
    ScatterForm, ScatterOp, ScatterProgram, VarColumn,
};

/// Fields that a message has at least; of fewer, the next one can be guessed.
const FIELDS_MIN: usize = 16;
/// Tags of two bytes end here, and a table of this size is still small.
const TAGS_MAX: usize = 1 << 12;

pub(super) fn scatter(
    message: &MessageProgram, append: &AppendProgram, enums: &[EnumNames],
) -> Option<ScatterProgram> {
    let fields = message.ops.len() - 1; // without the sentinel
    if fields < FIELDS_MIN || message.ops.iter().any(|op| op.oneof != 0) {
        return None;
    }
    let last_tag = message.ops[..fields].iter().map(|op| op.tag.0 as usize).max()?;
    if last_tag + 1 >= TAGS_MAX {
        return None;
    }
    let mut ops = vec![UNKNOWN];
    let mut by_tag = vec![0; last_tag + 2];
    for (field, op) in message.ops.iter().zip(&append.ops).take(fields) {
        by_tag[field.tag.0 as usize] = u16::try_from(ops.len()).ok()?;
        ops.push(scatter_op(op)?);
    }
    let columns: Option<Box<[ScatterColumn]>> =
        message.columns.iter().map(|column| scatter_column(append, column, enums)).collect();
    let columns = columns?;
    let defaults = columns.iter().filter_map(|column| column.default.as_ref());
    let room = defaults.map(PaddedText::padded_len).sum();
    let scatter = ScatterProgram { by_tag: by_tag.into(), ops: ops.into(), columns, room };
    assert!(scatter.is_sound(append));
    Some(scatter)
}

fn scatter_column(
    append: &AppendProgram, column: &VarColumn, enums: &[EnumNames],
) -> Option<ScatterColumn> {
    let &VarColumn { slot, bit, .. } = column;
    let emit = match column.emit {
        Emit::EnumName { names } => ScatterEmit::EnumName(names),
        _ if is_text(append, slot) => ScatterEmit::Text,
        _ => ScatterEmit::Octets,
    };
    let absent = append.template[slot as usize..].first_chunk().expect("slots are 8 bytes");
    let absent = u64::from_le_bytes(*absent);
    let bit = bit.mask;
    if append.gaps & bit == 0 {
        return Some(ScatterColumn { slot, bit, emit, absent, default: None });
    }
    let default = match (&column.absent, emit) {
        (Absent::Text(bytes), _) => PaddedText::new(bytes),
        (Absent::Raw, ScatterEmit::EnumName(names)) => {
            PaddedText::new(enums[names as usize].find(absent as u32 as i32)?)
        }
        _ => return None,
    };
    Some(ScatterColumn { slot, bit, emit, absent: 0, default: Some(default) })
}

const UNKNOWN: ScatterOp =
    ScatterOp { bit: 0, once: 0, keep: 0, slot: 0, form: ScatterForm::Varint, is_checked: false };

fn is_text(append: &AppendProgram, slot: u32) -> bool {
    append.ops.iter().any(|op| op.step == AppendStep::Text && op.slot == slot)
}

fn scatter_op(op: &AppendOp) -> Option<ScatterOp> {
    let (form, keep) = match op.step {
        AppendStep::Int32 | AppendStep::EnumName => (ScatterForm::Varint, u64::from(u32::MAX)),
        AppendStep::Int64 => (ScatterForm::Varint, u64::MAX),
        AppendStep::SInt32 => (ScatterForm::ZigZag, u64::from(u32::MAX)),
        AppendStep::SInt64 => (ScatterForm::ZigZag, u64::MAX),
        AppendStep::Bool => (ScatterForm::Bool, u64::MAX),
        AppendStep::Fixed32 => (ScatterForm::Fixed, u64::from(u32::MAX)),
        AppendStep::Fixed64 => (ScatterForm::Fixed, u64::MAX),
        AppendStep::Text | AppendStep::Octets => (ScatterForm::View, 0),
        AppendStep::SkipVarint
        | AppendStep::SkipFixed32
        | AppendStep::SkipFixed64
        | AppendStep::SkipLength => return Some(ScatterOp { bit: op.bit, ..UNKNOWN }),
        AppendStep::CheckText => {
            return Some(ScatterOp { bit: op.bit, is_checked: true, ..UNKNOWN });
        }
        AppendStep::Row
        | AppendStep::Rows
        | AppendStep::Numbers
        | AppendStep::Texts
        | AppendStep::TextMap
        | AppendStep::Single
        | AppendStep::Other
        | AppendStep::Sentinel => return None,
    };
    let once = if op.step == AppendStep::Text { op.bit } else { 0 };
    Some(ScatterOp { bit: op.bit, once, keep, slot: op.slot, form, is_checked: false })
}
