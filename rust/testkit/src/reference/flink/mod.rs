//! The FLINK profile: what Flink's own `protobuf` format reads, slowly.
//!
//! ```text
//! parse      as for CONFLUENT, but entries of a map keep whatever number of a closed enum they have
//! settled    maps as generated classes keep them: one entry per key, none with an unknown number
//! cells      sections 1.2 to 2.5 of the contract
//! hash_map   the order in which a map's entries come
//! ```

pub mod cells;
pub mod hash_map;

use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedSchema, SqlType};

use super::tree::{Tree, Value};
use super::{Refusal, binary_row, code, parse};

/// The two read flags of a plan.
#[derive(Debug, Clone, Copy)]
pub struct Flags {
    /// Absent fields of every kind are defaults.
    pub read_defaults: bool,
    /// Absent fields whose column is simple are defaults.
    pub read_simple_defaults: bool,
}

/// The canonical row of a record without frame, or why there is none.
pub fn decode(
    schema: &ResolvedSchema, row: &SqlType, flags: Flags, wire: &[u8],
) -> Result<Vec<u8>, Refusal> {
    let parsed = parse::parse_generated(&with_open_entries(schema), wire);
    let tree = settled(schema, schema.root, parsed.tree);
    let mut faults = parsed.wire_faults;
    let incomplete = !parse::is_complete(schema, schema.root, &tree);
    // A decoder may look into an element before it meets another fault.
    if (parsed.read_to_end && incomplete) || (parsed.element_incomplete && !faults.is_empty()) {
        faults.push(code::MISSING_REQUIRED);
    }
    let (cells, value_faults) = cells::row(schema, flags, &tree, row);
    if parsed.read_to_end {
        faults.extend(value_faults);
    }
    match faults.first() {
        None => Ok(binary_row::row(&cells, row)),
        Some(&first) => Err(Refusal { first, codes: faults.into_iter().collect() }),
    }
}

/// The schema in which no entry of a map skips a number.
fn with_open_entries(schema: &ResolvedSchema) -> ResolvedSchema {
    let mut open = schema.clone();
    let entries = open.messages.iter_mut().filter(|message| message.map_entry);
    entries.flat_map(|entry| &mut entry.fields).for_each(|field| field.closed_enum = false);
    open
}

/// `tree` with the entries of its maps as generated classes keep them, all the way down.
fn settled(schema: &ResolvedSchema, message: u32, tree: Tree) -> Tree {
    let fields = &schema.messages[message as usize].fields;
    let mut out = Tree::default();
    for (number, values) in tree.fields {
        let Some(field) = fields.iter().find(|field| field.number == number) else { continue };
        let values: Vec<Value> = match map_entry(schema, field) {
            Some(parts) => entries(schema, parts, values),
            None => values,
        };
        let values = values.into_iter().map(|value| match value {
            Value::Message(tree) => Value::Message(settled(schema, field.message_index, tree)),
            value => value,
        });
        let values: Vec<Value> = values.collect();
        if !values.is_empty() {
            out.fields.insert(number, values);
        }
    }
    out
}

/// Key and value of the entries of a `map<>` field.
fn map_entry<'a>(
    schema: &'a ResolvedSchema, field: &ResolvedField,
) -> Option<&'a [ResolvedField; 2]> {
    let entry = schema.messages.get(field.message_index as usize)?;
    let is_map = field.kind() == FieldKind::FieldMessage && entry.map_entry;
    is_map.then(|| entry.fields.first_chunk().expect("an entry has a key and a value"))
}

fn entries(schema: &ResolvedSchema, parts: &[ResolvedField; 2], values: Vec<Value>) -> Vec<Value> {
    let [key, value] = parts;
    let key_of = |entry: &Value| match entry {
        Value::Message(entry) => match entry.one(key.number) {
            Some(key) => key.clone(),
            None => cells::default(schema, key),
        },
        _ => unreachable!("entries are messages"),
    };
    let is_known = |entry: &Value| match entry {
        Value::Message(entry) if value.kind() == FieldKind::FieldEnum && value.closed_enum => {
            let known = &schema.enums[value.enum_index as usize].values;
            match entry.one(value.number) {
                Some(Value::Enum(number)) => known.iter().any(|value| value.number == *number),
                _ => true,
            }
        }
        _ => true,
    };
    let mut kept: Vec<Value> = Vec::new();
    for entry in values.into_iter().filter(is_known) {
        match kept.iter_mut().find(|other| key_of(other) == key_of(&entry)) {
            Some(other) => *other = entry,
            None => kept.push(entry),
        }
    }
    kept
}
