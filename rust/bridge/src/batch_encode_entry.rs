//! The functions behind `dev.sluice.flink.bridge.NativeBatchEncoder`; the rest stands in `entry`.

use std::ptr;

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{jbyteArray, jint, jintArray, jlong};
use sluice_plan::{Failure, FailureCode};

use crate::batch_encode::BatchEncodeSession;
use crate::batch_entry::struct_at;
use crate::entry::failure_array;
use crate::env::RawEnv;
use crate::guard::{self, AnySession};

/// `NativeBatchEncoder.open(plan, schema, header)`: a handle that Java owns until it closes it, or a
/// negative code whose detail `openFailure` gives. Copies the arrays.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_open(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
    header: jbyteArray,
) -> jlong {
    guard::open(|| open(&env, plan, schema, header).map(AnySession::EncodeBatches))
}

/// `NativeBatchEncoder.openFailure(plan, schema)`: why `open` refuses them, as a `Failure`; null if it
/// does not.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_openFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || {
        failure_array(&env, open(&env, plan, schema, ptr::null_mut()).err())
    })
}

/// `NativeBatchEncoder.encode(handle, array, schema, from)`: 0, or a negative code whose detail
/// `lastFailure` gives. Takes both structs and releases each once, whatever comes of them; the records
/// stay until the next call.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_encode(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, array: jlong, schema: jlong,
    from: jint,
) -> jint {
    guard::call_batch_encoder(handle, |session| {
        let (array, schema) = (struct_at(array)?, struct_at(schema)?);
        let from = usize::try_from(from).unwrap_or(0);
        // SAFETY: Java's caller says that there are structs of the interface; null and addresses that
        // no struct can have are refused above, and what else can be wrong by the import.
        unsafe { session.encode(array, schema, from) }?;
        Ok(0)
    })
}

/// `NativeBatchEncoder.slab(handle)`: the records of the last batch; null if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_slab(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    let mut slab = ptr::null_mut();
    guard::call_batch_encoder(handle, |session| {
        slab = RawEnv::of(&env).array(session.slab());
        Ok(0)
    });
    slab
}

/// `NativeBatchEncoder.offsets(handle)`: where each record of the last batch begins, and where the last
/// one ends; null if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_offsets(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jintArray {
    let mut offsets = ptr::null_mut();
    guard::call_batch_encoder(handle, |session| {
        offsets = RawEnv::of(&env).int_array(&session.offsets());
        Ok(0)
    });
    offsets
}

/// `NativeBatchEncoder.describe(handle)`: a `BatchDescription` of the rows without record; null if the
/// handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_describe(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    let mut description = ptr::null_mut();
    guard::call_batch_encoder(handle, |session| {
        description = RawEnv::of(&env).array(&session.description());
        Ok(0)
    });
    description
}

/// `NativeBatchEncoder.lastFailure(handle)`: why the last call was refused, as a `Failure`; null if none
/// was, or if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeBatchEncoder_lastFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, guard::failure(handle)))
}

fn open(
    env: &EnvUnowned<'_>, plan: jbyteArray, schema: jbyteArray, header: jbyteArray,
) -> Result<BatchEncodeSession, Failure> {
    let env = RawEnv::of(env);
    let missing = |code, what| Failure::new(code, format!("{what} is null"));
    let plan = env.bytes(plan).ok_or_else(|| missing(FailureCode::MalformedPlan, "the plan"))?;
    let schema = env.bytes(schema).ok_or_else(|| missing(FailureCode::BadSchema, "the schema"))?;
    BatchEncodeSession::open(&plan, &schema, &env.bytes(header).unwrap_or_default())
}
