//! Protobuf wire format: varints, tags, skipping, UTF-8; no dependency, no allocation.
