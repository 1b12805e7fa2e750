//! Opening: a connection with the settings that keep the promises, and the proof that it is one
//! to our ledger.
//!
//! INVARIANT: nothing here makes a store. What is not there, not ours or damaged is a fault.

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::Spot;
use super::tables::{APPLICATION_ID, FORMAT};
use crate::ledger::fault::LedgerFault;

/// Bytes that the write-ahead log keeps after it was emptied.
const JOURNAL_LIMIT: i64 = 1 << 20;

/// SQLite before 3.51.3 could damage a file that several processes write: a checkpoint that
/// raced the restart of the log (its release notes).
const SOUND_SQLITE: i32 = 3_051_003;

/// A connection that may write.
pub fn writer(spot: &Spot) -> Result<Connection, LedgerFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = Connection::open_with_flags(&spot.place.path, flags).map_err(|e| spot.of(e))?;
    prepare(&mut conn, spot)?;
    prove(&conn, spot)?;
    if conn.is_readonly("main").map_err(|e| spot.of(e))? {
        return Err(spot.place.not_writable());
    }
    set_durable(&conn, spot)?;
    Ok(conn)
}

/// A connection that only reads. On a file system that is mounted read-only, and without a
/// write-ahead log, SQLite must be told that the file cannot change.
pub fn reader(spot: &Spot) -> Result<Connection, LedgerFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let first = Connection::open_with_flags(&spot.place.path, flags)
        .map_err(|e| spot.of(e))
        .and_then(|conn| proven(conn, spot));
    match first {
        Err(LedgerFault::ReadOnly { .. })
            if spot.place.wal_size() == 0 && spot.place.on_read_only_mount() =>
        {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            Connection::open_with_flags(immutable(spot), flags)
                .map_err(|e| spot.of(e))
                .and_then(|conn| proven(conn, spot))
        }
        other => other,
    }
}

fn proven(mut conn: Connection, spot: &Spot) -> Result<Connection, LedgerFault> {
    prepare(&mut conn, spot)?;
    prove(&conn, spot)?;
    Ok(conn)
}

/// The path as a URI that says the file cannot change.
fn immutable(spot: &Spot) -> String {
    let mut uri = "file:".to_string();
    for byte in spot.place.path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            b if b.is_ascii_alphanumeric() => uri.push(char::from(*b)),
            b => {
                // Writing to a String cannot fail.
                let _ = write!(uri, "%{b:02x}");
            }
        }
    }
    uri.push_str("?immutable=1");
    uri
}

/// What every connection needs before its first look at the file.
fn prepare(conn: &mut Connection, spot: &Spot) -> Result<(), LedgerFault> {
    if rusqlite::version_number() < SOUND_SQLITE {
        let detail = format!(
            "SQLite {} has a known fault in its log",
            rusqlite::version()
        );
        return Err(LedgerFault::Io {
            path: spot.place.shown.clone(),
            detail,
        });
    }
    let patience = spot.patience.clone();
    conn.busy_handler(Some(move |calls| patience.wait(calls)))
        .map_err(|e| spot.of(e))?;
    for (name, wanted) in [
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true),
    ] {
        let got = conn.set_db_config(name, wanted).map_err(|e| spot.of(e))?;
        if got != wanted {
            return Err(not_taken(spot, "a setting of the connection"));
        }
    }
    Ok(())
}

/// Whether this file is our ledger, in a format that is known.
fn prove(conn: &Connection, spot: &Spot) -> Result<(), LedgerFault> {
    let path = spot.place.shown.clone();
    if number(conn, spot, "application_id")? != APPLICATION_ID {
        let why = "it is a SQLite file of another program".to_string();
        return Err(LedgerFault::Foreign { path, why });
    }
    let found = number(conn, spot, "user_version")?;
    match u32::try_from(found) {
        Ok(FORMAT) => whole(conn, spot),
        Ok(found) if found > FORMAT => Err(LedgerFault::Newer {
            path,
            found,
            known: FORMAT,
        }),
        _ => Err(spot.place.corrupt(format!("there is no format {found}"))),
    }
}

/// A file whose last page is not whole was cut. SQLite takes what is missing for zeros, which
/// shows only where something stood. While the log holds pages, the file may lag behind.
fn whole(conn: &Connection, spot: &Spot) -> Result<(), LedgerFault> {
    let page = u64::try_from(number(conn, spot, "page_size")?).unwrap_or(0);
    let size = spot.place.size();
    match size.checked_rem(page) {
        Some(over) if over != 0 && spot.place.wal_size() == 0 => {
            let detail = format!("the file was cut: {size} bytes are no whole pages of {page}");
            Err(spot.place.corrupt(detail))
        }
        _ => Ok(()),
    }
}

/// The settings that make a commit durable, read back.
fn set_durable(conn: &Connection, spot: &Spot) -> Result<(), LedgerFault> {
    let mode: String = conn
        .pragma_query_value(None, "journal_mode", |r| r.get(0))
        .map_err(|e| spot.of(e))?;
    if mode != "wal" {
        return Err(not_taken(spot, "journal_mode"));
    }
    let mut wanted = vec![("synchronous", 2), ("cell_size_check", 1)];
    if cfg!(target_os = "macos") {
        // There a plain fsync leaves data in the cache of the drive.
        wanted.extend([("fullfsync", 1), ("checkpoint_fullfsync", 1)]);
    }
    for (name, value) in wanted {
        conn.pragma_update(None, name, value)
            .map_err(|e| spot.of(e))?;
        if number(conn, spot, name)? != value {
            return Err(not_taken(spot, name));
        }
    }
    let limit: i64 = conn
        .pragma_update_and_check(None, "journal_size_limit", JOURNAL_LIMIT, |r| r.get(0))
        .map_err(|e| spot.of(e))?;
    match limit {
        JOURNAL_LIMIT => Ok(()),
        _ => Err(not_taken(spot, "journal_size_limit")),
    }
}

fn number(conn: &Connection, spot: &Spot, name: &str) -> Result<i64, LedgerFault> {
    conn.pragma_query_value(None, name, |r| r.get(0))
        .map_err(|e| spot.of(e))
}

fn not_taken(spot: &Spot, name: &str) -> LedgerFault {
    LedgerFault::Io {
        path: spot.place.shown.clone(),
        detail: format!("SQLite did not take the setting `{name}`"),
    }
}
