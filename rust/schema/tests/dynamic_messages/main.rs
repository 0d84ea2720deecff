//! A second opinion on proto3: prost-reflect's `DynamicMessage` against the codec.
//!
//! The wanted row comes from the message's values, which prost-reflect was given or has read; only
//! the order of a map's entries, which it does not keep, is the reference's. What prost-reflect
//! reads otherwise than protobuf-java is pinned in `differences` and kept out of the rest;
//! `docs/decisions/0012-oracles.md` lists it.
//!
//! `PROPTEST_CASES` raises the number of cases (256 for each property).

mod agreement;
mod differences;
mod fixed_schema;
mod proto3;
mod random_schemas;
mod values;
