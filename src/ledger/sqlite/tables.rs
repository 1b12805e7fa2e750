//! The tables, and the rows of events.
//!
//! INVARIANT: `event` is only ever added to. `projection` is a cache of it, changed in the same
//! transaction, and rebuilt from it when its number differs.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::Spot;
use crate::ledger::Head;
use crate::ledger::event::{Stored, hash};
use crate::ledger::fault::LedgerFault;
use crate::ledger::upcast;

/// `belg`, in the header of the file: whose file this is.
pub const APPLICATION_ID: i64 = 0x6265_6c67;

/// The layout of the tables, in the header of the file.
pub const FORMAT: u32 = 1;

/// All tables but those of the gates. Triggers keep other programs from changing what was stored.
pub const SCHEMA: &str = "
CREATE TABLE store (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  seal TEXT NOT NULL,
  projection INTEGER NOT NULL
) STRICT;
CREATE TABLE event (
  seq INTEGER PRIMARY KEY CHECK (seq > 0),
  id TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL CHECK (length(hash) = 64),
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE projection (
  part TEXT NOT NULL,
  key TEXT NOT NULL,
  json TEXT NOT NULL,
  PRIMARY KEY (part, key)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER event_keeps BEFORE UPDATE ON event
  BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_stays BEFORE DELETE ON event
  BEGIN SELECT RAISE(ABORT, 'events are never removed'); END;
";

/// The one row about the store itself.
pub struct Store {
    /// The store's own id.
    pub id: String,
    /// The [`crate::ledger::state::NUMBER`] with which the projection was made.
    pub projection: i64,
}

/// What guards the id of a store against a flipped bit.
pub fn seal_of(id: &str) -> String {
    hash("store", id.as_bytes())
}

/// Reads the row about the store.
pub fn store(conn: &Connection, spot: &Spot) -> Result<Store, LedgerFault> {
    let sql = "SELECT id, seal, projection FROM store WHERE one = 1";
    let read = |r: &Row<'_>| Ok((r.get(0)?, r.get::<_, String>(1)?, r.get(2)?));
    let row = conn
        .prepare_cached(sql)
        .and_then(|mut s| s.query_row([], read));
    let (id, seal, projection): (String, _, _) = row.map_err(|e| spot.of(e))?;
    if seal != seal_of(&id) {
        return Err(spot
            .place
            .corrupt("the id of the store does not bear its seal"));
    }
    Ok(Store { id, projection })
}

/// Where the chain stands, as the tables say.
pub fn head(conn: &Connection) -> rusqlite::Result<Head> {
    let sql = "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1";
    let row = conn
        .prepare_cached(sql)?
        .query_row([], |r| {
            Ok(Head {
                seq: number(r, 0)?,
                hash: r.get(1)?,
            })
        })
        .optional()?;
    Ok(row.unwrap_or_else(Head::genesis))
}

/// Where the chain stands, with the newest event checked against its hash.
pub fn checked_head(conn: &Connection, spot: &Spot) -> Result<Head, LedgerFault> {
    let sql = "SELECT e.seq, e.id, e.hash, e.bytes, p.hash
        FROM event e LEFT JOIN event p ON p.seq = e.seq - 1 ORDER BY e.seq DESC LIMIT 1";
    let read = |r: &Row<'_>| Ok((stored_row(r)?, r.get::<_, Option<String>>(4)?));
    let row = conn
        .prepare_cached(sql)
        .and_then(|mut s| s.query_row([], read).optional());
    let Some((row, prev)) = row.map_err(|e| spot.of(e))? else {
        return Ok(Head::genesis());
    };
    let prev = match (row.seq, prev) {
        (1, None) => Head::genesis().hash,
        (_, Some(prev)) => prev,
        (seq, None) => {
            let detail = format!(
                "event {} is not there, event {seq} is",
                seq.saturating_sub(1)
            );
            return Err(spot.place.corrupt(detail));
        }
    };
    if !row.holds(&prev) {
        let detail = format!("event {}: its hash is not the one of its bytes", row.seq);
        return Err(spot.place.corrupt(detail));
    }
    if !upcast::is_current(&row.bytes) {
        upcast::read(row.seq, &row.bytes).map_err(|e| e.at(&spot.place.shown))?;
    }
    Ok(row.head())
}

/// Rows of events after `from`, as they are; nothing is checked.
pub fn stored(conn: &Connection, from: u64, limit: u64) -> rusqlite::Result<Vec<Stored>> {
    let sql = "SELECT seq, id, hash, bytes FROM event WHERE seq > ?1 ORDER BY seq LIMIT ?2";
    conn.prepare_cached(sql)?
        .query_map([signed(from), signed(limit)], stored_row)?
        .collect()
}

/// The stored event of that id, with the hash before it.
pub fn by_id(conn: &Connection, id: &str) -> rusqlite::Result<Option<(Stored, String)>> {
    let sql = "SELECT e.seq, e.id, e.hash, e.bytes, p.hash
        FROM event e LEFT JOIN event p ON p.seq = e.seq - 1 WHERE e.id = ?1";
    let read = |r: &Row<'_>| Ok((stored_row(r)?, r.get::<_, Option<String>>(4)?));
    let row = conn.prepare_cached(sql)?.query_row([id], read).optional()?;
    Ok(row.map(|(row, prev)| (row, prev.unwrap_or_else(|| Head::genesis().hash))))
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn stored_row(row: &Row<'_>) -> rusqlite::Result<Stored> {
    Ok(Stored {
        seq: number(row, 0)?,
        id: String::from_utf8_lossy(&raw(row.get_ref(1)?)).into_owned(),
        hash: String::from_utf8_lossy(&raw(row.get_ref(2)?)).into_owned(),
        bytes: raw(row.get_ref(3)?),
    })
}

/// The bytes of a column of whatever type, so that a damaged row can still be shown.
fn raw(value: ValueRef<'_>) -> Vec<u8> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_vec(),
        other => format!("{other:?}").into_bytes(),
    }
}

/// Adds an event.
pub fn insert(conn: &Connection, row: &Stored) -> rusqlite::Result<()> {
    let sql = "INSERT INTO event (seq, id, hash, bytes) VALUES (?1, ?2, ?3, ?4)";
    let mut statement = conn.prepare_cached(sql)?;
    statement.execute(params![signed(row.seq), row.id, row.hash, row.bytes])?;
    Ok(())
}
