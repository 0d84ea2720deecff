//! Why a record or a call was refused: a stable number, and the cold detail behind it.
//!
//! The hot path returns a bare [`FailureCode`]; a [`Failure`] with place and text is made only when
//! somebody asks for it. Nothing decides anything by the text.

use std::fmt;

use crate::proto;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $label:literal, $text:literal;)*) => {
        /// Why a record or a call was refused. The numbers are ABI: append only, never renumber
        /// or reuse. `FailureCode.java` lists the same pairs and `FailureCodeTest` compares them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
        #[repr(i32)]
        pub enum FailureCode {
            $(#[doc = $text] #[error($text)] $name = $number,)*
        }

        impl FailureCode {
            /// Every code, in the order of the numbers.
            pub const ALL: &'static [FailureCode] = &[$(FailureCode::$name,)*];

            /// The code's name in messages, in the corpus and in `docs/errors.md`.
            pub fn label(self) -> &'static str {
                match self { $(FailureCode::$name => $label,)* }
            }
        }
    };
}

codes! {
    Truncated = 101, "truncated", "the record ends inside a field";
    MalformedVarint = 102, "malformed-varint", "a varint has no end within 10 bytes";
    InvalidTag = 103, "invalid-tag", "a tag has field number 0";
    InvalidWireType = 104, "invalid-wire-type", "a tag has wire type 6 or 7";
    EndGroupMismatch = 105, "end-group-mismatch", "a group has no matching end";
    InvalidUtf8 = 106, "invalid-utf8", "a string is not valid UTF-8";
    TooDeep = 107, "too-deep", "messages and groups are nested too deeply";
    MissingRequired = 108, "missing-required", "a required field is absent";
    BadFrame = 201, "bad-frame", "the record has no well-formed frame";
    UnknownMessageIndex = 202, "unknown-message-index",
        "the message indexes name no message of the schema";
    UnknownEnumNumber = 301, "unknown-enum-number", "the enum has no value of this number";
    UnknownEnumName = 302, "unknown-enum-name", "the enum has no value of this name";
    TimestampRange = 303, "timestamp-range", "a timestamp is out of range";
    BadDate = 304, "bad-date", "a date does not exist";
    BadTime = 305, "bad-time", "a time of day does not exist";
    BadDecimal = 306, "bad-decimal", "a decimal has no value";
    NullInNotNull = 307, "null-in-not-null", "a NOT NULL column has no value";
    NumberRange = 308, "number-range", "a number does not fit its field";
    TypeMismatch = 401, "type-mismatch", "a column cannot hold the values of its field";
    UnsupportedPlan = 402, "unsupported-plan", "the plan needs a newer reader";
    MalformedPlan = 403, "malformed-plan", "the plan or the schema is malformed";
    AmbiguousColumn = 404, "ambiguous-column", "a column name stands for more than one field";
    UnsupportedColumn = 405, "unsupported-column", "this pair of types is not built yet";
    UnknownSchema = 501, "unknown-schema", "no program for this writer schema yet";
    SchemaNotFound = 502, "schema-not-found", "the registry does not know the schema";
    BadSchema = 503, "bad-schema", "the writer schema cannot be read";
    OtherSchemaType = 504, "other-schema-type", "the writer schema is not Protobuf";
    RegistryUnreachable = 505, "registry-unreachable", "the registry cannot be reached";
    RegistryRefused = 506, "registry-refused", "the registry refused the request";
    SchemaHasRules = 507, "schema-has-rules", "the schema has rules to run on read";
    OtherMessage = 508, "other-message", "the record holds another message";
    Panic = 601, "panic", "native code panicked";
    Closed = 602, "closed", "the handle is closed";
    Poisoned = 603, "poisoned", "the handle panicked before";
    RecordTooLarge = 604, "record-too-large", "the record is longer than the limit";
    RowTooLarge = 605, "row-too-large", "the row is longer than the limit";
    RowBufferMoved = 606, "row-buffer-moved", "the row buffer has moved";
    MalformedRow = 607, "malformed-row", "a row is not in Flink's binary layout";
}

impl FailureCode {
    /// The code's number.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The code with this number.
    pub fn from_number(number: i32) -> Option<FailureCode> {
        Self::ALL.iter().copied().find(|code| code.number() == number)
    }
}

impl From<sluice_wire::WireError> for FailureCode {
    fn from(error: sluice_wire::WireError) -> FailureCode {
        use sluice_wire::WireError;
        match error {
            WireError::Truncated => FailureCode::Truncated,
            WireError::MalformedVarint => FailureCode::MalformedVarint,
            WireError::InvalidTag => FailureCode::InvalidTag,
            WireError::InvalidWireType => FailureCode::InvalidWireType,
            WireError::EndGroupMismatch => FailureCode::EndGroupMismatch,
            WireError::TooDeep => FailureCode::TooDeep,
        }
    }
}

/// One refusal with its place. Never holds bytes of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What went wrong.
    pub code: FailureCode,
    /// Offset of the field that failed, counted from the first byte of the record.
    pub byte_offset: Option<u64>,
    /// Field names from the root, `line[].sku`; empty for the record itself.
    pub field_path: String,
    /// Full name of the message that the record was read as; empty before it is known.
    pub message_name: String,
    /// One short sentence.
    pub reason: String,
}

impl Failure {
    /// A refusal without a place.
    pub fn new(code: FailureCode, reason: impl Into<String>) -> Failure {
        Failure {
            code,
            byte_offset: None,
            field_path: String::new(),
            message_name: String::new(),
            reason: reason.into(),
        }
    }

    /// The form in which it crosses to Java.
    pub fn to_proto(&self) -> proto::Failure {
        proto::Failure {
            code: self.code.number(),
            byte_offset: self.byte_offset,
            field_path: self.field_path.clone(),
            message_name: self.message_name.clone(),
            reason: self.reason.clone(),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "[{} {}] {}", self.code.label(), self.code.number(), self.reason)?;
        let mut places = Vec::new();
        if !self.message_name.is_empty() {
            places.push(format!("message {}", self.message_name));
        }
        if !self.field_path.is_empty() {
            places.push(format!("field {}", self.field_path));
        }
        if let Some(offset) = self.byte_offset {
            places.push(format!("byte {offset}"));
        }
        if places.is_empty() { Ok(()) } else { write!(out, " ({})", places.join(", ")) }
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_labels_are_unique_and_found_again() {
        for (at, code) in FailureCode::ALL.iter().enumerate() {
            assert_eq!(FailureCode::from_number(code.number()), Some(*code));
            let later = &FailureCode::ALL[at + 1..];
            assert!(later.iter().all(|other| other.label() != code.label()));
            assert!(later.iter().all(|other| other.number() > code.number()));
        }
    }

    #[test]
    fn text_holds_code_reason_and_place() {
        let mut failure = Failure::new(FailureCode::InvalidUtf8, "the string is not valid UTF-8");
        failure.message_name = "shop.v1.Order".into();
        failure.field_path = "line[].sku".into();
        failure.byte_offset = Some(42);
        assert_eq!(
            failure.to_string(),
            "[invalid-utf8 106] the string is not valid UTF-8 \
             (message shop.v1.Order, field line[].sku, byte 42)"
        );
    }
}
