//! Plans and resolved schemas, and the programs they compile to.

/// The messages of `proto/plan.proto`.
pub mod proto {
    #![allow(missing_docs, reason = "generated; documented in proto/plan.proto")]
    include!(concat!(env!("OUT_DIR"), "/dev.sluice.plan.rs"));
}
