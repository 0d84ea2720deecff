//! Protobuf wire format: varints, tags, skipping, UTF-8; no allocation.

mod cursor;
mod error;
pub mod leap;
pub mod quick;
mod tag;
mod utf8;

use cursor::squeeze;
pub use cursor::{Cursor, Span};
pub use error::WireError;
pub use tag::{Tag, WireType};
pub use utf8::{append_replacing, is_utf8};

/// Readable bytes that every reader of this crate may find behind the end of its input.
pub const SLACK: usize = 64;
