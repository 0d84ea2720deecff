//! Damage to wire bytes: what a broken writer, a cut record or an attacker sends.

use super::choices::Choices;
use super::wire;

/// One to three changes to `bytes`.
pub fn mutate(choices: &mut Choices<'_>, bytes: &mut Vec<u8>) {
    for _ in 0..=choices.below(3) {
        mutate_once(choices, bytes);
    }
}

fn mutate_once(choices: &mut Choices<'_>, bytes: &mut Vec<u8>) {
    let at = choices.index(bytes.len() + 1);
    match choices.below(8) {
        0 => bytes.truncate(at),
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << choices.below(8);
            }
        }
        2 => {
            let byte = choices.below(256) as u8;
            bytes.insert(at, byte);
        }
        3 => {
            // A varint of up to eleven bytes, where ten are the most that is allowed.
            let mut long = Vec::new();
            let value = choices.bits();
            let len = choices.pick(&[10, 11, 9, 5, 12]);
            wire::padded_varint(&mut long, value, len);
            bytes.splice(at..at, long);
        }
        4 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = choices.pick(&[0, 0x80, 0xff, 0xed, 0xc0, 0x07, 0x0c, 0x0b]);
            }
        }
        5 => {
            if at < bytes.len() {
                bytes.remove(at);
            }
        }
        6 => {
            let until = at + choices.index(bytes.len() + 1 - at);
            let copy = bytes[at..until].to_vec();
            bytes.splice(at..at, copy);
        }
        _ => {
            // A length or a value with its continuation bits set.
            for byte in bytes.iter_mut().skip(at).take(choices.pick(&[1, 2, 9, 10])) {
                *byte |= 0x80;
            }
        }
    }
}
