//! Oneofs on the way out: which column sets the member.

use super::Compiler;
use crate::encode_program::{Choice, ChoiceColumn, EncodeOp, OnNull, Place};
use crate::matching::{Matching, Names, Target};
use crate::proto::{ResolvedField, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// A column that may set a member; operations by their index before they are sorted.
pub(super) enum Candidate {
    Member { op: usize },
    Row { place: Place, fixed_len: usize, members: Vec<(Place, usize)> },
}

impl Compiler<'_> {
    /// The members that the ROW column of a oneof sets.
    pub(super) fn members(
        &mut self, message: usize, oneof: usize, sql: &SqlType, place: Place,
        ops: &mut Vec<EncodeOp>,
    ) -> Result<Candidate, Failure> {
        let schema = &self.schema.messages[message];
        if sql.kind() != SqlKind::Row {
            let (kind, name) = (sql.kind().as_str_name(), &schema.oneofs[oneof]);
            let reason =
                format!("{kind} cannot be written to oneof {name}, only a ROW of its members");
            return self.refuse(FailureCode::TypeMismatch, reason);
        }
        let targets = self.find_targets(&sql.columns, &Names::of_oneof(schema, oneof))?;
        let count = sql.columns.len();
        let mut members = Vec::with_capacity(count);
        for (at, (column, target)) in sql.columns.iter().zip(targets).enumerate() {
            let (Some(Target::Field(field)), Some(sql)) = (target, &column.r#type) else {
                let reason = format!("column {} has no type", column.name);
                return self.refuse(FailureCode::MalformedPlan, reason);
            };
            self.path.push(column.name.clone());
            let inner = Place::of(at, count);
            let op = self.column_op(message, field, sql, inner)?;
            self.path.pop();
            members.push((inner, ops.len()));
            ops.push(EncodeOp { null: OnNull::Unset, ..op });
        }
        let fixed_len = Place::of(count, count).slot as usize;
        Ok(Candidate::Row { place, fixed_len, members })
    }

    /// Sorts the operations by descending field number, and makes choices of the oneofs that need one.
    pub(super) fn choices(
        ops: &mut Vec<EncodeOp>, candidates: Vec<(u32, Candidate)>, fields: &[ResolvedField],
    ) -> Vec<Choice> {
        let mut order: Vec<usize> = (0..ops.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(fields[ops[at].field as usize].number));
        let mut moved = vec![0u32; ops.len()];
        for (to, &from) in order.iter().enumerate() {
            moved[from] = to as u32;
        }
        *ops = order.into_iter().map(|at| ops[at].clone()).collect();
        let mut by_oneof: Vec<(u32, Vec<Candidate>)> = Vec::new();
        for (oneof, candidate) in candidates {
            match by_oneof.iter_mut().find(|(known, _)| *known == oneof) {
                Some((_, known)) => known.push(candidate),
                None => by_oneof.push((oneof, vec![candidate])),
            }
        }
        let mut choices = Vec::new();
        for (_, candidates) in by_oneof {
            if matches!(candidates[..], [Candidate::Member { .. }]) {
                continue; // one column: like any other field with presence
            }
            choices.push(Choice { columns: Vec::new() });
            let number = choices.len() as u32;
            let mut mark = |op: usize| {
                ops[moved[op] as usize].choice = number;
                moved[op]
            };
            let columns = candidates.into_iter().map(|candidate| match candidate {
                Candidate::Member { op } => ChoiceColumn::Member { op: mark(op) },
                Candidate::Row { place, fixed_len, members } => ChoiceColumn::Row {
                    place,
                    fixed_len,
                    members: members.into_iter().map(|(inner, op)| (inner, mark(op))).collect(),
                },
            });
            choices[number as usize - 1].columns = columns.collect();
        }
        choices
    }
}
