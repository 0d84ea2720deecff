//! From field to field by wire types alone.
//!
//! Where a message holds few of many fields, nobody can guess which one comes next, and a branch on what
//! a field is goes wrong most times. Where the next field begins can be told without knowing the
//! field: by the wire type in its tag and the bits that end a varint. That is a chain of a few
//! operations without a branch on data; what the field is can be found out beside it.
//!
//! ```text
//! tag ─► wire type ─► FORMS ┐
//!  └─► value ─► end of varint ┴─► next tag      (lengths and numbers that are long: by branches)
//! ```

use crate::quick::{Amiss, Between, Field, GOES_ON, Squeeze, Text, Value};

/// A field that was leapt over.
#[derive(Debug, Clone, Copy)]
pub struct Leap<'a> {
    /// Number and wire type.
    pub tag: u32,
    /// The value of a varint, 64 bits; noise for other wire types.
    pub number: u64,
    /// The first 8 bytes of the value, little-endian; the rest of a shorter one is noise.
    pub word: u64,
    /// The bytes behind a length; none for other wire types.
    pub text: Text<'a>,
}

/// How long the value of a wire type is: the sum of `fixed`, of the length of the varint that stands
/// there, and of the varint itself, as far as the masks let them count.
#[derive(Clone, Copy)]
struct Form {
    fixed: usize,
    varint: usize,
    text: usize,
    /// Stop bits, `has` added to those of the value's word, of which one must be there.
    needs: u64,
    has: u64,
}

/// Groups, and what is no wire type.
const REFUSED: Form = Form { fixed: 0, varint: 0, text: 0, needs: 0, has: 0 };

/// By wire type.
const FORMS: [Form; 8] = [
    Form { varint: usize::MAX, needs: GOES_ON, ..REFUSED },
    Form { fixed: 8, needs: 1, has: 1, ..REFUSED },
    Form { varint: usize::MAX, text: 0x7f, needs: 0x80, ..REFUSED },
    REFUSED,
    REFUSED,
    Form { fixed: 4, needs: 1, has: 1, ..REFUSED },
    REFUSED,
    REFUSED,
];

impl<'a> Field<'a> {
    /// The field, and the place behind it. Refuses field number 0, groups, tags of more than two
    /// bytes, and what reaches beyond the message.
    ///
    /// # Safety
    /// The processor can do what `S` asks for.
    #[inline(always)]
    pub unsafe fn leap_by<S: Squeeze>(self) -> Result<(Leap<'a>, Between<'a>), Amiss> {
        let (tag, tag_len) = self.short_tag().ok_or(Amiss)?;
        if tag < 1 << 3 {
            return Err(Amiss); // field number 0
        }
        let value = self.value(tag_len);
        let word = value.word();
        let stops = !word & GOES_ON;
        let form = &FORMS[(tag & 7) as usize];
        if (stops | form.has) & form.needs == 0 {
            let (number, head, text) = measure(tag, value)?;
            let (text, next) = value.split(head, text)?;
            return Ok((Leap { tag, number, word, text }, next));
        }
        // SAFETY: the caller's promise.
        let number = unsafe { S::squeeze(word & (stops ^ stops.wrapping_sub(1))) };
        let varint = (stops.trailing_zeros() as usize >> 3) + 1;
        let (text, next) =
            value.split(form.fixed + (varint & form.varint), word as usize & form.text)?;
        Ok((Leap { tag, number, word, text }, next))
    }
}

/// Number, its length, and the length of the bytes behind it, where `FORMS` does not know them.
#[inline(never)]
fn measure(tag: u32, value: Value<'_>) -> Result<(u64, usize, usize), Amiss> {
    let (number, next) = value.varint()?;
    let head = value.until(next);
    match tag & 7 {
        0 => Ok((number, head, 0)),
        2 => Ok((number, head, number as u32 as usize)), // 31 bits at most, as a message ends before
        _ => Err(Amiss),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::quick::{Between, Shifts};
    use crate::{Cursor, SLACK, Tag, WireType};

    type Read = (u32, u64, Vec<u8>);

    /// The fields, and whether they end with the message.
    fn leaps<S: Squeeze>(slab: &[u8], len: usize) -> Option<Vec<Read>> {
        let mut between = Between::of(&Cursor::new(slab, 0, len).unwrap());
        let mut fields = Vec::new();
        while let Some(field) = between.next() {
            // SAFETY: callers ask for what the processor has.
            let (leap, next) = unsafe { field.leap_by::<S>() }.ok()?;
            let number = match leap.tag & 7 {
                0 => leap.number,
                1 => leap.word,
                5 => leap.word & 0xffff_ffff,
                _ => 0,
            };
            fields.push((leap.tag, number, leap.text.bytes().to_vec()));
            between = next;
        }
        assert!(between.is_whole());
        Some(fields)
    }

    /// The same by a cursor; `None` also where a tag is long.
    fn steps(slab: &[u8], len: usize) -> Option<Vec<Read>> {
        let mut cursor = Cursor::new(slab, 0, len).unwrap();
        let mut fields = Vec::new();
        while !cursor.is_empty() {
            let start = cursor.at();
            let tag = cursor.tag().ok()?;
            if cursor.at() - start > 2 {
                return None;
            }
            let mut text = Vec::new();
            let number = match tag.0 & 7 {
                0 => cursor.varint().ok()?,
                1 => cursor.fixed64().ok()?,
                2 => {
                    let span = cursor.span().ok()?;
                    text = slab[span.at..span.at + span.len].to_vec();
                    0
                }
                5 => cursor.fixed32().ok()?.into(),
                _ => return None,
            };
            fields.push((tag.0, number, text));
        }
        Some(fields)
    }

    /// A field, sometimes with a length that lies, a number that is too long or a tag that is.
    fn field() -> impl Strategy<Value = Vec<u8>> {
        let tag = prop_oneof![8 => 8u32..0x80, 8 => 0x80u32..0x4000, 1 => any::<u32>()];
        let noise = prop::collection::vec(prop_oneof![any::<u8>(), 0x80u8..=0xff], 0..12);
        (tag, noise, prop_oneof![3 => 0usize..40, 1 => 100usize..300], 0usize..20).prop_map(
            |(tag, noise, len, lie)| {
                let mut field = Vec::new();
                put(&mut field, tag);
                match tag & 7 {
                    2 => {
                        put(&mut field, (len + lie / 19) as u32);
                        field.resize(field.len() + len, b'x');
                    }
                    _ => field.extend(noise),
                }
                field
            },
        )
    }

    fn put(field: &mut Vec<u8>, mut number: u32) {
        while number > 0x7f {
            field.push(number as u8 | 0x80);
            number >>= 7;
        }
        field.push(number as u8);
    }

    proptest! {
        #[test]
        fn leaps_to_where_a_cursor_steps(
            fields in prop::collection::vec(field(), 0..8), cut in 0usize..20, slack: u8,
        ) {
            let mut record = fields.concat();
            record.truncate(record.len().saturating_sub(cut));
            let slab = [&record[..], &[slack; SLACK]].concat();
            let wanted = steps(&slab, record.len());
            prop_assert_eq!(&leaps::<Shifts>(&slab, record.len()), &wanted);
            #[cfg(target_arch = "x86_64")]
            if crate::quick::has_pext() {
                prop_assert_eq!(&leaps::<crate::quick::Pext>(&slab, record.len()), &wanted);
            }
        }
    }

    #[test]
    fn every_wire_type_has_its_form() {
        for (wire_type, value, len) in [
            (WireType::Varint, &[0x80, 0x80, 1][..], 3),
            (WireType::Varint, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], 10),
            (WireType::Fixed64, &[0xff; 8], 8),
            (WireType::Fixed32, &[0xff; 4], 4),
            (WireType::Length, &[3, b'a', b'b', b'c'], 4),
        ] {
            let mut slab = vec![Tag::new(1, wire_type).0 as u8];
            slab.extend_from_slice(&value[..len]);
            let whole = slab.len();
            slab.resize(whole + SLACK, 0xff);
            assert_eq!(leaps::<Shifts>(&slab, whole).map(|fields| fields.len()), Some(1));
            assert_eq!(leaps::<Shifts>(&slab, whole - 1), None);
        }
    }
}
