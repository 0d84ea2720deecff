//! One record through the codec, as the bridge would do it.

use prost::Message;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::proto::{self, ResolvedSchema, SqlType};
use sluice_plan::{Plan, Program};
use sluice_testkit::arbitrary::plans;

/// The program of a row type over a schema.
///
/// # Panics
/// If the plan is refused; generated row types hold only pairs that are built.
pub fn program(schema: &ResolvedSchema, row: &SqlType) -> Program {
    compiled(schema, &plans::confluent(row))
}

/// The program of a plan over a schema.
///
/// # Panics
/// If the plan is refused.
pub fn compiled(schema: &ResolvedSchema, plan: &proto::Plan) -> Program {
    let plan = Plan::read(&plan.encode_to_vec()).expect("the plan is read");
    match Program::compile(&plan, schema) {
        Ok(program) => program,
        Err(failure) => panic!("the program compiles, but: {failure}"),
    }
}

/// The row's bytes, or the number of the failure code.
pub type Outcome = Result<Vec<u8>, i32>;

/// Decodes `wire` with `decoder`, which may have seen other records.
pub fn decode_with(decoder: &mut Decoder, program: &Program, wire: &[u8]) -> Outcome {
    let mut rows = RowBuffer::default();
    match decoder.decode_row(program, &Slab::of(wire), 0, &mut rows) {
        Ok(len) => {
            assert_eq!(len, rows.rows().len());
            Ok(rows.rows().to_vec())
        }
        Err(code) => {
            assert!(rows.rows().is_empty(), "a refused record leaves nothing behind");
            let failure = decoder.failure(program);
            assert_eq!(failure.code, code, "the detail is that of the last record");
            assert!(failure.byte_offset.is_none_or(|at| at <= wire.len() as u64), "{failure}");
            Err(code.number())
        }
    }
}

/// Decodes `wire` with a fresh decoder.
pub fn decode(program: &Program, wire: &[u8]) -> Outcome {
    let decoded = decode_with(&mut Decoder::new(), program, wire);
    let baseline = decode_with(&mut Decoder::baseline(), program, wire);
    assert_eq!(decoded, baseline, "whatever the processor can do");
    for mut decoder in [Decoder::new().never_guessing(), Decoder::baseline().never_guessing()] {
        let found = decode_with(&mut decoder, program, wire);
        assert_eq!(decoded, found, "wherever fields are looked for first");
    }
    decoded
}
