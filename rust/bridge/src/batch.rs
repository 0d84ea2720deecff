//! One batch that Java holds: its columns, and where their buffers are.

use arrow_array::{Array, RecordBatch};
use arrow_buffer::Buffer;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field};
use prost::Message;
use sluice_arrow::{DecodedBatch, RefusedRecord};
use sluice_plan::{Failure, FailureCode, proto};

/// See the module. Immutable.
pub struct Batch {
    batch: RecordBatch,
    buffers: Vec<Option<Buffer>>,
    description: Vec<u8>,
}

impl Batch {
    /// Lays out what Java has to know.
    pub fn new(decoded: DecodedBatch) -> Result<Batch, Failure> {
        let DecodedBatch { batch, refused, skipped, consumed } = decoded;
        let mut buffers = Vec::new();
        let mut columns = Vec::with_capacity(batch.num_columns());
        for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
            columns.push(describe(field, column, &mut buffers)?);
        }
        let description = proto::BatchDescription {
            rows: batch.num_rows() as u64,
            columns,
            refused: refused.iter().map(refused_proto).collect(),
            skipped: skipped.iter().map(|index| *index as u32).collect(),
            consumed: consumed as u32,
        };
        Ok(Batch { batch, buffers, description: description.encode_to_vec() })
    }

    /// A serialized `BatchDescription`.
    pub fn description(&self) -> &[u8] {
        &self.description
    }

    /// The buffer of this index; `None` where the column has none.
    pub fn buffer(&self, index: usize) -> Option<&[u8]> {
        self.buffers.get(index)?.as_deref()
    }

    /// The batch itself.
    pub fn record_batch(&self) -> &RecordBatch {
        &self.batch
    }

    /// Rows of the batch.
    pub fn rows(&self) -> u64 {
        self.batch.num_rows() as u64
    }
}

/// What crosses to Java of a record without row.
pub fn refused_proto(refused: &RefusedRecord) -> proto::RefusedRecord {
    proto::RefusedRecord { index: refused.index as u32, failure: Some(refused.failure.to_proto()) }
}

/// Plans nest types to a depth that a thread's stack bears, and columns follow them.
fn describe(
    field: &Field, array: &dyn Array, buffers: &mut Vec<Option<Buffer>>,
) -> Result<proto::ColumnDescription, Failure> {
    let data = array.to_data();
    let first = buffers.len();
    buffers.push(data.nulls().map(|nulls| nulls.buffer().clone()));
    buffers.extend(data.buffers().iter().cloned().map(Some));
    let described = |data_type: &DataType| {
        FFI_ArrowSchema::try_from(data_type)
            .map(|schema| schema.format().to_string())
            .map_err(|error| Failure::new(FailureCode::MalformedPlan, error.to_string()))
    };
    let mut column = proto::ColumnDescription {
        name: field.name().clone(),
        format: described(field.data_type())?,
        nullable: field.is_nullable(),
        length: array.len() as u64,
        null_count: data.null_count() as u64,
        first_buffer: first as u32,
        buffer_count: (buffers.len() - first) as u32,
        ..Default::default()
    };
    let parts: Vec<_> = data.child_data().iter().cloned().map(arrow_array::make_array).collect();
    match field.data_type() {
        DataType::Dictionary(_, values) => {
            let values = Field::new("", values.as_ref().clone(), true);
            column.dictionary = Some(Box::new(describe(&values, &parts[0], buffers)?));
        }
        DataType::List(part) | DataType::Map(part, _) => {
            column.children.push(describe(part, &parts[0], buffers)?);
        }
        DataType::Struct(fields) => {
            for (field, part) in fields.iter().zip(&parts) {
                column.children.push(describe(field, part, buffers)?);
            }
        }
        _ => {}
    }
    Ok(column)
}
