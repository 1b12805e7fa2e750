//! The table of the projection: how steps become rows, and rows a state.
//!
//! One table holds all parts, so that a view is one query and a commit writes few pages. One
//! more row, the seal, is a digest over all others and the head: a page of SQLite carries no
//! checksum, and a flipped bit that takes a note away must not read as "nothing is open".

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::fault::Spot;
use super::gates::{self, Shelf, Summary};
use super::tables;
use crate::ledger::Head;
use crate::ledger::event::{Event, read_link};
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::sets::Sets;
use crate::ledger::gates::steps;
use crate::ledger::state::{Change, NUMBER, State, changes};
use crate::ledger::upcast::Unreadable;
use crate::model::text::hex;

/// How many events are read at once while a projection is rebuilt.
const BATCH: u64 = 500;

/// Applies one step to the table.
pub fn apply(conn: &Connection, change: &Change) -> rusqlite::Result<()> {
    match change {
        Change::First(at) => keep(conn, "value", "first_tick", at),
        Change::Last(last) => put(conn, "value", "last", last),
        Change::Record(Some(record)) => put(conn, "value", "record", record),
        Change::Record(None) => forget(conn, "value", "record"),
        Change::Settle(key, settled) => put(conn, "settled", key, settled),
        Change::Lapse(key) => forget(conn, "settled", key),
        Change::Hand(key, handed) => put(conn, "handed", key, handed),
        Change::Unhand(key) => forget(conn, "handed", key),
        Change::Note(id, note) => put(conn, "note", id, note),
    }
}

fn put<T: Serialize>(conn: &Connection, part: &str, key: &str, row: &T) -> rusqlite::Result<()> {
    let sql = "INSERT INTO projection (part, key, json) VALUES (?1, ?2, ?3)
        ON CONFLICT (part, key) DO UPDATE SET json = excluded.json";
    write(conn, sql, (part, key), row)
}

fn keep<T: Serialize>(conn: &Connection, part: &str, key: &str, row: &T) -> rusqlite::Result<()> {
    let sql = "INSERT INTO projection (part, key, json) VALUES (?1, ?2, ?3)
        ON CONFLICT (part, key) DO NOTHING";
    write(conn, sql, (part, key), row)
}

fn write<T: Serialize>(
    conn: &Connection,
    sql: &str,
    (part, key): (&str, &str),
    row: &T,
) -> rusqlite::Result<()> {
    let json = serde_json::to_string(row)
        .map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))?;
    conn.prepare_cached(sql)?
        .execute(params![part, key, json])?;
    Ok(())
}

fn forget(conn: &Connection, part: &str, key: &str) -> rusqlite::Result<()> {
    let sql = "DELETE FROM projection WHERE part = ?1 AND key = ?2";
    conn.prepare_cached(sql)?.execute([part, key])?;
    Ok(())
}

/// Part and key of the row in which the tables of the gates are added up.
const GATES: (&str, &str) = ("value", "gates");

/// Every row but the seal, in order.
const ROWS: &str = "SELECT part, key, json FROM projection WHERE part <> 'seal' ORDER BY part, key";

/// The digest over all rows and the head they belong to, taken as they stand.
struct Seal(Sha256);

impl Seal {
    fn of(head: &Head) -> Self {
        let mut seal = Seal(Sha256::new());
        seal.part(b"belegt projection 1");
        seal.part(head.hash.as_bytes());
        seal
    }

    fn part(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }

    fn row(&mut self, row: &rusqlite::Row<'_>) -> rusqlite::Result<()> {
        for column in 0..3 {
            match row.get_ref(column)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => self.part(bytes),
                other => self.part(format!("{other:?}").as_bytes()),
            }
        }
        Ok(())
    }

    fn text(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Seals the table as it stands, at this head. Every write transaction ends with it.
pub fn seal(conn: &Connection, head: &Head) -> rusqlite::Result<()> {
    let mut seal = Seal::of(head);
    let mut statement = conn.prepare_cached(ROWS)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        seal.row(row)?;
    }
    put(conn, "seal", "", &seal.text())
}

/// Reads the whole table as a state, if it bears its seal for this head.
pub fn load(conn: &Connection, head: &Head, spot: &Spot) -> Result<State, LedgerFault> {
    let mut state = State::default();
    each_row(conn, head, spot, &mut |part, key, json| {
        take(&mut state, part, key, json)
    })?;
    Ok(state)
}

/// Reads what the tables of the gates add up to, if the table bears its seal for this head.
pub fn summary(conn: &Connection, head: &Head, spot: &Spot) -> Result<Summary, LedgerFault> {
    let mut summary = Summary::default();
    each_row(conn, head, spot, &mut |part, key, json| {
        if (part, key.as_str()) == GATES {
            summary = serde_json::from_str(json).map_err(|e| e.to_string())?;
        }
        Ok(())
    })?;
    Ok(summary)
}

/// Keeps what the tables of the gates add up to.
pub fn put_summary(conn: &Connection, summary: &Summary) -> rusqlite::Result<()> {
    put(conn, GATES.0, GATES.1, summary)
}

/// What takes a row: its part, key and JSON.
type Take<'a> = &'a mut dyn FnMut(&str, String, &str) -> Result<(), String>;

/// Shows each row, and proves the seal.
fn each_row(
    conn: &Connection,
    head: &Head,
    spot: &Spot,
    take: Take<'_>,
) -> Result<(), LedgerFault> {
    let mut seal = Seal::of(head);
    let mut statement = conn.prepare_cached(ROWS).map_err(|e| spot.of(e))?;
    let mut rows = statement.query([]).map_err(|e| spot.of(e))?;
    let mut is_empty = true;
    while let Some(row) = rows.next().map_err(|e| spot.of(e))? {
        is_empty = false;
        seal.row(row).map_err(|e| spot.of(e))?;
        let read = || Ok((row.get(0)?, row.get(1)?, row.get_ref(2)?.as_str()?));
        let (part, key, json): (String, String, &str) = read().map_err(|e| spot.of(e))?;
        take(&part, key, json).map_err(|why| {
            spot.place
                .corrupt(format!("a row of the projection cannot be read, {why}"))
        })?;
    }
    let borne = sealed(conn).map_err(|e| spot.of(e))?;
    let is_new = is_empty && borne.is_none() && head.seq == 0;
    if is_new || borne == serde_json::to_string(&seal.text()).ok() {
        return Ok(());
    }
    Err(spot
        .place
        .corrupt("the projection does not bear its seal: it is not what the events add up to"))
}

fn sealed(conn: &Connection) -> rusqlite::Result<Option<String>> {
    let sql = "SELECT json FROM projection WHERE part = 'seal' AND key = ''";
    conn.prepare_cached(sql)?
        .query_row([], |row| row.get(0))
        .optional()
}

fn take(state: &mut State, part: &str, key: String, json: &str) -> Result<(), String> {
    fn read<T: DeserializeOwned>(json: &str) -> Result<T, String> {
        serde_json::from_str(json).map_err(|e| e.to_string())
    }
    match (part, key.as_str()) {
        ("value", "first_tick") => state.first_tick = Some(read(json)?),
        ("value", "last") => state.last = Some(read(json)?),
        ("value", "record") => state.record = Some(read(json)?),
        // Not a part of the state.
        GATES => {}
        ("settled", _) => {
            state.settled.insert(key, read(json)?);
        }
        ("handed", _) => {
            state.handed.insert(key, read(json)?);
        }
        ("note", _) => {
            state.notes.insert(key, read(json)?);
        }
        _ => return Err("there is no such part".to_string()),
    }
    Ok(())
}

/// Adds up all events; nothing is written. Also answers where the chain stands.
pub fn replay(conn: &Connection, spot: &Spot) -> Result<(Head, State), LedgerFault> {
    let mut state = State::default();
    let head = each_batch(conn, spot, &mut |events| {
        let mut taken = events.iter().map(|event| state.take(event));
        taken
            .find(Result::is_err)
            .unwrap_or(Ok(()))
            .map_err(|e| e.at(&spot.place.shown))
    })?;
    Ok((head, state))
}

/// Adds up the gates of all events; nothing is written.
pub fn replay_gates(conn: &Connection, spot: &Spot) -> Result<(Head, Sets), LedgerFault> {
    let mut sets = Sets::default();
    let head = each_batch(conn, spot, &mut |events| {
        let mut taken = events.iter().map(|event| sets.take(steps(event)?));
        taken
            .find(Result::is_err)
            .unwrap_or(Ok(()))
            .map_err(|e| e.at(&spot.place.shown))
    })?;
    Ok((head, sets))
}

/// Makes the tables anew from all events. The caller holds a write transaction.
pub fn rebuild(conn: &Connection, spot: &Spot) -> Result<(), LedgerFault> {
    let of = |e| spot.of(e);
    conn.execute("DELETE FROM projection", []).map_err(of)?;
    gates::clear(conn).map_err(of)?;
    let mut summary = Summary::default();
    let head = each_batch(conn, spot, &mut |events| {
        let damage = |e: Unreadable| e.at(&spot.place.shown);
        let mut turns = Vec::new();
        for event in events {
            for change in changes(event).map_err(damage)? {
                apply(conn, &change).map_err(of)?;
            }
            turns.extend(steps(event).map_err(damage)?);
        }
        gates::take(&Shelf { conn, spot }, &mut summary, turns, &damage)
    })?;
    put_summary(conn, &summary).map_err(of)?;
    seal(conn, &head).map_err(of)?;
    conn.execute("UPDATE store SET projection = ?1", [NUMBER])
        .map_err(of)?;
    Ok(())
}

/// What takes some events that follow one another.
type Batch<'a> = &'a mut dyn FnMut(&[Event]) -> Result<(), LedgerFault>;

fn each_batch(conn: &Connection, spot: &Spot, take: Batch<'_>) -> Result<Head, LedgerFault> {
    let mut head = Head::genesis();
    loop {
        let rows = tables::stored(conn, head.seq, BATCH).map_err(|e| spot.of(e))?;
        if rows.is_empty() {
            return Ok(head);
        }
        let mut events = Vec::with_capacity(rows.len());
        for row in rows {
            let event = read_link(&head, &row).map_err(|e| e.at(&spot.place.shown))?;
            events.push(event);
            head = row.head();
        }
        take(&events)?;
    }
}
