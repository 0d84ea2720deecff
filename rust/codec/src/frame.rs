//! The registry frame in front of a record: magic byte, schema id or GUID, message indexes.

use sluice_plan::Failure;

/// What the writer schema is registered under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaKey {
    /// Magic byte 0: a signed 32-bit id.
    Id(i32),
    /// Magic byte 1: the 16 bytes of a GUID, in the order of its text.
    Guid([u8; 16]),
}

/// A frame that was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// What the writer schema is registered under.
    pub key: SchemaKey,
    /// Path of the message from the top of the file; never empty.
    pub indexes: Vec<i32>,
    /// Where the message bytes begin.
    pub message_at: usize,
}

/// Reads the frame of `record`.
pub fn read(record: &[u8]) -> Result<Frame, Failure> {
    let _ = record;
    Err(Failure::new(sluice_plan::FailureCode::BadFrame, "frames are not built yet"))
}
