//! A generator that makes only refused or only plain cases proves nothing: its output is counted.

use std::collections::BTreeMap;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sluice_testkit::arbitrary::flink::FlinkCase;
use sluice_testkit::arbitrary::{self, Case};
use sluice_testkit::reference::cells::{self, Cell};
use sluice_testkit::reference::parse::parse;
use sluice_testkit::reference::{self, code, opaque};

/// Outcomes of `count` cases: 0 for a row, else the least code.
fn outcomes(strategy: impl Strategy<Value = Case>, count: u32) -> BTreeMap<i32, u32> {
    let mut runner = TestRunner::deterministic();
    let mut outcomes = BTreeMap::new();
    for _ in 0..count {
        let case = strategy.new_tree(&mut runner).expect("nothing is filtered").current();
        let outcome = match reference::decode(&case.schema, &case.row, &case.wire) {
            Ok(_) => 0,
            Err(refusal) => refusal.first,
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    outcomes
}

#[test]
fn valid_cases_mostly_become_rows() {
    let outcomes = outcomes(arbitrary::valid(), 2000);
    assert!(outcomes[&0] >= 1700, "{outcomes:?}");
}

#[test]
fn oneof_columns_are_null_full_and_beside_their_members() {
    let mut runner = TestRunner::deterministic();
    let (mut columns, mut rows, mut beside) = (0, 0, 0);
    for _ in 0..1000 {
        let case = arbitrary::valid().new_tree(&mut runner).expect("nothing is filtered").current();
        let schema = opaque::schema(&case.schema, &case.row);
        let root = &schema.messages[schema.root as usize];
        let (cells, _) = cells::row(&schema, &parse(&schema, &case.wire).tree, &case.row);
        for (column, cell) in case.row.columns.iter().zip(cells) {
            let snake = column.name.replace("camel_case", "camelCase");
            let Some(index) = root.oneofs.iter().position(|oneof| *oneof == snake) else {
                continue;
            };
            columns += 1;
            rows += u32::from(cell != Cell::Null);
            let is_member = |name: &str| {
                let name = name.replace("camel_case", "camelCase");
                let member = root.fields.iter().find(|field| field.name == name);
                member.is_some_and(|member| member.oneof_index == Some(index as u32))
            };
            beside += u32::from(case.row.columns.iter().any(|other| is_member(&other.name)));
        }
    }
    assert!(columns > 300 && rows > 60 && beside > 60, "{columns} {rows} {beside}");
}

#[test]
fn damage_reaches_every_fault_and_leaves_some_rows() {
    let outcomes = outcomes(arbitrary::mutated(), 4000);
    assert!(outcomes[&0] >= 500, "{outcomes:?}");
    let faults = [
        code::TRUNCATED,
        code::MALFORMED_VARINT,
        code::INVALID_TAG,
        code::INVALID_WIRE_TYPE,
        code::END_GROUP_MISMATCH,
        code::INVALID_UTF8,
        code::TOO_DEEP,
        code::MISSING_REQUIRED,
        code::NULL_IN_NOT_NULL,
        code::TIMESTAMP_RANGE,
        code::BAD_DATE,
        code::BAD_TIME,
        code::BAD_DECIMAL,
    ];
    for fault in faults {
        assert!(outcomes.contains_key(&fault), "{fault} of {outcomes:?}");
    }
}

#[test]
fn flink_cases_mostly_become_rows() {
    let outcomes = flink_outcomes(arbitrary::flink::valid(), 2000);
    assert!(outcomes[&0] >= 1500, "{outcomes:?}");
    assert!(outcomes[&code::UNKNOWN_ENUM_NUMBER] >= 10, "{outcomes:?}");
    assert!(outcomes[&code::MISSING_REQUIRED] >= 10, "{outcomes:?}");
    let crowded = flink_outcomes(arbitrary::flink::crowded_maps(), 200);
    assert_eq!(crowded, BTreeMap::from([(0, 200)]));
}

fn flink_outcomes(strategy: impl Strategy<Value = FlinkCase>, count: u32) -> BTreeMap<i32, u32> {
    let mut runner = TestRunner::deterministic();
    let mut outcomes = BTreeMap::new();
    for _ in 0..count {
        let made = strategy.new_tree(&mut runner).expect("nothing is filtered").current();
        let FlinkCase { case, flags } = made;
        let outcome = reference::flink::decode(&case.schema, &case.row, flags, &case.wire);
        *outcomes.entry(outcome.map_or_else(|refusal| refusal.first, |_| 0)).or_default() += 1;
    }
    outcomes
}

#[test]
fn an_exhausted_stream_ends() {
    for len in 0..40 {
        let case = arbitrary::case_of(&vec![u32::MAX; len]);
        assert!(case.wire.len() < 1 << 20);
    }
}
