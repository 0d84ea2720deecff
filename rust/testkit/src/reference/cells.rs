//! Value rules of the CONFLUENT profile: a parsed message and a row type give cells.
//!
//! Faults of values are collected, not stopped at; see the module above.

use sluice_plan::proto::{
    FieldKind, ResolvedEnum, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

use super::code;
use super::tree::{Tree, Value};

/// One value as Flink stores it.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// NULL
    Null,
    /// One to eight bytes, little-endian, that fill a slot from its start.
    Fixed(Vec<u8>),
    /// Text or binary.
    Octets(Vec<u8>),
    /// Milliseconds since the epoch and nanoseconds of the millisecond.
    Moment(i64, i32),
    /// ARRAY
    Array(Vec<Cell>),
    /// MAP: keys and values, first-seen order.
    Map(Vec<Cell>, Vec<Cell>),
    /// ROW
    Row(Vec<Cell>),
}

/// The cells of `row`'s columns, and the codes of the faults in them.
pub fn row(schema: &ResolvedSchema, tree: &Tree, row: &SqlType) -> (Vec<Cell>, Vec<i32>) {
    let mut converter = Converter { schema, faults: Vec::new() };
    let cells = converter.columns(schema.root, tree, row);
    (cells, converter.faults)
}

struct Converter<'a> {
    schema: &'a ResolvedSchema,
    faults: Vec<i32>,
}

impl Converter<'_> {
    fn columns(&mut self, message: u32, tree: &Tree, row: &SqlType) -> Vec<Cell> {
        let message = &self.schema.messages[message as usize];
        let mut cells = Vec::new();
        for column in &row.columns {
            let Some(r#type) = &column.r#type else { continue };
            let cell = match named(message, &column.name) {
                Named::Field(field) => self.field(field, tree, r#type),
                Named::Oneof(oneof) => self.oneof(message, oneof, tree, r#type),
                Named::Nothing => Cell::Null, // decision 10
            };
            self.require(&cell, r#type);
            cells.push(cell);
        }
        cells
    }

    /// Decision 19.
    fn require(&mut self, cell: &Cell, r#type: &SqlType) {
        if *cell == Cell::Null && !r#type.nullable {
            self.faults.push(code::NULL_IN_NOT_NULL);
        }
    }

    /// D12: NULL without a member, else a ROW of all members that it asks for.
    fn oneof(&mut self, message: &ResolvedMessage, oneof: u32, tree: &Tree, row: &SqlType) -> Cell {
        let members: Vec<&ResolvedField> =
            message.fields.iter().filter(|field| field.oneof_index == Some(oneof)).collect();
        if members.iter().all(|member| tree.one(member.number).is_none()) {
            return Cell::Null;
        }
        let mut cells = Vec::new();
        for column in &row.columns {
            let Some(r#type) = &column.r#type else { continue };
            let exact = members.iter().find(|member| member.name == column.name);
            let camel = || members.iter().find(|member| member.name == camel(&column.name));
            let cell = match exact.or_else(camel) {
                Some(member) => self.field(member, tree, r#type),
                None => Cell::Null,
            };
            self.require(&cell, r#type);
            cells.push(cell);
        }
        Cell::Row(cells)
    }

    fn field(&mut self, field: &ResolvedField, tree: &Tree, r#type: &SqlType) -> Cell {
        let values = tree.all(field.number);
        match (r#type.kind(), &r#type.element, &r#type.key, &r#type.value) {
            (SqlKind::Array, Some(element), ..) => {
                Cell::Array(values.iter().map(|value| self.value(field, value, element)).collect())
            }
            (SqlKind::Map, _, Some(key), Some(value)) => self.map(field, values, key, value),
            _ => match values.last() {
                Some(value) => self.value(field, value, r#type),
                None if field.has_presence => Cell::Null, // D1
                None => self.value(field, &default(self.schema, field), r#type),
            },
        }
    }

    /// D11 and decision 2: the last of equal keys wins whole, in the place of the first; absent
    /// parts are defaults, in every syntax.
    fn map(
        &mut self, field: &ResolvedField, entries: &[Value], key: &SqlType, value: &SqlType,
    ) -> Cell {
        let entry = &self.schema.messages[field.message_index as usize];
        let [key_field, value_field] = &entry.fields[..] else { unreachable!("a map entry") };
        let mut pairs: Vec<(Value, Value)> = Vec::new();
        for entry in entries {
            let Value::Message(entry) = entry else { unreachable!("entries are messages") };
            let part = |field: &ResolvedField| match entry.one(field.number) {
                Some(value) => value.clone(),
                None => default(self.schema, field),
            };
            let (key, value) = (part(key_field), part(value_field));
            match pairs.iter_mut().find(|pair| pair.0 == key) {
                Some(pair) => pair.1 = value,
                None => pairs.push((key, value)),
            }
        }
        Cell::Map(
            pairs.iter().map(|pair| self.value(key_field, &pair.0, key)).collect(),
            pairs.iter().map(|pair| self.value(value_field, &pair.1, value)).collect(),
        )
    }

    fn value(&mut self, field: &ResolvedField, value: &Value, r#type: &SqlType) -> Cell {
        match (value, r#type.kind()) {
            (Value::Bool(value), SqlKind::Boolean) => Cell::Fixed(vec![u8::from(*value)]),
            (Value::Integer(value), SqlKind::Integer) => {
                Cell::Fixed((*value as i32).to_le_bytes().to_vec())
            }
            (Value::Integer(value), SqlKind::Bigint) => Cell::Fixed(value.to_le_bytes().to_vec()),
            (Value::Float(bits), SqlKind::Float) => Cell::Fixed(bits.to_le_bytes().to_vec()),
            (Value::Double(bits), SqlKind::Double) => Cell::Fixed(bits.to_le_bytes().to_vec()),
            (Value::Text(text), SqlKind::Varchar | SqlKind::Char) => {
                Cell::Octets(text.as_bytes().to_vec())
            }
            (Value::Octets(octets), SqlKind::Varbinary | SqlKind::Binary) => {
                Cell::Octets(octets.clone())
            }
            (Value::Enum(number), SqlKind::Varchar | SqlKind::Char) => {
                let resolved = &self.schema.enums[field.enum_index as usize];
                Cell::Octets(enum_name(resolved, *number).into_bytes())
            }
            (Value::Message(tree), SqlKind::Row) => {
                Cell::Row(self.columns(field.message_index, tree, r#type))
            }
            (Value::Message(tree), SqlKind::Timestamp | SqlKind::TimestampLtz) => {
                self.moment(tree, r#type.precision)
            }
            (value, kind) => unreachable!("{value:?} as {kind:?} is no pair of the mapping"),
        }
    }

    /// D8 and decision 8: range, then the nanos of the second cut to the precision.
    fn moment(&mut self, tree: &Tree, precision: u32) -> Cell {
        let part = |number| match tree.one(number) {
            Some(Value::Integer(value)) => *value,
            _ => 0,
        };
        let (seconds, nanos) = (part(1), part(2));
        let seconds_fit = (-62_135_596_800..=253_402_300_799).contains(&seconds);
        if !seconds_fit || !(0..=999_999_999).contains(&nanos) {
            self.faults.push(code::TIMESTAMP_RANGE);
            return Cell::Moment(0, 0);
        }
        let unit = 10i64.pow(9 - precision);
        let nanos = nanos / unit * unit;
        Cell::Moment(seconds * 1000 + nanos / 1_000_000, (nanos % 1_000_000) as i32)
    }
}

/// What a column stands for.
enum Named<'a> {
    Field(&'a ResolvedField),
    Oneof(u32),
    Nothing,
}

/// D14: the field of that name, the oneof of that name, the field and the oneof of its camel form.
fn named<'a>(message: &'a ResolvedMessage, column: &str) -> Named<'a> {
    for name in [column, &camel(column)] {
        if let Some(field) = message.fields.iter().find(|field| field.name == name) {
            return Named::Field(field);
        }
        if let Some(oneof) = message.oneofs.iter().position(|oneof| oneof == name) {
            return Named::Oneof(oneof as u32);
        }
    }
    Named::Nothing
}

fn camel(column: &str) -> String {
    let mut words = column.split('_');
    let first = words.next().unwrap_or_default().to_lowercase();
    words.fold(first, |mut camel, word| {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|letter| letter.to_ascii_uppercase()));
        camel.push_str(&letters.as_str().to_lowercase());
        camel
    })
}

/// D4: the first name of the number; open enums have a text for numbers that they lack.
fn enum_name(resolved: &ResolvedEnum, number: i32) -> String {
    match resolved.values.iter().find(|value| value.number == number) {
        Some(value) => value.name.clone(),
        None => {
            let name = resolved.full_name.rsplit('.').next().unwrap_or_default();
            format!("UNKNOWN_ENUM_VALUE_{name}_{number}")
        }
    }
}

/// The kind's own default; declared defaults never show (D1).
fn default(schema: &ResolvedSchema, field: &ResolvedField) -> Value {
    use FieldKind::*;
    match field.kind() {
        FieldBool => Value::Bool(false),
        FieldFloat => Value::Float(0),
        FieldDouble => Value::Double(0),
        FieldString => Value::Text(String::new()),
        FieldBytes => Value::Octets(Vec::new()),
        FieldEnum => Value::Enum(schema.enums[field.enum_index as usize].values[0].number),
        FieldMessage | FieldGroup => Value::Message(Tree::default()),
        _ => Value::Integer(0),
    }
}
