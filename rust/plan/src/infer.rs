//! A writer's schema as a row type (T11 to T24): what a table has that asks for everything.
//!
//! Where a resolved schema has forgotten what the text said, the reading is this: a message field with
//! the label `optional` cannot be told from one without it, so `flink.notNull` alone decides there; and
//! `confluent.type.Variant`, for which a plan has no type, is the ROW of its fields.

use std::collections::HashMap;

use crate::matching::{is_wrapped, member, schema};
use crate::proto::{
    Column, FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};
use crate::{Failure, FailureCode};

/// Columns, of all ROWs together, beyond which a schema is refused: messages that use each other twice
/// on each level grow without bound.
const COLUMNS_MAX: usize = 100_000;
/// Length of STRING and BYTES.
const UNBOUNDED: u32 = i32::MAX as u32;

/// The ROW of the schema's root message, with a column for each field and each oneof.
pub fn row_type(schema: &ResolvedSchema) -> Result<SqlType, Failure> {
    let root = schema::check(schema)?;
    let mut reader = Reader { schema, open: Vec::new(), path: Vec::new(), columns: 0 };
    let row = reader.row(root, false);
    row.map_err(|failure| Failure {
        field_path: reader.path.join("."),
        message_name: schema.messages[root].full_name.clone(),
        ..failure
    })
}

struct Reader<'a> {
    schema: &'a ResolvedSchema,
    /// Messages that are being read, from the root.
    open: Vec<usize>,
    path: Vec<String>,
    columns: usize,
}

impl<'a> Reader<'a> {
    fn message(&self, field: &ResolvedField) -> &'a ResolvedMessage {
        &self.schema.messages[field.message_index as usize]
    }

    /// All fields outside of oneofs, then the oneofs (T13).
    fn row(&mut self, at: usize, nullable: bool) -> Result<SqlType, Failure> {
        if self.open.contains(&at) {
            let name = &self.schema.messages[at].full_name;
            return refuse(format!("cyclic schemas are not supported: {name} holds itself"));
        }
        self.open.push(at);
        let message = &self.schema.messages[at];
        let mut columns = Vec::new();
        for field in message.fields.iter().filter(|field| field.oneof_index.is_none()) {
            columns.push(self.column(&field.name, |reader| reader.field(field))?);
        }
        for (index, name) in message.oneofs.iter().enumerate() {
            columns.push(self.column(name, |reader| reader.oneof(message, index as u32))?);
        }
        self.open.pop();
        Ok(SqlType { columns, ..sql(SqlKind::Row, nullable) })
    }

    fn column(
        &mut self, name: &str, sql: impl FnOnce(&mut Self) -> Result<SqlType, Failure>,
    ) -> Result<Column, Failure> {
        self.columns += 1;
        if self.columns > COLUMNS_MAX {
            return refuse(format!("the row would have more than {COLUMNS_MAX} columns"));
        }
        self.path.push(name.to_string());
        let sql = sql(self)?;
        self.path.pop();
        Ok(Column { name: name.to_string(), r#type: Some(sql) })
    }

    fn oneof(&mut self, message: &'a ResolvedMessage, index: u32) -> Result<SqlType, Failure> {
        let mut columns = Vec::new();
        for field in message.fields.iter().filter(|field| field.oneof_index == Some(index)) {
            let column = self.column(&field.name, |reader| {
                Ok(SqlType { nullable: true, ..reader.field(field)? })
            })?;
            columns.push(column);
        }
        Ok(SqlType { columns, ..sql(SqlKind::Row, true) })
    }

    fn field(&mut self, field: &'a ResolvedField) -> Result<SqlType, Failure> {
        if field.kind() == FieldKind::FieldGroup {
            return refuse("a group has no SQL type".into());
        }
        if !field.repeated {
            return self.singular(field);
        }
        let nullable = parameter(field, "flink.notNull") == Some("false");
        if field.kind() == FieldKind::FieldMessage && is_entry(self.message(field)) {
            return self.map(field, nullable);
        }
        let element = match field.kind() {
            FieldKind::FieldMessage => {
                let mut element = self.singular(field)?;
                element.nullable &= is_wrapped(field) || is_value(&self.message(field).full_name);
                element
            }
            _ => self.scalar(field, false)?,
        };
        Ok(SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array, nullable) })
    }

    /// MAP or MULTISET (T14, T15).
    fn map(&mut self, field: &ResolvedField, nullable: bool) -> Result<SqlType, Failure> {
        let entry = self.message(field);
        self.enter(field)?;
        let key = match entry.oneofs.iter().position(|oneof| oneof == "key") {
            Some(oneof) => self.oneof(entry, oneof as u32)?,
            None => self.field(member(entry, "key").expect("an entry has a key"))?,
        };
        let value = self.field(member(entry, "value").expect("an entry has a value"))?;
        self.open.pop();
        if parameter(field, "flink.type") != Some("multiset") {
            let (key, value) = (Some(Box::new(key)), Some(Box::new(value)));
            return Ok(SqlType { key, value, ..sql(SqlKind::Map, nullable) });
        }
        if value.kind() != SqlKind::Integer {
            return refuse("the value of a MULTISET must be an INT".into());
        }
        Ok(SqlType { element: Some(Box::new(key)), ..sql(SqlKind::Multiset, nullable) })
    }

    fn enter(&mut self, field: &ResolvedField) -> Result<(), Failure> {
        let at = field.message_index as usize;
        if self.open.contains(&at) {
            let name = &self.schema.messages[at].full_name;
            return refuse(format!("cyclic schemas are not supported: {name} holds itself"));
        }
        self.open.push(at);
        Ok(())
    }

    /// One value of a field.
    fn singular(&mut self, field: &'a ResolvedField) -> Result<SqlType, Failure> {
        let not_null = parameter(field, "flink.notNull");
        if field.kind() != FieldKind::FieldMessage {
            let is_optional = field.has_presence && !field.required && field.oneof_index.is_none();
            return self.scalar(field, not_null == Some("false") || is_optional);
        }
        let nullable = not_null != Some("true");
        let message = self.message(field);
        if is_wrapped(field) {
            let Some(payload) = member(message, "value") else {
                return refuse("a wrapper has no field `value`".into());
            };
            self.enter(field)?;
            let payload = self.field(payload)?;
            self.open.pop();
            // A wrapped element takes the nullability of the payload (T12), a wrapped column is one
            // that may be absent.
            return Ok(SqlType { nullable: payload.nullable || !field.repeated, ..payload });
        }
        if is_value(&message.full_name) {
            let value = member(message, "value").map(|value| self.scalar(value, true));
            return value.unwrap_or_else(|| refuse("a wrapper has no field `value`".into()));
        }
        Ok(match message.full_name.as_str() {
            "google.protobuf.Timestamp" => {
                let zone = match parameter(field, "flink.type") {
                    Some("timestamp") => SqlKind::Timestamp,
                    _ => SqlKind::TimestampLtz,
                };
                SqlType { precision: precision(field)?, ..sql(zone, nullable) }
            }
            "google.type.Date" => sql(SqlKind::Date, nullable),
            "google.type.TimeOfDay" => {
                SqlType { precision: precision(field)?, ..sql(SqlKind::Time, nullable) }
            }
            "confluent.type.Decimal" => {
                let digits = |name| parameter(field, name).and_then(|value| value.parse().ok());
                let (precision, scale) = (digits("precision"), digits("scale"));
                SqlType {
                    precision: precision.unwrap_or(10),
                    scale: scale.unwrap_or(0),
                    ..sql(SqlKind::Decimal, nullable)
                }
            }
            _ => self.row(field.message_index as usize, nullable)?,
        })
    }

    fn scalar(&self, field: &ResolvedField, nullable: bool) -> Result<SqlType, Failure> {
        use FieldKind::*;
        let kind = match field.kind() {
            FieldInt32 | FieldSint32 | FieldSfixed32 => match parameter(field, "connect.type") {
                Some("int8") => SqlKind::Tinyint,
                Some("int16") => SqlKind::Smallint,
                _ => SqlKind::Integer,
            },
            FieldUint32 | FieldFixed32 | FieldInt64 | FieldUint64 | FieldSint64 | FieldFixed64
            | FieldSfixed64 => SqlKind::Bigint,
            FieldFloat => SqlKind::Float,
            FieldDouble => SqlKind::Double,
            FieldBool => SqlKind::Boolean,
            FieldString => return sized(field, [SqlKind::Char, SqlKind::Varchar], nullable),
            FieldBytes => return sized(field, [SqlKind::Binary, SqlKind::Varbinary], nullable),
            FieldEnum => {
                return Ok(SqlType { length: UNBOUNDED, ..sql(SqlKind::Varchar, nullable) });
            }
            FieldMessage | FieldGroup | Unspecified => {
                return refuse("a message is no single value".into());
            }
        };
        Ok(sql(kind, nullable))
    }
}

fn sized(
    field: &ResolvedField, [fixed, varying]: [SqlKind; 2], nullable: bool,
) -> Result<SqlType, Failure> {
    let (min, max) = (number(field, "flink.minLength")?, number(field, "flink.maxLength")?);
    let length = max.unwrap_or(UNBOUNDED);
    let kind = if length > 0 && min == Some(length) { fixed } else { varying };
    Ok(SqlType { length, ..sql(kind, nullable) })
}

fn precision(field: &ResolvedField) -> Result<u32, Failure> {
    match number(field, "flink.precision")? {
        None => Ok(9),
        Some(precision) if precision <= 9 => Ok(precision),
        Some(precision) => refuse(format!("a precision of {precision} is more than 9")),
    }
}

/// A parameter that must be a number (T23).
fn number(field: &ResolvedField, name: &str) -> Result<Option<u32>, Failure> {
    let Some(value) = parameter(field, name) else { return Ok(None) };
    match value.parse::<i32>().ok().and_then(|number| u32::try_from(number).ok()) {
        Some(number) => Ok(Some(number)),
        None => refuse(format!("parameter {name} is no length or precision")),
    }
}

fn parameter<'a>(field: &'a ResolvedField, name: &str) -> Option<&'a str> {
    let parameters: &HashMap<String, String> = &field.parameters;
    parameters.get(name).map(String::as_str)
}

/// Whether a repeated message reads as entries of a map (T14): by its name and its two members. Those of
/// a native map are so named by every compiler.
fn is_entry(message: &ResolvedMessage) -> bool {
    if message.map_entry {
        return true;
    }
    let name = message.full_name.rsplit('.').next().unwrap_or_default();
    let outside = |name: &str| {
        let found = message.fields.iter().find(|field| field.name == name);
        found.is_some_and(|field| field.oneof_index.is_none())
    };
    let members = message.fields.iter().filter(|field| field.oneof_index.is_none()).count();
    name.ends_with("Entry")
        && members + message.oneofs.len() == 2
        && outside("value")
        && (outside("key") || message.oneofs.iter().any(|oneof| oneof == "key"))
}

/// The wrappers of `google/protobuf/wrappers.proto`.
fn is_value(full_name: &str) -> bool {
    let Some(name) = full_name.strip_prefix("google.protobuf.") else { return false };
    let scalars =
        ["Double", "Float", "Int64", "UInt64", "Int32", "UInt32", "Bool", "String", "Bytes"];
    name.strip_suffix("Value").is_some_and(|scalar| scalars.contains(&scalar))
}

fn sql(kind: SqlKind, nullable: bool) -> SqlType {
    SqlType { kind: kind.into(), nullable, ..SqlType::default() }
}

fn refuse<T>(reason: String) -> Result<T, Failure> {
    Err(Failure::new(FailureCode::UnsupportedColumn, reason))
}
