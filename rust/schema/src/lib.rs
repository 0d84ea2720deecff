//! Resolved schemas from prost-reflect descriptors, for Rust users.
