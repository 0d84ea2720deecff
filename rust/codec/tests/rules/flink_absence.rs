//! What a field becomes by profile, presence and flags: the tables of sections 1.2 and 1.3.
//!
//! The facts of the resolved schema and the two read flags are given directly. Each row of `KINDS`
//! is one kind of field with one kind of presence; `SITUATIONS` say which presence a file's syntax
//! gives, and which flags follow from the root's syntax and `read-default-values`.

use super::{Setup, Table};
use sluice_plan::proto::default_value::Value;
use sluice_plan::proto::{
    DefaultValue, FieldKind, ResolvedEnum, ResolvedEnumValue, ResolvedField, ResolvedMessage,
    ResolvedSchema,
};

/// How fields of a file have presence.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Presence {
    Explicit,
    Implicit,
}
use Presence::{Explicit, Implicit};

/// The read flags.
#[derive(Debug, Clone, Copy)]
enum Flags {
    /// Root of proto2 or an edition, `read-default-values` off.
    None,
    /// Root of proto3, `read-default-values` off.
    Simple,
    /// `read-default-values` on.
    All,
}

/// Syntax of root and nested message, the presence that each gives, and the flags.
const SITUATIONS: [(&str, Presence, Presence, Flags); 11] = [
    ("proto2, false", Explicit, Explicit, Flags::None),
    ("proto2, true", Explicit, Explicit, Flags::All),
    ("proto3, false", Implicit, Implicit, Flags::Simple),
    ("proto3, true", Implicit, Implicit, Flags::All),
    ("proto3 with proto2 inside, false", Implicit, Explicit, Flags::Simple),
    ("proto3 with proto2 inside, true", Implicit, Explicit, Flags::All),
    ("proto2 with proto3 inside, false", Explicit, Implicit, Flags::None),
    ("proto2 with proto3 inside, true", Explicit, Implicit, Flags::All),
    ("edition, false", Explicit, Explicit, Flags::None),
    ("edition with IMPLICIT fields, false", Implicit, Implicit, Flags::None),
    ("edition, true", Explicit, Explicit, Flags::All),
];

/// A kind of field, its column, what it is when absent under `None`, `Simple` and `All`, and what
/// it is for some bytes. `1` is the field's number.
struct Kind {
    name: &'static str,
    presence: Option<Presence>, // `None`: occurs with both
    field: fn() -> ResolvedField,
    sql: &'static str,
    absent: [&'static str; 3],
    present: &'static [(&'static str, [&'static str; 3])],
}

const fn same(text: &'static str) -> [&'static str; 3] {
    [text, text, text]
}

const KINDS: &[Kind] = &[
    Kind {
        name: "number",
        presence: Some(Explicit),
        field: || of(FieldKind::FieldInt32),
        sql: "INT",
        absent: ["NULL", "0", "0"],
        present: &[("0800", same("0")), ("0805", same("5"))],
    },
    Kind {
        name: "number",
        presence: Some(Implicit),
        field: || of(FieldKind::FieldInt32),
        sql: "INT",
        absent: same("0"), // decision 7
        present: &[("0800", same("0")), ("0805", same("5"))],
    },
    Kind {
        name: "proto3 optional or oneof member",
        presence: None,
        field: || ResolvedField { has_presence: true, ..of(FieldKind::FieldInt64) },
        sql: "BIGINT",
        absent: ["NULL", "0", "0"],
        present: &[("0800", same("0")), ("0805", same("5"))],
    },
    Kind {
        name: "bool with a declared default",
        presence: Some(Explicit),
        field: || declared(FieldKind::FieldBool, Value::Integer(1)),
        sql: "BOOLEAN",
        absent: ["NULL", "true", "true"],
        present: &[("0800", same("false")), ("0801", same("true"))],
    },
    Kind {
        name: "double with a declared default",
        presence: Some(Explicit),
        field: || declared(FieldKind::FieldDouble, Value::Float64(-1.5)),
        sql: "DOUBLE",
        absent: ["NULL", "-1.5", "-1.5"],
        present: &[("09 0000000000000000", same("0.0"))],
    },
    Kind {
        name: "string",
        presence: Some(Explicit),
        field: || of(FieldKind::FieldString),
        sql: "STRING",
        absent: ["NULL", "''", "''"],
        present: &[("0a00", same("''")), ("0a0178", same("'x'"))],
    },
    Kind {
        name: "string",
        presence: Some(Implicit),
        field: || of(FieldKind::FieldString),
        sql: "CHAR(3)",
        absent: same("''"),
        present: &[("0a00", same("''")), ("0a0178", same("'x'"))],
    },
    Kind {
        name: "string with a declared default",
        presence: Some(Explicit),
        field: || declared(FieldKind::FieldString, Value::Text("longer than seven".into())),
        sql: "STRING",
        absent: ["NULL", "'longer than seven'", "'longer than seven'"],
        present: &[("0a00", same("''"))],
    },
    Kind {
        name: "bytes",
        presence: Some(Explicit),
        field: || of(FieldKind::FieldBytes),
        sql: "BYTES",
        absent: ["NULL", "x", "x"],
        present: &[("0a00", same("x")), ("0a01ff", same("xff"))],
    },
    Kind {
        name: "bytes",
        presence: Some(Implicit),
        field: || of(FieldKind::FieldBytes),
        sql: "BYTES",
        absent: same("x"),
        present: &[("0a00", same("x")), ("0a01ff", same("xff"))],
    },
    Kind {
        name: "bytes with a declared default",
        presence: Some(Explicit),
        field: || declared(FieldKind::FieldBytes, Value::Octets(vec![7])),
        sql: "VARBINARY",
        absent: ["NULL", "x07", "x07"],
        present: &[("0a00", same("x"))],
    },
    Kind {
        name: "closed enum as text",
        presence: Some(Explicit),
        field: closed,
        sql: "STRING",
        absent: ["NULL", "'FIVE'", "'FIVE'"],
        present: &[("0801", same("'ONE'")), ("0809", ["NULL", "'FIVE'", "'FIVE'"])],
    },
    Kind {
        name: "closed enum as number",
        presence: Some(Explicit),
        field: closed,
        sql: "SMALLINT",
        absent: ["NULL", "5", "5"],
        present: &[("0801", same("1")), ("0809", ["NULL", "5", "5"])],
    },
    Kind {
        name: "closed enum with a declared default",
        presence: Some(Explicit),
        field: || ResolvedField {
            default_value: Some(DefaultValue { value: Some(Value::Integer(1)) }),
            ..closed()
        },
        sql: "INT",
        absent: ["NULL", "1", "1"],
        present: &[("0805", same("5"))],
    },
    Kind {
        name: "open enum as text",
        presence: Some(Implicit),
        field: || ResolvedField { enum_index: 1, ..of(FieldKind::FieldEnum) },
        sql: "STRING",
        absent: same("'ZERO'"),
        present: &[("0800", same("'ZERO'")), ("0809", same("'UNRECOGNIZED'"))],
    },
    Kind {
        name: "open enum with presence as number",
        presence: None,
        field: || ResolvedField { enum_index: 1, has_presence: true, ..of(FieldKind::FieldEnum) },
        sql: "BIGINT",
        absent: ["NULL", "0", "0"],
        present: &[("0800", same("0")), ("0801", same("1"))],
    },
    Kind {
        name: "message",
        presence: Some(Explicit),
        field: || message(1, false),
        sql: "ROW<x INT, r ARRAY<INT>>",
        absent: ["NULL", "NULL", "(0, [])"],
        present: &[
            ("0a00", ["(NULL, NULL)", "(0, NULL)", "(0, [])"]),
            ("0a02 0800", ["(0, NULL)", "(0, NULL)", "(0, [])"]),
            ("0a05 0805 120109", same("(5, [9])")),
        ],
    },
    Kind {
        name: "message",
        presence: Some(Implicit),
        field: || message(2, false),
        sql: "ROW<x INT, r ARRAY<INT>>",
        absent: ["NULL", "NULL", "(0, [])"],
        present: &[("0a00", ["(0, NULL)", "(0, NULL)", "(0, [])"])],
    },
    Kind {
        name: "repeated number",
        presence: None,
        field: || ResolvedField { repeated: true, ..of(FieldKind::FieldInt32) },
        sql: "ARRAY<INT>",
        absent: ["NULL", "NULL", "[]"],
        present: &[("0a00", ["NULL", "NULL", "[]"]), ("0a0100", same("[0]"))],
    },
    Kind {
        name: "repeated message",
        presence: Some(Explicit),
        field: || message(1, true),
        sql: "ARRAY<ROW<x INT, r ARRAY<INT>>>",
        absent: ["NULL", "NULL", "[]"],
        present: &[("0a00", ["[(NULL, NULL)]", "[(0, NULL)]", "[(0, [])]"])],
    },
    Kind {
        name: "map of numbers",
        presence: None,
        field: || message(3, true),
        sql: "MAP<INT, INT>",
        absent: ["NULL", "NULL", "{}"],
        present: &[("0a00", same("{0: 0}")), ("0a04 08051007", same("{5: 7}"))],
    },
    Kind {
        name: "map of messages",
        presence: Some(Explicit),
        field: || message(4, true),
        sql: "MAP<INT, ROW<x INT, r ARRAY<INT>>>",
        absent: ["NULL", "NULL", "{}"],
        present: &[
            ("0a00", ["{0: (NULL, NULL)}", "{0: (0, NULL)}", "{0: (0, [])}"]),
            ("0a06 0802 12020805", ["{2: (5, NULL)}", "{2: (5, NULL)}", "{2: (5, [])}"]),
        ],
    },
];

fn of(kind: FieldKind) -> ResolvedField {
    ResolvedField { name: "f".into(), number: 1, kind: kind.into(), ..ResolvedField::default() }
}

fn declared(kind: FieldKind, value: Value) -> ResolvedField {
    let default_value = Some(DefaultValue { value: Some(value) });
    ResolvedField { default_value, ..of(kind) }
}

fn closed() -> ResolvedField {
    ResolvedField { closed_enum: true, ..of(FieldKind::FieldEnum) }
}

fn message(message_index: u32, repeated: bool) -> ResolvedField {
    let has_presence = !repeated;
    ResolvedField { message_index, repeated, has_presence, ..of(FieldKind::FieldMessage) }
}

/// `field` with the presence that its file gives; the columns stay in message 0.
fn schema(field: &ResolvedField, presence: Presence, nested: bool) -> ResolvedSchema {
    let explicit = presence == Explicit && !field.repeated;
    let field = ResolvedField { has_presence: field.has_presence || explicit, ..field.clone() };
    let named = |name: &str, number, field: ResolvedField| ResolvedField {
        name: name.into(),
        number,
        ..field
    };
    let inner = |explicit| {
        let x = ResolvedField { has_presence: explicit, ..of(FieldKind::FieldInt32) };
        let r = ResolvedField { repeated: true, ..of(FieldKind::FieldInt32) };
        vec![named("x", 1, x), named("r", 2, r)]
    };
    let entry = |value| vec![named("key", 1, of(FieldKind::FieldInt32)), named("value", 2, value)];
    let outer = named("n", 1, message(5, false));
    let fields = [
        vec![if nested { outer } else { field.clone() }],
        inner(true),
        inner(false),
        entry(of(FieldKind::FieldInt32)),
        entry(message(1, false)),
        vec![field],
    ];
    let messages = fields.into_iter().enumerate().map(|(at, fields)| ResolvedMessage {
        full_name: format!("M{at}"),
        fields,
        map_entry: at == 3 || at == 4,
        ..ResolvedMessage::default()
    });
    let value = |name: &str, number| ResolvedEnumValue { name: name.into(), number };
    let enums = [vec![value("FIVE", 5), value("ONE", 1)], vec![value("ZERO", 0), value("ONE", 1)]];
    let enums = enums.map(|values| ResolvedEnum { full_name: "E".into(), values });
    let (messages, enums) = (messages.collect(), enums.into());
    ResolvedSchema { version: 1, root: 0, messages, enums, origin: None }
}

fn setup(flags: Flags) -> Setup {
    Setup {
        flink: true,
        read_defaults: matches!(flags, Flags::All),
        read_simple_defaults: !matches!(flags, Flags::None),
        ..Setup::default()
    }
}

/// Checks one kind: absent, then each of its wires.
fn check(kind: &Kind, presence: Presence, flags: Flags, nested: bool, situation: &str) {
    let schema = schema(&(kind.field)(), presence, nested);
    let sql = kind.sql;
    let columns = if nested { format!("n ROW<f {sql}>") } else { format!("f {sql}") };
    let table = Table::over(&schema, &columns, setup(flags)).unwrap();
    let all = [("", kind.absent)];
    for (wire, wanted) in all.iter().chain(kind.present) {
        let wanted = wanted[flags as usize];
        let inside = wire.split_whitespace().collect::<String>();
        let (wire, wanted) = match nested {
            true => (format!("0a{:02x}{inside}", inside.len() / 2), format!("(({wanted}))")),
            false => (inside, format!("({wanted})")),
        };
        assert_eq!(table.read(&wire), wanted, "{situation}: {} {columns} of {wire}", kind.name);
    }
}

#[test]
fn every_kind_in_every_situation() {
    for (situation, root, nested, flags) in SITUATIONS {
        for kind in KINDS {
            let fits = |presence| kind.presence.is_none_or(|wanted| wanted == presence);
            if fits(root) {
                check(kind, root, flags, false, situation);
            }
            if fits(nested) {
                check(kind, nested, flags, true, situation);
            }
        }
    }
}
