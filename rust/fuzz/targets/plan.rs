//! Any plan, any resolved schema, any record: refused or decoded, within bounds, without a panic.
//!
//! `plan length (4 bytes, little endian) | plan | schema length | schema | record`. The seeds are
//! the plans, schemas and records of the corpus.

#![no_main]

use libfuzzer_sys::fuzz_target;
use prost::Message;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::{Plan, Program, proto};

fuzz_target!(|input: &[u8]| {
    let Some((plan, rest)) = part(input) else { return };
    let Some((schema, record)) = part(rest) else { return };
    let Ok(plan) = Plan::read(plan) else { return };
    let Ok(schema) = proto::ResolvedSchema::decode(schema) else { return };
    let Ok(program) = Program::compile(&plan, &schema) else { return };
    let mut decoder = Decoder::new();
    let mut rows = RowBuffer::default();
    let slab = Slab::of(record);
    let first = decoder.decode_row(&program, &slab, 0, &mut rows);
    let len = rows.rows().len();
    let again = decoder.decode_row(&program, &slab, 0, &mut rows);
    assert_eq!(first, again, "a decoder remembers nothing of a record");
    match first {
        Ok(row) => assert_eq!((row, 2 * row), (len, rows.rows().len())),
        Err(code) => assert_eq!(decoder.failure(&program).code, code),
    }
});

/// A part with its length in front, and what follows.
fn part(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_le_bytes(*len) as usize)
}
