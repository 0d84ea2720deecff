//! Random table row types over a schema: the columns that a `CREATE TABLE` could ask for.
//!
//! A row type takes a subset of the fields and oneofs in any order, mostly nullable, and now and
//! then a column that the writer's schema lacks. Only pairs of kind and type that the mapping table
//! allows come out; refused pairs are the business of the planner's own tests.

use sluice_plan::proto::{
    Column, FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

use super::choices::Choices;
use super::schemas::TIMESTAMP;

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
    for field in &schema_message.fields {
        if choices.mostly(4)
            && let Some(mut r#type) = column_type(choices, schema, field, depth)
        {
            r#type.nullable = choices.mostly(40);
            columns.push(Column { name: column_name(choices, &field.name), r#type: Some(r#type) });
        }
    }
    for (at, oneof) in schema_message.oneofs.iter().enumerate() {
        if choices.mostly(3) {
            let mut row = oneof_row(choices, schema, schema_message, at as u32, depth);
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

/// A oneof as one ROW: some of its members, which may be columns of their own as well.
fn oneof_row(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, message: &ResolvedMessage, oneof: u32,
    depth: u32,
) -> SqlType {
    let mut columns = Vec::new();
    for member in message.fields.iter().filter(|field| field.oneof_index == Some(oneof)) {
        if choices.mostly(5)
            && let Some(mut r#type) = column_type(choices, schema, member, depth)
        {
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
    let kind = field.kind();
    let target = schema.messages.get(field.message_index as usize);
    if kind == FieldKind::FieldMessage && target.is_some_and(|message| message.map_entry) {
        let [key, value] = &target?.fields[..] else { return None };
        return Some(SqlType {
            key: Some(Box::new(SqlType {
                nullable: choices.mostly(4),
                ..column_type(choices, schema, key, depth)?
            })),
            value: Some(Box::new(SqlType {
                nullable: choices.mostly(4),
                ..column_type(choices, schema, value, depth)?
            })),
            ..sql(SqlKind::Map)
        });
    }
    let element = value_type(choices, schema, field, depth)?;
    if !field.repeated {
        return Some(element);
    }
    let element = SqlType { nullable: choices.mostly(4), ..element };
    Some(SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array) })
}

fn value_type(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &ResolvedField, depth: u32,
) -> Option<SqlType> {
    use FieldKind::*;
    Some(match field.kind() {
        FieldBool => sql(SqlKind::Boolean),
        FieldInt32 | FieldSint32 | FieldSfixed32 => sql(SqlKind::Integer),
        FieldUint32 | FieldFixed32 | FieldInt64 | FieldUint64 | FieldSint64 | FieldFixed64
        | FieldSfixed64 => sql(SqlKind::Bigint),
        FieldFloat => sql(SqlKind::Float),
        FieldDouble => sql(SqlKind::Double),
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
        FieldMessage | FieldGroup => {
            let message = &schema.messages[field.message_index as usize];
            if message.full_name == TIMESTAMP && choices.mostly(4) {
                let kind = choices.pick(&[SqlKind::TimestampLtz, SqlKind::Timestamp]);
                return Some(SqlType { precision: choices.below(10), ..sql(kind) });
            }
            if depth == DEPTH_MAX {
                return None;
            }
            row_of(choices, schema, field.message_index, depth + 1)
        }
        Unspecified => return None,
    })
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
