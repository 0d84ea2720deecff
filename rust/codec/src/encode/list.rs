//! Arrays: one field for each element, or one run of all.

use sluice_plan::FailureCode;

use super::Encoding;
use super::cells::{Cell, Elements};

impl Encoding<'_> {
    /// Writes the array in `cell`, tags of elements included; whether the tag of a run has to follow.
    pub fn list(&mut self, list: u32, cell: Cell) -> Result<bool, FailureCode> {
        let program = self.program;
        let list = &program.lists[list as usize];
        let elements = Elements::of(self, self.part_of(cell)?, usize::from(list.width))?;
        if elements.count == 0 {
            return Ok(false);
        }
        let before = self.records.len();
        if list.packed && self.packed(list.step, &elements) {
            return self.length_since(before);
        }
        for at in (0..elements.count).rev() {
            let written = match elements.cell(self.image, at) {
                Some(cell) => self.value(&list.element, cell)?,
                None => self.null(&list.element)?,
            };
            if written && !list.packed {
                self.records.tag(list.element.tag);
            }
        }
        if list.packed { self.length_since(before) } else { Ok(false) }
    }
}
