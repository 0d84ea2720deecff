//! One message through the codec and through prost-reflect.

use proptest::prelude::*;
use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, ReflectMessage};
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::proto::{Column, ResolvedSchema, SqlKind, SqlType};
use sluice_plan::{Plan, Program};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{plans, rows};
use sluice_testkit::reference::tree::{self, Tree};
use sluice_testkit::reference::{self, binary_row, cells, opaque, parse};
use sluice_testkit::text;

use crate::values;

/// The codec's row of `wire`, or the number of its failure code.
///
/// # Panics
/// If the plan is refused; random row types hold only pairs that are built.
pub fn decode(schema: &ResolvedSchema, row: &SqlType, wire: &[u8]) -> Result<Vec<u8>, i32> {
    let plan = Plan::read(&plans::confluent(row).encode_to_vec()).expect("the plan is read");
    let program = match Program::compile(&plan, schema) {
        Ok(program) => program,
        Err(failure) => panic!("{failure}\n{}\n{}", text::schema(schema), text::sql(row)),
    };
    let mut rows = RowBuffer::default();
    match Decoder::new().decode_row(&program, &Slab::of(wire), 0, &mut rows) {
        Ok(_) => Ok(rows.rows().to_vec()),
        Err(code) => Err(code.number()),
    }
}

/// Fails unless the codec reads from `wire` the row of the message's values, or refuses a value
/// that may be refused. `origin` is shown with a failing case.
pub fn check(
    message: &DynamicMessage, row: &SqlType, wire: &[u8], origin: &str,
) -> Result<(), TestCaseError> {
    let schema = &sluice_schema::resolve(&message.descriptor());
    let mut tree = values::tree(message);
    order_maps(schema, schema.root, &mut tree, &parse::parse(schema, wire).tree);
    let (cells, faults) = cells::row(schema, &tree, row);
    let context = format!("{origin}\n{}\n{}", text::sql(row), text::hex(wire));
    match decode(schema, row, wire) {
        Ok(got) => {
            prop_assert!(faults.is_empty(), "{:?} {}", faults, context);
            let wanted = binary_row::row(&cells, row);
            prop_assert_eq!(text::hex(&got), text::hex(&wanted), "{}", context);
            prop_assert_eq!(reference::decode(schema, row, wire), Ok(wanted), "{}", context);
        }
        Err(code) => prop_assert!(faults.contains(&code), "{} {}", code, context),
    }
    Ok(())
}

/// prost-reflect keeps a map without order, so each key takes the place that the reference saw it
/// in first. A key that only one of the two has stays a difference.
fn order_maps(schema: &ResolvedSchema, message: u32, tree: &mut Tree, model: &Tree) {
    for field in &schema.messages[message as usize].fields {
        let Some(values) = tree.fields.get_mut(&field.number) else { continue };
        let models = model.all(field.number);
        let is_map = schema
            .messages
            .get(field.message_index as usize)
            .is_some_and(|target| field.repeated && target.map_entry);
        if is_map {
            values.sort_by_key(|value| models.iter().position(|model| key(model) == key(value)));
        }
        for (at, value) in values.iter_mut().enumerate() {
            let model = match is_map {
                true => models.iter().rfind(|model| key(model) == key(value)),
                false => models.get(at),
            };
            if let (tree::Value::Message(tree), Some(tree::Value::Message(model))) = (value, model)
            {
                order_maps(schema, field.message_index, tree, model);
            }
        }
    }
}

/// The key of an entry; none if it is the default, which need not be on the wire.
fn key(entry: &tree::Value) -> Option<&tree::Value> {
    let tree::Value::Message(entry) = entry else { return None };
    entry.one(1).filter(|key| match key {
        tree::Value::Bool(key) => *key,
        tree::Value::Integer(key) => *key != 0,
        tree::Value::Text(key) => !key.is_empty(),
        _ => true,
    })
}

/// A random row type without messages read as bytes: those are told from the wire alone, and
/// prost-reflect does not keep it.
pub fn row(choices: &mut Choices<'_>, schema: &ResolvedSchema) -> SqlType {
    let mut row = rows::row(choices, schema);
    row.columns.retain_mut(|column| {
        if is_opaque(schema, column) {
            column.r#type.iter_mut().for_each(drop_bytes);
        }
        !is_opaque(schema, column)
    });
    row
}

/// Whether the column reads a message of the root as bytes, or one inside it.
fn is_opaque(schema: &ResolvedSchema, column: &Column) -> bool {
    let alone = SqlType { columns: vec![column.clone()], ..SqlType::default() };
    let seen = opaque::schema(schema, &alone);
    let mut fields = seen.messages.iter().flat_map(|message| &message.fields);
    fields.any(|field| field.parameters.contains_key(opaque::OPAQUE))
}

/// Drops the columns of rows inside `sql` that a message could be read into as bytes.
fn drop_bytes(sql: &mut SqlType) {
    sql.columns.retain(|column| !column.r#type.as_ref().is_some_and(reads_bytes));
    sql.columns.iter_mut().filter_map(|column| column.r#type.as_mut()).for_each(drop_bytes);
    let parts = [&mut sql.element, &mut sql.key, &mut sql.value];
    parts.into_iter().flatten().for_each(|part| drop_bytes(part));
}

fn reads_bytes(sql: &SqlType) -> bool {
    let mut parts = [&sql.element, &sql.key, &sql.value].into_iter().flatten();
    sql.kind() == SqlKind::Varbinary || parts.any(|part| reads_bytes(part))
}
