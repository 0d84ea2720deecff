//! Rows to records: one test for each rule of writing, on rows and bytes made by hand.

mod collections;
mod flink;
mod image;
mod limits;
mod malformed;
mod oneofs;
mod presence;
mod values;
mod well_known;
mod wrapped;

use sluice_codec::{Encoder, RecordBuffer, RowImage};
use sluice_plan::{EncodeProgram, Failure, Plan, proto};

use super::{ddl, refusal, resolved};

/// A table whose rows are written as one message.
struct Sink {
    row: proto::SqlType,
    program: EncodeProgram,
}

/// What makes a plan besides its columns.
#[derive(Clone, Copy, Default)]
struct Setup {
    flink: bool,
    null_text: &'static str,
    record_bytes_max: u64,
}

const FLINK: Setup = Setup { flink: true, null_text: "null", record_bytes_max: 0 };

impl Sink {
    /// A CONFLUENT table over message `M` of the schema text.
    fn new(schema: &str, columns: &str) -> Sink {
        Sink::with(schema, columns, Setup::default()).unwrap()
    }

    /// A FLINK table, with `null` as the text for NULL.
    fn flink(schema: &str, columns: &str) -> Sink {
        Sink::with(schema, columns, FLINK).unwrap()
    }

    fn refused(schema: &str, columns: &str, setup: Setup) -> String {
        let failure = Sink::with(schema, columns, setup).err().expect("a refusal");
        format!("{} {}", failure.code.label(), failure.field_path)
    }

    fn with(schema: &str, columns: &str, setup: Setup) -> Result<Sink, Failure> {
        let row = ddl::row(columns);
        let profile = if setup.flink { proto::Profile::Flink } else { proto::Profile::Confluent };
        let limits =
            proto::Limits { record_bytes_max: setup.record_bytes_max, ..Default::default() };
        let plan = proto::Plan {
            version: 1,
            body: proto::Body::Protobuf.into(),
            profile: profile.into(),
            framing: proto::Framing::Bare.into(),
            row: Some(row.clone()),
            writer: Some(proto::WriterOptions { null_text: setup.null_text.to_string() }),
            limits: Some(limits),
            ..proto::Plan::default()
        };
        let plan = Plan::read(&prost::Message::encode_to_vec(&plan))?;
        let program = EncodeProgram::compile(&plan, &resolved(schema))?;
        Ok(Sink { row, program })
    }

    /// The record of a row in binary layout.
    fn encode(&self, row: &[u8]) -> Result<Vec<u8>, Failure> {
        let (mut encoder, mut image) = (Encoder::new(), RowImage::default());
        let mut records = RecordBuffer::with_capacity(0);
        image.space(row.len()).copy_from_slice(row);
        match encoder.encode(&self.program, &mut image, &[], &mut records) {
            Ok(len) => {
                assert_eq!(len, records.record().len());
                Ok(records.record().to_vec())
            }
            Err(code) => {
                let failure = encoder.failure(&self.program);
                assert_eq!(failure.code, code);
                Err(failure)
            }
        }
    }

    /// The record in hex, or `label field` of the refusal.
    fn write(&self, row: &str) -> String {
        self.written(&image::row(row, &self.row))
    }

    /// The same of a row in binary layout.
    fn written(&self, row: &[u8]) -> String {
        match self.encode(row) {
            Ok(record) => record.iter().map(|byte| format!("{byte:02x}")).collect(),
            Err(failure) => refusal(&failure).trim_end_matches(" -").trim_end().to_string(),
        }
    }

    /// Each row with the record that it is written as; spaces in records do not count.
    fn all_written(&self, rows: &[(&str, &str)]) {
        for (row, record) in rows {
            let is_record =
                record.bytes().all(|byte| b" \n".contains(&byte) || byte.is_ascii_hexdigit());
            let expected =
                if is_record { record.replace([' ', '\n'], "") } else { record.to_string() };
            assert_eq!(self.write(row), expected, "{row}");
        }
    }
}
