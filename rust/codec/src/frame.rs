//! The registry frame in front of a record (W1 to W13).
//!
//! ```text
//! 00 | schema id, int32 big-endian | indexes | message
//! 01 | GUID, 16 bytes              | indexes | message
//! indexes: count, then so many numbers; all are zigzag varints of at most 5 bytes. Count 0 = [0]
//! ```
//! Indexes that cannot belong to any schema are refused here; those that a schema lacks, where the
//! schema is known.

use sluice_plan::{Failure, FailureCode};

/// What the writer schema is registered under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SchemaKey {
    /// Magic byte 0: a signed 32-bit id.
    Id(i32),
    /// Magic byte 1: the 16 bytes of a GUID, in the order of its text.
    Guid([u8; 16]),
}

/// A frame that was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Frame {
    /// What the writer schema is registered under.
    pub key: SchemaKey,
    /// Path of the message from the top of the file; never empty.
    pub indexes: Vec<i32>,
    /// Where the message bytes begin.
    pub message_at: usize,
}

/// Whether `record` has no frame (R2): no valid message begins with 0 or 1, so what begins so is a
/// frame, be it a broken one. An empty record is an empty message.
pub fn is_absent(record: &[u8]) -> bool {
    !matches!(record, [0 | 1, ..])
}

/// Reads the frame of `record`.
pub fn read(record: &[u8]) -> Result<Frame, Failure> {
    let bad = |at: usize, reason: &str| Failure {
        byte_offset: Some(at as u64),
        ..Failure::new(FailureCode::BadFrame, reason)
    };
    let (key, mut at) = match record {
        [0, id @ ..] => match id.first_chunk() {
            Some(id) => (SchemaKey::Id(i32::from_be_bytes(*id)), 5),
            None => return Err(bad(1, "the record ends inside the schema id")),
        },
        [1, guid @ ..] => match guid.first_chunk() {
            Some(guid) => (SchemaKey::Guid(*guid), 17),
            None => return Err(bad(1, "the record ends inside the schema GUID")),
        },
        [magic, ..] => {
            return Err(bad(0, &format!("the magic byte is {magic}, neither 0 nor 1")));
        }
        [] => return Err(bad(0, "the record is empty")),
    };
    let mut number = || {
        let (value, len) = kafka_varint(&record[at..]).map_err(|reason| bad(at, reason))?;
        at += len;
        Ok((value, at - len))
    };
    let (count, count_at) = number()?;
    if count < 0 {
        return Err(bad(count_at, "the number of message indexes is negative"));
    }
    if count as usize > record.len() - count_at - 1 {
        // An index takes a byte at least: never reserve what the record cannot hold.
        return Err(bad(count_at, "the record ends inside the message indexes"));
    }
    let mut indexes = Vec::with_capacity(count.max(1) as usize);
    for _ in 0..count {
        let (index, index_at) = number()?;
        if index < 0 {
            return Err(Failure {
                byte_offset: Some(index_at as u64),
                ..Failure::new(
                    FailureCode::UnknownMessageIndex,
                    format!("message index {index} is negative"),
                )
            });
        }
        indexes.push(index);
    }
    if indexes.is_empty() {
        indexes.push(0);
    }
    Ok(Frame { key, indexes, message_at: at })
}

/// `ByteUtils.readVarint` of kafka-clients: value and length.
fn kafka_varint(bytes: &[u8]) -> Result<(i32, usize), &'static str> {
    let mut value = 0u32;
    for len in 1..=5 {
        let Some(byte) = bytes.get(len - 1) else {
            return Err("the record ends inside the message indexes");
        };
        value |= u32::from(byte & 0x7f) << (7 * (len - 1));
        if byte & 0x80 == 0 {
            return Ok(((value >> 1) as i32 ^ -((value & 1) as i32), len));
        }
    }
    Err("a message index is longer than 5 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(indexes: &[u8]) -> Vec<u8> {
        [&[0, 0, 1, 0x86, 0xa1], indexes].concat()
    }

    fn indexes(bytes: &[u8]) -> Result<Vec<i32>, FailureCode> {
        read(&framed(bytes)).map(|frame| frame.indexes).map_err(|failure| failure.code)
    }

    #[test]
    fn reads_ids_guids_and_where_the_message_begins() {
        let frame = read(&framed(&[2, 2, 8, 0x2a])).unwrap();
        assert_eq!(frame, Frame { key: SchemaKey::Id(100_001), indexes: vec![1], message_at: 7 });
        let guid: Vec<u8> = (1..=16).collect();
        let frame = read(&[&[1], &guid[..], &[4, 2, 0]].concat()).unwrap();
        assert_eq!(frame.key, SchemaKey::Guid(guid.try_into().unwrap()));
        assert_eq!((frame.indexes, frame.message_at), (vec![1, 0], 20));
        assert_eq!(read(&[0, 0xff, 0xff, 0xff, 0xff, 0]).unwrap().key, SchemaKey::Id(-1));
    }

    #[test]
    fn reads_every_form_of_indexes() {
        assert_eq!(indexes(&[0]), Ok(vec![0]));
        assert_eq!(indexes(&[2, 0]), Ok(vec![0]));
        assert_eq!(indexes(&[6, 4, 2, 6]), Ok(vec![2, 1, 3]));
        assert_eq!(indexes(&[2, 0x80, 1]), Ok(vec![64]));
        assert_eq!(indexes(&[0x82, 0x00, 0]), Ok(vec![0]));
        assert_eq!(indexes(&[2, 0xfe, 0xff, 0xff, 0xff, 0x0f]), Ok(vec![i32::MAX]));
    }

    #[test]
    fn refuses_malformed_frames() {
        let bad = Err(FailureCode::BadFrame);
        assert_eq!(indexes(&[]), bad, "no indexes");
        assert_eq!(indexes(&[1]), bad, "negative count");
        assert_eq!(indexes(&[4, 0]), bad, "fewer indexes than counted");
        assert_eq!(indexes(&[0xfe, 0xff, 0xff, 0xff, 0x0f]), bad, "huge count");
        assert_eq!(indexes(&[2, 0x80]), bad, "unterminated index");
        assert_eq!(indexes(&[2, 0x80, 0x80, 0x80, 0x80, 0x80, 0]), bad, "index of 6 bytes");
        assert_eq!(indexes(&[2, 1]), Err(FailureCode::UnknownMessageIndex), "negative index");
        for record in [&b""[..], b"\0", b"\0\0\0\0", b"\x01\0\0\0\0\0", b"{\"a\":1}"] {
            assert_eq!(read(record).unwrap_err().code, FailureCode::BadFrame, "{record:?}");
        }
        assert_eq!(read(b"{").unwrap_err().byte_offset, Some(0));
    }
}
