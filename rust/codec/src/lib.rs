//! Decodes Protobuf records into Flink's binary rows.
//!
//! ```text
//! record -> Slab -> frame::read -> Decoder::decode_row(program, slab, message_at, rows) -> row bytes
//! ```

mod decode;
pub mod frame;
mod row_buffer;
mod slab;
pub mod unframed;

pub use decode::Decoder;
pub use row_buffer::RowBuffer;
pub use slab::Slab;
