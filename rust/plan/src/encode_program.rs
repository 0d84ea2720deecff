//! Encode programs: what the encoder writes for each column, all policy resolved.
//!
//! ```text
//! EncodeProgram ── messages[] ── ops[]      one per column, by descending field number
//!        │             └──────── choices[]  oneofs that more than one column can set
//!        ├──── lists[], maps[], enums[]
//! ```
//! Records are written from their end to their beginning, so the length of a message is known when it
//! has to be written, and nothing is moved. That is why operations stand in descending order.
//!
//! A *cell* is where a value stands: eight bytes of a row's fixed part, or an element of an array. An
//! operation says which cell of its message it takes: the slot of a row, the key or value of a map's
//! entry, or the one cell that a wrapper has.

mod row_op;

use sluice_wire::{Tag, WireType};

use crate::number_names::NumberNames;
use crate::{Failure, Limits, Plan, compile_encode, proto};
pub use row_op::{RowOp, RowStep};

/// Immutable tables that drive the encoder. `Send + Sync`; shared by `Arc`.
#[derive(Debug)]
pub struct EncodeProgram {
    /// Messages, each for one ROW or other value of the table.
    pub messages: Vec<EncodeMessage>,
    /// Arrays.
    pub lists: Vec<EncodeList>,
    /// Maps.
    pub maps: Vec<EncodeMap>,
    /// Enums that are written by name or must be known.
    pub enums: Vec<NumberNames>,
    /// The message of the table row.
    pub root: u32,
    /// FLINK: the text in place of a NULL in a collection.
    pub null_text: Box<[u8]>,
    pub(crate) limits: Limits,
}

impl EncodeProgram {
    /// Compiles the plan's row against `schema.messages[schema.root]`. Refused by name: a column
    /// without a field, a pair of types that cannot be written, a required field without a column.
    pub fn compile(plan: &Plan, schema: &proto::ResolvedSchema) -> Result<EncodeProgram, Failure> {
        compile_encode::program(plan, schema)
    }

    /// Full name of the root message.
    pub fn message_name(&self) -> &str {
        &self.messages[self.root as usize].name
    }

    /// The plan's limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

/// How one message is written.
#[derive(Debug)]
pub struct EncodeMessage {
    /// Full name of the message.
    pub name: String,
    /// By descending field number.
    pub ops: Vec<EncodeOp>,
    /// The same, for a row.
    pub row_ops: Vec<RowOp>,
    /// Oneofs of which more than one column sets members.
    pub choices: Vec<Choice>,
    /// Field names by `EncodeOp::field`.
    pub fields: Vec<String>,
    /// Bytes of a row's fixed part, if the message is written from a row.
    pub fixed_len: usize,
    /// FLINK: a required field that no column sets, so that no such message can be written.
    pub lacks: Option<u32>,
}

/// A tag as it is stored: its bytes at the upper end of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredTag {
    /// The bytes of the tag, the last one in the highest byte.
    pub word: u64,
    /// How many they are.
    pub len: u8,
}

impl StoredTag {
    /// No tag.
    pub const NONE: StoredTag = StoredTag { word: 0, len: 0 };

    /// The shortest encoding of `tag`.
    pub fn new(tag: Tag) -> StoredTag {
        let (mut rest, mut word, mut len) = (u64::from(tag.0), 0u64, 0u8);
        loop {
            let more = u64::from(rest > 0x7f) << 7;
            word = word >> 8 | (rest & 0x7f | more) << 56;
            len += 1;
            rest >>= 7;
            if rest == 0 {
                return StoredTag { word, len };
            }
        }
    }
}

/// Where the cell of an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Index of the column; key and value of an entry are 0 and 1.
    pub column: u32,
    /// Offset of the column's slot in a row.
    pub slot: u32,
}

impl Place {
    /// Column `at` of a row with `columns` columns.
    pub fn of(at: usize, columns: usize) -> Place {
        let header = (columns + 8).div_ceil(64) * 8;
        Place { column: at as u32, slot: (header + 8 * at) as u32 }
    }
}

/// What to write for one column.
#[derive(Debug, Clone)]
pub struct EncodeOp {
    /// The tag in front of the value; of a packed field, that of the whole run.
    pub tag: StoredTag,
    /// The tag behind a group; without bytes for all else.
    pub end: StoredTag,
    /// Where the value stands.
    pub place: Place,
    /// How it is written.
    pub value: EncodeValue,
    /// Written even if it is the default: the field has presence, or belongs to a map's entry.
    pub keep_default: bool,
    /// What a NULL does.
    pub null: OnNull,
    /// 1 + index into `EncodeMessage::choices`, or 0.
    pub choice: u32,
    /// FLINK: a member whose message may lack a required field, for which the record is refused also
    /// where another member is written.
    pub checked: bool,
    /// Index into `EncodeMessage::fields`.
    pub field: u32,
}

/// What happens to a NULL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnNull {
    /// The field is not written.
    Unset,
    /// The record is refused: a required field.
    Required,
    /// The record is refused: NULL has no form here.
    Refuse,
    /// The default of the type is written (FLINK, collections).
    Default,
    /// A wrapper without a value is written.
    Empty,
}

/// A oneof of which more than one column can set a member. The last column in table order wins that
/// is not NULL; inside the ROW of a oneof the first one.
#[derive(Debug)]
pub struct Choice {
    /// In table order.
    pub columns: Vec<ChoiceColumn>,
}

impl Choice {
    /// The operations whose values stand in the ROW of a oneof.
    fn in_rows(&self) -> impl Iterator<Item = u32> {
        self.columns
            .iter()
            .flat_map(|column| match column {
                ChoiceColumn::Member { .. } => &[],
                ChoiceColumn::Row { members, .. } => &members[..],
            })
            .map(|(_, op)| *op)
    }
}

/// A column that sets members of a oneof.
#[derive(Debug)]
pub enum ChoiceColumn {
    /// One member.
    Member {
        /// Index of the operation.
        op: u32,
    },
    /// The ROW of a oneof's members.
    Row {
        /// Where the ROW stands.
        place: Place,
        /// Bytes of its fixed part.
        fixed_len: usize,
        /// Place in the ROW and index of the operation, in the order of its columns.
        members: Vec<(Place, u32)>,
    },
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodeValue {
    /// A number.
    Number(WrittenNumber),
    /// Text; what is malformed in it is replaced as the JDK does.
    Text,
    /// Bytes; also those of a message that is not looked into.
    Bytes,
    /// DECIMAL(20, 0) as 64 unsigned bits.
    UnsignedDecimal {
        /// fixed64 instead of uint64.
        fixed: bool,
    },
    /// The number of an enum's name.
    EnumName {
        /// Index into `enums`.
        names: u32,
    },
    /// The number of an enum.
    EnumNumber {
        /// Index into `enums`.
        names: u32,
        /// How wide the number is.
        width: u8,
        /// Numbers that the enum lacks are refused, or replaced in FLINK.
        closed: bool,
    },
    /// A ROW.
    Message {
        /// Index into `messages`.
        message: u32,
    },
    /// The value itself is the field `value` of a message.
    Wrapped {
        /// Index into `messages`.
        message: u32,
    },
    /// TIMESTAMP or TIMESTAMP_LTZ.
    Timestamp {
        /// Message of (seconds BIGINT, nanos INT).
        message: u32,
        /// Precision up to 3: the slot holds the milliseconds.
        compact: bool,
    },
    /// DATE.
    Date {
        /// Message of (year INT, month INT, day INT).
        message: u32,
    },
    /// TIME.
    Time {
        /// Message of (hours INT, minutes INT, seconds INT, nanos INT).
        message: u32,
    },
    /// DECIMAL.
    Decimal {
        /// Message of (value BYTES, scale INT, precision BIGINT).
        message: u32,
        /// Precision up to 18: the slot holds the unscaled number.
        compact: bool,
        /// Digits behind the point.
        scale: u8,
    },
    /// ARRAY.
    List {
        /// Index into `lists`.
        list: u32,
    },
    /// MAP or MULTISET.
    Map {
        /// Index into `maps`.
        map: u32,
    },
}

/// An array as a repeated field.
#[derive(Debug)]
pub struct EncodeList {
    /// How an element is written; with a tag each unless `packed`.
    pub element: EncodeOp,
    /// All elements in one run behind the tag of the field.
    pub packed: bool,
    /// Bytes of an element.
    pub width: u8,
    /// The usual elements have steps of their own.
    pub step: RowStep,
}

/// A map as a repeated message.
#[derive(Debug)]
pub struct EncodeMap {
    /// The message of one entry: columns key and value.
    pub entry: u32,
    /// Bytes of a key in the key array.
    pub key_width: u8,
    /// Bytes of a value in the value array.
    pub value_width: u8,
    /// FLINK: the order of a `HashMap` over the keys.
    pub java_key: Option<BoxedKey>,
    /// FLINK: values may lack a required field, for which the record is refused also where a later
    /// entry replaces them.
    pub checked: bool,
    /// An entry is two texts or bytes, the value before the key.
    pub is_text: bool,
}

/// The class of a key in the `HashMap` that Flink's own format copies a map into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxedKey {
    /// `String`
    Text,
    /// `Integer`
    Integer,
    /// `Long`
    Long,
    /// `Boolean`
    Boolean,
}

/// How a number in a cell becomes a number on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrittenNumber {
    /// INT as int32: sign-extended.
    Int32,
    /// BIGINT as int64 or uint64.
    Int64,
    /// INT as uint32: the same 32 bits.
    UInt32,
    /// INT as sint32.
    SInt32,
    /// BIGINT as sint64.
    SInt64,
    /// BOOLEAN.
    Bool,
    /// 32 bits as they are: FLOAT; INT as fixed32 or sfixed32.
    Fixed32,
    /// 64 bits as they are.
    Fixed64,
    /// SMALLINT as int32.
    Int16,
    /// TINYINT as int32.
    Int8,
    /// SMALLINT as sint32.
    SInt16,
    /// TINYINT as sint32.
    SInt8,
    /// SMALLINT as sfixed32.
    Fixed16,
    /// TINYINT as sfixed32.
    Fixed8,
    /// BIGINT as int32; refused if it does not fit.
    Int64AsInt32,
    /// BIGINT as sint32; refused if it does not fit.
    Int64AsSInt32,
    /// BIGINT as uint32: the low 32 bits (E5), unless the others are more than a sign.
    Int64AsUInt32,
    /// BIGINT as fixed32 or sfixed32, likewise.
    Int64AsFixed32,
    /// DOUBLE as float; refused if a finite number becomes infinite.
    DoubleAsFloat,
}

impl WrittenNumber {
    /// The wire type of one value.
    pub fn wire_type(self) -> WireType {
        match self {
            WrittenNumber::Fixed64 => WireType::Fixed64,
            WrittenNumber::Fixed32
            | WrittenNumber::Fixed16
            | WrittenNumber::Fixed8
            | WrittenNumber::Int64AsFixed32
            | WrittenNumber::DoubleAsFloat => WireType::Fixed32,
            _ => WireType::Varint,
        }
    }

    /// From the eight bytes that begin at the cell to the 64 bits of a varint, or the bytes of a
    /// fixed value; `None` if the number does not fit.
    #[inline(always)]
    pub fn raw(self, cell: u64) -> Option<u64> {
        let (int, short, byte) = (cell as i32, i32::from(cell as i16), i32::from(cell as i8));
        let zigzag = |value: i32| u64::from((value << 1 ^ value >> 31) as u32);
        Some(match self {
            WrittenNumber::Int32 => i64::from(int) as u64,
            WrittenNumber::Int64 | WrittenNumber::Fixed64 => cell,
            WrittenNumber::UInt32 | WrittenNumber::Fixed32 => u64::from(cell as u32),
            WrittenNumber::SInt32 => zigzag(int),
            WrittenNumber::SInt64 => ((cell as i64) << 1 ^ (cell as i64) >> 63) as u64,
            WrittenNumber::Bool => u64::from(cell as u8 != 0),
            WrittenNumber::Int16 => i64::from(short) as u64,
            WrittenNumber::Int8 => i64::from(byte) as u64,
            WrittenNumber::SInt16 => zigzag(short),
            WrittenNumber::SInt8 => zigzag(byte),
            WrittenNumber::Fixed16 => u64::from(short as u32),
            WrittenNumber::Fixed8 => u64::from(byte as u32),
            WrittenNumber::Int64AsInt32 => i64::from(i32::try_from(cell as i64).ok()?) as u64,
            WrittenNumber::Int64AsSInt32 => zigzag(i32::try_from(cell as i64).ok()?),
            WrittenNumber::Int64AsUInt32 | WrittenNumber::Int64AsFixed32 => {
                let whole = i64::from(i32::MIN)..=i64::from(u32::MAX);
                whole.contains(&(cell as i64)).then_some(u64::from(cell as u32))?
            }
            WrittenNumber::DoubleAsFloat => {
                let wide = f64::from_bits(cell);
                let narrow = wide as f32;
                if narrow.is_infinite() && wide.is_finite() {
                    return None;
                }
                u64::from(narrow.to_bits())
            }
        })
    }
}
