//! What the handle of a batch decoder stands for: a decoder as for single records, and the batch that
//! grows.
//!
//! ```text
//! slab, offsets ─► session, record by record ─► batch builder ─► Batch (a handle of its own)
//!                     │ unknown schema: 501, Java adds it and goes on from `position`
//! ```

use prost::Message;
use sluice_arrow::{BatchBuilder, TableSchema};
use sluice_plan::{Failure, FailureCode, Plan, Program, proto};

use crate::batch::Batch;
use crate::program_cache;
use crate::session::Session;

/// See the module.
pub struct BatchSession {
    session: Session,
    builder: BatchBuilder,
    /// Records of the batch that were looked at.
    position: usize,
}

impl BatchSession {
    /// Reads a plan. A serialized `ResolvedSchema`, which may be empty, says which columns of text are
    /// enums where the plan brings none along.
    pub fn open(plan: Vec<u8>, schema: &[u8]) -> Result<BatchSession, Failure> {
        let mut session = Session::open(plan)?;
        let plan: Plan = session.plan().clone();
        let table = match session.fixed_program() {
            Some(program) => TableSchema::new(&plan, Some(program.get()))?,
            None if schema.is_empty() => TableSchema::new(&plan, None)?,
            None => {
                let program = Program::compile(&plan, &program_cache::read(schema)?)?;
                TableSchema::new(&plan, Some(&program))?
            }
        };
        let builder = BatchBuilder::new(&plan, &table)?;
        Ok(BatchSession { session, builder, position: 0 })
    }

    /// Adds the records between `offsets`, from index `from` on, until the batch is full: how many were
    /// looked at. Where a record's schema is not known, the code says so, and the position where.
    pub fn decode(
        &mut self, slab: &[u8], offsets: &[i32], from: usize,
    ) -> Result<usize, FailureCode> {
        let count = offsets.len().saturating_sub(1);
        for index in from..count {
            self.position = index;
            let record = usize::try_from(offsets[index])
                .ok()
                .zip(usize::try_from(offsets[index + 1]).ok())
                .and_then(|(begin, end)| slab.get(begin..end))
                .ok_or(FailureCode::Truncated)?;
            match self.decode_one(record, index) {
                Ok(true) => {}
                Ok(false) => return Ok(index),
                Err(FailureCode::UnknownSchema) => return Err(FailureCode::UnknownSchema),
                Err(FailureCode::OtherMessage) => self.builder.skip(index),
                Err(code) => self.builder.refuse(index, self.session.failure(code)),
            }
        }
        self.position = count;
        Ok(count)
    }

    fn decode_one(&mut self, record: &[u8], index: usize) -> Result<bool, FailureCode> {
        self.session.space(record.len())?.copy_from_slice(record);
        self.session.decode_into(&mut self.builder, index)
    }

    /// Records of the batch that were looked at.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The batch so far; the next one begins.
    pub fn take(&mut self) -> Result<Batch, Failure> {
        let position = std::mem::take(&mut self.position);
        Batch::new(self.builder.take(position)?)
    }

    /// As for single records.
    pub fn add_schema(&mut self, header: &[u8], schema: &[u8]) -> Result<(), FailureCode> {
        self.session.add_schema(header, schema)
    }

    /// Rows made so far.
    pub fn records(&self) -> u64 {
        self.session.records()
    }

    /// Detail of the last refusal, which had this code.
    pub fn failure(&self, code: FailureCode) -> Failure {
        self.session.failure(code)
    }
}

/// The row type of a serialized `ResolvedSchema`, as a serialized `SqlType`.
pub fn infer_row(schema: &[u8]) -> Result<Vec<u8>, Failure> {
    let row: proto::SqlType = sluice_plan::infer::row_type(&program_cache::read(schema)?)?;
    Ok(row.encode_to_vec())
}
