//! Where the values of a message go: bits and slots of fields, for columns and for checks.

use super::Compiler;
use super::fields::Use;
use super::insides::{Insides, inside};
use super::oneofs::MemberPlace;
use super::rows::{Bound, RowColumn};
use crate::matching::Matching;
use crate::program::{Bit, Emit, Move};
use crate::proto::{Profile, ResolvedField, ResolvedMessage};

/// Where a field's value goes.
pub(super) struct Place {
    pub used: Use,
    pub bit: Bit,
    pub slot: u32,
    pub absent: u64,
}

/// Where the values of a message go.
pub(super) struct Places {
    /// By field.
    pub fields: Vec<Place>,
    /// By column: the members of a oneof column.
    pub members: Vec<Vec<MemberPlace>>,
    /// Hidden slots to columns.
    pub moves: Vec<Move>,
}

/// Bits and slots given out so far.
pub(super) struct Layout {
    pub header_len: usize,
    columns: usize,
    pub bits: usize,
    pub template: Vec<u8>,
}

impl Layout {
    /// Of a row with so many columns, or of a check program.
    pub fn new(columns: Option<usize>) -> Layout {
        let header_len = columns.map_or(0, |count| (count + 8).div_ceil(64) * 8);
        let bits = columns.map_or(0, |count| 8 + count);
        let columns = columns.unwrap_or(0);
        Layout { header_len, columns, bits, template: vec![0; header_len + 8 * columns] }
    }

    pub fn fixed_len(&self) -> usize {
        self.header_len + 8 * self.columns
    }

    /// A bit behind those of the columns.
    pub fn bit(&mut self) -> Bit {
        self.bits += 1;
        Bit::at(self.bits - 1)
    }

    /// The offset of a slot behind those of the row.
    pub fn hidden_slot(&mut self) -> u32 {
        self.template.extend([0; 8]);
        self.template.len() as u32 - 8
    }

    pub fn fill(&mut self, slot: u32, value: u64) {
        let slot = slot as usize;
        self.template[slot..slot + 8].copy_from_slice(&value.to_le_bytes());
    }
}

impl Compiler<'_> {
    /// What each field is for, and what the moves and the oneof columns make of it.
    pub(super) fn places(
        &self, schema: &ResolvedMessage, columns: &[RowColumn<'_>], insides: &Insides,
        layout: &mut Layout,
    ) -> Places {
        let mut found: Vec<Option<Place>> = schema.fields.iter().map(|_| None).collect();
        for (at, column) in columns.iter().enumerate() {
            if let Bound::Field(bound) = &column.bound {
                let slot = (layout.header_len + 8 * at) as u32;
                layout.fill(slot, bound.template);
                let (bit, absent) = (Bit::at(8 + at), bound.template);
                found[bound.field] = Some(Place { used: bound.used, bit, slot, absent });
            }
            if let Bound::Constant(constant) = &column.bound {
                layout.fill((layout.header_len + 8 * at) as u32, constant.template);
            }
        }
        let mut moves = Vec::new();
        for column in columns {
            if let Bound::Oneof(oneof) = &column.bound {
                oneof.hide_members(&mut found, layout, &mut moves);
            }
        }
        let mut fields: Vec<Place> = found
            .into_iter()
            .zip(&schema.fields)
            .enumerate()
            .map(|(at, (place, field))| {
                place.unwrap_or_else(|| self.unselected(field, inside(insides, at), layout))
            })
            .collect();
        let mut members = Vec::with_capacity(columns.len());
        for (at, column) in columns.iter().enumerate() {
            members.push(match &column.bound {
                Bound::Oneof(oneof) => {
                    let slot = (layout.header_len + 8 * at) as u32;
                    oneof.members(schema, &mut fields, Bit::at(8 + at), slot, layout, &mut moves)
                }
                _ => Vec::new(),
            });
        }
        Places { fields, members, moves }
    }

    /// The place of a field that no column asks for.
    fn unselected(
        &self, field: &ResolvedField, inside: Option<Emit>, layout: &mut Layout,
    ) -> Place {
        let holds_required = self.is_message(field)
            && inside != Some(Emit::Opaque)
            && self.holds_required[field.message_index as usize];
        if holds_required && !field.repeated {
            let bit = layout.bit();
            return Place {
                used: Use::Track { inside },
                bit,
                slot: layout.hidden_slot(),
                absent: 0,
            };
        }
        if holds_required && self.profile == Profile::Flink && self.is_entry(field) {
            let bit = layout.bit();
            return Place { used: Use::TrackEntries, bit, slot: layout.hidden_slot(), absent: 0 };
        }
        let bit = if field.required { layout.bit() } else { Bit::NONE };
        Place { used: Use::Check { presence: field.required, inside }, bit, slot: 0, absent: 0 }
    }
}
