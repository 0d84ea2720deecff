//! Enum names to numbers, for writing: every name, aliases too.

use std::collections::HashSet;

use crate::proto;

/// One enum as it is written.
#[derive(Debug)]
pub struct NumberNames {
    names: Vec<(Box<[u8]>, i32)>,
    /// Open addressing over a power of two of places: 1 + index into `names`, or 0.
    table: Vec<u32>,
    numbers: HashSet<i32>,
    /// FLINK: names and numbers that the enum lacks are written as its first value.
    lenient: bool,
}

impl NumberNames {
    /// The names of `schema`, which has at least one.
    pub fn new(schema: &proto::ResolvedEnum, lenient: bool) -> NumberNames {
        let names: Vec<(Box<[u8]>, i32)> = schema
            .values
            .iter()
            .map(|value| (value.name.as_bytes().into(), value.number))
            .collect();
        let mut table = vec![0; (4 * names.len()).next_power_of_two()];
        for (at, (name, _)) in names.iter().enumerate() {
            let mut place = hash(name) as usize & (table.len() - 1);
            while table[place] != 0 {
                place = (place + 1) & (table.len() - 1);
            }
            table[place] = at as u32 + 1;
        }
        let numbers = schema.values.iter().map(|value| value.number).collect();
        NumberNames { names, table, numbers, lenient }
    }

    /// The number of `name`.
    #[inline]
    pub fn number(&self, name: &[u8]) -> Option<i32> {
        let mut place = hash(name) as usize;
        loop {
            place &= self.table.len() - 1;
            match self.table[place] {
                0 => return self.lenient.then(|| self.first()),
                at => {
                    let (known, number) = &self.names[at as usize - 1];
                    if **known == *name {
                        return Some(*number);
                    }
                }
            }
            place += 1;
        }
    }

    /// `number` if the enum has it.
    #[inline]
    pub fn known(&self, number: i32) -> Option<i32> {
        if self.numbers.contains(&number) {
            return Some(number);
        }
        self.lenient.then(|| self.first())
    }

    /// Whether unknown names and numbers are written as the first value.
    pub fn is_lenient(&self) -> bool {
        self.lenient
    }

    /// The number of the value that is declared first.
    pub fn first(&self) -> i32 {
        self.names[0].1
    }
}

/// Of length, first and last bytes; enum names seldom differ elsewhere.
#[inline]
fn hash(name: &[u8]) -> u32 {
    let end = |bytes: Option<&[u8; 4]>| bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes));
    let (first, last) = match name.len() {
        4.. => (end(name.first_chunk()), end(name.last_chunk())),
        _ => (name.iter().fold(0, |all, byte| all << 8 | u32::from(*byte)), 0),
    };
    let mixed = (first ^ last.rotate_left(15) ^ name.len() as u32).wrapping_mul(0x9e37_79b1);
    mixed ^ mixed >> 15
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(lenient: bool) -> NumberNames {
        let value =
            |name: &str, number| proto::ResolvedEnumValue { name: name.to_string(), number };
        let schema = proto::ResolvedEnum {
            full_name: "E".into(),
            values: vec![
                value("SEVEN", 7),
                value("ALIAS", 7),
                value("N", -7),
                value("STATUS_A_END", 1),
                value("STATUS_B_END", 2),
            ],
        };
        NumberNames::new(&schema, lenient)
    }

    #[test]
    fn every_name_has_its_number() {
        let names = names(false);
        for (name, number) in [("SEVEN", 7), ("ALIAS", 7), ("N", -7), ("STATUS_B_END", 2)] {
            assert_eq!(names.number(name.as_bytes()), Some(number), "{name}");
        }
        for name in ["", "n", "SEVE", "STATUS_C_END", "SEVEN "] {
            assert_eq!(names.number(name.as_bytes()), None, "{name}");
        }
        assert_eq!(names.known(-7), Some(-7));
        assert_eq!(names.known(0), None);
    }

    #[test]
    fn flink_writes_the_first_value_for_what_is_unknown() {
        let names = names(true);
        assert_eq!(names.number(b"seven"), Some(7));
        assert_eq!(names.known(0), Some(7));
        assert_eq!(names.known(1), Some(1));
    }
}
