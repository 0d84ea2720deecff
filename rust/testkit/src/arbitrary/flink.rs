//! Random cases of the FLINK profile: row types of its pairs, its flags, and maps with crowded keys.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use sluice_plan::proto::{
    Column, FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

use super::choices::Choices;
use super::{Case, messages, mutations, schemas, stream, wire};
use crate::reference::flink::Flags;

/// Rows inside rows.
const DEPTH_MAX: u32 = 3;

/// A case and the read flags of its plan.
#[derive(Clone)]
pub struct FlinkCase {
    /// Schema, row type and bytes.
    pub case: Case,
    /// The plan's flags.
    pub flags: Flags,
}

impl fmt::Debug for FlinkCase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}\n{:?}", self.case, self.flags)
    }
}

/// Cases whose bytes are nearly always a valid message.
pub fn valid() -> impl Strategy<Value = FlinkCase> {
    (stream(300), stream(120), stream(600))
        .prop_map(|(schema, row, message)| case(&schema, &row, &message))
}

/// Cases whose bytes were damaged.
pub fn mutated() -> impl Strategy<Value = FlinkCase> {
    (stream(200), stream(120), stream(300), stream(16)).prop_map(
        |(schema, row, message, damage)| {
            let mut made = case(&schema, &row, &message);
            mutations::mutate(&mut Choices::new(&damage), &mut made.case.wire);
            made
        },
    )
}

fn case(schema: &[u32], row: &[u32], message: &[u32]) -> FlinkCase {
    let (schema, row, flags) = table(schema, row);
    let wire = messages::message(&mut Choices::new(message), &schema);
    FlinkCase { case: Case { schema, row, wire }, flags }
}

/// A schema, a row type over it and the flags of its plan, from a stream for the schema and one for
/// the rest.
pub fn table(schema: &[u32], row: &[u32]) -> (ResolvedSchema, SqlType, Flags) {
    let mut schema = schemas::schema(&mut Choices::new(schema));
    let choices = &mut Choices::new(row);
    add_maps(choices, &mut schema);
    let read_defaults = choices.once_in(3);
    let read_simple_defaults = read_defaults || choices.once_in(2);
    let row = self::row(choices, &schema);
    (schema, row, Flags { read_defaults, read_simple_defaults })
}

/// A row type over a schema.
pub(super) fn row(choices: &mut Choices<'_>, schema: &ResolvedSchema) -> SqlType {
    row_of(choices, schema, schema.root, 0)
}

/// Puts maps into the root in which few keys make many entries replace others: one of a closed enum
/// and one of messages, which may have required fields.
fn add_maps(choices: &mut Choices<'_>, schema: &mut ResolvedSchema) {
    let root = schema.root as usize;
    let has_required = |message: &ResolvedMessage| message.fields.iter().any(|f| f.required);
    let target = match schema.messages.iter().position(has_required) {
        Some(at) if choices.mostly(3) => at as u32,
        _ => choices.index(schema.messages.len()) as u32,
    };
    let is_entry = schema.messages[target as usize].map_entry;
    for (number, kind) in [(1000, FieldKind::FieldEnum), (1001, FieldKind::FieldMessage)] {
        let is_enum = kind == FieldKind::FieldEnum;
        let missing = if is_enum { schema.enums.is_empty() } else { is_entry };
        if missing || choices.mostly(3) {
            continue;
        }
        let key = field("key", 1, FieldKind::FieldBool);
        let value = ResolvedField {
            closed_enum: is_enum,
            message_index: if is_enum { 0 } else { target },
            has_presence: true,
            ..field("value", 2, kind)
        };
        schema.messages.push(ResolvedMessage {
            full_name: format!("pkg.Entry{number}"),
            fields: vec![key, value],
            map_entry: true,
            ..ResolvedMessage::default()
        });
        let map = ResolvedField {
            repeated: true,
            message_index: schema.messages.len() as u32 - 1,
            ..field(&format!("map{number}"), number, FieldKind::FieldMessage)
        };
        schema.messages[root].fields.push(map);
    }
}

fn field(name: &str, number: u32, kind: FieldKind) -> ResolvedField {
    ResolvedField {
        name: name.to_owned(),
        number,
        kind: kind.into(),
        strict_utf8: kind == FieldKind::FieldString,
        ..ResolvedField::default()
    }
}

fn sql(kind: SqlKind) -> SqlType {
    SqlType { kind: kind.into(), nullable: true, ..SqlType::default() }
}

fn row_of(choices: &mut Choices<'_>, schema: &ResolvedSchema, message: u32, depth: u32) -> SqlType {
    let mut columns = Vec::new();
    for field in &schema.messages[message as usize].fields {
        if choices.mostly(4)
            && let Some(mut sql) = column_type(choices, schema, field, depth)
        {
            sql.nullable = choices.mostly(10);
            columns.push(Column { name: field.name.clone(), r#type: Some(sql) });
        }
    }
    choices.shuffle(&mut columns);
    SqlType { columns, ..sql(SqlKind::Row) }
}

/// None where no type fits any more: a row below the last level.
fn column_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    let target = schema.messages.get(field.message_index as usize);
    if field.kind() == FieldKind::FieldMessage && target.is_some_and(|target| target.map_entry) {
        let [key, value] = &target?.fields[..] else { return None };
        return Some(SqlType {
            key: Some(Box::new(value_type(choices, schema, key, depth)?)),
            value: Some(Box::new(value_type(choices, schema, value, depth)?)),
            ..sql(SqlKind::Map)
        });
    }
    let one = value_type(choices, schema, field, depth)?;
    Some(match field.repeated {
        true => SqlType { element: Some(Box::new(one)), ..sql(SqlKind::Array) },
        false => one,
    })
}

fn value_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    use FieldKind::*;
    const ENUM: [SqlKind; 6] = [
        SqlKind::Varchar,
        SqlKind::Integer,
        SqlKind::Char,
        SqlKind::Bigint,
        SqlKind::Smallint,
        SqlKind::Tinyint,
    ];
    Some(sql(match field.kind() {
        FieldBool => SqlKind::Boolean,
        FieldInt32 | FieldSint32 | FieldSfixed32 | FieldUint32 | FieldFixed32 => SqlKind::Integer,
        FieldInt64 | FieldSint64 | FieldSfixed64 | FieldUint64 | FieldFixed64 => SqlKind::Bigint,
        FieldFloat => SqlKind::Float,
        FieldDouble => SqlKind::Double,
        FieldString => choices.pick(&[SqlKind::Varchar, SqlKind::Char]),
        FieldBytes => choices.pick(&[SqlKind::Varbinary, SqlKind::Binary]),
        FieldEnum => choices.pick(&ENUM),
        FieldMessage | FieldGroup if depth < DEPTH_MAX => {
            return Some(row_of(choices, schema, field.message_index, depth + 1));
        }
        FieldMessage | FieldGroup | Unspecified => return None,
    }))
}

/// Tables of one map, and keys that crowd into few bins, or share one hash, or come twice.
pub fn crowded_maps() -> impl Strategy<Value = FlinkCase> {
    let kinds = [
        FieldKind::FieldInt32,
        FieldKind::FieldString,
        FieldKind::FieldInt64,
        FieldKind::FieldBool,
    ];
    let keys = vec(any::<u64>(), 0..300);
    (prop::sample::select(kinds.to_vec()), 0..27_u32, 1..400_u64, keys).prop_map(
        |(kind, shift, range, keys)| {
            let wire = keys.iter().enumerate().flat_map(|(at, key)| {
                let number = (key % range) << shift;
                let mut entry = Vec::new();
                match kind {
                    FieldKind::FieldString => {
                        let text = format!("{}{number:b}", "k".repeat(shift as usize % 4));
                        entry.extend([0x0a, text.len() as u8]);
                        entry.extend(text.bytes());
                    }
                    kind => {
                        // In a long of equal halves no bit of the hash is set.
                        let twice = shift % 2 == 0 && kind == FieldKind::FieldInt64;
                        let high = if twice { number << 32 } else { 0 };
                        entry.push(0x08);
                        wire::varint(&mut entry, high | number & 0xffff_ffff);
                    }
                }
                entry.push(0x10);
                wire::varint(&mut entry, at as u64);
                [vec![0x0a, entry.len() as u8], entry].concat()
            });
            let (schema, row) = map_table(kind);
            let case = Case { schema, row, wire: wire.collect() };
            FlinkCase { case, flags: Flags { read_defaults: false, read_simple_defaults: true } }
        },
    )
}

/// `map<kind, int32> m = 1` as a column.
fn map_table(kind: FieldKind) -> (ResolvedSchema, SqlType) {
    let m = ResolvedField {
        repeated: true,
        message_index: 1,
        ..field("m", 1, FieldKind::FieldMessage)
    };
    let entry = vec![field("key", 1, kind), field("value", 2, FieldKind::FieldInt32)];
    let message = |fields, map_entry| ResolvedMessage {
        full_name: "M".into(),
        fields,
        map_entry,
        ..ResolvedMessage::default()
    };
    let messages = vec![message(vec![m], false), message(entry, true)];
    let schema = ResolvedSchema { version: 1, messages, ..ResolvedSchema::default() };
    let key = match kind {
        FieldKind::FieldString => SqlKind::Varchar,
        FieldKind::FieldBool => SqlKind::Boolean,
        FieldKind::FieldInt64 => SqlKind::Bigint,
        _ => SqlKind::Integer,
    };
    let map = SqlType {
        key: Some(Box::new(sql(key))),
        value: Some(Box::new(sql(SqlKind::Integer))),
        ..sql(SqlKind::Map)
    };
    let column = Column { name: "m".into(), r#type: Some(map) };
    (schema, SqlType { columns: vec![column], ..sql(SqlKind::Row) })
}
