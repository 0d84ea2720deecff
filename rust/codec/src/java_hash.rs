//! `hashCode` of the classes that Flink's own format makes of map keys, in reading and in writing.

/// `BinaryStringData`: 32-bit Murmur3 with seed 42, but each byte behind the last whole word is
/// sign-extended and mixed in like a word (Flink 1.20 and 2.3, `MurmurHashUtils.hashBytes`).
pub(crate) fn of_text(text: &[u8]) -> i32 {
    let (words, rest) = text.as_chunks::<4>();
    let mut hash = 42;
    for word in words {
        hash = mixed(hash, u32::from_le_bytes(*word));
    }
    for byte in rest {
        hash = mixed(hash, *byte as i8 as u32);
    }
    hash ^= text.len() as u32;
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85eb_ca6b);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(0xc2b2_ae35);
    (hash ^ hash >> 16) as i32
}

fn mixed(hash: u32, word: u32) -> u32 {
    let word = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    (hash ^ word).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

/// `String`
pub(crate) fn of_string(text: &str) -> i32 {
    text.encode_utf16().fold(0i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)))
}

/// `Long`
pub(crate) fn of_long(value: i64) -> i32 {
    (value ^ value >> 32) as i32
}

/// `Boolean`
pub(crate) fn of_bool(value: bool) -> i32 {
    if value { 1231 } else { 1237 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_hash_as_flink_hashes_them() {
        let printed = [
            ("", 142593372),
            ("a", 1485273170),
            ("ab", -97053317),
            ("abc", 1322437556),
            ("abcd", -396302900),
            ("abcde", 814637928),
            ("日本語", -1143049834),
            ("😀8", -1070683262),
            ("longer than 7", 1678562523),
            ("eight888", 1223431063),
        ];
        for (text, hash) in printed {
            assert_eq!(of_text(text.as_bytes()), hash, "{text}");
        }
    }

    #[test]
    fn strings_hash_as_the_jdk_hashes_them() {
        let printed =
            [("", 0), ("a", 97), ("k19", 104403), ("日本語", 25921943), ("😀8", 54959925)];
        for (text, hash) in printed {
            assert_eq!(of_string(text), hash, "{text}");
        }
    }

    #[test]
    fn longs_mix_their_halves() {
        assert_eq!(of_long(-1), 0);
        assert_eq!(of_long(i64::MIN), i32::MIN);
        assert_eq!(of_long(1 << 32 | 5), 4);
    }
}
