//! Rows to one batch.
//!
//! ```text
//! record ─► columns ─► RecordBatch                     the usual record
//! record ─► Decoder ─► rows that wait (64 KiB) ─► columns   any other
//! ```
//! Rows wait until there are enough of them that each column is appended to in one tight loop, and few
//! enough that their images are still in the cache.
//!
//! Memory. The columns of a batch take at most the plan's `batch_bytes_max`, one row excepted, as an
//! image byte becomes two bytes of a column at most (a compact decimal); with NULL rows in arrays, which
//! take more room in columns than in images, one load of waiting rows more.

use arrow_array::{RecordBatch, RecordBatchOptions};
use sluice_codec::{Decoder, HoldOff, RowBuffer, Slab};
use sluice_plan::{Failure, FailureCode, Plan, Program};
use sluice_wire::Span;

use crate::TableSchema;
use crate::columns::nested::Struct;
use crate::columns::wire::{GivenUp, WireProgram};
use crate::columns::{Fault, Scratch, Spread, malformed};

/// Bytes of row images that wait at most, the last row excepted.
const WAITING_BYTES: usize = 64 << 10;
/// Rows that wait at most.
const WAITING_ROWS: usize = 1024;
/// How many bytes of a column come from one of an image, at most.
const COLUMN_PER_IMAGE: usize = 2;

/// What some records became.
#[derive(Debug)]
pub struct DecodedBatch {
    /// The rows, in the order of their records.
    pub batch: RecordBatch,
    /// Records that have no row because they were refused, by index.
    pub refused: Vec<RefusedRecord>,
    /// Indexes of records that have no row because the plan does not ask for their message.
    pub skipped: Vec<usize>,
    /// How many records were looked at: all, unless the batch was full before.
    pub consumed: usize,
}

/// Why a record has no row, or a row no record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRecord {
    /// Which of those that were handed in.
    pub index: usize,
    /// Code, path and place.
    pub failure: Failure,
}

/// See the module.
#[derive(Debug)]
pub struct BatchBuilder {
    table: TableSchema,
    columns: Struct,
    /// Images of the rows that wait, where each begins, and which record it was.
    waiting: RowBuffer,
    bases: Vec<u32>,
    indexes: Vec<usize>,
    scratch: Scratch,
    row_count: usize,
    bytes: usize,
    bytes_max: usize,
    row_bytes: usize,
    refused: Vec<RefusedRecord>,
    skipped: Vec<usize>,
    /// Short ways, the last one that was taken in front; `None` for programs that have none.
    ways: Vec<(u64, Option<WireProgram>)>,
    hold_off: HoldOff,
}

/// Short ways that are kept: a topic has few schemas at a time.
const WAYS: usize = 16;

impl BatchBuilder {
    /// An empty batch of the plan's rows.
    pub fn new(plan: &Plan, table: &TableSchema) -> Result<BatchBuilder, Failure> {
        let columns = Struct::new(table.schema().fields(), table.row(), "")?;
        Ok(BatchBuilder {
            row_bytes: columns.width(),
            columns,
            table: table.clone(),
            waiting: RowBuffer::with_capacity(WAITING_BYTES),
            bases: Vec::with_capacity(WAITING_ROWS),
            indexes: Vec::with_capacity(WAITING_ROWS),
            scratch: Scratch::default(),
            row_count: 0,
            bytes: 0,
            bytes_max: plan.limits().batch_bytes_max,
            refused: Vec::new(),
            skipped: Vec::new(),
            ways: Vec::new(),
            hold_off: HoldOff::default(),
        })
    }

    /// Adds the row of record `index`, which is the one in `slab`. False if the batch is full: it must
    /// be taken first. A record that the decoder refuses is an error, and the batch as before.
    pub fn decode(
        &mut self, decoder: &mut Decoder, program: &Program, slab: &Slab, message_at: usize,
        index: usize,
    ) -> Result<bool, FailureCode> {
        if self.hold_off.allows() {
            match self.append(program, slab, message_at) {
                Ok(fits) => {
                    self.hold_off.succeeded();
                    return Ok(fits);
                }
                Err(GivenUp) => {
                    self.columns.truncate(self.row_count);
                    self.hold_off.gave_up();
                }
            }
        }
        let mut decoded = decoder.decode_row(program, slab, message_at, &mut self.waiting);
        if decoded == Err(FailureCode::RowTooLarge) && !self.bases.is_empty() {
            self.flush(); // the rows that wait took the room
            decoded = decoder.decode_row(program, slab, message_at, &mut self.waiting);
        }
        let len = decoded?;
        let base = self.waiting.rows().len() - len;
        let bytes = COLUMN_PER_IMAGE * len + self.row_bytes;
        if self.bytes > 0 && bytes > self.bytes_max.saturating_sub(self.bytes) {
            self.waiting.truncate(base);
            return Ok(false);
        }
        self.bytes += bytes;
        self.bases.push(base as u32); // what waits is far below 2^32 bytes
        self.indexes.push(index);
        if base + len >= WAITING_BYTES || self.bases.len() >= WAITING_ROWS {
            self.flush();
        }
        Ok(true)
    }

    /// Adds a record by the short way; false if the batch is full.
    fn append(
        &mut self, program: &Program, slab: &Slab, message_at: usize,
    ) -> Result<bool, GivenUp> {
        if self.ways.first().is_none_or(|way| way.0 != program.id()) {
            self.find_way(program);
        }
        if self.ways[0].1.is_none() {
            return Err(GivenUp);
        }
        if !self.bases.is_empty() {
            self.flush();
        }
        let way = self.ways[0].1.as_ref().ok_or(GivenUp)?;
        let len = slab.record().len().checked_sub(message_at).ok_or(GivenUp)?;
        let span = Span { at: message_at, len };
        let bytes =
            self.row_bytes + way.append(program, slab.readable(), span, &mut self.columns)?;
        if self.bytes > 0 && bytes > self.bytes_max.saturating_sub(self.bytes) {
            self.columns.truncate(self.row_count);
            return Ok(false);
        }
        self.bytes += bytes;
        self.row_count += 1;
        Ok(true)
    }

    #[cold]
    fn find_way(&mut self, program: &Program) {
        let way = match self.ways.iter().position(|way| way.0 == program.id()) {
            Some(at) => self.ways.remove(at),
            None => (program.id(), WireProgram::new(program, &self.columns)),
        };
        self.ways.insert(0, way);
        self.ways.truncate(WAYS);
    }

    /// Remembers that a record has no row.
    pub fn refuse(&mut self, index: usize, failure: Failure) {
        self.refused.push(RefusedRecord { index, failure });
    }

    /// Records that the short way was tried for and gave up, faulty ones included.
    pub fn given_up(&self) -> u64 {
        self.hold_off.given_up()
    }

    /// Remembers that nobody asks for a record.
    pub fn skip(&mut self, index: usize) {
        self.skipped.push(index);
    }

    /// The rows that wait become columns.
    fn flush(&mut self) {
        let mut spread = Spread::new(self.waiting.rows(), &mut self.scratch);
        self.columns.append_rows(&mut spread, &self.bases);
        self.bytes += spread.absent_bytes;
        let faults = spread.faults;
        if !faults.is_empty() {
            self.refuse_rows(faults);
        }
        self.row_count += self.bases.len();
        self.bases.clear();
        self.indexes.clear();
        self.waiting.clear();
    }

    /// Takes the rows that wait out of the columns again, and puts those back that have no fault.
    #[cold]
    fn refuse_rows(&mut self, faults: Vec<Fault>) {
        let mut first: Vec<Option<Fault>> = Vec::new();
        first.resize_with(self.bases.len(), || None);
        for fault in faults {
            let row = self.bases.partition_point(|base| *base as usize <= fault.at) - 1;
            first[row].get_or_insert(fault);
        }
        let (mut bases, mut indexes) = (Vec::new(), Vec::new());
        for (row, fault) in first.into_iter().enumerate() {
            let Some(Fault { code, path, reason, .. }) = fault else {
                bases.push(self.bases[row]);
                indexes.push(self.indexes[row]);
                continue;
            };
            let failure = Failure { field_path: path, ..Failure::new(code, reason) };
            self.refused.push(RefusedRecord { index: self.indexes[row], failure });
        }
        self.columns.truncate(self.row_count);
        (self.bases, self.indexes) = (bases, indexes);
        let mut spread = Spread::new(self.waiting.rows(), &mut self.scratch);
        self.columns.append_rows(&mut spread, &self.bases);
        debug_assert!(spread.faults.is_empty(), "rows with faults are gone");
    }

    /// The batch of all rows so far; the builder is empty afterwards.
    pub fn take(&mut self, consumed: usize) -> Result<DecodedBatch, Failure> {
        self.flush();
        let options = RecordBatchOptions::new().with_row_count(Some(self.row_count));
        let columns = self.columns.take_columns()?;
        let schema = self.table.schema().clone();
        let batch = RecordBatch::try_new_with_options(schema, columns, &options)
            .map_err(|error| malformed(error.to_string()))?;
        (self.row_count, self.bytes) = (0, 0);
        let mut refused = std::mem::take(&mut self.refused);
        refused.sort_by_key(|refused| refused.index);
        Ok(DecodedBatch { batch, refused, skipped: std::mem::take(&mut self.skipped), consumed })
    }
}
