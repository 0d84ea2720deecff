//! Numbers: from the wire to a slot or an array element.

use sluice_wire::WireType;

/// How a number on the wire becomes the number in a slot or array element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Number {
    /// int32 as INT; uint32 as BIGINT, zero-extended; an enum's number.
    Int32,
    /// int64 and uint64 as BIGINT.
    Int64,
    /// sint32 as INT.
    SInt32,
    /// sint64 as BIGINT.
    SInt64,
    /// bool as BOOLEAN.
    Bool,
    /// int32 as BIGINT.
    Int32AsInt64,
    /// sint32 as BIGINT.
    SInt32AsInt64,
    /// int32 as SMALLINT: the low 16 bits.
    Int32AsInt16,
    /// int32 as TINYINT: the low 8 bits.
    Int32AsInt8,
    /// sint32 as SMALLINT.
    SInt32AsInt16,
    /// sint32 as TINYINT.
    SInt32AsInt8,
    /// sfixed32 as INT, fixed32 as BIGINT, float as FLOAT: 4 bytes as they are.
    Fixed32,
    /// 8 bytes as they are.
    Fixed64,
    /// sfixed32 as BIGINT.
    Fixed32AsInt64,
    /// sfixed32 as SMALLINT.
    Fixed32AsInt16,
    /// sfixed32 as TINYINT.
    Fixed32AsInt8,
    /// float as DOUBLE.
    FloatAsDouble,
}

impl Number {
    /// The number of an `OtherNumber` step.
    pub fn from_detail(detail: u32) -> Number {
        const OTHER: [Number; 10] = [
            Number::Int32AsInt64,
            Number::SInt32AsInt64,
            Number::Int32AsInt16,
            Number::Int32AsInt8,
            Number::SInt32AsInt16,
            Number::SInt32AsInt8,
            Number::Fixed32AsInt64,
            Number::Fixed32AsInt16,
            Number::Fixed32AsInt8,
            Number::FloatAsDouble,
        ];
        let found = OTHER.iter().find(|number| **number as u32 == detail);
        *found.expect("the compiler made the detail of a number")
    }

    /// The number that stores the undecoded bits from which `value` makes this one.
    pub fn undecoded(self) -> Number {
        match self.wire_type() {
            WireType::Fixed32 => Number::Fixed32,
            WireType::Fixed64 => Number::Fixed64,
            _ => Number::Int64,
        }
    }

    /// The wire type of one value.
    pub fn wire_type(self) -> WireType {
        match self {
            Number::Fixed64 => WireType::Fixed64,
            Number::Fixed32
            | Number::Fixed32AsInt64
            | Number::Fixed32AsInt16
            | Number::Fixed32AsInt8
            | Number::FloatAsDouble => WireType::Fixed32,
            _ => WireType::Varint,
        }
    }

    /// The slot value for `raw`, the 64 bits of a varint or the bytes of a fixed value.
    #[inline(always)]
    pub fn value(self, raw: u64) -> u64 {
        let low = raw as u32; // protobuf-java cuts numbers that are too wide
        let zigzag = (low >> 1) ^ (low & 1).wrapping_neg();
        match self {
            Number::Int32 | Number::Fixed32 => u64::from(low),
            Number::Int64 | Number::Fixed64 => raw,
            Number::SInt32 => u64::from(zigzag),
            Number::SInt64 => (raw >> 1) ^ (raw & 1).wrapping_neg(),
            Number::Bool => u64::from(raw != 0),
            Number::Int32AsInt64 | Number::Fixed32AsInt64 => i64::from(low as i32) as u64,
            Number::SInt32AsInt64 => i64::from(zigzag as i32) as u64,
            Number::Int32AsInt16 | Number::Fixed32AsInt16 => u64::from(low as u16),
            Number::Int32AsInt8 | Number::Fixed32AsInt8 => u64::from(low as u8),
            Number::SInt32AsInt16 => u64::from(zigzag as u16),
            Number::SInt32AsInt8 => u64::from(zigzag as u8),
            Number::FloatAsDouble => f64::from(f32::from_bits(low)).to_bits(),
        }
    }
}
