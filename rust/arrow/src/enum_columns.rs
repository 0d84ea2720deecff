//! Which columns of text are enums, as the program that fills them says.

use sluice_plan::Program;
use sluice_plan::program::{Element, Emit};
use sluice_plan::proto::{SqlKind, SqlType};

use crate::columns::nested::header_len;

/// What is known of one type and its parts.
#[derive(Debug, Default)]
pub(crate) struct EnumColumns {
    /// Its text is the name of an enum value.
    pub is_enum: bool,
    /// Columns of a ROW, element of an ARRAY, key and value of a MAP; may be short.
    parts: Vec<EnumColumns>,
}

static NONE: EnumColumns = EnumColumns { is_enum: false, parts: Vec::new() };

impl EnumColumns {
    /// The columns of the program's rows.
    pub fn of(program: &Program, row: &SqlType) -> EnumColumns {
        let mut found = EnumColumns::default();
        found.row(program, program.root, row);
        found
    }

    /// What is known of a part.
    pub fn part(&self, at: usize) -> &EnumColumns {
        self.parts.get(at).unwrap_or(&NONE)
    }

    fn part_mut(&mut self, at: usize) -> &mut EnumColumns {
        if self.parts.len() <= at {
            self.parts.resize_with(at + 1, EnumColumns::default);
        }
        &mut self.parts[at]
    }

    fn row(&mut self, program: &Program, message: u32, row: &SqlType) {
        let message = &program.messages[message as usize];
        let first = header_len(row.columns.len());
        for column in &message.columns {
            let at = (column.slot as usize).saturating_sub(first) / 8;
            if let Some(sql) = row.columns.get(at).and_then(|column| column.r#type.as_ref()) {
                self.part_mut(at).value(program, column.emit, sql);
            }
        }
    }

    fn value(&mut self, program: &Program, emit: Emit, sql: &SqlType) {
        match (emit, sql.kind()) {
            (Emit::EnumName { .. }, _) => self.is_enum = true,
            (Emit::Row { message }, SqlKind::Row) => self.row(program, message, sql),
            (Emit::Wrapped { message }, _) => {
                for column in &program.messages[message as usize].columns {
                    self.value(program, column.emit, sql);
                }
            }
            (Emit::Oneof { row }, SqlKind::Row) => {
                let row = &program.oneof_rows[row as usize];
                let Some(at) = row.active else { return };
                if let Some(sql) = sql.columns.get(at).and_then(|column| column.r#type.as_ref()) {
                    self.part_mut(at).value(program, row.emit, sql);
                }
            }
            (Emit::Array { array }, SqlKind::Array) => {
                let emit = match program.arrays[array as usize].element {
                    Element::Number(_) => return,
                    Element::Emitted { emit, .. } | Element::Piece(emit) => emit,
                };
                if let Some(sql) = &sql.element {
                    self.part_mut(0).value(program, emit, sql);
                }
            }
            (Emit::Map { map }, SqlKind::Map | SqlKind::Multiset) => {
                let map = &program.maps[map as usize];
                if let Some(sql) = sql.key.as_ref().or(sql.element.as_ref()) {
                    self.part_mut(0).value(program, map.key.emit, sql);
                }
                if let Some(sql) = &sql.value {
                    self.part_mut(1).value(program, map.value.emit, sql);
                }
            }
            _ => {}
        }
    }
}
