//! Columns to fields and oneofs, by name (D14).
//!
//! A column finds the field of exactly its name, else the oneof of that name, else the field or the
//! oneof of its camelCase form; so a column has one candidate at most. FLINK knows exact names of
//! fields only. A JSON name makes no column name. Two columns cannot stand for one thing: that is an
//! error that names both. The one exception is a member of a oneof, which may be a column of its own
//! and one of the oneof's ROW, since these are columns of different rows.

use std::collections::HashMap;

use super::Matching;
use crate::proto::{Column, Profile, ResolvedMessage};
use crate::{Failure, FailureCode};

/// What a column of a row over a message stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Target {
    /// Index of the field.
    Field(usize),
    /// Index of the oneof, whose members are the columns of a ROW.
    Oneof(usize),
}

/// What a message, or a oneof, has to offer to columns.
pub(crate) struct Names<'a> {
    message: &'a str,
    targets: HashMap<&'a str, Target>,
}

impl<'a> Names<'a> {
    /// Fields and, where `oneofs` and the profile know them as columns, oneofs of a message.
    pub fn of_message(message: &'a ResolvedMessage, profile: Profile, oneofs: bool) -> Names<'a> {
        let mut targets = HashMap::new();
        if profile != Profile::Flink && oneofs {
            let oneofs = message.oneofs.iter().enumerate();
            targets.extend(oneofs.map(|(at, oneof)| (oneof.as_str(), Target::Oneof(at))));
        }
        let fields = message.fields.iter().enumerate();
        targets.extend(fields.map(|(at, field)| (field.name.as_str(), Target::Field(at))));
        Names { message: &message.full_name, targets }
    }

    /// Members of a oneof.
    pub fn of_oneof(message: &'a ResolvedMessage, oneof: usize) -> Names<'a> {
        let fields = message.fields.iter().enumerate();
        let members = fields.filter(|(_, field)| field.oneof_index == Some(oneof as u32));
        let targets = members.map(|(at, field)| (field.name.as_str(), Target::Field(at)));
        Names { message: &message.full_name, targets: targets.collect() }
    }

    fn find(&self, column: &str, profile: Profile) -> Option<(&'a str, Target)> {
        let exact = self.targets.get_key_value(column);
        let found = exact.or_else(|| match profile {
            Profile::Flink => None,
            _ => self.targets.get_key_value(&*camel_case(column)),
        });
        found.map(|(name, target)| (*name, *target))
    }
}

/// For each column what it stands for, or `None` where there is nothing of its name.
pub(super) fn find_targets(
    matching: &mut (impl Matching + ?Sized), columns: &[Column], names: &Names<'_>,
) -> Result<Vec<Option<Target>>, Failure> {
    let mut found = Vec::with_capacity(columns.len());
    let mut taken: HashMap<Target, &str> = HashMap::with_capacity(columns.len());
    for column in columns {
        let Some((name, target)) = names.find(&column.name, matching.profile()) else {
            matching.miss(&column.name, names.message)?;
            found.push(None);
            continue;
        };
        if let Some(other) = taken.insert(target, &column.name) {
            let what = match target {
                Target::Field(_) => "field",
                Target::Oneof(_) => "oneof",
            };
            let column = &column.name;
            let reason = format!("columns {other} and {column} both stand for {what} {name}");
            return Err(Failure::new(FailureCode::AmbiguousColumn, reason));
        }
        found.push(Some(target));
    }
    Ok(found)
}

/// `order_line_no` as `orderLineNo`; other characters stay as they are.
fn camel_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut raise = false;
    for letter in name.chars() {
        if letter == '_' {
            raise = true;
        } else if std::mem::take(&mut raise) && !out.is_empty() {
            out.extend(letter.to_uppercase());
        } else {
            out.push(letter);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camel_case_raises_after_underscores() {
        assert_eq!(camel_case("order_line_no"), "orderLineNo");
        assert_eq!(camel_case("orderId"), "orderId");
        assert_eq!(camel_case("a__b_"), "aB");
        assert_eq!(camel_case("_lead"), "lead");
    }
}
