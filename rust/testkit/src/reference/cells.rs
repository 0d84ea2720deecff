//! Value rules of the CONFLUENT profile: a parsed message and a row type give cells.
//!
//! Faults of values are collected, not stopped at; see the module above.

use sluice_plan::proto::{
    FieldKind, ResolvedEnum, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

use super::tree::{Tree, Value};
use super::{binary_row, code, well_known};

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
    /// The unscaled number of a DECIMAL.
    Decimal(i128),
    /// ARRAY
    Array(Vec<Cell>),
    /// MAP or MULTISET: keys and values, first-seen order.
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
            let cell = match named(message, &column.name, None) {
                Named::Field(at) => self.field(&message.fields[at], tree, r#type),
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
        let mut members = message.fields.iter().filter(|field| field.oneof_index == Some(oneof));
        if members.all(|member| tree.one(member.number).is_none()) {
            return Cell::Null;
        }
        let mut cells = Vec::new();
        for column in &row.columns {
            let Some(r#type) = &column.r#type else { continue };
            let cell = match named(message, &column.name, Some(oneof)) {
                Named::Field(at) => self.field(&message.fields[at], tree, r#type),
                _ => Cell::Null,
            };
            self.require(&cell, r#type);
            cells.push(cell);
        }
        Cell::Row(cells)
    }

    fn field(&mut self, field: &ResolvedField, tree: &Tree, r#type: &SqlType) -> Cell {
        let values = tree.all(field.number);
        match (r#type.kind(), &r#type.element, &r#type.key, &r#type.value) {
            (SqlKind::Array, Some(element), ..) if field.repeated => Cell::Array(
                values.iter().map(|value| self.element(field, value, element)).collect(),
            ),
            (SqlKind::Map, _, Some(key), Some(value)) if field.repeated => {
                self.map(field, values, key, value)
            }
            (SqlKind::Multiset, Some(element), ..) if field.repeated => {
                self.map(field, values, element, &count())
            }
            _ => match values.last() {
                Some(value) => self.value(field, value, r#type),
                None if field.has_presence => Cell::Null, // D1
                None => self.value(field, &default(self.schema, field), r#type),
            },
        }
    }

    fn element(&mut self, field: &ResolvedField, value: &Value, r#type: &SqlType) -> Cell {
        let cell = self.value(field, value, r#type);
        self.require(&cell, r#type);
        cell
    }

    /// D11 and decision 2: the last of equal keys wins whole, in the place of the first. Absent parts
    /// of native entries are defaults, in every syntax. Keys are equal if their bytes are.
    fn map(
        &mut self, field: &ResolvedField, entries: &[Value], key: &SqlType, value: &SqlType,
    ) -> Cell {
        let entry = &self.schema.messages[field.message_index as usize];
        let mut kept: Vec<(Vec<u8>, Cell, &Tree)> = Vec::new();
        for tree in entries {
            let Value::Message(tree) = tree else { unreachable!("entries are messages") };
            let cell = self.part(entry, "key", tree, key);
            let bytes = binary_row::array(std::slice::from_ref(&cell), key);
            match kept.iter_mut().find(|kept| kept.0 == bytes) {
                Some(kept) => kept.2 = tree,
                None => kept.push((bytes, cell, tree)),
            }
        }
        let values = kept.iter().map(|kept| self.part(entry, "value", kept.2, value)).collect();
        Cell::Map(kept.into_iter().map(|kept| kept.1).collect(), values)
    }

    /// The key or value of an entry; each is a field or a oneof (T14).
    fn part(&mut self, entry: &ResolvedMessage, name: &str, tree: &Tree, r#type: &SqlType) -> Cell {
        let cell = match named(entry, name, None) {
            Named::Field(at) => {
                let field = &entry.fields[at];
                if entry.map_entry && tree.one(field.number).is_none() {
                    self.value(field, &default(self.schema, field), r#type)
                } else {
                    self.field(field, tree, r#type)
                }
            }
            Named::Oneof(oneof) => self.oneof(entry, oneof, tree, r#type),
            Named::Nothing => unreachable!("an entry has a key and a value"),
        };
        self.require(&cell, r#type);
        cell
    }

    fn value(&mut self, field: &ResolvedField, value: &Value, r#type: &SqlType) -> Cell {
        let fixed = |bytes: &[u8]| Cell::Fixed(bytes.to_vec());
        match (value, r#type.kind()) {
            (Value::Bool(value), SqlKind::Boolean) => Cell::Fixed(vec![u8::from(*value)]),
            (Value::Integer(value), SqlKind::Decimal) => {
                Cell::Decimal(i128::from(*value as u64)) // of uint64 and fixed64
            }
            (Value::Integer(value), _) => integer(*value, r#type.kind()),
            (Value::Float(bits), SqlKind::Float) => fixed(&bits.to_le_bytes()),
            (Value::Float(bits), SqlKind::Double) => {
                fixed(&f64::from(f32::from_bits(*bits)).to_le_bytes())
            }
            (Value::Double(bits), SqlKind::Double) => fixed(&bits.to_le_bytes()),
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
            (Value::Enum(number), _) => integer(i64::from(*number), r#type.kind()),
            (Value::Message(tree), _) => self.message(field, tree, r#type),
            (value, kind) => unreachable!("{value:?} as {kind:?} is no pair of the mapping"),
        }
    }

    fn message(&mut self, field: &ResolvedField, tree: &Tree, r#type: &SqlType) -> Cell {
        let message = &self.schema.messages[field.message_index as usize];
        if is_wrapped(self.schema, field, r#type) {
            return self.field(&message.fields[payload(message)], tree, r#type);
        }
        let cell = match (message.full_name.as_str(), r#type.kind()) {
            (_, SqlKind::Row) => Ok(Cell::Row(self.columns(field.message_index, tree, r#type))),
            ("google.protobuf.Timestamp", _) => well_known::moment(message, tree, r#type.precision),
            ("google.type.Date", _) => well_known::date(message, tree),
            ("google.type.TimeOfDay", _) => well_known::time(message, tree, r#type.precision),
            ("confluent.type.Decimal", _) => well_known::decimal(message, tree, r#type),
            // D9: a wrapper that is there has a value.
            _ => {
                let value = &message.fields[payload(message)];
                let default = default(self.schema, value);
                Ok(self.value(value, tree.one(value.number).unwrap_or(&default), r#type))
            }
        };
        cell.unwrap_or_else(|code| {
            self.faults.push(code);
            Cell::Null
        })
    }
}

/// The count of a MULTISET's element.
pub(super) fn count() -> SqlType {
    SqlType { kind: SqlKind::Integer as i32, ..Default::default() }
}

fn integer(value: i64, kind: SqlKind) -> Cell {
    let len = match kind {
        SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer => 4,
        _ => 8,
    };
    Cell::Fixed(value.to_le_bytes()[..len].to_vec())
}

/// A generated wrapper that the column does not see (T10, T16): not where the column is the ROW of
/// its fields, which is so unless the payload is one message.
pub(super) fn is_wrapped(schema: &ResolvedSchema, field: &ResolvedField, sql: &SqlType) -> bool {
    if field.parameters.get("flink.wrapped").map(String::as_str) != Some("true") {
        return false;
    }
    let message = &schema.messages[field.message_index as usize];
    let value = &message.fields[payload(message)];
    let is_message = matches!(value.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
    sql.kind() != SqlKind::Row || is_message && !value.repeated
}

/// Index of a wrapper's `value`.
pub(super) fn payload(message: &ResolvedMessage) -> usize {
    let found = message.fields.iter().position(|field| field.name == "value");
    found.expect("a wrapper has a field `value`")
}

/// What a column stands for.
pub(super) enum Named {
    /// The field at this index.
    Field(usize),
    /// The oneof at this index.
    Oneof(u32),
    /// Neither.
    Nothing,
}

/// D14: the field of that name, the oneof of that name, the field and the oneof of its camel form. In
/// the ROW of a oneof, only its members.
pub(super) fn named(message: &ResolvedMessage, column: &str, oneof: Option<u32>) -> Named {
    for name in [column, &camel(column)] {
        let is_named = |field: &ResolvedField| {
            field.name == name && (oneof.is_none() || field.oneof_index == oneof)
        };
        if let Some(at) = message.fields.iter().position(is_named) {
            return Named::Field(at);
        }
        let at = message.oneofs.iter().position(|oneof| oneof == name);
        if let (Some(at), None) = (at, oneof) {
            return Named::Oneof(at as u32);
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
