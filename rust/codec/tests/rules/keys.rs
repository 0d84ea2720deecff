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
    assert_eq!(failure.reason, "MAP cannot hold field m: repeated E has no key and value");
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

/// Entries of which key and value are oneofs: as in a row of the table, but for what is replaced.
const CHOICES: &str =
    "syntax = \"proto2\"; message M { repeated Entry m = 1; repeated Count c = 2; }
    message Entry { oneof key { int32 id = 1; string name = 2; K k = 3; bool hidden = 4; }
    oneof value { sint32 n = 5; V v = 6; string s = 7; } }
    message Count { oneof key { string text = 1; float number = 2; } optional int32 value = 3; }
    message K { optional int32 a = 1; } message V { required int32 x = 1; optional int32 y = 2; }";

#[test]
fn oneofs_are_keys_and_values() {
    let columns =
        "m MAP<ROW<id BIGINT, name STRING, k ROW<a INT>>, ROW<s STRING, n INT, v ROW<x INT>>>";
    let table = Table::new(CHOICES, columns);
    for (wire, row) in [
        ("0a04 0807 2803", "({(7, NULL, NULL): (NULL, -2, NULL)})"),
        ("0a00", "({NULL: NULL})"),
        ("0a00 0a02 2800 0a02 2001", "({NULL: (NULL, 0, NULL), (NULL, NULL, NULL): NULL})"),
        ("0a02 0800 0a04 0801 0800", "({(0, NULL, NULL): NULL})"),
        ("0a05 0801 120178", "({(NULL, 'x', NULL): NULL})"),
        ("0a04 1a02 0805 0a06 1a00 1a02 0805", "({(NULL, NULL, (5)): NULL})"),
        ("0a0c 120b 6c6f6e676572206b6579", "truncated m[].name 2"),
        (
            "0a1a 120b 6c6f6e676572206b657973 3a0b 6c6f6e6765722076616c73 0a04 0801 2802
             0a0f 120b 6c6f6e676572206b657973 2804",
            "({(NULL, 'longer keys', NULL): (NULL, 2, NULL), (1, NULL, NULL): (NULL, 1, NULL)})",
        ),
    ] {
        assert_eq!(table.read(wire), row, "{wire}");
    }
    let counts = Table::new(CHOICES, "c MULTISET<ROW<number DOUBLE, text STRING>>");
    assert_eq!(
        counts.read("1205 0a0161 1801 1207 150000c03f 1802 1205 0a0161 1803 1202 1804"),
        "({(NULL, 'a'): 3, (1.5, NULL): 2, NULL: 4})"
    );
}

#[test]
fn many_oneof_keys_are_sorted_for_comparison() {
    let table = Table::new(CHOICES, "m MAP<ROW<id INT, hidden BOOLEAN>, ROW<n INT>>");
    let wire: String = (0..60).map(|at| format!("0a04 08{:02x} 28{:02x}", at % 20, at)).collect();
    let row = table.read(&format!("{wire} 0a04 2000 2801"));
    assert!(row.starts_with("({(0, NULL): (20), (1, NULL): (-21), (2, NULL): (21),"), "{row}");
    assert!(row.ends_with("(19, NULL): (-30), (NULL, false): (-1)})"), "{row}");
}

#[test]
fn maps_of_oneofs_lie_inside_each_other() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { repeated Entry m = 1; } message N { repeated Entry m = 1; }
         message Entry { oneof key { int32 id = 1; N n = 2; } oneof value { string s = 3; N v = 4; } }",
        "m MAP<ROW<id INT, n ROW<m MAP<ROW<id INT>, ROW<s STRING>>>>,
               ROW<s STRING, v ROW<m MAP<ROW<id INT>, ROW<s STRING>>>>>",
    );
    let inner = "0a05 0801 1a0178 0a03 1a0179";
    assert_eq!(
        table.read(&format!("0a0e 120c {inner} 0a10 0802 220c {inner} 0a11 120c {inner} 1a017a")),
        "({(NULL, ({(1): ('x'), NULL: ('y')})): ('z', NULL), (2, NULL): (NULL, ({(1): ('x'), NULL: ('y')}))})"
    );
}

#[test]
fn faults_inside_of_oneofs_in_maps_name_the_member() {
    let table = |columns| Table::new(CHOICES, columns);
    let rows =
        table("m MAP<ROW<id INT, k ROW<a INT NOT NULL>> NOT NULL, ROW<v ROW<y INT>, n INT>>");
    assert_eq!(rows.read("0a00"), "null-in-not-null m[].key 2");
    assert_eq!(rows.read("0a02 1a00"), "null-in-not-null m[].k.a 4");
    assert_eq!(rows.read("0a04 0801 3200"), "missing-required m[].v.x 6");
    let keys = table("m MAP<ROW<id INT NOT NULL, name STRING>, ROW<n INT>>");
    assert_eq!(keys.read("0a02 0801"), "({(1, NULL): NULL})");
    assert_eq!(keys.read("0a02 0801 0a03 120178"), "null-in-not-null m[].id 8");
    let values = table("m MAP<ROW<id INT>, ROW<n INT NOT NULL, s STRING> NOT NULL>");
    assert_eq!(values.read("0a04 0801 2802"), "({(1): (1, NULL)})");
    assert_eq!(values.read("0a02 0801"), "null-in-not-null m[].value 2");
    assert_eq!(values.read("0a05 0801 3a0178"), "null-in-not-null m[].n 6");
    let reason = values.bytes("0a05 0801 3a0178").unwrap_err().reason;
    assert_eq!(reason, "column n is NOT NULL and another member of the oneof is set");
    assert_eq!(
        values.read("0a05 0801 3a0178 0a02 0801 0a04 0801 2802"),
        "({(1): (1, NULL)})",
        "replaced values are none of the row"
    );
}

#[test]
fn replaced_oneofs_are_checked_as_their_member_is() {
    let rows = Table::new(CHOICES, "m MAP<ROW<id INT>, ROW<n INT, v ROW<y INT>>>");
    let last = "0a02 0801";
    assert_eq!(rows.read(&format!("0a06 0801 32020805 {last}")), "({(1): NULL})");
    assert_eq!(rows.read(&format!("0a04 0801 3200 {last}")), "missing-required m[].v.x 6");
    assert_eq!(rows.read(&format!("0a05 0801 320108 {last}")), "truncated m[].v.x 6");
    assert_eq!(rows.read(&format!("0a06 0801 3200 2802 {last}")), "({(1): NULL})", "cleared");
    let opaque = Table::new(CHOICES, "m MAP<ROW<id INT>, ROW<v BYTES>>");
    assert_eq!(opaque.read(&format!("0a05 0801 320108 {last}")), "({(1): NULL})");
    assert_eq!(opaque.read("0a05 0801 320108"), "({(1): (x08)})");
    let hidden = Table::new(CHOICES, "m MAP<ROW<id INT>, ROW<n INT>>");
    assert_eq!(hidden.read(&format!("0a04 0801 3200 {last}")), "missing-required m[].v.x 6");
}

#[test]
fn a_multiset_counts_with_no_oneof() {
    let failure = Table::refused(CHOICES, "m MULTISET<ROW<id INT>>");
    assert_eq!(
        failure.reason,
        "MULTISET cannot hold field m: repeated Entry has no INT in its field value"
    );
    let failure = Table::refused(CHOICES, "m MAP<INT, ROW<n INT>>");
    assert_eq!(failure.reason, "INTEGER cannot hold oneof key, only a ROW of its members can");
}
