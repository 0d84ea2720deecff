//! Wrappers: those of `google.protobuf`, and generated ones for what may be NULL (T8 to T10, T16).

use super::Sink;

const WRAPPED: &str = "[(confluent.field_meta) = { params: [
    { key: \"flink.version\", value: \"1\" }, { key: \"flink.wrapped\", value: \"true\" } ] }]";

fn generated(text: &str) -> String {
    let head = "syntax = \"proto3\"; import \"confluent/meta.proto\"; ";
    format!("{head}{}", text.replace("WRAPPED", WRAPPED))
}

#[test]
fn wrappers_of_google_hold_their_value() {
    let schema = "syntax = \"proto3\"; import \"google/protobuf/wrappers.proto\"; message M {
        google.protobuf.Int32Value i = 1; google.protobuf.StringValue s = 2;
        google.protobuf.UInt64Value u = 3; google.protobuf.FloatValue f = 4;
        google.protobuf.BytesValue b = 5; repeated google.protobuf.BoolValue all = 6; }";
    let columns = "i INT, s STRING, u DECIMAL(20, 0), f DOUBLE, b BYTES";
    Sink::new(schema, columns).all_written(&[
        ("(NULL, NULL, NULL, NULL, NULL)", ""),
        ("(0, '', 0, 0, x)", "0a00 1200 1a00 2200 2a00"),
        ("(1, 'x', 1, 1, x00)", "0a02 0801 1203 0a0178 1a02 0801 2205 0d0000803f 2a03 0a0100"),
        ("(1, 'x', -1, 1, x00)", "number-range u.value"),
    ]);
    Sink::new(schema, "s ROW<value STRING>")
        .all_written(&[("((NULL))", "1200"), ("(('x'))", "1203 0a0178")]);
    Sink::new(schema, "all ARRAY<BOOLEAN>").all_written(&[
        ("([true, false])", "3202 0801 3200"),
        ("([NULL])", "null-in-not-null all[]"),
    ]);
}

#[test]
fn generated_wrappers_carry_null_collections_and_elements() {
    let schema = generated(
        "message M { Tags tags = 1 WRAPPED; Attrs attrs = 2 WRAPPED; Counts counts = 3 WRAPPED; }
         message Tags { repeated Tag value = 1 WRAPPED; } message Tag { optional string value = 1; }
         message Attrs { repeated Entry value = 1; }
         message Entry { string key = 1; optional int32 value = 2; }
         message Counts { repeated Count value = 1; } message Count { string key = 1; int32 value = 2; }",
    );
    let sink =
        Sink::new(&schema, "tags ARRAY<STRING>, attrs MAP<STRING, INT>, counts MULTISET<STRING>");
    sink.all_written(&[
        ("(NULL, NULL, NULL)", ""),
        ("([], {}, {})", "0a00 1200 1a00"),
        (
            "(['x', NULL, ''], {'k': NULL, '': 7}, {'a': 0})",
            "0a0b 0a030a0178 0a00 0a020a00 1209 0a030a016b 0a021007 1a05 0a030a0161",
        ),
    ]);
}

#[test]
fn elements_that_their_wrapper_must_have_have_no_null() {
    let schema = generated(
        "message M { repeated Must must = 1 WRAPPED; } message Must { required string value = 1; }",
    );
    let schema = schema.replace("proto3", "proto2");
    Sink::new(&schema, "must ARRAY<STRING>").all_written(&[
        ("(['', 'x'])", "0a02 0a00 0a03 0a0178"),
        ("(['', NULL])", "missing-required must[]"),
    ]);
}

#[test]
fn elements_without_presence_in_their_wrapper_have_no_null() {
    let schema = generated(
        "message M { repeated Plain plain = 1 WRAPPED; } message Plain { string value = 1; }",
    );
    Sink::new(&schema, "plain ARRAY<STRING>").all_written(&[
        ("(['', 'x'])", "0a00 0a03 0a0178"),
        ("([NULL])", "null-in-not-null plain[]"),
    ]);
}

#[test]
fn wrappers_inside_wrappers() {
    let schema = generated(
        "message M { Matrix matrix = 1 WRAPPED; } message Matrix { repeated Line value = 1 WRAPPED; }
         message Line { Cells value = 1 WRAPPED; } message Cells { repeated Cell value = 1 WRAPPED; }
         message Cell { optional int32 value = 1; }",
    );
    Sink::new(&schema, "matrix ARRAY<ARRAY<INT>>")
        .all_written(&[("([NULL, [], [1, NULL]])", "0a10 0a00 0a020a00 0a080a060a0208010a00")]);
}
