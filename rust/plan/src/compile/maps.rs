//! Maps: native `map<>` fields and entry-shaped messages, as MAP and MULTISET.
//!
//! Key and value of an entry-shaped message are fields or oneofs (T14); a oneof is read as the ROW of
//! its members, as it is in a row of the table.

use super::insides::inside;
use super::{Compiler, Context};
use crate::matching::{Matching, element_layout, has_part, is_count, member};
use crate::program::{
    Absent, Bit, Emit, EntryOrder, JavaKey, KeyForm, MapProgram, MapSide, MessageProgram, Replaced,
    Step,
};
use crate::proto::{Column, FieldKind, Profile, ResolvedField, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// Whether an entry is done once it has a text or bytes for its key and for its value.
fn is_text_entry(entry: &MessageProgram) -> bool {
    let is_text = |at: usize, slot: u32| {
        let op = &entry.ops[at];
        op.slot == slot && matches!(op.step, Step::View | Step::StrictView)
    };
    let both = Bit::at(8).mask | Bit::at(9).mask;
    entry.ops.len() > 2
        && is_text(0, 8)
        && is_text(1, 16)
        && !entry.is_wide
        && (entry.required[0] | entry.not_null[0]) & !both == 0
        && entry.tracked.is_empty()
        && entry.moves.is_empty()
        && entry.oneofs.is_empty()
}

impl Compiler<'_> {
    /// The map of a native `map<>` field's entries, or of entry-shaped messages (T8).
    pub(super) fn map(&mut self, field: &ResolvedField, sql: &SqlType) -> Result<u32, Failure> {
        let entry = field.message_index as usize;
        let schema = &self.schema.messages[entry];
        let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
        let (key_type, value_type) = match (sql.kind(), &sql.key, &sql.value, &sql.element) {
            (SqlKind::Map, Some(key), Some(value), _) => (&**key, &**value),
            (SqlKind::Multiset, _, _, Some(element)) => (&**element, &count),
            _ => return self.incomplete(field),
        };
        if !(has_part(schema, "key") && has_part(schema, "value")) {
            return self.mismatch_because(field, sql, "has no key and value");
        }
        let value_field = member(schema, "value");
        if sql.kind() == SqlKind::Multiset && !value_field.is_some_and(is_count) {
            return self.mismatch_because(field, sql, "has no INT in its field value");
        }
        let columns = [("key", key_type), ("value", value_type)]
            .map(|(name, sql)| Column { name: name.to_string(), r#type: Some(sql.clone()) });
        let context = if schema.map_entry { Context::Part } else { Context::Table };
        let row = self.row(&columns, entry, context)?;
        // NULLs are refused when the sides are written: replaced values are none of them.
        let program = self.messages[row as usize].as_mut().expect("rows are built at once");
        program.not_null.fill(0);
        program.moves.iter_mut().for_each(|step| step.null_in_not_null = None);
        let flink = self.profile == Profile::Flink;
        let key = self.side(row, 0, key_type);
        let value = self.side(row, 1, value_type);
        let replaced = value_field.map_or(Replaced::Chosen, |value| self.replaced(row, value));
        let closed = value_field
            .filter(|value| flink && value.kind() == FieldKind::FieldEnum && value.closed_enum);
        let known = closed.map(|value| self.names(value.enum_index));
        let asks_for_required = |value| flink && self.is_value_with_required(entry, value);
        let order = if flink { java_order(key_type.kind()) } else { EntryOrder::FirstSeen };
        let is_text = known.is_none()
            && replaced == Replaced::Nothing
            && matches!(order, EntryOrder::FirstSeen | EntryOrder::HashMap(JavaKey::Text))
            && [&key, &value].iter().all(|side| side.emit == Emit::Bytes)
            && self.messages[row as usize].as_ref().is_some_and(is_text_entry);
        let program = MapProgram {
            entry: row,
            is_text,
            key_form: key_form(&key),
            has_oneofs: [&key, &value].iter().any(|side| side.emit == Emit::Chosen),
            key,
            value,
            order,
            replaced,
            replaced_count: !flink,
            value_required: value_field.is_some_and(asks_for_required),
            known,
        };
        self.maps.push(program);
        Ok(self.maps.len() as u32 - 1)
    }

    /// What is run over replaced values, of entries that are read as `row`.
    fn replaced(&mut self, row: u32, value: &ResolvedField) -> Replaced {
        if !self.is_message(value) {
            return Replaced::Nothing;
        }
        let program = self.messages[row as usize].as_ref().expect("rows are built at once");
        let at = program.fields.iter().position(|field| *field == value.name);
        let inside = self.insides.get(&row).and_then(|insides| inside(insides, at?));
        match self.check_of(value.message_index, inside) {
            Some(check) if value.repeated => Replaced::Messages(check),
            Some(check) => Replaced::Message(check),
            None => Replaced::Nothing,
        }
    }

    /// The map of a `map<>` field that no column asks for, but whose values have required fields.
    pub(super) fn checked_map(&mut self, field: &ResolvedField) -> Result<u32, Failure> {
        let entry = field.message_index as usize;
        let fields = &self.schema.messages[entry].fields;
        let at = |name: &str| fields.iter().position(|field| field.name == name);
        let (Some(key), Some(value)) = (at("key"), at("value")) else {
            let reason = format!("the entry of {} has no key or no value", field.name);
            return self.refuse(FailureCode::MalformedPlan, reason);
        };
        let (key_field, value_field) = (&fields[key], &fields[value]);
        let kind = key_kind(key_field.kind());
        let sql = SqlType { kind: kind.into(), ..SqlType::default() };
        let row = self.checked_entry(entry, key, &sql, value)?;
        let key = self.side(row, 0, &sql);
        let program = MapProgram {
            is_text: false,
            entry: row,
            key_form: key_form(&key),
            key,
            value: self.side(row, 1, &SqlType { kind: SqlKind::Row.into(), ..sql }),
            order: EntryOrder::FirstSeen,
            has_oneofs: false,
            replaced: Replaced::Message(self.check(value_field.message_index as usize)),
            replaced_count: false,
            value_required: self.is_value_with_required(entry, value_field),
            known: None,
        };
        self.maps.push(program);
        Ok(self.maps.len() as u32 - 1)
    }

    fn side(&self, row: u32, column: usize, sql: &SqlType) -> MapSide {
        let row = self.messages[row as usize].as_ref().expect("rows are built at once");
        let slot = 8 + 8 * column as u32;
        let (width, canonical_nan) = element_layout(sql.kind());
        let found = row.columns.iter().find(|column| column.slot == slot);
        let emit = match found.map(|column| column.emit) {
            Some(Emit::Oneof { .. }) => Emit::Chosen, // which one, the entry knows
            emit => emit.unwrap_or(Emit::Fixed),
        };
        let absent = if row.null_if_absent[0] & Bit::at(8 + column).mask != 0 {
            Absent::Null
        } else {
            found.map_or(Absent::Raw, |column| column.absent.clone())
        };
        let not_null = !sql.nullable && self.profile != Profile::Flink;
        MapSide { emit, absent, width, canonical_nan, not_null }
    }
}

/// The one type that keys of this kind are read as in FLINK.
fn key_kind(kind: FieldKind) -> SqlKind {
    use FieldKind::*;
    match kind {
        FieldString => SqlKind::Varchar,
        FieldBool => SqlKind::Boolean,
        FieldInt64 | FieldUint64 | FieldSint64 | FieldFixed64 | FieldSfixed64 => SqlKind::Bigint,
        _ => SqlKind::Integer,
    }
}

/// The order that Flink's own format gives to a map with keys of this type.
fn java_order(key: SqlKind) -> EntryOrder {
    EntryOrder::HashMap(match key {
        SqlKind::Char | SqlKind::Varchar => JavaKey::Text,
        SqlKind::Boolean => JavaKey::Boolean,
        SqlKind::Bigint => JavaKey::Long,
        _ => JavaKey::Integer,
    })
}

/// Keys whose raw values differ may still be one value: texts that were replaced, timestamps that
/// were cut. Only plain numbers and bytes are compared as they stand in the record.
fn key_form(key: &MapSide) -> KeyForm {
    match (key.emit, &key.absent) {
        (Emit::Fixed, _) if !key.canonical_nan => KeyForm::Number,
        (Emit::Bytes, Absent::Null | Absent::Raw) => KeyForm::View,
        _ => KeyForm::Image,
    }
}
