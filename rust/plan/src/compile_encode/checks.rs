//! FLINK: what is refused though it is not written.
//!
//! Flink's own format builds the message of every ROW that is not NULL, and a message without a
//! required field cannot be built. Only then does a later member take the oneof, or a later entry
//! the key. A NULL in a collection is an empty message, which nobody builds before it is written.

use crate::encode_program::{EncodeOp, EncodeProgram, EncodeValue, OnNull};

/// Marks the members and maps whose values have to be checked also where they are not written.
pub(super) fn mark(program: &mut EncodeProgram) {
    // Messages stand before those inside them.
    let mut may_lack = vec![false; program.messages.len()];
    for at in (0..program.messages.len()).rev() {
        let message = &program.messages[at];
        may_lack[at] = message.lacks.is_some()
            || message
                .ops
                .iter()
                .any(|op| op.null == OnNull::Required || value_may_lack(program, op, &may_lack));
    }
    let mut checked = Vec::new();
    for message in &program.messages {
        checked.extend(message.ops.iter().map(|op| value_may_lack(program, op, &may_lack)));
    }
    let ops = program.messages.iter_mut().flat_map(|message| &mut message.ops);
    for (op, checked) in ops.zip(checked) {
        op.checked = checked && op.choice != 0;
    }
    for map in &mut program.maps {
        map.checked = may_lack[map.entry as usize];
    }
}

/// Whether a message in a value that is not NULL may lack a required field.
fn value_may_lack(program: &EncodeProgram, op: &EncodeOp, may_lack: &[bool]) -> bool {
    match op.value {
        EncodeValue::Message { message } | EncodeValue::Wrapped { message } => {
            may_lack[message as usize]
        }
        EncodeValue::List { list } => {
            let element = &program.lists[list as usize].element;
            element.null == OnNull::Required || value_may_lack(program, element, may_lack)
        }
        EncodeValue::Map { map } => may_lack[program.maps[map as usize].entry as usize],
        _ => false,
    }
}
