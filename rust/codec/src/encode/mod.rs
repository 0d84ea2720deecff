//! One binary row to one record.
//!
//! ```text
//! image   the row's bytes, as Flink lays them out, and room behind for the parts of one value
//! cells   where values stand: slots of rows, elements of arrays
//! records the record, written from its end to its beginning
//! ```
//! Fields go out in the order of their numbers, whatever the order of the columns (E6). Offsets and
//! lengths in the row are checked against the image before they are followed, as Flink's own memory
//! can be corrupt; such a row is refused, never read past its end.

mod calendar;
mod cells;
mod decimal;
mod list;
mod map;
mod map_order;
mod message;
mod open_record;
mod record_buffer;
mod row;
mod row_image;
mod value;

use sluice_plan::{EncodeProgram, Failure, FailureCode};

use crate::fault::Fault;
use crate::hash_order::HashOrder;
use cells::Cell;
use map_order::Put;
pub use record_buffer::RecordBuffer;
pub use row_image::RowImage;

/// Encodes rows one by one. Reused: it keeps its scratch memory.
#[derive(Debug, Default)]
pub struct Encoder {
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    /// For each choice of the messages that are being written: the operation, and its cell.
    chosen: Vec<(u32, Cell)>,
    /// For the maps that are being written: index of key and of value.
    order: Vec<(u32, u32)>,
    hash_order: HashOrder,
    puts: Vec<Put>,
    sorted: Vec<u32>,
    text: Vec<u8>,
    fault: Fault,
}

/// All that the parts of the encoder need.
struct Encoding<'a> {
    program: &'a EncodeProgram,
    image: &'a mut [u8],
    /// Where the parts of one value may be laid out as a row.
    parts_at: usize,
    records: &'a mut RecordBuffer,
    scratch: &'a mut Scratch,
}

impl Encoder {
    /// An encoder without scratch memory.
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// Writes `header` and the message of the row in `image`, which must have the columns that
    /// `program` was compiled for. The record's length; it stands at the end of `records`.
    pub fn encode(
        &mut self, program: &EncodeProgram, image: &mut RowImage, header: &[u8],
        records: &mut RecordBuffer,
    ) -> Result<usize, FailureCode> {
        let scratch = &mut self.scratch;
        scratch.chosen.clear();
        scratch.order.clear();
        scratch.fault.reset();
        records.clear(program.limits().record_bytes_max);
        let parts_at = image.parts_at();
        let image = image.memory();
        if parts_at < program.messages[program.root as usize].fixed_len {
            return Err(scratch.fault.close(FailureCode::MalformedRow));
        }
        let mut encoding = Encoding { program, image, parts_at, records, scratch };
        let written =
            encoding.row(program.root, 0).and_then(|()| encoding.records.room(header.len()));
        let finished = written.and_then(|()| {
            records.put(header);
            records.checked_len()
        });
        finished.map_err(|code| self.scratch.fault.close(code))
    }

    /// Detail of the last refusal; `program` must be the one that refused.
    pub fn failure(&self, program: &EncodeProgram) -> Failure {
        self.scratch.fault.failure(program.message_name())
    }
}
