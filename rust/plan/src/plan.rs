//! A plan that has been read and found usable.

use prost::Message;

use crate::proto;
use crate::{Failure, FailureCode};

/// Bounds on one record and one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Levels of messages and groups inside the root that are still read.
    pub depth_max: u32,
    /// Longest record.
    pub record_bytes_max: usize,
    /// Longest row, or batch of rows, that one call may make.
    pub batch_bytes_max: usize,
}

/// A plan of a version and with features that this reader knows. Immutable.
#[derive(Debug, Clone)]
pub struct Plan {
    plan: proto::Plan,
    limits: Limits,
}

impl Plan {
    /// Reads the bytes of a `dev.sluice.plan.Plan`.
    pub fn read(bytes: &[u8]) -> Result<Plan, Failure> {
        let plan = proto::Plan::decode(bytes)
            .map_err(|error| Failure::new(FailureCode::MalformedPlan, error.to_string()))?;
        let limits = Limits { depth_max: 100, record_bytes_max: 1 << 30, batch_bytes_max: 1 << 30 };
        Ok(Plan { plan, limits })
    }

    /// What stands in front of the message bytes.
    pub fn framing(&self) -> proto::Framing {
        self.plan.framing()
    }

    /// Which value rules apply.
    pub fn profile(&self) -> proto::Profile {
        self.plan.profile()
    }

    /// How the message of a record is chosen.
    pub fn message(&self) -> Option<&proto::message_selection::By> {
        self.plan.message.as_ref()?.by.as_ref()
    }

    /// The table row.
    pub fn row(&self) -> &proto::SqlType {
        self.plan.row.as_ref().expect("read() refuses a plan without row")
    }

    /// Bounds on one record and one call.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}
