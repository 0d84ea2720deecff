//! The size limit of records, and what a sink keeps from one row to the next.

use sluice_codec::{Encoder, RecordBuffer, RowImage};
use sluice_plan::FailureCode;

use super::{Setup, Sink, image};

const SCHEMA: &str = "syntax = \"proto3\"; message M { string s = 1; repeated M m = 2; }";

#[test]
fn a_record_may_be_as_long_as_the_limit() {
    let setup = Setup { record_bytes_max: 12, ..Setup::default() };
    let sink = Sink::with(SCHEMA, "s STRING", setup).unwrap();
    assert_eq!(sink.write("('0123456789')"), "0a0a30313233343536373839");
    assert_eq!(sink.write("('01234567890')"), "record-too-large");
    // Found where memory would grow, by then far beyond the limit.
    assert_eq!(sink.write(&format!("('{}')", "x".repeat(100_000))), "record-too-large s");
}

#[test]
fn the_header_counts() {
    let setup = Setup { record_bytes_max: 12, ..Setup::default() };
    let sink = Sink::with(SCHEMA, "s STRING", setup).unwrap();
    let (mut encoder, mut rows) = (Encoder::new(), RowImage::default());
    let mut records = RecordBuffer::with_capacity(0);
    let row = image::row("('01234')", &sink.row);
    for (header, outcome) in [
        (&[0, 0, 0, 0, 7][..], Ok(12)),
        (&[0, 0, 0, 0, 7, 0], Err(FailureCode::RecordTooLarge)),
        (&[], Ok(7)),
    ] {
        rows.space(row.len()).copy_from_slice(&row);
        let written = encoder.encode(&sink.program, &mut rows, header, &mut records);
        assert_eq!(written, outcome);
        if written.is_ok() {
            assert_eq!(&records.record()[..header.len()], header);
        }
    }
}

/// A refusal in the middle of nested messages, oneofs and maps leaves nothing behind.
#[test]
fn a_refused_row_is_forgotten() {
    let schema = "syntax = \"proto3\"; message M { oneof o { int32 i = 1; M m = 2; }
        map<string, int32> c = 3; repeated string s = 4; }";
    let sink = Sink::with(
        schema,
        "i INT, m ROW<i INT, m ROW<i INT, s ARRAY<STRING>, c MAP<STRING, INT>>>",
        Setup { flink: true, ..Setup::default() },
    );
    let sink = sink.unwrap();
    let good = image::row("(1, (2, (3, ['x'], {'b': 1, 'a': 2, 'b': 3})))", &sink.row);
    let expected = sink.encode(&good).unwrap();
    let (mut encoder, mut rows) = (Encoder::new(), RowImage::default());
    let mut records = RecordBuffer::with_capacity(0);
    for row in [&good[..], &good[..good.len() - 60], &good[..]] {
        rows.space(row.len()).copy_from_slice(row);
        let written = encoder.encode(&sink.program, &mut rows, &[], &mut records);
        assert_eq!(written.is_ok(), row.len() == good.len());
        if written.is_ok() {
            assert_eq!(records.record(), expected);
        }
    }
}
