//! Decodes Protobuf records into Flink's binary rows.
