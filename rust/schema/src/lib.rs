//! Resolved schemas from prost-reflect descriptors, for Rust users.
//!
//! In the Flink jar, schemas are parsed and resolved in Java; this crate does the second step for
//! people who use the crates without Java, and for tests. It reads proto2 and proto3. Files with
//! editions are refused by name: prost-reflect does not know their features, and guessing them
//! would decode wrong values without an error.
//!
//! What a resolved schema says is what protobuf-java's descriptors answer, and Java's
//! `MessageResolver` writes the same bytes for the same file: messages in the order in which they
//! are first met, the root first; only real oneofs; an enum closed by the file of the message
//! that holds the field; map keys and values strict UTF-8 even in proto2.
//!
//! ```
//! use prost::Message;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = std::env::temp_dir().join(format!("sluice-schema-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # std::fs::write(folder.join("order.proto"), r#"
//! #     syntax = "proto3"; package shop; message Order { int64 id = 1; optional string note = 2; }
//! # "#)?;
//! // Any descriptor set will do: protoc's, protox's, buf's.
//! let set = protox::compile(["order.proto"], [&folder])?.encode_to_vec();
//!
//! let pool = sluice_schema::read_set(&set)?;
//! let schema = sluice_schema::resolve_name(&pool, "shop.Order")?;
//!
//! let fields = &schema.messages[0].fields;
//! assert_eq!(fields[0].name, "id");
//! assert!(!fields[0].has_presence && fields[1].has_presence);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```

mod error;
mod resolve;
mod set;

pub use error::SchemaError;
pub use resolve::{resolve, resolve_name};
pub use set::read_set;
