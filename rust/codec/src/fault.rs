//! Where a record or row went wrong. Filled on the way out of a refused one, so it costs others nothing.

use sluice_plan::{Failure, FailureCode};

#[derive(Debug, Default)]
pub(crate) struct Fault {
    code: Option<FailureCode>,
    at: Option<usize>,
    trail: Vec<String>, // innermost field first
    detail: Option<String>,
}

impl Fault {
    pub fn reset(&mut self) {
        *self = Fault::default();
    }

    /// Remembers where the field that failed begins; the innermost call that knows it wins.
    #[cold]
    pub fn at(&mut self, code: FailureCode, at: impl Into<Option<usize>>) -> FailureCode {
        self.at = self.at.or(at.into());
        code
    }

    /// Remembers the field that failed, and where it begins.
    #[cold]
    pub fn field(
        &mut self, code: FailureCode, fields: &[String], field: u32, repeated: bool,
        at: impl Into<Option<usize>>,
    ) -> FailureCode {
        let name = &fields[field as usize];
        self.named(code, if repeated { format!("{name}[]") } else { name.clone() }, at)
    }

    /// Remembers a column or field by its name.
    #[cold]
    pub fn named(
        &mut self, code: FailureCode, name: String, at: impl Into<Option<usize>>,
    ) -> FailureCode {
        self.trail.push(name);
        self.at(code, at)
    }

    /// Remembers a part of a field that is not in the record.
    #[cold]
    pub fn inside(&mut self, code: FailureCode, name: &str) -> FailureCode {
        self.trail.push(name.to_string());
        code
    }

    /// Says more than the code does.
    #[cold]
    pub fn because(&mut self, code: FailureCode, detail: String) -> FailureCode {
        self.detail.get_or_insert(detail);
        code
    }

    /// The refusal is final.
    #[cold]
    pub fn close(&mut self, code: FailureCode) -> FailureCode {
        self.code = Some(code);
        code
    }

    pub fn failure(&self, message_name: &str) -> Failure {
        let code = self.code.unwrap_or(FailureCode::Panic);
        let path: Vec<&str> = self.trail.iter().rev().map(String::as_str).collect();
        Failure {
            code,
            byte_offset: self.at.map(|at| at as u64),
            field_path: path.join("."),
            message_name: message_name.to_string(),
            reason: self.detail.clone().unwrap_or_else(|| code.to_string()),
        }
    }
}
