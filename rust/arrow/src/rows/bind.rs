//! Arrays to sources.

use std::collections::HashSet;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal128Type, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::ScalarBuffer;
use arrow_schema::{DataType, Fields, TimeUnit};
use sluice_plan::proto::{SqlKind, SqlType};
use sluice_plan::{Failure, FailureCode};

use super::{Ends, MomentForm, Source, Times, Values};
use crate::columns::malformed;
use crate::columns::nested::element_width;

/// The sources of a row's columns, found by name.
pub(crate) fn bind_row(
    fields: &Fields, arrays: &[ArrayRef], row: &SqlType, path: &str,
) -> Result<Vec<Source>, Failure> {
    let known: HashSet<&str> = row.columns.iter().map(|column| column.name.as_str()).collect();
    if let Some(field) = fields.iter().find(|field| !known.contains(field.name().as_str())) {
        return mismatch(&inside(path, field.name()), "the table has no such column");
    }
    let mut sources = Vec::with_capacity(row.columns.len());
    for column in &row.columns {
        let path = inside(path, &column.name);
        let mut found = fields.iter().enumerate().filter(|(_, field)| *field.name() == column.name);
        let Some((at, _)) = found.next() else {
            return mismatch(&path, "the batch has no such column");
        };
        if found.next().is_some() {
            return mismatch(&path, "the batch has two such columns");
        }
        let sql = column.r#type.as_ref().ok_or_else(|| malformed("a column has no type"))?;
        sources.push(bind(&arrays[at], sql, &column.name, &path)?);
    }
    Ok(sources)
}

fn inside(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}

fn mismatch<T>(path: &str, reason: impl Into<String>) -> Result<T, Failure> {
    Err(Failure { field_path: path.to_string(), ..Failure::new(FailureCode::TypeMismatch, reason) })
}

fn bind(array: &ArrayRef, sql: &SqlType, name: &str, path: &str) -> Result<Source, Failure> {
    let source = |values| Source { name: name.to_string(), nulls: array.nulls().cloned(), values };
    use DataType as D;
    let values = match (array.data_type(), sql.kind()) {
        (D::Boolean, SqlKind::Boolean) => Values::Booleans(array.as_boolean().values().clone()),
        (D::Int8, SqlKind::Tinyint) => fixed(array, 1),
        (D::Int16, SqlKind::Smallint) => fixed(array, 2),
        (D::Int32, SqlKind::Integer)
        | (D::Float32, SqlKind::Float)
        | (D::Date32, SqlKind::Date) => fixed(array, 4),
        (D::Int64, SqlKind::Bigint) | (D::Float64, SqlKind::Double) => fixed(array, 8),
        (D::Time32(_) | D::Time64(_), SqlKind::Time) => times(array),
        (D::Decimal128(precision, scale), SqlKind::Decimal) => {
            if u32::from(*precision) > sql.precision || i64::from(*scale) != i64::from(sql.scale) {
                let (precision, scale) = (sql.precision, sql.scale);
                let reason = format!("{} is no DECIMAL({precision}, {scale})", array.data_type());
                return mismatch(path, reason);
            }
            let decimals = array.as_primitive::<Decimal128Type>().values().clone();
            Values::Decimals(decimals, sql.precision <= 18)
        }
        (D::Timestamp(unit, zone), SqlKind::Timestamp | SqlKind::TimestampLtz) => {
            if zone.is_some() != (sql.kind() == SqlKind::TimestampLtz) {
                return mismatch(path, "a TIMESTAMP has no zone, a TIMESTAMP_LTZ has one");
            }
            Values::Moments(longs(array), moment_form(*unit, sql.precision))
        }
        (
            D::Utf8
            | D::LargeUtf8
            | D::Binary
            | D::LargeBinary
            | D::FixedSizeBinary(_)
            | D::Dictionary(..),
            SqlKind::Char | SqlKind::Varchar | SqlKind::Binary | SqlKind::Varbinary,
        ) => octets(array, sql, name, path)?,
        (D::Struct(fields), SqlKind::Row) => {
            Values::Struct(bind_row(fields, array.as_struct().columns(), sql, path)?)
        }
        (D::List(_) | D::LargeList(_), SqlKind::Array) => list(array, sql, path)?,
        (D::Map(..), SqlKind::Map | SqlKind::Multiset) => map(array, sql, path)?,
        (found, wanted) => {
            return mismatch(path, format!("{found} is no {}", wanted.as_str_name()));
        }
    };
    Ok(source(values))
}

/// The values of a primitive array, without those before its offset.
fn fixed(array: &ArrayRef, width: usize) -> Values {
    let data = array.to_data();
    let (from, len) = (data.offset() * width, data.len() * width);
    Values::Fixed(data.buffers()[0].slice_with_length(from, len), width)
}

fn longs(array: &ArrayRef) -> ScalarBuffer<i64> {
    let data = array.to_data();
    ScalarBuffer::new(data.buffers()[0].clone(), data.offset(), data.len())
}

fn times(array: &ArrayRef) -> Values {
    let short = |values: &ScalarBuffer<i32>| Times::Short(values.clone());
    let long = |values: &ScalarBuffer<i64>| Times::Long(values.clone());
    match array.data_type() {
        DataType::Time32(TimeUnit::Second) => {
            let array = array.as_primitive::<Time32SecondType>();
            Values::Times(short(array.values()), TimeUnit::Second)
        }
        DataType::Time32(_) => {
            let array = array.as_primitive::<Time32MillisecondType>();
            Values::Times(short(array.values()), TimeUnit::Millisecond)
        }
        DataType::Time64(TimeUnit::Microsecond) => {
            let array = array.as_primitive::<Time64MicrosecondType>();
            Values::Times(long(array.values()), TimeUnit::Microsecond)
        }
        _ => {
            let array = array.as_primitive::<Time64NanosecondType>();
            Values::Times(long(array.values()), TimeUnit::Nanosecond)
        }
    }
}

fn moment_form(unit: TimeUnit, precision: u32) -> MomentForm {
    MomentForm { unit, compact: precision <= 3, nanos_unit: 10_i64.pow(9 - precision.min(9)) }
}

fn octets(array: &ArrayRef, sql: &SqlType, name: &str, path: &str) -> Result<Values, Failure> {
    let is_text = matches!(sql.kind(), SqlKind::Char | SqlKind::Varchar);
    Ok(match array.data_type() {
        DataType::Utf8 if is_text => {
            let array = array.as_string::<i32>();
            Values::Octets(Ends::Small(array.offsets().inner().clone()), array.values().clone())
        }
        DataType::LargeUtf8 if is_text => {
            let array = array.as_string::<i64>();
            Values::Octets(Ends::Large(array.offsets().inner().clone()), array.values().clone())
        }
        DataType::Binary if !is_text => {
            let array = array.as_binary::<i32>();
            Values::Octets(Ends::Small(array.offsets().inner().clone()), array.values().clone())
        }
        DataType::LargeBinary if !is_text => {
            let array = array.as_binary::<i64>();
            Values::Octets(Ends::Large(array.offsets().inner().clone()), array.values().clone())
        }
        DataType::FixedSizeBinary(width) if !is_text => {
            let array = array.as_fixed_size_binary();
            Values::FixedOctets(array.values().clone(), *width as usize)
        }
        DataType::Dictionary(..) if array.as_any_dictionary_opt().is_some() => {
            let dictionary = array.as_any_dictionary();
            if matches!(dictionary.values().data_type(), DataType::Dictionary(..)) {
                return mismatch(path, "a dictionary of a dictionary");
            }
            let values = bind(dictionary.values(), sql, name, path)?;
            Values::Names(arrow_array::make_array(dictionary.keys().to_data()), Box::new(values))
        }
        other => return mismatch(path, format!("{other} is no {}", sql.kind().as_str_name())),
    })
}

fn list(array: &ArrayRef, sql: &SqlType, path: &str) -> Result<Values, Failure> {
    let element = sql.element.as_deref().ok_or_else(|| malformed("an ARRAY has no element"))?;
    let (ends, values) = match array.data_type() {
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            (Ends::Small(list.offsets().inner().clone()), list.values())
        }
        _ => {
            let list = array.as_list::<i64>();
            (Ends::Large(list.offsets().inner().clone()), list.values())
        }
    };
    let source = bind(values, element, "[]", &format!("{path}[]"))?;
    Ok(Values::List(ends, Box::new(source), element_width(element)))
}

fn map(array: &ArrayRef, sql: &SqlType, path: &str) -> Result<Values, Failure> {
    let count = SqlType { kind: SqlKind::Integer.into(), nullable: true, ..SqlType::default() };
    let (key, value) = match sql.kind() {
        SqlKind::Multiset => (sql.element.as_deref(), Some(&count)),
        _ => (sql.key.as_deref(), sql.value.as_deref()),
    };
    let (Some(key), Some(value)) = (key, value) else {
        return Err(malformed("a MAP has no key or no value"));
    };
    let map = array.as_map();
    let sides = [
        Box::new(bind(map.keys(), key, "key", &inside(path, "key"))?),
        Box::new(bind(map.values(), value, "value", &inside(path, "value"))?),
    ];
    let ends = Ends::Small(map.offsets().inner().clone());
    Ok(Values::Map(ends, sides, [element_width(key), element_width(value)]))
}
