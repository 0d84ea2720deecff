//! Value rules of the FLINK profile: a settled tree and a row type give cells.

use sluice_plan::proto::default_value::Value as Declared;
use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedSchema, SqlKind, SqlType};

use super::super::cells::Cell;
use super::super::code;
use super::super::tree::{Tree, Value};
use super::{Flags, hash_map, map_entry};

/// The cells of `row`'s columns, and the codes of the faults in them.
pub fn row(
    schema: &ResolvedSchema, flags: Flags, tree: &Tree, row: &SqlType,
) -> (Vec<Cell>, Vec<i32>) {
    let mut converter = Converter { schema, flags, faults: Vec::new() };
    let cells = converter.columns(schema.root, tree, row);
    (cells, converter.faults)
}

struct Converter<'a> {
    schema: &'a ResolvedSchema,
    flags: Flags,
    faults: Vec<i32>,
}

impl Converter<'_> {
    fn columns(&mut self, message: u32, tree: &Tree, row: &SqlType) -> Vec<Cell> {
        let fields = &self.schema.messages[message as usize].fields;
        let mut cells = Vec::new();
        for column in &row.columns {
            let field = fields.iter().find(|field| field.name == column.name);
            let (Some(field), Some(sql)) = (field, &column.r#type) else {
                unreachable!("refused when the table is planned");
            };
            cells.push(self.field(field, tree, sql)); // NULL passes, NOT NULL or not
        }
        cells
    }

    fn field(&mut self, field: &ResolvedField, tree: &Tree, sql: &SqlType) -> Cell {
        let values = tree.all(field.number);
        if field.repeated {
            if values.is_empty() && !self.flags.read_defaults {
                return Cell::Null;
            }
            return match map_entry(self.schema, field) {
                Some(parts) => self.map(parts, values, sql),
                None => {
                    let element = sql.element.as_ref().expect("an ARRAY has an element type");
                    Cell::Array(values.iter().map(|one| self.value(field, one, element)).collect())
                }
            };
        }
        if let Some(value) = values.last() {
            return self.value(field, value, sql);
        }
        let simple = self.flags.read_simple_defaults && is_simple(sql.kind());
        if self.flags.read_defaults || simple || !field.has_presence {
            return self.value(field, &default(self.schema, field), sql);
        }
        Cell::Null
    }

    fn map(&mut self, parts: &[ResolvedField; 2], entries: &[Value], sql: &SqlType) -> Cell {
        let part = |entry: &Value, field: &ResolvedField| match entry {
            Value::Message(entry) => match entry.one(field.number) {
                Some(value) => value.clone(),
                None => default(self.schema, field),
            },
            _ => unreachable!("entries are messages"),
        };
        let pairs: Vec<(Value, Value)> =
            entries.iter().map(|entry| (part(entry, &parts[0]), part(entry, &parts[1]))).collect();
        let keys: Vec<hash_map::Key> =
            pairs.iter().map(|(key, _)| hash_map::Key::of(key, parts[0].kind())).collect();
        let (Some(key_type), Some(value_type)) = (&sql.key, &sql.value) else {
            unreachable!("a MAP has a key and a value type")
        };
        let order = hash_map::order(&keys);
        Cell::Map(
            order.iter().map(|at| self.value(&parts[0], &pairs[*at].0, key_type)).collect(),
            order.iter().map(|at| self.value(&parts[1], &pairs[*at].1, value_type)).collect(),
        )
    }

    fn value(&mut self, field: &ResolvedField, value: &Value, sql: &SqlType) -> Cell {
        match value {
            Value::Bool(value) => Cell::Fixed(vec![u8::from(*value)]),
            Value::Integer(value) => cut(*value, sql.kind()),
            Value::Float(bits) => Cell::Fixed(bits.to_le_bytes().to_vec()),
            Value::Double(bits) => Cell::Fixed(bits.to_le_bytes().to_vec()),
            Value::Text(text) => Cell::Octets(text.as_bytes().to_vec()),
            Value::Octets(octets) => Cell::Octets(octets.clone()),
            Value::Message(tree) => Cell::Row(self.columns(field.message_index, tree, sql)),
            Value::Enum(number) => {
                let values = &self.schema.enums[field.enum_index as usize].values;
                let known = values.iter().find(|value| value.number == *number);
                let is_text = matches!(sql.kind(), SqlKind::Char | SqlKind::Varchar);
                match (known, is_text) {
                    (Some(value), true) => Cell::Octets(value.name.clone().into_bytes()),
                    (None, true) => Cell::Octets(b"UNRECOGNIZED".to_vec()),
                    (Some(_), false) => cut(i64::from(*number), sql.kind()),
                    (None, false) => {
                        self.faults.push(code::UNKNOWN_ENUM_NUMBER);
                        cut(0, sql.kind())
                    }
                }
            }
        }
    }
}

/// The low bytes of a number, as many as its column holds.
fn cut(value: i64, kind: SqlKind) -> Cell {
    let width = match kind {
        SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer => 4,
        _ => 8,
    };
    Cell::Fixed(value.to_le_bytes()[..width].to_vec())
}

/// Section 1.3; TINYINT and SMALLINT, which Flink's format cannot read, go with the others.
fn is_simple(kind: SqlKind) -> bool {
    !matches!(kind, SqlKind::Row | SqlKind::Array | SqlKind::Map | SqlKind::Multiset)
}

/// What the getter of an absent field gives.
pub(super) fn default(schema: &ResolvedSchema, field: &ResolvedField) -> Value {
    use FieldKind::*;
    let declared = field.default_value.as_ref().and_then(|default| default.value.as_ref());
    match (field.kind(), declared) {
        (FieldBool, declared) => Value::Bool(matches!(declared, Some(Declared::Integer(1..)))),
        (FieldFloat, Some(Declared::Float32(value))) => Value::Float(value.to_bits()),
        (FieldFloat, _) => Value::Float(0),
        (FieldDouble, Some(Declared::Float64(value))) => Value::Double(value.to_bits()),
        (FieldDouble, _) => Value::Double(0),
        (FieldString, Some(Declared::Text(text))) => Value::Text(text.clone()),
        (FieldString, _) => Value::Text(String::new()),
        (FieldBytes, Some(Declared::Octets(octets))) => Value::Octets(octets.clone()),
        (FieldBytes, _) => Value::Octets(Vec::new()),
        (FieldEnum, Some(Declared::Integer(number))) => Value::Enum(*number as i32),
        (FieldEnum, _) => Value::Enum(schema.enums[field.enum_index as usize].values[0].number),
        (FieldMessage | FieldGroup, _) => Value::Message(Tree::default()),
        (_, Some(Declared::Integer(value))) => Value::Integer(*value),
        (_, _) => Value::Integer(0),
    }
}
