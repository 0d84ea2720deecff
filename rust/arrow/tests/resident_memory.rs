//! A million exports leave the process as big as it was.

use std::mem::MaybeUninit;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use sluice_arrow::{BatchDecoder, c_data};
use sluice_plan::proto::{Framing, SqlKind, SqlType};
use sluice_plan::{Plan, proto};

const CYCLES: usize = 1_000_000;
/// What an allocator may keep; one leaked struct in a hundred cycles is more.
const GROWTH_MAX: usize = 2 << 20;

fn resident_bytes() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<usize>().ok()? * 1024)
}

/// A table of one INT, whose records are empty messages.
fn batch() -> arrow_array::RecordBatch {
    let message =
        proto::ResolvedMessage { full_name: "m.M".into(), ..proto::ResolvedMessage::default() };
    let schema =
        proto::ResolvedSchema { version: 1, messages: vec![message], ..Default::default() };
    let sql = SqlType { kind: SqlKind::Integer.into(), nullable: true, ..SqlType::default() };
    let column = proto::Column { name: "a".into(), r#type: Some(sql) };
    let row = SqlType { kind: SqlKind::Row.into(), columns: vec![column], ..SqlType::default() };
    let plan = Plan::for_row(row, Framing::Bare).unwrap();
    let mut decoder = BatchDecoder::new(&plan, &schema).unwrap();
    decoder.decode(&[b""; 8]).unwrap().batch
}

fn cycle(batch: &arrow_array::RecordBatch) {
    let mut array = MaybeUninit::<FFI_ArrowArray>::uninit();
    let mut schema = MaybeUninit::<FFI_ArrowSchema>::uninit();
    // SAFETY: both have the size and alignment of what is written.
    unsafe { c_data::export_batch(batch, array.as_mut_ptr(), schema.as_mut_ptr()) }.unwrap();
    // SAFETY: the call has written it; dropping it calls its release.
    drop(unsafe { array.assume_init() });
    // SAFETY: as above.
    drop(unsafe { schema.assume_init() });
}

#[test]
fn a_million_exports_leave_no_trace() {
    let batch = batch();
    (0..CYCLES / 100).for_each(|_| cycle(&batch));
    let Some(before) = resident_bytes() else { return }; // not Linux
    (0..CYCLES).for_each(|_| cycle(&batch));
    let grown = resident_bytes().unwrap().saturating_sub(before);
    assert!(grown < GROWTH_MAX, "{grown} bytes more after {CYCLES} exports");
    assert_eq!(c_data::live_exports(), 0);
}
