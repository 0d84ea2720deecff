//! Pairs of a message and an SQL type.

use super::{Compiler, Context};
use crate::Failure;
use crate::program::Emit;
use crate::proto::{Column, Profile, ResolvedField, SqlKind, SqlType};

impl Compiler<'_> {
    /// The pair of one message or group of `field` and `sql`.
    pub(super) fn message_pair(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<Emit, Failure> {
        let message = field.message_index as usize;
        let schema = &self.schema.messages[message];
        if sql.kind() == SqlKind::Row {
            return Ok(Emit::Row { message: self.row(&sql.columns, message, Context::Table)? });
        }
        if self.profile == Profile::Flink {
            return self.mismatch(field, sql);
        }
        let wrapped = wrapped_kinds(&schema.full_name);
        match (schema.full_name.as_str(), sql.kind()) {
            ("google.protobuf.Timestamp", SqlKind::Timestamp | SqlKind::TimestampLtz) => {
                let parts = [part("seconds", SqlKind::Bigint), part("nanos", SqlKind::Integer)];
                Ok(Emit::Timestamp {
                    message: self.row(&parts, message, Context::Part)?,
                    nanos_unit: 10u32.pow(9 - sql.precision.min(9)),
                    compact: sql.precision <= 3,
                })
            }
            (_, kind) if wrapped.contains(&kind) => {
                let value = Column { name: "value".into(), r#type: Some(sql.clone()) };
                Ok(Emit::Wrapped { message: self.row(&[value], message, Context::Part)? })
            }
            ("google.type.Date", SqlKind::Date)
            | ("google.type.TimeOfDay", SqlKind::Time)
            | ("confluent.type.Decimal", SqlKind::Decimal)
            | (_, SqlKind::Varbinary | SqlKind::Array | SqlKind::Map | SqlKind::Multiset) => {
                self.unsupported(field, sql)
            }
            _ if field.repeated && field.parameters.contains_key("flink.wrapped") => {
                self.unsupported(field, sql)
            }
            _ => self.mismatch(field, sql),
        }
    }
}

fn part(name: &str, kind: SqlKind) -> Column {
    let sql = SqlType { kind: kind.into(), nullable: true, ..SqlType::default() };
    Column { name: name.to_string(), r#type: Some(sql) }
}

/// SQL types for the value of a wrapper message (D9).
fn wrapped_kinds(full_name: &str) -> &'static [SqlKind] {
    use SqlKind::*;
    match full_name {
        "google.protobuf.DoubleValue" => &[Double],
        "google.protobuf.FloatValue" => &[Float, Double],
        "google.protobuf.Int64Value" => &[Bigint],
        "google.protobuf.UInt64Value" => &[Bigint, Decimal],
        "google.protobuf.Int32Value" => &[Integer, Bigint, Smallint, Tinyint],
        "google.protobuf.UInt32Value" => &[Bigint],
        "google.protobuf.BoolValue" => &[Boolean],
        "google.protobuf.StringValue" => &[Char, Varchar],
        "google.protobuf.BytesValue" => &[Binary, Varbinary],
        _ => &[],
    }
}
