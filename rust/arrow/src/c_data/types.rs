//! Schema structs to types: those that a batch of ours can have, and near ones that other libraries
//! write. Everything else is refused by name.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Fields, TimeUnit};

use super::structs::{CSchema, pointers, struct_at, text_at};
use super::{Budget, refuse};
use sluice_plan::Failure;

/// Longest format string that is read, and longest name.
const FORMAT_MAX: usize = 256;
const NAME_MAX: usize = 64 << 10;
const NULLABLE: i64 = 2;

/// The field that a schema struct describes.
///
/// # Safety
/// What the struct points to must be as the interface says, or be null; counts and texts may be wrong,
/// but every pointer that is not null is one.
pub(super) unsafe fn field(schema: &CSchema, budget: &mut Budget) -> Result<FieldRef, Failure> {
    budget.enter()?;
    // SAFETY: the caller's promise.
    let format = unsafe { text_at(schema.format, FORMAT_MAX) };
    let Some(format) = format else { return refuse("a schema has no format") };
    let name = match schema.name.is_null() {
        true => String::new(),
        // SAFETY: the caller's promise.
        false => match unsafe { text_at(schema.name, NAME_MAX) } {
            Some(name) => name,
            None => return refuse("the name of a field has no end, or is no UTF-8"),
        },
    };
    let Ok(count) = usize::try_from(schema.n_children) else {
        return refuse("a schema has a negative number of children");
    };
    budget.has_room_for(count)?;
    // SAFETY: the caller's promise.
    let Some(children) = (unsafe { pointers(schema.children, count) }) else {
        return refuse("a schema lacks its children");
    };
    let mut fields = Vec::with_capacity(count);
    for child in children {
        // SAFETY: the caller's promise.
        let Some(child) = (unsafe { struct_at(*child) }) else {
            return refuse("a schema lacks a child");
        };
        // SAFETY: the caller's promise holds for parts as well.
        fields.push(unsafe { field(child, budget) }?);
    }
    let mut data_type = data_type(&format, fields)?;
    if !schema.dictionary.is_null() {
        if !data_type.is_dictionary_key_type() {
            return refuse("the keys of a dictionary are no integers");
        }
        // SAFETY: the caller's promise.
        let Some(values) = (unsafe { struct_at(schema.dictionary) }) else {
            return refuse("a schema lacks its dictionary");
        };
        // SAFETY: the caller's promise holds for parts as well.
        let values = unsafe { field(values, budget) }?;
        data_type = DataType::Dictionary(Box::new(data_type), Box::new(values.data_type().clone()));
    }
    budget.leave();
    Ok(Arc::new(Field::new(name, data_type, schema.flags & NULLABLE != 0)))
}

fn data_type(format: &str, mut children: Vec<FieldRef>) -> Result<DataType, Failure> {
    let wanted = match format {
        "+s" => children.len(),
        "+l" | "+L" | "+m" => 1,
        _ => 0,
    };
    if children.len() != wanted {
        return refuse("a type has another number of children");
    }
    Ok(match format {
        "b" => DataType::Boolean,
        "c" => DataType::Int8,
        "C" => DataType::UInt8,
        "s" => DataType::Int16,
        "S" => DataType::UInt16,
        "i" => DataType::Int32,
        "I" => DataType::UInt32,
        "l" => DataType::Int64,
        "L" => DataType::UInt64,
        "f" => DataType::Float32,
        "g" => DataType::Float64,
        "z" => DataType::Binary,
        "Z" => DataType::LargeBinary,
        "u" => DataType::Utf8,
        "U" => DataType::LargeUtf8,
        "tdD" => DataType::Date32,
        "tts" => DataType::Time32(TimeUnit::Second),
        "ttm" => DataType::Time32(TimeUnit::Millisecond),
        "ttu" => DataType::Time64(TimeUnit::Microsecond),
        "ttn" => DataType::Time64(TimeUnit::Nanosecond),
        "+s" => DataType::Struct(Fields::from(children)),
        "+l" => DataType::List(children.remove(0)),
        "+L" => DataType::LargeList(children.remove(0)),
        "+m" => {
            let DataType::Struct(entry) = children[0].data_type() else {
                return refuse("the entries of a map are no struct");
            };
            if entry.len() != 2 {
                return refuse("the entries of a map are no pairs");
            }
            DataType::Map(children.remove(0), false)
        }
        other => return with_parameters(other),
    })
}

fn with_parameters(format: &str) -> Result<DataType, Failure> {
    let unknown = || refuse(format!("the type {format:?} is not read"));
    let Some((kind, parameters)) = format.split_once(':') else { return unknown() };
    let unit = match kind {
        "tss" => TimeUnit::Second,
        "tsm" => TimeUnit::Millisecond,
        "tsu" => TimeUnit::Microsecond,
        "tsn" => TimeUnit::Nanosecond,
        "w" => {
            return match parameters.parse::<i32>() {
                Ok(width) if width >= 0 => Ok(DataType::FixedSizeBinary(width)),
                _ => unknown(),
            };
        }
        "d" => {
            let numbers: Vec<&str> = parameters.split(',').collect();
            let ([precision, scale] | [precision, scale, "128"]) = numbers[..] else {
                return unknown();
            };
            return match (precision.parse::<u8>(), scale.parse::<i8>()) {
                (Ok(precision @ 1..=38), Ok(scale)) if scale.unsigned_abs() <= precision => {
                    Ok(DataType::Decimal128(precision, scale))
                }
                _ => unknown(),
            };
        }
        _ => return unknown(),
    };
    let zone = (!parameters.is_empty()).then(|| parameters.into());
    Ok(DataType::Timestamp(unit, zone))
}
