//! The tables of the gates: changed with the events, a few rows for each set that changes.
//!
//! `gate` has a row for each set. A page of SQLite bears no checksum, and a flipped bit that
//! hides a row must never read as "no gate". So every row bears a mark over its columns, and
//! what a question rests on is proven without reading everything:
//! - the sets of a step: 256 [buckets](bucket) of sets hold the sum of their marks;
//! - the sets that are due: a [chain] through the open sets in order of their wakes;
//! - the steps that are blocked: [`steps`] with the sum of their marks.
//!
//! The sums of the sums stand in the [`Summary`], a row of the sealed projection.
//!
//! INVARIANT: a change costs no more with many sets than with few.

mod bucket;
mod chain;
mod mark;
pub mod read;
mod row;
mod shelf;
mod steps;

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde::{Deserialize, Serialize};

pub use self::shelf::Shelf;

use self::bucket::Buckets;
use self::chain::At;
use self::mark::Mark;
use self::row::Row;
use self::steps::Blocked;
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::{GateStep, Kept, turn_all};
use crate::ledger::upcast::Unreadable;

/// Makes the tables anew, empty. They are a cache of the events, as the projection is.
pub const SCHEMA: &str = "
DROP TABLE IF EXISTS gate;
DROP TABLE IF EXISTS gate_bucket;
DROP TABLE IF EXISTS gate_wake;
DROP TABLE IF EXISTS gate_step;
CREATE TABLE gate (
  opened INTEGER PRIMARY KEY CHECK (opened > 0),
  set_id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL,
  open INTEGER NOT NULL,
  wake INTEGER NOT NULL,
  json TEXT NOT NULL,
  mark BLOB NOT NULL
) STRICT;
CREATE INDEX gate_key ON gate (key);
CREATE TABLE gate_bucket (
  bucket INTEGER PRIMARY KEY CHECK (bucket BETWEEN 0 AND 255),
  sets INTEGER NOT NULL,
  mark BLOB NOT NULL
) STRICT;
INSERT INTO gate_bucket (bucket, sets, mark)
  WITH RECURSIVE n(b) AS (SELECT 0 UNION ALL SELECT b + 1 FROM n WHERE b < 255)
  SELECT b, 0, zeroblob(16) FROM n;
CREATE TABLE gate_wake (
  wake INTEGER NOT NULL,
  opened INTEGER NOT NULL,
  next_wake INTEGER,
  next_opened INTEGER,
  mark BLOB NOT NULL,
  PRIMARY KEY (wake, opened)
) STRICT, WITHOUT ROWID;
CREATE TABLE gate_step (
  key TEXT PRIMARY KEY,
  normal TEXT NOT NULL,
  open INTEGER NOT NULL CHECK (open > 0),
  only INTEGER NOT NULL,
  mark BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX gate_step_only ON gate_step (key) WHERE only > 0;
";

/// What all tables of the gates add up to; a row of the sealed projection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Summary {
    /// How many sets there are, and the sum of their marks.
    sets: u64,
    mark: Mark,
    /// How many of them are open, and the first to wake.
    open: u64,
    first: Option<At>,
    /// How many steps open sets block, and the sum of their marks.
    steps: u64,
    steps_mark: Mark,
    /// How many steps open `only` sets forbid, and the sum of their marks.
    only: u64,
    only_mark: Mark,
}

/// Applies steps to the tables and to their summary. `misfit` makes the fault of a step that
/// does not fit what is there. The caller holds a write transaction.
pub fn take(
    shelf: &Shelf<'_>,
    summary: &mut Summary,
    steps: Vec<GateStep>,
    misfit: &dyn Fn(Unreadable) -> LedgerFault,
) -> Result<(), LedgerFault> {
    let mut before: BTreeMap<String, Row> = BTreeMap::new();
    let mut known = BTreeMap::new();
    for step in &steps {
        let id = step.set();
        if !before.contains_key(id)
            && let Some(row) = row::by_id(shelf, id)?
        {
            known.insert(id.to_string(), row.kept(shelf)?);
            before.insert(id.to_string(), row);
        }
    }
    let turned = turn_all(known, steps).map_err(misfit)?;
    let mut buckets = Buckets::default();
    let mut blocked = Blocked::default();
    for (id, kept) in &turned {
        let before = before.get(id);
        let after = Row::of(kept, shelf)?;
        buckets.turn(before, &after);
        blocked.turn(before.map(|row| row.open), &after, kept);
        rechain(shelf, summary, (before, &after))?;
        after.put(shelf, before.is_some())?;
    }
    buckets.put(shelf, summary)?;
    blocked.put(shelf, summary)
}

/// Moves a set in the chain of wakes to where it belongs now.
fn rechain(
    shelf: &Shelf<'_>,
    summary: &mut Summary,
    (before, after): (Option<&Row>, &Row),
) -> Result<(), LedgerFault> {
    let (before, after) = (before.and_then(Row::at), after.at());
    if before == after {
        return Ok(());
    }
    if let Some(at) = before {
        chain::remove(shelf, summary, at)?;
    }
    match after {
        Some(at) => chain::insert(shelf, summary, at),
        None => Ok(()),
    }
}

/// Makes the tables anew, empty.
pub fn clear(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch(SCHEMA)
}

/// Damage of the gates, as a fault.
fn damaged(shelf: &Shelf<'_>, what: &str) -> LedgerFault {
    let detail = format!("the gates are not what the events add up to: {what}");
    shelf.spot.place.corrupt(detail)
}

/// A number of an event as SQLite keeps it.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What is open in the eyes of a set and its row.
fn is_open(kept: &Kept) -> bool {
    kept.set.status() == crate::model::gate::GateStatus::Open
}
