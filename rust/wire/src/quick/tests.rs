use super::*;
use crate::Tag;
use proptest::prelude::*;

/// What a field has behind its tag.
#[derive(Debug, PartialEq, Eq)]
enum Read {
    Number(u64),
    Bytes(Vec<u8>),
}

fn quickly(slab: &[u8], len: usize) -> Result<Vec<(u32, Read)>, Amiss> {
    let mut fields = Vec::new();
    let mut between = Between::of(&Cursor::new(slab, 0, len).unwrap());
    while let Some(field) = between.next() {
        let (tag, tag_len) = field.tag().ok_or(Amiss)?;
        let value = field.value(tag_len);
        let read;
        (read, between) = match tag & 7 {
            0 => {
                let (number, next) = value.varint()?;
                #[cfg(target_arch = "x86_64")]
                if has_pext() {
                    // SAFETY: just asked.
                    let again = unsafe { value.varint_by::<Pext>() }?;
                    assert_eq!(again.0, number);
                }
                (Read::Number(number), next)
            }
            1 => (Read::Number(value.fixed64().0), value.fixed64().1),
            2 => {
                let (text, next) = value.text()?;
                let stops = text.bytes().iter().filter(|byte| **byte < 0x80).count();
                assert_eq!(text.varints(), stops);
                assert_eq!(text.is_utf8(), std::str::from_utf8(text.bytes()).is_ok());
                let head = text.first::<40>();
                let known = text.len().min(40);
                assert_eq!(head[..known], text.bytes()[..known]);
                (Read::Bytes(text.bytes().to_vec()), next)
            }
            5 => (Read::Number(value.fixed32().0), value.fixed32().1),
            _ => return Err(Amiss),
        };
        fields.push((tag, read));
    }
    if between.is_whole() { Ok(fields) } else { Err(Amiss) }
}

/// The fields, and the bytes of the longest tag.
fn step_by_step(slab: &[u8], len: usize) -> Option<(Vec<(u32, Read)>, usize)> {
    let mut fields = Vec::new();
    let mut longest_tag = 0;
    let mut cursor = Cursor::new(slab, 0, len).unwrap();
    while !cursor.is_empty() {
        let at = cursor.at();
        let tag: Tag = cursor.tag().ok()?;
        longest_tag = longest_tag.max(cursor.at() - at);
        let read = match tag.0 & 7 {
            0 => Read::Number(cursor.varint().ok()?),
            1 => Read::Number(cursor.fixed64().ok()?),
            2 => {
                let span = cursor.span().ok()?;
                Read::Bytes(slab[span.at..span.at + span.len].to_vec())
            }
            5 => Read::Number(cursor.fixed32().ok()?.into()),
            _ => return None,
        };
        fields.push((tag.0, read));
    }
    Some((fields, longest_tag))
}

/// A field, sometimes cut, with tags of up to 5 bytes and varints of up to 11.
fn field() -> impl Strategy<Value = Vec<u8>> {
    let tag = prop_oneof![4 => 8u32..0x100, 2 => 0x100u32..0x8000, 1 => any::<u32>()];
    let more = prop::collection::vec(prop_oneof![3 => 0x80u8..=0xff, 2 => 0u8..0x80], 0..12);
    (tag, more).prop_map(|(mut tag, more)| {
        let mut field = Vec::new();
        while tag > 0x7f {
            field.push(tag as u8 | 0x80);
            tag >>= 7;
        }
        field.push(tag as u8);
        if field[0] & 7 == 2 {
            field.push(more.len() as u8 + u8::from(more.len() == 11));
        }
        field.extend(more);
        field
    })
}

proptest! {
    /// Read quickly, a message has the fields that a cursor finds, or is refused as there; field
    /// number 0 is for the caller to see, and tags with many bytes too much for the cursor.
    #[test]
    fn agrees_with_the_cursor(
        fields in prop::collection::vec(field(), 0..6), cut in 0usize..20, slack: u8,
    ) {
        let mut record = fields.concat();
        record.truncate(record.len().saturating_sub(cut));
        let slab = [&record[..], &[slack; SLACK]].concat();
        let quickly = quickly(&slab, record.len()).ok();
        let has_zero = |fields: &Vec<(u32, Read)>| fields.iter().any(|(tag, _)| *tag < 8);
        let stepped = step_by_step(&slab, record.len());
        let has_long_tag = stepped.as_ref().is_some_and(|(_, tag)| *tag > TAG_MAX.into());
        if has_long_tag {
            prop_assert_eq!(quickly, None);
        } else if !quickly.as_ref().is_some_and(has_zero) {
            prop_assert_eq!(quickly, stepped.map(|(fields, _)| fields));
        }
    }
}

/// A tag may have any number of bytes up to 10; those that no writer makes are not read quickly.
#[test]
fn tags_of_more_bytes_than_fit_a_word_are_left_to_the_cursor() {
    for len in 1..=10 {
        let mut record = vec![0x80; len];
        record[0] |= 8; // field number 1
        record[len - 1] &= 0x7f;
        record.push(5);
        let slab = [&record[..], &[0; SLACK]].concat();
        let fields = vec![(8, Read::Number(5))];
        let stepped = step_by_step(&slab, record.len()).unwrap();
        assert_eq!(stepped, (fields, len));
        let quickly = quickly(&slab, record.len()).ok();
        assert_eq!(quickly.is_some(), len <= TAG_MAX.into(), "{len}");
    }
}
