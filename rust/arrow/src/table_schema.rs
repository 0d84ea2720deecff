//! A table's row type as an Arrow schema.
//!
//! | SQL | Arrow |
//! |---|---|
//! | BOOLEAN, TINYINT … BIGINT, FLOAT, DOUBLE | the same |
//! | CHAR, VARCHAR | Utf8; a dictionary of Utf8 where the field is an enum |
//! | BINARY, VARBINARY | Binary |
//! | DECIMAL(p, s) | Decimal128(p, s) |
//! | DATE | Date32 |
//! | TIME(p) | Time32 in milliseconds, as Flink has no finer one |
//! | TIMESTAMP(p), TIMESTAMP_LTZ(p) | Timestamp in the unit that has p digits; LTZ with zone `UTC` |
//! | ARRAY, MAP, MULTISET, ROW | List, Map, Map to Int32, Struct |
//!
//! In the FLINK profile a NOT NULL column may hold NULL, as in Flink, so there all are nullable. The
//! keys of a map never are, as Arrow has it.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use sluice_plan::proto::{Profile, SqlKind, SqlType};
use sluice_plan::{Failure, Plan, Program};

use crate::columns::malformed;
use crate::enum_columns::EnumColumns;

/// Most digits that Decimal128 has.
const DIGITS_MAX: u32 = 38;

/// A plan's row type, and the Arrow schema of its batches.
#[derive(Debug, Clone)]
pub struct TableSchema {
    schema: SchemaRef,
    row: SqlType,
}

impl TableSchema {
    /// The schema of the plan's rows. Whether a column of text is a dictionary depends on the message
    /// that is read; without a program none is.
    pub fn new(plan: &Plan, program: Option<&Program>) -> Result<TableSchema, Failure> {
        let row = plan.row().clone();
        let enums = match program {
            Some(program) => EnumColumns::of(program, &row),
            None => EnumColumns::default(),
        };
        let all_nullable = plan.profile() == Profile::Flink;
        let fields = Types { all_nullable }.fields(&row, &enums)?;
        Ok(TableSchema { schema: Arc::new(Schema::new(fields)), row })
    }

    /// The schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// The row type.
    pub fn row(&self) -> &SqlType {
        &self.row
    }
}

struct Types {
    all_nullable: bool,
}

impl Types {
    fn fields(&self, row: &SqlType, enums: &EnumColumns) -> Result<Fields, Failure> {
        let columns = row.columns.iter().enumerate();
        columns
            .map(|(at, column)| self.field(&column.name, column.r#type.as_ref(), enums.part(at)))
            .collect()
    }

    fn field(
        &self, name: &str, sql: Option<&SqlType>, enums: &EnumColumns,
    ) -> Result<FieldRef, Failure> {
        let sql = sql.ok_or_else(|| malformed(format!("{name} has no type")))?;
        let nullable = sql.nullable || self.all_nullable;
        Ok(Arc::new(Field::new(name, self.data_type(name, sql, enums)?, nullable)))
    }

    fn data_type(
        &self, name: &str, sql: &SqlType, enums: &EnumColumns,
    ) -> Result<DataType, Failure> {
        Ok(match sql.kind() {
            SqlKind::Boolean => DataType::Boolean,
            SqlKind::Tinyint => DataType::Int8,
            SqlKind::Smallint => DataType::Int16,
            SqlKind::Integer => DataType::Int32,
            SqlKind::Bigint => DataType::Int64,
            SqlKind::Float => DataType::Float32,
            SqlKind::Double => DataType::Float64,
            SqlKind::Char | SqlKind::Varchar if enums.is_enum => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            SqlKind::Char | SqlKind::Varchar => DataType::Utf8,
            SqlKind::Binary | SqlKind::Varbinary => DataType::Binary,
            SqlKind::Decimal => {
                let (precision, scale) = (sql.precision, sql.scale);
                if precision == 0 || precision > DIGITS_MAX || scale > precision {
                    let reason = format!("{name} is a DECIMAL({precision}, {scale})");
                    return Err(malformed(reason));
                }
                DataType::Decimal128(precision as u8, scale as i8)
            }
            SqlKind::Date => DataType::Date32,
            SqlKind::Time => DataType::Time32(TimeUnit::Millisecond),
            SqlKind::Timestamp => DataType::Timestamp(unit(sql.precision), None),
            SqlKind::TimestampLtz => DataType::Timestamp(unit(sql.precision), Some("UTC".into())),
            SqlKind::Array => {
                DataType::List(self.field("item", sql.element.as_deref(), enums.part(0))?)
            }
            SqlKind::Map => {
                let key = self.field("key", sql.key.as_deref(), enums.part(0))?;
                entries(key, self.field("value", sql.value.as_deref(), enums.part(1))?)
            }
            SqlKind::Multiset => {
                let key = self.field("key", sql.element.as_deref(), enums.part(0))?;
                entries(key, Arc::new(Field::new("value", DataType::Int32, self.all_nullable)))
            }
            SqlKind::Row => DataType::Struct(self.fields(sql, enums)?),
            SqlKind::Unspecified => return Err(malformed(format!("{name} has no type"))),
        })
    }
}

fn entries(key: FieldRef, value: FieldRef) -> DataType {
    let key = Arc::new(key.as_ref().clone().with_nullable(false));
    let entries = DataType::Struct(Fields::from(vec![key, value]));
    DataType::Map(Arc::new(Field::new("entries", entries, false)), false)
}

/// The coarsest unit with so many digits behind the second.
fn unit(precision: u32) -> TimeUnit {
    match precision {
        0 => TimeUnit::Second,
        1..=3 => TimeUnit::Millisecond,
        4..=6 => TimeUnit::Microsecond,
        _ => TimeUnit::Nanosecond,
    }
}
