//! Tags: field number and wire type in one number.

/// How a value is laid out on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WireType {
    /// 1 to 10 bytes of 7 bits.
    Varint = 0,
    /// 8 bytes.
    Fixed64 = 1,
    /// A length and so many bytes.
    Length = 2,
    /// Fields up to the matching end.
    StartGroup = 3,
    /// The end of a group.
    EndGroup = 4,
    /// 4 bytes.
    Fixed32 = 5,
}

/// A tag as read from the wire: field number in the upper 29 bits, wire type in the lower 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u32);

impl Tag {
    /// The tag of a field.
    pub const fn new(number: u32, wire_type: WireType) -> Tag {
        Tag(number << 3 | wire_type as u32)
    }

    /// The field number.
    #[inline(always)]
    pub const fn number(self) -> u32 {
        self.0 >> 3
    }

    /// The wire type; `None` for 6 and 7.
    #[inline(always)]
    pub const fn wire_type(self) -> Option<WireType> {
        Some(match self.0 & 7 {
            0 => WireType::Varint,
            1 => WireType::Fixed64,
            2 => WireType::Length,
            3 => WireType::StartGroup,
            4 => WireType::EndGroup,
            5 => WireType::Fixed32,
            _ => return None,
        })
    }

    /// The tag that ends the group which this tag starts.
    #[inline(always)]
    pub const fn group_end(self) -> Tag {
        Tag(self.0 & !7 | WireType::EndGroup as u32)
    }

    /// The tag's shortest encoding: its bytes, little-endian, and their count (1 to 5).
    pub const fn encoding(self) -> (u64, usize) {
        let (mut bytes, mut len, mut rest) = (0, 0, self.0 as u64);
        loop {
            let more = if rest > 0x7f { 0x80 } else { 0 };
            bytes |= (rest & 0x7f | more) << (8 * len);
            len += 1;
            rest >>= 7;
            if rest == 0 {
                return (bytes, len);
            }
        }
    }
}
