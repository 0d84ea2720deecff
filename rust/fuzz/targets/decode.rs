//! Any schema, any table over it, any bytes: the decoder and the slow reference agree.
//!
//! The input is a stream of choices for the schema, one for the row type, and the message:
//! `schema length (1 byte, words) | row length (1 byte, words) | schema | row | message`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Plan, Program};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{plans, rows, schemas};
use sluice_testkit::reference;

fuzz_target!(|input: &[u8]| {
    let [schema_words, row_words, rest @ ..] = input else { return };
    let (schema, rest) = words(rest, usize::from(*schema_words));
    let (row, wire) = words(rest, usize::from(*row_words));
    let schema = schemas::schema(&mut Choices::new(&schema));
    let row = rows::row(&mut Choices::new(&row), &schema);
    let plan = Plan::read(&plans::confluent(&row).encode_to_vec()).expect("the plan is read");
    let program = Program::compile(&plan, &schema).expect("generated rows fit their schema");

    let mut rows = RowBuffer::default();
    let decoded = Decoder::new().decode_row(&program, &Slab::of(wire), 0, &mut rows);
    match (decoded, reference::decode(&schema, &row, wire)) {
        (Ok(_), Ok(wanted)) => assert_eq!(rows.rows(), wanted),
        (Err(code), Err(refusal)) => assert!(refusal.codes.contains(&code.number()), "{code}"),
        (decoded, wanted) => panic!("codec {decoded:?}, reference {wanted:?}"),
    }
});

/// The first `count` little-endian words of `bytes`, as many as there are, and what follows.
fn words(bytes: &[u8], count: usize) -> (Vec<u32>, &[u8]) {
    let (head, rest) = bytes.split_at(bytes.len().min(4 * count));
    let words = head.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    (words.collect(), rest)
}
