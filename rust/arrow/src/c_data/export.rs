//! Batches out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{ArrowError, SchemaRef};

/// Exported arrays that are not released.
static LIVE: AtomicUsize = AtomicUsize::new(0);

/// Exported batches whose consumer has not released them yet. For tests of leaks.
pub fn live_exports() -> usize {
    LIVE.load(Ordering::Relaxed)
}

/// Moves the batch, as a struct array, and its schema into structs that the consumer allocated.
///
/// On an error nothing is written.
///
/// # Safety
/// Both must be valid for writes and aligned; what is in them is overwritten, not released.
pub unsafe fn export_batch(
    batch: &RecordBatch, array: *mut FFI_ArrowArray, schema: *mut FFI_ArrowSchema,
) -> Result<(), ArrowError> {
    let exported = FFI_ArrowSchema::try_from(batch.schema().as_ref())?;
    let data = StructArray::from(batch.clone()).into_data();
    let counted = counted(FFI_ArrowArray::new(&data));
    // SAFETY: the caller promises room for an array struct.
    unsafe { array.write(counted) };
    // SAFETY: the caller promises room for a schema struct.
    unsafe { schema.write(exported) };
    Ok(())
}

/// Moves batches into a stream struct that the consumer allocated. All must have this schema; the
/// consumer asks for one after the other.
///
/// # Safety
/// `stream` must be valid for writes and aligned; what is in it is overwritten, not released.
pub unsafe fn export_stream(
    schema: SchemaRef, batches: Vec<RecordBatch>, stream: *mut FFI_ArrowArrayStream,
) {
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    let exported = FFI_ArrowArrayStream::new(Box::new(reader));
    // SAFETY: the caller promises room for a stream struct.
    unsafe { stream.write(exported) };
}

/// What our release needs to hand over to arrow-rs's.
struct Wrapped {
    array: FFI_ArrowArray,
}

/// `array` with a release that counts.
fn counted(array: FFI_ArrowArray) -> FFI_ArrowArray {
    let wrapped = Box::new(Wrapped { array });
    // SAFETY: a bitwise copy shares what `wrapped` owns; its own release and private data are
    // replaced below, before anyone can use or drop it, so there is one owner.
    let mut outer = unsafe { std::ptr::read(&wrapped.array) };
    // SAFETY: `release` is made for the private data that is set next, and takes nothing else.
    unsafe { outer.set_release(Some(release)) };
    // SAFETY: `release` turns this back into the box, once.
    unsafe { outer.set_private_data(Box::into_raw(wrapped).cast()) };
    LIVE.fetch_add(1, Ordering::Relaxed);
    outer
}

/// Called by the consumer, once: C forbids to call it on a struct whose `release` is null.
unsafe extern "C" fn release(array: *mut FFI_ArrowArray) {
    // What unwinds into C takes the process down.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        if array.is_null() {
            return;
        }
        // SAFETY: not null, and the consumer passes the struct it was given or moved.
        let array = unsafe { &mut *array };
        if array.release().is_none() {
            return; // released before
        }
        // SAFETY: a released array has neither.
        unsafe { array.set_release(None) };
        // SAFETY: as above.
        let wrapped = unsafe { array.set_private_data(std::ptr::null_mut()) };
        // SAFETY: `counted` made it of a box; `release` was set, so nobody has taken it back.
        drop(unsafe { Box::from_raw(wrapped.cast::<Wrapped>()) });
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }));
}
