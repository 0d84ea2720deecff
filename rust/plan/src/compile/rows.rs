//! One message program: bits, slots, operations.

use super::fields::{self, Use};
use super::insides::{Insides, inside};
use super::oneofs::{MemberPlace, Oneof, OneofColumn};
use super::pairs::Single;
use super::places::{Layout, Place, Places};
use super::{Compiler, Context, OPS_MAX};
use crate::matching::{Matching, Names, Target};
use crate::program::{Absent, Bit, Check, Emit, FieldOp, MessageProgram, Step, Tracked, VarColumn};
use crate::proto::{Column, Profile, ResolvedField, SqlKind, SqlType};
use crate::tag_table::TagTable;
use crate::{Failure, FailureCode};

/// One column of a row.
pub(super) struct RowColumn<'a> {
    pub name: &'a str,
    pub nullable: bool,
    pub bound: Bound<'a>,
}

/// What a column is bound to.
pub(super) enum Bound<'a> {
    Nothing,
    Field(FieldColumn),
    Oneof(OneofColumn<'a>),
    Constant(&'a ConstantColumn<'a>),
}

/// A column with one value in all rows.
pub(super) struct ConstantColumn<'a> {
    pub name: &'a str,
    pub nullable: bool,
    pub emit: Emit,
    pub absent: Absent,
    pub template: u64,
}

/// The column of one field.
pub(super) struct FieldColumn {
    pub field: usize,
    pub used: Use,
    pub emit: Emit,
    pub absent: Absent,
    pub template: u64,
    pub null_if_empty: bool,
}

impl Compiler<'_> {
    /// The row program of `columns` over `message`.
    pub(super) fn row(
        &mut self, columns: &[Column], message: usize, context: Context,
    ) -> Result<u32, Failure> {
        self.row_with(columns, &[], message, context)
    }

    /// The row program of `columns` over `message`, with `constants` behind them.
    pub(super) fn row_with(
        &mut self, columns: &[Column], constants: &[ConstantColumn<'_>], message: usize,
        context: Context,
    ) -> Result<u32, Failure> {
        let at = self.messages.len();
        self.messages.push(None);
        let schema = &self.schema.messages[message];
        let targets = self.find_targets(
            columns,
            &Names::of_message(schema, self.profile, context == Context::Table),
        )?;
        let mut bound = Vec::with_capacity(columns.len());
        for (column, target) in columns.iter().zip(targets) {
            let Some(sql) = &column.r#type else {
                let reason = format!("column {} has no type", column.name);
                return self.refuse(FailureCode::MalformedPlan, reason);
            };
            self.path.push(column.name.clone());
            let found = match target {
                None => Bound::Nothing,
                Some(Target::Field(at)) => {
                    Bound::Field(self.bind(at, &schema.fields[at], sql, context)?)
                }
                Some(Target::Oneof(at)) => Bound::Oneof(self.bind_oneof(at, message, sql)?),
            };
            self.path.pop();
            bound.push(RowColumn { name: &column.name, nullable: sql.nullable, bound: found });
        }
        bound.extend(constants.iter().map(|constant| RowColumn {
            name: constant.name,
            nullable: constant.nullable,
            bound: Bound::Constant(constant),
        }));
        let mut uses = Vec::new();
        for column in &bound {
            match &column.bound {
                Bound::Field(field) => uses.push((field.field, field.used, field.emit)),
                Bound::Oneof(oneof) => uses.extend(oneof.uses()),
                Bound::Nothing | Bound::Constant(_) => {}
            }
        }
        let insides = self.insides_of(&uses);
        let program = self.assemble(message, Some(&bound), &insides)?;
        if !insides.is_empty() {
            self.insides.insert(at as u32, insides);
        }
        self.messages[at] = Some(program);
        Ok(at as u32)
    }

    /// The row program of an entry whose value is checked and not read: its pieces stay as they are.
    pub(super) fn checked_entry(
        &mut self, entry: usize, key: usize, key_type: &SqlType, value: usize,
    ) -> Result<u32, Failure> {
        let fields = &self.schema.messages[entry].fields;
        let key = self.bind(key, &fields[key], key_type, Context::Part)?;
        let emit = Emit::Row { message: self.check(fields[value].message_index as usize) };
        let used = Use::Single(Single::Message { emit });
        let (absent, null_if_empty) = (Absent::NoPieces, false);
        let value = FieldColumn { field: value, used, emit, absent, template: 0, null_if_empty };
        let column = |name, field| RowColumn { name, nullable: true, bound: Bound::Field(field) };
        let program = self.assemble(
            entry,
            Some(&[column("key", key), column("value", value)]),
            &Insides::new(),
        )?;
        self.messages.push(Some(program));
        Ok(self.messages.len() as u32 - 1)
    }

    /// The check program of `message`.
    pub(super) fn check_program(
        &mut self, message: usize, insides: &Insides,
    ) -> Result<MessageProgram, Failure> {
        self.assemble(message, None, insides)
    }

    fn bind(
        &mut self, at: usize, field: &ResolvedField, sql: &SqlType, context: Context,
    ) -> Result<FieldColumn, Failure> {
        let default = self.reads_default(field, sql.kind(), context);
        let null_if_empty = field.repeated && !default;
        let native_map = self.is_entry(field) && sql.kind() == SqlKind::Map;
        let (used, emit) = match (field.repeated, sql.kind()) {
            (true, SqlKind::Array) if !self.is_entry(field) => {
                let (element, array) = self.array(field, sql)?;
                (Use::Elements(element), Emit::Array { array })
            }
            // FLINK knows maps of `map<>` fields only.
            (true, SqlKind::Map | SqlKind::Multiset)
                if self.is_message(field) && (self.profile != Profile::Flink || native_map) =>
            {
                (Use::Entries, Emit::Map { map: self.map(field, sql)? })
            }
            (true, _) => return self.mismatch(field, sql),
            (false, _) => {
                let mut single = self.single(field, sql)?;
                if let Single::Emitted { closed, .. } = &mut single
                    && self.profile == Profile::Flink
                    && context == Context::Part
                {
                    *closed = None; // the map looks at the last number, and drops the whole entry
                }
                let (template, absent) = self.absent_single(field, single, default);
                let (used, emit) = (Use::Single(single), single.emit());
                return Ok(FieldColumn { field: at, used, emit, absent, template, null_if_empty });
            }
        };
        let absent = self.absent_collection(emit, default);
        Ok(FieldColumn { field: at, used, emit, absent, template: 0, null_if_empty })
    }

    /// The value of a native map's entry always counts as there (protobuf-java fills it in), so
    /// without one, its own required fields are absent.
    pub(super) fn is_value_with_required(&self, message: usize, field: &ResolvedField) -> bool {
        self.schema.messages[message].map_entry
            && self.is_message(field)
            && self.schema.messages[field.message_index as usize].fields.iter().any(|f| f.required)
    }

    /// Builds a program; `columns` is `None` for a check program.
    fn assemble(
        &mut self, message: usize, columns: Option<&[RowColumn<'_>]>, insides: &Insides,
    ) -> Result<MessageProgram, Failure> {
        let schema = &self.schema.messages[message];
        let mut layout = Layout::new(columns.map(<[_]>::len));
        let columns = columns.unwrap_or_default();
        let Places { mut fields, members, moves } =
            self.places(schema, columns, insides, &mut layout);
        let oneofs = self.oneofs(message, &mut fields, insides);

        let (ops, tags) = self.ops(message, &fields, &oneofs)?;
        let words = layout.bits.div_ceil(64).max(1);
        let mut program = MessageProgram {
            name: schema.full_name.clone(),
            ops,
            tags,
            fixed_len: layout.fixed_len(),
            is_wide: words > 1,
            presence_words: words,
            null_if_absent: vec![0; layout.header_len / 8],
            required: vec![0; words],
            not_null: vec![0; words],
            columns: Vec::new(),
            tracked: Vec::new(),
            oneofs: oneofs.into_iter().map(|oneof| oneof.program).collect(),
            moves,
            fields: schema.fields.iter().map(|field| field.name.clone()).collect(),
            names: Vec::new(),
            append: None,
            template: layout.template,
        };
        for (at, (field, place)) in schema.fields.iter().zip(&fields).enumerate() {
            let asked = inside(insides, at) != Some(Emit::Opaque)
                && self.is_value_with_required(message, field);
            if field.required || asked {
                program.required[place.bit.word as usize] |= place.bit.mask;
                program.names.push((place.bit, field.name.clone()));
            }
            let check = match place.used {
                Use::Track { inside } => match self.check_of(field.message_index, inside) {
                    Some(check) => Check::Message(check),
                    None => continue,
                },
                Use::TrackEntries => Check::Values(self.checked_map(field)?),
                _ => continue,
            };
            let (slot, bit) = (place.slot, place.bit);
            program.tracked.push(Tracked { slot, bit, check, field: at as u32 });
        }
        for ((at, column), members) in columns.iter().enumerate().zip(members) {
            let slot = (layout.header_len + 8 * at) as u32;
            self.add_column(&mut program, Bit::at(8 + at), slot, column, members);
        }
        Ok(program)
    }

    fn add_column(
        &mut self, program: &mut MessageProgram, bit: Bit, slot: u32, column: &RowColumn<'_>,
        members: Vec<MemberPlace>,
    ) {
        let may_be_null = match &column.bound {
            Bound::Field(bound) => bound.absent == Absent::Null,
            Bound::Constant(constant) => constant.absent == Absent::Null,
            Bound::Nothing | Bound::Oneof(_) => true,
        };
        // Decision 19: CONFLUENT refuses, FLINK lets the NULL pass.
        let not_null = !column.nullable && self.profile != Profile::Flink;
        if not_null {
            program.names.push((bit, column.name.to_string()));
        }
        if may_be_null {
            program.null_if_absent[bit.word as usize] |= bit.mask;
            if not_null {
                program.not_null[bit.word as usize] |= bit.mask;
            }
        }
        match &column.bound {
            Bound::Field(bound) if bound.emit != Emit::Fixed => program.columns.push(VarColumn {
                slot,
                bit,
                emit: bound.emit,
                absent: bound.absent.clone(),
                field: bound.field as u32,
                repeated: !matches!(bound.used, Use::Single(_)),
                null_if_empty: bound.null_if_empty,
                not_null,
            }),
            Bound::Oneof(oneof) => self.add_members(program, slot, oneof, members),
            Bound::Constant(constant) if constant.emit != Emit::Fixed => {
                // A fault while the row grows is told under the column's own name.
                program.fields.push(constant.name.to_string());
                program.columns.push(VarColumn {
                    slot,
                    bit,
                    emit: constant.emit,
                    absent: constant.absent.clone(),
                    field: program.fields.len() as u32 - 1,
                    repeated: false,
                    null_if_empty: false,
                    not_null,
                });
            }
            _ => {}
        }
    }

    fn ops(
        &mut self, message: usize, places: &[Place], oneofs: &[Oneof],
    ) -> Result<(Vec<FieldOp>, TagTable), Failure> {
        let schema = &self.schema.messages[message];
        let mut order: Vec<usize> = (0..schema.fields.len()).collect();
        order.sort_unstable_by_key(|&at| schema.fields[at].number);
        let mut oneof_of = vec![0; schema.fields.len()];
        for (index, oneof) in oneofs.iter().enumerate() {
            oneof.fields.iter().for_each(|&at| oneof_of[at] = index as u32 + 1);
        }
        // Declared forms first, so that the usual successor of an operation is the one behind it.
        let (mut ops, mut other) = (Vec::with_capacity(order.len() + 1), Vec::new());
        for (position, &at) in order.iter().enumerate() {
            let field = &schema.fields[at];
            let place = &places[at];
            for (nth, form) in self.forms(field, place.used).into_iter().enumerate() {
                let op = FieldOp {
                    bit: place.bit,
                    slot: place.slot,
                    oneof: oneof_of[at],
                    repeated: field.repeated,
                    ..fields::op(field.number, at, form)
                };
                if nth == 0 { ops.push((op, form.runs)) } else { other.push((position, op, form)) }
            }
        }
        let sentinel = (order.len() + other.len()) as u32;
        let behind = |position: usize| {
            if position + 1 < order.len() { position as u32 + 1 } else { sentinel }
        };
        let mut declared: Vec<FieldOp> = Vec::with_capacity(sentinel as usize + 1);
        for (position, (op, runs)) in ops.into_iter().enumerate() {
            let next = if runs { position as u32 } else { behind(position) };
            declared.push(FieldOp { next, ..op });
        }
        for (position, op, form) in other {
            let next = if form.runs { declared.len() as u32 } else { behind(position) };
            declared.push(FieldOp { next, ..op });
        }
        declared.push(fields::sentinel());
        self.ops_count += declared.len();
        if self.ops_count > OPS_MAX {
            let reason = format!("the table would need more than {OPS_MAX} field operations");
            return self.refuse(FailureCode::UnsupportedPlan, reason);
        }
        let tags = declared
            .iter()
            .enumerate()
            .filter(|(_, op)| op.step != Step::Sentinel)
            .map(|(at, op)| (op.tag, at as u32))
            .collect();
        Ok((declared, TagTable::new(tags)))
    }
}
