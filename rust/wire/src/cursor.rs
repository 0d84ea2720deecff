//! Reading position inside one message.
//!
//! Words are loaded whole: up to 10 bytes behind the end may be looked at, never used. `new` proves
//! that they are there. A cursor is three machine words: hand it to calls that are not inlined by
//! value, a `&mut` into one forces it out of the registers.
//!
//! Numbers are read as protobuf-java 3 and 4 read them (`docs/decisions`): tags and lengths are the
//! low 32 bits of a varint, and a varint of 10 bytes always has bit 63 set, whatever its last byte.

use crate::{SLACK, Tag, WireError, WireType};

/// Not consumed bytes `at..end` of a slab, with `SLACK` readable bytes behind `end`.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a> {
    slab: &'a [u8],
    at: usize,
    end: usize,
}

const _: () = assert!(SLACK >= 16);

/// The high bit of every byte: set where a varint goes on.
const GOES_ON: u64 = 0x8080_8080_8080_8080;

impl<'a> Cursor<'a> {
    /// Bytes `at..end` of `slab`; `None` unless they and `SLACK` bytes behind them are there.
    #[inline(always)]
    pub fn new(slab: &'a [u8], at: usize, end: usize) -> Option<Cursor<'a>> {
        let fits = at <= end && end <= slab.len() && slab.len() - end >= SLACK;
        fits.then_some(Cursor { slab, at, end })
    }

    /// Offset of the next byte in the slab.
    #[inline(always)]
    pub fn at(&self) -> usize {
        self.at
    }

    /// Offset behind the last byte of the message.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.end
    }

    /// The next byte and the end, as pointers into the slab.
    #[inline(always)]
    pub(crate) fn place(&self) -> (*const u8, *const u8) {
        debug_assert!(self.at <= self.end && self.end + SLACK <= self.slab.len());
        // SAFETY: `new` proves that `at <= end` lie in the slab, and `at` never moves behind `end`.
        let at = unsafe { self.slab.as_ptr().add(self.at) };
        // SAFETY: see above.
        (at, unsafe { self.slab.as_ptr().add(self.end) })
    }

    /// Whether every byte has been read.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.at >= self.end
    }

    /// The next 4 bytes, little-endian; what lies behind the end is noise.
    #[inline(always)]
    pub fn peek32(&self) -> u32 {
        self.peek64() as u32
    }

    /// The next 8 bytes, little-endian; what lies behind the end is noise.
    #[inline(always)]
    fn peek64(&self) -> u64 {
        debug_assert!(self.at <= self.end && self.end + SLACK <= self.slab.len());
        // SAFETY: `at <= slab.len()`: `new` proves `at <= end` and that SLACK bytes follow `end`;
        // `advance` and `varint` alone move `at`, never behind `end`.
        let from = unsafe { self.slab.as_ptr().add(self.at) };
        // SAFETY: so SLACK >= 8 initialised bytes stand at `from`; the read needs no alignment.
        let word = unsafe { from.cast::<u64>().read_unaligned() };
        u64::from_le(word)
    }

    /// Steps over `len` bytes, a tag for instance that `peek32` has recognised.
    #[inline(always)]
    pub fn advance(&mut self, len: usize) -> Result<(), WireError> {
        if len > self.end - self.at {
            return Err(WireError::Truncated);
        }
        self.at += len;
        Ok(())
    }

    /// A varint, 64 bits.
    #[inline(always)]
    pub fn varint(&mut self) -> Result<u64, WireError> {
        let word = self.peek64();
        if word & 0x80 == 0 {
            self.advance(1)?;
            return Ok(word & 0x7f);
        }
        let stops = !word & GOES_ON;
        if stops == 0 {
            let (value, len) = long_varint(*self)?;
            self.at += len;
            return Ok(value);
        }
        self.advance((stops.trailing_zeros() >> 3) as usize + 1)?;
        Ok(squeeze(word & (stops ^ stops.wrapping_sub(1))))
    }

    /// Bits 0 to 31 of a varint.
    #[inline(always)]
    pub fn varint32(&mut self) -> Result<u32, WireError> {
        Ok(self.varint()? as u32) // protobuf-java cuts numbers that are too wide
    }

    /// 4 bytes, little-endian.
    #[inline(always)]
    pub fn fixed32(&mut self) -> Result<u32, WireError> {
        let value = self.peek32();
        self.advance(4)?;
        Ok(value)
    }

    /// 8 bytes, little-endian.
    #[inline(always)]
    pub fn fixed64(&mut self) -> Result<u64, WireError> {
        let value = self.peek64();
        self.advance(8)?;
        Ok(value)
    }

    /// A tag; field number 0 is refused, wire types 6 and 7 are not.
    #[inline(always)]
    pub fn tag(&mut self) -> Result<Tag, WireError> {
        let tag = Tag(self.varint32()?);
        if tag.number() == 0 { Err(WireError::InvalidTag) } else { Ok(tag) }
    }

    /// A length and the bytes it spans: their offset and count in the slab.
    #[inline(always)]
    pub fn span(&mut self) -> Result<Span, WireError> {
        // A length over 31 bits is negative to protobuf-java and leaves every message anyway.
        let len = self.varint32()? as usize;
        let at = self.at;
        self.advance(len)?;
        Ok(Span { at, len })
    }

    /// Reads the value behind `tag` and discards it. Groups may nest `levels` deep, the one that
    /// `tag` opens included.
    pub fn skip(&mut self, tag: Tag, levels: u32) -> Result<(), WireError> {
        match tag.wire_type() {
            Some(WireType::Varint) => self.varint().map(|_| ()),
            Some(WireType::Fixed64) => self.advance(8),
            Some(WireType::Length) => self.span().map(|_| ()),
            Some(WireType::Fixed32) => self.advance(4),
            Some(WireType::StartGroup) => self.skip_group(tag, levels).map(|_| ()),
            Some(WireType::EndGroup) => Err(WireError::EndGroupMismatch),
            None => Err(WireError::InvalidWireType),
        }
    }

    /// Reads up to and over the end of the group that `tag` opened; the bytes inside.
    pub fn skip_group(&mut self, tag: Tag, levels: u32) -> Result<Span, WireError> {
        let Some(levels) = levels.checked_sub(1) else { return Err(WireError::TooDeep) };
        let at = self.at;
        while !self.is_empty() {
            let len = self.at - at;
            let inner = self.tag()?;
            if inner == tag.group_end() {
                return Ok(Span { at, len });
            }
            self.skip(inner, levels)?;
        }
        Err(WireError::EndGroupMismatch) // decision 5: not a truncation
    }
}

/// A run of bytes in a slab.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Offset of the first byte.
    pub at: usize,
    /// Number of bytes.
    pub len: usize,
}

/// Joins the low 7 bits of up to 8 bytes.
#[inline(always)]
pub(crate) fn squeeze(word: u64) -> u64 {
    let word = word & 0x7f7f_7f7f_7f7f_7f7f;
    let word = ((word & 0x7f00_7f00_7f00_7f00) >> 1) | (word & 0x007f_007f_007f_007f);
    let word = ((word & 0x3fff_0000_3fff_0000) >> 2) | (word & 0x0000_3fff_0000_3fff);
    ((word & 0x0fff_ffff_0000_0000) >> 4) | (word & 0x0000_0000_0fff_ffff)
}

/// A varint whose first 8 bytes all go on: 9 or 10 bytes (negative numbers), or malformed.
#[inline(never)]
fn long_varint(cursor: Cursor<'_>) -> Result<(u64, usize), WireError> {
    let left = cursor.end.saturating_sub(cursor.at);
    let bytes: &[u8; 10] =
        cursor.slab[cursor.at..].first_chunk().expect("a cursor has slack behind it");
    let Some((value, len)) = long_number(bytes) else {
        return Err(if left >= 10 { WireError::MalformedVarint } else { WireError::Truncated });
    };
    if len > left { Err(WireError::Truncated) } else { Ok((value, len)) }
}

/// A number whose first 8 bytes go on, and its length; `None` if it has more than 10.
#[inline(always)]
pub(crate) fn long_number(bytes: &[u8; 10]) -> Option<(u64, usize)> {
    let low = squeeze(u64::from_le_bytes(*bytes.first_chunk().expect("8 of 10 bytes")));
    let value = low | u64::from(bytes[8] & 0x7f) << 56;
    match (bytes[8] < 0x80, bytes[9] < 0x80) {
        (true, _) => Some((value, 9)),
        (false, true) => Some((value | 1 << 63, 10)),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests;
