//! Programs, shared by all sessions of the process.
//!
//! The subtasks of a job open one session each, with the same plan, and meet the same writer
//! schemas. A program is immutable, so the first to need it compiles it and the others wait for it
//! and share it. The cache holds programs weakly: the last session that uses one frees it.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError, Weak};

use once_cell::sync::OnceCell;
use prost::Message;
use sluice_codec::frame::SchemaKey;
use sluice_plan::{Failure, FailureCode, Plan, Program, proto};

static CACHE: LazyLock<ProgramCache> = LazyLock::new(ProgramCache::default);

/// The cache of this copy of the library.
pub fn global() -> &'static ProgramCache {
    &CACHE
}

/// A serialized resolved schema.
pub fn read(schema: &[u8]) -> Result<proto::ResolvedSchema, Failure> {
    proto::ResolvedSchema::decode(schema).map_err(|error| {
        Failure::new(FailureCode::BadSchema, format!("not a resolved schema: {error}"))
    })
}

/// What may stay of programs that nobody uses: the bytes that they were compiled from.
const PURGED_MIN: usize = 16;

/// Schemas whose missing columns were told, of one program. Beyond, all are forgotten, and perhaps
/// told again.
const TOLD_MAX: usize = 10_000;

/// Programs by the bytes they were compiled from. A hash alone would not do: two schemas with
/// one hash would decode into wrong rows.
#[derive(Default)]
pub struct ProgramCache {
    programs: Mutex<HashMap<Origin, Weak<SharedProgram>>>,
    /// How many there may be before those that nobody uses are looked for: twice as many as there
    /// were the last time, so that a new program costs no walk through all others.
    purged_at: AtomicUsize,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Origin {
    plan: Arc<[u8]>,
    schema: Arc<[u8]>,
}

/// One program, or the place where it is being compiled.
#[derive(Default)]
pub struct SharedProgram {
    program: OnceCell<Program>,
    told: Mutex<HashSet<Option<SchemaKey>>>,
}

impl SharedProgram {
    /// The program.
    #[inline]
    pub fn get(&self) -> &Program {
        self.program.get().expect("handed out only once compiled")
    }

    fn is_news(&self, key: Option<SchemaKey>) -> bool {
        let mut told = locked(&self.told);
        if told.len() >= TOLD_MAX {
            told.clear();
        }
        told.insert(key)
    }

    /// Says once for each schema which columns it does not have.
    fn warn_of_missing_columns(&self, key: Option<SchemaKey>) {
        let missing = self.get().missing_columns();
        if missing.is_empty() || !self.is_news(key) {
            return;
        }
        let schema = match key {
            Some(SchemaKey::Id(id)) => format!("schema id {id}"),
            Some(SchemaKey::Guid(guid)) => {
                let hex: String = guid.iter().map(|byte| format!("{byte:02x}")).collect();
                format!("schema GUID {hex}")
            }
            None => "the schema of the plan".to_string(),
        };
        for column in missing {
            log::warn!(
                "column {column} is NULL in records of message {} of {schema}: it has no such field",
                self.get().message_name()
            );
        }
    }
}

impl ProgramCache {
    /// The program of `plan` (whose bytes are `plan_bytes`) for a serialized `ResolvedSchema`.
    pub fn program(
        &self, plan: &Plan, plan_bytes: &Arc<[u8]>, schema: &[u8], key: Option<SchemaKey>,
    ) -> Result<Arc<SharedProgram>, Failure> {
        let shared = self.shared(Origin { plan: Arc::clone(plan_bytes), schema: schema.into() });
        // Compiled outside the lock of the map: other programs need not wait. A failure leaves the
        // cell empty for the next caller.
        shared.program.get_or_try_init(|| Program::compile(plan, &read(schema)?))?;
        shared.warn_of_missing_columns(key);
        Ok(shared)
    }

    fn shared(&self, origin: Origin) -> Arc<SharedProgram> {
        let mut programs = locked(&self.programs);
        if let Some(shared) = programs.get(&origin).and_then(Weak::upgrade) {
            return shared;
        }
        if programs.len() >= self.purged_at.load(Ordering::Relaxed) {
            programs.retain(|_, program| program.strong_count() > 0);
            self.purged_at.store(2 * programs.len() + PURGED_MIN, Ordering::Relaxed);
        }
        let shared = Arc::new(SharedProgram::default());
        programs.insert(origin, Arc::downgrade(&shared));
        shared
    }

    /// Programs that some session uses.
    pub fn live(&self) -> usize {
        locked(&self.programs).values().filter(|program| program.strong_count() > 0).count()
    }
}

/// What a panic under these locks leaves behind is whole: they guard single insertions.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
