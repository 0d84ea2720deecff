//! Messages that are discarded after a check, where a ROW would have read parts of them as bytes.
//!
//! A message that a oneof clears, or that a later entry of a map replaces, is checked like one that no
//! column asks for. But what a column reads as bytes is not looked into, wherever it lies: such
//! messages get check programs of their own. They are made along the table's type, so they are
//! finitely many.

use super::Compiler;
use super::fields::Use;
use super::pairs::Single;
use crate::program::Emit;

/// Fields of a message that are read as bytes, or hold such fields, and how they are read.
pub(super) type Insides = Vec<(usize, Emit)>;

/// How the field at `at` is read, if that makes its check another than any message's.
pub(super) fn inside(insides: &Insides, at: usize) -> Option<Emit> {
    insides.iter().find(|(field, _)| *field == at).map(|(_, emit)| *emit)
}

impl Compiler<'_> {
    /// The check program of a field's message; none if nobody looks into it.
    pub(super) fn check_of(&mut self, message: u32, inside: Option<Emit>) -> Option<u32> {
        match inside {
            Some(Emit::Opaque) => None,
            Some(Emit::Row { message: row } | Emit::Wrapped { message: row }) => {
                let Some(insides) = self.insides.get(&row) else {
                    return Some(self.check(message as usize));
                };
                Some(*self.check_by_row.entry(row).or_insert_with(|| {
                    let at = self.messages.len() as u32;
                    self.messages.push(None);
                    self.pending_checks.push((message as usize, at, insides.clone()));
                    at
                }))
            }
            _ => Some(self.check(message as usize)),
        }
    }

    /// What the uses of a row's fields mean for checks. A field that has several uses is looked into
    /// unless all of them agree.
    pub(super) fn insides_of(&self, uses: &[(usize, Use, Emit)]) -> Insides {
        let mut found: Vec<(usize, Option<Emit>)> = Vec::new();
        for (field, used, emit) in uses {
            let emit = match (used, emit) {
                (Use::Single(Single::Message { emit }), _) => *emit,
                (Use::Elements(Single::Message { emit }), _) => *emit,
                (Use::Entries, Emit::Map { map }) => {
                    Emit::Row { message: self.maps[*map as usize].entry }
                }
                _ => continue,
            };
            match found.iter_mut().find(|(other, _)| other == field) {
                Some((_, other)) => *other = other.filter(|other| self.agree(*other, emit)),
                None => found.push((*field, Some(emit))),
            }
        }
        let differs = |emit: Option<Emit>| emit.filter(|emit| self.row_insides(*emit).is_some());
        found.into_iter().filter_map(|(field, emit)| Some((field, differs(emit)?))).collect()
    }

    /// `None` if the check of such a message is that of any.
    fn row_insides(&self, emit: Emit) -> Option<&[(usize, Emit)]> {
        match emit {
            Emit::Opaque => Some(&[]),
            Emit::Row { message } | Emit::Wrapped { message } => {
                self.insides.get(&message).map(Vec::as_slice)
            }
            _ => None,
        }
    }

    fn agree(&self, one: Emit, other: Emit) -> bool {
        if (one == Emit::Opaque) != (other == Emit::Opaque) {
            return false;
        }
        match (self.row_insides(one), self.row_insides(other)) {
            (None, None) => true,
            (Some(one), Some(other)) => {
                one.len() == other.len()
                    && one.iter().all(|(field, one)| {
                        let other = other.iter().find(|(other, _)| other == field);
                        other.is_some_and(|(_, other)| self.agree(*one, *other))
                    })
            }
            _ => false,
        }
    }
}
