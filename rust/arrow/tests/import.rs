//! What comes in through the C Data Interface is the batch that went out, or is refused.

mod harness;
mod hostile;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::{Array, RecordBatch, StructArray};
use harness::{bare, tables};
use proptest::collection::vec;
use proptest::prelude::*;
use sluice_arrow::BatchDecoder;
use sluice_arrow::c_data::{ImportLimits, import_batch};
use sluice_plan::Failure;
use sluice_testkit::arbitrary::plans;

fn there_and_back(batch: &RecordBatch) -> Result<RecordBatch, Failure> {
    let mut schema = FFI_ArrowSchema::try_from(batch.schema().as_ref()).unwrap();
    let mut array = FFI_ArrowArray::new(&StructArray::from(batch.clone()).into_data());
    // SAFETY: the structs are those of arrow-rs.
    let imported = unsafe { import_batch(&mut array, &mut schema, ImportLimits::default()) };
    assert!(array.is_released() && schema.release().is_none(), "both were moved out");
    imported
}

proptest! {
    /// Every batch of ours comes back, sliced as well.
    #[test]
    fn batches_come_back(table in tables(), cut in any::<(u8, u8)>()) {
        let plan = bare(plans::confluent(&table.row));
        let mut decoder = BatchDecoder::new(&plan, &table.schema).unwrap();
        let batch = decoder.decode(&table.records).unwrap().batch;
        prop_assert_eq!(&there_and_back(&batch).unwrap(), &batch);
        let from = usize::from(cut.0) % (batch.num_rows() + 1);
        let len = usize::from(cut.1) % (batch.num_rows() - from + 1);
        let slice = batch.slice(from, len);
        prop_assert_eq!(there_and_back(&slice).unwrap(), slice);
    }

    /// No lie in a struct crashes, hangs, leaks, or makes a batch that is not whole.
    #[test]
    fn lies_are_refused(numbers in vec(any::<u8>(), 0..400)) {
        hostile::check(&numbers);
    }
}

/// Structs without a lie are accepted, most with one are not: else the law above says nothing.
#[test]
fn lies_are_neither_always_nor_never_refused() {
    let honest =
        |seed: u8| -> Vec<u8> { (0..200u8).map(|at| at.wrapping_mul(seed) % 200).collect() };
    let accepted = (1..=200).filter(|seed| hostile::check(&honest(*seed))).count();
    assert!(accepted > 100, "{accepted} of 200 honest ones are accepted");
    let lying = |seed: u32| -> Vec<u8> {
        (1..200u32).map(|at| ((seed * 200 + at).wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    };
    let accepted = (0..500).filter(|seed| hostile::check(&lying(*seed))).count();
    assert!((5..400).contains(&accepted), "{accepted} of 500 lying ones are accepted");
}

#[test]
fn released_and_missing_structs_are_refused() {
    let limits = ImportLimits::default();
    let (mut array, mut schema) = (FFI_ArrowArray::empty(), FFI_ArrowSchema::empty());
    // SAFETY: released structs are answered.
    let imported = unsafe { import_batch(&mut array, &mut schema, limits) };
    assert!(imported.unwrap_err().reason.contains("released"));
    // SAFETY: so is null.
    let imported = unsafe { import_batch(std::ptr::null_mut(), &mut schema, limits) };
    assert!(imported.unwrap_err().reason.contains("no struct"));
}

#[test]
fn what_is_no_batch_is_refused() {
    let array = arrow_array::Int32Array::from(vec![1]);
    let mut schema = FFI_ArrowSchema::try_from(array.data_type()).unwrap();
    let mut array = FFI_ArrowArray::new(&array.into_data());
    // SAFETY: the structs are those of arrow-rs.
    let imported = unsafe { import_batch(&mut array, &mut schema, ImportLimits::default()) };
    assert!(imported.unwrap_err().reason.contains("a batch is a struct"));
}
