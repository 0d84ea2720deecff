//! Parses a message as `DynamicMessage.parseFrom` does: every field, selected or not.
//!
//! Groups and messages both cost one level; a map entry is a message like any other here, so a
//! map of messages costs two. Unknown groups count too. Required fields are looked for in
//! what is left when all is read, after merging and after oneofs were cleared.
//!
//! A fault inside of known bounds is noted and stepped over. One without bounds ends the message
//! that it stands in; it is an `Err` here until a length gives it bounds.

use sluice_plan::proto::{FieldKind, ResolvedField, ResolvedMessage, ResolvedSchema};

use super::code;
use super::opaque::OPAQUE;
use super::reader::Reader;
use super::tree::{Tree, Value};
use super::unicode::jdk_text;

/// Levels of messages and groups inside the root.
const DEPTH_MAX: u32 = 100;

const VARINT: u32 = 0;
const I64: u32 = 1;
const LEN: u32 = 2;
const START: u32 = 3;
const END: u32 = 4;
const I32: u32 = 5;

/// What ended a run of fields.
enum End {
    /// No byte is left.
    Input,
    /// The end tag of a group with this number.
    Group(u32),
}

/// A root message, as far as it could be read.
#[derive(Debug)]
pub struct Parsed {
    /// What was read.
    pub tree: Tree,
    /// Codes of the faults on the wire, in wire order.
    pub wire_faults: Vec<i32>,
    /// The message lacks a required field.
    pub incomplete: bool,
    /// An element of a repeated field lacked one when it was read; where a oneof clears the
    /// message around it, that is no fault in the end.
    pub element_incomplete: bool,
    /// The root was read to its end; faults may lie inside.
    pub read_to_end: bool,
}

/// The root message in `wire`, as DynamicMessage reads it.
pub fn parse(schema: &ResolvedSchema, wire: &[u8]) -> Parsed {
    parse_as(schema, wire, false)
}

/// The root message in `wire`, as a generated class reads it: a message that a oneof cleared goes
/// on where it stood when it comes again.
pub fn parse_generated(schema: &ResolvedSchema, wire: &[u8]) -> Parsed {
    parse_as(schema, wire, true)
}

fn parse_as(schema: &ResolvedSchema, wire: &[u8], revives: bool) -> Parsed {
    let mut parser = Parser { schema, faults: Vec::new(), element_incomplete: false, revives };
    let mut tree = Tree::default();
    let end = parser.fields(&mut tree, schema.root, &mut Reader::new(wire), 0);
    let read_to_end = matches!(end, Ok(End::Input));
    match end {
        Ok(End::Input) => {}
        Ok(End::Group(_)) => parser.faults.push(code::END_GROUP_MISMATCH),
        Err(code) => parser.faults.push(code),
    }
    let incomplete = read_to_end && !is_complete(schema, schema.root, &tree);
    let Parser { faults: wire_faults, element_incomplete, .. } = parser;
    Parsed { tree, wire_faults, incomplete, element_incomplete, read_to_end }
}

/// Whether `tree` has all required fields of `message`, and so all inside it.
pub fn is_complete(schema: &ResolvedSchema, message: u32, tree: &Tree) -> bool {
    let message = &schema.messages[message as usize];
    message.fields.iter().all(|field| {
        let values = tree.all(field.number);
        if message.map_entry && field.kind() == FieldKind::FieldMessage && values.is_empty() {
            // DynamicMessage completes a map entry with an empty message, and checks that.
            return is_complete(schema, field.message_index, &Tree::default());
        }
        (!field.required || !values.is_empty())
            && values.iter().all(|value| match value {
                Value::Message(inner) => is_complete(schema, field.message_index, inner),
                _ => true,
            })
    })
}

struct Parser<'a> {
    schema: &'a ResolvedSchema,
    faults: Vec<i32>,
    element_incomplete: bool,
    revives: bool,
}

impl<'a> Parser<'a> {
    /// Fields of `message` into `tree` until the input or a group ends.
    fn fields(
        &mut self, tree: &mut Tree, message: u32, input: &mut Reader<'_>, depth: u32,
    ) -> Result<End, i32> {
        let schema: &'a ResolvedSchema = self.schema;
        let message = &schema.messages[message as usize];
        while !input.is_empty() {
            let (number, wire_type) = input.tag()?;
            let field = message.fields.iter().find(|field| field.number == number);
            match field {
                Some(field) if wire_type == wire_type_of(field.kind()) => {
                    self.known(tree, message, field, input, depth)?;
                }
                Some(field) if wire_type == LEN && field.repeated && is_packable(field.kind()) => {
                    let mut run = Reader::new(input.delimited()?);
                    while !run.is_empty() {
                        if let Err(code) = self.known(tree, message, field, &mut run, depth) {
                            self.faults.push(code);
                            break;
                        }
                    }
                }
                _ if wire_type == END => return Ok(End::Group(number)),
                _ => skip(number, wire_type, input, depth)?,
            }
        }
        Ok(End::Input)
    }

    /// One value of `field`, whose tag was read.
    fn known(
        &mut self, tree: &mut Tree, message: &ResolvedMessage, field: &ResolvedField,
        input: &mut Reader<'_>, depth: u32,
    ) -> Result<(), i32> {
        let value = match field.kind() {
            FieldKind::FieldMessage | FieldKind::FieldGroup => {
                // A singular message that is still there goes on where it stood.
                let before = if field.repeated { None } else { tree.fields.remove(&field.number) };
                let mut inner = match before.as_deref() {
                    Some([Value::Message(inner)]) => inner.clone(),
                    _ => tree.cleared.remove(&field.number).unwrap_or_default(),
                };
                self.nested(&mut inner, field, input, depth)?;
                Value::Message(inner)
            }
            FieldKind::FieldEnum => {
                let number = input.varint()? as i32;
                let values = &self.schema.enums[field.enum_index as usize].values;
                if field.closed_enum && !values.iter().any(|value| value.number == number) {
                    return Ok(()); // an unknown field: not present, clears no oneof
                }
                Value::Enum(number)
            }
            FieldKind::FieldString => {
                let bytes = input.delimited()?;
                let strict = field.strict_utf8 || message.map_entry;
                if strict && std::str::from_utf8(bytes).is_err() {
                    self.faults.push(code::INVALID_UTF8);
                }
                Value::Text(jdk_text(bytes))
            }
            FieldKind::FieldBytes if field.parameters.contains_key(OPAQUE) && !field.repeated => {
                let mut octets = input.delimited()?.to_vec();
                if let Some(Value::Octets(before)) = tree.one(field.number) {
                    octets.splice(0..0, before.iter().copied());
                }
                Value::Octets(octets)
            }
            kind => scalar(kind, input)?,
        };
        if field.oneof_index.is_some() {
            for other in &message.fields {
                if other.oneof_index != field.oneof_index {
                    continue;
                }
                let removed = tree.fields.remove(&other.number);
                if let Some([Value::Message(inner)]) = removed.as_deref()
                    && self.revives
                {
                    tree.cleared.insert(other.number, inner.clone());
                }
            }
        }
        let values = tree.fields.entry(field.number).or_default();
        if !field.repeated {
            values.clear();
        }
        values.push(value);
        Ok(())
    }

    fn nested(
        &mut self, tree: &mut Tree, field: &ResolvedField, input: &mut Reader<'_>, depth: u32,
    ) -> Result<(), i32> {
        if field.kind() == FieldKind::FieldGroup {
            check_depth(depth)?;
            match self.fields(tree, field.message_index, input, depth + 1)? {
                End::Group(number) if number == field.number => {}
                _ => return Err(code::END_GROUP_MISMATCH),
            }
        } else {
            let len = input.len()?;
            // protobuf-java looks at the depth before it looks whether so many bytes are there.
            let checked = check_depth(depth);
            self.faults.extend(checked.err());
            let mut body = Reader::new(input.take(len)?);
            if checked.is_err() {
                return Ok(());
            }
            match self.fields(tree, field.message_index, &mut body, depth + 1) {
                Ok(End::Input) => {}
                Ok(End::Group(_)) => {
                    self.faults.push(code::END_GROUP_MISMATCH);
                    return Ok(());
                }
                Err(code) => {
                    self.faults.push(code);
                    return Ok(());
                }
            }
        }
        self.element_incomplete |=
            field.repeated && !is_complete(self.schema, field.message_index, tree);
        Ok(())
    }
}

/// A level below `depth` is still allowed.
fn check_depth(depth: u32) -> Result<(), i32> {
    if depth >= DEPTH_MAX { Err(code::TOO_DEEP) } else { Ok(()) }
}

fn scalar(kind: FieldKind, input: &mut Reader<'_>) -> Result<Value, i32> {
    use FieldKind::*;
    Ok(match kind {
        FieldBool => Value::Bool(input.varint()? != 0),
        FieldInt32 => Value::Integer(i64::from(input.varint()? as i32)),
        FieldUint32 => Value::Integer(i64::from(input.varint()? as u32)),
        FieldSint32 => {
            let cut = input.varint()? as u32;
            Value::Integer(i64::from((cut >> 1) as i32 ^ -((cut & 1) as i32)))
        }
        FieldInt64 | FieldUint64 => Value::Integer(input.varint()? as i64),
        FieldSint64 => {
            let value = input.varint()?;
            Value::Integer((value >> 1) as i64 ^ -((value & 1) as i64))
        }
        FieldFixed32 => Value::Integer(i64::from(input.fixed32()?)),
        FieldSfixed32 => Value::Integer(i64::from(input.fixed32()? as i32)),
        FieldFixed64 | FieldSfixed64 => Value::Integer(input.fixed64()? as i64),
        FieldFloat => Value::Float(input.fixed32()?),
        FieldDouble => Value::Double(input.fixed64()?),
        FieldBytes => Value::Octets(input.delimited()?.to_vec()),
        Unspecified | FieldString | FieldEnum | FieldMessage | FieldGroup => {
            unreachable!("read by the caller")
        }
    })
}

/// Reads over an unknown field whose tag was read.
fn skip(number: u32, wire_type: u32, input: &mut Reader<'_>, depth: u32) -> Result<(), i32> {
    match wire_type {
        VARINT => input.varint().map(drop),
        I64 => input.fixed64().map(drop),
        LEN => input.delimited().map(drop),
        I32 => input.fixed32().map(drop),
        START => {
            check_depth(depth)?;
            while !input.is_empty() {
                let (inner, wire_type) = input.tag()?;
                if wire_type == END && inner == number {
                    return Ok(());
                }
                if wire_type == END {
                    break;
                }
                skip(inner, wire_type, input, depth + 1)?;
            }
            Err(code::END_GROUP_MISMATCH)
        }
        _ => Err(code::INVALID_WIRE_TYPE),
    }
}

fn wire_type_of(kind: FieldKind) -> u32 {
    use FieldKind::*;
    match kind {
        FieldDouble | FieldFixed64 | FieldSfixed64 => I64,
        FieldFloat | FieldFixed32 | FieldSfixed32 => I32,
        FieldString | FieldBytes | FieldMessage => LEN,
        FieldGroup => START,
        _ => VARINT,
    }
}

fn is_packable(kind: FieldKind) -> bool {
    !matches!(wire_type_of(kind), LEN | START)
}
