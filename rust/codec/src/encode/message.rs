//! Messages: fields by descending number, and which member of a oneof is written.

use sluice_plan::FailureCode;
use sluice_plan::encode_program::{ChoiceColumn, EncodeMessage, EncodeOp, EncodeValue, OnNull};

use super::Encoding;
use super::cells::{Cell, Cells, Row};

/// No operation: no member of the oneof is set.
const NONE: (u32, Cell) = (u32::MAX, Cell { at: 0, base: 0 });

impl Encoding<'_> {
    /// Writes the fields of message `index`.
    pub fn message<C: Cells>(&mut self, index: u32, cells: C) -> Result<(), FailureCode> {
        let program = self.program;
        let message = &program.messages[index as usize];
        let first = self.begin(message, cells)?;
        for at in 0..message.ops.len() {
            self.op(message, first, at, cells)?;
        }
        self.scratch.chosen.truncate(first);
        Ok(())
    }

    /// Begins a message: where its choices begin. Refuses one that lacks a required field.
    #[inline(always)]
    pub fn begin<C: Cells>(
        &mut self, message: &EncodeMessage, cells: C,
    ) -> Result<usize, FailureCode> {
        if let Some(field) = message.lacks {
            let code = FailureCode::MissingRequired;
            return Err(self.scratch.fault.field(code, &message.fields, field, false, None));
        }
        let first = self.scratch.chosen.len();
        if !message.choices.is_empty() {
            self.choose(message, cells)?;
        }
        Ok(first)
    }

    /// Writes what operation `at` of the message says; its choices begin at `first`.
    #[inline(always)]
    pub fn op<C: Cells>(
        &mut self, message: &EncodeMessage, first: usize, at: usize, cells: C,
    ) -> Result<(), FailureCode> {
        let op = &message.ops[at];
        let cell = if op.choice == 0 {
            cells.cell(self.image, op.place)?
        } else {
            let (chosen, cell) = self.scratch.chosen[first + op.choice as usize - 1];
            if chosen as usize != at {
                if op.checked {
                    self.check_unwritten(message, op, cells)?;
                }
                return Ok(());
            }
            Some(cell)
        };
        let written = match cell {
            Some(cell) => self.field(op, cell),
            None if op.null == OnNull::Unset => return Ok(()),
            None => self.null_field(op),
        };
        written.map_err(|code| {
            let repeated = matches!(op.value, EncodeValue::List { .. } | EncodeValue::Map { .. });
            self.scratch.fault.field(code, &message.fields, op.field, repeated, None)
        })
    }

    #[inline(always)]
    fn field(&mut self, op: &EncodeOp, cell: Cell) -> Result<(), FailureCode> {
        if self.value(op, cell)? {
            self.records.tag(op.tag);
        }
        Ok(())
    }

    #[cold]
    fn null_field(&mut self, op: &EncodeOp) -> Result<(), FailureCode> {
        if self.null(op)? {
            self.records.tag(op.tag);
        }
        Ok(())
    }

    /// FLINK: refuses a member that could not be written, though another one is.
    #[cold]
    fn check_unwritten<C: Cells>(
        &mut self, message: &EncodeMessage, op: &EncodeOp, cells: C,
    ) -> Result<(), FailureCode> {
        let Some(cell) = cells.cell(self.image, op.place)? else { return Ok(()) };
        let before = self.records.len();
        if let Err(code) = self.value(op, cell) {
            return Err(self.scratch.fault.field(code, &message.fields, op.field, false, None));
        }
        self.records.take_back(before);
        Ok(())
    }

    /// Finds for each choice the operation that writes its oneof.
    fn choose<C: Cells>(&mut self, message: &EncodeMessage, cells: C) -> Result<(), FailureCode> {
        for choice in &message.choices {
            let mut chosen = NONE;
            for column in choice.columns.iter().rev() {
                match column {
                    ChoiceColumn::Member { op } => {
                        let member = &message.ops[*op as usize];
                        match cells.cell(self.image, member.place)? {
                            Some(cell) => chosen = (*op, cell),
                            None if member.null == OnNull::Unset => {}
                            None => {
                                let fault = &mut self.scratch.fault;
                                let code = FailureCode::NullInNotNull;
                                let fields = &message.fields;
                                return Err(fault.field(code, fields, member.field, false, None));
                            }
                        }
                    }
                    ChoiceColumn::Row { place, fixed_len, members } => {
                        let Some(cell) = cells.cell(self.image, *place)? else { continue };
                        let span = self.part_of(cell)?;
                        if span.len < *fixed_len {
                            return Err(FailureCode::MalformedRow);
                        }
                        let row = Row { base: span.at };
                        for (place, op) in members {
                            if let Some(cell) = row.cell(self.image, *place)? {
                                chosen = (*op, cell);
                                break;
                            }
                        }
                    }
                }
                if chosen.0 != NONE.0 {
                    break;
                }
            }
            self.scratch.chosen.push(chosen);
        }
        Ok(())
    }
}
