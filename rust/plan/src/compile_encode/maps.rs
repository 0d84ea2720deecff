//! Maps: native `map<>` fields and entry-shaped messages, from MAP and MULTISET.

use super::{Compiler, Oneofs};
use crate::Failure;
use crate::encode_program::{BoxedKey, EncodeMap, EncodeMessage, EncodeOp, EncodeValue};
use crate::matching::{Matching, element_layout, has_part, is_count, member};
use crate::proto::{Column, ResolvedField, SqlKind, SqlType};

impl Compiler<'_> {
    /// The map of a field's entries (T8, T14).
    pub(super) fn map(&mut self, field: &ResolvedField, sql: &SqlType) -> Result<u32, Failure> {
        let entry = field.message_index as usize;
        let schema = &self.schema.messages[entry];
        let count = SqlType { kind: SqlKind::Integer.into(), ..SqlType::default() };
        let (key, value) = match (sql.kind(), &sql.key, &sql.value, &sql.element) {
            (SqlKind::Map, Some(key), Some(value), _) => (&**key, &**value),
            (SqlKind::Multiset, _, _, Some(element)) => (&**element, &count),
            _ => return self.incomplete(field),
        };
        if !(has_part(schema, "key") && has_part(schema, "value")) {
            return self.mismatch_because(field, sql, "has no key and value");
        }
        if sql.kind() == SqlKind::Multiset && !member(schema, "value").is_some_and(is_count) {
            return self.mismatch_because(field, sql, "has no INT in its field value");
        }
        let columns = [("key", key), ("value", value)]
            .map(|(name, sql)| Column { name: name.to_string(), r#type: Some(sql.clone()) });
        let oneofs = if schema.map_entry { Oneofs::Unseen } else { Oneofs::AsColumns };
        let java_key = self.is_flink().then(|| match key.kind() {
            SqlKind::Char | SqlKind::Varchar => BoxedKey::Text,
            SqlKind::Boolean => BoxedKey::Boolean,
            SqlKind::Bigint => BoxedKey::Long,
            _ => BoxedKey::Integer,
        });
        let entry = self.row(&columns, entry, oneofs)?;
        let map = EncodeMap {
            is_text: self.messages[entry as usize].as_ref().is_some_and(is_text_entry),
            entry,
            key_width: element_layout(key.kind()).0,
            value_width: element_layout(value.kind()).0,
            java_key,
            checked: false,
        };
        self.maps.push(map);
        Ok(self.maps.len() as u32 - 1)
    }
}

fn is_text_entry(entry: &EncodeMessage) -> bool {
    let is_text = |op: &EncodeOp| matches!(op.value, EncodeValue::Text | EncodeValue::Bytes);
    let columns: Vec<u32> = entry.ops.iter().map(|op| op.place.column).collect();
    columns == [1, 0]
        && entry.ops.iter().all(|op| op.choice == 0 && is_text(op))
        && entry.lacks.is_none()
        && entry.choices.is_empty()
}
