//! Pairs of SQL type and field: the same as in reading, each in the other direction.

use super::{Compiler, Oneofs};
use crate::Failure;
use crate::encode_program::{EncodeValue, WrittenNumber as Number};
use crate::matching::{Matching, is_unsigned_decimal, member};
use crate::proto::{Column, FieldKind, ResolvedField, SqlKind, SqlType};

/// A compact decimal's or timestamp's most digits.
const COMPACT_DECIMAL: u32 = 18;
const COMPACT_TIMESTAMP: u32 = 3;

impl Compiler<'_> {
    /// How one value of `sql` becomes one value of `field`.
    pub(super) fn single(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<EncodeValue, Failure> {
        let flink = self.is_flink();
        use FieldKind as F;
        use SqlKind as S;
        let number = match (field.kind(), sql.kind()) {
            (F::FieldString, S::Char | S::Varchar) => return Ok(EncodeValue::Text),
            (F::FieldBytes, S::Binary | S::Varbinary) => return Ok(EncodeValue::Bytes),
            (F::FieldEnum, _) => return self.enum_pair(field, sql),
            (F::FieldMessage | F::FieldGroup, _) => return self.message_pair(field, sql),
            (F::FieldUint64 | F::FieldFixed64, S::Decimal)
                if !flink && is_unsigned_decimal(sql) =>
            {
                let fixed = field.kind() == F::FieldFixed64;
                return Ok(EncodeValue::UnsignedDecimal { fixed });
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
            (F::FieldUint32, S::Integer) if flink => Number::UInt32,
            (F::FieldFixed32, S::Integer) if flink => Number::Fixed32,
            (F::FieldUint32, S::Bigint) if !flink => Number::Int64AsUInt32,
            (F::FieldFixed32 | F::FieldSfixed32, S::Bigint) if !flink => Number::Int64AsFixed32,
            (F::FieldInt32, S::Bigint) if !flink => Number::Int64AsInt32,
            (F::FieldSint32, S::Bigint) if !flink => Number::Int64AsSInt32,
            (F::FieldFloat, S::Double) if !flink => Number::DoubleAsFloat,
            (F::FieldInt32, S::Smallint) if !flink => Number::Int16,
            (F::FieldInt32, S::Tinyint) if !flink => Number::Int8,
            (F::FieldSint32, S::Smallint) if !flink => Number::SInt16,
            (F::FieldSint32, S::Tinyint) if !flink => Number::SInt8,
            (F::FieldSfixed32, S::Smallint) if !flink => Number::Fixed16,
            (F::FieldSfixed32, S::Tinyint) if !flink => Number::Fixed8,
            _ => return self.mismatch(field, sql),
        };
        Ok(EncodeValue::Number(number))
    }

    fn enum_pair(&mut self, field: &ResolvedField, sql: &SqlType) -> Result<EncodeValue, Failure> {
        let names = self.numbers(field.enum_index);
        let width = match sql.kind() {
            SqlKind::Char | SqlKind::Varchar => return Ok(EncodeValue::EnumName { names }),
            SqlKind::Integer => 4,
            SqlKind::Bigint => 8,
            SqlKind::Smallint if self.is_flink() => 2,
            SqlKind::Tinyint if self.is_flink() => 1,
            _ => return self.mismatch(field, sql),
        };
        let closed = field.closed_enum || self.is_flink();
        Ok(EncodeValue::EnumNumber { names, width, closed })
    }

    fn message_pair(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<EncodeValue, Failure> {
        let message = field.message_index as usize;
        if let Some(generated) = self.wrapper(field, sql) {
            return self.wrapped(field, sql, generated);
        }
        if sql.kind() == SqlKind::Row {
            let message = self.row(&sql.columns, message, Oneofs::AsColumns)?;
            return Ok(EncodeValue::Message { message });
        }
        use SqlKind::{Bigint, Integer, Varbinary};
        let full_name = self.schema.messages[message].full_name.as_str();
        if self.is_flink() {
            return self.mismatch(field, sql);
        }
        match (full_name, sql.kind()) {
            ("google.protobuf.Timestamp", SqlKind::Timestamp | SqlKind::TimestampLtz) => {
                let compact = sql.precision <= COMPACT_TIMESTAMP;
                let message = self.parts(field, sql, &[("seconds", Bigint), ("nanos", Integer)])?;
                Ok(EncodeValue::Timestamp { message, compact })
            }
            ("google.type.Date", SqlKind::Date) => {
                let parts = ["year", "month", "day"].map(|name| (name, Integer));
                Ok(EncodeValue::Date { message: self.parts(field, sql, &parts)? })
            }
            ("google.type.TimeOfDay", SqlKind::Time) => {
                let parts = ["hours", "minutes", "seconds", "nanos"].map(|name| (name, Integer));
                Ok(EncodeValue::Time { message: self.parts(field, sql, &parts)? })
            }
            ("confluent.type.Decimal", SqlKind::Decimal) => {
                if !(1..=38).contains(&sql.precision) || sql.scale > sql.precision {
                    return self.mismatch(field, sql);
                }
                let parts = [("value", Varbinary), ("scale", Integer), ("precision", Bigint)];
                Ok(EncodeValue::Decimal {
                    message: self.parts(field, sql, &parts)?,
                    compact: sql.precision <= COMPACT_DECIMAL,
                    scale: sql.scale as u8,
                })
            }
            (_, Varbinary) if field.kind() == FieldKind::FieldMessage => Ok(EncodeValue::Bytes),
            _ => self.mismatch(field, sql),
        }
    }

    /// The message of the fields that one value is made of, written from a row of them. They must all
    /// be there, but for a decimal's precision, which one of the two published layouts lacks
    /// (decision 6).
    fn parts(
        &mut self, field: &ResolvedField, sql: &SqlType, parts: &[(&str, SqlKind)],
    ) -> Result<u32, Failure> {
        let message = field.message_index as usize;
        let schema = &self.schema.messages[message];
        let mut columns = Vec::with_capacity(parts.len());
        for (name, kind) in parts {
            if member(schema, name).is_some() {
                let sql = SqlType { kind: (*kind).into(), nullable: true, ..SqlType::default() };
                columns.push(Column { name: (*name).to_string(), r#type: Some(sql) });
            } else if *name != "precision" {
                return self.mismatch_because(field, sql, &format!("has no field {name}"));
            }
        }
        self.row(&columns, message, Oneofs::Unseen)
    }

    /// A message whose only written field is `value`.
    fn wrapped(
        &mut self, field: &ResolvedField, sql: &SqlType, generated: bool,
    ) -> Result<EncodeValue, Failure> {
        if self.payload(field).is_none() {
            return self.mismatch_because(field, sql, "has no field value to wrap it in");
        }
        let value = Column { name: "value".into(), r#type: Some(sql.clone()) };
        let oneofs = if generated { Oneofs::AsColumns } else { Oneofs::Unseen };
        let message = self.row(&[value], field.message_index as usize, oneofs)?;
        Ok(EncodeValue::Wrapped { message })
    }
}
