//! Writes wire format the long way, with the liberties that the format allows: padded varints,
//! padded tags, values wider than their field.

use super::choices::Choices;

/// Wire types by their numbers on the wire.
pub const VARINT: u32 = 0;
/// Eight bytes.
pub const I64: u32 = 1;
/// A length and as many bytes.
pub const LEN: u32 = 2;
/// Start of a group.
pub const START: u32 = 3;
/// End of a group.
pub const END: u32 = 4;
/// Four bytes.
pub const I32: u32 = 5;

/// `value` in as few bytes as it needs.
pub fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// `value` in exactly `len` bytes, zero groups in front of the end.
pub fn padded_varint(out: &mut Vec<u8>, value: u64, len: usize) {
    for at in 0..len {
        let group = if at < 10 { (value >> (7 * at).min(63)) as u8 & 0x7f } else { 0 };
        let group = if at == 9 { (value >> 63) as u8 } else { group };
        out.push(if at + 1 < len { group | 0x80 } else { group });
    }
}

/// A varint that is now and then longer than it has to be, up to ten bytes; a portable one up to
/// nine, as implementations do not agree about a tenth byte of 0.
pub fn loose_varint(choices: &mut Choices<'_>, out: &mut Vec<u8>, value: u64) {
    let mut plain = Vec::new();
    varint(&mut plain, value);
    if choices.mostly(30) {
        out.extend(plain);
    } else {
        let longest = if choices.is_portable() { 9 } else { 10 };
        let len = plain.len() + choices.index((longest + 1_usize).saturating_sub(plain.len()));
        padded_varint(out, value, len);
    }
}

/// A tag; protobuf-java keeps its low 32 bits, so the bits above may hold anything.
pub fn tag(choices: &mut Choices<'_>, out: &mut Vec<u8>, number: u32, wire_type: u32) {
    let tag = ((number as u64) << 3) | wire_type as u64;
    if choices.mostly(60) {
        varint(out, tag);
    } else {
        let highs: &[u64] =
            if choices.is_portable() { &[0] } else { &[0, 1 << 32, 0xffff_ffff << 32] };
        let high = choices.pick(highs);
        loose_varint(choices, out, tag | high);
    }
}

/// A tag, a length and `body`.
pub fn delimited(choices: &mut Choices<'_>, out: &mut Vec<u8>, number: u32, body: &[u8]) {
    tag(choices, out, number, LEN);
    loose_varint(choices, out, body.len() as u64);
    out.extend_from_slice(body);
}

/// `body` between the two tags of a group.
pub fn group(choices: &mut Choices<'_>, out: &mut Vec<u8>, number: u32, body: &[u8]) {
    tag(choices, out, number, START);
    out.extend_from_slice(body);
    tag(choices, out, number, END);
}
