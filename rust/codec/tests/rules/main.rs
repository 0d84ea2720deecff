//! One test for each rule, on bytes made by hand; the property tests go wider, these say why.

mod append;
mod collections;
mod ddl;
mod encode;
mod flink;
mod flink_absence;
mod flink_vectors;
mod keys;
mod layout;
mod limits;
mod names;
mod oneofs;
mod render;
mod scatter;
mod structure;
mod values;
mod well_known;
mod wrapped;

use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Failure, Plan, Program, proto};

/// A table over one message.
struct Table {
    row: proto::SqlType,
    program: Program,
}

/// What makes a plan besides its columns.
#[derive(Clone, Copy, Default)]
struct Setup {
    flink: bool,
    read_defaults: bool,
    read_simple_defaults: bool,
    batch_bytes_max: u64,
}

impl Table {
    /// A CONFLUENT table over message `M` of the schema text.
    fn new(schema: &str, columns: &str) -> Table {
        Table::with(schema, columns, Setup::default()).unwrap()
    }

    /// A CONFLUENT table over a message of any name.
    fn of(text: &str, message: &str, columns: &str) -> Result<Table, Failure> {
        Table::over(&resolved_from(&[("m.proto", text)], message), columns, Setup::default())
    }

    fn refused(schema: &str, columns: &str) -> Failure {
        Table::with(schema, columns, Setup::default()).err().expect("a refusal")
    }

    fn with(text: &str, columns: &str, setup: Setup) -> Result<Table, Failure> {
        let read_simple_defaults = setup.read_defaults || text.contains("proto3");
        Table::over(&resolved(text), columns, Setup { read_simple_defaults, ..setup })
    }

    fn over(schema: &proto::ResolvedSchema, columns: &str, setup: Setup) -> Result<Table, Failure> {
        let row = ddl::row(columns);
        let profile = if setup.flink { proto::Profile::Flink } else { proto::Profile::Confluent };
        let reader = proto::ReaderOptions {
            read_defaults: setup.read_defaults,
            read_simple_defaults: setup.read_simple_defaults,
            ..proto::ReaderOptions::default()
        };
        let limits = proto::Limits { batch_bytes_max: setup.batch_bytes_max, ..Default::default() };
        let plan = proto::Plan {
            version: 1,
            body: proto::Body::Protobuf.into(),
            profile: profile.into(),
            framing: proto::Framing::Bare.into(),
            row: Some(row.clone()),
            reader: Some(reader),
            limits: Some(limits),
            ..proto::Plan::default()
        };
        let plan = Plan::read(&prost::Message::encode_to_vec(&plan))?;
        let program = Program::compile(&plan, schema)?;
        Ok(Table { row, program })
    }

    fn bytes(&self, wire: &str) -> Result<Vec<u8>, Failure> {
        self.decode(&hex(wire))
    }

    fn decode(&self, wire: &[u8]) -> Result<Vec<u8>, Failure> {
        let (mut decoder, mut rows) = (Decoder::new(), RowBuffer::with_capacity(0));
        match decoder.decode_row(&self.program, &Slab::of(wire), 0, &mut rows) {
            Ok(len) => {
                assert_eq!(len, rows.rows().len());
                Ok(rows.rows().to_vec())
            }
            Err(code) => {
                let failure = decoder.failure(&self.program);
                assert_eq!(failure.code, code);
                assert!(rows.rows().is_empty());
                Err(failure)
            }
        }
    }

    /// The row as text, or `label field byte` of the refusal.
    fn read(&self, wire: &str) -> String {
        match self.bytes(wire) {
            Ok(bytes) => render::row(&bytes, &self.row),
            Err(failure) => refusal(&failure),
        }
    }
}

fn refusal(failure: &Failure) -> String {
    let at = failure.byte_offset.map_or("-".to_string(), |at| at.to_string());
    format!("{} {} {at}", failure.code.label(), failure.field_path)
}

/// The resolved schema of message `M`; `text` lacks nothing but its package and file, and may
/// import what every registry has.
fn resolved(text: &str) -> proto::ResolvedSchema {
    resolved_from(&[("m.proto", text)], "M")
}

/// The resolved schema of a message of the first file, which may import the others.
fn resolved_from(files: &[(&str, &str)], message: &str) -> proto::ResolvedSchema {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let unique = format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(format!("sluice-rules-{unique}"));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in files {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let builtin = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../java/src/main/resources/dev/sluice/flink/schema");
    let mut compiler = protox::Compiler::new([&folder, &builtin]).unwrap();
    compiler.include_imports(true);
    let opened = compiler.open_file(files[0].0).map(|_| ());
    std::fs::remove_dir_all(&folder).unwrap();
    opened.unwrap();
    let pool = sluice_schema::read_set(&compiler.encode_file_descriptor_set()).unwrap();
    sluice_schema::resolve_name(&pool, message).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    assert!(digits.len().is_multiple_of(2), "{text}");
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}
