//! Columns to fields, by name (D14).
//!
//! A column finds the field of exactly its name, else the field of its camelCase form. A JSON name
//! makes no column name. A field can be the value of one column only.

use super::Compiler;
use crate::proto::{Column, Profile, ResolvedMessage};
use crate::{Failure, FailureCode};

impl Compiler<'_> {
    /// For each column the index of its field, or `None` where the message has none.
    pub(super) fn find_fields(
        &mut self, columns: &[Column], message: &ResolvedMessage,
    ) -> Result<Vec<Option<usize>>, Failure> {
        let mut found: Vec<Option<usize>> = Vec::with_capacity(columns.len());
        let by_name: std::collections::HashMap<&str, usize> =
            message.fields.iter().enumerate().map(|(at, field)| (&*field.name, at)).collect();
        let mut taken = vec![None; message.fields.len()];
        for column in columns {
            let mut field = by_name.get(&*column.name);
            if field.is_none() && self.profile != Profile::Flink {
                field = by_name.get(&*camel_case(&column.name));
            }
            if let Some(&at) = field {
                if let Some(other) = taken[at].replace(&column.name) {
                    let reason = format!(
                        "columns {other} and {} both stand for field {}",
                        column.name, message.fields[at].name
                    );
                    return self.refuse(FailureCode::AmbiguousColumn, reason);
                }
            } else {
                let names_oneof = message
                    .oneofs
                    .iter()
                    .any(|oneof| *oneof == column.name || *oneof == camel_case(&column.name));
                if names_oneof && self.profile != Profile::Flink {
                    let reason =
                        format!("reading oneof {} as one column is not built yet", column.name);
                    return self.refuse(FailureCode::UnsupportedColumn, reason);
                }
                if self.profile == Profile::Flink {
                    let reason = format!("{} has no field {}", message.full_name, column.name);
                    return self.refuse(FailureCode::TypeMismatch, reason);
                }
                let path: Vec<&str> =
                    self.path.iter().map(String::as_str).chain([&*column.name]).collect();
                self.missing_columns.push(path.join("."));
            }
            found.push(field.copied());
        }
        Ok(found)
    }
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
