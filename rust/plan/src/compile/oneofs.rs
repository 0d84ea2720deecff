//! Oneofs: their effect on members, and oneofs that are read as one ROW column.
//!
//! How the column's value comes about at run time stands in `program/oneof.rs`.

use super::Compiler;
use super::fields::Use;
use super::insides::{Insides, inside};
use super::pairs::Single;
use super::places::{Layout, Place};
use crate::matching::{Matching, Names, Target};
use crate::program::{
    Absent, Bit, Emit, MessageProgram, Move, Number, OneofMember, OneofProgram, OneofRow, VarColumn,
};
use crate::proto::{Profile, ResolvedMessage, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// A oneof of which at least one member is remembered.
pub(super) struct Oneof {
    /// All members.
    pub fields: Vec<usize>,
    pub program: OneofProgram,
}

/// A oneof as one ROW column.
pub(super) struct OneofColumn<'a> {
    oneof: u32,
    columns: Vec<MemberColumn<'a>>,
}

/// A column of a oneof's ROW.
struct MemberColumn<'a> {
    name: &'a str,
    nullable: bool,
    /// The member and how it becomes the column's value; `None` where there is none of this name.
    bound: Option<(usize, Single)>,
}

/// Where a member of a oneof column is found.
pub(super) struct MemberPlace {
    field: usize,
    bit: Bit,
    /// Index of its column in the ROW.
    column: Option<usize>,
}

impl Single {
    /// What the scan stores where several columns read one value, and how they decode it.
    fn undecoded(self) -> (Single, Number) {
        match self {
            Single::Number(number) | Single::Emitted { number, closed: None, .. } => {
                (Single::Number(number.undecoded()), number)
            }
            _ => (self, Number::Int64),
        }
    }
}

impl<'a> OneofColumn<'a> {
    /// The members that are columns of the ROW, and how.
    pub fn uses(&self) -> impl Iterator<Item = (usize, Use, Emit)> {
        let bound = self.columns.iter().filter_map(|column| column.bound);
        bound.map(|(field, single)| (field, Use::Single(single), single.emit()))
    }

    /// Gives the members that are columns of the ROW hidden slots; a column that a member has of its
    /// own takes the slot over.
    pub fn hide_members(
        &self, places: &mut [Option<Place>], layout: &mut Layout, moves: &mut Vec<Move>,
    ) {
        for (field, single) in self.columns.iter().filter_map(|column| column.bound) {
            let slot = layout.hidden_slot();
            let used = Use::Single(single.undecoded().0);
            let own = places[field].take();
            let bit = own.as_ref().map_or_else(|| layout.bit(), |own| own.bit);
            if let Some(Place { used: Use::Single(own), slot: to, .. }) = own {
                let number = own.undecoded().1;
                moves.push(Move {
                    bit,
                    from: slot,
                    to,
                    number,
                    column: bit,
                    null_in_not_null: None,
                });
            }
            places[field] = Some(Place { used, bit, slot, absent: 0 });
        }
    }

    /// Gives a bit to every member, so that each makes the column in `slot` present, and moves it
    /// there. Members without a column of the ROW share one bit, unless they are tracked.
    pub fn members(
        &self, schema: &ResolvedMessage, places: &mut [Place], column: Bit, slot: u32,
        layout: &mut Layout, moves: &mut Vec<Move>,
    ) -> Vec<MemberPlace> {
        let mut column_of = vec![None; schema.fields.len()];
        for (at, column) in self.columns.iter().enumerate() {
            if let Some((field, single)) = column.bound {
                column_of[field] = Some((at, single));
            }
        }
        let mut members: Vec<MemberPlace> = Vec::new();
        let mut shared = None;
        for (field, place) in places.iter_mut().enumerate() {
            if schema.fields[field].oneof_index != Some(self.oneof) {
                continue;
            }
            if place.bit == Bit::NONE {
                let known = shared.is_some();
                place.bit = *shared.get_or_insert_with(|| layout.bit());
                place.slot = slot;
                if known {
                    continue;
                }
            }
            let active = column_of[field];
            let number = active.map_or(Number::Int64, |(_, single)| single.undecoded().1);
            let active = active.map(|(at, _)| at);
            let null_in_not_null = self.null_in_not_null(active);
            let (bit, from) = (place.bit, place.slot);
            moves.push(Move { bit, from, to: slot, number, column, null_in_not_null });
            members.push(MemberPlace { field, bit, column: active });
        }
        members
    }

    /// The first column that is NULL and must not be when `active` is the one that is not.
    fn null_in_not_null(&self, active: Option<usize>) -> Option<String> {
        let mut columns = self.columns.iter().enumerate();
        let found = columns.find(|(at, column)| !column.nullable && Some(*at) != active);
        found.map(|(_, column)| column.name.to_string())
    }
}

impl Compiler<'_> {
    /// The pair of a oneof and `sql`.
    pub(super) fn bind_oneof<'a>(
        &mut self, oneof: usize, message: usize, sql: &'a SqlType,
    ) -> Result<OneofColumn<'a>, Failure> {
        let schema = &self.schema.messages[message];
        if sql.kind() != SqlKind::Row {
            let (kind, name) = (sql.kind().as_str_name(), &schema.oneofs[oneof]);
            let reason = format!("{kind} cannot hold oneof {name}, only a ROW of its members can");
            return self.refuse(FailureCode::TypeMismatch, reason);
        }
        let targets = self.find_targets(&sql.columns, &Names::of_oneof(schema, oneof))?;
        let mut columns = Vec::with_capacity(targets.len());
        for (column, target) in sql.columns.iter().zip(targets) {
            let Some(sql) = &column.r#type else {
                let reason = format!("column {} has no type", column.name);
                return self.refuse(FailureCode::MalformedPlan, reason);
            };
            let bound = match target {
                Some(Target::Field(at)) => {
                    self.path.push(column.name.clone());
                    let single = self.single(&schema.fields[at], sql)?;
                    self.path.pop();
                    Some((at, single))
                }
                _ => None,
            };
            columns.push(MemberColumn { name: &column.name, nullable: sql.nullable, bound });
        }
        Ok(OneofColumn { oneof: oneof as u32, columns })
    }

    /// Writes the ROW of a oneof column for each of its members.
    pub(super) fn add_members(
        &mut self, program: &mut MessageProgram, slot: u32, oneof: &OneofColumn<'_>,
        members: Vec<MemberPlace>,
    ) {
        for MemberPlace { field, bit, column } in members {
            let member = program.fields[field].clone();
            let mut discarded = program.oneofs.iter().flat_map(|oneof| &oneof.members);
            let single = column.and_then(|at| oneof.columns[at].bound);
            let emit = single.map_or(Emit::Fixed, |(_, single)| single.emit());
            let check = match single {
                Some((_, Single::Message { .. })) => {
                    discarded.find(|member| member.bit == bit).and_then(|found| found.check)
                }
                _ => None,
            };
            let row = self.oneof_rows.len() as u32;
            let active = column.map(|at| &oneof.columns[at]);
            let not_null = active.filter(|column| !column.nullable);
            self.oneof_rows.push(OneofRow {
                columns: oneof.columns.len(),
                active: column,
                emit,
                not_null: not_null.map(|column| column.name.to_string()),
                member,
                null_in_not_null: oneof.null_in_not_null(column),
                check,
            });
            program.columns.push(VarColumn {
                slot,
                bit,
                emit: Emit::Oneof { row },
                absent: Absent::Null,
                field: field as u32,
                repeated: false,
                null_if_empty: false,
                not_null: false,
            });
        }
    }

    /// The oneofs of which at least one member is remembered.
    pub(super) fn oneofs(
        &mut self, message: usize, places: &mut [Place], insides: &Insides,
    ) -> Vec<Oneof> {
        let schema = &self.schema.messages[message];
        let mut fields_of = vec![Vec::new(); schema.oneofs.len()];
        for (at, field) in schema.fields.iter().enumerate() {
            if let Some(index) = field.oneof_index {
                fields_of[index as usize].push(at);
            }
        }
        let mut oneofs = Vec::new();
        for fields in fields_of {
            let mut members: Vec<OneofMember> = Vec::new();
            let mut shared = false;
            for &at in &fields {
                let place = &places[at];
                let is_shared = matches!(place.used, Use::Check { .. });
                if place.bit == Bit::NONE || is_shared && std::mem::replace(&mut shared, true) {
                    continue;
                }
                let check = match place.used {
                    Use::Track { inside } => self.check_of(schema.fields[at].message_index, inside),
                    Use::Single(Single::Message { .. }) => {
                        self.check_of(schema.fields[at].message_index, inside(insides, at))
                    }
                    _ => None,
                };
                let (bit, slot, absent) = (place.bit, place.slot, place.absent);
                members.push(OneofMember { bit, slot, absent, check, field: at as u32 });
            }
            if members.is_empty() {
                continue;
            }
            for &at in &fields {
                if let Use::Check { presence, .. } = &mut places[at].used {
                    *presence = true; // it clears its siblings
                }
            }
            let revives =
                self.profile == Profile::Flink && members.iter().any(|m| m.check.is_some());
            oneofs.push(Oneof { fields, program: OneofProgram::new(members, revives) });
        }
        oneofs
    }
}
