//! The reference decoder: slow, obvious, and written without a look at the fast one.
//!
//! ```text
//! parse       bytes x ResolvedSchema -> tree of values      what DynamicMessage.parseFrom does
//! cells       tree x row type        -> tree of cells       value rules D1-D14, CONFLUENT profile
//! binary_row  cells x row type       -> bytes               RowDataSerializer.toBinaryRow
//! ```
//!
//! The whole message is parsed and checked before the row type is looked at, so fields that are
//! no columns can refuse a record. The order of refusals is therefore: the first fault on the
//! wire, then a missing required field, then faults of values.

pub mod binary_row;
pub mod cells;
pub mod code;
pub mod parse;
pub mod reader;
pub mod tree;
pub mod unicode;

use std::collections::BTreeSet;

use sluice_plan::proto::{ResolvedSchema, SqlType};

/// Why the reference refuses a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Codes that a right decoder may report; more than one where several faults of values stand
    /// side by side.
    pub codes: BTreeSet<i32>,
}

impl From<i32> for Refusal {
    fn from(code: i32) -> Self {
        Refusal { codes: BTreeSet::from([code]) }
    }
}

/// The canonical row of a record without frame, or why there is none.
pub fn decode(schema: &ResolvedSchema, row: &SqlType, wire: &[u8]) -> Result<Vec<u8>, Refusal> {
    let tree = parse::parse(schema, wire)?;
    let cells = cells::row(schema, &tree, row)?;
    Ok(binary_row::row(&cells, row))
}
