//! plan x resolved schema -> encode program.
//!
//! Rows are compiled along the table's type, which is finite. Fields that no column sets stay unset.
//! Profile, presence and packing are looked at here and nowhere else.

mod checks;
mod maps;
mod oneofs;
mod pairs;
mod rows;

use std::collections::HashMap;

use crate::encode_program::{EncodeList, EncodeMap, EncodeMessage, EncodeProgram};
use crate::matching::{Matching, schema};
use crate::number_names::NumberNames;
use crate::proto::{self, Profile};
use crate::{Failure, FailureCode, Plan};

/// Compiles `plan` against `schema`.
pub(crate) fn program(
    plan: &Plan, schema: &proto::ResolvedSchema,
) -> Result<EncodeProgram, Failure> {
    let root = schema::check(schema)?;
    let mut compiler = Compiler {
        schema,
        profile: plan.profile(),
        messages: Vec::new(),
        lists: Vec::new(),
        maps: Vec::new(),
        enums: Vec::new(),
        enum_by_index: HashMap::new(),
        path: Vec::new(),
    };
    match compiler.row(&plan.row().columns, root, Oneofs::AsColumns) {
        Ok(root) => {
            let flink = compiler.is_flink();
            let messages = compiler.messages.into_iter().map(|m| m.expect("all are built"));
            let mut program = EncodeProgram {
                messages: messages.collect(),
                lists: compiler.lists,
                maps: compiler.maps,
                enums: compiler.enums,
                root,
                null_text: plan.writer().null_text.as_bytes().into(),
                limits: plan.limits(),
            };
            if flink {
                checks::mark(&mut program);
            }
            Ok(program)
        }
        Err(mut failure) => {
            failure.message_name = schema.messages[root].full_name.clone();
            failure.field_path = compiler.path.join(".");
            Err(failure)
        }
    }
}

/// Whether a column may be the ROW of a oneof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Oneofs {
    /// In rows of the table (CONFLUENT).
    AsColumns,
    /// Not in parts of one SQL value.
    Unseen,
}

struct Compiler<'a> {
    schema: &'a proto::ResolvedSchema,
    profile: Profile,
    messages: Vec<Option<EncodeMessage>>,
    lists: Vec<EncodeList>,
    maps: Vec<EncodeMap>,
    enums: Vec<NumberNames>,
    enum_by_index: HashMap<u32, u32>,
    path: Vec<String>,
}

impl Compiler<'_> {
    fn is_flink(&self) -> bool {
        self.profile == Profile::Flink
    }

    /// The numbers of an enum; one table for all its columns.
    fn numbers(&mut self, index: u32) -> u32 {
        let (schema, lenient) = (&self.schema.enums[index as usize], self.is_flink());
        *self.enum_by_index.entry(index).or_insert_with(|| {
            self.enums.push(NumberNames::new(schema, lenient));
            self.enums.len() as u32 - 1
        })
    }

    fn refuse<T>(&self, code: FailureCode, reason: String) -> Result<T, Failure> {
        Err(Failure::new(code, reason))
    }
}

impl Matching for Compiler<'_> {
    fn schema(&self) -> &proto::ResolvedSchema {
        self.schema
    }

    fn profile(&self) -> Profile {
        self.profile
    }

    /// A value that has no place would be lost.
    fn miss(&mut self, column: &str, message: &str) -> Result<(), Failure> {
        self.refuse(FailureCode::TypeMismatch, format!("{message} has no field {column} to write"))
    }
}

#[cfg(test)]
mod tests;
