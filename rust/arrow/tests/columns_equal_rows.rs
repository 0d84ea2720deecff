//! Columns hold what the codec's rows hold, value for value, and a record is refused where its row is,
//! or where Arrow has no such value.
//!
//! `PROPTEST_CASES` raises the number of cases.

mod harness;

use harness::{Value, bare, batch_row, is_small, row, tables};
use proptest::prelude::*;
use sluice_arrow::BatchDecoder;
use sluice_plan::proto::{Framing, ResolvedSchema};
use sluice_plan::{Plan, infer};
use sluice_testkit::arbitrary::{self, plans};

fn agree(
    plan: &Plan, schema: &ResolvedSchema, records: &[Vec<u8>], batch_max: usize,
) -> Result<(), TestCaseError> {
    if !is_small(plan.row()) {
        return Ok(());
    }
    let mut decoder = BatchDecoder::new(plan, schema).expect("a small table");
    let mut at = 0;
    while at < records.len() {
        let some = &records[at..records.len().min(at + batch_max)];
        let decoded = decoder.decode(some).expect("the batch is whole");
        prop_assert_eq!(decoded.consumed, some.len());
        for column in decoded.batch.columns() {
            prop_assert!(column.to_data().validate_full().is_ok());
            prop_assert_eq!(column.offset(), 0);
        }
        let mut rows = 0;
        for (index, record) in some.iter().enumerate() {
            let refused = decoded.refused.iter().find(|refused| refused.index == index);
            match row(plan, schema, record) {
                Err(code) => {
                    let code = Some(code);
                    prop_assert_eq!(refused.map(|r| r.failure.code.number()), code);
                }
                Ok(value) if value.is_impossible() => {
                    let code = refused.map(|r| r.failure.code.label()).unwrap_or_default();
                    prop_assert!(["timestamp-range", "null-in-not-null"].contains(&code));
                }
                Ok(value) => {
                    prop_assert!(refused.is_none(), "{:?}", refused);
                    prop_assert_eq!(batch_row(&decoded.batch, rows), value);
                    rows += 1;
                }
            }
        }
        prop_assert_eq!(decoded.batch.num_rows(), rows);
        at += some.len();
    }
    Ok(())
}

proptest! {
    /// CONFLUENT, with some batches in a row from one decoder.
    #[test]
    fn confluent(table in tables(), batch_max in 1usize..8) {
        agree(&bare(plans::confluent(&table.row)), &table.schema, &table.records, batch_max)?;
    }

    /// FLINK, where a NOT NULL column may be NULL.
    #[test]
    fn flink(made in arbitrary::flink::valid()) {
        let plan = bare(plans::flink(&made.case.row, made.flags));
        let records = vec![made.case.wire; 3];
        agree(&plan, &made.case.schema, &records, 3)?;
    }
}

proptest! {
    /// Whatever row type is inferred from a schema can be read from it, and is read alike.
    #[test]
    fn inferred(table in tables()) {
        if let Ok(row) = infer::row_type(&table.schema) {
            agree(&Plan::for_row(row, Framing::Bare).unwrap(), &table.schema, &table.records, 8)?;
        }
    }
}

/// Counts what the random tables hold: a generator without nesting proves little.
#[test]
fn random_tables_hold_every_type_and_refusal() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut met = std::collections::BTreeSet::new();
    let (mut refusals, mut inferred) = (0, 0);
    for _ in 0..300 {
        let table = tables().new_tree(&mut runner).unwrap().current();
        let plan = bare(plans::confluent(&table.row));
        inferred += usize::from(infer::row_type(&table.schema).is_ok());
        let decoder = BatchDecoder::new(&plan, &table.schema).unwrap();
        for field in decoder.schema().flattened_fields() {
            let name = format!("{}", field.data_type());
            met.insert(name.split(['(', '<']).next().unwrap().to_string());
        }
        for record in &table.records {
            let row = row(&plan, &table.schema, record);
            refusals += usize::from(row.as_ref().map_or(true, Value::is_impossible));
        }
    }
    for wanted in [
        "Boolean",
        "Int32",
        "Utf8",
        "Binary",
        "Dictionary",
        "Decimal128",
        "Timestamp",
        "Date32",
        "Time32",
        "List",
        "Map",
        "Struct",
        "Float64",
        "Int64",
    ] {
        assert!(met.contains(wanted), "{wanted} is not among {met:?}");
    }
    assert!(refusals > 20 && inferred > 50, "{refusals} refused, {inferred} inferred");
}
