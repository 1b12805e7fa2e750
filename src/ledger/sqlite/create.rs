//! Making a new ledger: whole beside its place, then moved there in one step.
//!
//! INVARIANT: at the place of a ledger there is never an unfinished one, and never a new one
//! where traces show that another was there.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use rustix::fs::{CWD, RenameFlags};
use rustix::io::Errno;

use super::fault::Spot;
use super::gates;
use super::place::{Place, io_fault};
use super::tables::{APPLICATION_ID, FORMAT, SCHEMA, seal_of};
use crate::ledger::fault::LedgerFault;
use crate::ledger::state::NUMBER;

/// Makes the ledger with that store id. If another process makes one at the same time, one of
/// the two stands there afterwards, whole.
pub fn create(spot: &Spot, store: &str) -> Result<(), LedgerFault> {
    if !spot.place.folder().is_dir() {
        return Err(spot.place.missing("its folder is not there"));
    }
    refuse_traces(&spot.place)?;
    let seal = seal_of(store);
    let temp = spot
        .place
        .beside(&format!(".new-{}", seal.get(..16).unwrap_or(&seal)));
    remove(&temp);
    let made = fill(&temp, store, spot).and_then(|()| move_in(&temp, spot));
    remove(&temp);
    made
}

/// A write-ahead log without its ledger: the ledger was removed.
fn refuse_traces(place: &Place) -> Result<(), LedgerFault> {
    let trace = ["-wal", "-shm"]
        .iter()
        .find(|end| place.beside(end).exists());
    match trace {
        // Another process may have made the ledger just now.
        Some(end) if !place.path.exists() => {
            Err(place.missing(&format!("its `{end}` file is still there")))
        }
        _ => Ok(()),
    }
}

fn fill(temp: &Path, store: &str, spot: &Spot) -> Result<(), LedgerFault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let write = || -> rusqlite::Result<()> {
        let mut conn = Connection::open_with_flags(temp, flags)?;
        conn.pragma_update(None, "synchronous", "FULL")?;
        conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
        conn.pragma_update(None, "application_id", APPLICATION_ID)?;
        conn.pragma_update(None, "user_version", FORMAT)?;
        let tx = conn.transaction()?;
        tx.execute_batch(SCHEMA)?;
        gates::clear(&tx)?;
        tx.execute(
            "INSERT INTO store (one, id, seal, projection) VALUES (1, ?1, ?2, ?3)",
            (store, seal_of(store), NUMBER),
        )?;
        tx.commit()?;
        // The last connection writes the log into the file, synchronised, and removes it.
        conn.close().map_err(|(_, e)| e)
    };
    write().map_err(|e| spot.of(e))
}

/// Moves the file to its place, unless something stands there by now.
fn move_in(temp: &Path, spot: &Spot) -> Result<(), LedgerFault> {
    let path = &spot.place.path;
    match rustix::fs::renameat_with(CWD, temp, CWD, path, RenameFlags::NOREPLACE) {
        Ok(()) => {}
        Err(Errno::EXIST) => return Ok(()),
        Err(_) => match fs::hard_link(temp, path) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::AlreadyExists => return Ok(()),
            Err(e) => return Err(io_fault(&e, &spot.place.shown)),
        },
    }
    File::open(spot.place.folder())
        .and_then(|folder| folder.sync_all())
        .map_err(|e| io_fault(&e, &spot.place.shown))
}

/// Removes what an unfinished attempt left; it bears no events.
fn remove(temp: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = temp.as_os_str().to_owned();
        name.push(end);
        // What is not there need not be removed, and what stays does no harm.
        let _ = fs::remove_file(PathBuf::from(name));
    }
}
