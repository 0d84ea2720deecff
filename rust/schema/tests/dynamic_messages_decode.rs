//! What prost-reflect encodes, the codec decodes to the values that went in.
//!
//! A second opinion beside the reference parser: random `DynamicMessage`s of a proto3 file are
//! encoded by prost-reflect; the wanted row comes from the message's values, not from its bytes.

use proptest::prelude::*;
use prost_reflect::prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MapKey, ReflectMessage, Value,
};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Plan, Program};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{self, plans, rows};
use sluice_testkit::reference::tree::{self, Tree};
use sluice_testkit::reference::{self, binary_row, cells};
use sluice_testkit::text;

const SHOP: &str = r#"
    syntax = "proto3";
    package shop;
    import "google/protobuf/timestamp.proto";
    enum State { NEW = 0; PAID = 1; REFUNDED = 5; GONE = -1; }
    message Order {
      int64 id = 1;
      optional string note = 2;
      repeated Line line = 3;
      map<string, Line> by_sku = 4;
      map<int32, State> states = 5;
      State state = 6;
      google.protobuf.Timestamp at = 7;
      oneof payment { Card card = 8; string voucher = 9; State waived = 10; }
      repeated google.protobuf.Timestamp seen = 11;
      message Card { fixed64 number = 1; uint32 month = 2; bool valid = 3; }
    }
    message Line { string sku = 1; sint32 count = 2; double price = 3; repeated Line parts = 4; }
    message Scalars {
      double a = 1; float b = 2; int32 c = 3; int64 d = 4; uint32 e = 5; uint64 f = 6;
      sint32 g = 7; sint64 h = 8; fixed32 i = 9; fixed64 j = 10; sfixed32 k = 11;
      sfixed64 l = 12; bool m = 13; string n = 14; bytes o = 15; State p = 16;
      optional double q = 17; optional bytes r = 2047; optional State s = 536870911;
    }
    message Lists {
      repeated double a = 1; repeated float b = 2; repeated int32 c = 3; repeated int64 d = 4;
      repeated uint32 e = 5; repeated uint64 f = 6; repeated sint32 g = 7; repeated bool h = 8;
      repeated string i = 9; repeated bytes j = 10; repeated State k = 11;
      repeated fixed32 l = 12 [packed = false]; repeated sint64 m = 13 [packed = false];
      map<bool, bytes> n = 14; map<uint64, double> o = 15; map<string, string> p = 16;
    }
"#;

/// The one file, by its text.
struct Shop;

impl FileResolver for Shop {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "shop.proto" => File::from_source(name, SHOP),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn pool() -> DescriptorPool {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Shop);
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true).open_file("shop.proto").expect("the text compiles");
    sluice_schema::read_set(&compiler.encode_file_descriptor_set()).expect("the set links")
}

fn random_message(choices: &mut Choices<'_>, message: &mut DynamicMessage, depth: u32) {
    if message.descriptor().full_name() == "google.protobuf.Timestamp" {
        let seconds = choices.below(u32::MAX) as i64 * 100 - 60_000_000_000;
        message.set_field_by_number(1, Value::I64(seconds));
        message.set_field_by_number(2, Value::I32(choices.below(1_000_000_000) as i32));
        return;
    }
    for field in message.descriptor().fields().collect::<Vec<_>>() {
        if choices.once_in(3) || depth > 3 {
            continue;
        }
        let count = choices.below(5);
        let value = if field.is_map() {
            let Kind::Message(entry) = field.kind() else { unreachable!("a map entry") };
            let pairs = (0..count).map(|_| {
                let key = random_value(choices, &entry.map_entry_key_field(), depth);
                let value = random_value(choices, &entry.map_entry_value_field(), depth);
                (map_key(key), value)
            });
            // One entry at most where the order of a HashMap would show.
            Value::Map(pairs.take(1).collect())
        } else if field.is_list() {
            Value::List((0..count).map(|_| random_value(choices, &field, depth)).collect())
        } else {
            random_value(choices, &field, depth)
        };
        message.set_field(&field, value);
    }
}

fn random_value(choices: &mut Choices<'_>, field: &FieldDescriptor, depth: u32) -> Value {
    // No negative zero: prost-reflect takes it for the default and leaves it out of map entries,
    // where protobuf-java would write it.
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
            random_message(choices, &mut message, depth + 1);
            Value::Message(message)
        }
    }
}

fn map_key(value: Value) -> MapKey {
    match value {
        Value::Bool(key) => MapKey::Bool(key),
        Value::I32(key) => MapKey::I32(key),
        Value::U64(key) => MapKey::U64(key),
        Value::String(key) => MapKey::String(key),
        other => unreachable!("{other:?} is no key of this file"),
    }
}

/// The message's values in the reference's form.
fn tree(message: &DynamicMessage) -> Tree {
    let mut tree = Tree::default();
    for (field, value) in message.fields() {
        let values = match value {
            Value::List(values) => values.iter().map(leaf).collect(),
            Value::Map(pairs) => pairs
                .iter()
                .map(|(key, value)| {
                    let fields = [(1, vec![leaf(&key.clone().into())]), (2, vec![leaf(value)])];
                    tree::Value::Message(Tree { fields: fields.into() })
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

proptest! {
    /// Values in, values out.
    #[test]
    fn values_come_back(
        name in prop::sample::select(vec!["shop.Order", "shop.Scalars", "shop.Lists"]),
        columns in arbitrary::stream(80),
        values in arbitrary::stream(300),
    ) {
        let pool = pool();
        let descriptor = pool.get_message_by_name(name).expect("a message of the file");
        let schema = sluice_schema::resolve(&descriptor);
        let row = rows::row(&mut Choices::new(&columns), &schema);
        let mut message = DynamicMessage::new(descriptor);
        random_message(&mut Choices::new(&values), &mut message, 0);
        let wire = message.encode_to_vec();

        let plan = Plan::read(&plans::confluent(&row).encode_to_vec()).expect("the plan is read");
        let program = match Program::compile(&plan, &schema) {
            Ok(program) => program,
            Err(failure) => return Err(TestCaseError::fail(failure.to_string())),
        };
        let mut rows = RowBuffer::default();
        let outcome = Decoder::new().decode_row(&program, &Slab::of(&wire), 0, &mut rows);

        // Only the values can be at fault: NULL in a NOT NULL column.
        let (cells, faults) = cells::row(&schema, &tree(&message), &row);
        let context =
            format!("{}\n{}\n{}", text::schema(&schema), text::sql(&row), text::hex(&wire));
        match outcome {
            Ok(_) => {
                prop_assert!(faults.is_empty(), "{:?} {}", faults, context);
                let wanted = binary_row::row(&cells, &row);
                prop_assert_eq!(text::hex(rows.rows()), text::hex(&wanted), "{}", context);
                prop_assert_eq!(reference::decode(&schema, &row, &wire), Ok(wanted), "{}", context);
            }
            Err(code) => prop_assert!(faults.contains(&code.number()), "{} {}", code, context),
        }
    }
}
