//! Any schema, any table over it, any bytes: the decoder and the slow reference agree.
//!
//! The input is a stream of choices for the schema, one for the row type, and the message:
//! `profile (1 byte) | schema length (1 byte, words) | row length (likewise) | schema | row | message`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Plan, Program, proto};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{flink, plans, rows, schemas};
use sluice_testkit::reference::{self, Refusal};

fuzz_target!(|input: &[u8]| {
    let [profile, schema_words, row_words, rest @ ..] = input else { return };
    let (schema, rest) = words(rest, usize::from(*schema_words));
    let (row, wire) = words(rest, usize::from(*row_words));
    if profile % 2 == 0 {
        let schema = schemas::schema(&mut Choices::new(&schema));
        let row = rows::row(&mut Choices::new(&row), &schema);
        compare(plans::confluent(&row), &schema, wire, reference::decode(&schema, &row, wire));
    } else {
        let (schema, row, flags) = flink::table(&schema, &row);
        let wanted = reference::flink::decode(&schema, &row, flags, wire);
        compare(plans::flink(&row, flags), &schema, wire, wanted);
    }
});

fn compare(
    plan: proto::Plan, schema: &proto::ResolvedSchema, wire: &[u8],
    wanted: Result<Vec<u8>, Refusal>,
) {
    let plan = Plan::read(&plan.encode_to_vec()).expect("the plan is read");
    let program = Program::compile(&plan, schema).expect("generated rows fit their schema");
    let mut rows = RowBuffer::default();
    let decoded = Decoder::new().decode_row(&program, &Slab::of(wire), 0, &mut rows);
    match (decoded, wanted) {
        (Ok(_), Ok(wanted)) => assert_eq!(rows.rows(), wanted),
        (Err(code), Err(refusal)) => assert!(refusal.codes.contains(&code.number()), "{code}"),
        (decoded, wanted) => panic!("codec {decoded:?}, reference {wanted:?}"),
    }
}

/// The first `count` little-endian words of `bytes`, as many as there are, and what follows.
fn words(bytes: &[u8], count: usize) -> (Vec<u32>, &[u8]) {
    let (head, rest) = bytes.split_at(bytes.len().min(4 * count));
    let words = head.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (words.collect(), rest)
}
