//! Programs as tables; what they do to records is tested in the codec.

use super::*;
use crate::program::{Bit, Step};
use crate::proto::{Column, FieldKind, ResolvedField, ResolvedMessage, SqlKind, SqlType};
use sluice_wire::{Tag, WireType};

fn field(name: &str, number: u32, kind: FieldKind) -> ResolvedField {
    ResolvedField { name: name.into(), number, kind: kind.into(), ..ResolvedField::default() }
}

fn schema(messages: Vec<(&str, Vec<ResolvedField>)>) -> proto::ResolvedSchema {
    let messages = messages
        .into_iter()
        .map(|(name, fields)| ResolvedMessage {
            full_name: name.into(),
            fields,
            ..ResolvedMessage::default()
        })
        .collect();
    proto::ResolvedSchema { version: 1, messages, ..proto::ResolvedSchema::default() }
}

fn compile(
    columns: &[(&str, SqlKind)], schema: &proto::ResolvedSchema,
) -> Result<Program, Failure> {
    let columns = columns
        .iter()
        .map(|(name, kind)| Column {
            name: name.to_string(),
            r#type: Some(SqlType { kind: (*kind).into(), nullable: true, ..SqlType::default() }),
        })
        .collect();
    let plan = Plan::new(proto::Plan {
        version: 1,
        body: proto::Body::Protobuf.into(),
        profile: proto::Profile::Confluent.into(),
        framing: proto::Framing::Bare.into(),
        row: Some(SqlType { kind: SqlKind::Row.into(), columns, ..SqlType::default() }),
        ..proto::Plan::default()
    })?;
    program(&plan, schema)
}

#[test]
fn operations_follow_field_numbers_and_predict_their_successor() {
    let packed =
        ResolvedField { repeated: true, packed: true, ..field("p", 3, FieldKind::FieldInt32) };
    let texts = ResolvedField { repeated: true, ..field("t", 1, FieldKind::FieldString) };
    let last = field("z", 536_870_911, FieldKind::FieldBool);
    let schema = schema(vec![("M", vec![last, packed, texts])]);
    let program = compile(&[("z", SqlKind::Boolean)], &schema).unwrap();
    let message = &program.messages[program.root as usize];
    let ops: Vec<(Tag, Step, u32)> =
        message.ops.iter().map(|op| (op.tag, op.step, op.next)).collect();
    assert_eq!(
        ops[..4],
        [
            (Tag::new(1, WireType::Length), Step::SkipLength, 0),
            (Tag::new(3, WireType::Length), Step::CheckVarints, 2),
            (Tag::new(536_870_911, WireType::Varint), Step::Bool, 4),
            (Tag::new(3, WireType::Varint), Step::SkipVarint, 3),
        ]
    );
    assert_eq!(ops[4].1, Step::Sentinel);
    assert_eq!(message.ops[2].tag_mask, 0, "a tag of 5 bytes is looked up");
    assert_eq!(message.ops[1].tag_mask, 0xff);
    assert_eq!(message.ops[2].bit, Bit::at(8));
}

#[test]
fn recursion_ends_in_one_check_program_for_each_message() {
    let inner = |name, number, index| ResolvedField {
        message_index: index,
        has_presence: true,
        ..field(name, number, FieldKind::FieldMessage)
    };
    let schema = schema(vec![
        ("A", vec![inner("a", 1, 0), inner("b", 2, 1)]),
        ("B", vec![inner("a", 1, 0), inner("b", 2, 1)]),
    ]);
    let program = compile(&[], &schema).unwrap();
    assert_eq!(program.messages.len(), 3);
}

#[test]
fn schemas_that_point_nowhere_are_refused() {
    let wrong = |change: fn(&mut proto::ResolvedSchema)| {
        let mut schema = schema(vec![("M", vec![field("a", 1, FieldKind::FieldInt32)])]);
        change(&mut schema);
        compile(&[], &schema).unwrap_err().code
    };
    assert_eq!(wrong(|schema| schema.version = 2), FailureCode::UnsupportedPlan);
    let malformed: [fn(&mut proto::ResolvedSchema); 9] = [
        |schema| schema.root = 1,
        |schema| schema.messages[0].fields[0].number = 0,
        |schema| schema.messages[0].fields[0].number = 1 << 29,
        |schema| schema.messages[0].fields[0].oneof_index = Some(0),
        |schema| schema.messages[0].fields[0].kind = FieldKind::FieldEnum.into(),
        |schema| {
            let twin = schema.messages[0].fields[0].clone();
            schema.messages[0].fields.push(twin);
        },
        |schema| schema.messages[0].fields.push(field("a", 2, FieldKind::FieldInt32)),
        |schema| schema.messages[0].oneofs = vec!["a".into()],
        |schema| schema.messages[0].oneofs = vec!["o".into(), "o".into()],
    ];
    for change in malformed {
        assert_eq!(wrong(change), FailureCode::MalformedPlan);
    }
}
