//! Plans and resolved schemas, and the programs they compile to.

mod failure;
mod plan;
mod program;

pub use failure::{Failure, FailureCode};
pub use plan::{Limits, Plan};
pub use program::Program;

/// The messages of `proto/plan.proto`.
pub mod proto {
    #![allow(missing_docs, reason = "generated; documented in proto/plan.proto")]
    include!(concat!(env!("OUT_DIR"), "/dev.sluice.plan.rs"));
}
