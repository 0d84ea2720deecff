//! Schemas, row types and bytes as a person reads them; for failing cases only.

use std::fmt::Write;

use sluice_plan::proto::{ResolvedField, ResolvedSchema, SqlKind, SqlType};

/// Lower-case hex without blanks.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Bytes of hex text; blanks are ignored.
///
/// # Panics
/// If the text is not hex; it is written by hand in tests.
pub fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let digit = |byte: u8| (byte as char).to_digit(16).expect("a hex digit") as u8;
    digits.chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// The schema in a form close to a .proto file.
pub fn schema(schema: &ResolvedSchema) -> String {
    let mut out = String::new();
    for (index, resolved) in schema.enums.iter().enumerate() {
        let values: Vec<String> = resolved
            .values
            .iter()
            .map(|value| format!("{} = {}", value.name, value.number))
            .collect();
        let _ = writeln!(out, "enum #{index} {} {{ {} }}", resolved.full_name, values.join("; "));
    }
    for (index, message) in schema.messages.iter().enumerate() {
        let root = if index == schema.root as usize { "root " } else { "" };
        let entry = if message.map_entry { "entry " } else { "" };
        let _ = writeln!(out, "{root}{entry}message #{index} {} {{", message.full_name);
        for field in &message.fields {
            let _ = writeln!(out, "  {};", self::field(field));
        }
        let _ = writeln!(out, "}}");
    }
    out
}

fn field(field: &ResolvedField) -> String {
    let kind = field.kind().as_str_name().trim_start_matches("FIELD_").to_lowercase();
    let mut out = String::new();
    let flags = [
        (field.repeated, "repeated "),
        (field.required, "required "),
        (field.has_presence && !field.required, "optional "),
    ];
    flags.iter().filter(|flag| flag.0).for_each(|flag| out.push_str(flag.1));
    let target = match kind.as_str() {
        "message" | "group" => format!(" #{}", field.message_index),
        "enum" => format!(" #{}", field.enum_index),
        _ => String::new(),
    };
    let _ = write!(out, "{kind}{target} {} = {}", field.name, field.number);
    let flags = [
        (field.strict_utf8, " strict"),
        (field.closed_enum, " closed"),
        (field.default_value.is_some(), " default"),
    ];
    flags.iter().filter(|flag| flag.0).for_each(|flag| out.push_str(flag.1));
    if let Some(oneof) = field.oneof_index {
        let _ = write!(out, " oneof {oneof}");
    }
    out
}

/// The type as in a DDL.
pub fn sql(r#type: &SqlType) -> String {
    let inner = |part: &Option<Box<SqlType>>| part.as_deref().map(sql).unwrap_or_default();
    let name = r#type.kind().as_str_name();
    let not_null = if r#type.nullable { "" } else { " NOT NULL" };
    let body = match r#type.kind() {
        SqlKind::Row => {
            let columns = r#type.columns.iter().map(|column| {
                let column_type = column.r#type.as_ref().map(sql).unwrap_or_default();
                format!("{} {column_type}", column.name)
            });
            format!("<{}>", columns.collect::<Vec<_>>().join(", "))
        }
        SqlKind::Array | SqlKind::Multiset => format!("<{}>", inner(&r#type.element)),
        SqlKind::Map => format!("<{}, {}>", inner(&r#type.key), inner(&r#type.value)),
        SqlKind::Time | SqlKind::Timestamp | SqlKind::TimestampLtz => {
            format!("({})", r#type.precision)
        }
        SqlKind::Decimal => format!("({}, {})", r#type.precision, r#type.scale),
        _ => String::new(),
    };
    format!("{name}{body}{not_null}")
}
