//! Cases of many plain fields of which few are set: what a decoder does not guess at.

use proptest::prelude::*;
use sluice_plan::proto::{ResolvedMessage, ResolvedSchema, SqlType};

use super::choices::Choices;
use super::flink::FlinkCase;
use super::{Case, flink, messages, mutations, rows, schemas, stream};
use crate::reference::flink::Flags;

/// Cases whose bytes are nearly always a valid message.
pub fn valid() -> impl Strategy<Value = Case> {
    (stream(200), stream(120), stream(200))
        .prop_map(|(schema, row, message)| case(&schema, &row, &message))
}

/// Cases whose bytes were damaged.
pub fn mutated() -> impl Strategy<Value = Case> {
    (valid(), stream(16)).prop_map(|(mut case, damage)| {
        mutations::mutate(&mut Choices::new(&damage), &mut case.wire);
        case
    })
}

/// The same in the FLINK profile, damaged ones among them.
pub fn of_flink() -> impl Strategy<Value = FlinkCase> {
    (stream(200), stream(120), stream(200), stream(16)).prop_map(
        |(schema, row, message, damage)| {
            let schema = self::schema(&mut Choices::new(&schema));
            let choices = &mut Choices::new(&row);
            let row = flink::row(choices, &schema);
            let row = in_field_order(choices, row);
            let read_defaults = choices.once_in(3);
            let read_simple_defaults = read_defaults || choices.once_in(2);
            let flags = Flags { read_defaults, read_simple_defaults };
            let mut wire = messages::message(&mut Choices::new(&message), &schema);
            let choices = &mut Choices::new(&damage);
            if choices.once_in(3) {
                mutations::mutate(choices, &mut wire);
            }
            FlinkCase { case: Case { schema, row, wire }, flags }
        },
    )
}

fn case(schema: &[u32], row: &[u32], message: &[u32]) -> Case {
    let schema = self::schema(&mut Choices::new(schema));
    let choices = &mut Choices::new(row);
    let row = rows::row(choices, &schema);
    let row = in_field_order(choices, row);
    let wire = messages::message(&mut Choices::new(message), &schema);
    Case { schema, row, wire }
}

/// One message, whose field numbers grow by one or leave some out.
fn schema(choices: &mut Choices<'_>) -> ResolvedSchema {
    let enums = vec![schemas::resolved_enum(choices, 0)];
    let mut schema = ResolvedSchema { version: 1, enums, ..ResolvedSchema::default() };
    let mut number = 0;
    let fields = (0..16 + choices.index(30)).map(|_| {
        number += if choices.mostly(3) { 1 } else { 1 + choices.below(20) };
        let mut field = schemas::plain_field(choices, &schema);
        field.number = number;
        field.name = format!("f{number}");
        field
    });
    let fields = fields.collect();
    let full_name = "pkg.Plain".to_owned();
    schema.messages = vec![ResolvedMessage { full_name, fields, ..ResolvedMessage::default() }];
    schema
}

/// Columns in the order of their fields, mostly.
fn in_field_order(choices: &mut Choices<'_>, mut row: SqlType) -> SqlType {
    if choices.mostly(8) {
        let number = |name: &str| name.strip_prefix('f').and_then(|name| name.parse::<u32>().ok());
        row.columns.sort_by_key(|column| number(&column.name));
    }
    row
}
