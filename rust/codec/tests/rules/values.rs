//! What a value becomes (CONFLUENT): D1 to D14 and the decisions that correct them.

use sluice_testkit::arbitrary::wire::varint;

use super::Table;

#[test]
fn absence_is_null_only_where_presence_is_known() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { int32 a = 1; optional int32 b = 2; string c = 3;
         optional string d = 4; repeated int32 e = 5; map<int32, int32> f = 6; M g = 7; E h = 8;
         optional E i = 9; } enum E { ZERO = 0; ONE = 1; }",
        "a INT, b INT, c STRING, d STRING, e ARRAY<INT>, f MAP<INT, INT>, g ROW<a INT>,
         h STRING, i STRING, gone BIGINT",
    );
    assert_eq!(table.read(""), "(0, NULL, '', NULL, [], {}, NULL, 'ZERO', NULL, NULL)");
    assert_eq!(
        table.read("0800 1000 1a00 2200 3a00 4000 4800"),
        "(0, 0, '', '', [], {}, (0), 'ZERO', 'ZERO', NULL)"
    );
    assert_eq!(table.program.missing_columns(), ["gone"]);
}

#[test]
fn declared_defaults_are_not_applied() {
    let table = Table::new(
        "syntax = \"proto2\"; message M { optional int32 a = 1 [default = 7]; }",
        "a INT",
    );
    assert_eq!(table.read(""), "(NULL)");
}

#[test]
fn not_null_columns_refuse_absent_values() {
    let schema = "syntax = \"proto3\"; message M { optional int32 a = 1; M m = 2; int32 z = 3; }";
    let table = Table::new(schema, "a INT NOT NULL, m ROW<a INT NOT NULL>");
    assert_eq!(table.read("0801"), "(1, NULL)");
    assert_eq!(table.read("1801"), "null-in-not-null a 0");
    assert_eq!(table.read("0801 1200"), "null-in-not-null m.a 4");
    let failure = table.bytes("").unwrap_err();
    assert_eq!(failure.reason, "column a is NOT NULL and M has no value for it");
    let table = Table::new(schema, "gone INT NOT NULL");
    assert_eq!(table.read(""), "null-in-not-null gone 0");
}

#[test]
fn numbers_are_cut_widened_and_zero_extended() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { int32 a = 1; uint32 b = 2; fixed32 c = 3; sint32 d = 4;
         bool e = 5; uint64 f = 6; float g = 7; sfixed32 h = 8; int32 i = 9; }",
        "a BIGINT, b BIGINT, c BIGINT, d BIGINT, e BOOLEAN, f BIGINT, g DOUBLE, h BIGINT, i TINYINT",
    );
    assert_eq!(
        table.read(
            "08ffffffffffffffffff01 10ffffffff0f 1dffffffff 2083808080 10 288080808010
             30ffffffffffffffffff01 3d0000c0bf 45ffffffff 488102"
        ),
        "(-1, 4294967295, 4294967295, -2, true, -1, -1.5, -1, 1)"
    );
    assert_eq!(table.read("088180808010"), "(1, 0, 0, 0, false, 0, 0.0, 0, 0)");
    // protobuf-java reads every varint of 10 bytes as negative, whatever its last byte.
    assert_eq!(
        table.read("3080808080808080808000"),
        format!("(0, 0, 0, 0, false, {}, 0.0, 0, 0)", i64::MIN)
    );
}

#[test]
fn last_value_wins_and_messages_merge() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { int32 a = 1; string s = 2; M m = 3; repeated int32 r = 4; }",
        "s STRING, a INT, m ROW<a INT, s STRING, r ARRAY<INT>, m ROW<s STRING>>",
    );
    assert_eq!(table.read("0801 120178 0802 120179"), "('y', 2, NULL)");
    assert_eq!(
        table.read("1a04 0801 2001 1a05 1a03 120161 1a07 120162 22020203"),
        "('', 0, (1, 'b', [1, 2, 3], ('a')))"
    );
}

#[test]
fn packed_and_unpacked_mix_in_order() {
    for option in ["true", "false"] {
        let table = Table::new(
            &format!(
                "syntax = \"proto2\"; message M {{ repeated int32 a = 1 [packed = {option}];
                 repeated fixed32 b = 2 [packed = {option}]; optional int32 x = 3; }}"
            ),
            "a ARRAY<INT>, x INT",
        );
        assert_eq!(table.read("0801 0a020203 1807 0804 0a00"), "([1, 2, 3, 4], 7)");
        assert_eq!(table.read("0a0180"), "truncated a[] 2");
        assert_eq!(table.read("1205 0100000002"), "truncated b[] 6");
    }
}

#[test]
fn enums_are_names_and_closed_ones_drop_what_they_lack() {
    let open = Table::new(
        "syntax = \"proto3\"; message M { E e = 1; repeated E r = 2; }
         enum E { option allow_alias = true; A = 0; B = 1; ALSO_B = 1; NEGATIVE = -1; }",
        "e STRING, r ARRAY<STRING>",
    );
    assert_eq!(open.read("0801"), "('B', [])");
    assert_eq!(
        open.read("08ffffffffffffffffff01 1202 0163"),
        "('NEGATIVE', ['B', 'UNKNOWN_ENUM_VALUE_E_99'])"
    );
    assert_eq!(open.read("088180808010"), "('B', [])");
    let closed = Table::new(
        "syntax = \"proto2\"; message M { optional E e = 1; repeated E r = 2; map<int32, E> m = 3;
         required E q = 4; } enum E { Z = 0; F = 5; }",
        "e STRING, r ARRAY<STRING>, m MAP<INT, STRING>",
    );
    assert_eq!(closed.read("2000 0863 1003 1005 12020005"), "(NULL, ['F', 'Z', 'F'], {})");
    assert_eq!(closed.read("2000 0805 0863"), "('F', [], {})");
    assert_eq!(closed.read("2000 1a04 0801 1063"), "(NULL, [], {1: 'Z'})");
    assert_eq!(closed.read("2063"), "missing-required q 0");
}

#[test]
fn maps_keep_the_last_value_at_the_first_place() {
    let schema = "syntax = \"proto3\"; message M { map<string, int32> a = 1; map<int32, N> b = 2; }
                  message N { int32 x = 1; optional string s = 2; }";
    let table = Table::new(schema, "a MAP<STRING, INT>, b MAP<INT, ROW<x INT, s STRING>>");
    assert_eq!(
        table.read("0a05 0a0162 1001 0a05 0a0161 1002 0a05 0a0162 1003"),
        "({'b': 3, 'a': 2}, {})"
    );
    assert_eq!(table.read("0a00 0a02 1007 1202 0803"), "({'': 7}, {3: (0, NULL)})");
    // Pieces of one entry's value merge, values of two entries do not.
    assert_eq!(table.read("120b 0801 12020805 1203120178"), "({}, {1: (5, 'x')})");
    assert_eq!(table.read("1206 0801 12020805 1207 0801 1203120178"), "({}, {1: (0, 'x')})");
    let many = (0..40u8).map(|key| format!("0a05 0a01{:02x} 10{key:02x}", 0x30 + key % 20));
    let wire: Vec<String> = many.collect();
    let row = table.read(&wire.join(" "));
    assert!(row.starts_with("({'0': 20, '1': 21, '2': 22,"), "{row}");
}

#[test]
fn entry_shaped_messages_read_as_maps_with_nulls() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { repeated E m = 1; message E { optional string key = 1;
         optional int32 value = 2; } }",
        "m MAP<STRING, INT>",
    );
    assert_eq!(table.read("0a03 0a0161 0a02 1001 0a05 0a0161 1002"), "({'a': 2, NULL: 1})");
}

/// Field `tag` holding a Timestamp, as hex.
fn timestamp(tag: u8, seconds: i64, nanos: i32) -> String {
    let mut body = vec![8];
    varint(&mut body, seconds as u64);
    body.push(16);
    varint(&mut body, i64::from(nanos) as u64);
    let field = [&[tag, body.len() as u8], &body[..]].concat();
    field.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn timestamps_are_cut_and_checked() {
    let schema = "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message M {
                  google.protobuf.Timestamp t = 1; repeated google.protobuf.Timestamp r = 2; }";
    let table = Table::new(schema, "t TIMESTAMP(6), r ARRAY<TIMESTAMP_LTZ(0)>");
    let read = |seconds, nanos| table.read(&timestamp(0x0a, seconds, nanos));
    assert_eq!(table.read(""), "(NULL, [])");
    assert_eq!(table.read("0a00"), "(0 ms 0 ns, [])");
    assert_eq!(read(1, 123_456_789), "(1123 ms 456000 ns, [])");
    assert_eq!(read(-1, 999_999_999), "(-1 ms 999000 ns, [])", "cut towards the past");
    assert_eq!(read(-62_135_596_800, 0), "(-62135596800000 ms 0 ns, [])");
    assert_eq!(read(253_402_300_799, 999_999_999), "(253402300799999 ms 999000 ns, [])");
    for (seconds, nanos) in
        [(-62_135_596_801, 0), (253_402_300_800, 0), (0, -1), (0, 1_000_000_000), (i64::MIN, 0)]
    {
        assert_eq!(read(seconds, nanos), "timestamp-range t 2");
        let failure = table.bytes(&timestamp(0x0a, seconds, nanos)).unwrap_err();
        let reason = format!("a timestamp of {seconds} s and {nanos} ns is out of range");
        assert_eq!(failure.reason, reason);
    }
    assert_eq!(table.read("0a02 0801 0a02 1007"), "(1000 ms 0 ns, [])", "pieces merge");
    let elements = [timestamp(0x12, 1, 999_999_999), timestamp(0x12, -1, 1)].concat();
    assert_eq!(table.read(&elements), "(NULL, [1000 ms, -1000 ms])");
    assert_eq!(table.read(&format!("1200{}", timestamp(0x12, 0, -1))), "timestamp-range r[] 4");
}

#[test]
fn wrappers_are_nullable_scalars_and_own_types_are_not() {
    let schema = "syntax = \"proto3\"; import \"google/protobuf/wrappers.proto\";
                  message M { google.protobuf.StringValue s = 1; google.protobuf.BoolValue b = 2;
                  repeated google.protobuf.UInt32Value u = 3; StringValue own = 4; }
                  message StringValue { string value = 1; }";
    let table = Table::new(schema, "s STRING, b BOOLEAN, u ARRAY<BIGINT>");
    assert_eq!(table.read(""), "(NULL, NULL, [])");
    assert_eq!(table.read("0a00 1200 1a00 1a06 08ffffffff0f"), "('', false, [0, 4294967295])");
    assert_eq!(table.read("0a0c 0a0a 30313233343536373839"), "('0123456789', NULL, [])");
    assert_eq!(Table::refused(schema, "own STRING").code.label(), "type-mismatch");
    let table = Table::new(schema, "s ROW<value STRING>");
    assert_eq!(table.read("0a03 0a0178"), "(('x'))");
}

#[test]
fn text_is_strict_or_replaced_by_the_rule_of_its_field() {
    let strict =
        Table::new("syntax = \"proto3\"; message M { string s = 1; string t = 2; }", "s STRING");
    assert_eq!(strict.read("0a02 c3a9"), "('é')");
    assert_eq!(strict.read("0a02 c328"), "invalid-utf8 s 0");
    assert_eq!(strict.read("0a0178 1202 c080"), "invalid-utf8 t 3");
    assert_eq!(strict.read("0a03 eda080 0a0178"), "invalid-utf8 s 0", "replaced values count");
    let lenient = Table::new(
        "syntax = \"proto2\"; message M { optional string s = 1; repeated string r = 2;
         map<string, string> m = 3; optional string t = 4; }",
        "s STRING, r ARRAY<STRING>",
    );
    assert_eq!(lenient.read("0a02 c328 1203 eda080 2202 c328"), "('\u{fffd}(', ['\u{fffd}'])");
    assert_eq!(lenient.read("1a07 0a016b 1202 c328"), "invalid-utf8 m[].value 5");
}
