//! Random cases: a schema, a row type over it, and wire bytes.
//!
//! [`case_of`] is a pure function of a stream of numbers (see [`choices`]), so proptest, a fuzz
//! target and a plain loop share it. The proptest strategies draw one stream per part: shrinking
//! the message then leaves the schema alone.

pub mod choices;
pub mod flink;
pub mod messages;
pub mod mutations;
pub mod plain;
pub mod plans;
pub mod rows;
pub mod schemas;
pub mod well_known;
pub mod wire;

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use sluice_plan::proto::{ResolvedSchema, SqlType};

use crate::text;
use choices::Choices;

/// A schema, a row type over its root message, and the bytes of one record without frame.
#[derive(Clone)]
pub struct Case {
    /// The writer's schema.
    pub schema: ResolvedSchema,
    /// The table's row type.
    pub row: SqlType,
    /// The message.
    pub wire: Vec<u8>,
}

impl fmt::Debug for Case {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "case")?;
        writeln!(out, "{}", text::schema(&self.schema))?;
        writeln!(out, "row  {}", text::sql(&self.row))?;
        write!(out, "wire {}", text::hex(&self.wire))
    }
}

/// The case that a stream stands for, valid bytes mostly.
pub fn case_of(units: &[u32]) -> Case {
    let choices = &mut Choices::new(units);
    let schema = schemas::schema(choices);
    let row = rows::row(choices, &schema);
    let wire = messages::message(choices, &schema);
    Case { schema, row, wire }
}

fn case_of_parts(schema: &[u32], row: &[u32], message: &[u32]) -> Case {
    let schema = schemas::schema(&mut Choices::new(schema));
    let row = rows::row(&mut Choices::new(row), &schema);
    let wire = messages::message(&mut Choices::new(message), &schema);
    Case { schema, row, wire }
}

/// A stream of up to `len` numbers.
pub fn stream(len: usize) -> impl Strategy<Value = Vec<u32>> {
    vec(any::<u32>(), len / 4..=len)
}

/// Cases whose bytes are nearly always a valid message.
pub fn valid() -> impl Strategy<Value = Case> {
    (stream(300), stream(120), stream(600))
        .prop_map(|(schema, row, message)| case_of_parts(&schema, &row, &message))
}

/// Cases whose bytes were damaged.
pub fn mutated() -> impl Strategy<Value = Case> {
    (stream(200), stream(120), stream(300), stream(16)).prop_map(
        |(schema, row, message, damage)| {
            let mut case = case_of_parts(&schema, &row, &message);
            mutations::mutate(&mut Choices::new(&damage), &mut case.wire);
            case
        },
    )
}

/// Cases whose bytes never were a message: some are random, some like runs of tags and varints.
pub fn noise() -> impl Strategy<Value = Case> {
    let bytes = prop_oneof![
        vec(any::<u8>(), 0..200),
        vec(prop_oneof![0u8..0x40, 0x80u8..=0xff], 0..80),
        vec(prop_oneof![Just(0x0bu8), Just(0x0c), Just(0x0a), Just(0x80), 0u8..9], 0..300),
    ];
    (stream(200), stream(100), bytes).prop_map(|(schema, row, wire)| {
        let schema = schemas::schema(&mut Choices::new(&schema));
        let row = rows::row(&mut Choices::new(&row), &schema);
        Case { schema, row, wire }
    })
}

/// The bytes and the row type of one case in two orders each; the message means the same.
#[derive(Debug, Clone)]
pub struct Reordered {
    /// One order.
    pub case: Case,
    /// The same columns in another order.
    pub row: SqlType,
}

/// Valid cases with a second column order.
pub fn reordered() -> impl Strategy<Value = Reordered> {
    (valid(), stream(100)).prop_map(|(case, order)| {
        let row = rows::reordered(&mut Choices::new(&order), &case.row);
        Reordered { case, row }
    })
}
