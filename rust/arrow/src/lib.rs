//! Protobuf records to Arrow columns.
//!
//! ```text
//! plan × resolved schema -> BatchDecoder;  records -> columns -> RecordBatch
//!                                          records -> rows ----^
//! ```
//! A column holds what Flink SQL reads: every rule of values, of presence and of refusal is the decoder's.
//! The usual record goes straight from the wire to columns; whatever is not usual, faults included, becomes
//! the canonical binary row that the codec makes of it, and rows are spread into columns.
//!
//! Buffers are aligned for SIMD (64 bytes at least), and offsets of arrays are 0.

mod batch_builder;
mod batch_decoder;
mod batch_encoder;
pub mod c_data;
mod columns;
mod enum_columns;
mod rows;
mod table_schema;

pub use batch_builder::{BatchBuilder, DecodedBatch, RefusedRecord};
pub use batch_decoder::BatchDecoder;
pub use batch_encoder::{BatchEncoder, EncodedBatch};
pub use table_schema::TableSchema;
