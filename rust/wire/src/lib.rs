//! Protobuf wire format: varints, tags, skipping, UTF-8; no dependency, no allocation.

mod error;

pub use error::WireError;

/// Readable bytes that every reader of this crate may find behind the end of its input.
pub const SLACK: usize = 64;
