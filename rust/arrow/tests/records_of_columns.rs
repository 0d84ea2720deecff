//! Encoding a batch gives the records that encoding its rows gives, byte for byte, and refuses the rows
//! that the row encoder refuses; slices of a batch are encoded as what they show.

mod harness;

use arrow_array::RecordBatch;
use harness::{Table, bare, tables};
use proptest::prelude::*;
use sluice_arrow::{BatchDecoder, BatchEncoder};
use sluice_codec::{Decoder, Encoder, RecordBuffer, RowBuffer, RowImage, Slab};
use sluice_plan::{EncodeProgram, Plan, Program};
use sluice_testkit::arbitrary::plans;

const HEADER: &[u8] = &[0, 0, 0, 0, 7, 0];

/// What the codec makes of the row of each record that has one in a batch.
fn wanted(plan: &Plan, table: &Table) -> Option<Vec<Result<Vec<u8>, String>>> {
    let program = Program::compile(plan, &table.schema).unwrap();
    let writer = EncodeProgram::compile(plan, &table.schema).ok()?;
    let mut found = Vec::new();
    for record in &table.records {
        let mut rows = RowBuffer::default();
        let decoded = Decoder::new().decode_row(&program, &Slab::of(record), 0, &mut rows);
        let value = harness::row(plan, &table.schema, record);
        if decoded.is_err() || value.is_ok_and(|value| value.is_impossible()) {
            continue;
        }
        let (mut encoder, mut image) = (Encoder::new(), RowImage::default());
        let mut records = RecordBuffer::default();
        image.space(rows.rows().len()).copy_from_slice(rows.rows());
        let encoded = encoder.encode(&writer, &mut image, HEADER, &mut records);
        found.push(match encoded {
            Ok(_) => Ok(records.record().to_vec()),
            Err(_) => Err(encoder.failure(&writer).to_string()),
        });
    }
    Some(found)
}

fn encoded(encoder: &mut BatchEncoder, batch: &RecordBatch) -> Vec<Result<Vec<u8>, String>> {
    let encoded = encoder.encode(batch).unwrap();
    assert_eq!(encoded.consumed, batch.num_rows());
    let mut records = encoded.records();
    let mut refused = encoded.refused.iter().peekable();
    let rows = (0..batch.num_rows()).map(|at| match refused.peek() {
        Some(first) if first.index == at => Err(refused.next().unwrap().failure.to_string()),
        _ => Ok(records.next().unwrap().to_vec()),
    });
    let rows: Vec<_> = rows.collect();
    assert!(records.next().is_none());
    rows
}

proptest! {
    #[test]
    fn equal_those_of_rows(table in tables(), cut in any::<(u8, u8)>()) {
        let plan = bare(plans::confluent(&table.row));
        let Some(wanted) = wanted(&plan, &table) else { return Ok(()) };
        let mut decoder = BatchDecoder::new(&plan, &table.schema).unwrap();
        let batch = decoder.decode(&table.records).unwrap().batch;
        let mut encoder = BatchEncoder::new(&plan, &table.schema, HEADER).unwrap();
        prop_assert_eq!(&encoded(&mut encoder, &batch), &wanted);

        let from = usize::from(cut.0) % (wanted.len() + 1);
        let len = usize::from(cut.1) % (wanted.len() - from + 1);
        let slice = batch.slice(from, len);
        prop_assert_eq!(&encoded(&mut encoder, &slice)[..], &wanted[from..from + len]);
    }
}
