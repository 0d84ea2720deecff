//! Plans around a row type, as the Java side would build them.

use crate::reference::flink::Flags;
use sluice_plan::proto::{
    Body, Framing, Limits, MessageSelection, Plan, Profile, ReaderOptions, SqlType,
    UnframedRecords, message_selection,
};

/// A plan for the CONFLUENT profile, with protobuf-java's limits.
pub fn confluent(row: &SqlType) -> Plan {
    Plan {
        version: 1,
        required_features: Vec::new(),
        body: Body::Protobuf as i32,
        profile: Profile::Confluent as i32,
        framing: Framing::Registry as i32,
        row: Some(row.clone()),
        reader: Some(ReaderOptions {
            read_defaults: false,
            read_simple_defaults: false,
            unframed_records: UnframedRecords::Fail as i32,
        }),
        message: Some(MessageSelection { by: Some(message_selection::By::WriterSchema(true)) }),
        limits: Some(Limits {
            depth_max: 100,
            record_bytes_max: i32::MAX as u64,
            batch_bytes_max: i32::MAX as u64,
        }),
        metadata: Vec::new(),
        descriptors: None,
        writer: None,
    }
}

/// A plan for the FLINK profile with these read flags.
pub fn flink(row: &SqlType, flags: Flags) -> Plan {
    let mut plan = confluent(row);
    plan.profile = Profile::Flink.into();
    plan.framing = Framing::Bare.into();
    let reader = plan.reader.get_or_insert_default();
    reader.read_defaults = flags.read_defaults;
    reader.read_simple_defaults = flags.read_simple_defaults;
    plan
}
