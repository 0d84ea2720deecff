//! Stamps the library with a build id: a hash of everything that decides what it does.
//!
//! The id stands in the library between two marks. Gradle copies it from there into the jar, and
//! the loader compares the two, so that a library of another build is never used.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

const SOURCES: [&str; 6] = [
    "proto/plan.proto",
    "rust/wire/src",
    "rust/plan/src",
    "rust/codec/src",
    "rust/bridge/src",
    "Cargo.lock",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
        list(&root.join(source), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv::new();
    hash.add(env::var("CARGO_PKG_VERSION")?.as_bytes());
    for file in files {
        hash.add(file.strip_prefix(&root)?.to_string_lossy().replace('\\', "/").as_bytes());
        hash.add(&fs::read(&file)?);
    }
    println!("cargo:rustc-env=SLUICE_BUILD_ID={:016x}", hash.0);
    Ok(())
}

fn list(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(path)? {
        list(&entry?.path(), files)?;
    }
    Ok(())
}

/// FNV-1a with 64 bits: tells builds apart, and needs no crate.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds the bytes and their count, so that no two lists of parts look alike.
    fn add(&mut self, part: &[u8]) {
        for byte in (part.len() as u64).to_le_bytes().iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
