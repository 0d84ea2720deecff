//! Columns as other libraries write them: other widths, units and dictionaries, and slices.

use std::sync::Arc;

use arrow_array::builder::{Int64Builder, LargeListBuilder, StringDictionaryBuilder};
use arrow_array::types::UInt8Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, Decimal128Array, FixedSizeBinaryArray, Int64Array,
    LargeBinaryArray, LargeStringArray, RecordBatch, StringArray, Time32SecondArray,
    Time64NanosecondArray, TimestampMicrosecondArray, TimestampNanosecondArray,
    TimestampSecondArray,
};
use sluice_arrow::BatchEncoder;
use sluice_plan::Plan;
use sluice_plan::proto::{
    Column, FieldKind, Framing, ResolvedField, ResolvedMessage, ResolvedSchema, SqlKind, SqlType,
};

/// `M { kind a = 1 }`, and for messages `M { Timestamp a = 1 }` and the like.
fn schema(
    kind: FieldKind, repeated: bool, part: Option<(&str, &[(&str, FieldKind)])>,
) -> ResolvedSchema {
    let field = |number: usize, name: &str, kind: FieldKind| ResolvedField {
        name: name.into(),
        number: number as u32,
        kind: kind.into(),
        ..ResolvedField::default()
    };
    let a = ResolvedField {
        repeated,
        packed: repeated,
        has_presence: !repeated,
        message_index: 1,
        strict_utf8: kind == FieldKind::FieldString,
        ..field(1, "a", kind)
    };
    let mut messages = vec![ResolvedMessage {
        full_name: "M".into(),
        fields: vec![a],
        ..ResolvedMessage::default()
    }];
    if let Some((name, fields)) = part {
        let fields = fields.iter().enumerate().map(|(at, part)| field(at + 1, part.0, part.1));
        messages.push(ResolvedMessage {
            full_name: name.into(),
            fields: fields.collect(),
            ..ResolvedMessage::default()
        });
    }
    ResolvedSchema { version: 1, messages, ..ResolvedSchema::default() }
}

fn sql(kind: SqlKind, precision: u32, scale: u32) -> SqlType {
    SqlType { kind: kind.into(), nullable: true, precision, scale, ..SqlType::default() }
}

fn encoded(schema: &ResolvedSchema, sql: SqlType, array: ArrayRef) -> Result<Vec<Vec<u8>>, String> {
    let column = Column { name: "a".into(), r#type: Some(sql) };
    let row = SqlType { kind: SqlKind::Row.into(), columns: vec![column], ..SqlType::default() };
    let plan = Plan::for_row(row, Framing::Bare).unwrap();
    let mut encoder = BatchEncoder::new(&plan, schema, &[]).map_err(|f| f.to_string())?;
    let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
    let encoded = encoder.encode(&batch).map_err(|failure| failure.to_string())?;
    match encoded.refused.first() {
        Some(refused) => Err(refused.failure.to_string()),
        None => Ok(encoded.records().map(<[u8]>::to_vec).collect()),
    }
}

#[test]
fn text_of_any_form_is_the_same_text() {
    let schema = schema(FieldKind::FieldString, false, None);
    let texts = [Some("x"), None, Some("a rope of twelve"), Some("")];
    let mut dictionary = StringDictionaryBuilder::<UInt8Type>::new();
    texts.iter().for_each(|text| dictionary.append_option(*text));
    let wanted: Vec<Vec<u8>> = vec![
        vec![0x0a, 1, b'x'],
        vec![],
        [&[0x0a, 16][..], b"a rope of twelve"].concat(),
        vec![0x0a, 0],
    ];
    let arrays: [ArrayRef; 3] = [
        Arc::new(StringArray::from_iter(texts)),
        Arc::new(LargeStringArray::from_iter(texts)),
        Arc::new(dictionary.finish()),
    ];
    for array in arrays {
        let name = array.data_type().to_string();
        let text = sql(SqlKind::Varchar, 0, 0);
        assert_eq!(encoded(&schema, text.clone(), array.clone()).unwrap(), wanted, "{name}");
        let slice = encoded(&schema, text, array.slice(1, 2)).unwrap();
        assert_eq!(slice, wanted[1..3], "{name}, sliced");
    }
}

#[test]
fn binary_of_any_form_is_the_same_binary() {
    let schema = schema(FieldKind::FieldBytes, false, None);
    let values: [&[u8]; 3] = [b"ab", b"cd", b"ef"];
    let arrays: [ArrayRef; 3] = [
        Arc::new(BinaryArray::from_iter_values(values)),
        Arc::new(LargeBinaryArray::from_iter_values(values)),
        Arc::new(FixedSizeBinaryArray::try_from_iter(values.into_iter()).unwrap()),
    ];
    for array in arrays {
        let records = encoded(&schema, sql(SqlKind::Varbinary, 0, 0), array.slice(1, 2)).unwrap();
        assert_eq!(records, [[0x0a, 2, b'c', b'd'], [0x0a, 2, b'e', b'f']]);
    }
}

#[test]
fn timestamps_of_any_unit_are_cut_to_the_column() {
    let parts = [("seconds", FieldKind::FieldInt64), ("nanos", FieldKind::FieldInt32)];
    let schema =
        schema(FieldKind::FieldMessage, false, Some(("google.protobuf.Timestamp", &parts)));
    let stamp = |precision| sql(SqlKind::Timestamp, precision, 0);
    let nanos: ArrayRef = Arc::new(TimestampNanosecondArray::from(vec![-1]));
    let before = |nanos: u32| {
        let mut wanted = vec![0x08];
        wanted.extend([0xff; 9]);
        wanted.extend([0x01, 0x10]);
        let mut rest = nanos;
        while rest > 0x7f {
            wanted.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        wanted.push(rest as u8);
        vec![[vec![0x0a, wanted.len() as u8], wanted].concat()]
    };
    assert_eq!(encoded(&schema, stamp(9), nanos.clone()).unwrap(), before(999_999_999));
    assert_eq!(encoded(&schema, stamp(3), nanos.clone()).unwrap(), before(999_000_000));
    let micros: ArrayRef = Arc::new(TimestampMicrosecondArray::from(vec![-1]));
    assert_eq!(encoded(&schema, stamp(9), micros).unwrap(), before(999_999_000));
    let seconds: ArrayRef = Arc::new(TimestampSecondArray::from(vec![5]));
    assert_eq!(encoded(&schema, stamp(0), seconds).unwrap(), [[0x0a, 2, 0x08, 5]]);
    let far: ArrayRef = Arc::new(TimestampSecondArray::from(vec![i64::MAX]));
    assert!(encoded(&schema, stamp(9), far).unwrap_err().starts_with("[timestamp-range 303]"));
    let zoned: ArrayRef = Arc::new(TimestampSecondArray::from(vec![5]).with_timezone("UTC"));
    assert!(encoded(&schema, stamp(0), zoned).unwrap_err().contains("has no zone"));
}

#[test]
fn times_of_any_unit_are_milliseconds() {
    let parts = ["hours", "minutes", "seconds", "nanos"].map(|name| (name, FieldKind::FieldInt32));
    let schema = schema(FieldKind::FieldMessage, false, Some(("google.type.TimeOfDay", &parts)));
    let time = sql(SqlKind::Time, 3, 0);
    let seconds: ArrayRef = Arc::new(Time32SecondArray::from(vec![3600]));
    assert_eq!(encoded(&schema, time.clone(), seconds).unwrap(), [[0x0a, 2, 0x08, 1]]);
    let nanos: ArrayRef = Arc::new(Time64NanosecondArray::from(vec![3_600_000_000_999]));
    assert_eq!(encoded(&schema, time.clone(), nanos).unwrap(), [[0x0a, 2, 0x08, 1]]);
    let far: ArrayRef = Arc::new(Time64NanosecondArray::from(vec![i64::MAX]));
    assert!(encoded(&schema, time, far).unwrap_err().starts_with("[bad-time 305]"));
}

#[test]
fn large_lists_are_lists() {
    let schema = schema(FieldKind::FieldInt64, true, None);
    let mut lists = LargeListBuilder::new(Int64Builder::new());
    for values in [&[1, 2][..], &[], &[3]] {
        lists.values().append_slice(values);
        lists.append(true);
    }
    let element = SqlType { nullable: false, ..sql(SqlKind::Bigint, 0, 0) };
    let array = SqlType { element: Some(Box::new(element)), ..sql(SqlKind::Array, 0, 0) };
    let lists: ArrayRef = Arc::new(lists.finish());
    let records = encoded(&schema, array, lists.slice(1, 2)).unwrap();
    assert_eq!(records, [vec![], vec![0x0a, 1, 3]]);
}

#[test]
fn decimals_must_have_the_columns_digits() {
    let schema = schema(FieldKind::FieldUint64, false, None);
    let decimal = |digits, scale| -> ArrayRef {
        let decimals = Decimal128Array::from(vec![i128::from(u64::MAX)]);
        Arc::new(decimals.with_precision_and_scale(digits, scale).unwrap())
    };
    let wanted = sql(SqlKind::Decimal, 20, 0);
    let records = encoded(&schema, wanted.clone(), decimal(20, 0)).unwrap();
    assert_eq!(records[0].len(), 11);
    assert!(
        encoded(&schema, wanted.clone(), decimal(20, 1)).unwrap_err().contains("DECIMAL(20, 0)")
    );
    assert!(encoded(&schema, wanted, decimal(21, 0)).is_err());
}

#[test]
fn columns_must_be_the_tables() {
    let schema = schema(FieldKind::FieldInt64, false, None);
    let bigint = || sql(SqlKind::Bigint, 0, 0);
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values([1]));
    assert_eq!(encoded(&schema, bigint(), ids).unwrap(), [[0x08, 1]]);
    let text: ArrayRef = Arc::new(StringArray::from_iter_values(["1"]));
    assert!(encoded(&schema, bigint(), text).unwrap_err().contains("Utf8 is no BIGINT"));
}
