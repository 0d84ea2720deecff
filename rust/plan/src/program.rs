//! Programs: what the decoder does for each field, all policy resolved.
//!
//! ```text
//! Program ── messages[] ── ops[]      one per way a field can come over the wire, by tag
//!    │            ├─────── columns[]  what goes to the variable part, in column order
//!    │            └─────── oneofs[], moves[], required, tracked
//!    ├────── arrays[], maps[], oneof_rows[], enums[]
//! ```
//! There are two kinds of message program. A *row program* belongs to one ROW of the table and fills
//! its slots. A *check program* belongs to a message that no column asks for; it fills nothing, but
//! refuses what protobuf-java would refuse (malformed values, invalid UTF-8, absent required
//! fields). Check programs are shared by all places where the message occurs, so recursion is finite.
//!
//! Slots. The scan stores fixed values as they stand in the row, and for everything else a *raw*
//! value that the gather turns into the row's: a view (offset and length in the record), an enum
//! number, or a list of pieces (spans of the record). Behind the row's slots stand hidden ones: for
//! unselected messages whose required fields must be checked when all their pieces are known, and
//! for members of a oneof that is read as one ROW.
//!
//! Every field that matters has a presence bit. The bit of column `i` is `8 + i`, where Flink's row
//! header has its null bit; further bits follow. Up to 64 bits fit one word (`!is_wide`).

mod append;
mod collections;
mod number;
mod oneof;
mod scatter;

pub use append::{AppendOp, AppendProgram, AppendStep, NO_COLUMN};
pub use collections::{
    ArrayProgram, Element, EntryOrder, JavaKey, KeyForm, MapProgram, MapSide, Replaced,
};
pub use number::Number;
pub use oneof::{Move, OneofMember, OneofProgram, OneofRow};
pub use scatter::{ScatterColumn, ScatterEmit, ScatterForm, ScatterOp, ScatterProgram};

use crate::enum_names::EnumNames;
use crate::tag_table::TagTable;
use crate::{Failure, Limits, Plan, compile, proto};
use sluice_wire::Tag;

/// Immutable tables that drive the decoder. `Send + Sync`; shared by `Arc`.
#[derive(Debug)]
pub struct Program {
    /// Row and check programs.
    pub messages: Vec<MessageProgram>,
    /// Array columns and array elements of others.
    pub arrays: Vec<ArrayProgram>,
    /// Map columns and map elements of others.
    pub maps: Vec<MapProgram>,
    /// Values of oneofs that are read as one ROW, for each member.
    pub oneof_rows: Vec<OneofRow>,
    /// Enums that are read as names or must be known.
    pub enums: Vec<EnumNames>,
    /// The row program of the table row.
    pub root: u32,
    pub(crate) limits: Limits,
    pub(crate) missing_columns: Vec<String>,
    pub(crate) id: u64,
}

impl Program {
    /// Compiles the plan's row against `schema.messages[schema.root]`.
    pub fn compile(plan: &Plan, schema: &proto::ResolvedSchema) -> Result<Program, Failure> {
        compile::program(plan, schema)
    }

    /// Paths of the columns for which the writer schema has no field; they are NULL.
    pub fn missing_columns(&self) -> &[String] {
        &self.missing_columns
    }

    /// Full name of the root message.
    pub fn message_name(&self) -> &str {
        &self.messages[self.root as usize].name
    }

    /// A number that no other program of the process has, for what is kept per program.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The plan's limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

/// A presence bit; the one with an empty mask stands for "not remembered".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bit {
    /// The bit inside its word.
    pub mask: u64,
    /// Index of the word.
    pub word: u32,
}

impl Bit {
    /// Nothing is remembered.
    pub const NONE: Bit = Bit { mask: 0, word: 0 };

    /// Bit number `at`.
    pub fn at(at: usize) -> Bit {
        Bit { mask: 1 << (at % 64), word: (at / 64) as u32 }
    }
}

/// What one message becomes.
#[derive(Debug)]
pub struct MessageProgram {
    /// Full name of the message.
    pub name: String,
    /// Operations: the declared form of each field by number, then other forms, then a sentinel
    /// that no tag matches.
    pub ops: Vec<FieldOp>,
    /// From tag to operation.
    pub tags: TagTable,
    /// The slots before any field has been seen: header, row slots, hidden slots.
    pub template: Vec<u8>,
    /// Header and row slots; 0 in a check program.
    pub fixed_len: usize,
    /// More than 64 presence bits.
    pub is_wide: bool,
    /// Words of presence bits.
    pub presence_words: usize,
    /// Bits whose absence makes the column NULL; as many words as the row header has.
    pub null_if_absent: Vec<u64>,
    /// Bits of required fields; as many words as there are presence words.
    pub required: Vec<u64>,
    /// Bits of columns that must not be NULL; as many words as there are presence words.
    pub not_null: Vec<u64>,
    /// What is gathered into the variable part, in column order.
    pub columns: Vec<VarColumn>,
    /// Unselected messages that hold required fields.
    pub tracked: Vec<Tracked>,
    /// Oneofs that have an effect.
    pub oneofs: Vec<OneofProgram>,
    /// Hidden slots to columns, when all fields are known and before anything is gathered.
    pub moves: Vec<Move>,
    /// Field names by `FieldOp::field`.
    pub fields: Vec<String>,
    /// Names behind `required` and `not_null`, for refusals.
    pub names: Vec<(Bit, String)>,
    /// The way for fields that come in column order, if there is one.
    pub append: Option<AppendProgram>,
}

/// What to do with one field in one wire form. One cache line.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct FieldOp {
    /// The first bytes of the tag; with `tag_mask`, the prediction is one compare.
    pub tag_bytes: u32,
    /// Which of 4 bytes belong to the tag; 0 with `tag_bytes` 1 never matches.
    pub tag_mask: u32,
    /// Length of the tag's shortest encoding.
    pub tag_len: u8,
    /// What to do.
    pub step: Step,
    /// The field takes any number of values.
    pub repeated: bool,
    /// The tag itself.
    pub tag: Tag,
    /// The field's presence bit.
    pub bit: Bit,
    /// Offset of the slot.
    pub slot: u32,
    /// The operation expected after this one.
    pub next: u32,
    /// Index of a check program or an enum, as `step` says.
    pub detail: u32,
    /// 1 + index into `MessageProgram::oneofs`, or 0.
    pub oneof: u32,
    /// Index into `fields`.
    pub field: u32,
}

const _: () = assert!(std::mem::size_of::<FieldOp>() == 64);

/// What the scan does with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Stores `Number::Int32`. The usual numbers have steps of their own: one jump instead of two.
    Int32,
    /// Stores `Number::Int64`.
    Int64,
    /// Stores `Number::SInt32`.
    SInt32,
    /// Stores `Number::SInt64`.
    SInt64,
    /// Stores `Number::Bool`.
    Bool,
    /// Stores `Number::Fixed32`.
    Fixed32,
    /// Stores `Number::Fixed64`.
    Fixed64,
    /// Stores any other number, `detail` as `Number::from_detail` reads it.
    OtherNumber,
    /// Stores the number of a closed enum if the enum `detail` has it; else the field is unknown.
    ClosedEnum,
    /// Stores a view of bytes.
    View,
    /// Stores a view of bytes that must be valid UTF-8.
    StrictView,
    /// Adds a length-delimited span to the slot's pieces.
    Piece,
    /// Adds a length-delimited span that must be valid UTF-8 to the slot's pieces.
    StrictPiece,
    /// Adds the inside of a group to the slot's pieces.
    GroupPiece,
    /// Adds the bytes of one varint to the slot's pieces.
    VarintPiece,
    /// Adds 4 bytes to the slot's pieces.
    Fixed32Piece,
    /// Adds 8 bytes to the slot's pieces.
    Fixed64Piece,
    /// Discards a varint.
    SkipVarint,
    /// Discards 4 bytes.
    SkipFixed32,
    /// Discards 8 bytes.
    SkipFixed64,
    /// Discards length-delimited bytes.
    SkipLength,
    /// Discards the number of a closed enum; a number the enum lacks does not count as present.
    CheckClosedEnum,
    /// Discards bytes that must be valid UTF-8.
    CheckText,
    /// Discards a message after running check program `detail`.
    CheckMessage,
    /// Discards a group after running check program `detail`.
    CheckGroup,
    /// Discards a packed run of varints.
    CheckVarints,
    /// Discards a packed run of 4-byte values.
    CheckFixed32s,
    /// Discards a packed run of 8-byte values.
    CheckFixed64s,
    /// Never reached.
    Sentinel,
}

impl Step {
    /// The step that stores `number`, and its `detail`.
    pub fn of_number(number: Number) -> (Step, u32) {
        let step = match number {
            Number::Int32 => Step::Int32,
            Number::Int64 => Step::Int64,
            Number::SInt32 => Step::SInt32,
            Number::SInt64 => Step::SInt64,
            Number::Bool => Step::Bool,
            Number::Fixed32 => Step::Fixed32,
            Number::Fixed64 => Step::Fixed64,
            _ => Step::OtherNumber,
        };
        (step, number as u32)
    }
}

/// A column whose value the gather makes.
#[derive(Debug)]
pub struct VarColumn {
    /// Offset of the slot.
    pub slot: u32,
    /// The column's presence bit.
    pub bit: Bit,
    /// How the raw value becomes the row's.
    pub emit: Emit,
    /// What stands there when the bit is not set.
    pub absent: Absent,
    /// Index into `fields`.
    pub field: u32,
    /// The field takes any number of values.
    pub repeated: bool,
    /// A collection without elements is NULL (FLINK).
    pub null_if_empty: bool,
    /// A value that turns out to be NULL refuses the record.
    pub not_null: bool,
}

/// How a raw value becomes a value of the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Emit {
    /// The raw value is the value (elements only; such columns need no gathering).
    Fixed,
    /// The viewed bytes: valid text, or BYTES.
    Bytes,
    /// The viewed bytes as text, with what is malformed replaced as the JDK does.
    LenientText,
    /// The name of the number in the slot.
    EnumName {
        /// Index into `enums`.
        names: u32,
    },
    /// The number itself if the enum has it; else the record is refused.
    EnumNumber {
        /// Index into `enums`.
        names: u32,
        /// From the number in the slot to the number in the row.
        number: Number,
    },
    /// The pieces of one message as a nested row.
    Row {
        /// Row program.
        message: u32,
    },
    /// Runs of values, or one piece for each element.
    Array {
        /// Index into `arrays`.
        array: u32,
    },
    /// One piece for each entry.
    Map {
        /// Index into `maps`.
        map: u32,
    },
    /// The active member of a oneof as a row with this one value.
    Oneof {
        /// Index into `oneof_rows`.
        row: u32,
    },
    /// The active member of a oneof that is a key or value of a map. The raw value tells where the
    /// choice stands: which member, and its own raw value.
    Chosen,
    /// The pieces of a `google.protobuf.Timestamp`.
    Timestamp {
        /// Row program of (seconds BIGINT, nanos INT).
        message: u32,
        /// Nanoseconds are cut to a multiple of this.
        nanos_unit: u32,
        /// Precision up to 3: the slot holds the milliseconds.
        compact: bool,
    },
    /// The unsigned 64 bits in the slot as DECIMAL(20, 0).
    UnsignedDecimal,
    /// The single column of a message, a wrapper's value; NULL where that column is.
    Wrapped {
        /// Row program with one column.
        message: u32,
    },
    /// The bytes of all pieces of a message, which is not looked into.
    Opaque,
    /// The pieces of a `google.type.Date`.
    Date {
        /// Row program of (year INT, month INT, day INT).
        message: u32,
    },
    /// The pieces of a `google.type.TimeOfDay`.
    Time {
        /// Row program of (hours INT, minutes INT, seconds INT, nanos INT).
        message: u32,
        /// Milliseconds are cut to a multiple of this.
        millis_unit: u32,
    },
    /// The pieces of a `confluent.type.Decimal`; NULL where the number has too many digits.
    Decimal {
        /// Row program of (value BYTES, scale INT, precision BIGINT).
        message: u32,
        /// Digits of the column, at most 38.
        precision: u8,
        /// Digits behind the point.
        scale: u8,
    },
}

impl Emit {
    /// Whether a value that is present can turn out to be NULL.
    pub fn may_be_null(self) -> bool {
        matches!(self, Emit::Wrapped { .. } | Emit::Decimal { .. })
    }
}

/// What an absent column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absent {
    /// NULL; the template's zero.
    Null,
    /// The raw value of the template, emitted like any other.
    Raw,
    /// These bytes as a string.
    Text(Box<[u8]>),
    /// These bytes of the variable part: an empty collection.
    Constant(&'static [u8]),
    /// What a message without fields gives; its required fields are not asked for.
    NoPieces,
}

/// An unselected message whose required fields are checked once its pieces are known.
#[derive(Debug)]
pub struct Tracked {
    /// Offset of the hidden slot.
    pub slot: u32,
    /// The field's presence bit.
    pub bit: Bit,
    /// What to run over the pieces.
    pub check: Check,
    /// Index into `fields`.
    pub field: u32,
}

/// What is run over the pieces of a tracked field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// This check program.
    Message(u32),
    /// The check program of the values of this map; of those that stay (FLINK).
    Values(u32),
}
