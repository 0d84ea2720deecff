//! Plans and resolved schemas, and the programs they compile to: one kind reads, the other writes.

mod compile;
mod compile_encode;
pub mod encode_program;
mod enum_names;
mod failure;
pub mod infer;
mod matching;
mod number_names;
mod padded_text;
mod plan;
pub mod program;
mod tag_table;

pub use encode_program::EncodeProgram;
pub use enum_names::{EnumNames, Unknown};
pub use failure::{Failure, FailureCode};
pub use number_names::NumberNames;
pub use padded_text::PaddedText;
pub use plan::{Limits, Plan};
pub use program::Program;
pub use tag_table::TagTable;

/// The messages of `proto/plan.proto`.
pub mod proto {
    #![allow(missing_docs, reason = "generated; documented in proto/plan.proto")]
    include!(concat!(env!("OUT_DIR"), "/dev.sluice.plan.rs"));
}
