//! Columns against fields: what reading and writing have in common.
//!
//! Both compilers find fields by the same names, accept the same pairs of types and refuse others
//! with the same words.

mod columns;
mod forms;
pub(crate) mod schema;
mod well_known;

pub(crate) use columns::{Names, Target};
pub(crate) use forms::{element_layout, is_packable, wire_type_of};
pub(crate) use well_known::{has_part, is_count, is_wrapped, member};
use well_known::{is_row_of_fields, wrapped_kinds};

use crate::proto::{Column, FieldKind, Profile, ResolvedField, ResolvedSchema, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// A compiler of a plan's row against a schema.
pub(crate) trait Matching {
    /// The schema.
    fn schema(&self) -> &ResolvedSchema;

    /// Which rules apply.
    fn profile(&self) -> Profile;

    /// A column for which `message` has nothing.
    fn miss(&mut self, column: &str, message: &str) -> Result<(), Failure>;

    /// For each column what it stands for, or `None` where there is nothing of its name.
    fn find_targets(
        &mut self, columns: &[Column], names: &Names<'_>,
    ) -> Result<Vec<Option<Target>>, Failure> {
        columns::find_targets(self, columns, names)
    }

    fn is_message(&self, field: &ResolvedField) -> bool {
        matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup)
    }

    /// Whether the field is a native `map<>`.
    fn is_entry(&self, field: &ResolvedField) -> bool {
        self.is_message(field) && self.schema().messages[field.message_index as usize].map_entry
    }

    /// The field `value` of a wrapper's message.
    fn payload(&self, field: &ResolvedField) -> Option<&ResolvedField> {
        member(&self.schema().messages[field.message_index as usize], "value")
    }

    /// Whether the field's message is one value, that of its field `value` (T10, T16, D9); and if so,
    /// whether its presence follows the rules of any field, as a generated wrapper's does.
    fn wrapper(&self, field: &ResolvedField, sql: &SqlType) -> Option<bool> {
        if self.profile() == Profile::Flink {
            return None;
        }
        if is_wrapped(field) && !is_row_of_fields(self.payload(field), sql) {
            return Some(true);
        }
        let message = &self.schema().messages[field.message_index as usize];
        let known = wrapped_kinds(&message.full_name).contains(&sql.kind());
        (known && sql.kind() != SqlKind::Row).then_some(false)
    }

    fn mismatch<T>(&self, field: &ResolvedField, sql: &SqlType) -> Result<T, Failure> {
        let (sql, is) = (sql_name(sql), self.type_name(field));
        let reason = format!("{sql} cannot hold field {}, which is {is}", field.name);
        refuse(FailureCode::TypeMismatch, reason)
    }

    fn mismatch_because<T>(
        &self, field: &ResolvedField, sql: &SqlType, why: &str,
    ) -> Result<T, Failure> {
        let (sql, is) = (sql_name(sql), self.type_name(field));
        let reason = format!("{sql} cannot hold field {}: {is} {why}", field.name);
        refuse(FailureCode::TypeMismatch, reason)
    }

    fn incomplete<T>(&self, field: &ResolvedField) -> Result<T, Failure> {
        let reason = format!("the SQL type for field {} lacks its element type", field.name);
        refuse(FailureCode::MalformedPlan, reason)
    }

    fn type_name(&self, field: &ResolvedField) -> String {
        let name = match field.kind() {
            FieldKind::FieldMessage | FieldKind::FieldGroup => {
                self.schema().messages[field.message_index as usize].full_name.clone()
            }
            FieldKind::FieldEnum => {
                format!("enum {}", self.schema().enums[field.enum_index as usize].full_name)
            }
            kind => kind.as_str_name()["FIELD_".len()..].to_lowercase(),
        };
        if field.repeated { format!("repeated {name}") } else { name }
    }
}

fn refuse<T>(code: FailureCode, reason: String) -> Result<T, Failure> {
    Err(Failure::new(code, reason))
}

fn sql_name(sql: &SqlType) -> String {
    match sql.kind() {
        SqlKind::Decimal => format!("DECIMAL({}, {})", sql.precision, sql.scale),
        kind => kind.as_str_name().to_string(),
    }
}

pub(crate) fn is_unsigned_decimal(sql: &SqlType) -> bool {
    sql.precision == 20 && sql.scale == 0
}
