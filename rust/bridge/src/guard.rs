//! The only place where a panic stops, where a handle becomes an object, where an error becomes a
//! (negative) number, and where an object that panicked is locked out.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use jni::sys::{jint, jlong};
use sluice_plan::{Failure, FailureCode};

use crate::batch::Batch;
use crate::batch_encode::BatchEncodeSession;
use crate::batch_session::BatchSession;
use crate::encode_session::EncodeSession;
use crate::handle::Table;
use crate::panic_place;
use crate::row_counts::RowCounts;
use crate::session::Session;

static SESSIONS: Table<Guarded> = Table::new();

/// What may be asked of a session while a call is in it. Locked when a session opens or closes and
/// by whoever asks, never by a call.
static COUNTS: LazyLock<Mutex<HashMap<jlong, Arc<RowCounts>>>> = LazyLock::new(Mutex::default);

/// A session and how its last call ended.
struct Guarded {
    session: AnySession,
    code: Option<FailureCode>,
    /// What the panic said that poisoned the session: its state cannot be trusted any more.
    panic: Option<String>,
}

/// What a handle can name. Java has a class for each, so a handle of the wrong kind is a bug there; it
/// is refused like one that is closed.
#[expect(clippy::large_enum_variant, reason = "the table boxes it, and there are few")]
pub enum AnySession {
    /// Records to rows.
    Decode(Session),
    /// Rows to records.
    Encode(EncodeSession),
    /// Records to batches.
    Batches(BatchSession),
    /// One batch.
    Batch(Batch),
    /// Batches to records.
    EncodeBatches(BatchEncodeSession),
}

impl AnySession {
    fn records(&self) -> u64 {
        match self {
            AnySession::Decode(session) => session.records(),
            AnySession::Encode(session) => session.records(),
            AnySession::Batches(session) => session.records(),
            AnySession::Batch(batch) => batch.rows(),
            AnySession::EncodeBatches(session) => session.records(),
        }
    }

    fn failure(&self, code: FailureCode) -> Failure {
        match self {
            AnySession::Decode(session) => session.failure(code),
            AnySession::Encode(session) => session.failure(code),
            AnySession::Batches(session) => session.failure(code),
            AnySession::EncodeBatches(session) => session.failure(code),
            AnySession::Batch(_) => Failure::new(code, code.to_string()),
        }
    }
}

/// Opens a session; its handle, or the negative code of the refusal.
pub fn open(session: impl FnOnce() -> Result<AnySession, Failure>) -> jlong {
    let opened = catch_unwind(AssertUnwindSafe(|| -> Result<jlong, Failure> {
        let session = session()?;
        let counts = match &session {
            AnySession::Decode(session) => Some(Arc::clone(session.row_counts())),
            _ => None,
        };
        let full =
            || Failure::new(FailureCode::UnsupportedPlan, "too many open decoders and encoders");
        let handle =
            SESSIONS.insert(Guarded { session, code: None, panic: None }).ok_or_else(full)?;
        if let Some(counts) = counts {
            all_counts().insert(handle, counts);
        }
        Ok(handle)
    }));
    match opened {
        Ok(Ok(handle)) => handle,
        Ok(Err(failure)) => -jlong::from(failure.code.number()),
        Err(_) => -jlong::from(FailureCode::Panic.number()),
    }
}

/// Runs `body` on the decoder behind `handle`: its result, or a negative code.
#[inline]
pub fn call(handle: jlong, body: impl FnOnce(&mut Session) -> Result<jint, FailureCode>) -> jint {
    call_any(handle, |session| match session {
        AnySession::Decode(session) => body(session),
        _ => Err(FailureCode::Closed),
    })
}

/// Runs `body` on the encoder behind `handle`: its result, or a negative code.
#[inline]
pub fn call_encoder(
    handle: jlong, body: impl FnOnce(&mut EncodeSession) -> Result<jint, FailureCode>,
) -> jint {
    call_any(handle, |session| match session {
        AnySession::Encode(session) => body(session),
        _ => Err(FailureCode::Closed),
    })
}

/// Runs `body` on the decoder of batches behind `handle`: its result, or a negative code.
pub fn call_batches(
    handle: jlong, body: impl FnOnce(&mut BatchSession) -> Result<jint, FailureCode>,
) -> jint {
    call_any(handle, |session| match session {
        AnySession::Batches(session) => body(session),
        _ => Err(FailureCode::Closed),
    })
}

/// Runs `body` on the encoder of batches behind `handle`: its result, or a negative code.
pub fn call_batch_encoder(
    handle: jlong, body: impl FnOnce(&mut BatchEncodeSession) -> Result<jint, FailureCode>,
) -> jint {
    call_any(handle, |session| match session {
        AnySession::EncodeBatches(session) => body(session),
        _ => Err(FailureCode::Closed),
    })
}

/// Runs `body` on the batch behind `handle`: its result, or a negative code.
pub fn call_batch(
    handle: jlong, body: impl FnOnce(&mut Batch) -> Result<jint, FailureCode>,
) -> jint {
    call_any(handle, |session| match session {
        AnySession::Batch(batch) => body(batch),
        _ => Err(FailureCode::Closed),
    })
}

#[inline]
fn call_any(
    handle: jlong, body: impl FnOnce(&mut AnySession) -> Result<jint, FailureCode>,
) -> jint {
    // SAFETY: `NativeHandle.enter` in Java lets one thread at a time pass a handle here, and its
    // release passes the same gate; a number that is no open handle is found out by the table.
    let Some((guarded, records)) = (unsafe { SESSIONS.borrow(handle) }) else {
        return -FailureCode::Closed.number();
    };
    let code = if guarded.panic.is_some() {
        FailureCode::Poisoned
    } else {
        match catch_unwind(AssertUnwindSafe(|| body(&mut guarded.session))) {
            Ok(Ok(value)) => {
                // Other threads ask for the count; it is told when a call ends.
                records.store(guarded.session.records(), Ordering::Relaxed);
                return value;
            }
            Ok(Err(code)) => code,
            Err(payload) => {
                guarded.panic = Some(panic_place::describe(&*payload));
                FailureCode::Panic
            }
        }
    };
    guarded.code = Some(code);
    -code.number()
}

/// What the last refused call on `handle` has to say.
pub fn failure(handle: jlong) -> Option<Failure> {
    // SAFETY: as in `call`.
    let (guarded, _) = unsafe { SESSIONS.borrow(handle) }?;
    let code = guarded.code?;
    match &guarded.panic {
        Some(panic) => Some(Failure::new(code, panic.as_str())),
        None => Some(guarded.session.failure(code)),
    }
}

/// Drops the session; a handle that is closed already is left alone.
pub fn close(handle: jlong) {
    contain((), || {
        all_counts().remove(&handle);
        // SAFETY: `NativeHandle.run` in Java enters the gate for good before it calls this, so no
        // call on the handle runs or begins.
        drop(unsafe { SESSIONS.remove(handle) });
    });
}

/// Rows or records made by the session of `handle`, from any thread; -1 once it is closed.
pub fn records(handle: jlong) -> jlong {
    SESSIONS.records(handle).map_or(-1, |records| records as jlong)
}

/// Rows made of each message by the session of `handle`, from any thread; `None` once it is closed.
pub fn row_counts(handle: jlong) -> Option<Arc<RowCounts>> {
    all_counts().get(&handle).cloned()
}

fn all_counts() -> MutexGuard<'static, HashMap<jlong, Arc<RowCounts>>> {
    COUNTS.lock().unwrap_or_else(PoisonError::into_inner) // guards single insertions
}

/// Sessions that are open.
pub fn open_sessions() -> usize {
    SESSIONS.taken()
}

/// Runs an entry without handle; a panic gives `otherwise`.
pub fn contain<T>(otherwise: T, body: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise)
}
