//! Values, read slowly: from a row image as its row type says, and from an Arrow array.

#![allow(dead_code, reason = "each test uses what it needs")]

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, Time32MillisecondType,
};
use arrow_array::{Array, RecordBatch, StructArray};
use arrow_schema::{DataType, TimeUnit};
use proptest::collection::vec;
use proptest::prelude::*;
use sluice_codec::{Decoder, RowBuffer, Slab};
use sluice_plan::proto::{Framing, ResolvedSchema, SqlKind, SqlType};
use sluice_plan::{Plan, Program, proto};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::{messages, mutations, rows, schemas, stream};
use sluice_testkit::text;

/// A value as both sides have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Null,
    /// Integers, days, milliseconds, unscaled decimals, bits of floats.
    Number(i128),
    Octets(Vec<u8>),
    List(Vec<Value>),
    Map(Vec<(Value, Value)>),
    Row(Vec<Value>),
    /// No Arrow value.
    Impossible,
}

impl Value {
    /// Whether some part is impossible.
    pub fn is_impossible(&self) -> bool {
        match self {
            Value::Impossible => true,
            Value::List(values) | Value::Row(values) => values.iter().any(Value::is_impossible),
            Value::Map(pairs) => pairs.iter().any(|(key, value)| {
                *key == Value::Null || key.is_impossible() || value.is_impossible()
            }),
            _ => false,
        }
    }
}

/// A plan for records without frame.
pub fn bare(mut plan: proto::Plan) -> Plan {
    plan.framing = Framing::Bare.into();
    Plan::new(plan).expect("a plan")
}

/// The row that the codec makes of a record, or the code of its refusal.
pub fn row(plan: &Plan, schema: &ResolvedSchema, record: &[u8]) -> Result<Value, i32> {
    let program = Program::compile(plan, schema).expect("the program compiles");
    let mut rows = RowBuffer::default();
    let decoded = Decoder::new().decode_row(&program, &Slab::of(record), 0, &mut rows);
    decoded.map_err(|code| code.number())?;
    Ok(row_at(rows.rows(), 0, plan.row()))
}

fn number<const N: usize>(image: &[u8], at: usize) -> [u8; N] {
    image[at..at + N].try_into().unwrap()
}

fn row_at(image: &[u8], base: usize, sql: &SqlType) -> Value {
    let header = (sql.columns.len() + 8).div_ceil(64) * 8;
    let columns = sql.columns.iter().enumerate().map(|(at, column)| {
        if image[base + (at + 8) / 8] >> (at % 8) & 1 != 0 {
            return Value::Null;
        }
        cell(image, base, base + header + 8 * at, column.r#type.as_ref().unwrap())
    });
    Value::Row(columns.collect())
}

fn array_at(image: &[u8], base: usize, sql: &SqlType) -> Vec<Value> {
    let count = i32::from_le_bytes(number(image, base)) as usize;
    let width = match sql.kind() {
        SqlKind::Boolean | SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer | SqlKind::Float | SqlKind::Date | SqlKind::Time => 4,
        _ => 8,
    };
    let first = base + 4 + count.div_ceil(32) * 4;
    let elements = (0..count).map(|at| match image[base + 4 + at / 8] >> (at % 8) & 1 {
        0 => cell(image, base, first + width * at, sql),
        _ => Value::Null,
    });
    elements.collect()
}

fn cell(image: &[u8], base: usize, at: usize, sql: &SqlType) -> Value {
    let part = || {
        let (len, offset) =
            (u32::from_le_bytes(number(image, at)), u32::from_le_bytes(number(image, at + 4)));
        (base + offset as usize, len as usize)
    };
    Value::Number(match sql.kind() {
        SqlKind::Boolean => i128::from(image[at]),
        SqlKind::Tinyint => i128::from(image[at] as i8),
        SqlKind::Smallint => i128::from(i16::from_le_bytes(number(image, at))),
        SqlKind::Integer | SqlKind::Date | SqlKind::Time => {
            i128::from(i32::from_le_bytes(number(image, at)))
        }
        SqlKind::Float => i128::from(u32::from_le_bytes(number(image, at))),
        SqlKind::Double => i128::from(u64::from_le_bytes(number(image, at))),
        SqlKind::Bigint => i128::from(i64::from_le_bytes(number(image, at))),
        SqlKind::Decimal if sql.precision <= 18 => {
            i128::from(i64::from_le_bytes(number(image, at)))
        }
        SqlKind::Decimal => {
            let (at, len) = part();
            let mut bytes = [if image[at] & 0x80 != 0 { 0xff } else { 0 }; 16];
            bytes[16 - len..].copy_from_slice(&image[at..at + len]);
            i128::from_be_bytes(bytes)
        }
        SqlKind::Timestamp | SqlKind::TimestampLtz => {
            let (millis, nanos) = match sql.precision {
                0..=3 => (i64::from_le_bytes(number(image, at)), 0),
                _ => (i64::from_le_bytes(number(image, part().0)), part().1),
            };
            let unit = match sql.precision {
                0 => 1_000_000_000,
                1..=3 => 1_000_000,
                4..=6 => 1000,
                _ => 1,
            };
            let count = (i128::from(millis) * 1_000_000 + nanos as i128).div_euclid(unit);
            if i64::try_from(count).is_err() {
                return Value::Impossible;
            }
            count
        }
        SqlKind::Char | SqlKind::Varchar | SqlKind::Binary | SqlKind::Varbinary => {
            let short = image[at + 7];
            let (at, len) =
                if short & 0x80 != 0 { (at, usize::from(short & 0x7f)) } else { part() };
            return Value::Octets(image[at..at + len].to_vec());
        }
        SqlKind::Array => {
            return Value::List(array_at(image, part().0, sql.element.as_ref().unwrap()));
        }
        SqlKind::Map | SqlKind::Multiset => {
            let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
            let key = sql.key.as_ref().or(sql.element.as_ref()).unwrap();
            let value = sql.value.as_deref().unwrap_or(&count);
            let at = part().0;
            let keys_len = i32::from_le_bytes(number(image, at)) as usize;
            let keys = array_at(image, at + 4, key);
            let values = array_at(image, at + 4 + keys_len, value);
            return Value::Map(keys.into_iter().zip(values).collect());
        }
        SqlKind::Row => return row_at(image, part().0, sql),
        SqlKind::Unspecified => unreachable!(),
    })
}

/// One row of a batch.
pub fn batch_row(batch: &RecordBatch, at: usize) -> Value {
    Value::Row(batch.columns().iter().map(|column| value(column.as_ref(), at)).collect())
}

/// One value of an array.
pub fn value(array: &dyn Array, at: usize) -> Value {
    if array.is_null(at) {
        return Value::Null;
    }
    Value::Number(match array.data_type() {
        DataType::Boolean => i128::from(array.as_boolean().value(at)),
        DataType::Int8 => i128::from(array.as_primitive::<Int8Type>().value(at)),
        DataType::Int16 => i128::from(array.as_primitive::<Int16Type>().value(at)),
        DataType::Int32 => i128::from(array.as_primitive::<Int32Type>().value(at)),
        DataType::Int64 => i128::from(array.as_primitive::<Int64Type>().value(at)),
        DataType::Float32 => i128::from(array.as_primitive::<Float32Type>().value(at).to_bits()),
        DataType::Float64 => i128::from(array.as_primitive::<Float64Type>().value(at).to_bits()),
        DataType::Date32 => i128::from(array.as_primitive::<Date32Type>().value(at)),
        DataType::Time32(TimeUnit::Millisecond) => {
            i128::from(array.as_primitive::<Time32MillisecondType>().value(at))
        }
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value(at),
        DataType::Timestamp(..) => {
            let data = array.to_data();
            let counts = data.buffer::<i64>(0);
            i128::from(counts[at])
        }
        DataType::Utf8 => return Value::Octets(array.as_string::<i32>().value(at).into()),
        DataType::Binary => return Value::Octets(array.as_binary::<i32>().value(at).into()),
        DataType::Dictionary(..) => {
            let names = array.as_dictionary::<Int32Type>();
            return value(names.values().as_ref(), names.keys().value(at) as usize);
        }
        DataType::List(_) => {
            let elements = array.as_list::<i32>().value(at);
            return Value::List((0..elements.len()).map(|at| value(&elements, at)).collect());
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(at);
            let pair =
                |at| (value(entries.column(0).as_ref(), at), value(entries.column(1).as_ref(), at));
            return Value::Map((0..entries.len()).map(pair).collect());
        }
        DataType::Struct(_) => return struct_row(array.as_struct(), at),
        other => unreachable!("{other}"),
    })
}

fn struct_row(rows: &StructArray, at: usize) -> Value {
    Value::Row(rows.columns().iter().map(|column| value(column.as_ref(), at)).collect())
}

/// A table and some records of it.
#[derive(Clone)]
pub struct Table {
    /// The writer's schema.
    pub schema: ResolvedSchema,
    /// The row type.
    pub row: SqlType,
    /// Messages without frame.
    pub records: Vec<Vec<u8>>,
}

impl std::fmt::Debug for Table {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(out, "{}\nrow  {}", text::schema(&self.schema), text::sql(&self.row))?;
        self.records.iter().try_for_each(|record| writeln!(out, "wire {}", text::hex(record)))
    }
}

/// Types of a random row, ROWs and collections included, beyond which it is passed over. Random rows nest;
/// one in some thousands is more than a program or an import may hold, and takes minutes to shrink.
const TYPES_MAX: usize = 10_000;

/// Whether a row is one that everything must hold.
pub fn is_small(row: &SqlType) -> bool {
    let mut rest = vec![row];
    let mut count = 0;
    while let (Some(sql), true) = (rest.pop(), count <= TYPES_MAX) {
        count += 1;
        let parts = [&sql.element, &sql.key, &sql.value].into_iter().flatten().map(Box::as_ref);
        let columns = sql.columns.iter().filter_map(|column| column.r#type.as_ref());
        rest.extend(parts.chain(columns));
    }
    count <= TYPES_MAX
}

/// A table and some records, every fourth of them damaged.
pub fn tables() -> impl Strategy<Value = Table> {
    let made =
        (stream(300), stream(120), vec(stream(300), 1..12)).prop_map(|(schema, row, units)| {
            let schema = schemas::schema(&mut Choices::new(&schema));
            let row = rows::row(&mut Choices::new(&row), &schema);
            let mut records: Vec<Vec<u8>> = units
                .iter()
                .map(|units| messages::message(&mut Choices::new(units), &schema))
                .collect();
            for record in records.iter_mut().skip(3).step_by(4) {
                mutations::mutate(&mut Choices::new(&units[0]), record);
            }
            Table { schema, row, records }
        });
    made.prop_filter("a row without end", |table| is_small(&table.row))
}
