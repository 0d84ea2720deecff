//! Metadata columns: constants of the program, which no field of a record touches.
//!
//! They are compiled as columns that are absent in every record and have the constant as default.

use super::Compiler;
use super::rows::ConstantColumn;
use crate::plan::{MESSAGE_NAME, SCHEMA_GUID, SCHEMA_ID};
use crate::program::{Absent, Emit};
use crate::proto::{Column, SqlKind};
use crate::{Failure, FailureCode, Plan};

impl Compiler<'_> {
    /// The row program of the table: columns of the root message, then the plan's metadata.
    pub(super) fn table_row(&mut self, plan: &Plan, root: usize) -> Result<u32, Failure> {
        let columns = &plan.row().columns;
        let (columns, metadata) = columns.split_at(columns.len() - plan.metadata().len());
        let constants = metadata
            .iter()
            .zip(plan.metadata())
            .map(|(column, key)| self.constant(column, key, root))
            .collect::<Result<Vec<_>, _>>()?;
        self.row_with(columns, &constants, root, super::Context::Table)
    }

    fn constant<'b>(
        &self, column: &'b Column, key: &str, root: usize,
    ) -> Result<ConstantColumn<'b>, Failure> {
        let sql = column.r#type.clone().unwrap_or_default();
        let wanted = if key == SCHEMA_ID { SqlKind::Integer } else { SqlKind::Varchar };
        if sql.kind() != wanted {
            let reason = format!("metadata {key} is no {}", sql.kind().as_str_name());
            return Err(Failure::new(FailureCode::UnsupportedPlan, reason));
        }
        let origin = self.schema.origin.clone().unwrap_or_default();
        let text = match key {
            MESSAGE_NAME => Some(self.schema.messages[root].full_name.clone()),
            SCHEMA_GUID => origin.guid.as_deref().map(guid_text),
            _ => None,
        };
        let (emit, template, absent) = match (key, origin.id, text) {
            (SCHEMA_ID, Some(id), _) => (Emit::Fixed, u64::from(id as u32), Absent::Raw),
            (_, _, Some(text)) => (Emit::Bytes, 0, Absent::Text(text.into_bytes().into())),
            _ => (Emit::Fixed, 0, Absent::Null),
        };
        Ok(ConstantColumn { name: &column.name, nullable: sql.nullable, emit, absent, template })
    }
}

/// `01020304-0506-0708-090a-0b0c0d0e0f10`
fn guid_text(guid: &[u8]) -> String {
    let mut text = String::with_capacity(36);
    for (at, byte) in guid.iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}
