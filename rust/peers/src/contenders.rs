//! Those who are compared, opened for one payload.

use std::error::Error;
use std::hint::black_box;

use arrow::array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow::array::{Array, RecordBatch};
use prost_reflect::{DynamicMessage, FieldDescriptor, MapKey, MessageDescriptor, Value};
use ptars_core::{EnumRepr, PtarsConfig};
use sluice_arrow::{BatchDecoder, c_data};
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::proto::{Framing, SqlType};
use sluice_plan::{Plan, Program, infer};

use crate::payload::{Batch, Payload};

/// One way through a batch of records.
pub trait Contender {
    /// As the results call it.
    fn name(&self) -> &'static str;

    /// Reads all records; what is made of them is dropped, in the time that is measured.
    fn run(&mut self, batch: &Batch);

    /// What it makes of the records, as columns, to be compared with others.
    fn columns(&mut self, batch: &Batch) -> RecordBatch;
}

pub fn all(payload: &Payload) -> Result<Vec<Box<dyn Contender>>, Box<dyn Error>> {
    let config = PtarsConfig::default().with_enum_repr(EnumRepr::String);
    let ptars = Ptars { message: payload.columns_only.clone(), config };
    let reflect = |is_read| {
        let fields = payload
            .columns_only
            .fields()
            .map(|field| payload.message.get_field(field.number()).expect("a column is a field"));
        let fields = fields.collect();
        Reflect { message: payload.message.clone(), fields, is_read, ptars: ptars.clone() }
    };
    Ok(vec![
        Box::new(Native::new(payload, false)?),
        Box::new(Native::new(payload, true)?),
        Box::new(NativeRows::new(payload)?),
        Box::new(ptars.clone()),
        Box::new(reflect(false)),
        Box::new(reflect(true)),
    ])
}

/// The payload's columns, with the types that a writer's schema has without a table.
fn row(payload: &Payload) -> Result<SqlType, Box<dyn Error>> {
    let mut row = infer::row_type(&sluice_schema::resolve(&payload.message))?;
    row.columns.retain(|column| payload.columns.contains(&column.name));
    Ok(row)
}

struct Native {
    decoder: BatchDecoder,
    is_exported: bool,
}

impl Native {
    fn new(payload: &Payload, is_exported: bool) -> Result<Native, Box<dyn Error>> {
        let plan = Plan::for_row(row(payload)?, Framing::Bare)?;
        let decoder = BatchDecoder::new(&plan, &sluice_schema::resolve(&payload.message))?;
        Ok(Native { decoder, is_exported })
    }
}

impl Contender for Native {
    fn name(&self) -> &'static str {
        if self.is_exported { "native-arrow-exported" } else { "native-arrow" }
    }

    fn run(&mut self, batch: &Batch) {
        let columns = self.columns(batch);
        if self.is_exported {
            let (mut array, mut schema) = (FFI_ArrowArray::empty(), FFI_ArrowSchema::empty());
            // SAFETY: both are local, so valid and aligned, and empty, so nothing is left behind.
            unsafe { c_data::export_batch(&columns, &mut array, &mut schema) }
                .expect("the types are known");
            black_box((array, schema)); // released where they are dropped
        }
        black_box(columns);
    }

    fn columns(&mut self, batch: &Batch) -> RecordBatch {
        let decoded = self.decoder.decode_slab(&batch.slab, &batch.offsets);
        let decoded = decoded.expect("a batch that is not too large");
        assert_eq!(decoded.batch.num_rows(), batch.array.len());
        decoded.batch
    }
}

struct NativeRows {
    columns: Native,
    program: Program,
    decoder: Decoder,
    slab: Slab,
    rows: RowBuffer,
}

impl NativeRows {
    fn new(payload: &Payload) -> Result<NativeRows, Box<dyn Error>> {
        let plan = Plan::for_row(row(payload)?, Framing::Bare)?;
        Ok(NativeRows {
            columns: Native::new(payload, false)?,
            program: Program::compile(&plan, &sluice_schema::resolve(&payload.message))?,
            decoder: Decoder::new(),
            slab: Slab::new(),
            rows: RowBuffer::default(),
        })
    }
}

impl Contender for NativeRows {
    fn name(&self) -> &'static str {
        "native-rows"
    }

    fn run(&mut self, batch: &Batch) {
        for record in batch.records() {
            self.rows.clear();
            self.slab.space(record.len()).copy_from_slice(record);
            let len = self.decoder.decode_row(&self.program, &self.slab, 0, &mut self.rows);
            black_box(len).expect("a valid record");
        }
    }

    /// Of the columns that are made of such rows: rows have tests of their own.
    fn columns(&mut self, batch: &Batch) -> RecordBatch {
        self.columns.columns(batch)
    }
}

#[derive(Clone)]
struct Ptars {
    message: MessageDescriptor,
    config: PtarsConfig,
}

impl Contender for Ptars {
    fn name(&self) -> &'static str {
        "ptars-core"
    }

    fn run(&mut self, batch: &Batch) {
        black_box(self.columns(batch));
    }

    fn columns(&mut self, batch: &Batch) -> RecordBatch {
        ptars_core::binary_array_to_record_batch_direct(&batch.array, &self.message, &self.config)
            .expect("valid records")
    }
}

struct Reflect {
    message: MessageDescriptor,
    fields: Vec<FieldDescriptor>,
    is_read: bool,
    ptars: Ptars,
}

impl Reflect {
    fn decode(&self, record: &[u8]) -> DynamicMessage {
        DynamicMessage::decode(self.message.clone(), record).expect("a valid record")
    }
}

impl Contender for Reflect {
    fn name(&self) -> &'static str {
        if self.is_read { "prost-reflect-read" } else { "prost-reflect" }
    }

    fn run(&mut self, batch: &Batch) {
        let mut sum = 0;
        for record in batch.records() {
            let message = black_box(self.decode(record));
            if self.is_read {
                sum += self.fields.iter().map(|field| read(&message.get_field(field))).sum::<u64>();
            }
        }
        black_box(sum);
    }

    /// Its messages are written again: a value that was lost would be lost in the columns.
    fn columns(&mut self, batch: &Batch) -> RecordBatch {
        let messages: Vec<DynamicMessage> =
            batch.records().map(|record| self.decode(record)).collect();
        let written: Vec<Vec<u8>> = messages.iter().map(prost::Message::encode_to_vec).collect();
        let written: Vec<&[u8]> = written.iter().map(Vec::as_slice).collect();
        self.ptars.columns(&Batch::of(&written))
    }
}

/// Something of every value.
fn read(value: &Value) -> u64 {
    match value {
        Value::Bool(value) => u64::from(*value),
        Value::I32(value) | Value::EnumNumber(value) => *value as u64,
        Value::I64(value) => *value as u64,
        Value::U32(value) => u64::from(*value),
        Value::U64(value) => *value,
        Value::F32(value) => u64::from(value.to_bits()),
        Value::F64(value) => value.to_bits(),
        Value::String(value) => value.len() as u64,
        Value::Bytes(value) => value.len() as u64,
        Value::Message(message) => message.fields().map(|(_, value)| read(value)).sum(),
        Value::List(values) => values.iter().map(read).sum(),
        Value::Map(entries) => entries.iter().map(|(key, value)| key_len(key) + read(value)).sum(),
    }
}

fn key_len(key: &MapKey) -> u64 {
    key.as_str().map_or(8, |text| text.len() as u64)
}
