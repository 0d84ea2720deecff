//! Columns of columns: structs, lists and maps.

use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, FieldRef, Fields};
use sluice_plan::Failure;
use sluice_plan::proto::{SqlKind, SqlType};

use super::cells::{ABSENT, ArrayAt, Cell, Cells, ElementCells, RowCells, part, word32};
use super::octets::Offsets;
use super::validity::Validity;
use super::{Array, Column, Spread, malformed, required};

/// Offset of the first slot in a row of so many columns.
pub(crate) fn header_len(columns: usize) -> usize {
    (columns + 8).div_ceil(64) * 8
}

/// Bytes of an array's element.
pub(crate) fn element_width(sql: &SqlType) -> usize {
    match sql.kind() {
        SqlKind::Boolean | SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer | SqlKind::Float | SqlKind::Date | SqlKind::Time => 4,
        _ => 8,
    }
}

/// ROW.
#[derive(Debug)]
pub(crate) struct Struct {
    pub(super) columns: Vec<Column>,
}

impl Struct {
    /// Columns for `fields`, of which `sql` has as many.
    pub fn new(fields: &Fields, sql: &SqlType, path: &str) -> Result<Struct, Failure> {
        if fields.len() != sql.columns.len() {
            return Err(malformed("schema and row type differ in their columns"));
        }
        let mut columns = Vec::with_capacity(fields.len());
        for (field, column) in fields.iter().zip(&sql.columns) {
            let path = if path.is_empty() {
                column.name.clone()
            } else {
                format!("{path}.{}", column.name)
            };
            let sql = required(column.r#type.as_ref(), &path)?;
            columns.push(Column::new(field, sql, &path)?);
        }
        Ok(Struct { columns })
    }

    /// Adds the rows that begin at `bases`, without a word on which of them are there.
    pub fn append_rows(&mut self, spread: &mut Spread<'_>, bases: &[u32]) {
        let first = header_len(self.columns.len());
        for (at, column) in self.columns.iter_mut().enumerate() {
            column.append(spread, RowCells { bases, column: at, slot: first + 8 * at });
        }
    }

    pub fn append(&mut self, nulls: &mut Validity, spread: &mut Spread<'_>, cells: impl Cells) {
        let mut bases = spread.scratch.bases.pop().unwrap_or_default();
        let (image, width) = (spread.image, self.width());
        cells.for_each(image, |cell| {
            nulls.push(cell.is_null);
            bases.push(match cell.is_null {
                true => {
                    spread.absent_bytes += width;
                    ABSENT
                }
                false => part(image, cell).0 as u32,
            });
        });
        self.append_rows(spread, &bases);
        bases.clear();
        spread.scratch.bases.push(bases);
    }

    pub fn truncate(&mut self, len: usize) {
        self.columns.iter_mut().for_each(|column| column.truncate(len));
    }

    pub fn width(&self) -> usize {
        self.columns.iter().map(Column::width).sum()
    }

    /// The arrays of all columns.
    pub fn take_columns(&mut self) -> Result<Vec<arrow_array::ArrayRef>, Failure> {
        self.columns.iter_mut().map(Column::take).collect()
    }

    pub fn take(&mut self, mut array: Array) -> Result<Array, ArrowError> {
        for column in &mut self.columns {
            array = array.add_child_data(column.take_data()?);
        }
        Ok(array)
    }
}

/// ARRAY.
#[derive(Debug)]
pub(super) struct List {
    pub ends: Offsets,
    pub element: Box<Column>,
    width: usize,
}

impl List {
    pub fn new(element: &FieldRef, sql: &SqlType, path: &str) -> Result<List, Failure> {
        let path = format!("{path}[]");
        let sql = required(sql.element.as_deref(), &path)?;
        let element = Box::new(Column::new(element, sql, &path)?);
        Ok(List { ends: Offsets::new(), element, width: element_width(sql) })
    }

    pub fn append(&mut self, nulls: &mut Validity, spread: &mut Spread<'_>, cells: impl Cells) {
        let image = spread.image;
        let mut arrays = spread.scratch.arrays.pop().unwrap_or_default();
        let before = self.ends.last();
        let mut end = before;
        self.ends.reserve(cells.count());
        cells.for_each(image, |cell| {
            nulls.push(cell.is_null);
            if !cell.is_null {
                let array = ArrayAt::read(image, part(image, cell).0);
                end += array.count as usize;
                arrays.push(array);
            }
            self.ends.push(end);
        });
        let elements = ElementCells { arrays: &arrays, count: end - before, width: self.width };
        self.element.append(spread, elements);
        arrays.clear();
        spread.scratch.arrays.push(arrays);
    }

    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.element.truncate(self.ends.last());
    }

    pub fn take(&mut self, array: Array) -> Result<Array, ArrowError> {
        Ok(array.add_buffer(self.ends.take()).add_child_data(self.element.take_data()?))
    }
}

/// MAP and MULTISET.
#[derive(Debug)]
pub(super) struct Map {
    pub ends: Offsets,
    entries: DataType,
    pub key: Box<Column>,
    pub value: Box<Column>,
    key_width: usize,
    value_width: usize,
}

impl Map {
    pub fn new(entries: &FieldRef, sql: &SqlType, path: &str) -> Result<Map, Failure> {
        let DataType::Struct(fields) = entries.data_type() else {
            return Err(malformed("the entries of a map are no struct"));
        };
        let [key_field, value_field] = &**fields else {
            return Err(malformed("the entries of a map are no pairs"));
        };
        let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
        let (key, value) = match sql.kind() {
            SqlKind::Multiset => (required(sql.element.as_deref(), path)?, &count),
            _ => (required(sql.key.as_deref(), path)?, required(sql.value.as_deref(), path)?),
        };
        Ok(Map {
            ends: Offsets::new(),
            entries: entries.data_type().clone(),
            key: Box::new(Column::new(key_field, key, &format!("{path}.key"))?),
            value: Box::new(Column::new(value_field, value, &format!("{path}.value"))?),
            key_width: element_width(key),
            value_width: element_width(value),
        })
    }

    pub fn append(&mut self, nulls: &mut Validity, spread: &mut Spread<'_>, cells: impl Cells) {
        let image = spread.image;
        let mut keys = spread.scratch.arrays.pop().unwrap_or_default();
        let mut values = spread.scratch.arrays.pop().unwrap_or_default();
        let before = self.ends.last();
        let mut end = before;
        self.ends.reserve(cells.count());
        cells.for_each(image, |cell: Cell| {
            nulls.push(cell.is_null);
            if !cell.is_null {
                // The length of the keys, the array of keys, the array of values.
                let (at, _) = part(image, cell);
                let array = ArrayAt::read(image, at + 4);
                end += array.count as usize;
                keys.push(array);
                values.push(ArrayAt::read(image, at + 4 + word32(image, at) as usize));
            }
            self.ends.push(end);
        });
        let count = end - before;
        self.key.append(spread, ElementCells { arrays: &keys, count, width: self.key_width });
        self.value.append(spread, ElementCells { arrays: &values, count, width: self.value_width });
        for mut arrays in [keys, values] {
            arrays.clear();
            spread.scratch.arrays.push(arrays);
        }
    }

    pub fn truncate(&mut self, len: usize) {
        self.ends.truncate(len);
        self.key.truncate(self.ends.last());
        self.value.truncate(self.ends.last());
    }

    pub fn take(&mut self, array: Array) -> Result<Array, ArrowError> {
        let entries = ArrayData::builder(self.entries.clone())
            .len(self.key.len())
            .add_child_data(self.key.take_data()?)
            .add_child_data(self.value.take_data()?)
            .build()?;
        Ok(array.add_buffer(self.ends.take()).add_child_data(entries))
    }
}
