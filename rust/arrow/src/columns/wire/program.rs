//! Which fields of a message go from the wire straight to columns, and how.
//!
//! Made of a program and the columns of a table. Operations have the numbers that they have in
//! `MessageProgram::ops`, so that one tag table serves both. A field that does not go this way is
//! [`Way::GiveUp`]: a record that has it becomes a row first. A message where something waits for its end
//! (required fields of others, oneofs that are one ROW) has no way at all.

use sluice_plan::Program;
use sluice_plan::program::{
    Absent, Element, Emit, EntryOrder, FieldOp, MapProgram, MessageProgram, Number, Step, VarColumn,
};

use super::super::nested::{Struct, header_len};
use super::super::{Column, Values};

/// The way of a program's records into the columns of one table.
#[derive(Debug)]
pub(crate) struct WireProgram {
    pub(super) messages: Vec<Message>,
    /// Of the table's rows; it is the last that is made.
    pub(super) root: usize,
    /// Which program it was made of.
    pub(super) id: u64,
}

#[derive(Debug)]
pub(super) struct Message {
    /// Index of its program.
    pub program: u32,
    pub ops: Vec<Op>,
    /// Bits that must be set at the end, bits of all columns, and of those that are lists or maps.
    pub needed: u64,
    pub columns: u64,
    pub lists: u64,
    /// For each column.
    pub absent: Vec<WhenAbsent>,
}

/// What to do with one field in one wire form. One cache line.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Op {
    pub tag_bytes: u32,
    pub tag_mask: u32,
    pub tag_len: u8,
    pub way: Way,
    /// The operation expected after this one.
    pub next: u32,
    pub column: u32,
    /// The bit that is set, and those of which none may be set before.
    pub bit: u64,
    pub bars: u64,
}

const _: () = assert!(size_of::<Op>() == 64);

#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    Int32,
    Int64,
    SInt32,
    SInt64,
    Bool,
    Fixed32,
    Fixed64,
    Other(Number),
    Text,
    Octets,
    /// The name of a number of this enum.
    Name(u32),
    /// A message as a struct.
    Message(u32),
    Timestamp {
        message: u32,
        nanos_unit: u32,
    },
    /// Packed numbers, or one of them, and whether they know one NaN only.
    Packed(Number, bool),
    Unpacked(Number, bool),
    Texts,
    ManyOctets,
    Messages(u32),
    Entries(u32),
    SkipVarint,
    SkipFixed32,
    SkipFixed64,
    SkipLength,
    CheckText,
    GiveUp,
}

/// What a column gets if the message has no such field.
#[derive(Debug)]
pub(super) enum WhenAbsent {
    Null,
    Word(u64),
    Text(Box<[u8]>),
    Name { names: u32, number: i32 },
    NoElements,
    GiveUp,
}

/// Bit of the first column.
pub(super) const FIRST_BIT: u32 = 8;

impl WireProgram {
    /// The way to `columns`, if there is one.
    pub fn new(program: &Program, columns: &Struct) -> Option<WireProgram> {
        let mut made = WireProgram { messages: Vec::new(), root: 0, id: program.id() };
        made.root = made.row(program, program.root, columns)? as usize;
        Some(made)
    }

    fn row(&mut self, program: &Program, index: u32, columns: &Struct) -> Option<u32> {
        let message = &program.messages[index as usize];
        let columns = &columns.columns[..];
        let first = header_len(columns.len());
        if message.fixed_len != first + 8 * columns.len() || columns.len() > 56 {
            return None;
        }
        let variable = |bit| message.columns.iter().find(|column| column.bit.mask == bit);
        let absent = columns.iter().enumerate().map(|(at, column)| {
            let bit = 1 << (at as u32 + FIRST_BIT);
            match variable(bit) {
                _ if message.null_if_absent[0] & bit != 0 => WhenAbsent::Null,
                Some(variable) => when_absent(message, variable, column),
                None => WhenAbsent::Word(template(message, first + 8 * at)),
            }
        });
        let absent = absent.collect();
        let place = |op: &FieldOp| {
            let variable = variable(op.bit.mask);
            if variable.is_some_and(|column| column.null_if_empty) {
                return None;
            }
            let at = (op.slot as usize).checked_sub(first)? / 8;
            Some((at, variable.map_or(Emit::Fixed, |column| column.emit)))
        };
        let needed = message.required[0] | message.not_null[0];
        self.message(program, index, columns.iter().collect(), absent, needed, place)
    }

    /// The entries of a map, which need their key and their value.
    fn entry(&mut self, program: &Program, map: &MapProgram, sides: [&Column; 2]) -> Option<u32> {
        let is_simple = map.order == EntryOrder::FirstSeen
            && map.known.is_none()
            && !map.value_required
            && !map.has_oneofs
            && matches!(sides[0].values, Values::Octets(_) | Values::Fixed(..));
        if !is_simple || map.key.canonical_nan || map.value.canonical_nan {
            return None;
        }
        let needed = 0b11 << FIRST_BIT;
        let absent = vec![WhenAbsent::GiveUp, WhenAbsent::GiveUp];
        let place = |op: &FieldOp| match op.slot {
            8 => Some((0, map.key.emit)),
            16 => Some((1, map.value.emit)),
            _ => None,
        };
        let made = self.message(program, map.entry, sides.into(), absent, needed, place)?;
        let places = self.messages[made as usize].ops.iter().map(|op| op.column);
        places.take(2).eq([0, 1]).then_some(made)
    }

    fn message(
        &mut self, program: &Program, index: u32, columns: Vec<&Column>, absent: Vec<WhenAbsent>,
        needed: u64, place: impl Fn(&FieldOp) -> Option<(usize, Emit)>,
    ) -> Option<u32> {
        let message = &program.messages[index as usize];
        let ends_with_last_field = message.tracked.is_empty()
            && message.moves.is_empty()
            && !message.oneofs.iter().any(|oneof| oneof.revives);
        if message.is_wide || !ends_with_last_field {
            return None;
        }
        let mut ops = Vec::with_capacity(message.ops.len());
        for op in &message.ops {
            let oneof = match op.oneof {
                0 => 0,
                oneof => message.oneofs[oneof as usize - 1]
                    .bits
                    .iter()
                    .fold(0, |all, bit| all | bit.mask),
            };
            let at = op.bit.mask.trailing_zeros().wrapping_sub(FIRST_BIT) as usize;
            let way = match columns.get(at).zip(place(op)) {
                Some((column, (found, emit))) if found == at => self.way(program, op, column, emit),
                _ if op.oneof != 0 => Way::GiveUp,
                _ => pass(op.step),
            };
            ops.push(Op {
                tag_bytes: op.tag_bytes,
                tag_mask: op.tag_mask,
                tag_len: op.tag_len,
                way,
                next: op.next,
                column: at as u32,
                bit: op.bit.mask,
                bars: oneof | if op.repeated { 0 } else { op.bit.mask },
            });
        }
        let bits = |is: fn(&Values) -> bool| {
            let found = columns.iter().enumerate().filter(|(_, column)| is(&column.values));
            found.fold(0, |all, (at, _)| all | 1 << (at as u32 + FIRST_BIT))
        };
        self.messages.push(Message {
            program: index,
            ops,
            needed,
            columns: bits(|_| true),
            lists: bits(|values| matches!(values, Values::List(_) | Values::Map(_))),
            absent,
        });
        Some(self.messages.len() as u32 - 1)
    }

    fn way(&mut self, program: &Program, op: &FieldOp, column: &Column, emit: Emit) -> Way {
        let is_number = matches!(column.values, Values::Fixed(..) | Values::Booleans(_));
        match (op.step, emit, &column.values) {
            (Step::Int32, Emit::EnumName { names }, Values::Names(_) | Values::Octets(_)) => {
                Way::Name(names)
            }
            (step, Emit::Fixed, _) if is_number => number(step, op.detail),
            (Step::StrictView, Emit::Bytes, Values::Octets(_)) => Way::Text,
            (Step::View, Emit::Bytes, Values::Octets(_)) if !column.is_text() => Way::Octets,
            (Step::Piece, Emit::Row { message }, Values::Struct(rows)) if !op.repeated => {
                self.row(program, message, rows).map_or(Way::GiveUp, Way::Message)
            }
            (Step::Piece, Emit::Timestamp { message, nanos_unit, .. }, Values::Moments(_))
                if !op.repeated && is_plain_timestamp(&program.messages[message as usize]) =>
            {
                Way::Timestamp { message, nanos_unit }
            }
            (_, Emit::Array { array }, Values::List(list)) if op.repeated => {
                let array = &program.arrays[array as usize];
                match array.element {
                    Element::Number(number) => match list.element.values {
                        Values::Fixed(..) | Values::Booleans(_) => match op.step {
                            Step::Piece => Way::Packed(number, array.canonical_nan),
                            Step::VarintPiece | Step::Fixed32Piece | Step::Fixed64Piece => {
                                Way::Unpacked(number, array.canonical_nan)
                            }
                            _ => Way::GiveUp,
                        },
                        _ => Way::GiveUp,
                    },
                    Element::Piece(emit) => match (op.step, emit, &list.element.values) {
                        (Step::StrictPiece, Emit::Bytes, Values::Octets(_)) => Way::Texts,
                        (Step::Piece, Emit::Bytes, Values::Octets(_))
                            if !list.element.is_text() =>
                        {
                            Way::ManyOctets
                        }
                        (Step::Piece, Emit::Row { message }, Values::Struct(rows)) => {
                            self.row(program, message, rows).map_or(Way::GiveUp, Way::Messages)
                        }
                        _ => Way::GiveUp,
                    },
                    Element::Emitted { .. } => Way::GiveUp,
                }
            }
            (Step::Piece, Emit::Map { map: at }, Values::Map(map)) if op.repeated => {
                let sides = [&*map.key, &*map.value];
                let entry = self.entry(program, &program.maps[at as usize], sides);
                entry.map_or(Way::GiveUp, Way::Entries)
            }
            _ => Way::GiveUp,
        }
    }
}

fn number(step: Step, detail: u32) -> Way {
    match step {
        Step::Int32 => Way::Int32,
        Step::Int64 => Way::Int64,
        Step::SInt32 => Way::SInt32,
        Step::SInt64 => Way::SInt64,
        Step::Bool => Way::Bool,
        Step::Fixed32 => Way::Fixed32,
        Step::Fixed64 => Way::Fixed64,
        Step::OtherNumber => Way::Other(Number::from_detail(detail)),
        _ => Way::GiveUp,
    }
}

/// A field that is in no column.
fn pass(step: Step) -> Way {
    match step {
        Step::SkipVarint => Way::SkipVarint,
        Step::SkipFixed32 => Way::SkipFixed32,
        Step::SkipFixed64 => Way::SkipFixed64,
        Step::SkipLength => Way::SkipLength,
        Step::CheckText => Way::CheckText,
        _ => Way::GiveUp,
    }
}

fn when_absent(message: &MessageProgram, variable: &VarColumn, column: &Column) -> WhenAbsent {
    let raw = template(message, variable.slot as usize);
    match (&variable.absent, variable.emit, &column.values) {
        (Absent::Null, _, _) => WhenAbsent::Null,
        (Absent::Text(bytes), _, Values::Octets(_)) => WhenAbsent::Text(bytes.clone()),
        (Absent::Raw, Emit::Bytes, Values::Octets(_)) if raw == 0 => WhenAbsent::Text([].into()),
        (Absent::Raw, Emit::EnumName { names }, Values::Names(_) | Values::Octets(_)) => {
            WhenAbsent::Name { names, number: raw as u32 as i32 }
        }
        (Absent::Constant(_), _, Values::List(_) | Values::Map(_)) if !variable.null_if_empty => {
            WhenAbsent::NoElements
        }
        _ => WhenAbsent::GiveUp,
    }
}

fn template(message: &MessageProgram, slot: usize) -> u64 {
    u64::from_le_bytes(*message.template[slot..].first_chunk().expect("a slot"))
}

/// Whether seconds and nanoseconds are the first operations.
fn is_plain_timestamp(message: &MessageProgram) -> bool {
    let [seconds, nanos, ..] = &message.ops[..] else { return false };
    (seconds.slot, seconds.step, nanos.slot, nanos.step) == (8, Step::Int64, 16, Step::Int32)
}
