//! The reference decoder: slow, obvious, and written without a look at the fast one.
//!
//! ```text
//! parse       bytes x ResolvedSchema -> tree of values      what DynamicMessage.parseFrom does
//! cells       tree x row type        -> tree of cells       value rules D1-D14, CONFLUENT profile
//! binary_row  cells x row type       -> bytes               RowDataSerializer.toBinaryRow
//! ```
//!
//! [`flink`] does the same for the FLINK profile.
//!
//! The whole message is parsed and checked before its values are looked at, so fields that are no
//! columns can refuse a record. Only messages that a column reads as bytes are not looked into; see
//! `opaque`.
//!
//! Which of several faults is reported is the decoder's own business: it may read a nested message
//! when it meets it or when it needs it. So the reference goes on behind a fault whose bounds are
//! known (a nested message, a packed run, a string) and collects every fault that a right decoder
//! could meet first; the one that protobuf-java reports is told apart. With one fault in a record,
//! which is the usual case, the code is definite.

pub mod binary_row;
pub mod cells;
pub mod code;
pub mod flink;
pub mod opaque;
pub mod parse;
pub mod reader;
pub mod tree;
pub mod unicode;
pub mod well_known;

use std::collections::BTreeSet;

use sluice_plan::proto::{ResolvedSchema, SqlType};

/// Why the reference refuses a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What protobuf-java reports: the first fault on the wire, else a missing required field, else
    /// the first fault of a value in column order.
    pub first: i32,
    /// Codes that a right decoder may report, `first` among them.
    pub codes: BTreeSet<i32>,
}

/// The canonical row of a record without frame, or why there is none.
pub fn decode(schema: &ResolvedSchema, row: &SqlType, wire: &[u8]) -> Result<Vec<u8>, Refusal> {
    let schema = &opaque::schema(schema, row);
    let parsed = parse::parse(schema, wire);
    let (cells, value_faults) = cells::row(schema, &parsed.tree, row);
    let mut faults = parsed.wire_faults;
    // A decoder may look into an element before it meets another fault.
    if parsed.incomplete || (parsed.element_incomplete && !faults.is_empty()) {
        faults.push(code::MISSING_REQUIRED);
    }
    if parsed.read_to_end {
        faults.extend(value_faults);
    }
    match faults.first() {
        None => Ok(binary_row::row(&cells, row)),
        Some(&first) => Err(Refusal { first, codes: faults.into_iter().collect() }),
    }
}
