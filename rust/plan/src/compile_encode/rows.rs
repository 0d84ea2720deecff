//! One message: operations by field number, oneofs, required fields.

use sluice_wire::{Tag, WireType};

use super::oneofs::Candidate;
use super::{Compiler, Oneofs};
use crate::encode_program::{
    EncodeList, EncodeMessage, EncodeOp, EncodeValue, OnNull, Place, RowOp, RowStep, StoredTag,
};
use crate::matching::{Matching, Names, Target, element_layout, is_packable, wire_type_of};
use crate::proto::{Column, FieldKind, ResolvedField, SqlKind, SqlType};
use crate::{Failure, FailureCode};

impl Compiler<'_> {
    /// The message at `message`, written from a row of `columns`.
    pub(super) fn row(
        &mut self, columns: &[Column], message: usize, oneofs: Oneofs,
    ) -> Result<u32, Failure> {
        let at = self.messages.len();
        self.messages.push(None);
        let schema = &self.schema.messages[message];
        let names = Names::of_message(schema, self.profile, oneofs == Oneofs::AsColumns);
        let targets = self.find_targets(columns, &names)?;
        let mut ops = Vec::with_capacity(columns.len());
        let mut candidates = Vec::new();
        for (index, (column, target)) in columns.iter().zip(targets).enumerate() {
            let Some(sql) = &column.r#type else {
                let reason = format!("column {} has no type", column.name);
                return self.refuse(FailureCode::MalformedPlan, reason);
            };
            let place = Place::of(index, columns.len());
            self.path.push(column.name.clone());
            match target.expect("columns without a target are refused") {
                Target::Field(field) => {
                    if let Some(oneof) = schema.fields[field].oneof_index {
                        candidates.push((oneof, Candidate::Member { op: ops.len() }));
                    }
                    ops.push(self.column_op(message, field, sql, place)?);
                }
                Target::Oneof(oneof) => {
                    let members = self.members(message, oneof, sql, place, &mut ops)?;
                    candidates.push((oneof as u32, members));
                }
            }
            self.path.pop();
        }
        let lacks = self.lacks_required(message, &ops)?;
        let choices = Self::choices(&mut ops, candidates, &schema.fields);
        let fixed_len = Place::of(columns.len(), columns.len()).slot as usize;
        self.messages[at] = Some(EncodeMessage {
            name: schema.full_name.clone(),
            row_ops: RowOp::all(&ops, &choices, fixed_len),
            ops,
            choices,
            fields: schema.fields.iter().map(|field| field.name.clone()).collect(),
            fixed_len,
            lacks,
        });
        Ok(at as u32)
    }

    /// A required field that no column sets: refused, or left to the record in FLINK, which may have
    /// no such message.
    fn lacks_required(&self, message: usize, ops: &[EncodeOp]) -> Result<Option<u32>, Failure> {
        let schema = &self.schema.messages[message];
        let set = |at: usize| ops.iter().any(|op| op.field as usize == at);
        let found = schema.fields.iter().enumerate().find(|(at, f)| f.required && !set(*at));
        let Some((at, field)) = found else { return Ok(None) };
        if self.is_flink() && !self.path.is_empty() {
            return Ok(Some(at as u32));
        }
        let reason =
            format!("no column sets {}.{}, which is required", schema.full_name, field.name);
        self.refuse(FailureCode::MissingRequired, reason)
    }

    /// The operation of a column or member of the row of `message`.
    pub(super) fn column_op(
        &mut self, message: usize, at: usize, sql: &SqlType, place: Place,
    ) -> Result<EncodeOp, Failure> {
        let schema = &self.schema.messages[message];
        let field = &schema.fields[at];
        let null = match schema.map_entry {
            true if self.is_flink() => self.default_of(field),
            true => OnNull::Refuse,
            false if field.required => OnNull::Required,
            false if !sql.nullable && !self.is_flink() => OnNull::Refuse,
            false => OnNull::Unset,
        };
        let keep_default = field.has_presence || schema.map_entry;
        let native_map = self.is_entry(field);
        let value = match (field.repeated, sql.kind()) {
            (true, SqlKind::Array) if !native_map => self.list(field, sql)?,
            (true, SqlKind::Map | SqlKind::Multiset)
                if self.is_message(field) && (!self.is_flink() || native_map) =>
            {
                EncodeValue::Map { map: self.map(field, sql)? }
            }
            (true, _) => return self.mismatch(field, sql),
            (false, _) => self.single(field, sql)?,
        };
        let tag = match value {
            EncodeValue::List { list } if self.lists[list as usize].packed => {
                StoredTag::new(Tag::new(field.number, WireType::Length))
            }
            _ => tag_of(field),
        };
        Ok(EncodeOp {
            tag,
            end: end_of(field),
            place,
            value,
            keep_default,
            null,
            choice: 0,
            checked: false,
            field: at as u32,
        })
    }

    fn list(&mut self, field: &ResolvedField, sql: &SqlType) -> Result<EncodeValue, Failure> {
        let Some(element) = &sql.element else { return self.incomplete(field) };
        let value = self.single(field, element)?;
        let null = match value {
            _ if self.is_flink() => self.default_of(field),
            EncodeValue::Wrapped { .. } => self.null_in_wrapper(field),
            _ => OnNull::Refuse,
        };
        let packed = field.packed && is_packable(field.kind());
        let element = EncodeOp {
            tag: tag_of(field),
            end: end_of(field),
            place: Place { column: 0, slot: 0 },
            value,
            keep_default: true,
            null,
            choice: 0,
            checked: false,
            field: 0, // arrays name their elements by the field that they are
        };
        let width = element_layout(sql.element.as_deref().map_or(SqlKind::Row, SqlType::kind)).0;
        let step = RowStep::of(element.value);
        self.lists.push(EncodeList { element, packed, width, step });
        Ok(EncodeValue::List { list: self.lists.len() as u32 - 1 })
    }

    /// A wrapper without its value stands for NULL (T10), unless it must have one. Elements of
    /// `google.protobuf` wrapper types read as the zero value then.
    fn null_in_wrapper(&self, field: &ResolvedField) -> OnNull {
        let payload = self.payload(field).filter(|_| crate::matching::is_wrapped(field));
        match payload {
            Some(payload) if payload.required => OnNull::Required,
            Some(payload) if payload.has_presence => OnNull::Empty,
            _ => OnNull::Refuse,
        }
    }

    /// FLINK: a NULL in a collection becomes the type's default, unless that cannot be written.
    pub(super) fn default_of(&self, field: &ResolvedField) -> OnNull {
        let lacks = self.is_message(field)
            && self.schema.messages[field.message_index as usize].fields.iter().any(|f| f.required);
        if lacks { OnNull::Required } else { OnNull::Default }
    }
}

/// The tag of one value.
fn tag_of(field: &ResolvedField) -> StoredTag {
    StoredTag::new(Tag::new(field.number, wire_type_of(field.kind())))
}

fn end_of(field: &ResolvedField) -> StoredTag {
    match field.kind() {
        FieldKind::FieldGroup => StoredTag::new(Tag::new(field.number, WireType::EndGroup)),
        _ => StoredTag::NONE,
    }
}
