//! Maps: native `map<>` fields and entry-shaped messages, as MAP and MULTISET.

use super::pairs::element_layout;
use super::{Compiler, Context};
use crate::program::{Absent, Emit, EntryOrder, JavaKey, MapProgram, MapSide};
use crate::proto::{Column, FieldKind, Profile, ResolvedField, SqlKind, SqlType};
use crate::{Failure, FailureCode};

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
        let side = |name: &str| schema.fields.iter().find(|field| field.name == name);
        let (Some(key_field), Some(value_field)) = (side("key"), side("value")) else {
            return self.mismatch(field, sql);
        };
        let flink = self.profile == Profile::Flink;
        let composite = matches!(key_type.kind(), SqlKind::Row | SqlKind::Array | SqlKind::Map);
        if !flink && (composite || key_field.repeated) {
            return self.unsupported(field, sql);
        }
        let columns = [("key", key_type), ("value", value_type)]
            .map(|(name, sql)| Column { name: name.to_string(), r#type: Some(sql.clone()) });
        let context = if schema.map_entry { Context::Part } else { Context::Table };
        let row = self.row(&columns, entry, context)?;
        let replaced =
            self.is_message(value_field).then(|| self.check(value_field.message_index as usize));
        let closed = value_field.kind() == FieldKind::FieldEnum && value_field.closed_enum;
        let known = (flink && closed).then(|| self.names(value_field.enum_index));
        let program = MapProgram {
            entry: row,
            key: self.side(row, 0, key_type.kind()),
            value: self.side(row, 1, value_type.kind()),
            key_is_view: matches!(key_field.kind(), FieldKind::FieldString | FieldKind::FieldBytes),
            order: if flink { java_order(key_type.kind()) } else { EntryOrder::FirstSeen },
            replaced,
            replaced_count: !flink,
            value_required: flink && self.is_value_with_required(entry, value_field),
            known,
        };
        self.maps.push(program);
        Ok(self.maps.len() as u32 - 1)
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
        let program = MapProgram {
            entry: row,
            key: self.side(row, 0, kind),
            value: self.side(row, 1, SqlKind::Row),
            key_is_view: kind == SqlKind::Varchar,
            order: EntryOrder::FirstSeen,
            replaced: Some(self.check(value_field.message_index as usize)),
            replaced_count: false,
            value_required: self.is_value_with_required(entry, value_field),
            known: None,
        };
        self.maps.push(program);
        Ok(self.maps.len() as u32 - 1)
    }

    fn side(&self, row: u32, column: usize, sql: SqlKind) -> MapSide {
        let row = self.messages[row as usize].as_ref().expect("rows are built at once");
        let slot = 8 + 8 * column as u32;
        let (width, canonical_nan) = element_layout(sql);
        let found = row.columns.iter().find(|column| column.slot == slot);
        let emit = found.map_or(Emit::Fixed, |column| column.emit);
        let absent = if row.null_if_absent[0] & 1 << (8 + column) != 0 {
            Absent::Null
        } else {
            found.map_or(Absent::Raw, |column| column.absent.clone())
        };
        MapSide { emit, absent, width, canonical_nan }
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
