//! The functions that Java calls: one per `native` method, each a documented name for one guarded
//! call. Classes are those of the package `dev.sluice.flink.bridge`.

use std::ffi::c_void;
use std::ptr;

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{JNI_VERSION_1_8, JavaVM, jbyteArray, jint, jlong, jobject, jstring};
use prost::Message;
use sluice_plan::{Failure, FailureCode};

use crate::env::RawEnv;
use crate::guard::AnySession;
use crate::session::Session;
use crate::{abi, guard, log_buffer, panic_place, program_cache};

/// Called by the JVM once the library is loaded: takes panics and log lines away from stderr.
#[unsafe(no_mangle)]
pub extern "system" fn JNI_OnLoad(_vm: *mut JavaVM, _reserved: *mut c_void) -> jint {
    guard::contain((), || {
        log_buffer::install();
        panic_place::install();
    });
    JNI_VERSION_1_8
}

/// `NativeLibrary.abiVersion()`: asked before anything else.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLibrary_abiVersion(
    _env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jint {
    abi::VERSION
}

/// `NativeLibrary.buildId()`: the build id, asked second.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLibrary_buildId(
    env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jstring {
    guard::contain(ptr::null_mut(), || RawEnv::of(&env).text(abi::build_id()))
}

/// `NativeLibrary.failureCodes()`: number and label of each code, one a line.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLibrary_failureCodes(
    env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jstring {
    guard::contain(ptr::null_mut(), || {
        let line = |code: &FailureCode| format!("{} {}\n", code.number(), code.label());
        RawEnv::of(&env).text(&FailureCode::ALL.iter().map(line).collect::<String>())
    })
}

/// `NativeLibrary.liveDecoders()`: decoders and encoders that are not closed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLibrary_liveDecoders(
    _env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jlong {
    guard::contain(-1, || guard::open_sessions() as jlong)
}

/// `NativeLibrary.livePrograms()`: programs that some decoder uses.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLibrary_livePrograms(
    _env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jlong {
    guard::contain(-1, || program_cache::global().live() as jlong)
}

/// `NativeLog.drainLog()`: the waiting log lines, encoded as `log_buffer::drain` says.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeLog_drainLog(
    env: EnvUnowned<'_>, _class: JClass<'_>,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || RawEnv::of(&env).array(&log_buffer::drain()))
}

/// `NativeDecoder.open(plan)`: a handle that Java owns until it closes it, or a negative code whose
/// detail `planFailure` gives.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_open(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray,
) -> jlong {
    guard::open(|| open(&env, plan))
}

/// `NativeDecoder.planFailure(plan)`: why `open` refuses the plan, as a `Failure`; null if it does
/// not. Asks once more instead of remembering, so nothing is shared between threads that open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_planFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, plan: jbyteArray,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, open(&env, plan).err()))
}

/// `NativeDecoder.decodeInput(handle, length)`: the row's length, or a negative code whose detail
/// `lastFailure` gives. The record is the first `length` bytes of the buffer that `inputBuffer` gave;
/// the row stays in the one that `rowBuffer` gave until the next call. No array crosses the border,
/// as the JVM takes longer to hand one over than to copy a usual record.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_decodeInput(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, length: jint,
) -> jint {
    guard::call(handle, |session| {
        session.take_input(usize::try_from(length).map_err(|_| FailureCode::BadFrame)?)?;
        row_length(session.decode_row()?)
    })
}

/// `NativeDecoder.decodeArray(handle, record, length)`: the same for a record that the input buffer
/// has no room for. `length` is the array's, which is copied.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_decodeArray(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, record: jbyteArray, length: jint,
) -> jint {
    guard::call(handle, |session| {
        let length = usize::try_from(length).map_err(|_| FailureCode::BadFrame)?;
        RawEnv::of(&env).copy_bytes(record, session.space(length)?);
        row_length(session.decode_row()?)
    })
}

fn row_length(length: usize) -> Result<jint, FailureCode> {
    jint::try_from(length).map_err(|_| FailureCode::RowTooLarge)
}

/// `NativeDecoder.inputBuffer(handle)`: a direct buffer over the memory where records are written,
/// which stays the decoder's, at the same place until it is closed; null if the handle is not usable.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_inputBuffer(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jobject {
    show(&env, handle, Session::input)
}

/// `NativeDecoder.rowBuffer(handle)`: a direct buffer over the row buffer, whose memory stays the
/// decoder's; null if the handle is not usable.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_rowBuffer(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jobject {
    show(&env, handle, Session::show_rows)
}

/// `NativeDecoder.addSchema(handle, frame, resolved)`: 0, or a negative code whose detail
/// `lastFailure` gives. Copies both arrays.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_addSchema(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, frame: jbyteArray, resolved: jbyteArray,
) -> jint {
    guard::call(handle, |session| {
        let env = RawEnv::of(&env);
        let frame = env.bytes(frame).ok_or(FailureCode::BadFrame)?;
        let resolved = env.bytes(resolved).ok_or(FailureCode::BadSchema)?;
        session.add_schema(&frame, &resolved)?;
        Ok(0)
    })
}

/// `NativeDecoder.lastFailure(handle)`: why the last call was refused, as a `Failure`; null if none
/// was, or if the handle is not open.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_lastFailure(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || failure_array(&env, guard::failure(handle)))
}

/// `NativeDecoder.panicForTest(handle)`: panics inside the guard. Does to its own handle what a bug
/// would do, and nothing else, so it may stay in the library that ships.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_panicForTest(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jint {
    guard::call(handle, |_| panic!("a test asked for this"))
}

/// `NativeHandle.records(handle)`: rows made so far, from any thread; -1 once closed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeHandle_records(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jlong {
    guard::records(handle)
}

/// `NativeHandle.rowsByMessage(handle)`: a line `name <tab> rows` for each message met so far, as
/// UTF-8, from any thread; null once closed.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeHandle_rowsByMessage(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) -> jbyteArray {
    guard::contain(ptr::null_mut(), || match guard::row_counts(handle) {
        Some(counts) => {
            let lines: String =
                counts.iter().map(|(message, rows)| format!("{message}\t{rows}\n")).collect();
            RawEnv::of(&env).array(lines.as_bytes())
        }
        None => ptr::null_mut(),
    })
}

/// `NativeHandle.close(handle)`: frees what the handle names; nothing happens the second time.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeHandle_close(
    _env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong,
) {
    guard::close(handle);
}

/// A direct buffer over memory of the session; null if the handle is not usable.
fn show(
    env: &EnvUnowned<'_>, handle: jlong, memory: impl FnOnce(&mut Session) -> &mut [u8],
) -> jobject {
    let mut buffer = ptr::null_mut();
    guard::call(handle, |session| {
        buffer = RawEnv::of(env).direct_buffer(memory(session));
        Ok(0)
    });
    buffer
}

fn open(env: &EnvUnowned<'_>, plan: jbyteArray) -> Result<AnySession, Failure> {
    let no_plan = || Failure::new(FailureCode::MalformedPlan, "the plan is null");
    Ok(AnySession::Decode(Session::open(RawEnv::of(env).bytes(plan).ok_or_else(no_plan)?)?))
}

pub(crate) fn failure_array(env: &EnvUnowned<'_>, failure: Option<Failure>) -> jbyteArray {
    match failure {
        Some(failure) => RawEnv::of(env).array(&failure.to_proto().encode_to_vec()),
        None => ptr::null_mut(),
    }
}
