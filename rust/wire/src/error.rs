//! What can be wrong with bytes that should be a Protobuf message.

use std::fmt;

/// A fault of the wire format. Small, so that it travels through hot loops in a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WireError {
    /// The bytes end inside a field, or a length is negative or leaves its message.
    Truncated,
    /// A varint has no end within 10 bytes.
    MalformedVarint,
    /// A tag has field number 0.
    InvalidTag,
    /// A tag has wire type 6 or 7.
    InvalidWireType,
    /// A group has no matching end, or an end has no group.
    EndGroupMismatch,
    /// Groups are nested more deeply than allowed.
    TooDeep,
}

impl fmt::Display for WireError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            WireError::Truncated => "the bytes end inside a field",
            WireError::MalformedVarint => "a varint has no end within 10 bytes",
            WireError::InvalidTag => "a tag has field number 0",
            WireError::InvalidWireType => "a tag has wire type 6 or 7",
            WireError::EndGroupMismatch => "a group has no matching end",
            WireError::TooDeep => "groups are nested too deeply",
        })
    }
}

impl std::error::Error for WireError {}
