//! Rows made of each message, by one thread, for others that only ask.
//!
//! ```text
//! first ─► (shop.Order, rows) ─► (shop.Refund, rows) ─► …     the task appends and counts,
//!                                                             others walk and read
//! ```
//!
//! Neither side waits for the other: an entry never moves, is never taken out, and appears with one
//! store. A topic can have any number of messages over time, so those beyond [`MESSAGES_MAX`] are
//! counted together. Counting is a load and a store, no exchange, because one thread counts. What another
//! thread reads may be a few records old, or lack a message that is being added.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Messages that have a count of their own; `RecordDecoder` in Java has the same number.
pub const MESSAGES_MAX: u32 = 1000;

/// The name of all others; no message can have it.
pub const OTHERS: &str = "(others)";

/// See the module.
#[derive(Default)]
pub struct RowCounts {
    first: OnceLock<Box<Node>>,
}

struct Node {
    message: String,
    count: RowCount,
    next: OnceLock<Box<Node>>,
}

/// The count of one message. Clones count together.
#[derive(Clone, Default)]
pub struct RowCount {
    rows: Arc<AtomicU64>,
    number: u32,
}

impl RowCount {
    /// Counts a row. Only for the one thread that decodes.
    #[inline]
    pub fn add_one(&self) {
        self.rows.store(self.rows.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Which message it is in the order of [`RowCounts::iter`], from 0.
    #[inline]
    pub fn number(&self) -> u32 {
        self.number
    }
}

impl RowCounts {
    /// The count of a message, of full name; a new one the first time. Only for the one thread that
    /// decodes.
    pub fn of(&self, message: &str) -> RowCount {
        let mut place = &self.first;
        let mut number = 0;
        while let Some(node) = place.get() {
            if node.message == message || number == MESSAGES_MAX {
                return node.count.clone();
            }
            place = &node.next;
            number += 1;
        }
        let count = RowCount { number, ..RowCount::default() };
        let message = if number == MESSAGES_MAX { OTHERS } else { message };
        let node =
            Node { message: message.into(), count: count.clone(), next: OnceLock::default() };
        let appended = place.set(Box::new(node));
        debug_assert!(appended.is_ok(), "one thread appends");
        count
    }

    /// Message and rows, in the order in which messages were met. From any thread.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let mut place = &self.first;
        std::iter::from_fn(move || {
            let node = place.get()?;
            place = &node.next;
            Some((node.message.as_str(), node.count.rows.load(Ordering::Relaxed)))
        })
    }
}

impl Drop for RowCounts {
    /// One after the other: nodes that drop each other would take a stack as deep as the list.
    fn drop(&mut self) {
        let mut next = self.first.take();
        while let Some(mut node) = next {
            next = node.next.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_one_count() {
        let counts = RowCounts::default();
        let orders = counts.of("shop.Order");
        counts.of("shop.Refund").add_one();
        orders.add_one();
        counts.of("shop.Order").add_one();
        assert_eq!(counts.iter().collect::<Vec<_>>(), [("shop.Order", 2), ("shop.Refund", 1)]);
        assert_eq!((counts.of("shop.Refund").number(), orders.number()), (1, 0));
    }

    #[test]
    fn messages_beyond_the_bound_are_counted_together() {
        let counts = RowCounts::default();
        for number in 0..MESSAGES_MAX + 500 {
            counts.of(&format!("m{number}")).add_one();
        }
        assert_eq!(counts.iter().count(), MESSAGES_MAX as usize + 1);
        assert_eq!(counts.iter().last(), Some((OTHERS, 500)));
        assert_eq!(counts.of("m7").number(), 7);
    }

    #[test]
    fn other_threads_see_what_grows() {
        let counts = RowCounts::default();
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| {
                let mut met = 0;
                while met < 100 {
                    let rows: Vec<u64> = counts.iter().map(|(_, rows)| rows).collect();
                    assert!(rows.len() >= met && rows.iter().all(|rows| *rows <= 1));
                    met = rows.len();
                }
            });
            for number in 0..100 {
                counts.of(&format!("m{number}")).add_one();
            }
            reader.join().unwrap();
        });
    }

    #[test]
    fn a_long_list_is_dropped_on_a_short_stack() {
        let build = || {
            let counts = RowCounts::default();
            let mut place = &counts.first;
            for _ in 0..100_000 {
                let node = Node {
                    message: String::new(),
                    count: RowCount::default(),
                    next: OnceLock::default(),
                };
                place = &place.get_or_init(|| Box::new(node)).next;
            }
        };
        std::thread::Builder::new().stack_size(64 << 10).spawn(build).unwrap().join().unwrap();
    }
}
