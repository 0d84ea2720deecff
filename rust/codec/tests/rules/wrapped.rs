//! Generated wrappers (`flink.wrapped`, T8 to T10): what carries a NULL collection or element.

use super::Table;

const WRAPPED: &str = "[(confluent.field_meta) = { params: [
    { key: \"flink.version\", value: \"1\" }, { key: \"flink.wrapped\", value: \"true\" } ] }]";

/// A schema in which `WRAPPED` stands for the option.
fn schema(text: &str) -> String {
    let head = "syntax = \"proto3\"; import \"confluent/meta.proto\"; ";
    format!("{head}{}", text.replace("WRAPPED", WRAPPED))
}

#[test]
fn nullable_collections_and_elements() {
    let table = Table::new(
        &schema(
            "message M { Tags tags = 1 WRAPPED; Attrs attrs = 2 WRAPPED; Counts counts = 3 WRAPPED; }
             message Tags { repeated Tag value = 1 WRAPPED; } message Tag { optional string value = 1; }
             message Attrs { repeated Entry value = 1; }
             message Entry { string key = 1; optional int32 value = 2; }
             message Counts { repeated Count value = 1; }
             message Count { string key = 1; int32 value = 2; }",
        ),
        "tags ARRAY<STRING>, attrs MAP<STRING, INT>, counts MULTISET<STRING>",
    );
    assert_eq!(table.read(""), "(NULL, NULL, NULL)");
    assert_eq!(table.read("0a00 1200 1a00"), "([], {}, {})");
    assert_eq!(
        table.read("0a0b 0a030a0178 0a00 0a020a00 1209 0a030a016b 0a021007 1a05 0a030a0161"),
        "(['x', NULL, ''], {'k': NULL, '': 7}, {'a': 0})"
    );
    assert_eq!(
        table.read("0a05 0a030a0178 0a02 0a00"),
        "(['x', NULL], NULL, NULL)",
        "pieces merge"
    );
}

#[test]
fn wrappers_inside_wrappers_maps_and_rows() {
    let table = Table::new(
        &schema(
            "message M { Matrix matrix = 1 WRAPPED; repeated Entry maps = 2; repeated R rows = 3;
             repeated RowWrapper wrapped = 4 WRAPPED; }
             message Matrix { repeated Line value = 1 WRAPPED; }
             message Line { Cells value = 1 WRAPPED; } message Cells { repeated Cell value = 1 WRAPPED; }
             message Cell { optional int32 value = 1; }
             message Entry { string key = 1; Cells value = 2 WRAPPED; }
             message R { Cells cells = 1 WRAPPED; } message RowWrapper { R value = 1; }",
        ),
        "matrix ARRAY<ARRAY<INT>>, maps MAP<STRING, ARRAY<INT>>, rows ARRAY<ROW<cells ARRAY<INT>>>,
         wrapped ARRAY<ROW<cells ARRAY<INT>>>",
    );
    assert_eq!(
        table.read("0a10 0a00 0a020a00 0a080a060a0208010a00"),
        "([NULL, [], [1, NULL]], {}, [], [])"
    );
    assert_eq!(
        table.read("1203 0a0161 1205 0a0162 1200 1207 0a0163 12020a00"),
        "(NULL, {'a': NULL, 'b': [], 'c': [NULL]}, [], [])"
    );
    assert_eq!(
        table.read("1a00 1a020a00 2200 22020a00 22040a020a00"),
        "(NULL, {}, [(NULL), ([])], [NULL, (NULL), ([])])"
    );
}

#[test]
fn not_null_elements_without_a_value_are_refused() {
    let text = schema(
        "message M { repeated Tag tags = 1 WRAPPED; repeated Plain plain = 2 WRAPPED; }
         message Tag { optional string value = 1; } message Plain { string value = 1; }",
    );
    let table = Table::new(&text, "tags ARRAY<STRING NOT NULL>, plain ARRAY<STRING NOT NULL>");
    assert_eq!(table.read("0a020a00 1200"), "([''], [''])");
    assert_eq!(table.read("0a020a00 0a00"), "null-in-not-null tags[].value 6");
}

#[test]
fn rows_see_the_payload_or_the_wrapper_itself() {
    let text = schema(
        "message M { Holder h = 1 WRAPPED; Cells c = 2 WRAPPED; Holder plain = 3; Number n = 4 WRAPPED;
         Bytes b = 5 WRAPPED; }
         message Holder { R value = 1; } message R { int32 x = 1; Holder value = 2; }
         message Cells { repeated int32 value = 1; } message Number { optional int32 value = 1; }
         message Bytes { optional bytes value = 1; }",
    );
    let table = Table::new(
        &text,
        "h ROW<x INT>, c ROW<value ARRAY<INT>>, plain ROW<value ROW<x INT>>, n INT, b BYTES",
    );
    assert_eq!(table.read(""), "(NULL, NULL, NULL, NULL, NULL)");
    assert_eq!(
        table.read("0a040a020807 12030a0105 1a040a020809 22020805 2a030a01ff"),
        "((7), ([5]), ((9)), 5, xff)"
    );
    assert_eq!(table.read("0a00 1200 2200 2a00"), "(NULL, ([]), NULL, NULL, NULL)");
}

#[test]
fn what_is_no_wrapper_is_refused() {
    let text = schema(
        "message M { Odd o = 1 WRAPPED; Cells unmarked = 2;
         Cells off = 3 [(confluent.field_meta) = { params: { key: \"flink.wrapped\", value: \"no\" } }]; }
         message Odd { int32 values = 1; } message Cells { repeated int32 value = 1; }",
    );
    let failure = Table::refused(&text, "o ARRAY<INT>");
    assert_eq!(failure.code.label(), "type-mismatch");
    assert_eq!(failure.reason, "ARRAY cannot hold field o: Odd has no field value to unwrap");
    for column in ["o ROW<values INT>", "unmarked ARRAY<INT>", "off ARRAY<INT>"] {
        assert_eq!(Table::refused(&text, column).code.label(), "type-mismatch", "{column}");
    }
}
