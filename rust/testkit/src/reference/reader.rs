//! Reads wire primitives from a slice, one byte at a time, as protobuf-java's array decoder.
//!
//! Limits are slices: a message or packed run is read through a reader over its own bytes, which
//! cannot look past its end. A fault is its code.

use super::code;

/// A position in bytes that end where the message does.
#[derive(Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A reader over all of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Reader { rest: bytes }
    }

    /// Nothing is left.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `len` bytes.
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], i32> {
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(code::TRUNCATED)?;
        self.rest = rest;
        Ok(taken)
    }

    /// A varint of one to ten bytes. Bit 63 of a ten-byte one is always set: protobuf-java's fast
    /// path takes it from the ninth byte's continuation bit and never looks into the tenth.
    pub fn varint(&mut self) -> Result<u64, i32> {
        let mut value = 0u64;
        for at in 0..10 {
            let byte = self.take(1)?[0];
            if at == 9 && byte < 0x80 {
                return Ok(value | 1 << 63);
            }
            if at < 9 {
                value |= u64::from(byte & 0x7f) << (7 * at);
            }
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(code::MALFORMED_VARINT)
    }

    /// A length: the low 32 bits of a varint. One beyond 2^31 - 1 is "negative size" to
    /// protobuf-java, which is a way to be longer than the record.
    pub fn len(&mut self) -> Result<usize, i32> {
        let len = self.varint()? as u32 as i32;
        usize::try_from(len).map_err(|_| code::TRUNCATED)
    }

    /// The bytes behind a length.
    pub fn delimited(&mut self) -> Result<&'a [u8], i32> {
        let len = self.len()?;
        self.take(len)
    }

    /// Four bytes, little-endian.
    pub fn fixed32(&mut self) -> Result<u32, i32> {
        self.take(4).map(|bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Eight bytes, little-endian.
    pub fn fixed64(&mut self) -> Result<u64, i32> {
        let low = u64::from(self.fixed32()?);
        Ok(u64::from(self.fixed32()?) << 32 | low)
    }

    /// A tag: low 32 bits of a varint; the field number is never 0.
    pub fn tag(&mut self) -> Result<(u32, u32), i32> {
        let tag = self.varint()? as u32;
        if tag >> 3 == 0 { Err(code::INVALID_TAG) } else { Ok((tag >> 3, tag & 7)) }
    }
}
