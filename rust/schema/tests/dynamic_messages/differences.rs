//! Bytes that prost-reflect reads otherwise than protobuf-java, which the codec follows.
//!
//! `docs/decisions/0012-oracles.md` lists them; should one of these tests fail after an upgrade of
//! prost-reflect, the random bytes may take one liberty more.

use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, MessageDescriptor, Value};
use sluice_plan::proto::{Column, SqlKind, SqlType};
use sluice_testkit::text::bytes;

use crate::agreement;
use crate::proto3::Files;

const FILE: &str = r#"
    syntax = "proto3";
    message M { int64 a = 1; M again = 2; double d = 3; map<int32, double> by_id = 4; }
"#;

fn root() -> MessageDescriptor {
    let pool = Files(vec![("m.proto".to_owned(), FILE.to_owned())]).link();
    pool.get_message_by_name("M").expect("a message of the file")
}

/// The column `a BIGINT` as the codec reads it, or its failure code.
fn codec(wire: &[u8]) -> Result<i64, i32> {
    let sql = |kind| SqlType { kind: kind as i32, nullable: true, ..SqlType::default() };
    let column = Column { name: "a".to_owned(), r#type: Some(sql(SqlKind::Bigint)) };
    let row = SqlType { columns: vec![column], ..sql(SqlKind::Row) };
    let row = agreement::decode(&sluice_schema::resolve(&root()), &row, wire)?;
    Ok(i64::from_le_bytes(row[8..16].try_into().expect("a slot of eight bytes")))
}

/// The field `a` as prost-reflect reads it, or nothing.
fn prost_reflect(wire: &[u8]) -> Option<i64> {
    let message = DynamicMessage::decode(root(), wire).ok()?;
    message.get_field_by_name("a")?.as_i64()
}

#[test]
fn a_known_field_of_another_wire_type_is_unknown_not_wrong() {
    let wire = bytes("0807 0901000000 00000000"); // a = 7, then field 1 as eight bytes
    assert_eq!((codec(&wire), prost_reflect(&wire)), (Ok(7), None));
}

#[test]
fn the_bits_of_a_tag_or_length_beyond_32_are_dropped_not_wrong() {
    for wire in ["888080808010 07", "0807 2a8080808010"] {
        let wire = bytes(wire);
        assert_eq!((codec(&wire), prost_reflect(&wire)), (Ok(7), None));
    }
}

#[test]
fn a_tenth_byte_of_a_varint_sets_the_sign_whatever_it_is() {
    let wire = bytes("08 87808080808080808000");
    assert_eq!((codec(&wire), prost_reflect(&wire)), (Ok(7 | i64::MIN), Some(7)));
    let wire = bytes("08 87808080808080808002");
    assert_eq!((codec(&wire), prost_reflect(&wire)), (Ok(7 | i64::MIN), None));
}

#[test]
fn more_than_a_hundred_levels_are_read() {
    let levels = |count| {
        (0..count).fold(vec![], |inner, _| {
            let message = DynamicMessage::decode(root(), &inner[..]).expect("a message");
            let mut outer = DynamicMessage::new(root());
            outer.set_field_by_name("again", Value::Message(message));
            outer.encode_to_vec()
        })
    };
    let (hundred, more) = (levels(100), levels(101));
    assert_eq!((codec(&hundred), prost_reflect(&hundred)), (Ok(0), Some(0)));
    assert_eq!((codec(&more), prost_reflect(&more)), (Err(107), Some(0)));
}

#[test]
fn a_negative_zero_counts_as_absent() {
    let mut message = DynamicMessage::new(root());
    message.set_field_by_name("d", Value::F64(-0.0));
    let pair = (prost_reflect::MapKey::I32(1), Value::F64(-0.0));
    message.set_field_by_name("by_id", Value::Map([pair].into()));
    assert!(!message.has_field_by_name("d"));
    assert_eq!(message.encode_to_vec(), bytes("2202 0801"), "an entry without its value");
    let read =
        DynamicMessage::decode(root(), &bytes("19 0000000000000080")[..]).expect("a message");
    let kept = read.get_field_by_name("d").and_then(|d| d.as_f64()).expect("a field");
    assert!(!read.has_field_by_name("d") && kept.is_sign_negative());
}
