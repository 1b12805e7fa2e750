//! The ledger in one SQLite file: the default engine.
//!
//! Write-ahead log with `synchronous=FULL`: one fsync a commit. The log is not written back
//! when a connection closes, since every command is a process of its own; the commit that makes
//! it long does it. Reasons and figures for the settings stand where they are set.
//!
//! INVARIANT: events and projection change in one transaction; a missing, foreign, newer or
//! damaged file is a fault and never replaced.

pub mod busy;
mod create;
mod fault;
mod gates;
mod network;
mod open;
mod place;
mod projection;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};

use self::busy::Patience;
use self::fault::{Spot, commit_fault};
use self::gates::{Shelf, Summary, read};
use self::place::Place;
use super::event::{Draft, Stored};
use super::fault::LedgerFault;
use super::gates::sets::Sets;
use super::gates::{GateQuery, Gates};
use super::prepare::{all_or_none, prepare, refuse_other, refused};
use super::state::NUMBER;
use super::{Appended, Head, Identity, Ledger, View};

/// Size of the write-ahead log, in bytes, from which a commit writes it back.
const LONG_LOG: u64 = 512 * 1024;

/// How to open a ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mode {
    /// Read and write; make it if it was never there.
    Create {
        /// Id of a new store, made by the caller.
        store: String,
    },
    /// Read and write one that is there.
    Existing,
    /// Only read.
    Read,
}

/// A ledger in a SQLite file.
#[derive(Debug)]
pub struct SqliteLedger {
    conn: Connection,
    spot: Spot,
    store: String,
    read_only: bool,
}

impl SqliteLedger {
    /// Opens the ledger at `path`. Whatever another process holds is waited for until `until`.
    pub fn open(path: &Path, mode: &Mode, until: Instant) -> Result<Self, LedgerFault> {
        let mut spot = Spot {
            place: Place::look(path)?,
            patience: Patience::new(Instant::now(), until),
        };
        if let (None, Mode::Create { store }) = (spot.place.file, mode) {
            create::create(&spot, store)?;
            spot.place = Place::look(path)?;
        }
        if spot.place.file.is_none() {
            return Err(spot.place.missing("there is no such file"));
        }
        let read_only = *mode == Mode::Read;
        let conn = match read_only {
            true => open::reader(&spot)?,
            false => open::writer(&spot)?,
        };
        let store = tables::store(&conn, &spot)?;
        let mut ledger = SqliteLedger {
            conn,
            spot,
            store: store.id,
            read_only,
        };
        if !read_only && store.projection != i64::from(NUMBER) {
            ledger.rebuild()?;
        }
        Ok(ledger)
    }

    /// Moves the deadline of all that follows.
    pub fn set_deadline(&self, until: Instant) {
        self.spot.patience.set(until);
    }

    fn rebuild(&mut self) -> Result<(), LedgerFault> {
        let spot = &self.spot;
        let tx = begin(&mut self.conn, spot)?;
        if tables::store(&tx, spot)?.projection != i64::from(NUMBER) {
            projection::rebuild(&tx, spot)?;
        }
        tx.commit().map_err(|e| commit_fault(&e, spot))
    }

    /// One consistent read of the gates: from their tables, or, where another belegt made
    /// these, from all events.
    fn ask<T>(
        &self,
        tables: impl FnOnce(&Shelf<'_>, &Summary) -> Result<T, LedgerFault>,
        model: impl FnOnce(&Sets) -> T,
    ) -> Result<(Head, T), LedgerFault> {
        let spot = &self.spot;
        let tx = self.conn.unchecked_transaction().map_err(|e| spot.of(e))?;
        if tables::store(&tx, spot)?.projection != i64::from(NUMBER) {
            let (head, sets) = projection::replay_gates(&tx, spot)?;
            return Ok((head, model(&sets)));
        }
        let head = tables::checked_head(&tx, spot)?;
        let summary = projection::summary(&tx, &head, spot)?;
        let shelf = Shelf { conn: &tx, spot };
        let answer = tables(&shelf, &summary)?;
        Ok((head, answer))
    }

    /// Writes a long log back into the file, if nobody is in the way. What was committed is
    /// durable already, so that no failure here matters.
    fn shorten_log(&self) {
        if self.spot.place.wal_size() < LONG_LOG {
            return;
        }
        let until = self.spot.patience.set(Instant::now());
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let _ = self.conn.query_row(sql, [], |_| Ok(()));
        self.spot.patience.set(until);
    }
}

fn begin<'a>(conn: &'a mut Connection, spot: &Spot) -> Result<Transaction<'a>, LedgerFault> {
    conn.transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(|e| spot.of(e))
}

/// Whether all, none or some of the drafts are stored already.
fn known(tx: &Connection, spot: &Spot, drafts: &[Draft]) -> Result<bool, LedgerFault> {
    let mut found = 0;
    for draft in drafts {
        if let Some((row, prev)) = tables::by_id(tx, &draft.id).map_err(|e| spot.of(e))? {
            found += 1;
            refuse_other(draft, row.is(draft, &prev))?;
        }
    }
    all_or_none(found, drafts)
}

/// Stores the drafts, and answers the new head.
fn store(tx: &Connection, head: Head, drafts: &[Draft], spot: &Spot) -> Result<Head, LedgerFault> {
    let of = |e| spot.of(e);
    let prepared = prepare(&head, drafts)?;
    if !prepared.gates.is_empty() {
        let shelf = Shelf { conn: tx, spot };
        let misfit = |e| refused(e, &head, drafts);
        // While the projection is as it was sealed.
        let mut summary = projection::summary(tx, &head, spot)?;
        gates::take(&shelf, &mut summary, prepared.gates, &misfit)?;
        projection::put_summary(tx, &summary).map_err(of)?;
    }
    for step in &prepared.changes {
        projection::apply(tx, step).map_err(of)?;
    }
    for row in &prepared.rows {
        tables::insert(tx, row).map_err(of)?;
    }
    let head = prepared.rows.last().map_or(head, Stored::head);
    projection::seal(tx, &head).map_err(of)?;
    Ok(head)
}

impl Ledger for SqliteLedger {
    fn place(&self) -> &str {
        &self.spot.place.shown
    }

    fn identity(&self) -> Result<Identity, LedgerFault> {
        Ok(Identity {
            store: self.store.clone(),
            engine: "sqlite".to_string(),
            read_only: self.read_only,
        })
    }

    fn head(&self) -> Result<Head, LedgerFault> {
        tables::head(&self.conn).map_err(|e| self.spot.of(e))
    }

    fn append(&mut self, expected: &Head, drafts: &[Draft]) -> Result<Appended, LedgerFault> {
        if self.read_only {
            return Err(LedgerFault::ReadOnly {
                path: self.spot.place.shown.clone(),
                why: "it was opened to be read".to_string(),
            });
        }
        let spot = &self.spot;
        let tx = begin(&mut self.conn, spot)?;
        spot.place.refuse_moved()?;
        let head = tables::head(&tx).map_err(|e| spot.of(e))?;
        if known(&tx, spot, drafts)? {
            return Ok(Appended::Duplicate(head));
        }
        if head != *expected {
            return Ok(Appended::Conflict(head));
        }
        if tables::store(&tx, spot)?.projection != i64::from(NUMBER) {
            projection::rebuild(&tx, spot)?;
        }
        let head = store(&tx, head, drafts, spot)?;
        tx.commit().map_err(|e| commit_fault(&e, spot))?;
        self.shorten_log();
        Ok(Appended::Done(head))
    }

    fn view(&self) -> Result<View, LedgerFault> {
        let spot = &self.spot;
        let tx = self.conn.unchecked_transaction().map_err(|e| spot.of(e))?;
        if tables::store(&tx, spot)?.projection != i64::from(NUMBER) {
            let (head, state) = projection::replay(&tx, spot)?;
            return Ok(View { head, state });
        }
        let head = tables::checked_head(&tx, spot)?;
        let state = projection::load(&tx, &head, spot)?;
        Ok(View { head, state })
    }

    fn gates(&self, query: &GateQuery<'_>) -> Result<Gates, LedgerFault> {
        let (head, sets) = self.ask(|t, sum| read::answer(t, sum, query), |s| s.answer(query))?;
        Ok(Gates { head, sets })
    }

    fn next_wake(&self, after: i64) -> Result<Option<i64>, LedgerFault> {
        let tables = |t: &Shelf<'_>, sum: &Summary| read::next_wake(t, sum, after);
        Ok(self.ask(tables, |s| s.next_wake(after))?.1)
    }

    fn open_steps(&self) -> Result<Vec<String>, LedgerFault> {
        Ok(self.ask(read::open_steps, Sets::open_steps)?.1)
    }

    fn forbidden(&self) -> Result<Vec<String>, LedgerFault> {
        Ok(self.ask(read::forbidden, Sets::forbidden)?.1)
    }

    fn stored(&self, from: u64, limit: u64) -> Result<Vec<Stored>, LedgerFault> {
        tables::stored(&self.conn, from, limit).map_err(|e| self.spot.of(e))
    }

    fn unsound(&self) -> Result<Vec<String>, LedgerFault> {
        let mut found = Vec::new();
        let check = self.conn.pragma_query(None, "integrity_check", |row| {
            found.push(row.get::<_, String>(0)?);
            Ok(())
        });
        check.map_err(|e| self.spot.of(e))?;
        found.retain(|line| line != "ok");
        match self.ask(read::unsound, |_| Vec::new()) {
            Ok((_, wrong)) => found.extend(wrong),
            // Whoever asks for the projection is told the same.
            Err(LedgerFault::Corrupt { .. }) => {}
            Err(other) => return Err(other),
        }
        Ok(found)
    }
}
