//! Resolved schemas as they must be: every index points somewhere, numbers and names stand once.

use std::collections::HashSet;

use crate::proto::{FieldKind, ResolvedMessage, ResolvedSchema};
use crate::{Failure, FailureCode};

const NUMBER_MAX: u32 = (1 << 29) - 1;

/// Refuses a schema that the compiler could not index safely; returns the root's index.
pub(crate) fn check(schema: &ResolvedSchema) -> Result<usize, Failure> {
    if schema.version != 1 {
        let reason = format!("resolved schema version {} is not known", schema.version);
        return Err(Failure::new(FailureCode::UnsupportedPlan, reason));
    }
    for message in &schema.messages {
        check_message(schema, message).map_err(|reason| {
            Failure::new(FailureCode::MalformedPlan, format!("{}: {reason}", message.full_name))
        })?;
    }
    if let Some(found) = schema.enums.iter().find(|found| found.values.is_empty()) {
        let reason = format!("{}: an enum without values", found.full_name);
        return Err(Failure::new(FailureCode::MalformedPlan, reason));
    }
    let root = schema.root as usize;
    if root >= schema.messages.len() {
        let reason = format!("there is no message {root}");
        return Err(Failure::new(FailureCode::MalformedPlan, reason));
    }
    Ok(root)
}

fn check_message(schema: &ResolvedSchema, message: &ResolvedMessage) -> Result<(), String> {
    let mut numbers = HashSet::new();
    let mut names: HashSet<&str> = HashSet::new(); // of fields and oneofs: they are one scope
    if let Some(oneof) = message.oneofs.iter().find(|oneof| !names.insert(oneof)) {
        return Err(format!("oneof {oneof} is declared twice"));
    }
    for field in &message.fields {
        let name = &field.name;
        if field.number == 0 || field.number > NUMBER_MAX || !numbers.insert(field.number) {
            return Err(format!("field {name} has number {}", field.number));
        }
        if !names.insert(name) {
            return Err(format!("field {name} is not the only one of its name"));
        }
        let known = match FieldKind::try_from(field.kind) {
            Err(_) | Ok(FieldKind::Unspecified) => false,
            Ok(FieldKind::FieldMessage | FieldKind::FieldGroup) => {
                (field.message_index as usize) < schema.messages.len()
            }
            Ok(FieldKind::FieldEnum) => (field.enum_index as usize) < schema.enums.len(),
            Ok(_) => true,
        };
        if !known {
            return Err(format!("field {name} has a type that is not known"));
        }
        if field.oneof_index.is_some_and(|index| index as usize >= message.oneofs.len()) {
            return Err(format!("field {name} belongs to a oneof that is not known"));
        }
    }
    Ok(())
}

/// For each message, whether it or anything it reaches has a required field.
pub(crate) fn holds_required(schema: &ResolvedSchema) -> Vec<bool> {
    let mut users = vec![Vec::new(); schema.messages.len()];
    let mut found = Vec::new();
    for (at, message) in schema.messages.iter().enumerate() {
        for field in &message.fields {
            if matches!(field.kind(), FieldKind::FieldMessage | FieldKind::FieldGroup) {
                users[field.message_index as usize].push(at);
            }
        }
        if message.fields.iter().any(|field| field.required) {
            found.push(at);
        }
    }
    let mut holds = vec![false; schema.messages.len()];
    while let Some(at) = found.pop() {
        if !std::mem::replace(&mut holds[at], true) {
            found.extend(&users[at]);
        }
    }
    holds
}
