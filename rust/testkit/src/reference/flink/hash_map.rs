//! The order of `java.util.HashMap`, step by step as the JDK's own text goes.
//!
//! Bins are lists of keys. A bin that became a tree has its links in `Node`s; its list goes on and
//! says the order. Trees are those of the red-black insertion in any book.

use sluice_plan::proto::FieldKind;

use super::super::tree::Value;

/// A key as Java sees it.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    hash: i32,
    /// What `compareTo` says about keys of the same hash; `None` where Java asks the identity.
    number: Option<i64>,
}

impl Key {
    /// The key that Flink makes of a map key of this kind.
    pub fn of(key: &Value, kind: FieldKind) -> Key {
        use FieldKind::*;
        let is_long =
            matches!(kind, FieldInt64 | FieldUint64 | FieldSint64 | FieldFixed64 | FieldSfixed64);
        match key {
            Value::Bool(true) => Key { hash: 1231, number: None },
            Value::Bool(false) => Key { hash: 1237, number: None },
            Value::Integer(value) if is_long => {
                let (high, low) = ((*value >> 32) as i32, *value as i32);
                Key { hash: high ^ low, number: Some(*value) }
            }
            Value::Integer(value) => Key { hash: *value as i32, number: Some(*value) },
            Value::Text(text) => Key { hash: murmur(text.as_bytes()), number: None },
            key => unreachable!("{key:?} is no key"),
        }
    }
}

/// Flink's Murmur3: whole words, then each byte that is left as a signed word.
fn murmur(bytes: &[u8]) -> i32 {
    let mut hash = 42_i32;
    let whole = bytes.len() / 4 * 4;
    let words = bytes[..whole].chunks(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    for word in words.chain(bytes[whole..].iter().map(|byte| i32::from(*byte as i8))) {
        let word = word.wrapping_mul(-862_048_943).rotate_left(15).wrapping_mul(461_845_907);
        hash = (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_sub(430_675_100);
    }
    let mut hash = (hash ^ bytes.len() as i32) as u32;
    for (shift, factor) in [(16, 0x85eb_ca6b), (13, 0xc2b2_ae35), (16, 1)] {
        hash = (hash ^ (hash >> shift)).wrapping_mul(factor);
    }
    hash as i32
}

/// The places of `keys`, which are all different, in the order of iteration.
pub fn order(keys: &[Key]) -> Vec<usize> {
    let hashes = keys.iter().map(|key| key.hash ^ (key.hash as u32 >> 16) as i32);
    let mut map = Map {
        keys: hashes.zip(keys).map(|(hash, key)| (hash, key.number)).collect(),
        nodes: vec![Node::default(); keys.len()],
        bins: vec![Bin::default(); 16],
    };
    for key in 0..keys.len() {
        map.put(key);
        if (key + 1) * 4 > map.bins.len() * 3 {
            map.resize();
        }
    }
    map.bins.into_iter().flat_map(|bin| bin.list).collect()
}

#[derive(Debug, Clone, Default)]
struct Bin {
    list: Vec<usize>,
    root: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Node {
    parent: Option<usize>,
    left: Option<usize>,
    right: Option<usize>,
    red: bool,
}

struct Map {
    keys: Vec<(i32, Option<i64>)>, // spread hash, number
    nodes: Vec<Node>,
    bins: Vec<Bin>,
}

impl Map {
    fn bin(&self, key: usize) -> usize {
        self.keys[key].0 as u32 as usize % self.bins.len()
    }

    fn put(&mut self, key: usize) {
        let at = self.bin(key);
        if let Some(root) = self.bins[at].root {
            let parent = self.hang(root, key);
            let list = &mut self.bins[at].list;
            let behind = list.iter().position(|other| *other == parent).map_or(0, |at| at + 1);
            list.insert(behind, key);
            let root = self.balance(root, key);
            self.set_root(at, root);
            return;
        }
        self.bins[at].list.push(key);
        if self.bins[at].list.len() > 8 {
            if self.bins.len() < 64 { self.resize() } else { self.treeify(at) }
        }
    }

    fn resize(&mut self) {
        let old = std::mem::take(&mut self.bins);
        self.bins = vec![Bin::default(); 2 * old.len()];
        for (at, bin) in old.iter().enumerate() {
            for key in &bin.list {
                let to = self.bin(*key);
                self.bins[to].list.push(*key);
            }
            for half in [at, at + old.len()] {
                let len = self.bins[half].list.len();
                match bin.root {
                    Some(_) if len <= 6 => {}
                    Some(root) if len == bin.list.len() => self.bins[half].root = Some(root),
                    Some(_) => self.treeify(half),
                    None => {}
                }
            }
        }
    }

    fn treeify(&mut self, at: usize) {
        let list = self.bins[at].list.clone();
        let mut root = list[0];
        self.nodes[root] = Node::default();
        for key in &list[1..] {
            self.nodes[*key] = Node::default();
            self.hang(root, *key);
            root = self.balance(root, *key);
        }
        self.set_root(at, root);
    }

    fn set_root(&mut self, at: usize, root: usize) {
        let bin = &mut self.bins[at];
        bin.root = Some(root);
        bin.list.retain(|key| *key != root);
        bin.list.insert(0, root);
    }

    fn is_less(&self, a: usize, b: usize) -> bool {
        // Without numbers the later key is the greater one: ours, where Java leaves it to chance.
        let ((a_hash, a_number), (b_hash, b_number)) = (self.keys[a], self.keys[b]);
        (a_hash, a_number, a) < (b_hash, b_number, b)
    }

    /// Hangs `key` below the returned parent.
    fn hang(&mut self, root: usize, key: usize) -> usize {
        let mut at = root;
        loop {
            let less = self.is_less(key, at);
            let next = if less { self.nodes[at].left } else { self.nodes[at].right };
            match next {
                Some(next) => at = next,
                None => {
                    let side =
                        if less { &mut self.nodes[at].left } else { &mut self.nodes[at].right };
                    *side = Some(key);
                    self.nodes[key].parent = Some(at);
                    self.nodes[key].red = true;
                    return at;
                }
            }
        }
    }

    fn is_red(&self, key: Option<usize>) -> bool {
        key.is_some_and(|key| self.nodes[key].red)
    }

    fn balance(&mut self, mut root: usize, key: usize) -> usize {
        let mut x = key;
        while let Some(mut p) = self.nodes[x].parent.filter(|p| self.nodes[*p].red) {
            let Some(g) = self.nodes[p].parent else { break };
            let left = self.nodes[g].left == Some(p);
            let uncle = if left { self.nodes[g].right } else { self.nodes[g].left };
            if self.is_red(uncle) {
                self.nodes[p].red = false;
                self.nodes[uncle.expect("red")].red = false;
                self.nodes[g].red = true;
                x = g;
                continue;
            }
            if left && self.nodes[p].right == Some(x) {
                root = self.rotate_left(root, p);
                (x, p) = (p, x);
            } else if !left && self.nodes[p].left == Some(x) {
                root = self.rotate_right(root, p);
                (x, p) = (p, x);
            }
            self.nodes[p].red = false;
            self.nodes[g].red = true;
            root = if left { self.rotate_right(root, g) } else { self.rotate_left(root, g) };
        }
        self.nodes[root].red = false;
        root
    }

    fn rotate_left(&mut self, root: usize, p: usize) -> usize {
        let r = self.nodes[p].right.expect("a child to turn up");
        self.nodes[p].right = self.nodes[r].left;
        if let Some(child) = self.nodes[r].left {
            self.nodes[child].parent = Some(p);
        }
        self.nodes[r].left = Some(p);
        self.replace(root, p, r)
    }

    fn rotate_right(&mut self, root: usize, p: usize) -> usize {
        let l = self.nodes[p].left.expect("a child to turn up");
        self.nodes[p].left = self.nodes[l].right;
        if let Some(child) = self.nodes[l].right {
            self.nodes[child].parent = Some(p);
        }
        self.nodes[l].right = Some(p);
        self.replace(root, p, l)
    }

    /// Puts `up`, which has `p` as a child now, in the place of `p`; the root.
    fn replace(&mut self, root: usize, p: usize, up: usize) -> usize {
        let parent = self.nodes[p].parent;
        self.nodes[up].parent = parent;
        self.nodes[p].parent = Some(up);
        let Some(parent) = parent else { return up };
        if self.nodes[parent].left == Some(p) {
            self.nodes[parent].left = Some(up);
        } else {
            self.nodes[parent].right = Some(up);
        }
        root
    }
}
