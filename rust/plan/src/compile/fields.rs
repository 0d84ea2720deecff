//! The operations of one field: one for each form in which it may come over the wire.

use sluice_wire::{Tag, WireType};

use super::Compiler;
use super::pairs::Single;
use crate::matching::{is_packable, wire_type_of};
use crate::program::{Emit, FieldOp, Step};
use crate::proto::{FieldKind, ResolvedField};

/// What the program does with a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Use {
    /// The value of a column.
    Single(Single),
    /// The elements of an array column.
    Elements(Single),
    /// The entries of a map column.
    Entries,
    /// No column, but its pieces are kept for the check of required fields.
    Track { inside: Option<Emit> },
    /// The same for the entries of a map, of which some replace others.
    TrackEntries,
    /// No column; `presence` if it matters that the field was there.
    Check { presence: bool, inside: Option<Emit> },
}

/// One wire form of a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Form {
    pub wire_type: WireType,
    pub step: Step,
    pub detail: u32,
    /// The next value is expected in the same form.
    pub runs: bool,
}

impl Compiler<'_> {
    /// The forms of `field`, the declared one first.
    pub(super) fn forms(&mut self, field: &ResolvedField, used: Use) -> Vec<Form> {
        let wire_type = wire_type_of(field.kind());
        let form = |step| Form { wire_type, step, detail: 0, runs: field.repeated };
        if field.repeated && is_packable(field.kind()) {
            let (each, all) = match (used, wire_type) {
                (Use::Elements(_), WireType::Varint) => (Step::VarintPiece, Step::Piece),
                (Use::Elements(_), WireType::Fixed32) => (Step::Fixed32Piece, Step::Piece),
                (Use::Elements(_), _) => (Step::Fixed64Piece, Step::Piece),
                (_, WireType::Varint) => (Step::SkipVarint, Step::CheckVarints),
                (_, WireType::Fixed32) => (Step::SkipFixed32, Step::CheckFixed32s),
                (_, _) => (Step::SkipFixed64, Step::CheckFixed64s),
            };
            let packed = Form { wire_type: WireType::Length, step: all, detail: 0, runs: false };
            return if field.packed { vec![packed, form(each)] } else { vec![form(each), packed] };
        }
        let is_group = field.kind() == FieldKind::FieldGroup;
        let piece = if is_group { Step::GroupPiece } else { Step::Piece };
        let number_form = |number| {
            let (step, detail) = Step::of_number(number);
            Form { detail, ..form(step) }
        };
        let one = match used {
            Use::Single(Single::Number(number)) => number_form(number),
            Use::Single(Single::Emitted { closed: Some(names), .. }) => {
                Form { detail: names, ..form(Step::ClosedEnum) }
            }
            Use::Single(Single::Emitted { number, .. }) => number_form(number),
            Use::Single(Single::View { strict: true, .. }) => form(Step::StrictView),
            Use::Single(Single::View { .. }) => form(Step::View),
            Use::Elements(Single::View { strict: true, .. }) => form(Step::StrictPiece),
            Use::Single(Single::Message { .. })
            | Use::Elements(_)
            | Use::Entries
            | Use::Track { .. }
            | Use::TrackEntries => form(piece),
            Use::Check { presence, inside } => self.check_form(field, presence, inside, form),
        };
        vec![one]
    }

    fn check_form(
        &mut self, field: &ResolvedField, presence: bool, inside: Option<Emit>,
        form: impl Fn(Step) -> Form,
    ) -> Form {
        match field.kind() {
            FieldKind::FieldEnum if field.closed_enum && presence => {
                Form { detail: self.names(field.enum_index), ..form(Step::CheckClosedEnum) }
            }
            kind @ (FieldKind::FieldMessage | FieldKind::FieldGroup) => {
                let is_group = kind == FieldKind::FieldGroup;
                let step = if is_group { Step::CheckGroup } else { Step::CheckMessage };
                match self.check_of(field.message_index, inside) {
                    Some(detail) => Form { detail, ..form(step) },
                    None => form(Step::SkipLength), // opaque, so no group
                }
            }
            FieldKind::FieldString if field.strict_utf8 => form(Step::CheckText),
            kind => form(match wire_type_of(kind) {
                WireType::Varint => Step::SkipVarint,
                WireType::Fixed32 => Step::SkipFixed32,
                WireType::Fixed64 => Step::SkipFixed64,
                _ => Step::SkipLength,
            }),
        }
    }
}

/// The operation for `form` with everything else left at "nothing".
pub(super) fn op(number: u32, field: usize, form: Form) -> FieldOp {
    let tag = Tag::new(number, form.wire_type);
    let (bytes, len) = tag.encoding();
    // A tag of 5 bytes is never predicted, only looked up.
    let tag_mask = if len <= 4 { (u32::MAX as u64 >> (32 - 8 * len)) as u32 } else { 0 };
    FieldOp {
        tag_bytes: if len <= 4 { bytes as u32 } else { 1 },
        tag_mask,
        tag_len: len as u8,
        step: form.step,
        repeated: false,
        tag,
        bit: crate::program::Bit::NONE,
        slot: 0,
        next: 0,
        detail: form.detail,
        oneof: 0,
        field: field as u32,
    }
}

/// The operation behind the last one: no tag matches it.
pub(super) fn sentinel() -> FieldOp {
    let form = Form { wire_type: WireType::Varint, step: Step::Sentinel, detail: 0, runs: false };
    FieldOp { tag_bytes: 1, tag_mask: 0, ..op(1, 0, form) }
}
