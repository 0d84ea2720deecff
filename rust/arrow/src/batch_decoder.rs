//! Records to batches, for people who use the crates without Java.

use std::collections::HashMap;

use arrow_schema::SchemaRef;
use sluice_codec::frame::{self, SchemaKey};
use sluice_codec::{Decoder, Slab};
use sluice_plan::proto::{Framing, ResolvedSchema};
use sluice_plan::{Failure, FailureCode, Plan, Program};

use crate::{BatchBuilder, DecodedBatch, TableSchema};

/// Decodes records of one table into batches. Reused: it keeps its scratch memory.
///
/// Records without frame are messages of the one schema it was made for. Records with a frame are
/// messages of whichever schema their frame names and [`BatchDecoder::add_schema`] has told; others are
/// refused as `unknown-schema`, and may be handed in again once it is told.
#[derive(Debug)]
pub struct BatchDecoder {
    plan: Plan,
    table: TableSchema,
    programs: Vec<Program>,
    by_frame: HashMap<(SchemaKey, Vec<i32>), usize>,
    is_framed: bool,
    slab: Slab,
    decoder: Decoder,
    builder: BatchBuilder,
}

impl BatchDecoder {
    /// A decoder of the plan's table. `schema` is what records without frame are written in; for others
    /// it only says which columns of text are enums, and so dictionaries.
    pub fn new(plan: &Plan, schema: &ResolvedSchema) -> Result<BatchDecoder, Failure> {
        let program = Program::compile(plan, schema)?;
        let table = TableSchema::new(plan, Some(&program))?;
        Ok(BatchDecoder {
            builder: BatchBuilder::new(plan, &table)?,
            plan: plan.clone(),
            table,
            programs: vec![program],
            by_frame: HashMap::new(),
            is_framed: plan.framing() == Framing::Registry,
            slab: Slab::new(),
            decoder: Decoder::new(),
        })
    }

    /// Tells what the records are written in whose frame has this key and these message indexes.
    pub fn add_schema(
        &mut self, key: SchemaKey, indexes: &[i32], schema: &ResolvedSchema,
    ) -> Result<(), Failure> {
        self.programs.push(Program::compile(&self.plan, schema)?);
        self.by_frame.insert((key, indexes.to_vec()), self.programs.len() - 1);
        Ok(())
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        self.table.schema()
    }

    /// Records that could not go straight from the wire to columns when that was tried, faulty ones included.
    pub fn given_up(&self) -> u64 {
        self.builder.given_up()
    }

    /// Decodes records until all are read or the batch is full: `consumed` says how many were.
    pub fn decode<R: AsRef<[u8]>>(&mut self, records: &[R]) -> Result<DecodedBatch, Failure> {
        self.decode_some(records.len(), |index| records[index].as_ref())
    }

    /// Decodes the records between `offsets` of `slab`, as [`BatchDecoder::decode`] does: one less than
    /// there are offsets.
    pub fn decode_slab(&mut self, slab: &[u8], offsets: &[usize]) -> Result<DecodedBatch, Failure> {
        let rises = offsets.is_sorted();
        if !rises || offsets.last().is_some_and(|last| *last > slab.len()) {
            let reason = "offsets must rise, and end inside the slab";
            return Err(Failure::new(FailureCode::Truncated, reason));
        }
        let count = offsets.len().saturating_sub(1);
        self.decode_some(count, |index| &slab[offsets[index]..offsets[index + 1]])
    }

    fn decode_some<'a>(
        &mut self, count: usize, record: impl Fn(usize) -> &'a [u8],
    ) -> Result<DecodedBatch, Failure> {
        for index in 0..count {
            match self.decode_one(index, record(index)) {
                Ok(true) => {}
                Ok(false) => return self.builder.take(index),
                Err(failure) => self.builder.refuse(index, failure),
            }
        }
        self.builder.take(count)
    }

    fn decode_one(&mut self, index: usize, record: &[u8]) -> Result<bool, Failure> {
        let max = self.plan.limits().record_bytes_max;
        if record.len() > max {
            let reason = format!("the record has {} bytes, the limit is {max}", record.len());
            return Err(Failure::new(FailureCode::RecordTooLarge, reason));
        }
        let (at, message_at) = self.find(record)?;
        let program = &self.programs[at];
        self.slab.space(record.len()).copy_from_slice(record);
        self.builder
            .decode(&mut self.decoder, program, &self.slab, message_at, index)
            .map_err(|_| self.decoder.failure(program))
    }

    /// The program of a record, and where its message begins.
    fn find(&self, record: &[u8]) -> Result<(usize, usize), Failure> {
        if !self.is_framed {
            return Ok((0, 0));
        }
        let frame = frame::read(record)?;
        match self.by_frame.get(&(frame.key, frame.indexes)) {
            Some(at) => Ok((*at, frame.message_at)),
            None => {
                let code = FailureCode::UnknownSchema;
                Err(Failure::new(code, code.to_string()))
            }
        }
    }
}
