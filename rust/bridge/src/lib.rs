//! The cdylib that Java loads, and the only crate that knows JNI.
//!
//! ```text
//! Java: NativeDecoder ──► entry ──► guard ──► session ──► sluice_codec::Decoder
//! its whole polls ───► poll_entry ┘
//! NativeBatchDecoder ──► batch_entry ──► guard ──► batch_session ──► sluice_arrow::BatchBuilder
//! NativeEncoder ──► encode_entry ──► guard ──► encode_session ──► sluice_codec::Encoder
//!                           │         │          └─ program_cache: plan × schema → program, shared
//!                           │         └─ handle: long → session, stale longs refused
//!                           └─ env: arrays in, arrays and buffers out
//! ```
//!
//! Rules of the border:
//! - Every entry goes through `guard`. Nothing unwinds into the JVM and nothing is thrown; an error
//!   is a negative number whose detail a second call tells.
//! - The record path (`decodeRow`, `decodeRows`, `encodeRow`) copies its input in, never calls Java and allocates nothing once
//!   warm. The row stays in a buffer of the session that Java has seen as a direct buffer.
//! - Native code keeps no reference to a Java object, starts no thread, and logs into a buffer that
//!   Java drains (`log_buffer`), so nothing here can pin a class loader.

mod abi;
mod batch;
mod batch_encode;
mod batch_encode_entry;
mod batch_entry;
mod batch_session;
mod encode_entry;
mod encode_session;
mod entry;
mod env;
mod guard;
mod handle;
mod log_buffer;
mod panic_place;
mod poll_entry;
mod program_cache;
mod programs;
mod row_counts;
mod session;
