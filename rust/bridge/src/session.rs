//! What one decoder handle stands for: a plan, the programs of the writer schemas met so far, and
//! the memory that records and rows pass through.
//!
//! ```text
//! record ─► input or slab ─► programs: header known? ─► decoder ─► rows (shown to Java)
//!                               │ no: 501, Java resolves the schema, add_schema
//! ```
//! Java writes usual records into the input itself, before it calls, so that memory never moves nor
//! goes before the session is closed. Longer ones, and polls, are copied into the slab.

use std::sync::Arc;

use prost::Message;
use sluice_arrow::BatchBuilder;
use sluice_codec::frame::{self, SchemaKey};
use sluice_codec::{Decoder, RowBuffer, Slab, unframed};
use sluice_plan::{Failure, FailureCode, Plan, proto};

use crate::program_cache::{self, SharedProgram};
use crate::programs::{Found, Programs, Record};
use crate::row_counts::RowCounts;

/// Memory beyond this is given back when records and polls have been small for a while.
const KEPT_BYTES: usize = 1 << 20;
/// Longest record, or row, that Java writes into the input. The JVM takes longer to hand over an array than to
/// copy a usual record; for one of this length that does not matter.
pub(crate) const INPUT_BYTES: usize = 16 << 10;
/// How many records make a while.
const SHRINK_RECORDS: u64 = 4096;

/// See the module.
pub struct Session {
    plan: Plan,
    plan_bytes: Arc<[u8]>,
    programs: Programs,
    /// Shown to Java: its memory stays where it is.
    input: Slab,
    slab: Slab,
    /// The record is in `input`, not in `slab`.
    is_input: bool,
    decoder: Decoder,
    rows: RowBuffer,
    /// The generation of `rows` that Java has seen.
    shown: Option<u64>,
    records: u64,
    /// `records` when memory was last looked at.
    looked_at: u64,
    /// Longest record or row since the last look at the memory, and since it was last given back.
    recent_bytes: usize,
    held_bytes: usize,
    results: Vec<i32>,
    detail: Detail,
}

/// A row at the end of the row buffer.
struct Row {
    length: usize,
    entry: usize,
}

/// Who can tell about the last refusal.
enum Detail {
    Nobody,
    Decoder(Arc<SharedProgram>),
    Told(Failure),
}

impl Session {
    /// Reads a plan, and compiles its program if it brings a schema along.
    pub fn open(plan_bytes: Vec<u8>) -> Result<Session, Failure> {
        let plan = Plan::read(&plan_bytes)?;
        let plan_bytes: Arc<[u8]> = plan_bytes.into();
        let fixed = match plan.message() {
            Some(proto::message_selection::By::Schema(schema)) => {
                let schema = schema.encode_to_vec();
                Some(program_cache::global().program(&plan, &plan_bytes, &schema, None)?)
            }
            _ => None,
        };
        let reads_unframed = plan.reader().unframed_records() == proto::UnframedRecords::Latest;
        let programs = match (plan.framing(), fixed) {
            (proto::Framing::Registry, fixed) => Programs::framed(fixed, reads_unframed),
            (_, Some(program)) => Programs::bare(program),
            (_, None) => {
                let reason = "records without frame need a schema in the plan";
                return Err(Failure::new(FailureCode::MalformedPlan, reason));
            }
        };
        Ok(Session {
            plan,
            plan_bytes,
            programs,
            input: Slab::with_capacity(INPUT_BYTES),
            slab: Slab::new(),
            is_input: false,
            decoder: Decoder::new(),
            rows: RowBuffer::default(),
            shown: None,
            records: 0,
            looked_at: 0,
            recent_bytes: 0,
            held_bytes: 0,
            results: Vec::new(),
            detail: Detail::Nobody,
        })
    }

    /// Room for a record of `length` bytes, which the caller overwrites completely.
    #[inline]
    pub fn space(&mut self, length: usize) -> Result<&mut [u8], FailureCode> {
        self.give_back();
        self.room(length)
    }

    /// The record is the first `length` bytes of the [input](Session::input).
    #[inline]
    pub fn take_input(&mut self, length: usize) -> Result<(), FailureCode> {
        self.give_back();
        if length > INPUT_BYTES.min(self.plan.limits().record_bytes_max) {
            return Err(self.refuse_length(length));
        }
        self.hold(length);
        self.input.space(length);
        self.is_input = true;
        Ok(())
    }

    /// Where records may be written, until the session is closed.
    pub fn input(&mut self) -> &mut [u8] {
        self.input.capacity()
    }

    /// The same for a record whose row is [appended](Session::append_row): no row moves.
    #[inline]
    pub fn room(&mut self, length: usize) -> Result<&mut [u8], FailureCode> {
        if length > self.plan.limits().record_bytes_max {
            return Err(self.refuse_length(length));
        }
        self.hold(length);
        self.is_input = false;
        Ok(self.slab.space(length))
    }

    #[cold]
    fn refuse_length(&mut self, length: usize) -> FailureCode {
        let max = self.plan.limits().record_bytes_max;
        let reason = format!("the record has {length} bytes, the limit is {max}");
        self.refuse(Failure::new(FailureCode::RecordTooLarge, reason))
    }

    #[inline]
    fn hold(&mut self, bytes: usize) {
        self.recent_bytes = self.recent_bytes.max(bytes);
        self.held_bytes = self.held_bytes.max(bytes);
    }

    #[inline]
    fn give_back(&mut self) {
        if self.held_bytes > KEPT_BYTES && self.records >= self.looked_at + SHRINK_RECORDS {
            self.shrink();
        }
    }

    /// Gives memory back after a huge record, unless such records are usual.
    #[cold]
    fn shrink(&mut self) {
        if self.recent_bytes < self.held_bytes / 4 {
            self.slab = Slab::new();
            self.decoder = Decoder::new();
            self.rows = RowBuffer::default();
            self.shown = None;
            self.held_bytes = 0;
        }
        self.recent_bytes = 0;
        self.looked_at = self.records;
    }

    /// Decodes the record that was taken; the row of the returned length stands at the start of the
    /// row buffer until the next call.
    #[inline]
    pub fn decode_row(&mut self) -> Result<usize, FailureCode> {
        self.rows.clear();
        let row = self.write_row()?;
        if self.rows_moved() {
            self.detail = Detail::Nobody;
            return Err(FailureCode::RowBufferMoved);
        }
        self.count(&row);
        self.hold(row.length);
        Ok(row.length)
    }

    /// Forgets all rows; the next one that is appended is the first.
    pub fn start_rows(&mut self) {
        self.give_back();
        self.rows.clear();
    }

    /// Decodes the record that was taken; its row stands behind those that were appended before, until
    /// `start_rows` or a single record. The length, and the number of its message in `row_counts`.
    pub fn append_row(&mut self) -> Result<(usize, u32), FailureCode> {
        let row = self.write_row()?;
        self.count(&row);
        self.hold(self.rows.rows().len());
        Ok((row.length, self.programs.entry(row.entry).rows.number()))
    }

    /// Memory for the results of a call, empty; to be [kept](Session::keep_results) afterwards.
    pub fn take_results(&mut self) -> Vec<i32> {
        let mut results = std::mem::take(&mut self.results);
        results.clear();
        results
    }

    /// See [`Session::take_results`].
    pub fn keep_results(&mut self, results: Vec<i32>) {
        self.results = results;
    }

    /// Bytes of the rows that were appended.
    pub fn row_bytes(&self) -> usize {
        self.rows.rows().len()
    }

    /// Whether the row buffer is another one than Java has seen.
    #[inline]
    pub fn rows_moved(&self) -> bool {
        self.shown != Some(self.rows.generation())
    }

    #[inline]
    fn count(&mut self, row: &Row) {
        self.records += 1;
        self.programs.entry(row.entry).rows.add_one();
    }

    /// Appends the row of the record that was taken.
    #[inline]
    fn write_row(&mut self) -> Result<Row, FailureCode> {
        let found = self.find()?;
        let entry = self.programs.entry(found.entry);
        let Some(program) = &entry.program else { return Err(self.refuse_other_message()) };
        let message_at = found.message_at;
        let slab = if self.is_input { &self.input } else { &self.slab };
        match self.decoder.decode_row(program.get(), slab, message_at, &mut self.rows) {
            Ok(length) => Ok(Row { length, entry: found.entry }),
            Err(code) => Err(self.refused(&found, code)),
        }
    }

    /// Decodes the record that was taken as record `index` of a batch; false if the batch is full.
    pub fn decode_into(
        &mut self, batch: &mut BatchBuilder, index: usize,
    ) -> Result<bool, FailureCode> {
        let found = self.find()?;
        let entry = self.programs.entry(found.entry);
        let Some(program) = &entry.program else { return Err(self.refuse_other_message()) };
        let message_at = found.message_at;
        let slab = if self.is_input { &self.input } else { &self.slab };
        match batch.decode(&mut self.decoder, program.get(), slab, message_at, index) {
            Ok(has_room) => {
                self.records += u64::from(has_room);
                if has_room {
                    entry.rows.add_one();
                }
                Ok(has_room)
            }
            Err(code) => Err(self.refused(&found, code)),
        }
    }

    /// What the record that was taken is. Inlined: what it gives would go through memory, padding and
    /// all.
    #[inline(always)]
    fn find(&mut self) -> Result<Found, FailureCode> {
        let slab = if self.is_input { &self.input } else { &self.slab };
        let found = match self.programs.find(Record(slab)) {
            Ok(found) => found,
            Err(failure) => return Err(self.refuse(failure)),
        };
        if found.is_unframed {
            self.require_any_field(&found)?;
        }
        Ok(found)
    }

    #[inline(never)]
    fn require_any_field(&mut self, found: &Found) -> Result<(), FailureCode> {
        let slab = if self.is_input { &self.input } else { &self.slab };
        match &self.programs.entry(found.entry).program {
            Some(program) if !unframed::holds_any_field(program.get(), slab) => {
                let failure = unframed::holds_none(program.get());
                Err(self.refuse(failure))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    fn refuse_other_message(&mut self) -> FailureCode {
        self.detail = Detail::Nobody;
        FailureCode::OtherMessage
    }

    /// Remembers why the decoder refused the record.
    #[cold]
    fn refused(&mut self, found: &Found, code: FailureCode) -> FailureCode {
        let Some(program) = &self.programs.entry(found.entry).program else { return code };
        if found.is_unframed && unframed::is_no_message(code) {
            let failure = unframed::refusal(self.decoder.failure(program.get()));
            return self.refuse(failure);
        }
        self.detail = Detail::Decoder(Arc::clone(program));
        code
    }

    /// Sets the program of a serialized `ResolvedSchema` for records that begin with `header`; the
    /// empty one stands for records without frame.
    pub fn add_schema(&mut self, header: &[u8], schema: &[u8]) -> Result<(), FailureCode> {
        let added = self.try_add(header, schema);
        added.map_err(|failure| self.refuse(failure))
    }

    fn try_add(&mut self, header: &[u8], schema: &[u8]) -> Result<(), Failure> {
        let frame = if header.is_empty() { None } else { Some(frame::read(header)?) };
        let program = match self.is_asked_for(schema)? {
            false => None,
            true => {
                let key = match &frame {
                    Some(frame) => Some(frame.key),
                    None => origin(&program_cache::read(schema)?),
                };
                let cache = program_cache::global();
                Some(cache.program(&self.plan, &self.plan_bytes, schema, key)?)
            }
        };
        self.programs.add(frame, program, schema.len());
        Ok(())
    }

    /// Whether the plan asks for the root message of `schema`.
    fn is_asked_for(&self, schema: &[u8]) -> Result<bool, Failure> {
        let Some(proto::message_selection::By::Name(name)) = self.plan.message() else {
            return Ok(true);
        };
        let schema = program_cache::read(schema)?;
        let root = schema.messages.get(schema.root as usize);
        Ok(root.is_none_or(|root| root.full_name == *name))
    }

    /// Rows made so far of each message; shared with whoever asks while records are decoded.
    pub fn row_counts(&self) -> &Arc<RowCounts> {
        self.programs.counts()
    }

    /// The row buffer's memory. From now on Java knows it.
    pub fn show_rows(&mut self) -> &mut [u8] {
        self.shown = Some(self.rows.generation());
        self.rows.memory()
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The program of all records, if the plan brings a schema along.
    pub fn fixed_program(&mut self) -> Option<Arc<SharedProgram>> {
        self.programs.fixed()
    }

    /// Rows made so far.
    #[inline]
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Detail of the last refusal, which had this code.
    pub fn failure(&self, code: FailureCode) -> Failure {
        let told = match &self.detail {
            Detail::Nobody => None,
            Detail::Decoder(program) => Some(self.decoder.failure(program.get())),
            Detail::Told(failure) => Some(failure.clone()),
        };
        told.filter(|failure| failure.code == code)
            .unwrap_or_else(|| Failure::new(code, code.to_string()))
    }

    #[cold]
    fn refuse(&mut self, failure: Failure) -> FailureCode {
        let code = failure.code;
        self.detail = Detail::Told(failure);
        code
    }
}

/// Who gave the schema of records that do not name it.
fn origin(schema: &proto::ResolvedSchema) -> Option<SchemaKey> {
    let origin = schema.origin.as_ref()?;
    let guid = || origin.guid.as_ref()?.as_slice().try_into().ok().map(SchemaKey::Guid);
    origin.id.map(SchemaKey::Id).or_else(guid)
}

#[cfg(test)]
mod tests;
