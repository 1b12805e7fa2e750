//! Marks: short digests of rows, and their sum.
//!
//! INVARIANT: the sum does not depend on the order, and to take a mark out is to add it again.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The first 16 bytes of a SHA-256, or the sum (exclusive or) of some of these. In JSON 32 hex
/// digits, in a table 16 bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Mark(u128);

impl Mark {
    /// The mark of a row: its table and its columns, each behind its length.
    pub fn of(table: &str, columns: &[&[u8]]) -> Self {
        let mut sha = Sha256::new();
        sha.update(b"belegt gates 1");
        for part in std::iter::once(&table.as_bytes()).chain(columns) {
            sha.update((part.len() as u64).to_be_bytes());
            sha.update(part);
        }
        let digest = sha.finalize();
        let first = digest.iter().take(16);
        Mark(first.fold(0, |sum, byte| sum << 8 | u128::from(*byte)))
    }

    /// Adds a mark to a sum, or takes it out.
    pub fn turn(&mut self, other: Mark) {
        self.0 ^= other.0;
    }
}

impl From<Mark> for String {
    fn from(mark: Mark) -> String {
        format!("{:032x}", mark.0)
    }
}

impl TryFrom<String> for Mark {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match u128::from_str_radix(&text, 16) {
            Ok(number) if String::from(Mark(number)) == text => Ok(Mark(number)),
            _ => Err("a sum of marks is 32 hex digits".to_string()),
        }
    }
}

impl ToSql for Mark {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.0.to_be_bytes().to_vec()))
    }
}

impl FromSql for Mark {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let bytes = value.as_blob()?;
        let bytes = <[u8; 16]>::try_from(bytes);
        bytes.map_or(Err(FromSqlError::InvalidType), |bytes| {
            Ok(Mark(u128::from_be_bytes(bytes)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_knows_its_table_and_where_columns_end() {
        let of = |table: &str, columns: &[&str]| {
            let columns: Vec<&[u8]> = columns.iter().map(|c| c.as_bytes()).collect();
            Mark::of(table, &columns)
        };
        let mark = of("gate", &["ab", "c"]);
        for other in [
            of("gate", &["a", "bc"]),
            of("gatea", &["b", "c"]),
            of("gate", &["ab", "c", ""]),
        ] {
            assert_ne!(mark, other);
        }
        let mut sum = Mark::default();
        sum.turn(mark);
        sum.turn(of("gate", &[]));
        sum.turn(mark);
        assert_eq!(sum, of("gate", &[]));
        let json = serde_json::to_string(&mark).unwrap();
        assert_eq!(serde_json::from_str::<Mark>(&json).unwrap(), mark);
        assert!(serde_json::from_str::<Mark>("\"+0\"").is_err());
    }
}
