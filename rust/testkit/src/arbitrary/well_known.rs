//! Messages that mean one value: their declarations, and wire bytes at the edges of their ranges.

use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedMessage};

use super::choices::Choices;
use super::wire::{self, VARINT};

/// Full name that makes a message a timestamp.
pub const TIMESTAMP: &str = "google.protobuf.Timestamp";
/// Full name that makes a message a date.
pub const DATE: &str = "google.type.Date";
/// Full name that makes a message a time of day.
pub const TIME_OF_DAY: &str = "google.type.TimeOfDay";
/// Full name that makes a message a decimal.
pub const DECIMAL: &str = "confluent.type.Decimal";

const WRAPPERS: [(&str, FieldKind); 9] = [
    ("google.protobuf.Int32Value", FieldKind::FieldInt32),
    ("google.protobuf.StringValue", FieldKind::FieldString),
    ("google.protobuf.UInt64Value", FieldKind::FieldUint64),
    ("google.protobuf.BytesValue", FieldKind::FieldBytes),
    ("google.protobuf.FloatValue", FieldKind::FieldFloat),
    ("google.protobuf.DoubleValue", FieldKind::FieldDouble),
    ("google.protobuf.Int64Value", FieldKind::FieldInt64),
    ("google.protobuf.UInt32Value", FieldKind::FieldUint32),
    ("google.protobuf.BoolValue", FieldKind::FieldBool),
];

/// Whether a message of this name is one of the nine wrappers.
pub fn is_wrapper(full_name: &str) -> bool {
    WRAPPERS.iter().any(|(name, _)| *name == full_name)
}

fn message(full_name: &str, fields: &[(&str, FieldKind)]) -> ResolvedMessage {
    let fields = fields.iter().zip(1..).map(|((name, kind), number)| ResolvedField {
        name: (*name).to_owned(),
        number,
        kind: *kind as i32,
        strict_utf8: *kind == FieldKind::FieldString,
        ..Default::default()
    });
    ResolvedMessage {
        full_name: full_name.to_owned(),
        fields: fields.collect(),
        ..Default::default()
    }
}

/// `google.protobuf.Timestamp` as the registry's built-in file declares it.
pub fn timestamp() -> ResolvedMessage {
    message(TIMESTAMP, &[("seconds", FieldKind::FieldInt64), ("nanos", FieldKind::FieldInt32)])
}

/// Some of the messages that mean one value.
pub fn messages(choices: &mut Choices<'_>) -> Vec<ResolvedMessage> {
    use FieldKind::{FieldBytes, FieldInt32, FieldUint32};
    let mut messages = Vec::new();
    if choices.mostly(2) {
        messages.push(timestamp());
    }
    if choices.once_in(3) {
        let fields = ["year", "month", "day"].map(|name| (name, FieldInt32));
        messages.push(message(DATE, &fields));
    }
    if choices.once_in(3) {
        let fields = ["hours", "minutes", "seconds", "nanos"].map(|name| (name, FieldInt32));
        messages.push(message(TIME_OF_DAY, &fields));
    }
    if choices.once_in(2) {
        // Decision 6: the two published layouts.
        let newer = [("value", FieldBytes), ("precision", FieldUint32), ("scale", FieldInt32)];
        let older = [("value", FieldBytes), ("scale", FieldInt32)];
        let fields: &[_] = if choices.mostly(4) { &newer } else { &older };
        messages.push(message(DECIMAL, fields));
    }
    while choices.once_in(2) && messages.len() < 6 {
        let (name, kind) = choices.pick(&WRAPPERS);
        if messages.iter().all(|message| message.full_name != name) {
            messages.push(message(name, &[("value", kind)]));
        }
    }
    messages
}

/// Wire bytes of a message that means one value; `None` if any bytes will do. Rarely wrong ones.
pub fn body(choices: &mut Choices<'_>, message: &ResolvedMessage) -> Option<Vec<u8>> {
    Some(match message.full_name.as_str() {
        TIMESTAMP => timestamp_body(choices),
        DATE => date_body(choices),
        TIME_OF_DAY => time_body(choices),
        DECIMAL => decimal_body(choices, message),
        _ => return None,
    })
}

/// Fields 1, 2, 3 ... Zeros are left out as writers do, or not.
fn numbers(choices: &mut Choices<'_>, numbers: &[i64]) -> Vec<u8> {
    let mut out = Vec::new();
    for (value, number) in numbers.iter().zip(1..) {
        if *value != 0 || choices.once_in(2) {
            wire::tag(choices, &mut out, number, VARINT);
            wire::loose_varint(choices, &mut out, *value as u64);
        }
    }
    out
}

fn timestamp_body(choices: &mut Choices<'_>) -> Vec<u8> {
    const SECONDS: [i64; 8] =
        [0, 1, -1, 1_700_000_000, -62_135_596_800, 253_402_300_799, -62_135_596_801, i64::MAX];
    const NANOS: [i64; 10] =
        [0, 1, 999_999_999, 123_456_789, 999_999, 1_000_000, 5, 500, 1_000_000_000, -1];
    let rare = choices.once_in(20);
    let seconds = SECONDS[choices.index(if rare { 8 } else { 6 })];
    let nanos = NANOS[choices.index(if rare { 10 } else { 8 })];
    numbers(choices, &[seconds, nanos])
}

fn date_body(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut year = choices.pick(&[1970, 2000, 2024, 1, 9999, 1900, 1582, 4, 100, 400]);
    let mut month = 1 + i64::from(choices.below(12));
    let mut day = 1 + i64::from(choices.below(28));
    if choices.once_in(8) {
        day = choices.pick(&[29, 30, 31]); // there may be no such day
    }
    if choices.once_in(12) {
        year = choices.pick(&[0, 10_000, -1]);
        month = choices.pick(&[0, 1, 13]);
        day = choices.pick(&[0, 1, 32]);
    }
    numbers(choices, &[year, month, day])
}

fn time_body(choices: &mut Choices<'_>) -> Vec<u8> {
    let mut parts = [
        i64::from(choices.below(24)),
        i64::from(choices.below(60)),
        i64::from(choices.below(60)),
        choices.pick(&[0, 1_000_000, 999_999_999, 123_456_789, 999_999]),
    ];
    if choices.once_in(12) {
        parts[choices.index(4)] = choices.pick(&[-1, 24, 60, 1_000_000_000]);
    }
    numbers(choices, &parts)
}

/// Value, scale and precision of a decimal.
type Number = (Vec<u8>, i32, i64);

/// Any bytes, often with sign bytes in front.
fn random_number(choices: &mut Choices<'_>) -> Number {
    let len = if choices.once_in(12) {
        choices.pick(&[0, 1024, 1025, 300])
    } else {
        choices.pick(&[1, 1, 2, 3, 4, 8, 9, 15, 16, 17, 18, 20, 33])
    };
    let mut value: Vec<u8> = (0..len).map(|_| choices.bits() as u8).collect();
    let padding = choices.pick(&[0, 0, 0, 1, 3]);
    for byte in value.iter_mut().take(padding) {
        *byte = choices.pick(&[0x00, 0xff, 0x80]);
    }
    let digits = len * 24 / 10;
    let scale = match choices.below(6) {
        0 => 0,
        1 | 2 => choices.below(12) as i32 - 3,
        3 | 4 => digits - choices.below(12) as i32, // few digits before the point
        _ => choices.pick(&[i32::MAX, i32::MIN, 39, -39, 77, 2466]),
    };
    (value, scale, choices.pick(&[0, 0, 0, 1, 3, 18, 38, 39, 60, 0x8000_0000]))
}

/// A few digits, a 5 or nearly so, and zeros: what rounding must decide.
fn tie(choices: &mut Choices<'_>) -> Number {
    let first = choices.pick(&[0, 1, 12, 449, 999, 12_345, 999_999_999]);
    let zeros = choices.pick(&[0, 1, 5, 17, 30, 40]);
    let mut magnitude = vec![0u8; 40]; // the last one first
    let mut add = |times: u32, summand: u32| {
        let mut carry = summand;
        for byte in &mut magnitude {
            let value = u32::from(*byte) * times + carry;
            *byte = value as u8;
            carry = value >> 8;
        }
    };
    add(1, first);
    add(10, choices.pick(&[5, 5, 4]));
    (0..zeros).for_each(|_| add(10, 0));
    if choices.once_in(3) {
        // Negative: the complement and one more.
        let mut carry = true;
        for byte in &mut magnitude {
            (*byte, carry) = (!*byte).overflowing_add(u8::from(carry));
        }
    }
    let sign = *magnitude.last().expect("40 bytes");
    let needed = magnitude.iter().rposition(|byte| *byte != sign).map_or(0, |at| at + 1);
    magnitude.truncate((needed + 1).max(choices.index(40)));
    magnitude.reverse();
    let digits = i64::from(first.checked_ilog10().map_or(0, |power| power + 1));
    let scale = zeros + 1 + choices.below(8) as i32;
    (magnitude, scale, choices.pick(&[0, digits, digits + 1]))
}

fn decimal_body(choices: &mut Choices<'_>, message: &ResolvedMessage) -> Vec<u8> {
    let (value, scale, precision) =
        if choices.once_in(2) { tie(choices) } else { random_number(choices) };
    let mut out = Vec::new();
    let number = |name: &str| {
        let found = message.fields.iter().find(|field| field.name == name);
        found.map(|field| field.number)
    };
    if !value.is_empty() || choices.once_in(2) {
        wire::delimited(choices, &mut out, 1, &value);
    }
    for (name, value) in [("scale", i64::from(scale)), ("precision", precision)] {
        if let Some(number) = number(name)
            && (value != 0 || choices.once_in(3))
        {
            wire::tag(choices, &mut out, number, VARINT);
            wire::loose_varint(choices, &mut out, value as u64);
        }
    }
    out
}
