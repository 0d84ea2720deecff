//! Messages that a column reads as bytes: the schema as seen by a reader that does not look inside.
//!
//! Along the row type, messages are copied, and in the copies such a field is a `bytes` field that
//! is marked. Everything else then follows: the parser keeps the bytes, checks nothing in them, and
//! appends those of a further piece.

use sluice_plan::proto::{Column, FieldKind, ResolvedField, ResolvedSchema, SqlKind, SqlType};

use super::cells::{Named, is_wrapped, named, payload};

/// Parameter that marks the fields.
pub const OPAQUE: &str = "reference.opaque";

/// `schema` as a reader of `row` sees it.
pub fn schema(schema: &ResolvedSchema, row: &SqlType) -> ResolvedSchema {
    let mut schema = schema.clone();
    let root = schema.root;
    schema.root = message(&mut schema, root, row);
    schema
}

/// A copy of the message for a ROW.
fn message(schema: &mut ResolvedSchema, index: u32, row: &SqlType) -> u32 {
    let mut copy = schema.messages[index as usize].clone();
    // What each field is read as; a field may be a column and a part of its oneof's column.
    let mut uses: Vec<Vec<SqlType>> = vec![Vec::new(); copy.fields.len()];
    let mut columns: Vec<_> = row.columns.iter().map(|column| (column, None)).collect();
    while let Some((column, oneof)) = columns.pop() {
        let Some(sql) = &column.r#type else { continue };
        match (named(&copy, &column.name, oneof), oneof) {
            (Named::Field(at), _) => uses[at].push(sql.clone()),
            (Named::Oneof(at), None) => {
                columns.extend(sql.columns.iter().map(|column| (column, Some(at))));
            }
            _ => {}
        }
    }
    for (field, uses) in copy.fields.iter_mut().zip(&uses) {
        if let [first, others @ ..] = &uses[..]
            && others.iter().all(|other| is_bytes(other) == is_bytes(first))
        {
            self::field(schema, field, first);
        }
    }
    schema.messages.push(copy);
    schema.messages.len() as u32 - 1
}

fn is_bytes(sql: &SqlType) -> bool {
    sql.kind() == SqlKind::Varbinary
}

fn field(schema: &mut ResolvedSchema, field: &mut ResolvedField, sql: &SqlType) {
    let is_message = matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup);
    if !is_message {
        return;
    }
    match (field.repeated, &sql.element, &sql.key, &sql.value) {
        (true, Some(element), ..) if sql.kind() == SqlKind::Array => one(schema, field, element),
        (true, Some(element), ..) => entry(schema, field, element, None),
        (true, _, Some(key), value) => entry(schema, field, key, value.as_deref()),
        _ => one(schema, field, sql),
    }
}

/// A copy of the entry message for a MAP or MULTISET.
fn entry(
    schema: &mut ResolvedSchema, field: &mut ResolvedField, key: &SqlType, value: Option<&SqlType>,
) {
    let parts = [("key", Some(key)), ("value", value)];
    let column = |(name, sql): (&str, Option<&SqlType>)| {
        Some(Column { name: name.to_owned(), r#type: Some(sql?.clone()) })
    };
    let columns = parts.into_iter().filter_map(column).collect();
    let row = SqlType { kind: SqlKind::Row as i32, columns, ..Default::default() };
    field.message_index = message(schema, field.message_index, &row);
}

fn one(schema: &mut ResolvedSchema, field: &mut ResolvedField, sql: &SqlType) {
    let target = &schema.messages[field.message_index as usize];
    if is_wrapped(schema, field, sql) {
        let mut copy = target.clone();
        let at = payload(target);
        self::field(schema, &mut copy.fields[at], sql);
        schema.messages.push(copy);
        field.message_index = schema.messages.len() as u32 - 1;
    } else if sql.kind() == SqlKind::Row {
        field.message_index = message(schema, field.message_index, sql);
    } else if is_bytes(sql) && target.full_name != "google.protobuf.BytesValue" {
        field.kind = FieldKind::FieldBytes as i32;
        field.parameters.insert(OPAQUE.to_owned(), String::new());
    }
}
