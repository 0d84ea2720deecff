//! Appendix A.1 of the contract: bytes, and what Flink's own format reads from them.
//!
//! Where the appendix does not say otherwise, `read-default-values` is off.

use super::{Setup, Table, resolved_from};

const TWO: &str = "syntax = \"proto2\";
    message M2 { optional int32 i = 1; optional string s = 2; optional E2 e = 3; repeated E2 re = 4;
      map<string, E0> me = 5; repeated int32 ri = 6; repeated int32 rp = 7 [packed = true];
      optional Inner2 inner = 8; map<string, Small2> mm = 9; optional fixed32 f32 = 10;
      repeated fixed32 rf = 11; optional Al al = 12; optional bool b = 13; repeated string rs = 14;
      map<int32, string> mi = 15; oneof o { int32 o1 = 16; string o2 = 17; Small2 o3 = 18; }
      repeated E2 rep = 20 [packed = true]; map<string, string> ms = 21; }
    message Inner2 { optional int32 a = 1; optional string s = 2; required int32 r = 3; }
    message Small2 { optional int32 a = 1 [default = 7]; optional string s = 2; }
    message Req2 { required int32 r = 1; optional int32 o = 2; }
    enum E2 { A2 = 5; B2 = 1; C2 = 2; }  enum E0 { Z0 = 0; Z1 = 1; }
    enum Al { option allow_alias = true; X = 1; Y = 1; Z = 2; }";
const THREE: &str = "syntax = \"proto3\"; import \"two.proto\";
    message M3 { int32 i = 1; string s = 2; E3 e = 3; repeated E3 re = 4; map<string, E3> me = 5;
      repeated int32 ri = 6; repeated int32 ru = 7 [packed = false]; Small3 inner = 8;
      map<string, Small3> mm = 9; optional int32 oi = 10;
      oneof o { int32 o1 = 11; string o2 = 12; Small3 o3 = 13; E3 o4 = 14; }
      float fl = 15; double db = 16; bytes by = 17; map<int32, string> mi = 18;
      map<bool, string> mb = 19; map<int64, string> ml = 20; map<string, string> ms = 21;
      Small2 sm2 = 22; optional E3 oe = 23; uint32 u = 24; sint32 si = 25; repeated string rs = 26; }
    message Small3 { int32 a = 1; string s = 2; Small3 self = 3; }
    enum E3 { ZERO = 0; ONE = 1; TWO = 2; }";

/// Reads each `wire` as `columns` of `message`; a refusal is wanted as its label alone,
/// or as `error` where its code is not definite.
fn check(message: &str, vectors: &[(&str, &str, &str)]) {
    check_with(message, false, vectors);
}

fn check_with(message: &str, read_defaults: bool, vectors: &[(&str, &str, &str)]) {
    let proto3 = message.ends_with('3');
    let files = [("two.proto", TWO), ("three.proto", THREE)];
    let schema = match proto3 {
        true => resolved_from(&[files[1], files[0]], message),
        false => resolved_from(&files, message),
    };
    let read_simple_defaults = proto3 || read_defaults;
    let setup = Setup { flink: true, read_defaults, read_simple_defaults, ..Setup::default() };
    for (columns, wire, wanted) in vectors {
        let read = Table::over(&schema, columns, setup).unwrap().read(wire);
        let read = match &*read {
            read if read.starts_with('(') => read,
            _ if *wanted == "error" => wanted,
            refusal => refusal.split(' ').next().unwrap(),
        };
        assert_eq!(read, *wanted, "{message} {columns}: {wire}");
    }
}

#[test]
fn text() {
    let lenient = [
        ("s STRING", "1202 c328", "('\u{fffd}(')"),
        ("s STRING", "1203 e08041", "('\u{fffd}\u{fffd}A')"),
        ("s STRING", "1203 eda080", "('\u{fffd}')"),
        ("rs ARRAY<STRING>", "7202 c328", "(['\u{fffd}('])"),
    ];
    check("M2", &lenient);
    for strict in ["1202 c328", "1202 c080", "1203 eda080", "d20102 c328"] {
        check("M3", &[("s STRING, rs ARRAY<STRING>", strict, "invalid-utf8")]);
    }
    check("M3", &[("sm2 ROW<a INT, s STRING>", "b20104 1202c328", "((7, '\u{fffd}('))")]);
    for in_map in ["aa0107 0a016b 1202c328", "aa0107 0a02c328 120176"] {
        check(
            "M2",
            &[("ms MAP<STRING, STRING>", in_map, "invalid-utf8"), ("", in_map, "invalid-utf8")],
        );
    }
}

#[test]
fn enums() {
    let open = [
        ("e STRING", "1863", "('UNRECOGNIZED')"),
        ("e INT", "1863", "unknown-enum-number"),
        ("e BIGINT", "1863", "unknown-enum-number"),
        ("e TINYINT", "1863", "unknown-enum-number"),
        ("re ARRAY<STRING>", "2203 016302", "(['ONE', 'UNRECOGNIZED', 'TWO'])"),
        ("re ARRAY<INT>", "2203 016302", "unknown-enum-number"),
        ("re ARRAY<SMALLINT>", "2202 0102", "([1, 2])"),
        ("me MAP<STRING, STRING>", "2a05 0a016b 1063", "({'k': 'UNRECOGNIZED'})"),
        ("me MAP<STRING, INT>", "2a05 0a016b 1063", "unknown-enum-number"),
        ("me MAP<STRING, TINYINT>", "2a05 0a016b 1002", "({'k': 2})"),
        ("oe STRING, i INT, inner ROW<a INT>", "", "('ZERO', 0, NULL)"),
        ("e STRING", "18 8180808010", "('ONE')"),
    ];
    check("M3", &open);
    let closed = [
        ("e STRING", "1863", "(NULL)"),
        ("e BIGINT", "1805", "(5)"),
        ("re ARRAY<STRING>", "2005 2063 2001", "(['A2', 'B2'])"),
        ("rep ARRAY<STRING>", "a20103 056301", "(['A2', 'B2'])"),
        ("rep ARRAY<BIGINT>", "a20103 056301", "([5, 1])"),
        ("me MAP<STRING, STRING>", "2a05 0a016b 1063", "(NULL)"),
        ("me MAP<STRING, STRING>", "2a03 0a016b", "({'k': 'Z0'})"),
        ("me MAP<STRING, SMALLINT>", "2a03 0a016b", "({'k': 0})"),
        // The last number in an entry decides, known or not.
        ("me MAP<STRING, INT>", "2a07 0a016b 1063 1001", "({'k': 1})"),
        ("me MAP<STRING, INT>", "2a07 0a016b 1001 1063", "(NULL)"),
        ("me MAP<STRING, INT>", "2a05 0a016b 1001 2a05 0a016b 1063", "({'k': 1})"),
        ("al STRING", "6001", "('X')"),
    ];
    check("M2", &closed);
    let defaults = [
        ("e STRING", "1863", "('A2')"),
        ("e TINYINT", "1863", "(5)"),
        ("me MAP<STRING, STRING>", "2a05 0a016b 1063", "({})"),
    ];
    check_with("M2", true, &defaults);
}

#[test]
fn numbers() {
    let proto3 = [
        ("i INT", "08 8180808010", "(1)"),
        ("i INT", "08 ffffffff0f", "(-1)"),
        ("u INT", "c001 ffffffff0f", "(-1)"),
        ("si INT", "c801 8380808010", "(-2)"),
        ("i INT", "08 80808080808080808080 01", "malformed-varint"),
        ("i INT", "08 ffffffffffffffffff7f", "(-1)"),
        ("i INT", "0880", "truncated"),
        ("i INT", "0001", "invalid-tag"),
        ("i INT", "0c", "end-group-mismatch"),
        ("i INT", "0e01", "invalid-wire-type"),
        ("i INT", "0f01", "invalid-wire-type"),
        ("i INT", "8880808010 01", "(1)"),
        ("i INT", "8800 05", "(5)"),
        ("i INT", "0a0101", "(0)"),
        ("i INT", "0d01000000", "(0)"),
        ("s STRING", "1005", "('')"),
        ("inner ROW<a INT>", "4005", "(NULL)"),
    ];
    check("M3", &proto3);
    let proto2 = [
        ("b BOOLEAN", "6802", "(true)"),
        ("b BOOLEAN", "68 8080808010", "(true)"),
        ("rf ARRAY<INT>", "5805", "(NULL)"),
        ("ri ARRAY<INT>", "3202 0102", "([1, 2])"),
        ("rp ARRAY<INT>", "3801 3802", "([1, 2])"),
        ("ri ARRAY<INT>", "3200", "(NULL)"),
        ("rf ARRAY<INT>", "5a07 01000000 020000", "truncated"),
        ("ri ARRAY<INT>", "3201 80 01", "error"), // cut inside a run, and no tag behind it
    ];
    check("M2", &proto2);
}

#[test]
fn lengths_groups_and_depth() {
    let proto3 = [
        ("i INT", "a306 0801 a406 0805", "(5)"),
        ("i INT", "a306 0801", "end-group-mismatch"),
        ("i INT", "a306 0801 ac06", "end-group-mismatch"),
        ("s STRING", "1205 41", "truncated"),
        ("s STRING", "12 ffffffff0f", "truncated"),
        ("inner ROW<s STRING>", "4202 1205", "truncated"),
        ("inner ROW<s STRING>", "4203 120578 4141414141", "truncated"),
        ("i INT", "7f7f7f7f7f", "invalid-wire-type"),
    ];
    check("M3", &proto3);
    let nested = |levels: usize| {
        let mut wire: Vec<u8> = Vec::new();
        for _ in 0..levels {
            let mut length = Vec::new();
            prost::encoding::encode_varint(wire.len() as u64, &mut length);
            wire = [&[0x1a], &*length, &*wire].concat();
        }
        wire.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    check("Small3", &[("a INT", &nested(100), "(0)"), ("a INT", &nested(101), "too-deep")]);
    let groups = |levels: usize| "a306".repeat(levels) + &"a406".repeat(levels);
    check("Small3", &[("a INT", &groups(100), "(0)"), ("a INT", &groups(101), "too-deep")]);
}

#[test]
fn required_fields() {
    check("Req2", &[("o INT", "1001", "missing-required")]);
    check("M2", &[("i INT", "4202 0801", "missing-required")]);
    check("M2", &[("inner ROW<r INT>", "4202 0801 4202 1805", "((5))")]);
}

#[test]
fn maps_and_their_entries() {
    let small = "mm MAP<STRING, ROW<a INT, s STRING, self ROW<a INT>>>";
    let ms = "ms MAP<STRING, STRING>";
    let vectors = [
        ("sm2 ROW<a INT, s STRING>", "b20100", "((7, ''))"),
        (ms, "aa0103 120176", "({'': 'v'})"),
        (ms, "aa0103 0a016b", "({'k': ''})"),
        (ms, "aa0100", "({'': ''})"),
        (small, "4a03 0a016b", "({'k': (0, '', NULL)})"),
        (ms, "aa0106 0a016b 120131 aa0106 0a016b 120132", "({'k': '2'})"),
        (small, "4a07 0a016b 12020801 4a08 0a016b 1203120178", "({'k': (0, 'x', NULL)})"),
        (small, "4a0c 0a016b 12020801 1203120178", "({'k': (1, 'x', NULL)})"),
        (ms, "aa0109 0a0161 0a0162 120176", "({'b': 'v'})"),
        (ms, "aa0108 0a016b 1801 120176", "({'k': 'v'})"),
        (ms, "aa0105 0a016b 1005", "({'k': ''})"),
        (ms, "a80105", "(NULL)"),
    ];
    check("M3", &vectors);
}

#[test]
fn merging_and_oneofs() {
    let o = "o1 INT, o2 STRING, o3 ROW<a INT, s STRING>, o4 STRING";
    let vectors = [
        ("inner ROW<a INT, s STRING>", "42020801 4203120178", "((1, 'x'))"),
        (o, "6a020801 6a03120178", "(0, '', (1, 'x'), 'ZERO')"),
        (o, "6a020801 5805 6a03120178", "(0, '', (1, 'x'), 'ZERO')"),
        (o, "620178", "(0, 'x', NULL, 'ZERO')"),
        (o, "620178 5a0101", "(0, 'x', NULL, 'ZERO')"),
        (o, "620178 5800", "(0, '', NULL, 'ZERO')"),
    ];
    check("M3", &vectors);
}
