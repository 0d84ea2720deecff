//! Tag table: from a tag to the operation that handles it.
//!
//! Keys are whole tags: a field sent with another wire type misses and is skipped as unknown. A
//! repeated scalar has two keys, packed and unpacked. Tags below a bound that grows with the number
//! of fields, not with the largest field number, index `dense`; the rest is searched in `sparse`.

use sluice_wire::Tag;

/// Read-only once built.
#[derive(Debug)]
pub struct TagTable {
    dense: Box<[u32]>,
    sparse: Box<[(Tag, u32)]>, // sorted by tag, no duplicates
}

const MISS: u32 = u32::MAX;

impl TagTable {
    /// A table of `entries`, whose tags are all different.
    pub fn new(mut entries: Vec<(Tag, u32)>) -> TagTable {
        entries.sort_unstable();
        // Field numbers up to twice the number of fields, and the one-byte tags in any case.
        let bound = (16 * entries.len()).max(128);
        let last = entries.iter().rev().find(|(tag, _)| (tag.0 as usize) < bound);
        let mut dense = vec![MISS; last.map_or(0, |(tag, _)| tag.0 as usize + 1)];
        let mut sparse = Vec::new();
        for (tag, op) in entries {
            match dense.get_mut(tag.0 as usize) {
                Some(slot) => *slot = op,
                None => sparse.push((tag, op)),
            }
        }
        TagTable { dense: dense.into(), sparse: sparse.into() }
    }

    /// The operation for `tag`, or `None` when the field is unknown.
    #[inline(always)]
    pub fn find(&self, tag: Tag) -> Option<u32> {
        match self.dense.get(tag.0 as usize) {
            Some(op) => (*op != MISS).then_some(*op),
            None => self.find_sparse(tag),
        }
    }

    #[inline(never)]
    fn find_sparse(&self, tag: Tag) -> Option<u32> {
        let at = self.sparse.binary_search_by_key(&tag, |entry| entry.0).ok()?;
        Some(self.sparse[at].1)
    }

    /// Number of places that the table holds, for tests of its bound.
    pub fn size(&self) -> usize {
        self.dense.len() + self.sparse.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_wire::WireType;

    #[test]
    fn finds_every_tag_and_no_other() {
        let tags: Vec<Tag> = [1, 2, 15, 16, 2047, 536_870_911]
            .into_iter()
            .flat_map(|number| {
                [Tag::new(number, WireType::Varint), Tag::new(number, WireType::Length)]
            })
            .collect();
        let table = TagTable::new(tags.iter().copied().zip(0..).collect());
        for (at, tag) in tags.iter().enumerate() {
            assert_eq!(table.find(*tag), Some(at as u32));
            assert_eq!(table.find(Tag(tag.0 + 1)), None);
        }
        assert!(table.size() < 300, "the largest number must not size the table");
    }
}
