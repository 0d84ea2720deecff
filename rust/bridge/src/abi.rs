//! What the loader compares before it calls anything else.

use jni::sys::jint;

/// Entries and their meaning; `NativeLibrary.java` has the same number.
pub const VERSION: jint = 3;

/// The build id between the marks by which Gradle finds it in the library.
#[used]
static MARKED_BUILD_ID: &str = concat!("sluice-build-id:", env!("SLUICE_BUILD_ID"), ";");

/// The build id: 16 hexadecimal digits.
pub fn build_id() -> &'static str {
    let marked = MARKED_BUILD_ID.strip_prefix("sluice-build-id:").unwrap_or_default();
    marked.trim_end_matches(';')
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_build_id_is_sixteen_digits() {
        assert_eq!(super::build_id().len(), 16);
        assert!(super::build_id().bytes().all(|digit| digit.is_ascii_hexdigit()));
    }
}
