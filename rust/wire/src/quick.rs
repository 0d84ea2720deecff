//! Reading whose end is looked at once per field.
//!
//! A [`Cursor`](crate::Cursor) checks each step. Here a tag and a number are read without a look,
//! into the slack if need be, and the next field begins with the question whether that was right:
//!
//! ```text
//! Between ── next: before the end? ──► Field ── value ──► Value ── varint, fixed, text ──► Between
//!    └── is_whole: exactly at the end?                      at most 17 bytes behind the end
//! ```
//!
//! The types allow one tag and one value between two looks, and `SLACK` covers those. Positions are
//! two machine words and are passed by value. Whoever is told that something is wrong learns no
//! more: reading the message again with a `Cursor` says what.

use std::marker::PhantomData;

use crate::utf8::is_utf8_slow;
use crate::{Cursor, SLACK, Span, squeeze};

/// Longest tag that is read, a power of two less one; 5 bytes are enough.
const TAG_MAX: u8 = 7;
/// Longest number.
const NUMBER_MAX: usize = 10;

const _: () = assert!(SLACK >= TAG_MAX as usize + 2 * NUMBER_MAX);

/// Between two fields; behind the end if a field was cut off.
#[derive(Debug, Clone, Copy)]
pub struct Between<'a>(Place<'a>);

/// At a tag.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a>(Place<'a>);

/// At a value, or at a length and its bytes.
#[derive(Debug, Clone, Copy)]
pub struct Value<'a>(Place<'a>);

/// `len` bytes with `SLACK` readable bytes behind them.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    at: *const u8,
    len: usize,
    slab: PhantomData<&'a [u8]>,
}

/// Something does not fit the message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amiss;

/// Two pointers into one slab, or behind it: `end` has `SLACK` bytes behind it, and
/// `at < end + TAG_MAX + NUMBER_MAX`.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    at: *const u8,
    end: *const u8,
    slab: PhantomData<&'a [u8]>,
}

impl<'a> Place<'a> {
    /// The next 8 bytes.
    #[inline(always)]
    fn word(self) -> u64 {
        // SAFETY: `at` is less than TAG_MAX + NUMBER_MAX behind `end`, so at least NUMBER_MAX, which
        // is more than 8, initialised bytes stand there; the read needs no alignment.
        u64::from_le(unsafe { self.at.cast::<u64>().read_unaligned() })
    }

    /// A place `len` bytes on.
    ///
    /// # Safety
    /// It keeps the invariant of the type.
    #[inline(always)]
    unsafe fn plus(self, len: usize) -> Place<'a> {
        // SAFETY: the caller promises that the place is in the slab.
        Place { at: unsafe { self.at.add(len) }, ..self }
    }

    /// Bytes up to the end; negative behind it.
    #[inline(always)]
    fn left(self) -> isize {
        (self.end as isize).wrapping_sub(self.at as isize)
    }

    fn cursor(self, slab: &'a [u8]) -> Result<Cursor<'a>, Amiss> {
        let offset = |place: *const u8| (place as usize).wrapping_sub(slab.as_ptr() as usize);
        Cursor::new(slab, offset(self.at), offset(self.end)).ok_or(Amiss)
    }
}

impl<'a> Between<'a> {
    /// What the cursor has not consumed.
    #[inline(always)]
    pub fn of(cursor: &Cursor<'a>) -> Between<'a> {
        let (at, end) = cursor.place();
        Between(Place { at, end, slab: PhantomData })
    }

    /// The bytes of `text`, which are a message, or numbers one behind the other.
    #[inline(always)]
    pub fn inside(text: Text<'a>) -> Between<'a> {
        // SAFETY: the text and `SLACK` bytes behind it are in the slab.
        let end = unsafe { text.at.add(text.len) };
        Between(Place { at: text.at, end, slab: PhantomData })
    }

    /// The field that comes next, unless the message ends here.
    #[inline(always)]
    pub fn next(self) -> Option<Field<'a>> {
        (self.0.at < self.0.end).then_some(Field(self.0))
    }

    /// Whether the message ends exactly here.
    #[inline(always)]
    pub fn is_whole(self) -> bool {
        self.0.at == self.0.end
    }
}

impl<'a> Field<'a> {
    /// The first 4 bytes, little-endian; what lies behind the end is noise.
    #[inline(always)]
    pub fn head(self) -> u32 {
        self.0.word() as u32
    }

    /// Steps over a tag of this length, of which `head` has been recognised.
    #[inline(always)]
    pub fn value(self, tag_len: u8) -> Value<'a> {
        // SAFETY: a field is before the end, and the mask leaves TAG_MAX at most.
        Value(unsafe { self.0.plus(usize::from(tag_len & TAG_MAX)) })
    }

    /// The tag and its length in bytes; `None` if it is longer than `TAG_MAX`.
    #[inline(always)]
    pub fn tag(self) -> Option<(u32, u8)> {
        self.short_tag().or_else(|| self.long_tag())
    }

    /// The same, `None` if it is longer than two bytes.
    #[inline(always)]
    pub(crate) fn short_tag(self) -> Option<(u32, u8)> {
        let head = self.head();
        if head & 0x8080 == 0x8080 {
            return None;
        }
        let is_long = head >> 7 & 1;
        let tag = head & 0x7f | (head >> 1 & 0x3f80 & is_long.wrapping_neg());
        Some((tag, 1 + is_long as u8))
    }

    #[inline(never)]
    fn long_tag(self) -> Option<(u32, u8)> {
        let word = self.0.word();
        let stops = !word & GOES_ON;
        let len = (stops.trailing_zeros() >> 3) as u8 + 1;
        let tag = squeeze(word & (stops ^ stops.wrapping_sub(1))) as u32;
        (stops != 0 && len <= TAG_MAX).then_some((tag, len))
    }

    /// A number without tag.
    #[inline(always)]
    pub fn bare(self) -> Value<'a> {
        Value(self.0)
    }

    /// A cursor at the tag; `slab` is the one that all began with.
    pub fn cursor(self, slab: &'a [u8]) -> Result<Cursor<'a>, Amiss> {
        self.0.cursor(slab)
    }
}

impl<'a> Value<'a> {
    /// A varint, 64 bits.
    #[inline(always)]
    pub fn varint(self) -> Result<(u64, Between<'a>), Amiss> {
        // SAFETY: every processor shifts.
        unsafe { self.varint_by::<Shifts>() }
    }

    /// The same, its bits joined as `S` does.
    ///
    /// # Safety
    /// The processor can do what `S` asks for.
    #[inline(always)]
    pub unsafe fn varint_by<S: Squeeze>(self) -> Result<(u64, Between<'a>), Amiss> {
        let word = self.0.word();
        if word & 0x80 == 0 {
            // SAFETY: a value is at most TAG_MAX behind a place before the end.
            return Ok((word & 0x7f, Between(unsafe { self.0.plus(1) })));
        }
        let stops = !word & GOES_ON;
        if stops == 0 {
            return self.long_varint();
        }
        let len = (stops.trailing_zeros() >> 3) as usize + 1;
        // SAFETY: as above, and `len` is 8 at most.
        let next = Between(unsafe { self.0.plus(len) });
        // SAFETY: the caller's promise.
        Ok((unsafe { S::squeeze(word & (stops ^ stops.wrapping_sub(1))) }, next))
    }

    /// 9 or 10 bytes: a negative number.
    #[inline(never)]
    fn long_varint(self) -> Result<(u64, Between<'a>), Amiss> {
        // SAFETY: NUMBER_MAX bytes stand at every value: it is less than TAG_MAX behind the end.
        let bytes = unsafe { self.0.at.cast::<[u8; NUMBER_MAX]>().read_unaligned() };
        let (value, len) = crate::cursor::long_number(&bytes).ok_or(Amiss)?;
        // SAFETY: `len` is NUMBER_MAX at most.
        Ok((value, Between(unsafe { self.0.plus(len) })))
    }

    /// 4 bytes, little-endian.
    #[inline(always)]
    pub fn fixed32(self) -> (u64, Between<'a>) {
        // SAFETY: 4 is less than NUMBER_MAX.
        (self.0.word() & 0xffff_ffff, Between(unsafe { self.0.plus(4) }))
    }

    /// 8 bytes, little-endian.
    #[inline(always)]
    pub fn fixed64(self) -> (u64, Between<'a>) {
        // SAFETY: 8 is less than NUMBER_MAX.
        (self.0.word(), Between(unsafe { self.0.plus(8) }))
    }

    /// A length, and so many bytes.
    #[inline(always)]
    pub fn text(self) -> Result<(Text<'a>, Between<'a>), Amiss> {
        let (len, Between(place)) = self.varint()?;
        // A length over 31 bits leaves every message; so does any that begins behind the end.
        let len = len as u32;
        if len as isize > place.left() {
            return Err(Amiss);
        }
        let len = len as usize;
        let text = Text { at: place.at, len, slab: PhantomData };
        // SAFETY: the end is so far away.
        Ok((text, Between(unsafe { place.plus(len) })))
    }

    /// The first 8 bytes, little-endian; what lies behind the end is noise.
    #[inline(always)]
    pub(crate) fn word(self) -> u64 {
        self.0.word()
    }

    /// Bytes from here to `next`.
    pub(crate) fn until(self, next: Between<'a>) -> usize {
        (next.0.at as usize).wrapping_sub(self.0.at as usize)
    }

    /// The `text` bytes behind the first `head` ones, and the place behind those; both are less than
    /// 4 GiB.
    #[inline(always)]
    pub(crate) fn split(self, head: usize, text: usize) -> Result<(Text<'a>, Between<'a>), Amiss> {
        if (head + text) as isize > self.0.left() {
            return Err(Amiss);
        }
        // SAFETY: the end is so far away.
        let at = unsafe { self.0.plus(head) };
        // SAFETY: see above.
        let next = Between(unsafe { at.plus(text) });
        Ok((Text { at: at.at, len: text, slab: PhantomData }, next))
    }

    /// A cursor at the value; `slab` is the one that all began with.
    pub fn cursor(self, slab: &'a [u8]) -> Result<Cursor<'a>, Amiss> {
        self.0.cursor(slab)
    }
}

impl<'a> Text<'a> {
    /// The bytes of `span`; `None` unless they and `SLACK` bytes behind them are in `slab`.
    #[inline(always)]
    pub fn of(slab: &'a [u8], span: Span) -> Option<Text<'a>> {
        let behind = slab.get(span.at..)?;
        let fits = span.len <= behind.len() && behind.len() - span.len >= SLACK;
        fits.then_some(Text { at: behind.as_ptr(), len: span.len, slab: PhantomData })
    }

    /// Number of bytes.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The bytes.
    #[inline(always)]
    pub fn bytes(self) -> &'a [u8] {
        // SAFETY: `Value::text` saw that they are before the end, and the slab is borrowed.
        unsafe { std::slice::from_raw_parts(self.at, self.len) }
    }

    /// Whether the bytes are valid UTF-8.
    #[inline(always)]
    pub fn is_utf8(self) -> bool {
        let mut high = 0;
        let mut left = self.len;
        let mut place = Place { at: self.at, end: self.at, slab: self.slab };
        while left >= 8 {
            high |= place.word();
            left -= 8;
            // SAFETY: so many bytes are left of the text, and behind those is slack.
            place = unsafe { place.plus(8) };
        }
        high |= place.word() & ((1 << (8 * left)) - 1);
        high & GOES_ON == 0 || is_utf8_slow(self.bytes())
    }

    /// Where the text stands in `slab`, which is the one that all began with.
    #[inline(always)]
    pub fn span(self, slab: &'a [u8]) -> Span {
        let at = (self.at as usize).wrapping_sub(slab.as_ptr() as usize);
        Span { at, len: self.len }
    }

    /// How many of the bytes end a varint.
    #[inline(always)]
    pub fn varints(self) -> usize {
        let stops = |word: u64| {
            // A bit of each byte, summed in the highest one.
            (((!word & GOES_ON) >> 7).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
        };
        let mut count = 0;
        let mut left = self.len;
        let mut place = Place { at: self.at, end: self.at, slab: self.slab };
        while left >= 8 {
            count += stops(place.word());
            left -= 8;
            // SAFETY: so many bytes are left of the text, and behind those is slack.
            place = unsafe { place.plus(8) };
        }
        count + stops(place.word() | u64::MAX << (8 * left))
    }

    /// The first `N` bytes; behind the text they are noise.
    #[inline(always)]
    pub fn first<const N: usize>(self) -> &'a [u8; N] {
        const { assert!(N <= SLACK) };
        // SAFETY: `SLACK` bytes stand behind the text, initialised and borrowed as it is.
        unsafe { &*self.at.cast::<[u8; N]>() }
    }
}

/// How the low 7 bits of up to 8 bytes are joined.
pub trait Squeeze {
    /// The joined bits of `word`.
    ///
    /// # Safety
    /// The processor can do what the type says.
    unsafe fn squeeze(word: u64) -> u64;
}

/// By shifts, on every processor.
#[derive(Debug, Clone, Copy)]
pub struct Shifts;

impl Squeeze for Shifts {
    #[inline(always)]
    unsafe fn squeeze(word: u64) -> u64 {
        squeeze(word)
    }
}

/// By one instruction, `pext` of BMI2: where [`has_pext`] holds. Functions with the feature `bmi2`
/// have it inlined.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub struct Pext;

#[cfg(target_arch = "x86_64")]
impl Squeeze for Pext {
    #[inline(always)]
    unsafe fn squeeze(word: u64) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { std::arch::x86_64::_pext_u64(word, !GOES_ON) }
    }
}

/// Whether the processor has a `pext` that is worth its name: before their family 0x19, processors
/// of AMD take hundreds of cycles.
#[cfg(target_arch = "x86_64")]
#[allow(unused_unsafe, reason = "CPUID became safe to ask in later compilers")]
pub fn has_pext() -> bool {
    use std::arch::x86_64::__cpuid;
    if !std::is_x86_feature_detected!("bmi2") || !std::is_x86_feature_detected!("bmi1") {
        return false;
    }
    // SAFETY: every x86-64 has CPUID, and leaves 0 and 1.
    let vendor = unsafe { __cpuid(0) };
    // SAFETY: see above.
    let version = unsafe { __cpuid(1) }.eax;
    let family = (version >> 8 & 0xf) + (version >> 20 & 0xff);
    vendor.ebx.to_le_bytes() != *b"Auth" || family >= 0x19
}

/// Other processors have no such instruction.
#[cfg(not(target_arch = "x86_64"))]
pub fn has_pext() -> bool {
    false
}

/// The high bit of every byte: set where a varint goes on.
pub(crate) const GOES_ON: u64 = 0x8080_8080_8080_8080;

#[cfg(test)]
mod tests;
