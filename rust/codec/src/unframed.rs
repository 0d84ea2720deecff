//! Records without frame: whether they are what the latest schema says (R2, decision 22).
//!
//! Almost any bytes can be read as some Protobuf message, so such a record must earn it: it has to
//! parse, and to hold at least one field of the message, unless it is empty. Otherwise its frame is
//! what is wrong with it.

use sluice_plan::{Failure, FailureCode, Program};
use sluice_wire::Cursor;

use crate::Slab;

/// Whether the record is empty, or some field of the message occurs in it in a wire form that counts
/// as the field. Where the record cannot be read, decoding it will say so.
pub fn holds_any_field(program: &Program, record: &Slab) -> bool {
    let len = record.record().len();
    let tags = &program.messages[program.root as usize].tags;
    let Some(mut cursor) = Cursor::new(record.readable(), 0, len) else { return true };
    let groups = program.limits().depth_max;
    while !cursor.is_empty() {
        let Ok(tag) = cursor.tag() else { return true };
        if tags.find(tag).is_some() {
            return true;
        }
        if cursor.skip(tag, groups).is_err() {
            return true;
        }
    }
    len == 0
}

/// Whether a refusal means that the record is no message at all.
pub fn is_no_message(code: FailureCode) -> bool {
    (100..200).contains(&code.number())
}

/// What a record without frame is that holds none of the message's fields.
pub fn holds_none(program: &Program) -> Failure {
    Failure {
        message_name: program.message_name().to_string(),
        byte_offset: Some(0),
        ..Failure::new(
            FailureCode::BadFrame,
            "the record has no frame, and holds no field of the message that it would be",
        )
    }
}

/// What a record without frame is that cannot be read as the message.
pub fn refusal(failure: Failure) -> Failure {
    Failure {
        code: FailureCode::BadFrame,
        reason: format!(
            "the record has no frame, and is no such message: {} ({})",
            failure.reason,
            failure.code.label()
        ),
        ..failure
    }
}
