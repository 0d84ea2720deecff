//! Row program -> append program, where there is one.
//!
//! None for messages whose columns stand in another order than their fields, that have more than 64
//! presence bits, or where something waits for the end of the message: unselected messages with
//! required fields, oneofs that are one ROW or that revive their members.

use super::scatter;
use crate::enum_names::EnumNames;
use crate::program::{
    Absent, AppendOp, AppendProgram, AppendStep, ArrayProgram, Element, Emit, FieldOp, MapProgram,
    MessageProgram, NO_COLUMN, Number, Step, VarColumn,
};

/// Longest text that stands in its slot.
const INLINE_MAX: usize = 7;

/// What columns refer to.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    pub enums: &'a [EnumNames],
    pub arrays: &'a [ArrayProgram],
    pub maps: &'a [MapProgram],
}

/// All messages, with their append programs.
pub(super) fn add(messages: Vec<Option<MessageProgram>>, parts: Parts<'_>) -> Vec<MessageProgram> {
    let mut messages: Vec<MessageProgram> =
        messages.into_iter().map(|message| message.expect("all are built")).collect();
    for message in &mut messages {
        message.append = append(message, parts);
    }
    messages
}

fn append(message: &MessageProgram, parts: Parts<'_>) -> Option<AppendProgram> {
    let enums = parts.enums;
    let is_row = message.fixed_len >= 8 && message.fixed_len == message.template.len();
    let ends_with_last_field = message.tracked.is_empty()
        && message.moves.is_empty()
        && !message.oneofs.iter().any(|oneof| oneof.revives);
    if !is_row || message.is_wide || !ends_with_last_field || !is_ordered(message) {
        return None;
    }
    let mut template = message.template.clone();
    let mut gaps = 0;
    let mut room = 0;
    for column in &message.columns {
        let slot = column.slot as usize..column.slot as usize + 8;
        let raw = u64::from_le_bytes(template[slot.clone()].try_into().expect("8 bytes"));
        match absent_slot(column, raw, enums) {
            Some(value) => template[slot].copy_from_slice(&value.to_le_bytes()),
            None => gaps |= column.bit.mask,
        }
        room += 8;
        if let Emit::EnumName { names } = column.emit {
            room += enums[names as usize].padded_max();
        }
    }
    let needed = message.required[0] | message.not_null[0];
    let gaps = gaps & !needed; // those are refused, not written
    let mut ops: Vec<AppendOp> =
        message.ops.iter().map(|op| append_op(message, op, gaps, parts)).collect();
    ops.push(ops.last().expect("a sentinel").clone());
    if ops.iter().any(|op| op.gaps & !op.marks != 0) {
        return None; // a bit that should be set and should not
    }
    let fixed_len = template.len();
    template.resize(fixed_len.next_multiple_of(AppendProgram::BLOCK), 0);
    let null_if_absent = message.null_if_absent[0];
    let scatter = None;
    let mut append =
        AppendProgram { ops, template, fixed_len, null_if_absent, needed, gaps, room, scatter };
    assert!(append.is_sound(message));
    append.scatter = scatter::scatter(message, &append, enums);
    Some(append)
}

/// Whether the columns of the variable part stand in the order of their fields.
fn is_ordered(message: &MessageProgram) -> bool {
    let mut last = 0;
    let declared = message.ops.iter().take_while(|op| {
        // Other forms of a field stand behind the declared ones of all.
        let grows = op.tag.number() > last;
        last = op.tag.number();
        grows
    });
    declared.filter_map(|op| column_of(message, op)).is_sorted()
}

fn column_of(message: &MessageProgram, op: &FieldOp) -> Option<usize> {
    if op.bit.mask == 0 {
        return None;
    }
    message.columns.iter().position(|column| column.bit == op.bit)
}

/// The slot of a column that is absent; `None` if it has something in the variable part, or none.
fn absent_slot(column: &VarColumn, raw: u64, enums: &[EnumNames]) -> Option<u64> {
    match (&column.absent, column.emit) {
        (Absent::Null, _) => Some(0),
        (Absent::Text(bytes), _) => inline(bytes),
        (Absent::Raw, Emit::Bytes | Emit::LenientText) if raw == 0 => inline(&[]),
        (Absent::Raw, Emit::EnumName { names }) => {
            inline(enums[names as usize].find(raw as u32 as i32)?)
        }
        _ => None,
    }
}

fn inline(bytes: &[u8]) -> Option<u64> {
    let len = bytes.len();
    if len > INLINE_MAX {
        return None;
    }
    let mut word = [0; 8];
    word[..len].copy_from_slice(bytes);
    word[INLINE_MAX] = 0x80 | len as u8;
    Some(u64::from_le_bytes(word))
}

fn append_op(message: &MessageProgram, op: &FieldOp, gaps: u64, parts: Parts<'_>) -> AppendOp {
    let column = column_of(message, op);
    let mut bars = match op.oneof {
        0 => 0,
        oneof => {
            let bits = &message.oneofs[oneof as usize - 1].bits;
            bits.iter().fold(0, |mask, bit| mask | bit.mask) & !op.bit.mask
        }
    };
    let mut before = 0;
    if let Some(column) = column {
        let masks = |columns: &[VarColumn]| columns.iter().fold(0, |all, one| all | one.bit.mask);
        bars |= masks(&message.columns[column..]);
        before = masks(&message.columns[..column]);
    }
    let (step, detail) = append_step(op, column.map(|at| &message.columns[at]), parts);
    let detail = match (step, column) {
        (AppendStep::Other | AppendStep::Single | AppendStep::TextMap, Some(column)) => {
            column as u32
        }
        (AppendStep::Other, None) => NO_COLUMN,
        _ => detail,
    };
    AppendOp {
        tag_bytes: op.tag_bytes,
        tag_mask: op.tag_mask,
        tag_len: op.tag_len,
        step,
        bit: op.bit.mask,
        marks: bars ^ (gaps & before),
        gaps: gaps & before,
        slot: op.slot,
        detail,
    }
}

fn append_step(op: &FieldOp, column: Option<&VarColumn>, parts: Parts<'_>) -> (AppendStep, u32) {
    let step = match (op.step, column.map(|column| column.emit)) {
        (Step::Sentinel, _) => AppendStep::Sentinel,
        // A member that no column asks for still stands in the way of its siblings.
        (_, None) if op.oneof != 0 && op.slot == 0 => AppendStep::Other,
        (Step::Int32, None) => AppendStep::Int32,
        (Step::Int64, None) => AppendStep::Int64,
        (Step::SInt32, None) => AppendStep::SInt32,
        (Step::SInt64, None) => AppendStep::SInt64,
        (Step::Bool, None) => AppendStep::Bool,
        (Step::Fixed32, None) => AppendStep::Fixed32,
        (Step::Fixed64, None) => AppendStep::Fixed64,
        (Step::StrictView, Some(Emit::Bytes)) => AppendStep::Text,
        // Valid text needs no repair, and what is not valid goes the long way.
        (Step::View, Some(Emit::LenientText)) => AppendStep::Text,
        (Step::View, Some(Emit::Bytes)) => AppendStep::Octets,
        // Of a closed enum, a number without a name is no value: a case for the long way.
        (Step::Int32 | Step::ClosedEnum, Some(Emit::EnumName { names })) => {
            return (AppendStep::EnumName, names);
        }
        (Step::Piece, Some(Emit::Row { message })) => return (AppendStep::Row, message),
        (Step::Piece | Step::StrictPiece, Some(Emit::Array { array })) => {
            return array_step(op.step, array, parts);
        }
        (Step::Piece, Some(Emit::Map { map })) if parts.maps[map as usize].is_text => {
            return (AppendStep::TextMap, 0);
        }
        (Step::Piece, Some(_)) if !op.repeated => AppendStep::Single,
        (Step::SkipVarint, _) => AppendStep::SkipVarint,
        (Step::SkipFixed32, _) => AppendStep::SkipFixed32,
        (Step::SkipFixed64, _) => AppendStep::SkipFixed64,
        (Step::SkipLength, _) => AppendStep::SkipLength,
        (Step::CheckText, _) => AppendStep::CheckText,
        _ => AppendStep::Other,
    };
    (step, 0)
}

fn array_step(step: Step, at: u32, parts: Parts<'_>) -> (AppendStep, u32) {
    let array = &parts.arrays[at as usize];
    match (step, array.element, array.width) {
        (_, Element::Piece(Emit::Row { message }), _) => (AppendStep::Rows, message),
        (_, Element::Number(Number::Int64 | Number::SInt64), 8)
        | (_, Element::Number(Number::Int32 | Number::SInt32), 4) => (AppendStep::Numbers, at),
        (Step::StrictPiece, Element::Piece(Emit::Bytes), _)
        | (_, Element::Piece(Emit::LenientText), _) => (AppendStep::Texts, 0),
        _ => (AppendStep::Other, 0),
    }
}
