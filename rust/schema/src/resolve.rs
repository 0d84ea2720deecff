//! One message, and every message and enum that it reaches, as the facts that the codec reads.

use std::collections::HashMap;

use prost_reflect::{
    DescriptorPool, EnumDescriptor, FieldDescriptor, Kind, MapKey, MessageDescriptor, Syntax, Value,
};
use sluice_plan::proto::{
    DefaultValue, FieldKind, ResolvedEnum, ResolvedEnumValue, ResolvedField, ResolvedMessage,
    ResolvedSchema, default_value,
};

use crate::SchemaError;

const VERSION: u32 = 1;

/// The option that holds `flink.*` and other parameters of a field.
const FIELD_META: &str = "confluent.field_meta";

/// The schema whose root is the message of that full name.
pub fn resolve_name(pool: &DescriptorPool, name: &str) -> Result<ResolvedSchema, SchemaError> {
    match pool.get_message_by_name(name) {
        Some(root) => Ok(resolve(&root)),
        None => Err(SchemaError::UnknownMessage { name: name.to_owned() }),
    }
}

/// The schema whose root is `root`. Recursion is no trouble: each message comes once.
pub fn resolve(root: &MessageDescriptor) -> ResolvedSchema {
    let mut resolver = Resolver::default();
    resolver.message_index(root);
    let mut messages = Vec::new();
    // Resolving a message may append others.
    while let Some(message) = resolver.messages.get(messages.len()).cloned() {
        messages.push(resolver.message(&message));
    }
    ResolvedSchema { version: VERSION, root: 0, messages, enums: resolver.enums, origin: None }
}

#[derive(Default)]
struct Resolver {
    messages: Vec<MessageDescriptor>,
    message_indexes: HashMap<String, u32>,
    enums: Vec<ResolvedEnum>,
    enum_indexes: HashMap<String, u32>,
}

impl Resolver {
    fn message_index(&mut self, message: &MessageDescriptor) -> u32 {
        if let Some(index) = self.message_indexes.get(message.full_name()) {
            return *index;
        }
        let index = self.messages.len() as u32;
        self.message_indexes.insert(message.full_name().to_owned(), index);
        self.messages.push(message.clone());
        index
    }

    fn enum_index(&mut self, r#enum: &EnumDescriptor) -> u32 {
        if let Some(index) = self.enum_indexes.get(r#enum.full_name()) {
            return *index;
        }
        let index = self.enums.len() as u32;
        self.enum_indexes.insert(r#enum.full_name().to_owned(), index);
        // From the proto, because `values()` makes no promise about the order.
        let values = r#enum.enum_descriptor_proto().value.iter();
        let values = values.map(|value| ResolvedEnumValue {
            name: value.name().to_owned(),
            number: value.number(),
        });
        let values = values.collect();
        self.enums.push(ResolvedEnum { full_name: r#enum.full_name().to_owned(), values });
        index
    }

    fn message(&mut self, message: &MessageDescriptor) -> ResolvedMessage {
        let real: Vec<String> = message
            .oneofs()
            .filter(|oneof| !oneof.is_synthetic())
            .map(|oneof| oneof.name().to_owned())
            .collect();
        let fields = message.fields().map(|field| self.field(&field, &real)).collect();
        ResolvedMessage {
            full_name: message.full_name().to_owned(),
            fields,
            oneofs: real,
            map_entry: message.is_map_entry(),
        }
    }

    fn field(&mut self, field: &FieldDescriptor, oneofs: &[String]) -> ResolvedField {
        let proto2 = field.parent_file().syntax() == Syntax::Proto2;
        let kind = field.kind();
        let oneof = field.containing_oneof();
        let oneof_index = oneof.and_then(|oneof| {
            let index = oneofs.iter().position(|name| name == oneof.name())?;
            Some(index as u32)
        });
        ResolvedField {
            name: field.name().to_owned(),
            number: field.number(),
            kind: field_kind(field) as i32,
            repeated: field.is_list() || field.is_map(),
            has_presence: field.supports_presence(),
            required: field.is_required(),
            packed: field.is_packed(),
            // Decision 5: map keys and values are strict whatever the file says.
            strict_utf8: kind == Kind::String && (!proto2 || field.parent_message().is_map_entry()),
            // Decision 4: the file of the message that holds the field decides.
            closed_enum: kind.as_enum().is_some() && proto2,
            oneof_index,
            message_index: kind.as_message().map_or(0, |message| self.message_index(message)),
            enum_index: kind.as_enum().map_or(0, |r#enum| self.enum_index(r#enum)),
            default_value: declared_default(field),
            parameters: parameters(field),
        }
    }
}

fn field_kind(field: &FieldDescriptor) -> FieldKind {
    match field.kind() {
        Kind::Double => FieldKind::FieldDouble,
        Kind::Float => FieldKind::FieldFloat,
        Kind::Int64 => FieldKind::FieldInt64,
        Kind::Uint64 => FieldKind::FieldUint64,
        Kind::Int32 => FieldKind::FieldInt32,
        Kind::Fixed64 => FieldKind::FieldFixed64,
        Kind::Fixed32 => FieldKind::FieldFixed32,
        Kind::Bool => FieldKind::FieldBool,
        Kind::String => FieldKind::FieldString,
        Kind::Message(_) if field.is_group() => FieldKind::FieldGroup,
        Kind::Message(_) => FieldKind::FieldMessage,
        Kind::Bytes => FieldKind::FieldBytes,
        Kind::Uint32 => FieldKind::FieldUint32,
        Kind::Enum(_) => FieldKind::FieldEnum,
        Kind::Sfixed32 => FieldKind::FieldSfixed32,
        Kind::Sfixed64 => FieldKind::FieldSfixed64,
        Kind::Sint32 => FieldKind::FieldSint32,
        Kind::Sint64 => FieldKind::FieldSint64,
    }
}

/// `[default = …]` of proto2; none where the kind's own default applies.
fn declared_default(field: &FieldDescriptor) -> Option<DefaultValue> {
    field.field_descriptor_proto().default_value.as_ref()?;
    let value = match field.default_value() {
        Value::Bool(value) => default_value::Value::Integer(i64::from(value)),
        Value::I32(value) => default_value::Value::Integer(i64::from(value)),
        Value::I64(value) => default_value::Value::Integer(value),
        Value::U32(value) => default_value::Value::Integer(i64::from(value)),
        // By its bits.
        Value::U64(value) => default_value::Value::Integer(value as i64),
        Value::EnumNumber(value) => default_value::Value::Integer(i64::from(value)),
        Value::F32(value) => default_value::Value::Float32(value),
        Value::F64(value) => default_value::Value::Float64(value),
        Value::String(value) => default_value::Value::Text(value),
        Value::Bytes(value) => default_value::Value::Octets(value.to_vec()),
        Value::Message(_) | Value::List(_) | Value::Map(_) => return None,
    };
    Some(DefaultValue { value: Some(value) })
}

/// `params` of the field's `confluent.field_meta`, if the pool holds that extension.
fn parameters(field: &FieldDescriptor) -> HashMap<String, String> {
    let read = || {
        let extension = field.parent_pool().get_extension_by_name(FIELD_META)?;
        let options = field.options();
        if !options.has_extension(&extension) {
            return None;
        }
        let meta = options.get_extension(&extension);
        let params = meta.as_message()?.get_field_by_name("params")?;
        Some(params.as_map()?.iter().filter_map(pair).collect())
    };
    read().unwrap_or_default()
}

fn pair((key, value): (&MapKey, &Value)) -> Option<(String, String)> {
    match (key, value) {
        (MapKey::String(key), Value::String(value)) => Some((key.clone(), value.clone())),
        _ => None,
    }
}
