//! Batches to records.
//!
//! ```text
//! RecordBatch ─► sources ─► row image ─► Encoder ─► records, one behind the other
//! ```
//! A row is laid out as Flink would lay it out, and goes the way of Flink's rows from there: all rules of
//! writing, of NULL and of refusal are the encoder's.

use arrow_array::RecordBatch;
use sluice_codec::{Encoder, RecordBuffer, RowImage};
use sluice_plan::proto::ResolvedSchema;
use sluice_plan::{EncodeProgram, Failure, Plan};

use crate::RefusedRecord;
use crate::rows::write::Image;
use crate::rows::{Source, bind_row};

/// What some rows became.
#[derive(Debug, Default)]
pub struct EncodedBatch {
    /// The records, one behind the other.
    pub slab: Vec<u8>,
    /// Where each record begins, and where the last one ends.
    pub offsets: Vec<usize>,
    /// Rows that have no record because they were refused, by index.
    pub refused: Vec<RefusedRecord>,
    /// How many rows were looked at: all, unless the slab was full before. Slice the batch from here on
    /// for the next call.
    pub consumed: usize,
}

impl EncodedBatch {
    /// The records.
    pub fn records(&self) -> impl Iterator<Item = &[u8]> {
        self.offsets.windows(2).map(|ends| &self.slab[ends[0]..ends[1]])
    }
}

/// Encodes batches of one table. Reused: it keeps its scratch memory.
#[derive(Debug)]
pub struct BatchEncoder {
    plan: Plan,
    program: EncodeProgram,
    header: Vec<u8>,
    bytes: Vec<u8>,
    image: RowImage,
    encoder: Encoder,
    records: RecordBuffer,
}

impl BatchEncoder {
    /// An encoder of the plan's rows into the schema's root message. Each record begins with `header`:
    /// the frame, or nothing.
    pub fn new(
        plan: &Plan, schema: &ResolvedSchema, header: &[u8],
    ) -> Result<BatchEncoder, Failure> {
        Ok(BatchEncoder {
            program: EncodeProgram::compile(plan, schema)?,
            plan: plan.clone(),
            header: header.to_vec(),
            bytes: Vec::new(),
            image: RowImage::default(),
            encoder: Encoder::new(),
            records: RecordBuffer::default(),
        })
    }

    /// Encodes the rows of a batch whose columns are those of the table, in any order. A column that
    /// one of them lacks, or of another type, is an error; a row that is refused is told by its index.
    pub fn encode(&mut self, batch: &RecordBatch) -> Result<EncodedBatch, Failure> {
        let columns = bind_row(batch.schema().fields(), batch.columns(), self.plan.row(), "")?;
        let slab_bytes_max = self.plan.limits().batch_bytes_max;
        let mut encoded = EncodedBatch { offsets: vec![0], ..EncodedBatch::default() };
        for index in 0..batch.num_rows() {
            match self.encode_row(&columns, index) {
                Err(failure) => encoded.refused.push(RefusedRecord { index, failure }),
                Ok(()) => {
                    let record = self.records.record();
                    if !encoded.slab.is_empty()
                        && record.len() > slab_bytes_max.saturating_sub(encoded.slab.len())
                    {
                        return Ok(encoded);
                    }
                    encoded.slab.extend_from_slice(record);
                    encoded.offsets.push(encoded.slab.len());
                }
            }
            encoded.consumed = index + 1;
        }
        Ok(encoded)
    }

    fn encode_row(&mut self, columns: &[Source], index: usize) -> Result<(), Failure> {
        self.bytes.clear();
        let bytes_max = self.plan.limits().batch_bytes_max;
        let mut image = Image { bytes: &mut self.bytes, bytes_max };
        image.row(columns, index).map_err(|fault| Failure {
            field_path: fault.path(),
            message_name: self.program.message_name().to_string(),
            ..Failure::new(fault.code, fault.code.to_string())
        })?;
        self.image.space(self.bytes.len()).copy_from_slice(&self.bytes);
        self.encoder
            .encode(&self.program, &mut self.image, &self.header, &mut self.records)
            .map(|_| ())
            .map_err(|_| self.encoder.failure(&self.program))
    }
}
