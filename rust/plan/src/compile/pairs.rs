//! Pairs of field and SQL type: which there are, and what turns the one into the other.
//!
//! A pair that makes no sense is a type mismatch, never a NULL.

use super::Compiler;
use crate::Failure;
use crate::matching::{Matching, element_layout, is_unsigned_decimal};
use crate::program::{ArrayProgram, Element, Emit, Number};
use crate::proto::{FieldKind, Profile, ResolvedField, SqlKind, SqlType};

/// How one value of a field becomes one value of an SQL type.
#[derive(Debug, Clone, Copy)]
pub(super) enum Single {
    /// The slot holds the value.
    Number(Number),
    /// The slot holds a number that `emit` turns into the value.
    Emitted { number: Number, emit: Emit, closed: Option<u32> },
    /// The slot holds a view.
    View { strict: bool, emit: Emit },
    /// The slot holds pieces of a message.
    Message { emit: Emit },
}

impl Single {
    /// How a raw value becomes an element of an array or map.
    pub(super) fn emit(self) -> Emit {
        match self {
            Single::Number(_) => Emit::Fixed,
            Single::Emitted { emit, .. } | Single::View { emit, .. } | Single::Message { emit } => {
                emit
            }
        }
    }
}

impl Compiler<'_> {
    /// The pair of one value of `field` and `sql`.
    pub(super) fn single(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<Single, Failure> {
        let flink = self.profile == Profile::Flink;
        use FieldKind as F;
        use SqlKind as S;
        let number = match (field.kind(), sql.kind()) {
            (F::FieldString, S::Char | S::Varchar) => {
                let emit = if field.strict_utf8 { Emit::Bytes } else { Emit::LenientText };
                return Ok(Single::View { strict: field.strict_utf8, emit });
            }
            (F::FieldBytes, S::Binary | S::Varbinary) => {
                return Ok(Single::View { strict: false, emit: Emit::Bytes });
            }
            (F::FieldEnum, _) => return self.enum_pair(field, sql),
            (F::FieldMessage | F::FieldGroup, _) => {
                return Ok(Single::Message { emit: self.message_pair(field, sql)? });
            }
            (F::FieldUint64, S::Decimal) if !flink && is_unsigned_decimal(sql) => {
                let emit = Emit::UnsignedDecimal;
                return Ok(Single::Emitted { number: Number::Int64, emit, closed: None });
            }
            (F::FieldFixed64, S::Decimal) if !flink && is_unsigned_decimal(sql) => {
                let emit = Emit::UnsignedDecimal;
                return Ok(Single::Emitted { number: Number::Fixed64, emit, closed: None });
            }
            (F::FieldBool, S::Boolean) => Number::Bool,
            (F::FieldInt32, S::Integer) => Number::Int32,
            (F::FieldSint32, S::Integer) => Number::SInt32,
            (F::FieldSfixed32, S::Integer) | (F::FieldFloat, S::Float) => Number::Fixed32,
            (F::FieldInt64 | F::FieldUint64, S::Bigint) => Number::Int64,
            (F::FieldSint64, S::Bigint) => Number::SInt64,
            (F::FieldSfixed64 | F::FieldFixed64, S::Bigint) | (F::FieldDouble, S::Double) => {
                Number::Fixed64
            }
            // FLINK keeps the bit pattern of unsigned numbers, CONFLUENT their value (D2).
            (F::FieldUint32, S::Integer) if flink => Number::Int32,
            (F::FieldFixed32, S::Integer) if flink => Number::Fixed32,
            (F::FieldUint32, S::Bigint) if !flink => Number::Int32,
            (F::FieldFixed32, S::Bigint) if !flink => Number::Fixed32,
            (F::FieldInt32, S::Bigint) if !flink => Number::Int32AsInt64,
            (F::FieldSint32, S::Bigint) if !flink => Number::SInt32AsInt64,
            (F::FieldSfixed32, S::Bigint) if !flink => Number::Fixed32AsInt64,
            (F::FieldFloat, S::Double) if !flink => Number::FloatAsDouble,
            // The low bits, as Confluent's converter casts (D3).
            (F::FieldInt32, S::Smallint) if !flink => Number::Int32AsInt16,
            (F::FieldInt32, S::Tinyint) if !flink => Number::Int32AsInt8,
            (F::FieldSint32, S::Smallint) if !flink => Number::SInt32AsInt16,
            (F::FieldSint32, S::Tinyint) if !flink => Number::SInt32AsInt8,
            (F::FieldSfixed32, S::Smallint) if !flink => Number::Fixed32AsInt16,
            (F::FieldSfixed32, S::Tinyint) if !flink => Number::Fixed32AsInt8,
            _ => return self.mismatch(field, sql),
        };
        Ok(Single::Number(number))
    }

    fn enum_pair(&mut self, field: &ResolvedField, sql: &SqlType) -> Result<Single, Failure> {
        let names = self.names(field.enum_index);
        let closed = field.closed_enum.then_some(names);
        let flink = self.profile == Profile::Flink;
        let number = match sql.kind() {
            SqlKind::Char | SqlKind::Varchar => {
                let emit = Emit::EnumName { names };
                return Ok(Single::Emitted { number: Number::Int32, emit, closed });
            }
            SqlKind::Integer => Number::Int32,
            SqlKind::Bigint => Number::Int32AsInt64,
            SqlKind::Smallint if flink => Number::Int32AsInt16,
            SqlKind::Tinyint if flink => Number::Int32AsInt8,
            _ => return self.mismatch(field, sql),
        };
        if !flink && closed.is_none() {
            return Ok(Single::Number(number));
        }
        // Where the enum is closed, unknown numbers do not get this far.
        let emit = match number {
            Number::Int32 if !flink => Emit::Fixed,
            number => Emit::EnumNumber { names, number },
        };
        Ok(Single::Emitted { number: Number::Int32, emit, closed })
    }

    /// The array of a repeated field's values.
    pub(super) fn array(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<(Single, u32), Failure> {
        let Some(sql) = &sql.element else { return self.incomplete(field) };
        let single = self.single(field, sql)?;
        let element = match single {
            Single::Number(number) => Element::Number(number),
            Single::Message { emit: Emit::Opaque } => Element::Piece(Emit::Bytes),
            Single::Emitted { number, emit, closed } => Element::Emitted { number, emit, closed },
            Single::View { emit, .. } | Single::Message { emit } => Element::Piece(emit),
        };
        let (width, canonical_nan) = element_layout(sql.kind());
        let not_null = !sql.nullable && self.profile != Profile::Flink;
        self.arrays.push(ArrayProgram { element, width, canonical_nan, not_null });
        Ok((single, self.arrays.len() as u32 - 1))
    }
}
