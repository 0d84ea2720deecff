//! The functions behind `dev.sluice.flink.bridge.NativeEncoder`; the rest stands in `entry`.

use std::ptr;

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{jbyteArray, jint, jlong, jobject};
use sluice_plan::{Failure, FailureCode};

use crate::encode_session::EncodeSession;
use crate::entry::failure_array;
use crate::env::RawEnv;
use crate::guard::{self, AnySession};

/// `NativeEncoder.open(plan, schema, header)`: a handle that Java owns until it closes it, or a
/// negative code whose detail `openFailure` gives. Copies the arrays.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_open(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
    header: jbyteArray,
) -> jlong {
    guard::open(|| open(&env, plan, schema, header).map(AnySession::Encode))
}

/// `NativeEncoder.openFailure(plan, schema)`: why `open` refuses them, as a `Failure`; null if it
/// does not. Asks once more instead of remembering, so nothing is shared between threads that open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_openFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray, schema: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || {
        failure_array(&env, open(&env, plan, schema, ptr::null_mut()).err())
    })
}

/// `NativeEncoder.encodeInput(handle, length)`: the record's length, or a negative code whose detail
/// `lastFailure` gives. The row is the first `length` bytes of the buffer that `inputBuffer` gave;
/// the record is the end of the one that `recordBuffer` gave, until the next call.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_encodeInput(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, length: jint,
) -> jint {
    guard::call_encoder(handle, |session| {
        session.take_input(usize::try_from(length).map_err(|_| FailureCode::MalformedRow)?)?;
        record_length(session.encode_row()?)
    })
}

/// `NativeEncoder.encodeArray(handle, row, offset, length)`: the same for a row that the input buffer
/// has no room for, which is copied.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_encodeArray(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, row: jbyteArray, offset: jint,
    length: jint,
) -> jint {
    guard::call_encoder(handle, |session| {
        let length = usize::try_from(length).map_err(|_| FailureCode::MalformedRow)?;
        RawEnv::of(&env).copy_range(row, offset, session.space(length)?);
        record_length(session.encode_row()?)
    })
}

fn record_length(length: usize) -> Result<jint, FailureCode> {
    jint::try_from(length).map_err(|_| FailureCode::RecordTooLarge)
}

/// `NativeEncoder.inputBuffer(handle)`: a direct buffer over the memory where rows are written, which
/// stays the encoder's, at the same place until it is closed; null if the handle is not usable.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_inputBuffer(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jobject {
    show(&env, handle, EncodeSession::input)
}

/// `NativeEncoder.recordBuffer(handle)`: a direct buffer over the record buffer, whose memory stays
/// the encoder's; null if the handle is not usable.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_recordBuffer(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jobject {
    show(&env, handle, EncodeSession::show_records)
}

/// `NativeEncoder.lastFailure(handle)`: why the last call was refused, as a `Failure`; null if none
/// was, or if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeEncoder_lastFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, guard::failure(handle)))
}

/// A direct buffer over memory of the session; null if the handle is not usable.
fn show(
    env: &EnvUnowned<'_>, handle: jlong, memory: impl FnOnce(&mut EncodeSession) -> &mut [u8],
) -> jobject {
    let mut buffer = ptr::null_mut();
    guard::call_encoder(handle, |session| {
        buffer = RawEnv::of(env).direct_buffer(memory(session));
        Ok(0)
    });
    buffer
}

fn open(
    env: &EnvUnowned<'_>, plan: jbyteArray, schema: jbyteArray, header: jbyteArray,
) -> Result<EncodeSession, Failure> {
    let env = RawEnv::of(env);
    let missing = |code, what| Failure::new(code, format!("{what} is null"));
    let plan = env.bytes(plan).ok_or_else(|| missing(FailureCode::MalformedPlan, "the plan"))?;
    let schema = env.bytes(schema).ok_or_else(|| missing(FailureCode::BadSchema, "the schema"))?;
    EncodeSession::open(&plan, &schema, env.bytes(header).unwrap_or_default())
}
