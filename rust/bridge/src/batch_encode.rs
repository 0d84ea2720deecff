//! What the handle of a batch encoder stands for: the encoder of one schema, and the records of its last
//! batch.

use prost::Message;
use sluice_arrow::c_data::{FFI_ArrowArray, FFI_ArrowSchema, ImportLimits, import_batch};
use sluice_arrow::{BatchEncoder, EncodedBatch};
use sluice_plan::{Failure, FailureCode, Plan, proto};

use crate::batch::refused_proto;
use crate::program_cache;

/// See the module.
pub struct BatchEncodeSession {
    encoder: BatchEncoder,
    encoded: EncodedBatch,
    written: u64,
    told: Option<Failure>,
}

impl BatchEncodeSession {
    /// Reads a plan and compiles its program for a serialized `ResolvedSchema`.
    pub fn open(plan: &[u8], schema: &[u8], header: &[u8]) -> Result<BatchEncodeSession, Failure> {
        let plan = Plan::read(plan)?;
        let encoder = BatchEncoder::new(&plan, &program_cache::read(schema)?, header)?;
        let encoded = EncodedBatch::default();
        Ok(BatchEncodeSession { encoder, encoded, written: 0, told: None })
    }

    /// Encodes the rows from `from` on of the batch in these structs, which are moved out and released
    /// before this returns.
    ///
    /// # Safety
    /// As of `import_batch`.
    pub unsafe fn encode(
        &mut self, array: *mut FFI_ArrowArray, schema: *mut FFI_ArrowSchema, from: usize,
    ) -> Result<(), FailureCode> {
        self.encoded = EncodedBatch::default();
        // SAFETY: the caller's promise.
        let imported = unsafe { import_batch(array, schema, ImportLimits::default()) };
        let encoded = imported.and_then(|batch| {
            let from = from.min(batch.num_rows());
            self.encoder.encode(&batch.slice(from, batch.num_rows() - from))
        });
        match encoded {
            Ok(encoded) => {
                self.written += encoded.offsets.len().saturating_sub(1) as u64;
                self.encoded = encoded;
                Ok(())
            }
            Err(failure) => {
                let code = failure.code;
                self.told = Some(failure);
                Err(code)
            }
        }
    }

    /// The records of the last batch, one behind the other.
    pub fn slab(&self) -> &[u8] {
        &self.encoded.slab
    }

    /// Where each record begins and the last one ends; fewer than 2^31 bytes, as a plan's limits say.
    pub fn offsets(&self) -> Vec<i32> {
        self.encoded.offsets.iter().map(|end| *end as i32).collect()
    }

    /// Rows without record, as a serialized `BatchDescription`.
    pub fn description(&self) -> Vec<u8> {
        let description = proto::BatchDescription {
            refused: self.encoded.refused.iter().map(refused_proto).collect(),
            consumed: self.encoded.consumed as u32,
            ..Default::default()
        };
        description.encode_to_vec()
    }

    /// Records made so far.
    pub fn records(&self) -> u64 {
        self.written
    }

    /// Detail of the last refusal, which had this code.
    pub fn failure(&self, code: FailureCode) -> Failure {
        let told = self.told.clone().filter(|failure| failure.code == code);
        told.unwrap_or_else(|| Failure::new(code, code.to_string()))
    }
}
