//! Protobuf records to Arrow columns.
//!
//! ```text
//! plan × resolved schema -> BatchDecoder;  records -> rows -> columns -> RecordBatch
//! ```
//! A record becomes the canonical binary row that the codec makes of it, and that row is spread into
//! columns. So every rule of values, of presence and of refusal is the decoder's, and a column holds
//! what Flink SQL reads. The detour costs little: rows are spread column by column while they are in
//! the cache.
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
