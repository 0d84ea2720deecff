//! UTF-8: a check that is fast on ASCII, and the JDK's replacement of what is malformed.

use crate::Span;
use crate::quick::Text;

/// What the JDK puts in the place of malformed bytes, U+FFFD.
const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// Whether the bytes of `span` are valid UTF-8. `slab` has `SLACK` bytes behind them.
#[inline(always)]
pub fn is_utf8(slab: &[u8], span: Span) -> bool {
    Text::of(slab, span).expect("a span has slack behind it").is_utf8()
}

#[inline(never)]
pub(crate) fn is_utf8_slow(bytes: &[u8]) -> bool {
    simdutf8::basic::from_utf8(bytes).is_ok() // std's own below 64 bytes
}

/// Appends `bytes` to `out` as `new String(bytes, UTF_8)` of the JDK reads them.
///
/// That is the rule of maximal subparts, with one exception: a surrogate (`ED A0..BF`) is replaced
/// as a whole, two bytes plus one continuation byte if there is one.
pub fn append_replacing(mut bytes: &[u8], out: &mut Vec<u8>) {
    loop {
        let fault = match std::str::from_utf8(bytes) {
            Ok(_) => return out.extend_from_slice(bytes),
            Err(fault) => fault,
        };
        let (valid, rest) = bytes.split_at(fault.valid_up_to());
        out.extend_from_slice(valid);
        out.extend_from_slice(REPLACEMENT);
        let malformed = match rest {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            [0xed, 0xa0..=0xbf, ..] => 2,
            _ => fault.error_len().unwrap_or(rest.len()),
        };
        bytes = &rest[malformed..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SLACK;
    use proptest::prelude::*;

    fn replaced(bytes: &[u8]) -> String {
        let mut out = Vec::new();
        append_replacing(bytes, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn malformed_text_is_replaced_as_the_jdk_does() {
        for (bytes, text) in [
            (&b"\xc3\x28"[..], "\u{fffd}("),
            (b"\xe0\x80\x41", "\u{fffd}\u{fffd}A"),
            (b"\xed\xa0\x80", "\u{fffd}"),
            (b"\xed\xa0", "\u{fffd}"),
            (b"\xed\xa0\x41", "\u{fffd}A"),
            (b"\xed\xa0\xc2\x80", "\u{fffd}\u{80}"),
            (b"\xf0\x80\x80", "\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xf0\x90\x80\x41", "\u{fffd}A"),
            (b"\xf4\x90\x80\x80", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
            (b"\xc0\x80", "\u{fffd}\u{fffd}"),
            (b"a\xe2\x82", "a\u{fffd}"),
        ] {
            assert_eq!(replaced(bytes), text, "{bytes:x?}");
        }
    }

    /// Mostly ASCII with lead and continuation bytes in between, around the length of a word.
    fn text_like() -> impl Strategy<Value = Vec<u8>> {
        let byte = prop_oneof![12 => 0x00u8..0x80, 1 => 0x80u8..0xc0, 1 => 0xc0u8..=0xff];
        prop_oneof![
            prop::collection::vec(byte, 0..40),
            ".{0,20}".prop_map(|text| text.into_bytes())
        ]
    }

    proptest! {
        /// The check agrees with std's on every span, whatever stands behind it.
        #[test]
        fn check_agrees_with_std(text in text_like(), before in 0usize..9, slack: u8) {
            let mut slab = vec![0xff; before];
            slab.extend_from_slice(&text);
            slab.extend_from_slice(&[slack; SLACK]);
            let span = Span { at: before, len: text.len() };
            prop_assert_eq!(is_utf8(&slab, span), std::str::from_utf8(&text).is_ok());
        }

        /// Valid text is never changed, and what comes out is always valid.
        #[test]
        fn replacing_keeps_what_is_valid(text in text_like()) {
            let out = replaced(&text);
            if let Ok(valid) = std::str::from_utf8(&text) {
                prop_assert_eq!(out, valid);
            }
        }
    }
}
