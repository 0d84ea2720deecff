//! Malformed UTF-8 as `new String(bytes, UTF_8)` of the JDK replaces it.
//!
//! One U+FFFD for each maximal part that could begin a character, as everywhere, but for
//! encoded surrogates: `ED A0..BF` and one more continuation byte, if there is one, are one
//! U+FFFD, where Rust's own rule gives one per byte.

/// `bytes` as text.
pub fn jdk_text(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut rest = bytes;
    loop {
        let fault = match std::str::from_utf8(rest) {
            Ok(valid) => return text + valid,
            Err(fault) => fault,
        };
        let (valid, tail) = rest.split_at(fault.valid_up_to());
        text.push_str(&String::from_utf8_lossy(valid));
        text.push('\u{fffd}');
        let swallowed = match tail {
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, ..] => 3,
            [0xed, 0xa0..=0xbf, ..] => 2,
            _ => fault.error_len().unwrap_or(tail.len()),
        };
        rest = &tail[swallowed..];
    }
}
