//! Failure codes as the contract numbers them, written down a second time on purpose.

/// The record ends inside a field.
pub const TRUNCATED: i32 = 101;
/// A varint of more than ten bytes.
pub const MALFORMED_VARINT: i32 = 102;
/// Field number 0.
pub const INVALID_TAG: i32 = 103;
/// Wire type 6 or 7.
pub const INVALID_WIRE_TYPE: i32 = 104;
/// A group that ends nowhere, or an end that has no start.
pub const END_GROUP_MISMATCH: i32 = 105;
/// A strict string that is no UTF-8.
pub const INVALID_UTF8: i32 = 106;
/// More than 100 levels.
pub const TOO_DEEP: i32 = 107;
/// A required field is absent.
pub const MISSING_REQUIRED: i32 = 108;
/// A number that the enum lacks.
pub const UNKNOWN_ENUM_NUMBER: i32 = 301;
/// Seconds or nanos out of range.
pub const TIMESTAMP_RANGE: i32 = 303;
/// A date that does not exist.
pub const BAD_DATE: i32 = 304;
/// A time of day that does not exist.
pub const BAD_TIME: i32 = 305;
/// A decimal without digits, or with too many bytes.
pub const BAD_DECIMAL: i32 = 306;
/// No value for a NOT NULL column.
pub const NULL_IN_NOT_NULL: i32 = 307;
