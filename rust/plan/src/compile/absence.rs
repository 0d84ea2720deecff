//! What an absent field becomes: NULL or a default, decided by profile and presence.

use super::pairs::Single;
use super::{Compiler, Context};
use crate::program::{Absent, Emit, Number};
use crate::proto::default_value::Value;
use crate::proto::{FieldKind, Profile, ResolvedField, SqlKind};

/// BinaryArrayData without elements: count 0, padded to a word.
const EMPTY_ARRAY: &[u8] = &[0; 8];
/// BinaryMapData without entries: length of the key array, key array, value array.
const EMPTY_MAP: &[u8] = &[8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

impl Compiler<'_> {
    /// Whether an absent `field` reads as its default instead of NULL.
    pub(super) fn reads_default(
        &self, field: &ResolvedField, sql: SqlKind, context: Context,
    ) -> bool {
        if context == Context::Part {
            return true;
        }
        match self.profile {
            Profile::Flink => {
                // Decision 7: a field without presence has no other value to give.
                let implicit = !field.has_presence && !field.repeated;
                self.read_defaults || implicit || self.read_simple_defaults && is_simple(sql)
            }
            _ => !field.has_presence,
        }
    }

    /// The template's slot and the rule for an absent singular field.
    pub(super) fn absent_single(
        &self, field: &ResolvedField, single: Single, default: bool,
    ) -> (u64, Absent) {
        if !default {
            return (0, Absent::Null);
        }
        let declared = field.default_value.as_ref().and_then(|default| default.value.as_ref());
        match (single, declared) {
            (Single::Message { emit: Emit::Opaque }, _) => (0, Absent::Text([].into())),
            (Single::Message { .. }, _) => (0, Absent::NoPieces),
            (Single::View { .. }, Some(Value::Text(text))) if !text.is_empty() => {
                (0, Absent::Text(text.as_bytes().into()))
            }
            (Single::View { .. }, Some(Value::Octets(octets))) if !octets.is_empty() => {
                (0, Absent::Text(octets.as_slice().into()))
            }
            (Single::View { .. }, _) => (0, Absent::Raw), // a view of no bytes
            (Single::Number(number) | Single::Emitted { number, .. }, declared) => {
                let first = (field.kind() == FieldKind::FieldEnum)
                    .then(|| self.schema.enums[field.enum_index as usize].values[0].number);
                let slot = match declared {
                    Some(Value::Integer(value)) => slot_of_integer(number, *value),
                    Some(Value::Float32(value)) if number == Number::FloatAsDouble => {
                        f64::from(*value).to_bits()
                    }
                    Some(Value::Float32(value)) => u64::from(value.to_bits()),
                    Some(Value::Float64(value)) => value.to_bits(),
                    _ => slot_of_integer(number, i64::from(first.unwrap_or(0))),
                };
                (slot, Absent::Raw)
            }
        }
    }

    /// The rule for an absent collection.
    pub(super) fn absent_collection(&self, emit: Emit, default: bool) -> Absent {
        match emit {
            _ if !default => Absent::Null,
            Emit::Map { .. } => Absent::Constant(EMPTY_MAP),
            _ => Absent::Constant(EMPTY_ARRAY),
        }
    }
}

/// Column types whose absent fields Flink reads without asking for presence (section 1.3).
fn is_simple(sql: SqlKind) -> bool {
    matches!(
        sql,
        SqlKind::Boolean
            | SqlKind::Tinyint
            | SqlKind::Smallint
            | SqlKind::Integer
            | SqlKind::Bigint
            | SqlKind::Float
            | SqlKind::Double
            | SqlKind::Char
            | SqlKind::Varchar
            | SqlKind::Binary
            | SqlKind::Varbinary
    )
}

/// A declared default in the form of a slot; zigzag is a matter of the wire only.
fn slot_of_integer(number: Number, value: i64) -> u64 {
    match number {
        Number::Bool => u64::from(value != 0),
        Number::Int64 | Number::SInt64 | Number::Fixed64 => value as u64,
        Number::Int32AsInt64 | Number::SInt32AsInt64 | Number::Fixed32AsInt64 => value as u64,
        Number::Int32AsInt16 | Number::SInt32AsInt16 | Number::Fixed32AsInt16 => {
            u64::from(value as u16)
        }
        Number::Int32AsInt8 | Number::SInt32AsInt8 | Number::Fixed32AsInt8 => {
            u64::from(value as u8)
        }
        Number::Int32 | Number::SInt32 | Number::Fixed32 => u64::from(value as u32),
        Number::FloatAsDouble => 0,
    }
}
