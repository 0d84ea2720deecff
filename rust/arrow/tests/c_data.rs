//! Exported batches keep their buffers, and give them back once.

mod harness;

use std::mem::MaybeUninit;
use std::sync::Mutex;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, StructArray};
use harness::batch_row;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sluice_arrow::{BatchDecoder, c_data};
use sluice_testkit::arbitrary::{self, plans};

/// The count of live exports is one for the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn batches() -> Vec<RecordBatch> {
    let mut runner = TestRunner::deterministic();
    let cases =
        std::iter::repeat_with(|| arbitrary::valid().new_tree(&mut runner).unwrap().current());
    let decoded = cases.take(200).map(|case| {
        let plan = harness::bare(plans::confluent(&case.row));
        let mut decoder = BatchDecoder::new(&plan, &case.schema).unwrap();
        decoder.decode(&[case.wire.clone(), case.wire]).unwrap().batch
    });
    decoded.collect()
}

fn export(batch: &RecordBatch) -> (FFI_ArrowArray, FFI_ArrowSchema) {
    let (mut array, mut schema) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: both have the size and alignment of what is written.
    unsafe { c_data::export_batch(batch, array.as_mut_ptr(), schema.as_mut_ptr()) }.unwrap();
    // SAFETY: the call has written it.
    let array = unsafe { array.assume_init() };
    // SAFETY: as above.
    (array, unsafe { schema.assume_init() })
}

#[test]
fn a_batch_comes_back_after_its_decoder_is_gone() {
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    for batch in batches() {
        let wanted: Vec<_> = (0..batch.num_rows()).map(|at| batch_row(&batch, at)).collect();
        let (array, schema) = export(&batch);
        drop(batch);
        assert_eq!(c_data::live_exports(), 1);
        // SAFETY: the structs are those of an export.
        let data = unsafe { from_ffi(array, &schema) }.unwrap();
        data.validate_full().unwrap();
        let imported = RecordBatch::from(StructArray::from(data));
        let got: Vec<_> = (0..imported.num_rows()).map(|at| batch_row(&imported, at)).collect();
        assert_eq!(got, wanted);
        drop(imported);
        assert_eq!(c_data::live_exports(), 0);
    }
}

#[test]
fn a_second_release_does_nothing() {
    let _alone = ONE_AT_A_TIME.lock().unwrap();
    let (mut array, _schema) = export(&batches()[0]);
    let release = array.release().unwrap();
    assert_eq!(c_data::live_exports(), 1);
    // SAFETY: a struct that is not released.
    unsafe { release(&mut array) };
    assert!(array.is_released());
    assert_eq!(c_data::live_exports(), 0);
    // SAFETY: not allowed by C, and answered all the same.
    unsafe { release(&mut array) };
    // SAFETY: as above.
    unsafe { release(std::ptr::null_mut()) };
    drop(array);
    assert_eq!(c_data::live_exports(), 0);
}

#[test]
fn a_stream_gives_all_batches_in_order() {
    let batch = batches().into_iter().find(|batch| batch.num_columns() > 2).unwrap();
    let wanted = vec![batch.clone(), batch.slice(1, 1), batch.slice(0, 0)];
    let mut stream = MaybeUninit::<FFI_ArrowArrayStream>::uninit();
    // SAFETY: it has the size and alignment of what is written.
    unsafe { c_data::export_stream(batch.schema(), wanted.clone(), stream.as_mut_ptr()) };
    // SAFETY: the call has written it.
    let stream = unsafe { stream.assume_init() };
    let got: Result<Vec<_>, _> = RecordBatchStreamReader::try_new(stream).unwrap().collect();
    assert_eq!(got.unwrap(), wanted);
}

#[test]
fn a_stream_that_nobody_reads_is_released() {
    let batch = &batches()[0];
    let mut stream = MaybeUninit::<FFI_ArrowArrayStream>::uninit();
    // SAFETY: it has the size and alignment of what is written.
    unsafe { c_data::export_stream(batch.schema(), vec![batch.clone()], stream.as_mut_ptr()) };
    // SAFETY: the call has written it.
    drop(unsafe { stream.assume_init() });
}
