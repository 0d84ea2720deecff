//! The compiled form of plan x resolved schema.

use crate::{Failure, FailureCode, Limits, Plan, proto};

/// Immutable tables that drive the decoder. `Send + Sync`; shared by `Arc`.
#[derive(Debug)]
pub struct Program {
    missing_columns: Vec<String>,
    message_name: String,
    limits: Limits,
}

impl Program {
    /// Compiles the plan's row against `schema.messages[schema.root]`.
    pub fn compile(plan: &Plan, schema: &proto::ResolvedSchema) -> Result<Program, Failure> {
        let _ = (plan, schema);
        Err(Failure::new(FailureCode::UnsupportedPlan, "the compiler is not built yet"))
    }

    /// Paths of the columns for which the writer schema has no field; they are NULL.
    pub fn missing_columns(&self) -> &[String] {
        &self.missing_columns
    }

    /// Full name of the root message.
    pub fn message_name(&self) -> &str {
        &self.message_name
    }

    /// The plan's limits.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}
