//! plan x resolved schema -> program.
//!
//! Rows are compiled along the table's type, which is finite; what no column asks for is compiled
//! once per message as a check program, from a work list, so recursion in the schema ends. Profile,
//! presence, UTF-8 rule and defaults are looked at here and nowhere else.

mod absence;
mod append;
mod fields;
mod insides;
mod maps;
mod messages;
mod metadata;
mod oneofs;
mod pairs;
mod places;
mod rows;
mod scatter;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::enum_names::{EnumNames, Unknown};
use crate::matching::{Matching, schema};
use crate::program::{ArrayProgram, MapProgram, MessageProgram, OneofRow, Program};
use crate::proto::{self, Profile};
use crate::{Failure, FailureCode, Plan};
use insides::Insides;

/// Operations that one program may hold; a wide message under very many ROW columns ends here.
const OPS_MAX: usize = 1 << 20;

/// See `Program::id`.
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

/// Compiles `plan` against `schema`.
pub(crate) fn program(plan: &Plan, schema: &proto::ResolvedSchema) -> Result<Program, Failure> {
    let root = schema::check(schema)?;
    let mut compiler = Compiler::new(plan, schema);
    let compiled =
        compiler.table_row(plan, root).and_then(|root| compiler.finish_checks().map(|()| root));
    match compiled {
        Ok(root) => Ok(Program {
            messages: append::add(
                compiler.messages,
                append::Parts {
                    enums: &compiler.enums,
                    arrays: &compiler.arrays,
                    maps: &compiler.maps,
                },
            ),
            arrays: compiler.arrays,
            maps: compiler.maps,
            oneof_rows: compiler.oneof_rows,
            enums: compiler.enums,
            root,
            limits: plan.limits(),
            missing_columns: compiler.missing_columns,
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
        }),
        Err(mut failure) => {
            failure.message_name = schema.messages[root].full_name.clone();
            failure.field_path = compiler.path.join(".");
            Err(failure)
        }
    }
}

/// Which rule decides what an absent field becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    /// A row of the table: the profile's rule.
    Table,
    /// An entry of a native map, or a message that is one SQL value: always the default.
    Part,
}

struct Compiler<'a> {
    schema: &'a proto::ResolvedSchema,
    profile: Profile,
    read_defaults: bool,
    read_simple_defaults: bool,
    holds_required: Vec<bool>,
    messages: Vec<Option<MessageProgram>>,
    arrays: Vec<ArrayProgram>,
    maps: Vec<MapProgram>,
    oneof_rows: Vec<OneofRow>,
    enums: Vec<EnumNames>,
    enum_by_index: HashMap<u32, u32>,
    check_by_message: HashMap<usize, u32>,
    pending_checks: Vec<(usize, u32, Insides)>,
    insides: HashMap<u32, Insides>,
    check_by_row: HashMap<u32, u32>,
    ops_count: usize,
    missing_columns: Vec<String>,
    path: Vec<String>,
}

impl<'a> Compiler<'a> {
    fn new(plan: &Plan, schema: &'a proto::ResolvedSchema) -> Compiler<'a> {
        Compiler {
            schema,
            profile: plan.profile(),
            read_defaults: plan.reader().read_defaults,
            read_simple_defaults: plan.reader().read_simple_defaults,
            holds_required: schema::holds_required(schema),
            messages: Vec::new(),
            arrays: Vec::new(),
            maps: Vec::new(),
            oneof_rows: Vec::new(),
            enums: Vec::new(),
            enum_by_index: HashMap::new(),
            check_by_message: HashMap::new(),
            pending_checks: Vec::new(),
            insides: HashMap::new(),
            check_by_row: HashMap::new(),
            ops_count: 0,
            missing_columns: Vec::new(),
            path: Vec::new(),
        }
    }

    /// The check program of a message; built later if it is asked for the first time.
    fn check(&mut self, message: usize) -> u32 {
        *self.check_by_message.entry(message).or_insert_with(|| {
            let at = self.messages.len() as u32;
            self.messages.push(None);
            self.pending_checks.push((message, at, Insides::new()));
            at
        })
    }

    fn finish_checks(&mut self) -> Result<(), Failure> {
        while let Some((message, at, insides)) = self.pending_checks.pop() {
            let program = self.check_program(message, &insides)?;
            self.messages[at as usize] = Some(program);
        }
        Ok(())
    }

    /// The names of an enum; one table for all its columns.
    fn names(&mut self, index: u32) -> u32 {
        let schema = &self.schema.enums[index as usize];
        let unknown = match self.profile {
            Profile::Flink => Unknown::Fixed("UNRECOGNIZED"),
            _ => {
                let name = schema.full_name.rsplit('.').next().unwrap_or_default();
                Unknown::Numbered(format!("UNKNOWN_ENUM_VALUE_{name}_"))
            }
        };
        *self.enum_by_index.entry(index).or_insert_with(|| {
            self.enums.push(EnumNames::new(schema, unknown));
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

    /// Decision 10: without a field the column is NULL. Flink's own format does not start.
    fn miss(&mut self, column: &str, message: &str) -> Result<(), Failure> {
        if self.profile == Profile::Flink {
            let reason = format!("{message} has no field {column}");
            return self.refuse(FailureCode::TypeMismatch, reason);
        }
        let path: Vec<&str> = self.path.iter().map(String::as_str).chain([column]).collect();
        self.missing_columns.push(path.join("."));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
