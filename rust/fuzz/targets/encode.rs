//! Any schema, any table over it, any row, also one whose offsets lie: refused, or a record that reads.
//!
//! `profile (1 byte) | schema length (1 byte, words) | row length (likewise) | form (1 byte) | schema | row |
//! image`. By its form, the image is the bytes of a row as they are, or a record (its length in front, 1 byte)
//! whose row is changed at some places (2 bytes) by some value (1 byte): random bytes seldom reach far.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use sluice_codec::{Decoder, Encoder, RecordBuffer, RowBuffer, RowImage, Slab};
use sluice_plan::{EncodeProgram, Plan, Program, proto};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{flink, plans, rows, schemas};

fuzz_target!(|input: &[u8]| {
    let [profile, schema_words, row_words, form, rest @ ..] = input else { return };
    let (schema, rest) = words(rest, usize::from(*schema_words));
    let (row, rest) = words(rest, usize::from(*row_words));
    if profile % 2 == 0 {
        let schema = schemas::schema(&mut Choices::new(&schema));
        let row = rows::row(&mut Choices::new(&row), &schema);
        check(plans::confluent(&row), &schema, *form, rest);
    } else {
        let (schema, row, flags) = flink::table(&schema, &row);
        check(plans::flink(&row, flags), &schema, *form, rest);
    }
});

fn check(plan: proto::Plan, schema: &proto::ResolvedSchema, form: u8, rest: &[u8]) {
    let plan = Plan::read(&plan.encode_to_vec()).expect("the plan is read");
    let Ok(reader) = Program::compile(&plan, schema) else { return };
    let Ok(writer) = EncodeProgram::compile(&plan, schema) else { return };
    let (mut decoder, mut rows) = (Decoder::new(), RowBuffer::default());
    let row = match form % 2 {
        0 => rest.to_vec(),
        _ => {
            let Some((len, rest)) = rest.split_first() else { return };
            let (record, changes) = rest.split_at(rest.len().min((*len).into()));
            if decoder.decode_row(&reader, &Slab::of(record), 0, &mut rows).is_err() {
                return;
            }
            changed(rows.rows(), changes)
        }
    };
    let (mut encoder, mut image) = (Encoder::new(), RowImage::default());
    let mut records = RecordBuffer::default();
    image.space(row.len()).copy_from_slice(&row);
    match encoder.encode(&writer, &mut image, b"header", &mut records) {
        Ok(len) => {
            let record = records.record();
            assert_eq!((len, &record[..6]), (record.len(), &b"header"[..]));
            rows.clear();
            let read = decoder.decode_row(&reader, &Slab::of(record), 6, &mut rows);
            assert!(read.is_ok(), "{}", decoder.failure(&reader));
        }
        Err(code) => assert_eq!(encoder.failure(&writer).code, code),
    }
}

fn changed(row: &[u8], changes: &[u8]) -> Vec<u8> {
    let mut row = row.to_vec();
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % row.len();
        row[at] = change[2];
    }
    row
}

/// The first `count` little-endian words of `bytes`, as many as there are, and what follows.
fn words(bytes: &[u8], count: usize) -> (Vec<u32>, &[u8]) {
    let (head, rest) = bytes.split_at(bytes.len().min(4 * count));
    let words = head.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (words.collect(), rest)
}
