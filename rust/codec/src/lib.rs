//! Decodes Protobuf records into Flink's binary rows, and encodes rows into records.
//!
//! ```text
//! row -> RowImage -> Encoder::encode(program, image, header, records) -> record bytes
//! record -> Slab -> frame::read -> Decoder::decode_row(program, slab, message_at, rows) -> row bytes
//! ```

mod decode;
mod encode;
mod fault;
pub mod frame;
mod hash_order;
mod hash_tree;
mod hold_off;
mod java_hash;
mod open_row;
mod row_buffer;
mod short_copy;
mod slab;
pub mod unframed;

pub use decode::Decoder;
pub use encode::{Encoder, RecordBuffer, RowImage};
pub use hold_off::HoldOff;
pub use row_buffer::RowBuffer;
pub use slab::Slab;

/// Seconds that a `google.protobuf.Timestamp` may have: 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;
