//! Messages that are one value, well-known types and generated wrappers, and entries of maps.

use crate::proto::{FieldKind, ResolvedField, ResolvedMessage, SqlKind, SqlType};

/// Whether the field's type is a wrapper that the table does not see (T10, T16).
pub(crate) fn is_wrapped(field: &ResolvedField) -> bool {
    field.parameters.get("flink.wrapped").is_some_and(|value| value == "true")
}

/// Whether a ROW means the wrapper's own fields: its payload is no ROW.
pub(crate) fn is_row_of_fields(payload: Option<&ResolvedField>, sql: &SqlType) -> bool {
    let is_row = payload.is_some_and(|payload| {
        !payload.repeated
            && matches!(payload.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup)
    });
    sql.kind() == SqlKind::Row && payload.is_some() && !is_row
}

pub(crate) fn member<'a>(schema: &'a ResolvedMessage, name: &str) -> Option<&'a ResolvedField> {
    schema.fields.iter().find(|field| field.name == name)
}

/// SQL types for the value of a wrapper message (D9).
pub(crate) fn wrapped_kinds(full_name: &str) -> &'static [SqlKind] {
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

/// Whether an entry has a field or a oneof of this name.
pub(crate) fn has_part(entry: &ResolvedMessage, name: &str) -> bool {
    member(entry, name).is_some() || entry.oneofs.iter().any(|oneof| oneof == name)
}

/// Whether the field can hold the count of a MULTISET.
pub(crate) fn is_count(value: &ResolvedField) -> bool {
    !value.repeated
        && matches!(
            value.kind(),
            FieldKind::FieldInt32 | FieldKind::FieldSint32 | FieldKind::FieldSfixed32
        )
}
