//! Random resolved schemas: what linked .proto files of any syntax can turn into.
//!
//! Every message has one style, as if its file were proto2, proto3 or an edition with a feature
//! per field; see [`Style`]. Field numbers sit where the tag grows by a byte. The rules that
//! protoc enforces hold: only an enum that begins with 0 is open, an implicit field has no
//! declared default, map entries are `key = 1, value = 2`, groups don't occur in proto3.

use sluice_plan::proto::{
    DefaultValue, FieldKind, ResolvedEnum, ResolvedEnumValue, ResolvedField, ResolvedMessage,
    ResolvedSchema, default_value,
};

use super::choices::Choices;
use super::well_known;

const NUMBERS: [u32; 10] = [1, 2, 15, 16, 3, 2047, 2048, 7, 18_999, 536_870_911];

const SCALARS: [FieldKind; 15] = [
    FieldKind::FieldInt32,
    FieldKind::FieldString,
    FieldKind::FieldInt64,
    FieldKind::FieldBool,
    FieldKind::FieldDouble,
    FieldKind::FieldBytes,
    FieldKind::FieldUint32,
    FieldKind::FieldUint64,
    FieldKind::FieldSint32,
    FieldKind::FieldSint64,
    FieldKind::FieldFixed32,
    FieldKind::FieldFixed64,
    FieldKind::FieldSfixed32,
    FieldKind::FieldSfixed64,
    FieldKind::FieldFloat,
];

const MAP_KEYS: [FieldKind; 6] = [
    FieldKind::FieldString,
    FieldKind::FieldInt32,
    FieldKind::FieldBool,
    FieldKind::FieldUint64,
    FieldKind::FieldSint64,
    FieldKind::FieldFixed32,
];

/// Which language the file of a message is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Implicit presence, open enums, strict UTF-8, packed.
    Proto3,
    /// Presence everywhere, required, closed enums, lenient UTF-8, groups, defaults.
    Proto2,
    /// Any of the above, per field.
    Edition,
}

/// A schema with one to four messages, at most two enums, maps and perhaps a timestamp.
pub fn schema(choices: &mut Choices<'_>) -> ResolvedSchema {
    let count = 1 + choices.index(4);
    let enums = (0..choices.index(3)).map(|at| resolved_enum(choices, at)).collect();
    let messages = (0..count)
        .map(|at| ResolvedMessage { full_name: message_name(at), ..Default::default() })
        .collect();
    let root = choices.below(count as u32);
    let mut schema = ResolvedSchema { version: 1, root, messages, enums, origin: None };
    schema.messages.extend(well_known::messages(choices));
    let targets = schema.messages.len();
    for at in 0..count {
        fill(choices, &mut schema, at, targets);
    }
    schema
}

fn message_name(at: usize) -> String {
    match at {
        3 => "Bare".to_owned(),
        2 => "pkg.Outer.Inner".to_owned(),
        at => format!("pkg.M{at}"),
    }
}

pub(super) fn resolved_enum(choices: &mut Choices<'_>, at: usize) -> ResolvedEnum {
    let first = choices.pick(&[0, 0, 5, -3]);
    let numbers = [first, 1, 2, -1, i32::MAX, i32::MIN, 1, 130];
    let count = 1 + choices.index(numbers.len());
    let values = numbers[..count].iter().enumerate().map(|(place, &number)| ResolvedEnumValue {
        name: if choices.once_in(2) { format!("LONG_NAME_{place}") } else { format!("V{place}") },
        number,
    });
    ResolvedEnum { full_name: format!("pkg.E{at}"), values: values.collect() }
}

/// True where an open field may use the enum: proto3 wants 0 first.
fn may_be_open(schema: &ResolvedSchema, index: u32) -> bool {
    schema.enums[index as usize].values[0].number == 0
}

fn fill(choices: &mut Choices<'_>, schema: &mut ResolvedSchema, at: usize, targets: usize) {
    let style = choices.pick(&[Style::Proto3, Style::Proto2, Style::Edition]);
    // More columns than one word has null bits, now and then.
    let count = if choices.once_in(24) { 66 } else { choices.index(9) };
    let mut used = Vec::new();
    let mut fields: Vec<ResolvedField> = Vec::new();
    for place in 0..count {
        let number = number(choices, &mut used);
        let mut field = field(choices, schema, targets, style, at);
        field.number = number;
        field.name = match choices.below(3) {
            0 => format!("f{place}"),
            1 => format!("snake_case_{place}"),
            _ => format!("camelCase{place}"),
        };
        fields.push(field);
    }
    let oneofs = oneofs(choices, &mut fields);
    schema.messages[at].oneofs = oneofs;
    schema.messages[at].fields = fields;
}

/// A number that `used` does not hold: an edge, or the next after the greatest small one.
fn number(choices: &mut Choices<'_>, used: &mut Vec<u32>) -> u32 {
    let wanted = choices.pick(&NUMBERS);
    let mut number = wanted;
    while used.contains(&number) {
        number = if number >= 18_999 { 4 } else { number + 1 };
    }
    used.push(number);
    number
}

fn field(
    choices: &mut Choices<'_>, schema: &mut ResolvedSchema, targets: usize, style: Style, at: usize,
) -> ResolvedField {
    let mut field = ResolvedField::default();
    let kind = match choices.below(10) {
        0..=3 => choices.pick(&SCALARS),
        4 if !schema.enums.is_empty() => FieldKind::FieldEnum,
        5 | 6 => FieldKind::FieldMessage,
        7 => return map_field(choices, schema, targets, style, at),
        8 => return wrapper_field(choices, schema, targets, style, at),
        9 => return entry_field(choices, schema, targets, style, at),
        _ => FieldKind::FieldString,
    };
    field.repeated = choices.once_in(3);
    set_kind(choices, schema, targets, style, kind, &mut field);
    let message = kind == FieldKind::FieldMessage;
    let closed = field.closed_enum;
    field.has_presence = !field.repeated
        && match style {
            Style::Proto2 => true,
            // proto3 `optional`; an implicit closed enum is refused by protoc.
            Style::Proto3 => message || choices.once_in(3),
            Style::Edition => message || closed || choices.mostly(3),
        };
    field.required =
        field.has_presence && style != Style::Proto3 && !field.repeated && choices.once_in(10);
    let packable = !message && kind != FieldKind::FieldString && kind != FieldKind::FieldBytes;
    field.packed = field.repeated
        && packable
        && match style {
            Style::Proto3 => true,
            _ => choices.once_in(2),
        };
    if message && style != Style::Proto3 && choices.once_in(3) {
        field.kind = FieldKind::FieldGroup as i32;
    }
    if field.has_presence && style != Style::Proto3 && choices.once_in(4) {
        field.default_value = declared_default(kind);
    }
    field
}

/// A number, a text, bytes, or the first enum; once, and in no oneof.
pub(super) fn plain_field(choices: &mut Choices<'_>, schema: &ResolvedSchema) -> ResolvedField {
    let style = choices.pick(&[Style::Proto3, Style::Proto3, Style::Proto3, Style::Edition]);
    let kind = if choices.once_in(12) { FieldKind::FieldEnum } else { choices.pick(&SCALARS) };
    let mut field = ResolvedField::default();
    set_kind(choices, schema, 1, style, kind, &mut field);
    field.has_presence = field.closed_enum || choices.once_in(3);
    field.required = field.has_presence && choices.once_in(40);
    if field.has_presence && choices.once_in(3) {
        field.default_value = match kind {
            FieldKind::FieldString if choices.once_in(2) => {
                Some(text_default(&"declared ".repeat(9)))
            }
            _ => declared_default(kind),
        };
    }
    field
}

fn set_kind(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, targets: usize, style: Style,
    kind: FieldKind, field: &mut ResolvedField,
) {
    field.kind = kind as i32;
    match kind {
        FieldKind::FieldString => {
            field.strict_utf8 = match style {
                Style::Proto3 => true,
                Style::Proto2 => false,
                Style::Edition => choices.mostly(2),
            }
        }
        FieldKind::FieldEnum => {
            field.enum_index = choices.below(schema.enums.len() as u32);
            let open = may_be_open(schema, field.enum_index);
            field.closed_enum = match style {
                Style::Proto2 => true,
                Style::Proto3 => !open,
                Style::Edition => !open || choices.once_in(2),
            };
        }
        FieldKind::FieldMessage => field.message_index = choices.below(targets as u32),
        _ => {}
    }
}

fn map_field(
    choices: &mut Choices<'_>, schema: &mut ResolvedSchema, targets: usize, style: Style, at: usize,
) -> ResolvedField {
    let explicit = style != Style::Proto3;
    let mut key = ResolvedField { name: "key".to_owned(), number: 1, ..Default::default() };
    key.kind = choices.pick(&MAP_KEYS) as i32;
    // Decision 5: map keys and values are strict whatever the file says.
    key.strict_utf8 = key.kind() == FieldKind::FieldString;
    key.has_presence = explicit;
    let mut value = ResolvedField { name: "value".to_owned(), number: 2, ..Default::default() };
    let kind = match choices.below(4) {
        0 | 1 => choices.pick(&SCALARS),
        2 if !schema.enums.is_empty() => FieldKind::FieldEnum,
        _ => FieldKind::FieldMessage,
    };
    set_kind(choices, schema, targets, style, kind, &mut value);
    value.strict_utf8 = kind == FieldKind::FieldString;
    value.has_presence = explicit || kind == FieldKind::FieldMessage;
    let entry = schema.messages.len();
    schema.messages.push(ResolvedMessage {
        full_name: format!("{}.Entry{entry}", message_name(at)),
        fields: vec![key, value],
        oneofs: Vec::new(),
        map_entry: true,
    });
    ResolvedField {
        kind: FieldKind::FieldMessage as i32,
        repeated: true,
        message_index: entry as u32,
        ..Default::default()
    }
}

/// A field whose type is a generated wrapper (T10): one message or any number, around one value.
fn wrapper_field(
    choices: &mut Choices<'_>, schema: &mut ResolvedSchema, targets: usize, style: Style, at: usize,
) -> ResolvedField {
    let payload = field(choices, schema, targets, style, at);
    let value = ResolvedField { name: "value".to_owned(), number: 1, ..payload };
    let wrapper = nested(schema, at, "Wrapper", vec![value]);
    let repeated = choices.once_in(2);
    ResolvedField {
        kind: FieldKind::FieldMessage as i32,
        repeated,
        has_presence: !repeated,
        message_index: wrapper,
        parameters: [("flink.wrapped".to_owned(), "true".to_owned())].into(),
        ..Default::default()
    }
}

/// A repeated message that looks like a map's entry (T8): key and value of any kind, or oneofs (T14).
fn entry_field(
    choices: &mut Choices<'_>, schema: &mut ResolvedSchema, targets: usize, style: Style, at: usize,
) -> ResolvedField {
    let mut fields = Vec::new();
    let mut oneofs = Vec::new();
    for part in ["key", "value"] {
        let is_oneof = choices.once_in(3);
        let count = if is_oneof { 1 + choices.index(3) } else { 1 };
        for nth in 0..count {
            let mut field = field(choices, schema, targets, style, at);
            if is_oneof {
                if field.repeated || field.required {
                    field = ResolvedField::default();
                    set_kind(choices, schema, targets, style, FieldKind::FieldString, &mut field);
                }
                field.oneof_index = Some(oneofs.len() as u32);
                field.has_presence = true;
            }
            field.name = if is_oneof { format!("{part}{nth}") } else { part.to_owned() };
            field.number = fields.len() as u32 + 1;
            fields.push(field);
        }
        if is_oneof {
            oneofs.push(part.to_owned());
        }
    }
    let entry = nested(schema, at, "Like", fields);
    schema.messages[entry as usize].oneofs = oneofs;
    ResolvedField {
        kind: FieldKind::FieldMessage as i32,
        repeated: true,
        message_index: entry,
        ..Default::default()
    }
}

/// Adds a message inside another; its index.
fn nested(schema: &mut ResolvedSchema, at: usize, name: &str, fields: Vec<ResolvedField>) -> u32 {
    let index = schema.messages.len();
    let full_name = format!("{}.{name}{index}", message_name(at));
    schema.messages.push(ResolvedMessage { full_name, fields, ..Default::default() });
    index as u32
}

/// Defaults that a decoder must not show: CONFLUENT gives NULL instead (D1).
fn declared_default(kind: FieldKind) -> Option<DefaultValue> {
    use default_value::Value;
    let value = match kind {
        FieldKind::FieldString => return Some(text_default("declared")),
        FieldKind::FieldBytes => Value::Octets(b"declared".to_vec()),
        FieldKind::FieldDouble => Value::Float64(1.5),
        FieldKind::FieldFloat => Value::Float32(1.5),
        FieldKind::FieldBool => Value::Integer(1),
        FieldKind::FieldMessage | FieldKind::FieldEnum => return None,
        _ => Value::Integer(7),
    };
    Some(DefaultValue { value: Some(value) })
}

fn text_default(text: &str) -> DefaultValue {
    DefaultValue { value: Some(default_value::Value::Text(text.to_owned())) }
}

/// Puts some singular fields into at most two oneofs, never with one member only by accident.
fn oneofs(choices: &mut Choices<'_>, fields: &mut [ResolvedField]) -> Vec<String> {
    let count = choices.below(3);
    for field in fields.iter_mut().filter(|field| !field.repeated && !field.required) {
        let wanted = choices.below(4);
        if wanted >= 1 && wanted <= count {
            field.oneof_index = Some(wanted - 1);
            field.has_presence = true;
        }
    }
    let name = |at| {
        if choices.once_in(3) { format!("camelCase10{at}") } else { format!("choice{at}") }
    };
    (0..count).map(name).collect()
}
