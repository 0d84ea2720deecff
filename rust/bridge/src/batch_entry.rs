//! The functions behind `dev.sluice.flink.bridge.NativeBatchDecoder` and `NativeBatch`; the rest stands
//! in `entry`.

use std::ptr;

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{jbyteArray, jint, jintArray, jlong, jlongArray, jobject};
use sluice_arrow::c_data::{self, FFI_ArrowArray, FFI_ArrowArrayStream, FFI_ArrowSchema};
use sluice_plan::{Failure, FailureCode};

use crate::batch_session::{BatchSession, infer_row};
use crate::entry::failure_array;
use crate::env::RawEnv;
use crate::guard::{self, AnySession};

/// `NativeBatchDecoder.open(plan, schema)`: a handle that Java owns until it closes it, or a negative
/// code whose detail `openFailure` gives. Copies the arrays; `schema` may be null.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_open(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
) -> jlong {
    guard::open(|| open(&env, plan, schema).map(AnySession::Batches))
}

/// `NativeBatchDecoder.openFailure(plan, schema)`: why `open` refuses them, as a `Failure`; null if it
/// does not.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_openFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, open(&env, plan, schema).err()))
}

/// `NativeBatchDecoder.inferRow(schema)`: the row type of a `ResolvedSchema`, as a `SqlType`; null if
/// it has none, `inferFailure` tells why.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_inferRow(
    env: EnvUnowned<'_>, _class: JClass<'_>, schema: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || {
        let env = RawEnv::of(&env);
        let row = infer_row(&env.bytes(schema).unwrap_or_default());
        row.map_or(ptr::null_mut(), |row| env.array(&row))
    })
}

/// `NativeBatchDecoder.inferFailure(schema)`: why a `ResolvedSchema` has no row type, as a `Failure`.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_inferFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, schema: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || {
        let schema = RawEnv::of(&env).bytes(schema).unwrap_or_default();
        failure_array(&env, infer_row(&schema).err())
    })
}

/// `NativeBatchDecoder.decode(handle, slab, offsets, from)`: how many records were looked at, or a
/// negative code. Copies the arrays; the records join the batch that `take` gives.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_decode(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, slab: jbyteArray, offsets: jintArray,
    from: jint,
) -> jint {
    guard::call_batches(handle, |session| {
        let env = RawEnv::of(&env);
        let slab = env.bytes(slab).ok_or(FailureCode::Truncated)?;
        let offsets = env.ints(offsets).ok_or(FailureCode::Truncated)?;
        let from = usize::try_from(from).map_err(|_| FailureCode::Truncated)?;
        let count = session.decode(&slab, &offsets, from)?;
        jint::try_from(count).map_err(|_| FailureCode::RowTooLarge)
    })
}

/// `NativeBatchDecoder.position(handle)`: the record at which the last call stopped, or a negative code.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_position(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jint {
    guard::call_batches(handle, |session| {
        jint::try_from(session.position()).map_err(|_| FailureCode::RowTooLarge)
    })
}

/// `NativeBatchDecoder.addSchema(handle, frame, resolved)`: 0, or a negative code whose detail
/// `lastFailure` gives. Copies both arrays.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_addSchema(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, frame: jbyteArray, resolved: jbyteArray,
) -> jint {
    guard::call_batches(handle, |session| {
        let env = RawEnv::of(&env);
        let frame = env.bytes(frame).ok_or(FailureCode::BadFrame)?;
        let resolved = env.bytes(resolved).ok_or(FailureCode::BadSchema)?;
        session.add_schema(&frame, &resolved)?;
        Ok(0)
    })
}

/// `NativeBatchDecoder.take(handle)`: the handle of the batch so far, which Java owns until it closes
/// it, or a negative code. The next batch begins empty.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_take(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jlong {
    let mut taken = None;
    let code = guard::call_batches(handle, |session| {
        taken = Some(session.take().map_err(|failure| failure.code)?);
        Ok(0)
    });
    match taken {
        Some(batch) => guard::open(|| Ok(AnySession::Batch(batch))),
        None => jlong::from(code),
    }
}

/// `NativeBatchDecoder.lastFailure(handle)`: why the last call was refused, as a `Failure`; null if none
/// was, or if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchDecoder_lastFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, guard::failure(handle)))
}

/// `NativeBatch.describe(handle)`: a `BatchDescription`; null if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatch_describe(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    let mut description = ptr::null_mut();
    guard::call_batch(handle, |batch| {
        description = RawEnv::of(&env).array(batch.description());
        Ok(0)
    });
    description
}

/// `NativeBatch.buffer(handle, index)`: a direct buffer over a buffer of the batch, whose memory stays
/// the batch's; null if there is none.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatch_buffer(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, index: jint,
) -> jobject {
    let mut buffer = ptr::null_mut();
    guard::call_batch(handle, |batch| {
        let memory = usize::try_from(index).ok().and_then(|index| batch.buffer(index));
        if let Some(memory) = memory {
            buffer = RawEnv::of(&env).read_only_buffer(memory);
        }
        Ok(0)
    });
    buffer
}

/// `NativeBatch.export(handle, array, schema)`: 0, or a negative code. Writes the two structs, which
/// from then on keep the buffers alive until their owner releases them.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatch_export(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, array: jlong, schema: jlong,
) -> jint {
    guard::call_batch(handle, |batch| {
        let array = struct_at::<FFI_ArrowArray>(array)?;
        let schema = struct_at::<FFI_ArrowSchema>(schema)?;
        // SAFETY: Java's caller allocated a struct at each address, as the interface asks of a
        // consumer; null and addresses that no struct can have are refused above.
        let exported = unsafe { c_data::export_batch(batch.record_batch(), array, schema) };
        exported.map_err(|_| FailureCode::MalformedPlan)?;
        Ok(0)
    })
}

/// `NativeBatch.exportStream(handles, stream)`: 0, or a negative code. Writes the struct, as `export`
/// does.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatch_exportStream(
    env: EnvUnowned<'_>, _class: JClass<'_>, handles: jlongArray, stream: jlong,
) -> jint {
    guard::contain(-FailureCode::Panic.number(), || {
        let handles = RawEnv::of(&env).longs(handles).unwrap_or_default();
        export_stream(&handles, stream).map_or_else(|code| -code.number(), |()| 0)
    })
}

/// `NativeBatch.liveExports()`: exported arrays that are not released.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatch_liveExports(
    _env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jlong {
    guard::contain(-1, || c_data::live_exports() as jlong)
}

fn open(
    env: &EnvUnowned<'_>, plan: jbyteArray, schema: jbyteArray,
) -> Result<BatchSession, Failure> {
    let env = RawEnv::of(env);
    let no_plan = || Failure::new(FailureCode::MalformedPlan, "the plan is null");
    let plan = env.bytes(plan).ok_or_else(no_plan)?;
    BatchSession::open(plan, &env.bytes(schema).unwrap_or_default())
}

fn export_stream(handles: &[jlong], stream: jlong) -> Result<(), FailureCode> {
    let stream = struct_at::<FFI_ArrowArrayStream>(stream)?;
    let mut batches = Vec::with_capacity(handles.len());
    for handle in handles {
        let code = guard::call_batch(*handle, |batch| {
            batches.push(batch.record_batch().clone());
            Ok(0)
        });
        if code < 0 {
            return Err(FailureCode::Closed);
        }
    }
    let schema = batches.first().ok_or(FailureCode::MalformedPlan)?.schema();
    if batches.iter().any(|batch| batch.schema() != schema) {
        return Err(FailureCode::TypeMismatch);
    }
    // SAFETY: as for a single batch.
    unsafe { c_data::export_stream(schema, batches, stream) };
    Ok(())
}

/// A place for a struct, unless there can be none at this address.
pub(crate) fn struct_at<T>(address: jlong) -> Result<*mut T, FailureCode> {
    let at = address as usize as *mut T;
    if at.is_null() || !at.is_aligned() { Err(FailureCode::Closed) } else { Ok(at) }
}
