//! What batches promise beyond their values: schema, buffers, limits, and records that give no row.

use std::sync::Arc;

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_data::ArrayData;
use arrow_schema::{DataType, TimeUnit};
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use sluice_arrow::BatchDecoder;
use sluice_plan::proto::{Framing, ResolvedSchema};
use sluice_plan::{Plan, infer, proto};

struct Text(&'static str);

impl FileResolver for Text {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match name {
            "orders.proto" => File::from_source(name, self.0),
            _ => Err(protox::Error::file_not_found(name)),
        }
    }
}

const ORDERS: &str = r#"
    syntax = "proto3";
    package shop;
    import "google/protobuf/timestamp.proto";
    message Order {
      int64 id = 1;
      optional string note = 2;
      Status status = 3;
      google.protobuf.Timestamp placed = 4;
      repeated Line lines = 5;
      map<string, int32> counts = 6;
      oneof payment { string card = 7; int64 voucher = 8; }
    }
    message Line { string sku = 1; Status status = 2; }
    enum Status { NEW = 0; PAID = 1; }
"#;

fn orders() -> ResolvedSchema {
    let mut resolver = ChainFileResolver::new();
    resolver.add(Text(ORDERS));
    resolver.add(GoogleFileResolver::new());
    let mut compiler = protox::Compiler::with_file_resolver(resolver);
    compiler.include_imports(true);
    compiler.open_file("orders.proto").unwrap();
    let pool = sluice_schema::read_set(&compiler.encode_file_descriptor_set()).unwrap();
    sluice_schema::resolve_name(&pool, "shop.Order").unwrap()
}

fn plan(framing: Framing) -> Plan {
    Plan::for_row(infer::row_type(&orders()).unwrap(), framing).unwrap()
}

fn bare() -> BatchDecoder {
    BatchDecoder::new(&plan(Framing::Bare), &orders()).unwrap()
}

/// `id` as a record.
fn order(id: u8) -> Vec<u8> {
    vec![0x08, id]
}

#[test]
fn an_inferred_schema_has_arrows_types() {
    let decoder = bare();
    let schema = decoder.schema();
    let described: Vec<String> = schema
        .fields()
        .iter()
        .map(|field| {
            let null = if field.is_nullable() { "" } else { " not null" };
            format!("{}{null}", field.name())
        })
        .collect();
    let wanted =
        ["id not null", "note", "status not null", "placed", "lines not null", "counts not null"];
    assert_eq!(described[..6], wanted);
    assert_eq!(described[6], "payment");
    let status = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    assert_eq!(*schema.field(2).data_type(), status);
    let placed = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
    assert_eq!(*schema.field(3).data_type(), placed);
    let DataType::List(line) = schema.field(4).data_type() else { panic!("no list") };
    let DataType::Struct(line) = line.data_type() else { panic!("no struct") };
    assert_eq!(*line[1].data_type(), status, "an enum inside");
}

#[test]
fn a_dictionary_has_each_name_once_and_unknown_numbers_too() {
    let records = [&[0x18, 1][..], &[], &[0x18, 1], &[0x18, 77], &[0x18, 77]];
    let decoded = bare().decode(&records).unwrap();
    let status = decoded.batch.column(2).as_dictionary::<Int32Type>();
    let names: Vec<&str> = status.values().as_string::<i32>().iter().flatten().collect();
    assert_eq!(names, ["PAID", "NEW", "UNKNOWN_ENUM_VALUE_Status_77"]);
    assert_eq!(status.keys().values()[..], [0, 1, 0, 2, 2]);
}

#[test]
fn refused_records_leave_the_others_alone() {
    // The second ends inside a field, the fourth was placed in the year 9999, which nanoseconds
    // cannot count.
    let far = [0x22, 7, 0x08, 0xff, 0xdf, 0xb1, 0xd8, 0xd7, 0x07];
    let mut records = vec![order(1), vec![0x08], order(3), far.to_vec(), order(5)];
    let mut decoder = bare();
    let decoded = decoder.decode(&records).unwrap();
    let ids = |batch: &arrow_array::RecordBatch| {
        batch.column(0).as_primitive::<Int64Type>().values().to_vec()
    };
    assert_eq!(ids(&decoded.batch), [1, 3, 5]);
    let refused: Vec<_> = decoded
        .refused
        .iter()
        .map(|r| (r.index, r.failure.code.label(), r.failure.field_path.as_str()))
        .collect();
    assert_eq!(refused, [(1, "truncated", "id"), (3, "timestamp-range", "placed")]);
    assert_eq!(decoded.refused[0].failure.byte_offset, Some(0));
    records.truncate(1);
    assert_eq!(ids(&decoder.decode(&records).unwrap().batch), [1], "the decoder goes on");
}

#[test]
fn many_refused_rows_cost_one_more_pass_and_no_row() {
    let far = vec![0x22, 7, 0x08, 0xff, 0xdf, 0xb1, 0xd8, 0xd7, 0x07];
    let records: Vec<Vec<u8>> = (0..5000)
        .map(|at| if at % 3 == 0 { far.clone() } else { order(at as u8 & 0x7f) })
        .collect();
    let decoded = bare().decode(&records).unwrap();
    assert_eq!(decoded.batch.num_rows() + decoded.refused.len(), 5000);
    assert!(decoded.refused.iter().all(|refused| refused.index % 3 == 0));
    let kept = (0..5000).filter(|at| at % 3 != 0).map(|at| i64::from(at as u8 & 0x7f));
    let ids = decoded.batch.column(0).as_primitive::<Int64Type>().values().to_vec();
    assert_eq!(ids, kept.collect::<Vec<_>>());
}

#[test]
fn a_full_batch_ends_early_and_the_next_goes_on() {
    let mut plan = plan(Framing::Bare);
    let row = plan.row().clone();
    plan = Plan::new(proto::Plan {
        version: 1,
        body: proto::Body::Protobuf.into(),
        profile: proto::Profile::Confluent.into(),
        framing: Framing::Bare.into(),
        row: Some(row),
        limits: Some(proto::Limits { batch_bytes_max: 20_000, ..Default::default() }),
        ..Default::default()
    })
    .unwrap();
    let mut decoder = BatchDecoder::new(&plan, &orders()).unwrap();
    let long = [&[0x12, 0x90, 0x4e][..], &[b'x'; 10_000]].concat();
    let too_long = [&[0x12, 0xb0, 0xea, 0x01][..], &[b'x'; 30_000]].concat();
    let records = [long.clone(), too_long, order(2), long.clone(), long, order(3)];
    let (mut at, mut sizes, mut refused) = (0, Vec::new(), Vec::new());
    while at < records.len() {
        let decoded = decoder.decode(&records[at..]).unwrap();
        refused.extend(decoded.refused.iter().map(|r| (at + r.index, r.failure.code.label())));
        sizes.push(decoded.batch.num_rows());
        assert!(decoded.consumed > 0, "each call gets on");
        at += decoded.consumed;
    }
    assert_eq!(refused, [(1, "row-too-large")]);
    assert_eq!(sizes.iter().sum::<usize>(), 5);
    assert!(sizes.len() >= 3, "{sizes:?}");
}

#[test]
fn a_slab_reads_as_its_records() {
    let slab = [order(1), order(2), order(3)].concat();
    let mut decoder = bare();
    let from_slab = decoder.decode_slab(&slab, &[0, 2, 2, 4, 6]).unwrap();
    let from_records = decoder.decode(&[order(1), vec![], order(2), order(3)]).unwrap();
    assert_eq!(from_slab.batch, from_records.batch);
    for offsets in [&[0, 7][..], &[2, 1], &[0, 4, 2, 6]] {
        assert!(decoder.decode_slab(&slab, offsets).is_err(), "{offsets:?}");
    }
    assert_eq!(decoder.decode_slab(&slab, &[]).unwrap().batch.num_rows(), 0);
}

#[test]
fn framed_records_need_their_schema_told() {
    use sluice_codec::frame::SchemaKey;
    let mut decoder = BatchDecoder::new(&plan(Framing::Registry), &orders()).unwrap();
    let framed = [&[0, 0, 0, 0, 7, 0][..], &order(9)].concat();
    let decoded = decoder.decode(std::slice::from_ref(&framed)).unwrap();
    assert_eq!(decoded.refused[0].failure.code.label(), "unknown-schema");
    decoder.add_schema(SchemaKey::Id(7), &[0], &orders()).unwrap();
    let decoded = decoder.decode(&[framed, order(1)]).unwrap();
    assert_eq!(decoded.batch.column(0).as_primitive::<Int64Type>().values()[..], [9]);
    assert_eq!(decoded.refused[0].failure.code.label(), "bad-frame");
}

#[test]
fn buffers_are_aligned_and_offsets_are_zero() {
    fn check(data: &ArrayData) {
        assert_eq!(data.offset(), 0);
        for buffer in data.buffers().iter().chain(data.nulls().map(|nulls| nulls.buffer())) {
            assert_eq!(buffer.as_ptr() as usize % 64, 0);
        }
        data.child_data().iter().for_each(check);
    }
    let order = [
        &[0x08, 1, 0x12, 1, b'n', 0x22, 2, 0x08, 1, 0x2a, 3, 0x0a, 1, b's'][..],
        &[0x32, 5, 0x0a, 1, b'k', 0x10, 1, 0x3a, 1, b'c'],
    ]
    .concat();
    let decoded = bare().decode(&[order, vec![]]).unwrap();
    assert!(decoded.refused.is_empty());
    decoded.batch.columns().iter().for_each(|column| check(&column.to_data()));
}

#[test]
fn no_records_and_no_columns_are_batches_too() {
    let decoded = bare().decode::<Vec<u8>>(&[]).unwrap();
    assert_eq!((decoded.batch.num_rows(), decoded.batch.num_columns()), (0, 7));
    let row = proto::SqlType { kind: proto::SqlKind::Row.into(), ..Default::default() };
    let plan = Plan::for_row(row, Framing::Bare).unwrap();
    let decoded = BatchDecoder::new(&plan, &orders()).unwrap().decode(&[order(1)]).unwrap();
    assert_eq!((decoded.batch.num_rows(), decoded.batch.num_columns()), (1, 0));
}

#[test]
fn a_batch_outlives_its_decoder() {
    let mut decoder = bare();
    let batch = decoder.decode(&[order(1)]).unwrap().batch;
    let ids = Arc::clone(batch.column(0));
    drop((decoder, batch));
    assert_eq!(ids.as_primitive::<Int64Type>().value(0), 1);
}

/// Without this, columns would equal rows even if no record ever went the short way.
#[test]
fn usual_records_go_straight_to_columns_and_others_stand_between_them() {
    let mut row = infer::row_type(&orders()).unwrap();
    row.columns.retain(|column| column.name != "payment"); // a oneof waits for the end of its message
    let plan = Plan::for_row(row, Framing::Bare).unwrap();
    let mut decoder = BatchDecoder::new(&plan, &orders()).unwrap();
    let usual = b"\x08\x01\x12\x02hi\x18\x01\x22\x02\x08\x05\x2a\x05\x0a\x01a\x10\x01\x32\x05\x0a\x01k\x10\x07";
    let mixed = b"\x32\x05\x0a\x01k\x10\x07\x2a\x00\x08\x02\x2a\x00"; // any order, defaults
    let batch = decoder.decode(&[&usual[..], b"", &mixed[..]]).unwrap().batch;
    assert_eq!((batch.num_rows(), decoder.given_up()), (3, 0));

    let twice = b"\x08\x09\x08\x05";
    let decoded =
        decoder.decode(&[&usual[..], &twice[..], &usual[..], b"\x08", &usual[..]]).unwrap();
    assert_eq!(decoder.given_up(), 2);
    let ids = decoded.batch.column(0).as_primitive::<Int64Type>();
    assert_eq!(&ids.values()[..], [1, 5, 1, 1]);
    let lines = decoded.batch.column(4).as_list::<i32>();
    assert_eq!((0..4).map(|at| lines.value_length(at)).collect::<Vec<_>>(), [1, 0, 1, 1]);
    let names = decoded.batch.column(2).as_dictionary::<Int32Type>();
    assert_eq!(names.values().len(), 2, "both ways find the same names");
}
