//! Which field or oneof a column stands for (D14).

use super::{Setup, Table};

const SCHEMA: &str = "syntax = \"proto3\"; message M { int32 orderId = 1;
    int32 lineNo = 2 [json_name = \"nr\"]; int32 a_b = 3; oneof choice { int32 x = 4; int32 yZ = 5; }
    oneof payLoad { string s = 6; } oneof order_id { int32 z = 7; } int32 pay_load = 8; }";

fn refusal(columns: &str) -> String {
    Table::refused(SCHEMA, columns).to_string()
}

#[test]
fn columns_find_fields_by_name_then_by_camel_case() {
    let schema = "syntax = \"proto3\"; message M { int32 orderId = 1; int32 a_b = 3;
                  int32 lineNo = 2 [json_name = \"nr\"]; oneof choice { int32 x = 4; } }";
    let table = Table::new(schema, "order_id INT, lineNo INT, a_b INT, nr INT, aB INT");
    assert_eq!(table.read("0801 1002 1803"), "(1, 2, 3, NULL, NULL)");
    assert_eq!(table.program.missing_columns(), ["nr", "aB"]);
    let failure = Table::refused(schema, "order_id INT, orderId INT");
    assert_eq!(failure.code.label(), "ambiguous-column");
    assert_eq!(failure.reason, "columns order_id and orderId both stand for field orderId");
    let failure = Table::refused(schema, "x INT, x INT");
    assert_eq!(failure.reason, "columns x and x both stand for field x");
}

#[test]
fn an_exact_name_goes_first_and_a_field_before_a_oneof() {
    // order_id: the oneof of that name, before the field orderId. pay_load: the field.
    let table = Table::new(
        SCHEMA,
        "order_id ROW<z INT>, orderId INT, pay_load INT, payLoad ROW<s STRING>, choice ROW<x INT>",
    );
    assert_eq!(table.read("0801 2004 320173 3807 4008"), "((7), 1, 8, ('s'), (4))");
    let failure = refusal("order_id INT");
    assert_eq!(
        failure,
        "[type-mismatch 401] INTEGER cannot hold oneof order_id, only a ROW of its members can \
         (message M, field order_id)"
    );
}

#[test]
fn oneofs_and_members_have_camel_forms_too() {
    let schema = "syntax = \"proto3\"; message M { oneof payLoad { int32 yZ = 1; M m = 2; } }";
    let table = Table::new(schema, "pay_load ROW<y_z INT, m ROW<pay_load ROW<yZ INT>>>");
    assert_eq!(table.read("0805"), "((5, NULL))");
    assert_eq!(table.read("1202 0806"), "((NULL, ((6))))");
    let both = Table::refused(schema, "pay_load ROW<yZ INT>, payLoad ROW<yZ INT>");
    assert_eq!(
        both.to_string(),
        "[ambiguous-column 404] columns pay_load and payLoad both stand for oneof payLoad (message M)"
    );
    let both = Table::refused(schema, "payLoad ROW<yZ INT, y_z INT>");
    assert_eq!(
        both.to_string(),
        "[ambiguous-column 404] columns yZ and y_z both stand for field yZ (message M, field payLoad)"
    );
}

#[test]
fn a_name_that_is_no_member_is_a_missing_column() {
    let table = Table::new(SCHEMA, "choice ROW<x INT, s STRING, orderId INT>, gone ROW<x INT>");
    assert_eq!(table.program.missing_columns(), ["gone", "choice.s", "choice.orderId"]);
    assert_eq!(table.read("0801 2004"), "((4, NULL, NULL), NULL)");
    let failure = Table::refused(SCHEMA, "choice ROW<x STRING>");
    assert!(failure.to_string().ends_with("(message M, field choice.x)"), "{failure}");
}

#[test]
fn in_flink_a_oneof_is_no_column() {
    let setup = Setup { flink: true, ..Setup::default() };
    let failure = Table::with(SCHEMA, "choice ROW<x INT>", setup).err().unwrap();
    assert_eq!(failure.to_string(), "[type-mismatch 401] M has no field choice (message M)");
    assert!(Table::with(SCHEMA, "order_id INT", setup).is_err());
    assert!(Table::with(SCHEMA, "x INT, orderId INT", setup).is_ok());
}
