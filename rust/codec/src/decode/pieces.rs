//! Lists of spans of the record: the pieces of a message, the elements of an array.
//!
//! A slot that collects pieces holds the first node in its low and the last in its high half, so a
//! field whose values are scattered over the message is still appended to in one step.

use sluice_wire::Span;

#[derive(Debug, Clone, Copy)]
struct Node {
    at: u32,
    len: u32,
    next: u32,
    count: u32, // of the whole list, in its first node only
}

const END: u32 = u32::MAX;

/// Stands at index 0, so that no list begins there.
const NONE: Node = Node { at: 0, len: 0, next: END, count: 0 };

/// All lists of one record; rows cut it back when they are done.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    nodes: Vec<Node>,
}

impl Pieces {
    pub fn kept_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    /// Number of nodes, to cut back to.
    pub fn mark(&self) -> usize {
        self.nodes.len()
    }

    pub fn cut(&mut self, mark: usize) {
        self.nodes.truncate(mark);
    }

    /// Forgets the lists of the record before.
    pub fn reset(&mut self) {
        self.nodes.clear();
        self.nodes.push(NONE);
    }

    /// Appends `span` to the list in `slot`, where 0 is a list without spans; the slot's new value.
    #[inline]
    pub fn append(&mut self, slot: u64, span: Span) -> u64 {
        let id = self.nodes.len() as u32;
        // Spans lie in a record of less than 2^31 bytes.
        let node = Node { at: span.at as u32, len: span.len as u32, next: END, count: 1 };
        self.nodes.push(node);
        if slot == 0 {
            return u64::from(id) | u64::from(id) << 32;
        }
        let (first, last) = (slot as u32, (slot >> 32) as u32);
        self.nodes[last as usize].next = id;
        self.nodes[first as usize].count += 1;
        u64::from(first) | u64::from(id) << 32
    }

    /// Number of spans in the list of a slot.
    pub fn count(&self, slot: u64) -> usize {
        self.nodes[slot as u32 as usize].count as usize
    }

    /// The list's next span; `cursor` starts as the slot and ends as `None`.
    #[inline]
    pub fn next(&self, cursor: &mut Option<u32>) -> Option<Span> {
        let node = *self.nodes.get((*cursor)? as usize)?;
        *cursor = (node.next != END).then_some(node.next);
        Some(Span { at: node.at as usize, len: node.len as usize })
    }
}
