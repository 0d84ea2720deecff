//! Pairs of a message and an SQL type.
//!
//! A message is a ROW of its fields or, in CONFLUENT, one value: that of a well-known type, of a
//! generated wrapper (`flink.wrapped`), or its bytes.

use super::{Compiler, Context};
use crate::Failure;
use crate::matching::{Matching, member};
use crate::program::Emit;
use crate::proto::{Column, FieldKind, Profile, ResolvedField, SqlKind, SqlType};

impl Compiler<'_> {
    /// The pair of one message or group of `field` and `sql`.
    pub(super) fn message_pair(
        &mut self, field: &ResolvedField, sql: &SqlType,
    ) -> Result<Emit, Failure> {
        let message = field.message_index as usize;
        let schema = &self.schema.messages[message];
        let confluent = self.profile != Profile::Flink;
        match self.wrapper(field, sql) {
            Some(true) => return self.wrapped(field, sql, Context::Table),
            Some(false) => return self.wrapped(field, sql, Context::Part),
            None => {}
        }
        if sql.kind() == SqlKind::Row {
            return Ok(Emit::Row { message: self.row(&sql.columns, message, Context::Table)? });
        }
        use SqlKind::{Bigint, Integer, Varbinary};
        match (schema.full_name.as_str(), sql.kind()) {
            _ if !confluent => self.mismatch(field, sql),
            ("google.protobuf.Timestamp", SqlKind::Timestamp | SqlKind::TimestampLtz) => {
                Ok(Emit::Timestamp {
                    message: self.parts(field, sql, &[("seconds", Bigint), ("nanos", Integer)])?,
                    nanos_unit: 10u32.pow(9 - sql.precision.min(9)),
                    compact: sql.precision <= 3,
                })
            }
            ("google.type.Date", SqlKind::Date) => {
                let parts = ["year", "month", "day"].map(|name| (name, Integer));
                Ok(Emit::Date { message: self.parts(field, sql, &parts)? })
            }
            ("google.type.TimeOfDay", SqlKind::Time) => {
                let parts = ["hours", "minutes", "seconds", "nanos"].map(|name| (name, Integer));
                Ok(Emit::Time {
                    message: self.parts(field, sql, &parts)?,
                    millis_unit: 10u32.pow(3 - sql.precision.min(3)),
                })
            }
            ("confluent.type.Decimal", SqlKind::Decimal) => {
                if !(1..=38).contains(&sql.precision) || sql.scale > sql.precision {
                    return self.mismatch(field, sql);
                }
                let parts = [("value", Varbinary), ("scale", Integer), ("precision", Bigint)];
                Ok(Emit::Decimal {
                    message: self.parts(field, sql, &parts)?,
                    precision: sql.precision as u8,
                    scale: sql.scale as u8,
                })
            }
            (_, Varbinary) if field.kind() == FieldKind::FieldMessage => Ok(Emit::Opaque),
            _ => self.mismatch(field, sql),
        }
    }

    /// The row program of the fields that make one value. They must all be there, but for a
    /// decimal's precision, which one of the two published layouts lacks (decision 6).
    fn parts(
        &mut self, field: &ResolvedField, sql: &SqlType, parts: &[(&str, SqlKind)],
    ) -> Result<u32, Failure> {
        let message = field.message_index as usize;
        let schema = &self.schema.messages[message];
        let lacks = |name: &str| member(schema, name).is_none() && name != "precision";
        if let Some((name, _)) = parts.iter().find(|(name, _)| lacks(name)) {
            return self.mismatch_because(field, sql, &format!("has no field {name}"));
        }
        let columns: Vec<Column> = parts
            .iter()
            .map(|(name, kind)| {
                let sql = SqlType { kind: (*kind).into(), nullable: true, ..SqlType::default() };
                Column { name: (*name).to_string(), r#type: Some(sql) }
            })
            .collect();
        let missing = self.missing_columns.len();
        let row = self.row(&columns, message, Context::Part)?;
        self.missing_columns.truncate(missing); // no column of the table
        Ok(row)
    }

    /// The `value` of a wrapper; of a generated one by the presence rules of any field.
    fn wrapped(
        &mut self, field: &ResolvedField, sql: &SqlType, context: Context,
    ) -> Result<Emit, Failure> {
        if self.payload(field).is_none() {
            return self.mismatch_because(field, sql, "has no field value to unwrap");
        }
        let value = Column { name: "value".into(), r#type: Some(sql.clone()) };
        let message = field.message_index as usize;
        Ok(Emit::Wrapped { message: self.row(&[value], message, context)? })
    }
}
