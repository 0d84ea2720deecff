//! What the encoder writes reads back as the row it was written from, and damaged rows are refused.
//!
//! Rows come from random messages, through the decoder. Byte identity with protobuf-java is tested
//! from Java, where that is at hand.

mod harness;

use proptest::prelude::*;
use prost::Message;
use sluice_codec::{Encoder, RecordBuffer, RowImage};
use sluice_plan::proto::{ResolvedSchema, SqlType};
use sluice_plan::{EncodeProgram, FailureCode, Plan, Program};
use sluice_testkit::arbitrary::{self, plans};
use sluice_testkit::text::hex;

fn encode_program(row: &SqlType, schema: &ResolvedSchema) -> Option<EncodeProgram> {
    let plan = plans::confluent(row);
    let plan = Plan::read(&plan.encode_to_vec()).expect("the plan is read");
    match EncodeProgram::compile(&plan, schema) {
        Ok(program) => Some(program),
        Err(failure) => {
            // Random columns may miss their field or a required one; reading allows both.
            let expected = [FailureCode::TypeMismatch, FailureCode::MissingRequired];
            assert!(expected.contains(&failure.code), "{failure}");
            None
        }
    }
}

fn encode(program: &EncodeProgram, row: &[u8]) -> Result<Vec<u8>, FailureCode> {
    let (mut encoder, mut image) = (Encoder::new(), RowImage::default());
    let mut records = RecordBuffer::with_capacity(0);
    image.space(row.len()).copy_from_slice(row);
    match encoder.encode(program, &mut image, &[0xfe], &mut records) {
        Ok(len) => {
            assert_eq!(len, records.record().len());
            assert_eq!(records.record()[0], 0xfe, "the header stands first");
            Ok(records.record()[1..].to_vec())
        }
        Err(code) => {
            assert_eq!(encoder.failure(program).code, code);
            Err(code)
        }
    }
}

/// Writes the row of `wire` and reads it again.
fn there_and_back(
    row: &SqlType, schema: &ResolvedSchema, wire: &[u8],
) -> Result<(), TestCaseError> {
    let program: Program = harness::program(schema, row);
    let read = harness::decode(&program, wire);
    let (Some(writer), Ok(row)) = (encode_program(row, schema), read) else { return Ok(()) };
    match encode(&writer, &row) {
        Ok(written) => {
            let again = harness::decode(&program, &written);
            // The ROW of a oneof is all NULL where a member was set that is no column. That is lost,
            // and entries whose keys differed in it become one.
            let has_oneofs = schema.messages.iter().any(|message| !message.oneofs.is_empty());
            if has_oneofs {
                let null = FailureCode::NullInNotNull.number();
                prop_assert!(again.is_ok() || again == Err(null), "written {}", hex(&written));
            } else {
                prop_assert_eq!(again.as_deref(), Ok(&row[..]), "written {}", hex(&written));
            }
        }
        Err(code) => prop_assert!(REFUSALS.contains(&code), "{}", code),
    }
    Ok(())
}

/// What CONFLUENT reads and has no form for: NULLs in maps and lists, names of unknown numbers.
const REFUSALS: [FailureCode; 4] = [
    FailureCode::NullInNotNull,
    FailureCode::UnknownEnumName,
    FailureCode::UnknownEnumNumber,
    FailureCode::MissingRequired,
];

proptest! {
    #[test]
    fn in_confluent(case in arbitrary::valid()) {
        there_and_back(&case.row, &case.schema, &case.wire)?;
    }

    /// A row from anywhere ends in a record or a refusal.
    #[test]
    fn damaged_rows_do_no_harm(
        case in arbitrary::valid(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let program = harness::program(&case.schema, &case.row);
        let writer = encode_program(&case.row, &case.schema);
        let row = harness::decode(&program, &case.wire);
        if let (Some(writer), Ok(mut row)) = (writer, row) {
            for (at, byte) in damage {
                let at = at.index(row.len());
                row[at] = byte;
            }
            let _ = encode(&writer, &row);
            let _ = encode(&writer, &row[..cut.index(row.len() + 1)]);
        }
    }
}
