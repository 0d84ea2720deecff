//! Oneofs: what a member clears, and oneofs that are read as one ROW column.
//!
//! At most one member of a oneof has its bit set. Members that a oneof's ROW column asks for are
//! scanned into hidden slots, as undecoded bits where they are numbers. When the message is read,
//! *moves* carry the slot of the active member to the oneof's column, and to the member's own
//! column where the table has both; each column decodes the bits in its own way. The column's value
//! is then written by the one `Emit::Oneof` whose member is active. A table without such a column
//! has no moves.
//!
//! A oneof that is the key or value of a map has no column that could tell the active member. There
//! the moves are made for each entry, which remembers the [`OneofRow`] along with the raw value
//! (`Emit::Chosen`).

use super::{Bit, Emit, Number};

/// A oneof of which at least one member is remembered.
#[derive(Debug)]
pub struct OneofProgram {
    /// The members' bits, those of one word together.
    pub bits: Vec<Bit>,
    /// The remembered members, sorted by bit: first the word, then the mask.
    pub members: Vec<OneofMember>,
    /// A message member that comes again after a sibling goes on where it was (FLINK: the builders
    /// of generated classes keep what they read); otherwise it starts anew.
    pub revives: bool,
}

impl OneofProgram {
    /// A oneof of `members`, in any order, no two with the same bit.
    pub fn new(mut members: Vec<OneofMember>, revives: bool) -> OneofProgram {
        members.sort_unstable_by_key(|member| (member.bit.word, member.bit.mask));
        let mut bits: Vec<Bit> = Vec::new();
        for OneofMember { bit, .. } in &members {
            match bits.last_mut().filter(|last| last.word == bit.word) {
                Some(last) => last.mask |= bit.mask,
                None => bits.push(*bit),
            }
        }
        OneofProgram { bits, members, revives }
    }

    /// The member with this bit.
    pub fn member(&self, bit: Bit) -> &OneofMember {
        let key = (bit.word, bit.mask);
        let found = self.members.binary_search_by_key(&key, |m| (m.bit.word, m.bit.mask));
        &self.members[found.expect("`bits` are those of the members")]
    }
}

/// A member that must be cleared when a sibling comes.
#[derive(Debug)]
pub struct OneofMember {
    /// The member's presence bit.
    pub bit: Bit,
    /// Offset of the slot.
    pub slot: u32,
    /// The slot before any field has been seen.
    pub absent: u64,
    /// Check program to run over discarded pieces; their required fields are not asked for.
    pub check: Option<u32>,
    /// Index into `MessageProgram::fields`.
    pub field: u32,
}

/// A hidden slot that a column takes over when its field is present.
#[derive(Debug)]
pub struct Move {
    /// The field's presence bit.
    pub bit: Bit,
    /// Offset of the hidden slot.
    pub from: u32,
    /// Offset of the column's slot.
    pub to: u32,
    /// From the bits in the hidden slot to the column's raw value.
    pub number: Number,
    /// The column's presence bit.
    pub column: Bit,
    /// A column of the oneof's ROW that must not be NULL and belongs to another member. `None` in
    /// entries of maps, where values that are replaced count for nothing: the ROW says it there.
    pub null_in_not_null: Option<String>,
}

/// The ROW of a oneof whose active member is known.
#[derive(Debug)]
pub struct OneofRow {
    /// Columns of the ROW; all but one are NULL.
    pub columns: usize,
    /// Index of the active member's column; `None` if the ROW has none for it.
    pub active: Option<usize>,
    /// How the active member's raw value becomes the ROW's.
    pub emit: Emit,
    /// The active member's column, if a value that turns out to be NULL refuses the record.
    pub not_null: Option<String>,
    /// The active member's name.
    pub member: String,
    /// A column that must not be NULL and belongs to another member; asked for in maps only.
    pub null_in_not_null: Option<String>,
    /// Check program for the active member's message if the entry of a map is replaced.
    pub check: Option<u32>,
}
