//! Arrow columns as row images: what the encoder reads.
//!
//! ```text
//! bind   array × SQL type -> Source, once for a batch: downcast, names matched, kinds looked up
//! write  row number -> bytes of one row, as the decoder would have made them
//! ```
//! Arrays may be sliced and may come from anywhere; what is bound are arrow-rs's checked views of them,
//! so indexes stay inside by its promises and an offset is never negative.

mod bind;
pub(crate) mod write;

use arrow_array::ArrayRef;
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::TimeUnit;
use sluice_plan::FailureCode;

pub(crate) use bind::bind_row;

/// A column that rows are read from.
#[derive(Debug)]
pub(crate) struct Source {
    name: String,
    nulls: Option<NullBuffer>,
    values: Values,
}

/// Values by the form that they get in an image.
#[derive(Debug)]
enum Values {
    Booleans(BooleanBuffer),
    /// One to eight bytes each.
    Fixed(Buffer, usize),
    /// Any unit, as milliseconds of the day.
    Times(Times, TimeUnit),
    Decimals(ScalarBuffer<i128>, bool),
    Moments(ScalarBuffer<i64>, MomentForm),
    Octets(Ends, Buffer),
    FixedOctets(Buffer, usize),
    /// Keys of any width, and what they stand for.
    Names(ArrayRef, Box<Source>),
    List(Ends, Box<Source>, usize),
    Map(Ends, [Box<Source>; 2], [usize; 2]),
    Struct(Vec<Source>),
}

#[derive(Debug)]
enum Times {
    Short(ScalarBuffer<i32>),
    Long(ScalarBuffer<i64>),
}

/// How a TIMESTAMP stands in an image.
#[derive(Debug, Clone, Copy)]
struct MomentForm {
    unit: TimeUnit,
    /// The milliseconds stand in the cell, and there is nothing below them.
    compact: bool,
    /// Nanoseconds are cut to a multiple of this.
    nanos_unit: i64,
}

/// Where values begin and end, as offsets of either width.
#[derive(Debug)]
enum Ends {
    Small(ScalarBuffer<i32>),
    Large(ScalarBuffer<i64>),
}

/// Why a row has no image.
#[derive(Debug)]
pub(crate) struct Fault {
    pub code: FailureCode,
    /// Innermost name first.
    pub trail: Vec<String>,
}

impl Fault {
    #[cold]
    fn new(code: FailureCode) -> Fault {
        Fault { code, trail: Vec::new() }
    }

    #[cold]
    fn inside(mut self, name: impl Into<String>) -> Fault {
        self.trail.push(name.into());
        self
    }

    /// Names from the root, `line[].sku`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for name in self.trail.iter().rev() {
            if !path.is_empty() && name != "[]" {
                path.push('.');
            }
            path.push_str(name);
        }
        path
    }
}
