//! Handles: numbers that Java holds for objects of ours.
//!
//! A handle is the index of a slot and the generation of its content, never an address. A slot that
//! is emptied gets the next generation, so a stale, doubled or made-up number names nothing and is
//! refused; it is never dereferenced. Slots live as long as the process and are used again.
//!
//! ```text
//! 63      56           24          0
//! |   0    | generation |   index  |     generation is odd while the slot is taken
//! ```
//!
//! Looking a handle up takes no lock. That only one thread is inside an object is Java's promise
//! (`NativeHandle` has a gate for it), as written at each borrow.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use jni::sys::jlong;

const INDEX_BITS: u32 = 24;
const CHUNK_SLOTS: usize = 64;
const CHUNKS: usize = 1024;

/// Everything that handles of one kind can name.
pub struct Table<T> {
    chunks: [OnceLock<Box<[Slot<T>]>>; CHUNKS],
    vacant: Mutex<Vacant>,
}

struct Slot<T> {
    generation: AtomicU32,
    /// Told by [`Table::records`] while another thread is inside the object.
    records: AtomicU64,
    object: UnsafeCell<Option<Box<T>>>,
}

#[derive(Default)]
struct Vacant {
    used_before: Vec<usize>,
    never_used: usize,
    taken: usize,
}

// SAFETY: `object` is reached only by `insert`, which owns a vacant slot, and by `borrow` and
// `remove`, whose callers prove that no other thread is inside; so it moves between threads, and
// is never shared by them.
unsafe impl<T: Send> Sync for Slot<T> {}

impl<T> Table<T> {
    /// An empty table.
    pub const fn new() -> Table<T> {
        let vacant = Vacant { used_before: Vec::new(), never_used: 0, taken: 0 };
        Table { chunks: [const { OnceLock::new() }; CHUNKS], vacant: Mutex::new(vacant) }
    }

    /// A handle for `object`, or `None` if all slots are taken.
    pub fn insert(&self, object: T) -> Option<jlong> {
        let index = self.take_slot()?;
        let slot = &self.chunks[index / CHUNK_SLOTS].get_or_init(vacant_chunk)[index % CHUNK_SLOTS];
        let object = Some(Box::new(object));
        // SAFETY: `take_slot` gave the index to this thread alone, and its generation is even, so
        // no handle names it.
        unsafe { *slot.object.get() = object };
        slot.records.store(0, Ordering::Relaxed);
        let generation = slot.generation.fetch_add(1, Ordering::Release).wrapping_add(1);
        Some((i64::from(generation) << INDEX_BITS) | index as i64)
    }

    /// The object behind `handle`, if there is one, and the count that other threads may ask for.
    ///
    /// # Safety
    /// No other call of `borrow` or `remove` with this handle may run, and none may begin before
    /// the reference is dropped.
    #[allow(clippy::mut_from_ref, reason = "exclusive by the contract above")]
    pub unsafe fn borrow(&self, handle: jlong) -> Option<(&mut T, &AtomicU64)> {
        let (slot, _, _) = self.find(handle)?;
        // SAFETY: the caller promises that nobody else is inside this object.
        let object = unsafe { &mut *slot.object.get() };
        Some((object.as_deref_mut()?, &slot.records))
    }

    /// Takes the object out and makes its handle stale. Of two calls, one gets the object.
    ///
    /// # Safety
    /// No reference of [`Table::borrow`] for this handle may be alive.
    pub unsafe fn remove(&self, handle: jlong) -> Option<T> {
        let (slot, index, generation) = self.find(handle)?;
        let next = generation.wrapping_add(1);
        slot.generation
            .compare_exchange(generation, next, Ordering::AcqRel, Ordering::Relaxed)
            .ok()?;
        // SAFETY: the caller promises that nobody is inside, and the exchange let one thread pass.
        let object = unsafe { &mut *slot.object.get() }.take();
        let mut vacant = self.vacant.lock().unwrap_or_else(PoisonError::into_inner);
        vacant.used_before.push(index);
        vacant.taken -= 1;
        object.map(|object| *object)
    }

    /// The count of records that the object of `handle` last told, if the handle is not stale.
    pub fn records(&self, handle: jlong) -> Option<u64> {
        let (slot, _, generation) = self.find(handle)?;
        let records = slot.records.load(Ordering::Relaxed);
        (slot.generation.load(Ordering::Acquire) == generation).then_some(records)
    }

    /// How many handles name something.
    pub fn taken(&self) -> usize {
        self.vacant.lock().unwrap_or_else(PoisonError::into_inner).taken
    }

    fn find(&self, handle: jlong) -> Option<(&Slot<T>, usize, u32)> {
        let index = (handle & ((1 << INDEX_BITS) - 1)) as usize;
        let generation = u32::try_from(handle >> INDEX_BITS).ok()?;
        let slot = self.chunks.get(index / CHUNK_SLOTS)?.get()?.get(index % CHUNK_SLOTS)?;
        let current = slot.generation.load(Ordering::Acquire);
        (current == generation && generation % 2 == 1).then_some((slot, index, generation))
    }

    fn take_slot(&self) -> Option<usize> {
        let mut vacant = self.vacant.lock().unwrap_or_else(PoisonError::into_inner);
        let index = match vacant.used_before.pop() {
            Some(index) => index,
            None if vacant.never_used < CHUNKS * CHUNK_SLOTS => {
                vacant.never_used += 1;
                vacant.never_used - 1
            }
            None => return None,
        };
        vacant.taken += 1;
        Some(index)
    }
}

fn vacant_chunk<T>() -> Box<[Slot<T>]> {
    let slot = || Slot {
        generation: AtomicU32::new(0),
        records: AtomicU64::new(0),
        object: UnsafeCell::new(None),
    };
    std::iter::repeat_with(slot).take(CHUNK_SLOTS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests own their tables and use them from one thread.
    fn read(table: &Table<String>, handle: jlong) -> Option<String> {
        // SAFETY: one thread, and the reference ends with this function.
        unsafe { table.borrow(handle) }.map(|(object, _)| object.clone())
    }

    fn remove(table: &Table<String>, handle: jlong) -> Option<String> {
        // SAFETY: one thread, and `read` keeps no reference.
        unsafe { table.remove(handle) }
    }

    #[test]
    fn a_handle_finds_its_object_until_it_is_removed() {
        let table = Table::new();
        let first = table.insert("first".to_string()).unwrap();
        let second = table.insert("second".to_string()).unwrap();
        assert!(first > 0 && second > 0);
        assert_eq!(read(&table, first).as_deref(), Some("first"));
        assert_eq!(remove(&table, first).as_deref(), Some("first"));
        assert_eq!(read(&table, first), None);
        assert_eq!(remove(&table, first), None);
        assert_eq!(read(&table, second).as_deref(), Some("second"));
        assert_eq!(table.taken(), 1);
    }

    #[test]
    fn a_stale_handle_does_not_find_the_next_object_of_its_slot() {
        let table = Table::new();
        let stale = table.insert("old".to_string()).unwrap();
        remove(&table, stale);
        let fresh = table.insert("fresh".to_string()).unwrap();
        assert_ne!(stale, fresh);
        assert_eq!(read(&table, stale), None);
        assert_eq!(read(&table, fresh).as_deref(), Some("fresh"));
    }

    #[test]
    fn numbers_that_were_never_handles_find_nothing() {
        let table = Table::new();
        let handle = table.insert("x".to_string()).unwrap();
        let near = [handle - 1, handle + 1, handle ^ (1 << INDEX_BITS), handle | (1 << 60)];
        for garbage in [0, 1, -1, i64::MIN, i64::MAX, 0x7f12_3456_7890].into_iter().chain(near) {
            assert_eq!(read(&table, garbage), None, "{garbage:#x}");
        }
    }

    #[test]
    fn a_full_table_gives_no_handle() {
        let table = Table::new();
        let handles: Vec<_> =
            (0..CHUNKS * CHUNK_SLOTS).map(|_| table.insert(String::new()).unwrap()).collect();
        assert_eq!(table.insert(String::new()), None);
        remove(&table, handles[7]);
        assert!(table.insert(String::new()).is_some());
    }
}
