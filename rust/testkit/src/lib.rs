//! Random schemas and messages, and slow obvious oracles.
//!
//! Three parts, none of which shares code with the decoder under test (only the types of
//! `proto/plan.proto` and the failure codes are common):
//!
//! ```text
//! arbitrary   choices -> ResolvedSchema + row type + wire bytes (valid, shuffled, mutated)
//! reference   bytes + ResolvedSchema -> tree -> cells -> canonical BinaryRowData bytes, or codes
//! text        schemas, row types and bytes as a person reads them, for failing cases
//! ```
//!
//! The reference follows protobuf-java 4.32.1 `DynamicMessage` and Flink 1.20.3
//! `RowDataSerializer.toBinaryRow`. Its facts were compared with these two on random cases; the
//! ones that surprise are pinned by hand-made bytes in `tests/`.
//!
//! ```
//! use sluice_testkit::{arbitrary, reference};
//!
//! let case = arbitrary::case_of(&[1, 2, 3, 4]);
//! match reference::decode(&case.schema, &case.row, &case.wire) {
//!     Ok(row) => assert_eq!(row.len() % 8, 0),
//!     Err(refusal) => assert!(refusal.codes.contains(&refusal.first)),
//! }
//! ```

pub mod arbitrary;
pub mod reference;
pub mod text;
