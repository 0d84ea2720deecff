//! Random table row types over a schema: the columns that a `CREATE TABLE` could ask for.
//!
//! A row type takes a subset of the fields and oneofs in any order, mostly nullable, and now and
//! then a column that the writer's schema lacks. Only pairs of kind and type that the mapping table
//! allows come out; refused pairs are the business of the planner's own tests.

use sluice_plan::proto::{
    Column, FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

use super::choices::Choices;
use super::well_known;

/// Rows inside rows; recursion in the schema is cut here, as a DDL spells a finite depth.
const DEPTH_MAX: u32 = 3;

/// Length of STRING and BYTES.
const LENGTH_MAX: u32 = i32::MAX as u32;

/// A ROW over `schema`'s root message.
pub fn row(choices: &mut Choices<'_>, schema: &ResolvedSchema) -> SqlType {
    let mut row = row_of(choices, schema, schema.root, 0);
    row.nullable = false;
    row
}

fn sql(kind: SqlKind) -> SqlType {
    SqlType { kind: kind as i32, nullable: true, ..Default::default() }
}

fn row_of(choices: &mut Choices<'_>, schema: &ResolvedSchema, message: u32, depth: u32) -> SqlType {
    let schema_message = &schema.messages[message as usize];
    let mut columns = Vec::new();
    let mut own = Vec::new();
    for field in &schema_message.fields {
        if choices.mostly(4)
            && let Some(mut r#type) = column_type(choices, schema, field, depth)
        {
            r#type.nullable = choices.mostly(40);
            own.push((field.number, r#type.clone()));
            columns.push(Column { name: column_name(choices, &field.name), r#type: Some(r#type) });
        }
    }
    for (at, oneof) in schema_message.oneofs.iter().enumerate() {
        if choices.mostly(3) {
            let mut row = oneof_row(choices, schema, schema_message, (at as u32, &own), depth);
            row.nullable = choices.mostly(40);
            columns.push(Column { name: column_name(choices, oneof), r#type: Some(row) });
        }
    }
    if choices.once_in(10) {
        let mut absent = sql(choices.pick(&[SqlKind::Varchar, SqlKind::Bigint, SqlKind::Boolean]));
        absent.nullable = choices.mostly(8);
        absent.length = LENGTH_MAX;
        columns.push(Column { name: "nowhere".to_owned(), r#type: Some(absent) });
    }
    choices.shuffle(&mut columns);
    SqlType { columns, ..sql(SqlKind::Row) }
}

/// A oneof as one ROW: some of its members, which may be columns of their own as well. A message is
/// read as the same type in both: whether it is looked into is then one question.
fn oneof_row(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, message: &ResolvedMessage,
    (oneof, own): (u32, &[(u32, SqlType)]), depth: u32,
) -> SqlType {
    let mut columns = Vec::new();
    for member in message.fields.iter().filter(|field| field.oneof_index == Some(oneof)) {
        if choices.mostly(5)
            && let Some(mut r#type) = column_type(choices, schema, member, depth)
        {
            let same = own.iter().find(|(number, _)| *number == member.number);
            if let (Some((_, same)), FieldKind::FieldMessage | FieldKind::FieldGroup) =
                (same, member.kind())
            {
                r#type = same.clone();
            }
            r#type.nullable = choices.mostly(40);
            columns.push(Column { name: column_name(choices, &member.name), r#type: Some(r#type) });
        }
    }
    if choices.once_in(10) {
        columns.push(Column { name: "nowhere".to_owned(), r#type: Some(sql(SqlKind::Bigint)) });
    }
    choices.shuffle(&mut columns);
    SqlType { columns, ..sql(SqlKind::Row) }
}

/// The own name of a field or oneof, or the snake form whose camel form it is (D14).
fn column_name(choices: &mut Choices<'_>, field: &str) -> String {
    match field.strip_prefix("camelCase") {
        Some(place) if choices.once_in(2) => format!("camel_case{place}"),
        _ => field.to_owned(),
    }
}

/// None where no type fits any more: a row below the last level.
fn column_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    if !field.repeated {
        return value_type(choices, schema, field, depth);
    }
    let is_message = matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
    let target = &schema.messages[if is_message { field.message_index as usize } else { 0 }];
    if is_message
        && (has_part(target, "key") && has_part(target, "value"))
        && (target.map_entry || choices.mostly(6))
    {
        let mut side = |name: &str| {
            let side = part_type(choices, schema, target, name, depth)?;
            Some(Box::new(SqlType { nullable: choices.mostly(4), ..side }))
        };
        let (key, value_type) = (side("key")?, side("value")?);
        let mut counts = target.fields.iter().filter(|field| field.name == "value");
        if counts.any(is_count) && choices.once_in(3) {
            return Some(SqlType { element: Some(key), ..sql(SqlKind::Multiset) });
        }
        return Some(SqlType { key: Some(key), value: Some(value_type), ..sql(SqlKind::Map) });
    }
    let element = value_type(choices, schema, field, depth)?;
    let element = SqlType { nullable: choices.mostly(4), ..element };
    Some(SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array) })
}

/// Whether an entry has a field or a oneof of this name.
fn has_part(entry: &ResolvedMessage, name: &str) -> bool {
    let mut names = entry.fields.iter().map(|field| &field.name).chain(&entry.oneofs);
    names.any(|other| other == name)
}

/// The type of an entry's key or value.
fn part_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, entry: &ResolvedMessage, name: &str,
    depth: u32,
) -> Option<SqlType> {
    match entry.fields.iter().find(|field| field.name == name) {
        Some(field) => column_type(choices, schema, field, depth),
        None => {
            let at = entry.oneofs.iter().position(|oneof| oneof == name)? as u32;
            Some(oneof_row(choices, schema, entry, (at, &[]), depth))
        }
    }
}

/// Whether a MULTISET can count with the field.
fn is_count(field: &ResolvedField) -> bool {
    use FieldKind::{FieldInt32, FieldSfixed32, FieldSint32};
    matches!(field.kind(), FieldInt32 | FieldSint32 | FieldSfixed32) && !field.repeated
}

fn value_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    use FieldKind::*;
    use SqlKind::{Bigint, Decimal, Double, Float, Integer, Smallint, Tinyint};
    Some(match field.kind() {
        FieldBool => sql(SqlKind::Boolean),
        FieldInt32 | FieldSint32 | FieldSfixed32 => {
            sql(choices.pick(&[Integer, Integer, Integer, Bigint, Smallint, Tinyint]))
        }
        FieldUint64 | FieldFixed64 if choices.once_in(4) => {
            SqlType { precision: 20, ..sql(Decimal) }
        }
        FieldUint32 | FieldFixed32 | FieldInt64 | FieldUint64 | FieldSint64 | FieldFixed64
        | FieldSfixed64 => sql(Bigint),
        FieldFloat => sql(choices.pick(&[Float, Float, Double])),
        FieldDouble => sql(Double),
        FieldEnum if choices.once_in(4) => sql(choices.pick(&[Integer, Bigint])),
        FieldString | FieldEnum => {
            let kind = choices.pick(&[SqlKind::Varchar, SqlKind::Varchar, SqlKind::Char]);
            let length = choices.pick(&[LENGTH_MAX, 3]);
            SqlType { length, ..sql(kind) }
        }
        FieldBytes => {
            let kind = choices.pick(&[SqlKind::Varbinary, SqlKind::Varbinary, SqlKind::Binary]);
            let length = choices.pick(&[LENGTH_MAX, 3]);
            SqlType { length, ..sql(kind) }
        }
        FieldMessage | FieldGroup => return message_type(choices, schema, field, depth),
        Unspecified => return None,
    })
}

fn message_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    let message = &schema.messages[field.message_index as usize];
    let value = message.fields.iter().find(|field| field.name == "value");
    if let (true, Some(value)) = (field.parameters.contains_key("flink.wrapped"), value) {
        let payload = column_type(choices, schema, value, depth)?;
        let is_message = matches!(value.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
        if depth < DEPTH_MAX && (!is_message || value.repeated) && choices.once_in(8) {
            return Some(row_of(choices, schema, field.message_index, depth + 1));
        }
        return Some(payload);
    }
    if choices.mostly(4) {
        let precision = choices.below(10);
        match (message.full_name.as_str(), value) {
            (well_known::TIMESTAMP, _) => {
                let kind = choices.pick(&[SqlKind::TimestampLtz, SqlKind::Timestamp]);
                return Some(SqlType { precision, ..sql(kind) });
            }
            (well_known::DATE, _) => return Some(sql(SqlKind::Date)),
            (well_known::TIME_OF_DAY, _) => {
                return Some(SqlType { precision, ..sql(SqlKind::Time) });
            }
            (well_known::DECIMAL, _) => {
                let precision = choices.pick(&[38, 18, 19, 10, 5, 1, 30]);
                let scale = choices.below(precision + 1);
                return Some(SqlType { precision, scale, ..sql(SqlKind::Decimal) });
            }
            (name, Some(value)) if well_known::is_wrapper(name) => {
                return value_type(choices, schema, value, depth);
            }
            _ => {}
        }
    }
    if field.kind() == FieldKind::FieldMessage
        && (choices.once_in(8) || depth == DEPTH_MAX)
        && message.full_name != "google.protobuf.BytesValue"
    {
        return Some(SqlType { length: LENGTH_MAX, ..sql(SqlKind::Varbinary) });
    }
    if depth == DEPTH_MAX {
        return None;
    }
    Some(row_of(choices, schema, field.message_index, depth + 1))
}

/// The same columns in another order, at every level.
pub fn reordered(choices: &mut Choices<'_>, row: &SqlType) -> SqlType {
    let mut row = row.clone();
    choices.shuffle(&mut row.columns);
    for column in &mut row.columns {
        if let Some(r#type) = &mut column.r#type {
            *r#type = reordered(choices, r#type);
        }
    }
    for inner in [&mut row.element, &mut row.key, &mut row.value].into_iter().flatten() {
        **inner = reordered(choices, inner);
    }
    row
}
