//! Resolved schemas of small files in both syntaxes, compiled by protox.

use prost::Message;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedSchema, default_value};
use sluice_schema::SchemaError;

/// Files by import path.
struct Texts(&'static [(&'static str, &'static str)]);

impl FileResolver for Texts {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.iter().find(|file| file.0 == name) {
            Some((_, text)) => File::from_source(name, text),
            None => Err(protox::Error::file_not_found(name)),
        }
    }
}

fn resolved(files: &'static [(&'static str, &'static str)], name: &str) -> ResolvedSchema {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Texts(files));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true);
    compiler.open_file(files[0].0).expect("the text compiles");
    let set = compiler.encode_file_descriptor_set();
    let pool = sluice_schema::read_set(&set).expect("the set links");
    sluice_schema::resolve_name(&pool, name).expect("the message is there")
}

fn field<'a>(schema: &'a ResolvedSchema, message: usize, name: &str) -> &'a ResolvedField {
    let fields = &schema.messages[message].fields;
    fields.iter().find(|field| field.name == name).expect("a field of that name")
}

const PROTO3: &str = r#"
    syntax = "proto3";
    package p;
    import "google/protobuf/timestamp.proto";
    enum Color { NONE = 0; RED = 1; }
    message M {
      int32 plain = 1;
      optional int32 maybe = 2;
      oneof choice { string text = 3; M again = 4; }
      repeated sint64 packed = 5;
      repeated sint64 expanded = 6 [packed = false];
      map<string, Color> colors = 7;
      google.protobuf.Timestamp at = 8;
      Color color = 536870911;
    }
"#;

#[test]
fn proto3_has_implicit_presence_open_enums_and_strict_text() {
    let schema = resolved(&[("p.proto", PROTO3)], "p.M");
    assert_eq!((schema.version, schema.root), (1, 0));
    let names: Vec<&str> = schema.messages.iter().map(|m| m.full_name.as_str()).collect();
    assert_eq!(names, ["p.M", "p.M.ColorsEntry", "google.protobuf.Timestamp"]);
    assert!(!field(&schema, 0, "plain").has_presence);
    assert!(field(&schema, 0, "at").has_presence);
    assert!(field(&schema, 0, "text").strict_utf8);
    assert!(field(&schema, 0, "packed").packed);
    assert!(!field(&schema, 0, "expanded").packed);
    let color = field(&schema, 0, "color");
    assert_eq!((color.number, color.kind()), (536_870_911, FieldKind::FieldEnum));
    assert!(!color.closed_enum && !color.has_presence);
    let values: Vec<i32> = schema.enums[0].values.iter().map(|value| value.number).collect();
    assert_eq!(values, [0, 1]);
}

#[test]
fn synthetic_oneofs_are_left_out_and_real_ones_keep_their_members() {
    let schema = resolved(&[("p.proto", PROTO3)], "p.M");
    assert_eq!(schema.messages[0].oneofs, ["choice"]);
    let maybe = field(&schema, 0, "maybe");
    assert!(maybe.has_presence && maybe.oneof_index.is_none());
    for member in ["text", "again"] {
        let member = field(&schema, 0, member);
        assert!(member.has_presence && member.oneof_index == Some(0));
    }
    assert_eq!(field(&schema, 0, "again").message_index, 0, "recursion");
}

#[test]
fn map_fields_are_repeated_entries_with_key_and_value() {
    let schema = resolved(&[("p.proto", PROTO3)], "p.M");
    let colors = field(&schema, 0, "colors");
    assert!(colors.repeated && colors.kind() == FieldKind::FieldMessage);
    assert!(schema.messages[colors.message_index as usize].map_entry);
    assert!(field(&schema, 1, "key").strict_utf8);
    assert!(!field(&schema, 1, "value").closed_enum);
}

const PROTO2: &str = r#"
    syntax = "proto2";
    package p2;
    import "p.proto";
    enum Odd { FIVE = 5; MINUS = -1; }
    message N {
      required string name = 1 [default = "none"];
      optional Odd odd = 2 [default = MINUS];
      optional group Part = 3 { optional uint64 big = 1 [default = 18446744073709551615]; }
      map<string, string> texts = 4;
      repeated int32 run = 5;
      repeated int32 packed = 6 [packed = true];
      optional p.Color color = 7;
      optional double d = 8 [default = inf];
      optional bool b = 9 [default = true];
      optional bytes raw = 10 [default = "\001\377"];
      extensions 100 to 200;
    }
    extend N { optional int32 more = 100; }
"#;

#[test]
fn proto2_has_required_groups_closed_enums_and_lenient_text() {
    let schema = resolved(&[("p2.proto", PROTO2), ("p.proto", PROTO3)], "p2.N");
    let name = field(&schema, 0, "name");
    assert!(name.required && name.has_presence && !name.strict_utf8);
    assert!(field(&schema, 0, "odd").closed_enum);
    assert_eq!(schema.enums[0].values[0].number, 5, "declaration order");
    let part = field(&schema, 0, "part");
    assert_eq!((part.kind(), part.number), (FieldKind::FieldGroup, 3));
    assert_eq!(schema.messages[part.message_index as usize].full_name, "p2.N.Part");
    assert!(!field(&schema, 0, "run").packed && field(&schema, 0, "packed").packed);
    assert!(schema.messages[0].fields.iter().all(|field| field.name != "more"));
}

#[test]
fn the_file_of_the_holder_closes_an_enum_and_map_text_is_strict_in_proto2() {
    let schema = resolved(&[("p2.proto", PROTO2), ("p.proto", PROTO3)], "p2.N");
    assert!(field(&schema, 0, "color").closed_enum, "an open type in a proto2 message");
    let entry = field(&schema, 0, "texts").message_index as usize;
    assert!(field(&schema, entry, "key").strict_utf8 && field(&schema, entry, "value").strict_utf8);
}

#[test]
fn declared_defaults_come_along() {
    use default_value::Value;
    let schema = resolved(&[("p2.proto", PROTO2), ("p.proto", PROTO3)], "p2.N");
    let default = |message, name: &str| {
        field(&schema, message, name).default_value.clone().and_then(|default| default.value)
    };
    let part = field(&schema, 0, "part").message_index as usize;
    assert_eq!(default(0, "name"), Some(Value::Text("none".to_owned())));
    assert_eq!(default(0, "odd"), Some(Value::Integer(-1)));
    assert_eq!(default(part, "big"), Some(Value::Integer(-1)), "by its bits");
    assert_eq!(default(0, "d"), Some(Value::Float64(f64::INFINITY)));
    assert_eq!(default(0, "b"), Some(Value::Integer(1)));
    assert_eq!(default(0, "raw"), Some(Value::Octets(vec![1, 255])));
    assert_eq!(default(0, "run"), None);
}

const META: &str = r#"
    syntax = "proto3";
    package confluent;
    import "google/protobuf/descriptor.proto";
    message Meta { string doc = 1; map<string, string> params = 2; }
    extend google.protobuf.FieldOptions { Meta field_meta = 1088; }
"#;

const WITH_PARAMETERS: &str = r#"
    syntax = "proto3";
    import "confluent/meta.proto";
    message M {
      int32 a = 1 [(confluent.field_meta) = {
        params: [ { key: "connect.type", value: "int8" }, { key: "flink.version", value: "1" } ]
      }];
      int32 b = 2;
    }
"#;

#[test]
fn parameters_are_those_of_the_field_meta_option() {
    let schema = resolved(&[("m.proto", WITH_PARAMETERS), ("confluent/meta.proto", META)], "M");
    let parameters = &field(&schema, 0, "a").parameters;
    assert_eq!(parameters.len(), 2);
    assert_eq!(parameters["connect.type"], "int8");
    assert!(field(&schema, 0, "b").parameters.is_empty());
}

#[test]
fn editions_are_refused_by_the_name_of_the_file() {
    use prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};
    let file = FileDescriptorProto {
        name: Some("new/order.proto".to_owned()),
        syntax: Some("editions".to_owned()),
        ..Default::default()
    };
    let set = FileDescriptorSet { file: vec![file] }.encode_to_vec();
    let refused = sluice_schema::read_set(&set).expect_err("editions");
    assert!(matches!(&refused, SchemaError::Editions { file } if file == "new/order.proto"));
    assert!(refused.to_string().starts_with("new/order.proto uses editions"));
}

#[test]
fn other_trouble_has_its_own_kind() {
    let garbage = sluice_schema::read_set(b"\xff\xff").expect_err("no descriptor set");
    assert!(matches!(garbage, SchemaError::NoDescriptorSet { .. }));
    let pool = sluice_schema::read_set(b"").expect("an empty set links");
    let missing = sluice_schema::resolve_name(&pool, "p.None").expect_err("no such message");
    assert_eq!(missing.to_string(), "no message p.None in the descriptors");
}
