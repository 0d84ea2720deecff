//! The order in which a `java.util.HashMap` iterates over keys put into it one after the other.
//!
//! The map is a table of bins, 16 at first, doubled as soon as more than three quarters as many keys
//! are in it. A key goes into the bin of its hash's low bits, behind the keys that are there, and
//! doubling splits each bin in two without a change of order. Iteration goes from bin to bin.
//!
//! A bin that gets its ninth key doubles a table of less than 64 bins, and is turned into a tree in
//! a bigger one (`hash_tree`). So each step looks at few keys, whatever their hashes. The order is
//! that of OpenJDK 8 to 25.

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
const BINS_MIN: usize = 16;
/// More keys than this in one bin ask for a tree.
const LIST_MAX: u32 = 8;
/// Smaller tables are doubled instead.
const TREE_BINS_MIN: usize = 64;
/// A bin that a split leaves with so few keys is a list again.
const LIST_AGAIN_MAX: u32 = 6;

/// One map. Reused: it keeps the memory of the biggest one.
#[derive(Debug, Default)]
pub(crate) struct HashOrder {
    pub(crate) nodes: Vec<Node>,
    pub(crate) bins: Vec<Bin>,
}

/// One key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// With its high bits mixed into the low ones.
    pub hash: i32,
    /// Orders keys of the same hash; no two of them have the same.
    pub rank: i64,
    /// Neighbours in the order of iteration.
    pub next: u32,
    pub previous: u32,
    // In a tree only: smaller keys on side 0, greater ones on side 1.
    pub parent: u32,
    pub child: [u32; 2],
    pub red: bool,
}

/// A list of keys, and perhaps a tree of the same.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bin {
    pub first: u32,
    /// Not kept up to date in a tree.
    pub last: u32,
    pub len: u32,
    /// `NONE` if the bin is no tree.
    pub root: u32,
}

const EMPTY: Bin = Bin { first: NONE, last: NONE, len: 0, root: NONE };

impl HashOrder {
    pub fn kept_bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.bins.capacity() * size_of::<Bin>()
    }

    /// An empty map.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.bins.clear();
        self.bins.resize(BINS_MIN, EMPTY);
    }

    /// Puts a key that is not there yet. `rank` says which of two keys of the same hash is the
    /// greater one, as `compareTo` does.
    pub fn put(&mut self, hash: i32, rank: i64) {
        let hash = hash ^ (hash as u32 >> 16) as i32;
        let id = self.nodes.len() as u32;
        let (next, previous, parent, child) = (NONE, NONE, NONE, [NONE; 2]);
        self.nodes.push(Node { hash, rank, next, previous, parent, child, red: false });
        let at = self.bin_of(hash);
        if self.bins[at].root != NONE {
            self.insert(at, id);
        } else {
            let bin = append(&mut self.nodes, self.bins[at], id);
            self.bins[at] = bin;
            if bin.len > LIST_MAX {
                if self.bins.len() < TREE_BINS_MIN { self.double() } else { self.grow_tree(at) }
            }
        }
        if self.nodes.len() > self.bins.len() / 4 * 3 {
            self.double();
        }
    }

    /// The keys by their place in the order of `put`.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let some = |id: u32| (id != NONE).then_some(id);
        self.bins.iter().flat_map(move |bin| {
            std::iter::successors(some(bin.first), move |id| some(self.nodes[*id as usize].next))
        })
    }

    pub(crate) fn bin_of(&self, hash: i32) -> usize {
        hash as usize & (self.bins.len() - 1)
    }

    fn double(&mut self) {
        let before = self.bins.len();
        self.bins.resize(2 * before, EMPTY);
        for at in 0..before {
            let bin = self.bins[at];
            let mut halves = [EMPTY; 2];
            let mut next = bin.first;
            while next != NONE {
                let id = next;
                next = self.nodes[id as usize].next;
                let half =
                    &mut halves[usize::from(self.bin_of(self.nodes[id as usize].hash) != at)];
                *half = append(&mut self.nodes, *half, id);
            }
            let whole = halves.iter().any(|half| half.len == 0);
            for (half, at) in halves.into_iter().zip([at, at + before]) {
                self.bins[at] = half;
                if bin.root != NONE && half.len > LIST_AGAIN_MAX {
                    if whole { self.bins[at].root = bin.root } else { self.grow_tree(at) }
                }
            }
        }
    }
}

/// `bin` with one more key at the end of its list.
fn append(nodes: &mut [Node], bin: Bin, id: u32) -> Bin {
    let node = &mut nodes[id as usize];
    node.next = NONE;
    node.previous = bin.last;
    if bin.last != NONE {
        nodes[bin.last as usize].next = id;
    }
    let first = if bin.first == NONE { id } else { bin.first };
    Bin { first, last: id, len: bin.len + 1, root: NONE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::java_hash;

    fn order(keys: impl Iterator<Item = (i32, i64)>) -> Vec<u32> {
        let mut map = HashOrder::default();
        map.clear();
        keys.for_each(|(hash, rank)| map.put(hash, rank));
        map.iter().collect()
    }

    #[test]
    fn few_keys_stand_by_their_bins() {
        let words = ["k3", "k2", "k1", "alpha", "zeta"];
        let hashes = words.iter().map(|word| (java_hash::of_text(word.as_bytes()), 0));
        let ordered: Vec<&str> = order(hashes).iter().map(|at| words[*at as usize]).collect();
        assert_eq!(ordered, ["zeta", "k2", "k1", "alpha", "k3"]);
        assert_eq!(order([].into_iter()), []);
    }

    // The next two orders were printed by OpenJDK 17.

    #[test]
    fn keys_of_one_hash_become_a_tree_by_rank() {
        let numbers: Vec<i64> = (0..40).map(|at| at * 7 % 40).collect();
        let keys = numbers.iter().map(|number| (0, *number << 32 | *number));
        let printed = [
            21, 0, 1, 7, 14, 28, 35, 37, 36, 39, 38, 2, 4, 3, 6, 5, 9, 10, 8, 11, 13, 12, 16, 17,
            15, 18, 20, 19, 23, 24, 22, 25, 27, 26, 30, 31, 29, 32, 34, 33,
        ];
        assert_eq!(order(keys).iter().map(|at| numbers[*at as usize]).collect::<Vec<_>>(), printed);
    }

    #[test]
    fn trees_are_split_with_the_table() {
        let numbers: Vec<i32> = (0..60).map(|at| at * 37 % 60).collect();
        let keys = numbers.iter().map(|number| (number * 1024, 0));
        let printed = [
            37, 14, 0, 1, 2, 3, 4, 51, 28, 5, 42, 38, 39, 40, 41, 47, 48, 49, 50, 43, 44, 45, 46,
            19, 15, 16, 17, 18, 24, 25, 26, 27, 20, 21, 22, 23, 56, 57, 58, 59, 52, 53, 54, 55, 33,
            34, 35, 36, 29, 30, 31, 32, 10, 11, 12, 13, 6, 7, 8, 9,
        ];
        assert_eq!(order(keys).iter().map(|at| numbers[*at as usize]).collect::<Vec<_>>(), printed);
    }

    #[test]
    fn a_hundred_thousand_keys_of_one_hash_are_no_burden() {
        let mut ordered = order((0..100_000).map(|rank| (7, rank)));
        ordered.sort_unstable();
        assert!(ordered.into_iter().eq(0..100_000));
    }
}
