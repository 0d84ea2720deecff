//! Arrays and maps.

use super::{Absent, Emit, Number};

/// An array: `width` bytes for each element.
#[derive(Debug)]
pub struct ArrayProgram {
    /// What an element is made of.
    pub element: Element,
    /// 1, 2, 4 or 8.
    pub width: u8,
    /// FLOAT or DOUBLE: Flink's array writer turns every NaN into the canonical one.
    pub canonical_nan: bool,
    /// An element that turns out to be NULL refuses the record.
    pub not_null: bool,
}

/// What an element is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// The pieces are runs of numbers.
    Number(Number),
    /// The pieces are runs of numbers that are not yet the value: enums, unsigned decimals.
    Emitted {
        /// From the wire to the raw value.
        number: Number,
        /// From the raw value to the element.
        emit: Emit,
        /// A closed enum: numbers that it lacks are dropped.
        closed: Option<u32>,
    },
    /// Each piece is one element.
    Piece(Emit),
}

/// A map: entries with the same key are one, the last value at the first place.
#[derive(Debug)]
pub struct MapProgram {
    /// Row program of (key, value).
    pub entry: u32,
    /// The key.
    pub key: MapSide,
    /// The value.
    pub value: MapSide,
    /// How keys are compared.
    pub key_form: KeyForm,
    /// The entries' order.
    pub order: EntryOrder,
    /// Key or value is a oneof, read as the ROW of its active member.
    pub has_oneofs: bool,
    /// What is run over values that a later entry replaces.
    pub replaced: Replaced,
    /// Required fields of replaced values are asked for (CONFLUENT: DynamicMessage keeps them).
    pub replaced_count: bool,
    /// An entry without value is refused, for its value has required fields; asked once replaced
    /// entries are gone (FLINK).
    pub value_required: bool,
    /// Values are numbers of this closed enum, and entries with others are dropped (FLINK).
    pub known: Option<u32>,
    /// Keys and values are texts or bytes, and nothing is asked of an entry that has both.
    pub is_text: bool,
}

/// What is run over a value that a later entry replaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// Nothing: it is no message, or nobody looks into it.
    Nothing,
    /// This check program: the value is a message.
    Message(u32),
    /// This check program for each message of a repeated field.
    Messages(u32),
    /// What the active member of the oneof says.
    Chosen,
}

/// In which order the entries of a map stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryOrder {
    /// As their keys came first.
    FirstSeen,
    /// As `java.util.HashMap` iterates over such keys, put in the order in which they came first.
    HashMap(JavaKey),
}

/// The class that Flink's own format gives to a map key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JavaKey {
    /// `BinaryStringData`
    Text,
    /// `Integer`
    Integer,
    /// `Long`
    Long,
    /// `Boolean`
    Boolean,
}

/// What makes two keys of a map equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyForm {
    /// The raw values.
    Number,
    /// The viewed bytes.
    View,
    /// The bytes that the key has in the row.
    Image,
}

/// Key or value of a map.
#[derive(Debug)]
pub struct MapSide {
    /// How the raw value becomes an element.
    pub emit: Emit,
    /// What an entry without it holds.
    pub absent: Absent,
    /// Bytes of one element.
    pub width: u8,
    /// FLOAT or DOUBLE, as in arrays.
    pub canonical_nan: bool,
    /// As in arrays.
    pub not_null: bool,
}
