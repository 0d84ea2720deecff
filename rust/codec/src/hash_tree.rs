//! Bins of a Java HashMap that are red-black trees.
//!
//! The tree orders its keys by hash and rank. The list of keys goes on beside it, and the list is
//! what iteration follows: a new key stands behind its parent in the tree, and whichever key
//! becomes the root moves to the front.

use crate::hash_order::{HashOrder, NONE, Node};

impl HashOrder {
    /// Turns bin `at` into a tree of the keys on its list, which stays as it is but for the root.
    pub(crate) fn grow_tree(&mut self, at: usize) {
        let mut root = NONE;
        let mut next = self.bins[at].first;
        while next != NONE {
            let id = next;
            next = self.node(id).next;
            *self.node(id) = Node { parent: NONE, child: [NONE; 2], red: false, ..*self.node(id) };
            if root == NONE {
                root = id;
            } else {
                self.hang(root, id);
                root = self.balance(root, id);
            }
        }
        self.bins[at].root = root;
        self.move_root_to_front(at);
    }

    /// Adds a key to the tree of bin `at`.
    pub(crate) fn insert(&mut self, at: usize, id: u32) {
        let root = self.bins[at].root;
        let parent = self.hang(root, id);
        let behind = self.node(parent).next;
        self.link(parent, id);
        self.link(id, behind);
        self.bins[at].len += 1;
        self.bins[at].root = self.balance(root, id);
        self.move_root_to_front(at);
    }

    /// Makes key `id` a leaf of the tree under `root`; its parent.
    fn hang(&mut self, root: u32, id: u32) -> u32 {
        let key = (self.node(id).hash, self.node(id).rank);
        let (mut parent, mut at) = (NONE, root);
        let mut side = 0;
        while at != NONE {
            parent = at;
            let node = self.node(at);
            side = usize::from(key > (node.hash, node.rank));
            at = node.child[side];
        }
        self.node(parent).child[side] = id;
        self.node(id).parent = parent;
        parent
    }

    /// Makes the tree red-black again after `id` was hung into it; the root.
    fn balance(&mut self, mut root: u32, mut id: u32) -> u32 {
        self.node(id).red = true;
        loop {
            let mut parent = self.node(id).parent;
            if parent == NONE {
                self.node(id).red = false;
                return id;
            }
            let above = self.node(parent).parent;
            if !self.node(parent).red || above == NONE {
                return root;
            }
            let side = usize::from(self.node(above).child[1] == parent);
            let uncle = self.node(above).child[1 - side];
            if uncle != NONE && self.node(uncle).red {
                self.node(uncle).red = false;
                self.node(parent).red = false;
                self.node(above).red = true;
                id = above;
                continue;
            }
            if self.node(parent).child[1 - side] == id {
                root = self.rotate(root, parent, side);
                (id, parent) = (parent, id);
            }
            self.node(parent).red = false;
            self.node(above).red = true;
            root = self.rotate(root, above, 1 - side);
        }
    }

    /// Lets the child of `id` that is not on `side` take its place, and `id` go down to `side`; the
    /// root.
    fn rotate(&mut self, root: u32, id: u32, side: usize) -> u32 {
        let up = self.node(id).child[1 - side];
        let (parent, moved) = (self.node(id).parent, self.node(up).child[side]);
        self.node(id).child[1 - side] = moved;
        if moved != NONE {
            self.node(moved).parent = id;
        }
        self.node(up).child[side] = id;
        self.node(id).parent = up;
        self.node(up).parent = parent;
        if parent == NONE {
            return up;
        }
        let from = usize::from(self.node(parent).child[1] == id);
        self.node(parent).child[from] = up;
        root
    }

    fn move_root_to_front(&mut self, at: usize) {
        let (root, first) = (self.bins[at].root, self.bins[at].first);
        if root != first {
            let Node { previous, next, .. } = *self.node(root);
            self.link(previous, next);
            self.link(root, first);
            self.node(root).previous = NONE;
            self.bins[at].first = root;
        }
    }

    /// Makes `next` follow `id` on the list of a bin.
    fn link(&mut self, id: u32, next: u32) {
        self.node(id).next = next;
        if next != NONE {
            self.node(next).previous = id;
        }
    }

    fn node(&mut self, id: u32) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}
