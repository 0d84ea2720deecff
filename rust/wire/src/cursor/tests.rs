//! The cursor against ten-line references, on inputs biased to its edges.

use super::*;
use proptest::prelude::*;

mod reference {
    use super::*;

    /// protobuf-java's reading: byte by byte, the tenth byte only ends the number.
    pub fn varint(bytes: &[u8]) -> Result<(u64, usize), WireError> {
        let mut value = 0u64;
        for at in 0..10 {
            let byte = *bytes.get(at).ok_or(WireError::Truncated)?;
            value |= if at < 9 { u64::from(byte & 0x7f) << (7 * at) } else { 1 << 63 };
            if byte & 0x80 == 0 {
                return Ok((value, at + 1));
            }
        }
        Err(WireError::MalformedVarint)
    }

    /// Bytes that the value behind `tag` takes.
    pub fn skip(tag: u32, bytes: &[u8], levels: u32) -> Result<usize, WireError> {
        let fits = |len: usize| if len > bytes.len() { Err(WireError::Truncated) } else { Ok(len) };
        match tag & 7 {
            0 => Ok(varint(bytes)?.1),
            1 => fits(8),
            2 => {
                let (len, head) = varint(bytes)?;
                fits(head + len as u32 as usize)
            }
            3 if levels == 0 => Err(WireError::TooDeep),
            3 => {
                let mut at = 0;
                while at < bytes.len() {
                    let (inner, head) = varint(&bytes[at..])?;
                    at += head;
                    match inner as u32 {
                        0..=7 => return Err(WireError::InvalidTag),
                        inner if inner == tag + 1 => return Ok(at),
                        inner => at += skip(inner, &bytes[at..], levels - 1)?,
                    }
                }
                Err(WireError::EndGroupMismatch)
            }
            4 => Err(WireError::EndGroupMismatch),
            5 => fits(4),
            _ => Err(WireError::InvalidWireType),
        }
    }
}

fn slab_of(record: &[u8], slack: u8) -> Vec<u8> {
    [record, &[slack; SLACK]].concat()
}

/// Bytes that look like varints: mostly continuation bytes, so lengths of 9 to 11 are common.
fn varint_like() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![6 => 0x80u8..=0xff, 1 => 0x00u8..0x80], 0..=12)
}

/// Bytes that look like fields: small tags of every wire type, groups first of all.
fn fields_like() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        4 => prop::sample::select(vec![0x0bu8, 0x0c, 0x13, 0x14]),
        2 => 0x08u8..0x20,
        2 => 0x00u8..0x04,
        1 => any::<u8>(),
    ];
    prop::collection::vec(byte, 0..24)
}

proptest! {
    /// The fast reader and the reference agree on every input, whatever the slack.
    #[test]
    fn varint_agrees_with_reference(record in varint_like(), slack: u8) {
        let slab = slab_of(&record, slack);
        let mut cursor = Cursor::new(&slab, 0, record.len()).unwrap();
        let read = cursor.varint().map(|value| (value, cursor.at()));
        prop_assert_eq!(read, reference::varint(&record));
    }

    /// Skipping ends where the reference ends, or fails as it fails.
    #[test]
    fn skip_agrees_with_reference(
        tag in 8u32..40, record in fields_like(), levels in 0u32..4, slack: u8,
    ) {
        let slab = slab_of(&record, slack);
        let mut cursor = Cursor::new(&slab, 0, record.len()).unwrap();
        let end = cursor.skip(Tag(tag), levels).map(|()| cursor.at());
        prop_assert_eq!(end, reference::skip(tag, &record, levels));
    }

    /// A span never leaves the record, and its length is cut to 32 bits.
    #[test]
    fn span_stays_inside(mut record in varint_like(), behind in 0usize..300, slack: u8) {
        record.resize(record.len() + behind, 1);
        let slab = slab_of(&record, slack);
        let mut cursor = Cursor::new(&slab, 0, record.len()).unwrap();
        let expected = reference::varint(&record).and_then(|(len, at)| {
            let len = len as u32 as usize;
            if at + len > record.len() { Err(WireError::Truncated) } else { Ok(Span { at, len }) }
        });
        prop_assert_eq!(cursor.span(), expected);
    }

    /// A tag's shortest encoding reads back as the tag.
    #[test]
    fn tag_encoding_reads_back(number in 1u32..1 << 29, kind in 0u32..6) {
        let (bytes, len) = Tag(number << 3 | kind).encoding();
        let slab = slab_of(&bytes.to_le_bytes()[..len], 0xff);
        let mut cursor = Cursor::new(&slab, 0, len).unwrap();
        prop_assert_eq!(cursor.tag(), Ok(Tag(number << 3 | kind)));
        prop_assert!(cursor.is_empty());
    }
}

#[test]
fn cursor_wants_slack() {
    assert!(Cursor::new(&[0; SLACK], 0, 0).is_some());
    assert!(Cursor::new(&[0; SLACK], 0, 1).is_none());
    assert!(Cursor::new(&[0; SLACK], 1, 0).is_none());
}

#[test]
fn tags_are_cut_to_32_bits_and_never_number_0() {
    let read = |bytes: &[u8]| Cursor::new(&slab_of(bytes, 0xff), 0, bytes.len()).unwrap().tag();
    assert_eq!(read(&[0x88, 0x80, 0x80, 0x80, 0x10]), Ok(Tag::new(1, WireType::Varint)));
    assert_eq!(read(&[0x88, 0x00]), Ok(Tag::new(1, WireType::Varint)));
    assert_eq!(read(&[0x00]), Err(WireError::InvalidTag));
    assert_eq!(read(&[0x07]), Err(WireError::InvalidTag));
    assert_eq!(read(&[0x0e]), Ok(Tag(0x0e)));
    assert_eq!(Tag(0x0e).wire_type(), None);
}
