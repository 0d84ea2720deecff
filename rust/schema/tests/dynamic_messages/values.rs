//! Random messages of prost-reflect, and their values in the reference's form.

use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, ReflectMessage, Value};
use sluice_plan::proto::ResolvedSchema;
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::well_known;
use sluice_testkit::reference::tree::{self, Tree};

/// Fills `message`, whose type is one of `schema`'s, with the values that a stream stands for.
pub fn fill(units: &[u32], schema: &ResolvedSchema, message: &mut DynamicMessage) {
    fill_level(&mut Choices::new(units).portable(), schema, message, 0);
}

fn fill_level(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, message: &mut DynamicMessage, depth: u32,
) {
    let descriptor = message.descriptor();
    let resolved = schema.messages.iter().find(|found| found.full_name == descriptor.full_name());
    if let Some(body) = resolved.and_then(|resolved| well_known::body(choices, resolved)) {
        message.merge(&body[..]).expect("the body of a message that means one value");
        return;
    }
    for field in descriptor.fields() {
        if choices.once_in(3) || depth > 3 {
            continue;
        }
        let count = choices.below(5);
        let value = if field.is_map() {
            let Kind::Message(entry) = field.kind() else { unreachable!("a map entry") };
            let pairs = (0..count).map(|_| {
                let key = random_value(choices, schema, &entry.map_entry_key_field(), depth);
                let value = random_value(choices, schema, &entry.map_entry_value_field(), depth);
                (map_key(key), value)
            });
            Value::Map(pairs.collect())
        } else if field.is_list() {
            Value::List((0..count).map(|_| random_value(choices, schema, &field, depth)).collect())
        } else {
            random_value(choices, schema, &field, depth)
        };
        message.set_field(&field, value);
    }
}

fn random_value(
    choices: &mut Choices<'_>, schema: &ResolvedSchema, field: &FieldDescriptor, depth: u32,
) -> Value {
    // No negative zero: prost-reflect takes it for the default and does not write it.
    let bits = match choices.bits() {
        0x8000_0000_0000_0000 => 0,
        bits if bits as u32 == 0x8000_0000 => 1,
        bits => bits,
    };
    match field.kind() {
        Kind::Double => Value::F64(f64::from_bits(bits)),
        Kind::Float => Value::F32(f32::from_bits(bits as u32)),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(bits as i32),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(bits as i64),
        Kind::Uint32 | Kind::Fixed32 => Value::U32(bits as u32),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(bits),
        Kind::Bool => Value::Bool(bits & 1 == 1),
        Kind::String => Value::String("héllo wörld"[..choices.pick(&[0, 1, 3, 12])].to_owned()),
        Kind::Bytes => Value::Bytes(bits.to_le_bytes()[..choices.index(9)].to_vec().into()),
        Kind::Enum(_) => Value::EnumNumber(choices.pick(&[0, 1, 5, -1, 77, i32::MIN])),
        Kind::Message(descriptor) => {
            let mut message = DynamicMessage::new(descriptor);
            fill_level(choices, schema, &mut message, depth + 1);
            Value::Message(message)
        }
    }
}

fn map_key(value: Value) -> MapKey {
    match value {
        Value::Bool(key) => MapKey::Bool(key),
        Value::I32(key) => MapKey::I32(key),
        Value::I64(key) => MapKey::I64(key),
        Value::U32(key) => MapKey::U32(key),
        Value::U64(key) => MapKey::U64(key),
        Value::String(key) => MapKey::String(key),
        other => unreachable!("{other:?} is no key"),
    }
}

/// The message's values. A field without presence is always there: prost-reflect takes a negative
/// zero for absent, and only its value tells it from a zero.
pub fn tree(message: &DynamicMessage) -> Tree {
    let mut tree = Tree::default();
    for field in message.descriptor().fields() {
        let is_implicit = !field.supports_presence() && !field.is_list() && !field.is_map();
        if !is_implicit && !message.has_field(&field) {
            continue;
        }
        let values = match &*message.get_field(&field) {
            Value::List(values) => values.iter().map(leaf).collect(),
            Value::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| {
                    let fields = [(1, vec![leaf(&key.clone().into())]), (2, vec![leaf(value)])];
                    tree::Value::Message(Tree { fields: fields.into(), ..Tree::default() })
                })
                .collect(),
            value => vec![leaf(value)],
        };
        tree.fields.insert(field.number(), values);
    }
    tree
}

fn leaf(value: &Value) -> tree::Value {
    match value {
        Value::Bool(value) => tree::Value::Bool(*value),
        Value::I32(value) => tree::Value::Integer(i64::from(*value)),
        Value::I64(value) => tree::Value::Integer(*value),
        Value::U32(value) => tree::Value::Integer(i64::from(*value)),
        Value::U64(value) => tree::Value::Integer(*value as i64),
        Value::F32(value) => tree::Value::Float(value.to_bits()),
        Value::F64(value) => tree::Value::Double(value.to_bits()),
        Value::String(value) => tree::Value::Text(value.clone()),
        Value::Bytes(value) => tree::Value::Octets(value.to_vec()),
        Value::EnumNumber(value) => tree::Value::Enum(*value),
        Value::Message(value) => tree::Value::Message(tree(value)),
        Value::List(_) | Value::Map(_) => unreachable!("taken apart by the caller"),
    }
}
