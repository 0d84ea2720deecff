//! The function that Java calls with a whole poll: many records, one call.
//!
//! ```text
//! prefixes[at] ++ records[at] ─► slab ─► row behind the others    results: (length, message) …
//!                                     └► or a code, and no row    results: (−code, 0) …
//! ```
//! The call ends early where Java has to act first: a frame that is met for the first time, a buffer
//! that is full. What was decided until then stays decided.

use jni::EnvUnowned;
use jni::objects::JClass;
use jni::sys::{jint, jintArray, jlong, jobjectArray};
use sluice_plan::FailureCode;

use crate::env::RawEnv;
use crate::guard;
use crate::session::Session;

/// Rows of one call, so that the row buffer stays small however long a poll is.
const CALL_BYTES: usize = 1 << 20;

/// `NativeDecoder.decodeRows(handle, prefixes, records, from, to, bytesMax, results)`: how many of
/// the records from index `from` up to `to` were decided, or a negative code whose detail
/// `lastFailure` gives. `prefixes` is null, or has null for a record that is whole by itself.
///
/// `results` has room for two numbers per record and two more. For each record that was decided:
/// length of the row and number of its message (as `rowsByMessage` lists them), or the negative code
/// of its refusal and 0. Behind them: the code that ended the call early, `UnknownSchema` or 0; and 1
/// if the row buffer moved, so that Java has to ask for it before it reads the rows, which stand one
/// behind the other in it until the next call. No record is begun once rows have `bytesMax` bytes, or
/// `CALL_BYTES`.
/// Copies the records.
#[unsafe(no_mangle)]
pub extern "system" fn Java_dev_sluice_flink_bridge_NativeDecoder_decodeRows(
    env: EnvUnowned<'_>, _class: JClass<'_>, handle: jlong, prefixes: jobjectArray,
    records: jobjectArray, from: jint, to: jint, bytes_max: jint, results: jintArray,
) -> jint {
    guard::call(handle, |session| {
        let env = RawEnv::of(&env);
        let from = usize::try_from(from).map_err(|_| FailureCode::BadFrame)?;
        let to = usize::try_from(to).unwrap_or(0).min(env.length(records));
        let bytes_max = usize::try_from(bytes_max).unwrap_or(0).min(CALL_BYTES);
        let mut decided = session.take_results();
        session.start_rows();
        let mut stopped = 0;
        for at in from..to {
            if session.row_bytes() >= bytes_max {
                break;
            }
            match decode(session, &env, prefixes, records, at) {
                Ok((length, message)) => decided.extend([length as jint, message as jint]),
                Err(FailureCode::UnknownSchema) => {
                    stopped = FailureCode::UnknownSchema.number();
                    break;
                }
                // The first row of the next call has all the room there is.
                Err(FailureCode::RowTooLarge) if session.row_bytes() > 0 => break,
                Err(code) => decided.extend([-code.number(), 0]),
            }
        }
        let count = decided.len() / 2;
        decided.extend([stopped, jint::from(session.rows_moved())]);
        env.set_ints(results, &decided);
        session.keep_results(decided);
        Ok(count as jint)
    })
}

fn decode(
    session: &mut Session, env: &RawEnv<'_>, prefixes: jobjectArray, records: jobjectArray,
    at: usize,
) -> Result<(usize, u32), FailureCode> {
    env.with_element(prefixes, at, |prefix| {
        env.with_element(records, at, |record| {
            let prefix_len = env.length(prefix);
            let space = session.room(prefix_len + env.length(record))?;
            env.copy_bytes(prefix, &mut space[..prefix_len]);
            env.copy_bytes(record, &mut space[prefix_len..]);
            session.append_row()
        })
    })
}
