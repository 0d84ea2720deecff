//! Compiles `proto/plan.proto` with protox, so that a build needs no protoc.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let proto = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("../../proto");
    println!("cargo:rerun-if-changed={}", proto.display());
    let files = protox::compile(["plan.proto"], [&proto])?;
    prost_build::Config::new().compile_fds(files)?;
    Ok(())
}
