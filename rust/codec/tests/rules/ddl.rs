//! Column lists as in `CREATE TABLE`: just enough of SQL for these tests.

use sluice_plan::proto::{Column, SqlKind, SqlType};

/// The ROW of `columns`, for example `id BIGINT NOT NULL, tags ARRAY<STRING>`.
pub fn row(columns: &str) -> SqlType {
    let mut parser = Parser { rest: columns };
    let columns = parser.columns("");
    SqlType { columns, ..sql(SqlKind::Row) }
}

fn sql(kind: SqlKind) -> SqlType {
    SqlType { kind: kind.into(), nullable: true, ..SqlType::default() }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn columns(&mut self, end: &str) -> Vec<Column> {
        let mut columns = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            if self.eat(end) || self.rest.is_empty() {
                return columns;
            }
            let name = self.word();
            columns.push(Column { name, r#type: Some(self.sql_type()) });
            self.eat(",");
        }
    }

    fn sql_type(&mut self) -> SqlType {
        let name = self.word();
        let mut sql = match name.as_str() {
            "STRING" => sql(SqlKind::Varchar),
            "BYTES" => sql(SqlKind::Varbinary),
            "INT" => sql(SqlKind::Integer),
            "ROW" => {
                assert!(self.eat("<"));
                SqlType { columns: self.columns(">"), ..sql(SqlKind::Row) }
            }
            "ARRAY" | "MULTISET" => {
                let kind = SqlKind::from_str_name(&name).unwrap();
                assert!(self.eat("<"));
                let element = Some(Box::new(self.sql_type()));
                assert!(self.eat(">"));
                SqlType { element, ..sql(kind) }
            }
            "MAP" => {
                assert!(self.eat("<"));
                let key = Some(Box::new(self.sql_type()));
                assert!(self.eat(","));
                let value = Some(Box::new(self.sql_type()));
                assert!(self.eat(">"));
                SqlType { key, value, ..sql(SqlKind::Map) }
            }
            name => sql(SqlKind::from_str_name(name).unwrap_or_else(|| panic!("type {name}"))),
        };
        if self.eat("(") {
            sql.precision = self.word().parse().unwrap();
            if self.eat(",") {
                sql.scale = self.word().parse().unwrap();
            }
            assert!(self.eat(")"));
        }
        sql.nullable = !self.eat("NOT NULL");
        sql
    }

    fn word(&mut self) -> String {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        assert!(!word.is_empty(), "a word is missing before {rest:?}");
        self.rest = rest;
        word.to_string()
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(text).filter(|_| !text.is_empty());
        found.inspect(|rest| self.rest = rest).is_some()
    }
}
