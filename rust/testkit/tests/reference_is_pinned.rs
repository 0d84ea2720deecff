//! The reference decoder against hand-made bytes whose meaning protobuf-java and Flink gave.
//!
//! Rows were printed by `RowDataSerializer.toBinaryRow` of Flink 1.20.3, refusals and values by
//! `DynamicMessage.parseFrom` of protobuf-java 4.32.1.

use sluice_plan::proto::{
    Column, FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};
use sluice_testkit::arbitrary::well_known;
use sluice_testkit::reference::{self, code};
use sluice_testkit::text::{bytes, hex};

fn field(name: &str, number: u32, kind: FieldKind) -> ResolvedField {
    ResolvedField { name: name.to_owned(), number, kind: kind as i32, ..Default::default() }
}

fn repeated(field: ResolvedField) -> ResolvedField {
    ResolvedField { repeated: true, has_presence: false, ..field }
}

fn message(name: &str, number: u32, message_index: u32) -> ResolvedField {
    let field = field(name, number, FieldKind::FieldMessage);
    ResolvedField { message_index, has_presence: true, ..field }
}

fn schema(messages: Vec<Vec<ResolvedField>>) -> ResolvedSchema {
    let messages = messages.into_iter().enumerate().map(|(at, fields)| ResolvedMessage {
        full_name: format!("p.M{at}"),
        fields,
        ..Default::default()
    });
    ResolvedSchema { version: 1, messages: messages.collect(), ..Default::default() }
}

fn sql(kind: SqlKind) -> SqlType {
    SqlType { kind: kind as i32, nullable: true, ..Default::default() }
}

fn row(columns: &[(&str, SqlType)]) -> SqlType {
    let columns = columns
        .iter()
        .map(|(name, r#type)| Column { name: (*name).to_owned(), r#type: Some(r#type.clone()) });
    SqlType { columns: columns.collect(), ..sql(SqlKind::Row) }
}

fn array(element: SqlType) -> SqlType {
    SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array) }
}

fn decoded(schema: &ResolvedSchema, row: &SqlType, wire: &str) -> String {
    match reference::decode(schema, row, &bytes(wire)) {
        Ok(row) => hex(&row),
        Err(refusal) => refusal.first.to_string(),
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn seven_bytes_stand_inline_and_eight_do_not() {
    let schema = schema(vec![vec![
        field("a", 1, FieldKind::FieldString),
        field("b", 2, FieldKind::FieldString),
        field("c", 3, FieldKind::FieldBytes),
    ]]);
    let text = sql(SqlKind::Varchar);
    let row = row(&[("a", text.clone()), ("b", text), ("c", sql(SqlKind::Varbinary))]);
    let wire = "0a07 61626364656667 1208 6162636465666768 1a03 010203";
    let wanted = "0000000000000000 6162636465666787 0800000020000000 0102030000000083
                  6162636465666768";
    assert_eq!(decoded(&schema, &row, wire), squeezed(wanted));
}

#[test]
fn null_timestamps_of_nine_digits_leave_nothing_in_the_variable_part() {
    let mut schema = schema(vec![vec![message("at", 1, 1), field("n", 2, FieldKind::FieldInt32)]]);
    schema.messages.push(well_known::timestamp());
    let nine = SqlType { precision: 9, ..sql(SqlKind::Timestamp) };
    let row = row(&[("at", nine), ("n", sql(SqlKind::Integer))]);
    assert_eq!(
        decoded(&schema, &row, "1005"),
        squeezed("0001000000000000 0000000000000000 0500000000000000")
    );
    // -1 s + 250 000 999 ns is -750 ms and 999 ns.
    assert_eq!(
        decoded(&schema, &row, "0a10 08ffffffffffffffffff01 10e7ec9a77 1005"),
        squeezed("0000000000000000 e703000018000000 0500000000000000 12fdffffffffffff")
    );
    assert_eq!(decoded(&schema, &row, "0a06 108094ebdc03"), code::TIMESTAMP_RANGE.to_string());
}

#[test]
fn array_elements_have_their_own_width_and_one_nan() {
    let schema = schema(vec![vec![
        repeated(field("b", 1, FieldKind::FieldBool)),
        repeated(field("f", 2, FieldKind::FieldFloat)),
        field("g", 3, FieldKind::FieldFloat),
    ]]);
    let bools = row(&[("b", array(sql(SqlKind::Boolean)))]);
    assert_eq!(
        decoded(&schema, &bools, "0a03 010002"),
        squeezed("0000000000000000 1000000010000000 0300000000000000 0100010000000000")
    );
    let floats = row(&[("f", array(sql(SqlKind::Float))), ("g", sql(SqlKind::Float))]);
    assert_eq!(
        decoded(&schema, &floats, "1204 010080ff 1d 010080ff"),
        squeezed(
            "0000000000000000 1000000018000000 010080ff00000000
             0100000000000000 0000c07f00000000"
        )
    );
}

#[test]
fn maps_keep_the_place_of_the_first_key_and_the_value_of_the_last() {
    let mut schema = schema(vec![
        vec![repeated(message("m", 1, 1))],
        vec![field("key", 1, FieldKind::FieldString), field("value", 2, FieldKind::FieldBool)],
    ]);
    schema.messages[1].map_entry = true;
    let map = SqlType {
        key: Some(Box::new(sql(SqlKind::Varchar))),
        value: Some(Box::new(sql(SqlKind::Boolean))),
        ..sql(SqlKind::Map)
    };
    let row = row(&[("m", map)]);
    let wire = "0a03 0a016b  0a0e 0a0a 6c6f6e6765722d6b6579 1000  0a05 0a016b 1001";
    let wanted = "0000000000000000 3c00000010000000
                  28000000 02000000 00000000 6b00000000000081 0a00000018000000
                  6c6f6e6765722d6b6579 000000000000 02000000 00000000 0100000000000000
                  00000000";
    assert_eq!(decoded(&schema, &row, wire), squeezed(wanted));
}

#[test]
fn ten_byte_varints_always_have_the_top_bit() {
    let schema = schema(vec![vec![
        field("n", 1, FieldKind::FieldInt64),
        field("b", 2, FieldKind::FieldBool),
        field("i", 3, FieldKind::FieldInt32),
    ]]);
    let row = row(&[
        ("n", sql(SqlKind::Bigint)),
        ("b", sql(SqlKind::Boolean)),
        ("i", sql(SqlKind::Integer)),
    ]);
    let zero = "80808080808080808000";
    assert_eq!(
        decoded(&schema, &row, &format!("08{zero} 10{zero} 18{zero}")),
        squeezed("0000000000000000 0000000000000080 0100000000000000 0000000000000000")
    );
}

#[test]
fn faults_of_the_wire_have_their_codes() {
    let schema = schema(vec![vec![
        field("n", 1, FieldKind::FieldInt32),
        ResolvedField { strict_utf8: true, ..field("s", 2, FieldKind::FieldString) },
        message("m", 3, 0),
        repeated(field("r", 4, FieldKind::FieldFixed32)),
    ]]);
    let row = row(&[]);
    let deep = |levels: usize| {
        (0..levels).fold(Vec::new(), |inner: Vec<u8>, _| {
            let mut out = vec![0x1a];
            sluice_testkit::arbitrary::wire::varint(&mut out, inner.len() as u64);
            out.extend(inner);
            out
        })
    };
    let cases = [
        ("08", code::TRUNCATED),
        ("0880", code::TRUNCATED),
        ("1205 61", code::TRUNCATED),
        ("12ffffffff0f", code::TRUNCATED),
        ("2205 0000000000", code::TRUNCATED),
        ("1a02 0880 00", code::TRUNCATED),
        ("08ffffffffffffffffffff01", code::MALFORMED_VARINT),
        ("0001", code::INVALID_TAG),
        ("06", code::INVALID_TAG),
        ("0e", code::INVALID_WIRE_TYPE),
        ("0c", code::END_GROUP_MISMATCH),
        ("a306", code::END_GROUP_MISMATCH),
        ("a306 ac06", code::END_GROUP_MISMATCH),
        ("1a01 1c", code::END_GROUP_MISMATCH),
        ("1a01 08 06", code::TRUNCATED), // and an invalid tag behind it
        ("1202 c080", code::INVALID_UTF8),
    ];
    for (wire, code) in cases {
        assert_eq!(decoded(&schema, &row, wire), code.to_string(), "{wire}");
    }
    assert!(reference::decode(&schema, &row, &deep(100)).is_ok());
    assert_eq!(decoded(&schema, &row, &hex(&deep(101))), code::TOO_DEEP.to_string());
}

#[test]
fn required_fields_are_looked_for_after_merging_and_in_completed_map_values() {
    let required = |name, number| ResolvedField {
        required: true,
        has_presence: true,
        ..field(name, number, FieldKind::FieldInt32)
    };
    let member = |field: ResolvedField| ResolvedField { oneof_index: Some(0), ..field };
    let mut schema = schema(vec![
        vec![
            message("m", 1, 1),
            repeated(message("e", 2, 2)),
            member(message("o", 3, 1)),
            member(message("deep", 5, 3)),
            member(ResolvedField { has_presence: true, ..field("p", 4, FieldKind::FieldInt32) }),
        ],
        vec![required("a", 1), required("b", 2)],
        vec![field("key", 1, FieldKind::FieldInt32), message("value", 2, 1)],
        vec![repeated(message("elements", 1, 1))],
    ]);
    schema.messages[0].oneofs = vec!["choice".to_owned()];
    schema.messages[2].map_entry = true;
    let row = row(&[]);
    let missing = code::MISSING_REQUIRED.to_string();
    assert_eq!(decoded(&schema, &row, "0a02 0801"), missing);
    assert_eq!(decoded(&schema, &row, "0a02 0801 0a02 1001"), "0000000000000000");
    assert_eq!(decoded(&schema, &row, "1a02 0801"), missing);
    assert_eq!(decoded(&schema, &row, "1a02 0801 2000"), "0000000000000000", "cleared");
    assert_eq!(decoded(&schema, &row, "1202 0801"), missing, "an entry without value");
    assert_eq!(decoded(&schema, &row, "2a04 0a02 0801"), missing, "an element");
    assert_eq!(decoded(&schema, &row, "2a04 0a02 0801 2000"), "0000000000000000", "cleared whole");
}

#[test]
fn lenient_text_is_replaced_as_the_jdk_does() {
    use sluice_testkit::reference::unicode::jdk_text;
    let cases: [(&str, &str); 12] = [
        ("c328", "\u{fffd}("),
        ("e08041", "\u{fffd}\u{fffd}A"),
        ("eda080", "\u{fffd}"),
        ("eda0", "\u{fffd}"),
        ("eda041", "\u{fffd}A"),
        ("eda0c280", "\u{fffd}\u{80}"),
        ("f08080", "\u{fffd}\u{fffd}\u{fffd}"),
        ("f0908041", "\u{fffd}A"),
        ("f4908080", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ("c080", "\u{fffd}\u{fffd}"),
        ("f09f98", "\u{fffd}"),
        ("61e282", "a\u{fffd}"),
    ];
    for (wire, wanted) in cases {
        assert_eq!(jdk_text(&bytes(wire)), wanted, "{wire}");
    }
}
