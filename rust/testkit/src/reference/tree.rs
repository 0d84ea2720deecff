//! The parsed message: for each field number that is present, its values in wire order.

use std::collections::BTreeMap;

/// One value as the field's kind reads it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// bool
    Bool(bool),
    /// Every integer kind; 32-bit unsigned kinds zero-extended, uint64 by its bits.
    Integer(i64),
    /// float, by its bits.
    Float(u32),
    /// double, by its bits.
    Double(u64),
    /// string, malformed parts of a lenient one already replaced.
    Text(String),
    /// bytes
    Octets(Vec<u8>),
    /// An enum's number: any for an open one, a declared one for a closed one.
    Enum(i32),
    /// A message or group.
    Message(Tree),
}

/// One message. A singular field has at most one value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tree {
    /// Values by field number; a key is never there without a value.
    pub fields: BTreeMap<u32, Vec<Value>>,
    /// Messages that a oneof cleared and that may come back (generated classes only).
    pub cleared: BTreeMap<u32, Tree>,
}

impl Tree {
    /// The value of a singular field that is present.
    pub fn one(&self, number: u32) -> Option<&Value> {
        self.fields.get(&number)?.last()
    }

    /// The values of a repeated field.
    pub fn all(&self, number: u32) -> &[Value] {
        self.fields.get(&number).map_or(&[], Vec::as_slice)
    }
}
