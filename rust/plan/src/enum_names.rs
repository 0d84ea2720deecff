//! Enum numbers to names: the first declared name of each number, ready to be stored in a row.

use std::collections::HashMap;

use crate::padded_text::PaddedText;
use crate::proto;

/// One enum as one column reads it.
#[derive(Debug)]
pub struct EnumNames {
    by_number: HashMap<i32, u32>,
    dense: Vec<u32>, // index into `names` for the numbers 0, 1, 2 ...
    names: Vec<PaddedText>,
    unknown: Unknown,
}

/// What the name of a number is that the enum lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// This prefix and the number, as DynamicMessage names it.
    Numbered(String),
    /// One text for all, as generated Java classes name it.
    Fixed(&'static str),
}

const MISS: u32 = u32::MAX;

impl EnumNames {
    /// The names of `schema`.
    pub fn new(schema: &proto::ResolvedEnum, unknown: Unknown) -> EnumNames {
        let mut by_number = HashMap::new();
        let mut names = Vec::new();
        for value in &schema.values {
            by_number.entry(value.number).or_insert_with(|| {
                names.push(PaddedText::new(value.name.as_bytes()));
                names.len() as u32 - 1
            });
        }
        let bound = 4 * names.len() + 16;
        let mut dense = Vec::new();
        for (&number, &at) in &by_number {
            let Ok(number) = usize::try_from(number) else { continue };
            if number < bound {
                dense.resize(dense.len().max(number + 1), MISS);
                dense[number] = at;
            }
        }
        EnumNames { by_number, dense, names, unknown }
    }

    /// The name of `number`, if the enum has it.
    #[inline]
    pub fn find(&self, number: i32) -> Option<&[u8]> {
        Some(self.find_name(number)?.text())
    }

    /// The name of `number` in whole blocks, zeros behind it, and its length.
    #[inline(always)]
    pub fn find_padded(&self, number: i32) -> Option<(&[u8], usize)> {
        Some(self.find_name(number)?.blocks())
    }

    #[inline(always)]
    fn find_name(&self, number: i32) -> Option<&PaddedText> {
        let at = match self.dense.get(number as u32 as usize) {
            Some(&MISS) => return None,
            Some(at) => *at,
            None => *self.by_number.get(&number)?,
        };
        Some(&self.names[at as usize])
    }

    /// Bytes of the longest name in whole blocks.
    pub fn padded_max(&self) -> usize {
        self.names.iter().map(PaddedText::padded_len).max().unwrap_or(0)
    }

    /// The text for a number that the enum lacks.
    #[cold]
    pub fn unknown(&self, number: i32) -> String {
        match &self.unknown {
            Unknown::Numbered(prefix) => format!("{prefix}{number}"),
            Unknown::Fixed(text) => (*text).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_name_of_a_number_wins_wherever_the_number_lies() {
        let value =
            |name: &str, number| proto::ResolvedEnumValue { name: name.to_string(), number };
        let schema = proto::ResolvedEnum {
            full_name: "E".into(),
            values: vec![value("A", 0), value("ALIAS", 0), value("N", -7), value("H", i32::MAX)],
        };
        let names = EnumNames::new(&schema, Unknown::Numbered("UNKNOWN_ENUM_VALUE_E_".into()));
        assert_eq!(names.find(0), Some(&b"A"[..]));
        assert_eq!(names.find(-7), Some(&b"N"[..]));
        assert_eq!(names.find(i32::MAX), Some(&b"H"[..]));
        assert_eq!(names.find(1), None);
        assert_eq!(names.find(i32::MIN), None);
        assert_eq!(names.unknown(-1), "UNKNOWN_ENUM_VALUE_E_-1");
    }
}
