//! The Arrow C Data Interface: batches leave for, and come from, any other Arrow library.
//!
//! ```text
//! export   RecordBatch -> ArrowArray + ArrowSchema that the consumer allocated
//! stream   batches -> ArrowArrayStream that the consumer allocated
//! import   ArrowArray + ArrowSchema of a producer -> RecordBatch, checked
//! ```
//! Who owns what. An exported struct keeps the batch's buffers alive until its consumer releases it,
//! also when the batch and the decoder are gone. Whoever holds a struct calls its `release` once; that
//! sets `release` to null, and moving a struct does, too. arrow-rs fills the structs; ours around its
//! release is a count of what is out, and a catch, since nothing may unwind into the caller. Structs of
//! others are read by code of ours: arrow-rs trusts them.

mod export;
mod import;
pub mod structs;
mod types;

pub use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
pub use arrow_array::ffi_stream::FFI_ArrowArrayStream;
pub use export::{export_batch, export_stream, live_exports};
pub use import::import_batch;

use sluice_plan::{Failure, FailureCode};

/// Structs inside of structs that are followed: the stack is not endless.
const DEPTH_MAX: usize = 200;
/// Structs of one batch: children may be shared, so that few of them look like many.
const STRUCTS_MAX: usize = 100_000;

/// What an imported batch may claim to hold.
#[derive(Debug, Clone, Copy)]
pub struct ImportLimits {
    /// Values of an array, of the batch or inside of it.
    pub rows_max: usize,
    /// Bytes of a buffer.
    pub bytes_max: usize,
}

impl Default for ImportLimits {
    /// As far as 32-bit offsets reach.
    fn default() -> ImportLimits {
        ImportLimits { rows_max: i32::MAX as usize, bytes_max: i32::MAX as usize }
    }
}

/// What is left of the structs that may be looked at.
struct Budget {
    depth: usize,
    structs: usize,
}

impl Budget {
    fn new() -> Budget {
        Budget { depth: 0, structs: STRUCTS_MAX }
    }

    fn enter(&mut self) -> Result<(), Failure> {
        if self.depth >= DEPTH_MAX {
            return refuse("structs are nested too deeply");
        }
        self.has_room_for(1)?;
        self.depth += 1;
        self.structs -= 1;
        Ok(())
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn has_room_for(&self, count: usize) -> Result<(), Failure> {
        if count > self.structs { refuse("there are too many structs") } else { Ok(()) }
    }
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, Failure> {
    Err(Failure::new(FailureCode::MalformedRow, reason))
}
