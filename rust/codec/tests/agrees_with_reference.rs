//! The decoder and the slow reference of the test kit give the same answer on every input.
//!
//! `PROPTEST_CASES` raises the number of cases (256 for each property). A failing case prints its
//! schema, row type and bytes; its seed goes to `proptest-regressions/`, which is committed.

mod harness;

use proptest::prelude::*;
use sluice_testkit::arbitrary::flink::FlinkCase;
use sluice_testkit::arbitrary::{self, Case, plans};
use sluice_testkit::reference::{self, Refusal};
use sluice_testkit::text::hex;

/// Fails unless the codec's outcome is one that the reference allows.
fn check(outcome: &harness::Outcome, wanted: &Result<Vec<u8>, Refusal>) -> Result<(), String> {
    match (outcome, wanted) {
        (Ok(got), Ok(wanted)) if got == wanted => Ok(()),
        (Err(code), Err(refusal)) if refusal.codes.contains(code) => Ok(()),
        (got, wanted) => Err(format!(
            "codec     {}\nreference {}",
            got.as_ref().map_or_else(|code| code.to_string(), |row| hex(row)),
            wanted.as_ref().map_or_else(|refusal| format!("{:?}", refusal.codes), |row| hex(row)),
        )),
    }
}

fn agree(case: &Case) -> Result<(), TestCaseError> {
    let program = harness::program(&case.schema, &case.row);
    let wanted = reference::decode(&case.schema, &case.row, &case.wire);
    check(&harness::decode(&program, &case.wire), &wanted).map_err(TestCaseError::fail)
}

fn agree_flink(made: &FlinkCase) -> Result<(), TestCaseError> {
    let FlinkCase { case, flags } = made;
    let program = harness::compiled(&case.schema, &plans::flink(&case.row, *flags));
    let wanted = reference::flink::decode(&case.schema, &case.row, *flags, &case.wire);
    check(&harness::decode(&program, &case.wire), &wanted).map_err(TestCaseError::fail)
}

proptest! {
    /// Valid messages, fields in any order, in parts, repeated, unknown, packed and unpacked.
    #[test]
    fn on_valid_messages(case in arbitrary::valid()) {
        agree(&case)?;
    }

    /// Damaged messages: refused alike and for the same reason, or read alike.
    #[test]
    fn on_damaged_messages(case in arbitrary::mutated()) {
        agree(&case)?;
    }

    /// Bytes that never were a message.
    #[test]
    fn on_noise(case in arbitrary::noise()) {
        agree(&case)?;
    }

    /// Flink compares rows bytewise, so another column order changes the places, nothing else.
    #[test]
    fn in_any_column_order(reordered in arbitrary::reordered()) {
        agree(&reordered.case)?;
        agree(&Case { row: reordered.row, ..reordered.case })?;
    }

    /// Few of many plain fields.
    #[test]
    fn on_plain_fields(case in arbitrary::plain::valid()) {
        agree(&case)?;
    }

    /// The same, damaged.
    #[test]
    fn on_damaged_plain_fields(case in arbitrary::plain::mutated()) {
        agree(&case)?;
    }

    /// The same in the FLINK profile, with any flags.
    #[test]
    fn flink_on_plain_fields(case in arbitrary::plain::of_flink()) {
        agree_flink(&case)?;
    }

    /// The same for the FLINK profile, with any flags.
    #[test]
    fn flink_on_valid_messages(case in arbitrary::flink::valid()) {
        agree_flink(&case)?;
    }

    /// Damaged messages in the FLINK profile.
    #[test]
    fn flink_on_damaged_messages(case in arbitrary::flink::mutated()) {
        agree_flink(&case)?;
    }

    /// Maps of many keys in few bins.
    #[test]
    fn flink_on_crowded_maps(case in arbitrary::flink::crowded_maps()) {
        agree_flink(&case)?;
    }
}
