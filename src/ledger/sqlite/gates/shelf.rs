//! A connection with the place that its faults name: how the tables of the gates are reached.

use rusqlite::{Connection, OptionalExtension as _, Params, Row};

use super::super::fault::Spot;
use crate::ledger::fault::LedgerFault;

/// A connection, inside a transaction, and its place.
#[derive(Clone, Copy)]
pub struct Shelf<'a> {
    /// The connection.
    pub conn: &'a Connection,
    /// The place.
    pub spot: &'a Spot,
}

impl Shelf<'_> {
    /// The one row of a question, if there is one.
    pub fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, LedgerFault> {
        let row = self
            .conn
            .prepare_cached(sql)
            .and_then(|mut s| s.query_row(params, read).optional());
        row.map_err(|e| self.spot.of(e))
    }

    /// Shows each row of a question to `see`, as `read` reads it.
    pub fn each<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
        see: &mut dyn FnMut(T) -> Result<(), LedgerFault>,
    ) -> Result<(), LedgerFault> {
        let of = |e| self.spot.of(e);
        let mut statement = self.conn.prepare_cached(sql).map_err(of)?;
        let mut rows = statement.query(params).map_err(of)?;
        while let Some(row) = rows.next().map_err(of)? {
            see(read(row).map_err(of)?)?;
        }
        Ok(())
    }

    /// Changes exactly one row.
    pub fn change(&self, sql: &str, params: impl Params) -> Result<(), LedgerFault> {
        let changed = self
            .conn
            .prepare_cached(sql)
            .and_then(|mut s| s.execute(params));
        match changed.map_err(|e| self.spot.of(e))? {
            1 => Ok(()),
            _ => Err(super::damaged(self, "a row that is to change is not there")),
        }
    }
}
