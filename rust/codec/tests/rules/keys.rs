//! Keys of maps: of any type in entry-shaped messages, equal if they are the same bytes in a row.

use super::{Table, hex};

const HEAD: &str = "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\";
    import \"google/protobuf/wrappers.proto\"; import \"confluent/type/decimal.proto\"; ";

/// A map whose entries have a key of type `key`, as `key_type`.
fn table(key: &str, key_type: &str) -> Table {
    let schema = format!(
        "{HEAD} message M {{ repeated Entry m = 1; }}
         message Entry {{ {key} key = 1; int32 value = 2; }}
         message K {{ int32 a = 1; optional string b = 2; }}
         message Pair {{ string key = 1; int32 value = 2; }}"
    );
    Table::new(&schema, &format!("m MAP<{key_type}, INT>"))
}

/// Entries of these keys, with the values 1, 2, 3 ...
fn entries(keys: &[&str]) -> Vec<u8> {
    let mut wire = Vec::new();
    for (at, key) in keys.iter().enumerate() {
        let key = hex(key);
        wire.extend([0x0a, key.len() as u8 + 2]);
        wire.extend(key);
        wire.extend([0x10, at as u8 + 1]);
    }
    wire
}

fn read(table: &Table, keys: &[&str]) -> String {
    match table.decode(&entries(keys)) {
        Ok(bytes) => super::render::row(&bytes, &table.row),
        Err(failure) => super::refusal(&failure),
    }
}

#[test]
fn rows_arrays_and_maps_are_keys() {
    let rows = table("K", "ROW<a INT, b STRING>");
    let long = "0a0d 0801 1209 6e696e6520626974 73";
    assert_eq!(
        read(&rows, &["0a020801", long, "", "0a05 0801 120178", long, "0a00", "0a03 120178 "]),
        "({(1, NULL): 1, (1, 'nine bits'): 5, NULL: 3, (1, 'x'): 4, (0, NULL): 6, (0, 'x'): 7})"
    );
    assert_eq!(read(&rows, &["", "0a020801", ""]), "({NULL: 3, (1, NULL): 2})");
    let arrays = table("repeated int32", "ARRAY<INT>");
    assert_eq!(
        read(&arrays, &["0a0101", "0a020102", "", "0a0101", "08010802"]),
        "({[1]: 4, [1, 2]: 5, []: 3})",
        "packed or not"
    );
    let texts = table("repeated string", "ARRAY<STRING>");
    assert_eq!(
        read(
            &texts,
            &["0a0161 0a0a 30313233343536373839", "0a0161", "0a0161 0a0a30313233343536373839"]
        ),
        "({['a', '0123456789']: 3, ['a']: 2})"
    );
    let maps = table("repeated Pair", "MAP<STRING, INT>");
    assert_eq!(
        read(&maps, &["0a050a01611001", "0a050a01611001 0a050a01611002", "", "0a050a01611002"]),
        "({{'a': 1}: 1, {'a': 2}: 4, {}: 3})"
    );
}

#[test]
fn keys_are_compared_after_they_were_read() {
    let times = table("google.protobuf.Timestamp", "TIMESTAMP(3)");
    assert_eq!(
        read(&times, &["0a021001", "0a00", "", "0a0410c0843d", "0a0410c1843d", ""]),
        "({0 ms: 2, NULL: 6, 1 ms: 5})"
    );
    let times = table("google.protobuf.Timestamp", "TIMESTAMP(6)");
    assert_eq!(
        read(&times, &["0a021001", "0a0310e807", "0a00", "0a0310e907"]),
        "({0 ms 0 ns: 3, 0 ms 1000 ns: 4})"
    );
    let decimals = table("confluent.type.Decimal", "DECIMAL(20, 1)");
    // 1.0, 1.04 and 1.05; then two that do not fit, and so are NULL.
    let huge = "0a0e 0a0c 7fffffffffffffffffffffff";
    assert_eq!(
        read(&decimals, &["0a030a0101", "0a050a01681802", "0a050a01691802", huge, "", huge]),
        "({1.0: 2, 1.1: 3, NULL: 6})"
    );
    let floats = table("float", "FLOAT");
    assert_eq!(
        read(&floats, &["0d0000c07f", "0d0100c07f", "0d00000000", "0d00000080", ""]),
        "({NaN: 2, 0.0: 5, -0.0: 4})"
    );
    let bytes = table("google.protobuf.BytesValue", "BYTES");
    assert_eq!(read(&bytes, &["0a00", "0a030a01ff", "0a030a01ff"]), "({x: 1, xff: 3})");
    let opaque = table("K", "BYTES");
    assert_eq!(read(&opaque, &["0a01ff 0a01fe", "0a02fffe", "0a00"]), "({xfffe: 2, x: 3})");
    let lenient = "syntax = \"proto2\"; message M { repeated Entry m = 1; }
                   message Entry { optional string key = 1; optional int32 value = 2; }";
    let lenient = Table::new(lenient, "m MAP<STRING, INT>");
    assert_eq!(read(&lenient, &["0a01ff", "0a01fe", "0a0161"]), "({'\u{fffd}': 2, 'a': 3})");
}

#[test]
fn many_composite_keys_are_sorted_for_comparison() {
    let rows = table("K", "ROW<a INT, b STRING>");
    let keys: Vec<String> = (0..60u8).map(|at| format!("0a0208{:02x}", at % 20)).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let row = read(&rows, &keys);
    assert!(row.starts_with("({(0, NULL): 41, (1, NULL): 42,"), "{row}");
    assert!(row.ends_with("(19, NULL): 60})"), "{row}");
}

#[test]
fn faults_inside_of_keys_are_found() {
    let rows = table("K", "ROW<a INT NOT NULL, b STRING NOT NULL>");
    assert_eq!(read(&rows, &["0a020801"]), "null-in-not-null m[].key.b 4");
    let rows = table("K", "ROW<a INT, b STRING> NOT NULL");
    assert_eq!(read(&rows, &[""]), "null-in-not-null m[].key 2");
    let decimals = table("confluent.type.Decimal", "DECIMAL(2, 0) NOT NULL");
    assert_eq!(read(&decimals, &["0a030a0107", "0a040a020100"]), "null-in-not-null m[].key 13");
}

#[test]
fn multisets_count_with_an_int() {
    let schema = |value: &str| {
        format!(
            "{HEAD} message M {{ repeated Entry m = 1; map<string, int32> n = 2; }}
             message Entry {{ optional string key = 1; {value} value = 2; }}"
        )
    };
    let table = Table::new(&schema("sint32"), "m MULTISET<STRING>, n MULTISET<STRING>");
    assert_eq!(
        table.read("0a05 0a0161 1004 0a021002 1203 0a0162"),
        "({'a': 2, NULL: 1}, {'b': 0})"
    );
    for value in
        ["int64", "uint32", "bool", "string", "repeated int32", "google.protobuf.Int32Value"]
    {
        let failure = Table::refused(&schema(value), "m MULTISET<STRING>");
        assert_eq!(failure.code.label(), "type-mismatch", "{value}");
        assert_eq!(
            failure.reason,
            "MULTISET cannot hold field m: repeated Entry has no INT in its field value"
        );
    }
    let no_key =
        "syntax = \"proto3\"; message M { repeated E m = 1; } message E { int32 value = 2; }";
    let failure = Table::refused(no_key, "m MAP<INT, INT>");
    assert_eq!(failure.reason, "MAP cannot hold field m: repeated E has no fields key and value");
}

#[test]
fn replaced_values_are_checked_one_by_one() {
    let schema = "syntax = \"proto2\"; message M { repeated Entry m = 1; }
                  message Entry { required int32 key = 1; repeated V value = 2; }
                  message V { required int32 x = 1; required int32 y = 2; }";
    let table = Table::new(schema, "m MAP<INT, ARRAY<ROW<x INT>>>");
    let (whole, half) = ("12040801 1001", "1202 0801");
    assert_eq!(table.read(&format!("0a08 0801 {whole} 0a02 0801")), "({1: []})");
    assert!(
        table.read(&format!("0a0a 0801 {half} 12021001 0a02 0801")).starts_with("missing-required")
    );
}
