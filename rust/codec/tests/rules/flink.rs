//! The FLINK profile's presence rules (section 1.2 of the contract) and unknown enum numbers.

use super::{Setup, Table};

const PROTO2: &str =
    "syntax = \"proto2\"; message M { optional int32 i = 1 [default = 7]; optional string s = 2;
    optional E e = 3; repeated int32 r = 4; optional M m = 5; } enum E { FIVE = 5; ONE = 1; }";
const PROTO3: &str = "syntax = \"proto3\"; message M { int32 i = 1; optional string s = 2; E e = 3;
    repeated int32 r = 4; M m = 5; oneof o { int32 o1 = 6; } } enum E { ZERO = 0; ONE = 1; }";
const COLUMNS: &str = "i INT, s STRING, e STRING, r ARRAY<INT>, m ROW<i INT, r ARRAY<INT>>";

fn table(schema: &str, columns: &str, read_defaults: bool) -> Table {
    let setup = Setup { flink: true, read_defaults, ..Setup::default() };
    Table::with(schema, columns, setup).unwrap()
}

#[test]
fn absent_fields_follow_syntax_and_flag() {
    assert_eq!(table(PROTO2, COLUMNS, false).read(""), "(NULL, NULL, NULL, NULL, NULL)");
    assert_eq!(table(PROTO2, COLUMNS, true).read(""), "(7, '', 'FIVE', [], (7, []))");
    assert_eq!(table(PROTO3, COLUMNS, false).read(""), "(0, '', 'ZERO', NULL, NULL)");
    assert_eq!(table(PROTO3, COLUMNS, true).read(""), "(0, '', 'ZERO', [], (0, []))");
    assert_eq!(table(PROTO3, "o1 INT", false).read(""), "(0)");
}

#[test]
fn empty_collections_are_absent() {
    assert_eq!(table(PROTO3, COLUMNS, false).read("2200 2a00"), "(0, '', 'ZERO', NULL, (0, NULL))");
    assert_eq!(table(PROTO2, "r ARRAY<INT>", false).read("2200 2001"), "([1])");
}

#[test]
fn not_null_is_not_enforced() {
    assert_eq!(table(PROTO2, "i INT NOT NULL", false).read(""), "(NULL)");
}

#[test]
fn unknown_enum_numbers() {
    assert_eq!(table(PROTO3, "e STRING", false).read("1863"), "('UNRECOGNIZED')");
    assert_eq!(table(PROTO2, "e STRING", false).read("1863"), "(NULL)");
    assert_eq!(table(PROTO3, "e INT", false).read("1801"), "(1)");
    assert_eq!(table(PROTO3, "e INT", false).read("1863"), "unknown-enum-number e 0");
    assert_eq!(table(PROTO3, "e INT", false).read("1863 1801"), "(1)", "the last value counts");
}

#[test]
fn columns_must_be_fields_and_types_are_not_widened() {
    let setup = Setup { flink: true, ..Setup::default() };
    for columns in ["gone INT", "i BIGINT", "r ARRAY<BIGINT>"] {
        let failure = Table::with(PROTO3, columns, setup).err().unwrap();
        assert_eq!(failure.code.label(), "type-mismatch", "{columns}");
    }
}

/// Section 2.1: proto type, and the only SQL types that may stand for it.
const PAIRS: [(&str, &[&str]); 19] = [
    ("bool", &["BOOLEAN"]),
    ("int32", &["INT"]),
    ("sint32", &["INT"]),
    ("sfixed32", &["INT"]),
    ("uint32", &["INT"]),
    ("fixed32", &["INT"]),
    ("int64", &["BIGINT"]),
    ("sint64", &["BIGINT"]),
    ("sfixed64", &["BIGINT"]),
    ("uint64", &["BIGINT"]),
    ("fixed64", &["BIGINT"]),
    ("float", &["FLOAT"]),
    ("double", &["DOUBLE"]),
    ("string", &["CHAR", "STRING"]),
    ("bytes", &["BINARY", "BYTES"]),
    ("E", &["CHAR", "STRING", "TINYINT", "SMALLINT", "INT", "BIGINT"]),
    ("N", &["ROW<x INT>"]),
    ("google.protobuf.Timestamp", &["ROW<nanos INT>"]),
    ("google.protobuf.BytesValue", &["ROW<value BYTES>"]),
];
const TYPES: [&str; 27] = [
    "BOOLEAN",
    "TINYINT",
    "SMALLINT",
    "INT",
    "BIGINT",
    "FLOAT",
    "DOUBLE",
    "CHAR",
    "STRING",
    "BINARY",
    "BYTES",
    "DATE",
    "TIME(3)",
    "TIMESTAMP(9)",
    "TIMESTAMP_LTZ(3)",
    "DECIMAL(20, 0)",
    "ROW<x INT>",
    "ROW<nanos INT>",
    "ROW<value BYTES>",
    "ROW<y INT>",
    "ROW<x BIGINT>",
    "ARRAY<INT>",
    "ARRAY<ROW<x INT>>",
    "MAP<STRING, INT>",
    "MULTISET<STRING>",
    "MULTISET<INT>",
    "ARRAY<ARRAY<INT>>",
];

#[test]
fn only_the_pairs_of_the_table_are_accepted() {
    let places = [
        ("NAME f = 1;", "SQL"),
        ("repeated NAME f = 1;", "ARRAY<SQL>"),
        ("map<int32, NAME> f = 1;", "MAP<INT, SQL>"),
        ("oneof o { NAME f = 1; }", "SQL"),
    ];
    let setup = Setup { flink: true, ..Setup::default() };
    for (name, accepted) in PAIRS {
        for (field, column) in places {
            let schema = format!(
                "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\";
                 import \"google/protobuf/wrappers.proto\"; enum E {{ ZERO = 0; }}
                 message N {{ int32 x = 1; }} message M {{ {} }}",
                field.replace("NAME", name)
            );
            let schema = super::resolved(&schema);
            for sql in TYPES {
                let columns = format!("f {}", column.replace("SQL", sql));
                let outcome = Table::over(&schema, &columns, setup).map(|_| ());
                let outcome = outcome.map_err(|failure| failure.code.label());
                let wanted = if accepted.contains(&sql) { Ok(()) } else { Err("type-mismatch") };
                assert_eq!(outcome, wanted, "{field} {name}: {columns}");
            }
        }
    }
}

#[test]
fn collections_stand_for_fields_of_their_own_shape_only() {
    let schema = "syntax = \"proto2\"; message M { repeated N r = 1; map<string, int32> m = 2;
        optional N n = 3; optional group G = 4 { optional int32 x = 1; }
        repeated group H = 5 { optional int32 x = 1; } repeated Entry e = 6;
        map<int64, N> l = 7; map<bool, bytes> b = 8; }
        message N { optional int32 x = 1; }
        message Entry { optional string key = 1; optional int32 value = 2; }";
    let setup = Setup { flink: true, ..Setup::default() };
    let accepted = |columns: &str| Table::with(schema, columns, setup).map(|_| ());
    let fitting = [
        "r ARRAY<ROW<x INT>>",
        "m MAP<STRING, INT>",
        "m MAP<CHAR, INT>",
        "n ROW<x INT>",
        "g ROW<x INT>",
        "h ARRAY<ROW<x INT>>",
        "e ARRAY<ROW<key STRING>>",
        "l MAP<BIGINT, ROW<x INT>>",
        "b MAP<BOOLEAN, BINARY>",
    ];
    for columns in fitting {
        assert_eq!(accepted(columns), Ok(()), "{columns}");
    }
    let unfit = [
        "r ROW<x INT>",
        "r ARRAY<INT>",
        "r MAP<STRING, INT>",
        "r BYTES",
        "m ARRAY<INT>",
        "m ARRAY<ROW<key STRING, value INT>>",
        "m ROW<key STRING>",
        "m MAP<INT, INT>",
        "m MAP<STRING, BIGINT>",
        "m MAP<BYTES, INT>",
        "m MULTISET<STRING>",
        "m MAP<ROW<x INT>, INT>",
        "n ARRAY<ROW<x INT>>",
        "n BYTES",
        "g BYTES",
        "g INT",
        "h ROW<x INT>",
        "h ARRAY<BYTES>",
        "e MAP<STRING, INT>",
        "e MULTISET<STRING>",
        "l MAP<BIGINT, BYTES>",
        "l MAP<INT, ROW<x INT>>",
        "b MAP<BOOLEAN, STRING>",
        "N ROW<x INT>",
        "keyValue INT",
    ];
    for columns in unfit {
        let failure = accepted(columns).unwrap_err();
        assert_eq!(failure.code.label(), "type-mismatch", "{columns}");
    }
}

#[test]
fn maps_stand_in_the_order_of_a_java_hash_map() {
    let schema =
        "syntax = \"proto3\"; message M { map<string, bool> s = 1; map<sint32, bool> i = 2;
        map<fixed64, bool> l = 3; map<bool, bool> b = 4; }";
    let entries = |field: u8, keys: &[&str]| {
        let entry = |key: &&str| {
            let len = key.len() / 2;
            format!("{field:02x}{len:02x}{key}")
        };
        keys.iter().map(entry).collect::<String>()
    };
    let read = |columns: &str, wire: &str| table(schema, columns, false).read(wire);
    let words = ["0a026b33", "0a026b32", "0a026b31", "0a05616c706861", "0a047a657461"];
    assert_eq!(
        read("s MAP<STRING, BOOLEAN>", &entries(0x0a, &words)),
        "({'zeta': false, 'k2': false, 'k1': false, 'alpha': false, 'k3': false})"
    );
    // -1, 16, 0, 17: bins 0, 0, 0, 1.
    assert_eq!(
        read("i MAP<INT, BOOLEAN>", &entries(0x12, &["0822", "0801", "0820", "0800", "08221001"])),
        "({-1: false, 16: false, 0: false, 17: true})"
    );
    // 1 << 32 has the hash of 1, and a key that comes again keeps its place.
    let longs = ["090200000000000000", "090000000001000000", "090100000000000000"];
    let again = "0900000000010000001001";
    assert_eq!(
        read("l MAP<BIGINT, BOOLEAN>", &entries(0x1a, &[longs[0], longs[1], longs[2], again])),
        "({4294967296: true, 1: false, 2: false})"
    );
    assert_eq!(
        read("b MAP<BOOLEAN, BOOLEAN>", &entries(0x22, &["0801", "0800"])),
        "({false: false, true: false})"
    );
}

#[test]
fn required_fields_of_map_values_count_unless_replaced() {
    let schema = "syntax = \"proto2\"; message M { map<int32, R> m = 1; optional M n = 2;
        oneof o { M in = 3; int32 i = 4; } }
        message R { required int32 r = 1; optional int32 o = 2; }";
    let whole = "0a06 0805 12020803";
    for columns in ["m MAP<INT, ROW<r INT>>", "", "n ROW<i INT>"] {
        let read = |wire: &str| table(schema, columns, false).read(wire);
        let missing = |wire: &str| {
            let read = read(wire);
            assert!(read.starts_with("missing-required"), "{columns} of {wire}: {read}");
        };
        missing("0a04 0805 1200");
        missing("0a02 0805");
        missing("0a00");
        missing("1204 0a020805");
        missing("1a04 0a020805");
        missing(&format!("{whole} 0a02 0805"));
        missing(&format!("{whole} 0a04 0806 1200"));
        for incomplete in ["0a02 0805", "0a04 0805 1200", "0a06 0805 12021003"] {
            let row = read(&format!("{incomplete} {whole}"));
            assert_eq!(row, read(whole), "{columns} of {incomplete}");
            let len = incomplete.replace(' ', "").len() / 2;
            let cleared = read(&format!("1a{len:02x} {incomplete} 2000"));
            assert_eq!(cleared, read("2000"), "{columns} of {incomplete}");
        }
        let read_broken = read(&format!("0a05 0805 120108 {whole}"));
        assert!(read_broken.starts_with("truncated"), "{columns}: {read_broken}");
    }
    assert_eq!(table(schema, "m MAP<INT, ROW<r INT>>", false).read(whole), "({5: (3)})");
}

#[test]
fn a_map_costs_two_levels() {
    let schema = "syntax = \"proto3\"; message M { map<int32, M> m = 1; int32 i = 2; }";
    let nested = |levels: usize| {
        let mut wire: Vec<u8> = Vec::new();
        let mut within = |tag: u8| {
            let mut length = vec![tag];
            prost::encoding::encode_varint(wire.len() as u64, &mut length);
            wire = [&*length, &*wire].concat();
        };
        for _ in 0..levels {
            within(0x12);
            within(0x0a);
        }
        wire
    };
    for columns in ["m MAP<INT, ROW<i INT>>", "i INT"] {
        let table = table(schema, columns, false);
        assert!(table.decode(&nested(50)).is_ok(), "{columns}");
        let failure = table.decode(&nested(51)).unwrap_err();
        assert_eq!(failure.code.label(), "too-deep", "{columns}");
    }
}
