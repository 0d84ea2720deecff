//! Structs of the Arrow C Data Interface that lie: refused, or a batch that is whole; each is released
//! once.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../arrow/tests/hostile/mod.rs"]
mod hostile;

fuzz_target!(|numbers: &[u8]| {
    hostile::check(numbers);
});
