//! One record to one canonical row.

use sluice_plan::{Failure, FailureCode, Program};

use crate::{RowBuffer, Slab};

/// Scratch memory of one decoding thread: reused, so that a warm decoder allocates nothing.
#[derive(Debug, Default)]
pub struct Decoder {
    code: Option<FailureCode>,
}

impl Decoder {
    /// An empty decoder.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Appends the row of the message that starts at `message_at` of the slab's record to `rows`
    /// and returns the row's length; on failure `rows` is as before.
    pub fn decode_row(
        &mut self, program: &Program, input: &Slab, message_at: usize, rows: &mut RowBuffer,
    ) -> Result<usize, FailureCode> {
        let _ = (program, message_at, rows.reserve(0, 0), input.readable());
        self.code = Some(FailureCode::UnsupportedPlan);
        Err(FailureCode::UnsupportedPlan)
    }

    /// Detail of the last refusal; `program` must be the one that refused.
    pub fn failure(&self, program: &Program) -> Failure {
        let code = self.code.unwrap_or(FailureCode::Panic);
        let mut failure = Failure::new(code, code.to_string());
        failure.message_name = program.message_name().to_string();
        failure
    }
}
