//! The row type of a schema, rule by rule (T11 to T24).

use sluice_plan::infer::row_type;
use sluice_plan::proto::{
    FieldKind, ResolvedEnum, ResolvedEnumValue, ResolvedField, ResolvedMessage, ResolvedSchema,
    SqlKind, SqlType,
};

fn field(name: &str, number: u32, kind: FieldKind) -> ResolvedField {
    let has_presence = kind == FieldKind::FieldMessage;
    ResolvedField {
        name: name.into(),
        number,
        kind: kind.into(),
        has_presence,
        ..Default::default()
    }
}

fn of_message(name: &str, number: u32, message_index: u32) -> ResolvedField {
    ResolvedField { message_index, ..field(name, number, FieldKind::FieldMessage) }
}

fn repeated(field: ResolvedField) -> ResolvedField {
    ResolvedField { repeated: true, has_presence: false, ..field }
}

fn with(mut field: ResolvedField, parameters: &[(&str, &str)]) -> ResolvedField {
    field.parameters = parameters.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    field
}

fn message(full_name: &str, fields: Vec<ResolvedField>) -> ResolvedMessage {
    ResolvedMessage { full_name: full_name.into(), fields, ..Default::default() }
}

fn schema(messages: Vec<ResolvedMessage>) -> ResolvedSchema {
    let values = vec![ResolvedEnumValue { name: "A".into(), number: 0 }];
    let enums = vec![ResolvedEnum { full_name: "E".into(), values }];
    ResolvedSchema { version: 1, messages, enums, ..Default::default() }
}

/// A type as SQL has it.
fn text(sql: &SqlType) -> String {
    let part = |part: &Option<Box<SqlType>>| part.as_deref().map(text).unwrap_or_default();
    let kind = match sql.kind() {
        SqlKind::Varchar if sql.length == i32::MAX as u32 => "STRING".into(),
        SqlKind::Varbinary if sql.length == i32::MAX as u32 => "BYTES".into(),
        SqlKind::Char | SqlKind::Varchar | SqlKind::Binary | SqlKind::Varbinary => {
            format!("{}({})", sql.kind().as_str_name(), sql.length)
        }
        SqlKind::Decimal => format!("DECIMAL({}, {})", sql.precision, sql.scale),
        SqlKind::Time | SqlKind::Timestamp | SqlKind::TimestampLtz => {
            format!("{}({})", sql.kind().as_str_name(), sql.precision)
        }
        SqlKind::Array => format!("ARRAY<{}>", part(&sql.element)),
        SqlKind::Multiset => format!("MULTISET<{}>", part(&sql.element)),
        SqlKind::Map => format!("MAP<{}, {}>", part(&sql.key), part(&sql.value)),
        SqlKind::Row => format!("ROW<{}>", columns(sql).join(", ")),
        kind => kind.as_str_name().into(),
    };
    if sql.nullable { kind } else { format!("{kind} NOT NULL") }
}

fn columns(row: &SqlType) -> Vec<String> {
    let column = |column: &sluice_plan::proto::Column| {
        format!("{} {}", column.name, text(column.r#type.as_ref().unwrap()))
    };
    row.columns.iter().map(column).collect()
}

fn inferred(messages: Vec<ResolvedMessage>) -> Vec<String> {
    columns(&row_type(&schema(messages)).unwrap())
}

fn refusal(messages: Vec<ResolvedMessage>) -> String {
    row_type(&schema(messages)).unwrap_err().to_string()
}

#[test]
fn scalars_have_types_sizes_and_nullability() {
    use FieldKind::*;
    let optional = |field: ResolvedField| ResolvedField { has_presence: true, ..field };
    let fields = vec![
        field("a", 1, FieldSint32),
        with(field("b", 2, FieldInt32), &[("connect.type", "int8")]),
        with(field("c", 3, FieldSfixed32), &[("connect.type", "int16")]),
        field("d", 4, FieldUint32),
        optional(field("e", 5, FieldFixed64)),
        ResolvedField { required: true, ..optional(field("f", 6, FieldBool)) },
        with(field("g", 7, FieldString), &[("flink.maxLength", "5"), ("flink.minLength", "5")]),
        with(field("h", 8, FieldBytes), &[("flink.maxLength", "9")]),
        field("i", 9, FieldEnum),
        with(optional(field("j", 10, FieldFloat)), &[("flink.notNull", "true")]),
        with(field("k", 11, FieldDouble), &[("flink.notNull", "false")]),
    ];
    assert_eq!(
        inferred(vec![message("M", fields)]),
        [
            "a INTEGER NOT NULL",
            "b TINYINT NOT NULL",
            "c SMALLINT NOT NULL",
            "d BIGINT NOT NULL",
            "e BIGINT",
            "f BOOLEAN NOT NULL",
            "g CHAR(5) NOT NULL",
            "h VARBINARY(9) NOT NULL",
            "i STRING NOT NULL",
            "j FLOAT",
            "k DOUBLE"
        ]
    );
}

#[test]
fn messages_with_a_meaning_are_one_value() {
    let known = [
        "google.protobuf.Timestamp",
        "google.type.Date",
        "google.type.TimeOfDay",
        "confluent.type.Decimal",
    ];
    let mut messages = vec![message(
        "M",
        vec![
            of_message("a", 1, 1),
            with(of_message("b", 2, 1), &[("flink.type", "timestamp"), ("flink.precision", "3")]),
            with(of_message("c", 3, 2), &[("flink.notNull", "true")]),
            with(of_message("d", 4, 3), &[("flink.precision", "0")]),
            of_message("e", 5, 4),
            with(of_message("f", 6, 4), &[("precision", "9"), ("scale", "2")]),
            with(of_message("g", 7, 5), &[("flink.notNull", "true")]),
            repeated(of_message("h", 8, 5)),
            repeated(of_message("i", 9, 1)),
        ],
    )];
    messages.extend(known.map(|name| message(name, Vec::new())));
    let value = field("value", 1, FieldKind::FieldString);
    messages.push(message("google.protobuf.StringValue", vec![value]));
    assert_eq!(
        inferred(messages),
        [
            "a TIMESTAMP_LTZ(9)",
            "b TIMESTAMP(3)",
            "c DATE NOT NULL",
            "d TIME(0)",
            "e DECIMAL(10, 0)",
            "f DECIMAL(9, 2)",
            "g STRING",
            "h ARRAY<STRING> NOT NULL",
            "i ARRAY<TIMESTAMP_LTZ(9) NOT NULL> NOT NULL"
        ]
    );
}

#[test]
fn rows_oneofs_maps_and_wrappers() {
    use FieldKind::*;
    let in_oneof =
        |field: ResolvedField| ResolvedField { oneof_index: Some(0), has_presence: true, ..field };
    let mut root = message(
        "M",
        vec![
            in_oneof(field("x", 1, FieldInt32)),
            of_message("r", 2, 1),
            in_oneof(of_message("y", 3, 1)),
            repeated(of_message("m", 4, 2)),
            with(repeated(of_message("s", 5, 2)), &[("flink.type", "multiset")]),
            of_message("single", 6, 2),
            with(of_message("w", 7, 3), &[("flink.wrapped", "true")]),
            with(repeated(of_message("v", 8, 4)), &[("flink.wrapped", "true")]),
        ],
    );
    root.oneofs.push("choice".into());
    let entry = vec![field("key", 1, FieldString), field("value", 2, FieldInt32)];
    let optional = ResolvedField { has_presence: true, ..field("value", 1, FieldString) };
    let messages = vec![
        root,
        message("R", vec![field("z", 1, FieldInt64)]),
        message("p.CountEntry", entry),
        message("wRepeatedWrapper", vec![repeated(field("value", 1, FieldInt64))]),
        message("vElementWrapper", vec![optional]),
    ];
    assert_eq!(
        inferred(messages),
        [
            "r ROW<z BIGINT NOT NULL>",
            "m MAP<STRING NOT NULL, INTEGER NOT NULL> NOT NULL",
            "s MULTISET<STRING NOT NULL> NOT NULL",
            "single ROW<key STRING NOT NULL, value INTEGER NOT NULL>",
            "w ARRAY<BIGINT NOT NULL>",
            "v ARRAY<STRING> NOT NULL",
            "choice ROW<x INTEGER, y ROW<z BIGINT NOT NULL>>"
        ]
    );
}

#[test]
fn what_has_no_row_type_is_refused_with_its_path() {
    let cycle = vec![
        message("A", vec![of_message("b", 1, 1)]),
        message("B", vec![repeated(of_message("a", 1, 0))]),
    ];
    assert_eq!(
        refusal(cycle),
        "[unsupported-column 405] cyclic schemas are not supported: A holds itself \
         (message A, field b.a)"
    );
    let group = ResolvedField { kind: FieldKind::FieldGroup.into(), ..of_message("g", 1, 1) };
    let messages = vec![message("A", vec![group]), message("A.G", Vec::new())];
    assert!(refusal(messages).contains("a group has no SQL type (message A, field g)"));
    let twice = vec![
        message("A", vec![of_message("a", 1, 1), of_message("b", 2, 1)]),
        message("B", Vec::new()),
    ];
    assert_eq!(inferred(twice), ["a ROW<>", "b ROW<>"], "the same type twice is no cycle");
    let far = with(of_message("t", 1, 1), &[("flink.precision", "10")]);
    let messages = vec![message("A", vec![far]), message("google.protobuf.Timestamp", Vec::new())];
    assert!(refusal(messages).contains("a precision of 10 is more than 9"));
    let length = with(field("s", 1, FieldKind::FieldString), &[("flink.maxLength", "x")]);
    assert!(refusal(vec![message("A", vec![length])]).contains("parameter flink.maxLength"));
}

#[test]
fn a_schema_that_grows_without_bound_is_refused() {
    // Each message has the next one twice: 2^40 columns.
    let mut messages: Vec<ResolvedMessage> = (0..40)
        .map(|at| {
            let next = |name, number| of_message(name, number, at + 1);
            message(&format!("M{at}"), vec![next("a", 1), next("b", 2)])
        })
        .collect();
    messages.push(message("M40", Vec::new()));
    assert!(refusal(messages).contains("more than 100000 columns"));
}
