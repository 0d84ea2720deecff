//! Plans: read from bytes, and refused when this reader would not do what they say.

use prost::Message;
use sluice_wire::{Cursor, SLACK, Tag, WireError, WireType};

use crate::proto::{self, SqlKind, SqlType};
use crate::{Failure, FailureCode};

/// The only plan version there is.
const VERSION: u32 = 1;
/// Names of `required_features` that this reader knows.
const FEATURES: &[&str] = &[];
/// Keys of metadata that this reader knows.
const METADATA: &[&str] = &[SCHEMA_ID, MESSAGE_NAME, SCHEMA_GUID];
/// Metadata: the writer schema's id in the registry, INT.
pub const SCHEMA_ID: &str = "schema-id";
/// Metadata: full name of the record's message, text.
pub const MESSAGE_NAME: &str = "message-name";
/// Metadata: the writer schema's GUID in the registry, text.
pub const SCHEMA_GUID: &str = "schema-guid";
/// protobuf-java's limit on nested messages, and the default here.
const DEPTH_DEFAULT: u32 = 100;
/// Nested messages are read by recursion, so the limit must be one that a thread's stack bears.
const DEPTH_MAX: u32 = 200;
/// Levels of nested SQL types, for the same reason. One level of messages can take four: a column,
/// the ROW of a oneof, its column, and the ROW of the member. (An ARRAY of ROWs takes three.)
/// Java reads plans of up to 1000 levels (`PLAN_DEPTH_MAX`).
const TYPE_LEVELS_MAX: u32 = 4 * DEPTH_DEFAULT + 8;
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
        if let Some(key) = plan.metadata.iter().find(|key| !METADATA.contains(&&***key)) {
            return unsupported(format!("metadata {key} is not known"));
        }
        if plan.metadata.len() > row.columns.len() {
            return malformed("the plan has more metadata than columns");
        }
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

    /// A plan of the CONFLUENT profile for rows of this type, with the usual limits.
    pub fn for_row(row: SqlType, framing: proto::Framing) -> Result<Plan, Failure> {
        Plan::new(proto::Plan {
            version: VERSION,
            body: proto::Body::Protobuf.into(),
            profile: proto::Profile::Confluent.into(),
            framing: framing.into(),
            row: Some(row),
            ..proto::Plan::default()
        })
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

    /// Options of the writer; empty where the plan has none.
    pub fn writer(&self) -> proto::WriterOptions {
        self.plan.writer.clone().unwrap_or_default()
    }

    /// How the message of a record is chosen.
    pub fn message(&self) -> Option<&proto::message_selection::By> {
        self.plan.message.as_ref()?.by.as_ref()
    }

    /// Keys of the metadata that the last columns of the row hold.
    pub fn metadata(&self) -> &[String] {
        &self.plan.metadata
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

#[cfg(test)]
mod tests {
    use super::*;

    fn smallest() -> proto::Plan {
        proto::Plan {
            version: 1,
            body: proto::Body::Protobuf.into(),
            profile: proto::Profile::Confluent.into(),
            framing: proto::Framing::Registry.into(),
            row: Some(SqlType { kind: SqlKind::Row.into(), ..SqlType::default() }),
            ..proto::Plan::default()
        }
    }

    fn refused(change: impl FnOnce(&mut proto::Plan)) -> String {
        let mut plan = smallest();
        change(&mut plan);
        Plan::read(&plan.encode_to_vec()).unwrap_err().to_string()
    }

    #[test]
    fn reads_a_plan_and_fills_in_the_limits() {
        let plan = Plan::read(&smallest().encode_to_vec()).unwrap();
        assert_eq!(plan.framing(), proto::Framing::Registry);
        assert_eq!(plan.limits().depth_max, 100);
        assert!(plan.limits().batch_bytes_max > 1 << 30);
        assert_eq!(plan.message(), None);
    }

    #[test]
    fn refuses_by_name_what_it_does_not_know() {
        let text = refused(|plan| plan.version = 2);
        assert_eq!(text, "[unsupported-plan 402] plan version 2 is not known");
        let text = refused(|plan| plan.required_features.push("avro-body".into()));
        assert_eq!(text, "[unsupported-plan 402] plan feature avro-body is not known");
        assert!(refused(|plan| plan.profile = 7).contains("profile 7"));
        assert!(refused(|plan| plan.framing = 0).contains("framing 0"));
        assert!(refused(|plan| plan.body = 0).contains("body 0"));
        assert!(refused(|plan| plan.row = None).starts_with("[malformed-plan 403]"));
        let limits = proto::Limits { depth_max: 1 << 20, ..proto::Limits::default() };
        assert!(refused(|plan| plan.limits = Some(limits)).contains("a depth of 1048576"));
        assert_eq!(Plan::read(&[0x0a]).unwrap_err().code, FailureCode::MalformedPlan);
    }

    #[test]
    fn types_nest_as_deep_as_messages_may_and_no_deeper() {
        let row = |sql: Option<SqlType>| {
            let column = proto::Column { name: "m".into(), r#type: sql };
            SqlType { kind: SqlKind::Row.into(), columns: vec![column], ..SqlType::default() }
        };
        let array = |sql: Option<SqlType>| SqlType {
            kind: SqlKind::Array.into(),
            element: sql.map(Box::new),
            ..SqlType::default()
        };
        let nested = |levels: usize, level: &dyn Fn(Option<SqlType>) -> SqlType| {
            let mut plan = smallest();
            for _ in 0..levels {
                plan.row = Some(level(plan.row.take()));
            }
            plan.row = Some(row(plan.row.take()));
            Plan::read(&plan.encode_to_vec()).map(|_| ()).map_err(|failure| failure.code)
        };
        assert_eq!(nested(100, &|sql| row(sql)), Ok(()));
        assert_eq!(nested(100, &|sql| array(Some(row(sql)))), Ok(()));
        assert_eq!(nested(100, &|sql| row(Some(row(sql)))), Ok(()), "a oneof in each message");
        let refused = Err(FailureCode::UnsupportedPlan);
        assert_eq!(nested(250, &|sql| row(sql)), refused);
        assert_eq!(nested(5000, &|sql| array(sql)), refused);
    }
}
