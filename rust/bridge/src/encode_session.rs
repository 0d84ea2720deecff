//! What one encoder handle stands for: the program of the one schema that is written, its header, and
//! the memory that rows and records pass through.
//!
//! ```text
//! row bytes ─► input or image ─► encoder ─► records (shown to Java), header in front
//! ```

use sluice_codec::{Encoder, RecordBuffer, RowImage};
use sluice_plan::{EncodeProgram, Failure, FailureCode, Plan};

use crate::program_cache;
use crate::session::INPUT_BYTES;

/// Memory beyond this is given back when rows have been small for a while.
const KEPT_BYTES: usize = 1 << 20;
/// How many rows make a while.
const SHRINK_ROWS: u64 = 4096;

/// See the module.
pub struct EncodeSession {
    program: EncodeProgram,
    header: Vec<u8>,
    row_bytes_max: usize,
    /// Shown to Java: its memory stays where it is.
    input: RowImage,
    image: RowImage,
    /// The row is in `input`, not in `image`.
    is_input: bool,
    encoder: Encoder,
    records: RecordBuffer,
    /// The generation of `records` that Java has seen.
    shown: Option<u64>,
    written: u64,
    /// Longest row or record since the last look at the memory, and since it was last given back.
    recent_bytes: usize,
    held_bytes: usize,
    told: Option<Failure>,
}

impl EncodeSession {
    /// Reads a plan and compiles its program for a serialized `ResolvedSchema`.
    pub fn open(plan: &[u8], schema: &[u8], header: Vec<u8>) -> Result<EncodeSession, Failure> {
        let plan = Plan::read(plan)?;
        let program = EncodeProgram::compile(&plan, &program_cache::read(schema)?)?;
        Ok(EncodeSession {
            program,
            header,
            row_bytes_max: plan.limits().batch_bytes_max,
            input: RowImage::with_capacity(INPUT_BYTES),
            image: RowImage::default(),
            is_input: false,
            encoder: Encoder::new(),
            records: RecordBuffer::default(),
            shown: None,
            written: 0,
            recent_bytes: 0,
            held_bytes: 0,
            told: None,
        })
    }

    /// Room for a row of `length` bytes, which the caller overwrites completely.
    pub fn space(&mut self, length: usize) -> Result<&mut [u8], FailureCode> {
        self.hold_row(length, self.row_bytes_max)?;
        self.is_input = false;
        Ok(self.image.space(length))
    }

    /// The row is the first `length` bytes of the [input](EncodeSession::input).
    pub fn take_input(&mut self, length: usize) -> Result<(), FailureCode> {
        self.hold_row(length, self.row_bytes_max.min(INPUT_BYTES))?;
        self.input.space(length);
        self.is_input = true;
        Ok(())
    }

    /// Where rows may be written, until the session is closed.
    pub fn input(&mut self) -> &mut [u8] {
        self.input.capacity()
    }

    #[inline]
    fn hold_row(&mut self, length: usize, max: usize) -> Result<(), FailureCode> {
        if length > max {
            return Err(self.refuse_length(length, max));
        }
        if self.held_bytes > KEPT_BYTES && self.written.is_multiple_of(SHRINK_ROWS) {
            self.shrink();
        }
        self.recent_bytes = self.recent_bytes.max(length);
        self.held_bytes = self.held_bytes.max(length);
        Ok(())
    }

    #[cold]
    fn refuse_length(&mut self, length: usize, max: usize) -> FailureCode {
        let reason = format!("the row has {length} bytes, the limit is {max}");
        self.told = Some(Failure::new(FailureCode::RowTooLarge, reason));
        FailureCode::RowTooLarge
    }

    /// Gives memory back after a huge row, unless such rows are usual.
    #[cold]
    fn shrink(&mut self) {
        if self.recent_bytes < self.held_bytes / 4 {
            self.image = RowImage::default();
            self.encoder = Encoder::new();
            self.records = RecordBuffer::default();
            self.shown = None;
            self.held_bytes = 0;
        }
        self.recent_bytes = 0;
    }

    /// Encodes the row that was taken; the length of the record, which is the end of the buffer.
    pub fn encode_row(&mut self) -> Result<usize, FailureCode> {
        self.told = None;
        let records = &mut self.records;
        let image = if self.is_input { &mut self.input } else { &mut self.image };
        let length = self.encoder.encode(&self.program, image, &self.header, records)?;
        if self.shown != Some(self.records.generation()) {
            return Err(FailureCode::RowBufferMoved);
        }
        self.written += 1;
        self.recent_bytes = self.recent_bytes.max(length);
        self.held_bytes = self.held_bytes.max(length);
        Ok(length)
    }

    /// The record buffer's memory. From now on Java knows it.
    pub fn show_records(&mut self) -> &mut [u8] {
        self.shown = Some(self.records.generation());
        self.records.memory()
    }

    /// Records made so far.
    pub fn records(&self) -> u64 {
        self.written
    }

    /// Detail of the last refusal, which had this code.
    pub fn failure(&self, code: FailureCode) -> Failure {
        let told = self.told.clone().unwrap_or_else(|| self.encoder.failure(&self.program));
        if told.code == code { told } else { Failure::new(code, code.to_string()) }
    }
}
