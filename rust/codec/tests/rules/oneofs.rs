//! Oneofs: members that clear each other, and the oneof as one ROW column (D12).

use std::fmt::Write;

use sluice_testkit::arbitrary::wire::varint;

use super::Table;

#[test]
fn oneof_members_clear_each_other_selected_or_not() {
    let table = Table::new(
        "syntax = \"proto3\"; message M { oneof o { int32 a = 1; string s = 2; M m = 3;
         int32 hidden = 4; } }",
        "a INT, s STRING, m ROW<a INT, s STRING>",
    );
    assert_eq!(table.read(""), "(NULL, NULL, NULL)");
    assert_eq!(table.read("0800"), "(0, NULL, NULL)");
    assert_eq!(table.read("0801 120178"), "(NULL, 'x', NULL)");
    assert_eq!(table.read("120178 2001"), "(NULL, NULL, NULL)");
    assert_eq!(table.read("120178 0a0179"), "(NULL, 'x', NULL)", "wrong wire type: unknown");
    assert_eq!(table.read("1a020801 1a021a00"), "(NULL, NULL, (NULL, NULL))");
    assert_eq!(table.read("1a020801 0805 1a03120178"), "(NULL, NULL, (NULL, 'x'))");
    assert_eq!(table.read("1a021202 0805"), "truncated m.s 2", "cleared messages are checked");
}

const PAYMENT: &str = "syntax = \"proto3\"; message M { int32 a = 1;
    oneof pay { int32 cash = 2; string iban = 3; Card card = 4; uint64 points = 5; float gold = 6; }
    int32 z = 9; } message Card { string number = 1; oneof pay { bool chip = 2; int32 pin = 3; } }";

#[test]
fn the_oneof_is_null_or_a_row_with_one_member() {
    let columns = "z INT, pay ROW<card ROW<number STRING>, iban STRING, cash INT>, a INT";
    let table = Table::new(PAYMENT, columns);
    for (wire, row) in [
        ("0801", "(0, NULL, 1)"),
        ("0801 1000 4802", "(2, (NULL, NULL, 0), 1)"),
        ("1a00", "(0, (NULL, '', NULL), 0)"),
        ("1a0d 6c6f6e676572207468616e2037", "(0, (NULL, 'longer than 7', NULL), 0)"),
        ("2200", "(0, ((''), NULL, NULL), 0)"),
        ("2805", "(0, (NULL, NULL, NULL), 0)"),
        ("1007 2805", "(0, (NULL, NULL, NULL), 0)"),
        ("2805 3500000000 1007", "(0, (NULL, NULL, 7), 0)"),
        ("1007 1a0178 1008 1a0179", "(0, (NULL, 'y', NULL), 0)"),
        ("2203 0a0178 2203 0a0179", "(0, (('y'), NULL, NULL), 0)"),
        ("2203 0a0178 1001 2200", "(0, ((''), NULL, NULL), 0)"),
        ("1007 3a00", "(0, (NULL, NULL, 7), 0)"),
        ("1007 1201ff", "(0, (NULL, NULL, 7), 0)"),
    ] {
        assert_eq!(table.read(wire), row, "{wire}");
    }
    assert!(table.program.missing_columns().is_empty());
}

#[test]
fn a_member_may_also_be_a_column_of_its_own() {
    let table = Table::new(
        PAYMENT,
        "cash BIGINT, points DECIMAL(20, 0), pay ROW<points BIGINT, cash TINYINT, gold DOUBLE,
         card ROW<number STRING, pay ROW<pin INT>>, iban STRING>, gold FLOAT, card ROW<pin INT>,
         iban STRING",
    );
    assert_eq!(
        table.read("10ffffffffffffffffff01"),
        "(-1, NULL, (NULL, -1, NULL, NULL, NULL), NULL, NULL, NULL)"
    );
    assert_eq!(
        table.read("28ffffffffffffffffff01"),
        "(NULL, 18446744073709551615, (-1, NULL, NULL, NULL, NULL), NULL, NULL, NULL)"
    );
    assert_eq!(
        table.read("35 0000c03f"),
        "(NULL, NULL, (NULL, NULL, 1.5, NULL, NULL), 1.5, NULL, NULL)"
    );
    assert_eq!(
        table.read("2203 0a0178 2202 1807"),
        "(NULL, NULL, (NULL, NULL, NULL, ('x', (7)), NULL), NULL, (7), NULL)"
    );
    assert_eq!(
        table.read("1001 1a08 3132333435363738"),
        "(NULL, NULL, (NULL, NULL, NULL, NULL, '12345678'), NULL, NULL, '12345678')"
    );
}

#[test]
fn enums_keep_their_rules_in_a_oneof() {
    let schema = "syntax = \"proto2\"; message M { oneof o { E e = 1; int32 n = 2; } }
                  enum E { ONE = 1; TWO = 2; }";
    let table = Table::new(schema, "o ROW<e STRING, n INT>, e INT");
    assert_eq!(table.read("0802"), "(('TWO', NULL), 2)");
    assert_eq!(table.read("1005 0809"), "((NULL, 5), NULL)", "an unknown number clears nothing");
    assert_eq!(table.read("0809"), "(NULL, NULL)");
    let hidden = Table::new(schema, "o ROW<n INT>");
    assert_eq!(hidden.read("1005 0809"), "((5))");
    assert_eq!(hidden.read("1005 0801"), "((NULL))");
    let open = Table::new(
        "syntax = \"proto3\"; message M { oneof o { E e = 1; int32 n = 2; } }
         enum E { ZERO = 0; TWO = 2; }",
        "o ROW<e STRING>, e INT",
    );
    assert_eq!(open.read("0809"), "(('UNKNOWN_ENUM_VALUE_E_9'), 9)");
}

#[test]
fn well_known_types_and_groups_are_members_too() {
    let table = Table::new(
        "syntax = \"proto2\"; import \"google/protobuf/timestamp.proto\";
         import \"google/protobuf/wrappers.proto\"; message M { oneof o {
         google.protobuf.Timestamp t = 1; google.protobuf.StringValue s = 2; group G = 3 {
         optional int32 x = 4; } } }",
        "o ROW<t TIMESTAMP(3), s STRING, g ROW<x INT>>, t TIMESTAMP(9), s ROW<value STRING>",
    );
    assert_eq!(table.read("0a02 0801"), "((1000 ms, NULL, NULL), 1000 ms 0 ns, NULL)");
    assert_eq!(table.read("1200"), "((NULL, '', NULL), NULL, (''))");
    assert_eq!(table.read("1b 2007 1c"), "((NULL, NULL, (7)), NULL, NULL)");
}

#[test]
fn a_message_may_be_opaque_in_one_column_and_a_row_in_the_other() {
    let schema = "syntax = \"proto2\"; message M { oneof o { R r = 1; int32 n = 2; } }
                  message R { required int32 q = 1; }";
    let table = Table::new(schema, "o ROW<r BYTES, n INT>");
    assert_eq!(table.read("0a0101 0a02ff7f"), "((x01ff7f, NULL))");
    assert_eq!(table.read("0a0101 1007"), "((NULL, 7))", "what is opaque is never looked into");
    for columns in ["o ROW<r BYTES, n INT>, r ROW<q INT>", "r BYTES, o ROW<n INT, r ROW<q INT>>"] {
        let table = Table::new(schema, columns);
        assert!(table.read("0a00").starts_with("missing-required r.q"), "{columns}");
        assert!(table.read("0a0108 1007").starts_with("truncated r.q"), "{columns}");
    }
    let table = Table::new(schema, "r BYTES, o ROW<n INT, r ROW<q INT>>");
    assert_eq!(table.read("0a020805"), "(x0805, (NULL, (5)))");
}

#[test]
fn a_value_that_does_not_fit_is_null_or_refused() {
    let schema = "syntax = \"proto3\"; package confluent.type; message M { oneof o { Decimal d = 1;
                  int32 n = 2; } } message Decimal { bytes value = 1; int32 scale = 3; }";
    let table = |columns| Table::of(schema, "confluent.type.M", columns).unwrap();
    let (fits, not) = ("0a03 0a017b", "0a04 0a02 7fff");
    assert_eq!(table("o ROW<n INT, d DECIMAL(3, 0)>").read(fits), "((NULL, 123))");
    assert_eq!(table("o ROW<n INT, d DECIMAL(3, 0)>").read(not), "((NULL, NULL))");
    let not_null = table("o ROW<d DECIMAL(3, 0) NOT NULL> NOT NULL");
    assert_eq!(not_null.read(fits), "((123))");
    let failure = not_null.bytes(not).unwrap_err();
    assert_eq!((failure.code.label(), &*failure.field_path), ("null-in-not-null", "d"));
    assert_eq!(failure.reason, "column d is NOT NULL and the value does not fit it");
}

#[test]
fn not_null_columns_refuse_what_has_no_value() {
    let table = Table::new(PAYMENT, "a INT, pay ROW<cash INT, iban STRING> NOT NULL");
    assert_eq!(table.read("1a0178"), "(0, (NULL, 'x'))");
    assert_eq!(table.read("2805"), "(0, (NULL, NULL))", "a ROW of NULLs is a value");
    assert_eq!(table.read("0801"), "null-in-not-null pay 0");
    let table = Table::new(PAYMENT, "pay ROW<cash INT NOT NULL, iban STRING>");
    assert_eq!(table.read("1005"), "((5, NULL))");
    assert_eq!(table.read(""), "(NULL)");
    assert_eq!(table.read("1a0178"), "null-in-not-null cash 0");
    assert_eq!(table.read("2805"), "null-in-not-null cash 0");
    let failure = table.bytes("2805").unwrap_err();
    assert_eq!(failure.reason, "column cash is NOT NULL and M has no value for it");
    let table = Table::new(PAYMENT, "pay ROW<cash INT NOT NULL, iban STRING NOT NULL>");
    assert_eq!(table.read("1005"), "null-in-not-null iban 0");
    assert_eq!(table.read("1a00"), "null-in-not-null cash 0");
    let table = Table::new(PAYMENT, "pay ROW<gone INT NOT NULL>");
    assert_eq!(table.read("1005"), "null-in-not-null gone 0");
}

#[test]
fn faults_bear_the_names_of_fields() {
    let table = Table::new(PAYMENT, "pay ROW<card ROW<number STRING, pay ROW<pin INT>>>");
    assert_eq!(table.read("2203 0a01ff"), "invalid-utf8 card.number 2");
    assert_eq!(table.read("2203 0a01ff 1001"), "invalid-utf8 card.number 2", "also when cleared");
    assert_eq!(table.read("1a01ff 1001"), "invalid-utf8 iban 0");
    assert_eq!(table.read("2202 1880"), "truncated card.pin 2");
    let table = Table::new(
        "syntax = \"proto3\"; import \"google/protobuf/timestamp.proto\"; message M {
         repeated M r = 1; oneof o { google.protobuf.Timestamp t = 2; } }",
        "r ARRAY<ROW<o ROW<t TIMESTAMP(3)>>>",
    );
    assert_eq!(table.read("0a04 1202 1001"), "([((0 ms))])");
    assert!(table.read("0a0d 120b 10ffffffffffffffffff01").starts_with("timestamp-range r[].t "));
}

#[test]
fn required_fields_are_asked_for_in_the_member_that_stays() {
    let schema = "syntax = \"proto2\"; message M { oneof o { R r = 1; int32 n = 2; R s = 3; } }
                  message R { required int32 q = 1; optional int32 p = 2; }";
    for columns in ["o ROW<r ROW<p INT>>", "o ROW<n INT>, r ROW<q INT>", "o ROW<n INT>"] {
        let table = Table::new(schema, columns);
        assert_eq!(table.read("0a02 1001"), "missing-required r.q 2", "{columns}");
        assert!(table.bytes("0a02 1001 0a02 0801").is_ok(), "the pieces are one");
        assert!(table.bytes("0a00 1001").is_ok(), "a cleared member is not asked");
        assert_eq!(table.read("0a02 0880 1001"), "truncated r.q 2", "but it is checked");
        assert_eq!(table.read("0a02 0801 1001 0a00"), "missing-required r.q 8", "and starts anew");
        assert_eq!(table.read("0a00 1a00"), "missing-required s.q 4");
        assert!(table.bytes("1a00 0a02 0801").is_ok());
    }
    let table = Table::new(schema, "o ROW<n INT>");
    assert_eq!(table.read("1a02 0801"), "((NULL))", "a member that is tracked counts as well");
}

#[test]
fn the_row_of_a_oneof_costs_no_level_of_depth() {
    let schema = "syntax = \"proto3\"; message M { oneof o { M m = 1; int32 a = 2; } }";
    let columns = format!("{}o ROW<a INT>{}", "o ROW<m ROW<".repeat(100), ">>".repeat(100));
    let table = Table::new(schema, &columns);
    let wire = |levels| {
        (0..levels).fold(vec![0x10, 0x07], |inner: Vec<u8>, _| {
            let mut outer = vec![0x0a];
            varint(&mut outer, inner.len() as u64);
            [outer, inner].concat()
        })
    };
    let row = super::render::row(&table.decode(&wire(100)).unwrap(), &table.row);
    assert_eq!(row, format!("{}7{}", "((".repeat(101), "))".repeat(101)));
    let failure = table.decode(&wire(101)).unwrap_err();
    assert_eq!(failure.code.label(), "too-deep");
}

#[test]
fn oneofs_stand_in_every_place_that_holds_a_message() {
    let schema =
        "syntax = \"proto3\"; message M { N n = 1; repeated N r = 2; map<int32, N> m = 3; }
                  message N { oneof o { string s = 1; int32 i = 2; } oneof p { bool b = 3; } }";
    let row = "ROW<o ROW<i INT, s STRING>, p ROW<b BOOLEAN>>";
    let table = Table::new(schema, &format!("m MAP<INT, {row}>, r ARRAY<{row}>, n {row}"));
    assert_eq!(table.read(""), "({}, [], NULL)");
    assert_eq!(
        table.read("0a02 1005 1203 0a0178 1200 1202 1801 1a06 0801 12021007 1a02 0802"),
        "({1: ((7, NULL), NULL), 2: (NULL, NULL)}, \
         [((NULL, 'x'), NULL), (NULL, NULL), (NULL, (true))], ((5, NULL), NULL))"
    );
}

#[test]
fn a_oneof_may_be_wide() {
    let (mut members, mut columns) = (String::new(), String::new());
    for at in 1..=200 {
        let _ = write!(members, "string f{at} = {at}; ");
        if at % 2 == 0 {
            let _ = write!(columns, "f{at} STRING, ");
        }
    }
    let schema =
        format!("syntax = \"proto3\"; message M {{ oneof o {{ {members} }} int32 z = 999; }}");
    let table = Table::new(&schema, &format!("z INT, o ROW<{columns}>, f100 STRING, f101 STRING"));
    let nulls = |count: usize| "NULL, ".repeat(count);
    assert_eq!(table.read("08 01"), "(0, NULL, NULL, NULL)", "a wire type of no member");
    let row = format!("(0, ({}NULL), NULL, 'x')", nulls(99));
    assert_eq!(table.read("a2060179 aa060178"), row);
    let row = format!("(0, ({}'y', {}NULL), 'y', NULL)", nulls(49), nulls(49));
    assert_eq!(table.read("aa060178 a2060179"), row);
    let row = format!("(0, ({}'y'), NULL, NULL)", nulls(99));
    assert_eq!(table.read("a2060178 c20c0179"), row);
}

#[test]
fn members_in_turn_cost_one_step_each() {
    let members: String = (1..=2000).map(|at| format!("E f{at} = {at}; ")).collect();
    let schema =
        format!("syntax = \"proto3\"; message M {{ oneof o {{ {members} }} }} message E {{}}");
    let columns: String = (1..=2000).map(|at| format!("f{at} ROW<gone INT>, ")).collect();
    let row: String = (1..=1000).map(|at| format!("f{at} ROW<gone INT>, ")).collect();
    let table = Table::new(&schema, &format!("{columns} o ROW<{row}>"));
    let wire: Vec<u8> = (0..200_000).flat_map(|at| [[0x0a, 0], [0x12, 0]][at % 2]).collect();
    let started = std::time::Instant::now();
    assert!(table.decode(&wire).is_ok());
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
