//! Random wire bytes of a schema's message.
//!
//! A message is made as pieces, one occurrence of one field each, which are then shuffled: so
//! fields come in any order, repeated fields interleave, singular messages arrive in parts,
//! scalars and oneof members come twice, packed and unpacked runs mix, unknown fields and groups
//! stand between. Nearly all of it is valid; strict strings with bad UTF-8, missing required
//! fields, values out of range and too much depth are rare on purpose.

use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema};

use super::choices::Choices;
use super::well_known;
use super::wire::{self, END, I32, I64, LEN, START, VARINT};

/// Messages inside messages of a random message; deeper ones are made by [`deep`].
const DEPTH_MAX: u32 = 3;

/// Bytes that are no UTF-8, each another kind of wrong, and some that only look so.
const ODD_TEXT: [&[u8]; 16] = [
    b"\xff",
    b"\x80",
    b"\xc0\x80",
    b"\xc3\x28",
    b"\xe0\x80\x41",
    b"\xed\xa0\x80",
    b"\xed\xa0",
    b"\xed\xa0\x41",
    b"\xed\xa0\xc2\x80",
    b"\xed\xbf\xbf\xed\xa0\x80\x80",
    b"\xf0\x80\x80",
    b"\xf0\x90\x80\x41",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b"\xf0\x9f\x98",
    b"\xf8\x88\x80\x80\x80",
];

const GOOD_TEXT: [&str; 12] = [
    "",
    "a",
    "seven77",
    "eight888",
    "nul\0",
    "é",
    "日本語",
    "😀",
    "😀8",
    "\u{fffd}",
    "\u{d7ff}",
    "nine 9999",
];

/// Wire bytes of one root message.
pub fn message(choices: &mut Choices<'_>, schema: &ResolvedSchema) -> Vec<u8> {
    let body = body(choices, schema, schema.root, 0);
    if choices.once_in(40) { deep(choices, schema, body) } else { body }
}

fn body(choices: &mut Choices<'_>, schema: &ResolvedSchema, message: u32, depth: u32) -> Vec<u8> {
    let message = &schema.messages[message as usize];
    let mut pieces = Vec::new();
    for field in &message.fields {
        occurrences(choices, schema, message, field, depth, &mut pieces);
    }
    while choices.once_in(6) {
        pieces.push(unknown(choices, message, 0));
    }
    if choices.once_in(3) {
        choices.shuffle(&mut pieces);
    }
    pieces.concat()
}

/// All pieces of one field: mostly none or one of a singular field, a few of a repeated one.
fn occurrences(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, message: &ResolvedMessage,
    field: &ResolvedField, depth: u32, pieces: &mut Vec<Vec<u8>>,
) {
    let nested = matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
    let count = match (field.required, field.repeated) {
        (true, _) => u32::from(choices.mostly(30)) + u32::from(choices.once_in(10)),
        (_, true) if nested && depth > 0 => choices.pick(&[0, 0, 1, 2]),
        (_, true) => choices.pick(&[0, 1, 2, 3, 0, 5, 9]),
        (_, false) if field.oneof_index.is_some() => choices.pick(&[0, 0, 1, 0, 2]),
        (_, false) => choices.pick(&[0, 1, 1, 1, 2]),
    };
    if nested && depth >= DEPTH_MAX && !field.required {
        return;
    }
    let mut left = if nested && depth >= DEPTH_MAX { 0 } else { count };
    while left > 0 {
        let mut piece = Vec::new();
        if choices.once_in(60) && !choices.is_portable() {
            mistyped(choices, field, &mut piece);
            left -= 1;
        } else if field.repeated && is_packable(field.kind()) && choices.once_in(2) {
            let run = 1 + choices.below(left);
            let mut packed = Vec::new();
            (0..run).for_each(|_| scalar(choices, schema, field, &mut packed));
            wire::delimited(choices, &mut piece, field.number, &packed);
            left -= run;
        } else {
            occurrence(choices, schema, message, field, depth, &mut piece);
            left -= 1;
        }
        pieces.push(piece);
    }
    if field.repeated && is_packable(field.kind()) && choices.once_in(20) {
        let mut empty = Vec::new();
        wire::delimited(choices, &mut empty, field.number, &[]);
        pieces.push(empty);
    }
}

fn is_packable(kind: FieldKind) -> bool {
    !matches!(
        kind,
        FieldKind::FieldString
            | FieldKind::FieldBytes
            | FieldKind::FieldMessage
            | FieldKind::FieldGroup
    )
}

/// The wire type of one unpacked value.
pub fn wire_type(kind: FieldKind) -> u32 {
    use FieldKind::*;
    match kind {
        FieldDouble | FieldFixed64 | FieldSfixed64 => I64,
        FieldFloat | FieldFixed32 | FieldSfixed32 => I32,
        FieldString | FieldBytes | FieldMessage => LEN,
        FieldGroup => START,
        _ => VARINT,
    }
}

fn occurrence(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, message: &ResolvedMessage,
    field: &ResolvedField, depth: u32, out: &mut Vec<u8>,
) {
    match field.kind() {
        FieldKind::FieldMessage | FieldKind::FieldGroup => {
            let target = field.message_index;
            let inner = match well_known::body(choices, &schema.messages[target as usize]) {
                Some(inner) => inner,
                None => body(choices, schema, target, depth + 1),
            };
            if field.kind() == FieldKind::FieldMessage {
                wire::delimited(choices, out, field.number, &inner);
            } else {
                wire::group(choices, out, field.number, &inner);
            }
        }
        FieldKind::FieldString => {
            let text = text(choices, field.strict_utf8 || message.map_entry);
            wire::delimited(choices, out, field.number, &text);
        }
        FieldKind::FieldBytes => {
            let octets = octets(choices);
            wire::delimited(choices, out, field.number, &octets);
        }
        kind => {
            wire::tag(choices, out, field.number, wire_type(kind));
            scalar(choices, schema, field, out);
        }
    }
}

fn scalar(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, out: &mut Vec<u8>,
) {
    use FieldKind::*;
    let bits = choices.bits();
    match field.kind() {
        FieldDouble | FieldFixed64 | FieldSfixed64 => out.extend(bits.to_le_bytes()),
        FieldFloat | FieldFixed32 | FieldSfixed32 => out.extend((bits as u32).to_le_bytes()),
        FieldBool => {
            let value = if choices.mostly(8) { bits & 1 } else { bits };
            wire::loose_varint(choices, out, value);
        }
        FieldEnum => {
            let values = &schema.enums[field.enum_index as usize].values;
            let known = values[choices.index(values.len())].number as i64 as u64;
            let value = match choices.below(8) {
                6 => known & 0xffff_ffff,
                7 => bits,
                _ => known,
            };
            wire::loose_varint(choices, out, value);
        }
        FieldInt32 => {
            // Sign-extended as writers do; raw now and then, which is wider than the field.
            let value = if choices.mostly(8) { bits as i32 as i64 as u64 } else { bits };
            wire::loose_varint(choices, out, value);
        }
        FieldUint32 | FieldSint32 => {
            let value = if choices.mostly(8) { bits & 0xffff_ffff } else { bits };
            wire::loose_varint(choices, out, value);
        }
        _ => wire::loose_varint(choices, out, bits),
    }
}

fn text(choices: &mut Choices<'_>, strict: bool) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..=choices.below(2) {
        text.extend(choices.pick(&GOOD_TEXT).as_bytes());
    }
    if choices.once_in(if strict { 200 } else { 2 }) {
        let at = (0..=text.len()).filter(|&at| std::str::from_utf8(&text[..at]).is_ok()).count();
        let at = choices.index(at);
        text.splice(at..at, choices.pick(&ODD_TEXT).iter().copied());
    }
    if choices.once_in(20) {
        text.resize(text.len() + 300, b'x');
    }
    text
}

fn octets(choices: &mut Choices<'_>) -> Vec<u8> {
    let len = choices.pick(&[0usize, 1, 7, 8, 9, 16, 130]);
    (0..len).map(|at| (at as u32 * 37 + choices.below(3)) as u8).collect()
}

/// A field of the schema under a wire type that it does not have: readers treat it as unknown.
fn mistyped(choices: &mut Choices<'_>, field: &ResolvedField, out: &mut Vec<u8>) {
    let right = wire_type(field.kind());
    let wrong = choices.pick(&[VARINT, I64, LEN, START, I32]);
    if wrong != right && !(wrong == LEN && field.repeated) {
        untyped(choices, field.number, wrong, 0, out);
    }
}

/// A field that the message does not declare.
fn unknown(choices: &mut Choices<'_>, message: &ResolvedMessage, depth: u32) -> Vec<u8> {
    let mut number = choices.pick(&[5, 14, 17, 100, 2049, 536_870_910]);
    while message.fields.iter().any(|field| field.number == number) {
        number += 1;
    }
    let number = number.min(536_870_911);
    let mut out = Vec::new();
    let wire_type = choices.pick(&[VARINT, LEN, I64, I32, START]);
    untyped(choices, number, wire_type, depth, &mut out);
    out
}

fn untyped(choices: &mut Choices<'_>, number: u32, wire_type: u32, depth: u32, out: &mut Vec<u8>) {
    let bits = choices.bits();
    if wire_type == START {
        let mut inner = Vec::new();
        if depth < 4 {
            for _ in 0..choices.below(3) {
                // Inside an unknown group every number is unknown.
                inner.extend(unknown(choices, &ResolvedMessage::default(), depth + 1));
            }
        }
        return wire::group(choices, out, number, &inner);
    }
    if wire_type == LEN {
        let octets = octets(choices);
        return wire::delimited(choices, out, number, &octets);
    }
    wire::tag(choices, out, number, wire_type);
    match wire_type {
        VARINT => wire::loose_varint(choices, out, bits),
        I64 => out.extend(bits.to_le_bytes()),
        _ => out.extend((bits as u32).to_le_bytes()),
    }
}

/// Wraps `body` to the edge of the depth limit: through a field of the root that holds the root
/// again, or through unknown groups.
fn deep(choices: &mut Choices<'_>, schema: &ResolvedSchema, body: Vec<u8>) -> Vec<u8> {
    let edges = if choices.is_portable() { [60, 80, 70, 50, 40] } else { [100, 99, 101, 98, 120] };
    let levels = choices.pick(&edges);
    let root = &schema.messages[schema.root as usize];
    let itself = root.fields.iter().find(|field| {
        field.message_index == schema.root
            && matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup)
    });
    let Some(field) = itself else {
        let mut out = Vec::new();
        (0..levels).for_each(|_| wire::varint(&mut out, (500 << 3) | START as u64));
        (0..levels).for_each(|_| wire::varint(&mut out, (500 << 3) | END as u64));
        return [body, out].concat();
    };
    let mut inner = body;
    for _ in 0..levels {
        let mut out = Vec::new();
        if field.kind() == FieldKind::FieldMessage {
            wire::delimited(choices, &mut out, field.number, &inner);
        } else {
            wire::group(choices, &mut out, field.number, &inner);
        }
        inner = out;
    }
    inner
}
