//! The walk over the operations of a message, without a look at their number.

use sluice_plan::program::{AppendOp, AppendProgram, AppendStep};

/// The operation that a message is at: a walk over `AppendProgram::ops`.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    ops: &'a [AppendOp],
    /// Into `ops`, never at the last of them.
    op: *const AppendOp,
}

impl<'a> Walk<'a> {
    pub fn start(append: &'a AppendProgram) -> Walk<'a> {
        let ops = &append.ops[..];
        assert!(ops.len() >= 2);
        Walk { ops, op: ops.as_ptr() }
    }

    #[inline(always)]
    pub fn op(&self) -> &'a AppendOp {
        // SAFETY: `op` is inside of `ops`, as `start`, `step` and `jump` leave it.
        unsafe { &*self.op }
    }

    /// The operation behind this one.
    #[inline(always)]
    pub fn behind(&self) -> &'a AppendOp {
        // SAFETY: `op` is never the last, so its successor is inside of `ops`.
        let behind = unsafe { self.op.add(1) };
        // SAFETY: see above.
        unsafe { &*behind }
    }

    /// To the operation behind this one, which has just been found to match a tag or follows one
    /// that did: so this one is no sentinel, or the one behind is not.
    #[inline(always)]
    pub fn step(&mut self) {
        debug_assert!(self.op().step != AppendStep::Sentinel || self.ops.len() > self.index() + 2);
        // SAFETY: the last two of `ops` are sentinels (`AppendProgram::is_sound`), which match no
        // tag. Steps start at an operation that matched, or go to one: never behind the first
        // sentinel, which is not the last.
        self.op = unsafe { self.op.add(1) };
    }

    /// To the operation that a tag table names.
    #[inline(always)]
    pub fn jump(&mut self, index: u32) {
        self.op = &raw const self.ops[..self.ops.len() - 1][index as usize];
    }

    pub fn index(&self) -> usize {
        // SAFETY: both point into `ops`.
        (unsafe { self.op.offset_from(self.ops.as_ptr()) }) as usize
    }
}
