//! How kinds of fields stand on the wire, and SQL types in an array.

use sluice_wire::WireType;

use crate::proto::{FieldKind, SqlKind};

pub(crate) fn is_packable(kind: FieldKind) -> bool {
    !matches!(wire_type_of(kind), WireType::Length | WireType::StartGroup)
}

pub(crate) fn wire_type_of(kind: FieldKind) -> WireType {
    match kind {
        FieldKind::FieldDouble | FieldKind::FieldFixed64 | FieldKind::FieldSfixed64 => {
            WireType::Fixed64
        }
        FieldKind::FieldFloat | FieldKind::FieldFixed32 | FieldKind::FieldSfixed32 => {
            WireType::Fixed32
        }
        FieldKind::FieldString | FieldKind::FieldBytes | FieldKind::FieldMessage => {
            WireType::Length
        }
        FieldKind::FieldGroup => WireType::StartGroup,
        _ => WireType::Varint,
    }
}

/// Bytes of an array element, and whether Flink's array writer makes NaN canonical.
pub(crate) fn element_layout(kind: SqlKind) -> (u8, bool) {
    match kind {
        SqlKind::Boolean | SqlKind::Tinyint => (1, false),
        SqlKind::Smallint => (2, false),
        SqlKind::Integer | SqlKind::Date | SqlKind::Time => (4, false),
        SqlKind::Float => (4, true),
        SqlKind::Double => (8, true),
        _ => (8, false),
    }
}
