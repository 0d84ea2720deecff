//! Columns that grow from row images.
//!
//! A column takes one run of cells after the other (`append`), each run a tight loop of one kind: so
//! the kind is looked up once for a run, not for each value. Struct, list and map columns first note
//! where their rows and arrays begin, then pass these on to their children.
//!
//! Or a record goes from the wire to its columns, value by value (`wire`, `push`): the usual one does.
//!
//! A value that Arrow cannot hold is noted in [`Spread::faults`]; what stands in its cell does not
//! matter, as the caller then cuts the columns back (`truncate`) and appends once more without the rows
//! that failed.

pub(crate) mod cells;
mod names;
pub(crate) mod nested;
mod numbers;
mod octets;
mod push;
mod validity;
pub(crate) mod wire;

use arrow_array::{ArrayRef, make_array};
use arrow_buffer::MutableBuffer;
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{ArrowError, DataType, FieldRef, TimeUnit};
use sluice_plan::proto::{SqlKind, SqlType};
use sluice_plan::{Failure, FailureCode};

use cells::{ArrayAt, Cell, Cells};
use names::Names;
use nested::{List, Map, Struct};
use numbers::Moments;
use octets::Octets;
use validity::{Bits, Validity};

/// A column and its values so far.
#[derive(Debug)]
pub(crate) struct Column {
    data_type: DataType,
    not_null: bool,
    /// Names from the root, `line[].sku`.
    path: String,
    validity: Validity,
    values: Values,
}

/// Values by the form that they have in an image.
#[derive(Debug)]
enum Values {
    Booleans(Bits),
    /// One to eight bytes, as they stand in the cell.
    Fixed(MutableBuffer, usize),
    /// DECIMAL: 64 bits in the cell, or up to 16 bytes behind.
    Decimals(MutableBuffer, bool),
    Moments(Moments),
    Octets(Octets),
    Names(Box<Names>),
    List(List),
    Map(Map),
    Struct(Struct),
}

/// A value that Arrow cannot hold.
#[derive(Debug)]
pub(crate) struct Fault {
    /// A place inside the row image that it stands in.
    pub at: usize,
    pub code: FailureCode,
    pub path: String,
    pub reason: String,
}

/// One pass over a run of row images.
pub(crate) struct Spread<'a> {
    /// The images.
    pub image: &'a [u8],
    /// Values that Arrow cannot hold.
    pub faults: Vec<Fault>,
    /// Bytes that NULL rows take in the columns; in the image they take none.
    pub absent_bytes: usize,
    scratch: &'a mut Scratch,
}

/// Memory for places, used again by each run.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    bases: Vec<Vec<u32>>,
    arrays: Vec<Vec<ArrayAt>>,
}

impl<'a> Spread<'a> {
    pub fn new(image: &'a [u8], scratch: &'a mut Scratch) -> Spread<'a> {
        Spread { image, faults: Vec::new(), absent_bytes: 0, scratch }
    }

    #[cold]
    fn fault(&mut self, cell: Cell, code: FailureCode, path: &str, reason: &str) {
        let fault = Fault { at: cell.at, code, path: path.into(), reason: reason.into() };
        self.faults.push(fault);
    }
}

impl Column {
    /// An empty column of `field`, whose values stand in images as `sql` says.
    pub fn new(field: &FieldRef, sql: &SqlType, path: &str) -> Result<Column, Failure> {
        let mismatch = || {
            let reason = format!("{} is no column of type {:?}", field.data_type(), sql.kind());
            Err(Failure { field_path: path.into(), ..malformed(reason) })
        };
        let fixed = |width| Values::Fixed(MutableBuffer::new(0), width);
        use DataType as D;
        let values = match (field.data_type(), sql.kind()) {
            (D::Boolean, SqlKind::Boolean) => Values::Booleans(Bits::default()),
            (D::Int8, SqlKind::Tinyint) => fixed(1),
            (D::Int16, SqlKind::Smallint) => fixed(2),
            (D::Int32, SqlKind::Integer)
            | (D::Float32, SqlKind::Float)
            | (D::Date32, SqlKind::Date)
            | (D::Time32(TimeUnit::Millisecond), SqlKind::Time) => fixed(4),
            (D::Int64, SqlKind::Bigint) | (D::Float64, SqlKind::Double) => fixed(8),
            (D::Decimal128(..), SqlKind::Decimal) => {
                Values::Decimals(MutableBuffer::new(0), sql.precision <= 18)
            }
            (D::Timestamp(unit, _), SqlKind::Timestamp | SqlKind::TimestampLtz) => {
                Values::Moments(Moments::new(*unit, sql.precision <= 3))
            }
            (D::Utf8, SqlKind::Char | SqlKind::Varchar)
            | (D::Binary, SqlKind::Binary | SqlKind::Varbinary) => Values::Octets(Octets::new()),
            (D::Dictionary(..), SqlKind::Char | SqlKind::Varchar) => {
                Values::Names(Box::new(Names::new()))
            }
            (D::Struct(fields), SqlKind::Row) => Values::Struct(Struct::new(fields, sql, path)?),
            (D::List(element), SqlKind::Array) => Values::List(List::new(element, sql, path)?),
            (D::Map(entries, _), SqlKind::Map | SqlKind::Multiset) => {
                Values::Map(Map::new(entries, sql, path)?)
            }
            _ => return mismatch(),
        };
        Ok(Column {
            data_type: field.data_type().clone(),
            not_null: !field.is_nullable(),
            path: path.into(),
            validity: Validity::default(),
            values,
        })
    }

    /// Adds the value of each cell.
    pub fn append<C: Cells>(&mut self, spread: &mut Spread<'_>, cells: C) {
        if self.not_null {
            self.require(spread, cells);
        }
        let nulls = &mut self.validity;
        let image = spread.image;
        match &mut self.values {
            Values::Booleans(bits) => cells.for_each(image, |cell| {
                bits.push(!cell.is_null && image[cell.at] != 0);
                nulls.push(cell.is_null);
            }),
            Values::Fixed(buffer, 1) => numbers::fixed::<u8, 1>(buffer, nulls, image, cells),
            Values::Fixed(buffer, 2) => numbers::fixed::<u16, 2>(buffer, nulls, image, cells),
            Values::Fixed(buffer, 4) => numbers::fixed::<u32, 4>(buffer, nulls, image, cells),
            Values::Fixed(buffer, _) => numbers::fixed::<u64, 8>(buffer, nulls, image, cells),
            Values::Decimals(buffer, compact) => {
                numbers::decimals(buffer, *compact, nulls, image, cells);
            }
            Values::Moments(moments) => moments.append(&self.path, nulls, spread, cells),
            Values::Octets(octets) => octets.append(nulls, image, cells),
            Values::Names(names) => names.append(nulls, image, cells),
            Values::List(list) => list.append(nulls, spread, cells),
            Values::Map(map) => map.append(nulls, spread, cells),
            Values::Struct(rows) => rows.append(nulls, spread, cells),
        }
    }

    /// A NULL where there can be none: the keys of a map, whose SQL type may say otherwise.
    fn require<C: Cells>(&self, spread: &mut Spread<'_>, cells: C) {
        cells.for_each(spread.image, |cell| {
            if cell.is_null && !cell.is_absent() {
                let reason = "an Arrow column that is not nullable has no value";
                spread.fault(cell, FailureCode::NullInNotNull, &self.path, reason);
            }
        });
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.validity.len()
    }

    /// Keeps the first `len` values.
    pub fn truncate(&mut self, len: usize) {
        self.validity.truncate(len);
        match &mut self.values {
            Values::Booleans(bits) => bits.truncate(len),
            Values::Fixed(buffer, width) => buffer.truncate(len * *width),
            Values::Decimals(buffer, _) => buffer.truncate(len * 16),
            Values::Moments(moments) => moments.truncate(len),
            Values::Octets(octets) => octets.truncate(len),
            Values::Names(names) => names.truncate(len),
            Values::List(list) => list.truncate(len),
            Values::Map(map) => map.truncate(len),
            Values::Struct(rows) => rows.truncate(len),
        }
    }

    /// Bytes that one value takes at least, children included.
    pub fn width(&self) -> usize {
        match &self.values {
            Values::Booleans(_) => 1,
            Values::Fixed(_, width) => *width,
            Values::Decimals(..) => 16,
            Values::Moments(_) => 8,
            Values::Octets(_) | Values::Names(_) | Values::List(_) | Values::Map(_) => 4,
            Values::Struct(rows) => rows.width() + 1,
        }
    }

    /// All values as an array; none are left.
    pub fn take(&mut self) -> Result<ArrayRef, Failure> {
        self.take_data().map(make_array).map_err(|error| malformed(error.to_string()))
    }

    /// `build` checks everything: offsets, UTF-8, dictionary keys, counts.
    fn take_data(&mut self) -> Result<ArrayData, ArrowError> {
        let len = self.len();
        let mut nulls = self.validity.take();
        if self.not_null {
            nulls = None; // values of rows that are not there themselves
        }
        let array = ArrayData::builder(self.data_type.clone()).len(len).nulls(nulls);
        match &mut self.values {
            Values::Booleans(bits) => array.add_buffer(bits.take().into_inner()),
            Values::Fixed(buffer, _) | Values::Decimals(buffer, _) => {
                array.add_buffer(renewed(buffer).into())
            }
            Values::Moments(moments) => array.add_buffer(moments.take()),
            Values::Octets(octets) => octets.take(array),
            Values::Names(names) => names.take(array)?,
            Values::List(list) => list.take(array)?,
            Values::Map(map) => map.take(array)?,
            Values::Struct(rows) => rows.take(array)?,
        }
        .build()
    }
}

/// What is in `buffer`, which has room for as much again: batches of a table are alike, and a buffer that
/// grows is copied on its way.
fn renewed(buffer: &mut MutableBuffer) -> MutableBuffer {
    let room = buffer.len() + buffer.len() / 8;
    std::mem::replace(buffer, MutableBuffer::new(room))
}

/// A type that rows cannot have.
pub(crate) fn malformed(reason: impl Into<String>) -> Failure {
    Failure::new(FailureCode::MalformedPlan, reason)
}

/// The type that a part of `sql` must have.
fn required<'a>(part: Option<&'a SqlType>, path: &str) -> Result<&'a SqlType, Failure> {
    part.ok_or_else(|| Failure { field_path: path.into(), ..malformed("a type is incomplete") })
}

type Array = ArrayDataBuilder;
