//! Plans: read from bytes, and refused when this reader would not do what they say.

use prost::Message;
use sluice_wire::{Cursor, SLACK, Tag, WireError, WireType};

use crate::proto::{self, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// The only plan version there is.
const VERSION: u32 = 1;
/// Names of `required_features` that this reader knows.
const FEATURES: &[&str] = &[];
/// protobuf-java's limit on nested messages, and the default here.
const DEPTH_DEFAULT: u32 = 100;
/// Nested messages are read by recursion, so the limit must be one that a thread's stack bears.
const DEPTH_MAX: u32 = 200;
/// Levels of nested SQL types, for the same reason.
const TYPE_LEVELS_MAX: u32 = 200;
/// Offsets in the record and in rows are 31 bits, as Java's arrays have.
const BYTES_MAX: u64 = i32::MAX as u64 - 1024;

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
    row: SqlType,
    limits: Limits,
}

impl Plan {
    /// Reads the bytes of a `dev.sluice.plan.Plan`.
    pub fn read(bytes: &[u8]) -> Result<Plan, Failure> {
        check_nesting(bytes)?;
        let plan = proto::Plan::decode(bytes)
            .map_err(|error| Failure::new(FailureCode::MalformedPlan, error.to_string()))?;
        Plan::new(plan)
    }

    /// Takes a plan that was built in Rust.
    pub fn new(mut plan: proto::Plan) -> Result<Plan, Failure> {
        let unsupported = |reason: String| Err(Failure::new(FailureCode::UnsupportedPlan, reason));
        let malformed = |reason: &str| Err(Failure::new(FailureCode::MalformedPlan, reason));
        if plan.version != VERSION {
            return unsupported(format!("plan version {} is not known", plan.version));
        }
        if let Some(name) = plan.required_features.iter().find(|n| !FEATURES.contains(&&***n)) {
            return unsupported(format!("plan feature {name} is not known"));
        }
        if plan.body != proto::Body::Protobuf as i32 {
            return unsupported(format!("record body {} is not known", plan.body));
        }
        if !matches!(plan.profile(), proto::Profile::Confluent | proto::Profile::Flink) {
            return unsupported(format!("profile {} is not known", plan.profile));
        }
        if !matches!(plan.framing(), proto::Framing::Bare | proto::Framing::Registry) {
            return unsupported(format!("framing {} is not known", plan.framing));
        }
        let Some(row) = plan.row.take().filter(|row| row.kind() == SqlKind::Row) else {
            return malformed("the table row of the plan is not a ROW");
        };
        let limits = plan.limits.unwrap_or_default();
        let depth_max = if limits.depth_max == 0 { DEPTH_DEFAULT } else { limits.depth_max };
        if depth_max > DEPTH_MAX {
            return unsupported(format!("a depth of {depth_max} is more than {DEPTH_MAX}"));
        }
        let bytes = |limit| if limit == 0 { BYTES_MAX } else { BYTES_MAX.min(limit) } as usize;
        let limits = Limits {
            depth_max,
            record_bytes_max: bytes(limits.record_bytes_max),
            batch_bytes_max: bytes(limits.batch_bytes_max),
        };
        Ok(Plan { plan, row, limits })
    }

    /// What stands in front of the message bytes.
    pub fn framing(&self) -> proto::Framing {
        self.plan.framing()
    }

    /// Which value rules apply.
    pub fn profile(&self) -> proto::Profile {
        self.plan.profile()
    }

    /// Options of the reader; all off where the plan has none.
    pub fn reader(&self) -> proto::ReaderOptions {
        self.plan.reader.unwrap_or_default()
    }

    /// How the message of a record is chosen.
    pub fn message(&self) -> Option<&proto::message_selection::By> {
        self.plan.message.as_ref()?.by.as_ref()
    }

    /// The table row, always a ROW.
    pub fn row(&self) -> &SqlType {
        &self.row
    }

    /// Bounds on one record and one call.
    pub fn limits(&self) -> Limits {
        self.limits
    }
}

/// Refuses a plan whose SQL types nest too deeply, before prost follows them by recursion.
fn check_nesting(bytes: &[u8]) -> Result<(), Failure> {
    let slab = [bytes, &[0; SLACK]].concat();
    let cursor = Cursor::new(&slab, 0, bytes.len()).expect("the slack was added");
    // Plan.row, then SqlType.columns -> Column.type, SqlType.element, .key and .value.
    check_level(&slab, cursor, &[(6, Holder::Type)], TYPE_LEVELS_MAX).map_err(|error| match error {
        WireError::TooDeep => Failure::new(
            FailureCode::UnsupportedPlan,
            format!("SQL types are nested more than {TYPE_LEVELS_MAX} levels deep"),
        ),
        error => Failure::new(FailureCode::MalformedPlan, error.to_string()),
    })
}

#[derive(Clone, Copy)]
enum Holder {
    Type,
    Column,
}

fn check_level(
    slab: &[u8], mut cursor: Cursor<'_>, holders: &[(u32, Holder)], levels: u32,
) -> Result<(), WireError> {
    while !cursor.is_empty() {
        let tag = cursor.tag()?;
        let found = holders.iter().find(|(number, _)| tag == Tag::new(*number, WireType::Length));
        let Some((_, holder)) = found else {
            cursor.skip(tag, DEPTH_DEFAULT)?;
            continue;
        };
        let levels = levels.checked_sub(1).ok_or(WireError::TooDeep)?;
        let span = cursor.span()?;
        let inner = Cursor::new(slab, span.at, span.at + span.len).expect("a span lies inside");
        let holders: &[(u32, Holder)] = match holder {
            Holder::Type => {
                &[(6, Holder::Column), (7, Holder::Type), (8, Holder::Type), (9, Holder::Type)]
            }
            Holder::Column => &[(2, Holder::Type)],
        };
        check_level(slab, inner, holders, levels)?;
    }
    Ok(())
}
