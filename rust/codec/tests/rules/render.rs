//! Binary rows as text: `(1, 'a', NULL, [2, 3], {'k': 4})`.
//!
//! Reads what Flink's `BinaryRowData` would read, without a look at how the decoder writes.

use sluice_plan::proto::{SqlKind, SqlType};

/// The row in `bytes`.
pub fn row(bytes: &[u8], sql: &SqlType) -> String {
    let header = (sql.columns.len() + 8).div_ceil(64) * 8;
    let cells: Vec<String> = sql
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| {
            let bit = at + 8;
            if bytes[bit / 8] & 1 << (bit % 8) != 0 {
                return "NULL".to_string();
            }
            let slot = &bytes[header + 8 * at..header + 8 * at + 8];
            value(slot, bytes, column.r#type.as_ref().unwrap())
        })
        .collect();
    format!("({})", cells.join(", "))
}

fn value(slot: &[u8], region: &[u8], sql: &SqlType) -> String {
    let number = |len: usize| {
        let mut bytes = [if slot[len - 1] & 0x80 != 0 { 0xff } else { 0 }; 8];
        bytes[..len].copy_from_slice(&slot[..len]);
        i64::from_le_bytes(bytes)
    };
    match sql.kind() {
        SqlKind::Boolean => (slot[0] != 0).to_string(),
        SqlKind::Tinyint => number(1).to_string(),
        SqlKind::Smallint => number(2).to_string(),
        SqlKind::Integer => number(4).to_string(),
        SqlKind::Bigint => number(8).to_string(),
        SqlKind::Float => format!("{:?}", f32::from_bits(number(4) as u32)),
        SqlKind::Double => format!("{:?}", f64::from_bits(number(8) as u64)),
        SqlKind::Char | SqlKind::Varchar => {
            format!("'{}'", String::from_utf8(octets(slot, region)).expect("rows hold valid UTF-8"))
        }
        SqlKind::Binary | SqlKind::Varbinary => octets(slot, region)
            .iter()
            .fold("x".to_string(), |out, byte| format!("{out}{byte:02x}")),
        SqlKind::Timestamp | SqlKind::TimestampLtz if sql.precision <= 3 => {
            format!("{} ms", number(8))
        }
        SqlKind::Timestamp | SqlKind::TimestampLtz => {
            let (at, nanos) = place(slot);
            let millis = i64::from_le_bytes(region[at..at + 8].try_into().unwrap());
            format!("{millis} ms {nanos} ns")
        }
        SqlKind::Decimal if sql.precision <= 18 => decimal(i128::from(number(8)), sql.scale),
        SqlKind::Decimal => {
            let (at, len) = place(slot);
            let bytes = &region[at..at + 16];
            assert!(bytes[len..].iter().all(|byte| *byte == 0), "16 bytes, the rest of them zero");
            let sign = if bytes[0] & 0x80 != 0 { -1 } else { 0 };
            let number = bytes[..len].iter().fold(sign, |sum, byte| sum << 8 | i128::from(*byte));
            decimal(number, sql.scale)
        }
        SqlKind::Date => format!("day {}", number(4)),
        SqlKind::Time => format!("{} ms", number(4)),
        SqlKind::Row => row(part(slot, region), sql),
        SqlKind::Array => {
            let element = sql.element.as_ref().unwrap();
            format!("[{}]", elements(part(slot, region), element).join(", "))
        }
        SqlKind::Multiset => {
            let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
            let value = Some(Box::new(count));
            let map = SqlType {
                kind: SqlKind::Map.into(),
                key: sql.element.clone(),
                value,
                ..SqlType::default()
            };
            self::value(slot, region, &map)
        }
        SqlKind::Map => {
            let map = part(slot, region);
            let keys = u32::from_le_bytes(map[..4].try_into().unwrap()) as usize;
            let entries: Vec<String> = elements(&map[4..4 + keys], sql.key.as_ref().unwrap())
                .into_iter()
                .zip(elements(&map[4 + keys..], sql.value.as_ref().unwrap()))
                .map(|(key, value)| format!("{key}: {value}"))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        kind => panic!("no text for {kind:?}"),
    }
}

fn elements(array: &[u8], sql: &SqlType) -> Vec<String> {
    let count = u32::from_le_bytes(array[..4].try_into().unwrap()) as usize;
    let width = match sql.kind() {
        SqlKind::Boolean | SqlKind::Tinyint => 1,
        SqlKind::Smallint => 2,
        SqlKind::Integer | SqlKind::Float | SqlKind::Date | SqlKind::Time => 4,
        _ => 8,
    };
    let header = 4 + count.div_ceil(32) * 4;
    (0..count)
        .map(|at| {
            if array[4 + at / 8] & 1 << (at % 8) != 0 {
                return "NULL".to_string();
            }
            value(&array[header + width * at..header + width * (at + 1)], array, sql)
        })
        .collect()
}

fn decimal(unscaled: i128, scale: u32) -> String {
    let digits = format!("{:0>1$}", unscaled.unsigned_abs(), scale as usize + 1);
    let (whole, fraction) = digits.split_at(digits.len() - scale as usize);
    let sign = if unscaled < 0 { "-" } else { "" };
    let point = if scale == 0 { "" } else { "." };
    format!("{sign}{whole}{point}{fraction}")
}

fn place(slot: &[u8]) -> (usize, usize) {
    let word = u64::from_le_bytes(slot.try_into().unwrap());
    ((word >> 32) as usize, word as u32 as usize)
}

fn part<'a>(slot: &[u8], region: &'a [u8]) -> &'a [u8] {
    let (at, len) = place(slot);
    &region[at..at + len]
}

fn octets(slot: &[u8], region: &[u8]) -> Vec<u8> {
    match slot[7] & 0x80 {
        0 => part(slot, region).to_vec(),
        _ => slot[..usize::from(slot[7] & 0x7f)].to_vec(),
    }
}
