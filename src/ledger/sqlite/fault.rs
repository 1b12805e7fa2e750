//! What SQLite reports, as the faults of a ledger.

use rusqlite::{Error, ErrorCode, ffi};

use super::busy::Patience;
use super::place::Place;
use crate::ledger::fault::LedgerFault;

/// A place, and how long one waits for it: what is needed to turn errors into faults.
#[derive(Debug, Clone)]
pub struct Spot {
    /// Where the ledger stands.
    pub place: Place,
    /// How long connections to it wait.
    pub patience: Patience,
}

impl Spot {
    /// The fault for an error of SQLite.
    pub fn of(&self, error: rusqlite::Error) -> LedgerFault {
        fault(&error, &self.place, &self.patience)
    }
}

/// The fault that an error of SQLite means for the ledger at this place.
fn fault(error: &Error, place: &Place, patience: &Patience) -> LedgerFault {
    let path = place.shown.clone();
    let detail = error.to_string();
    let Some(code) = error.sqlite_error() else {
        // A column of another type, a missing row, text that is no UTF-8.
        return LedgerFault::Corrupt { path, detail };
    };
    match code.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => LedgerFault::Busy {
            path,
            waited_ms: u64::try_from(patience.waited().as_millis()).unwrap_or(u64::MAX),
        },
        ErrorCode::DiskFull => LedgerFault::Full { path },
        ErrorCode::NotADatabase => LedgerFault::Foreign {
            path,
            why: "it is no SQLite file".to_string(),
        },
        ErrorCode::ReadOnly if code.extended_code == ffi::SQLITE_READONLY_DBMOVED => {
            place.missing("it was moved or removed while it was open")
        }
        ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied => {
            place.not_writable()
        }
        ErrorCode::SystemIoFailure => broken_read(code.extended_code, path, detail),
        ErrorCode::OutOfMemory | ErrorCode::OperationInterrupted => {
            LedgerFault::Io { path, detail }
        }
        ErrorCode::FileLockingProtocolFailed => LedgerFault::Io { path, detail },
        // Damage, a missing table, a broken constraint, a schema that cannot be parsed.
        _ => LedgerFault::Corrupt { path, detail },
    }
}

fn broken_read(extended: i32, path: String, detail: String) -> LedgerFault {
    match extended {
        ffi::SQLITE_IOERR_SHORT_READ | ffi::SQLITE_IOERR_CORRUPTFS | ffi::SQLITE_IOERR_DATA => {
            LedgerFault::Corrupt { path, detail }
        }
        // The shared memory beside the log could not grow.
        ffi::SQLITE_IOERR_SHMSIZE => LedgerFault::Full { path },
        _ => LedgerFault::Io { path, detail },
    }
}

/// The fault of a commit. Where SQLite knows that nothing was stored it is that fault; after
/// anything else nobody knows.
pub fn commit_fault(error: &Error, spot: &Spot) -> LedgerFault {
    match fault(error, &spot.place, &spot.patience) {
        known @ (LedgerFault::Busy { .. } | LedgerFault::Full { .. }) => known,
        other => LedgerFault::CommitUnknown {
            path: spot.place.shown.clone(),
            detail: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn place() -> Place {
        Place {
            path: "/tmp/l.db".into(),
            shown: "/tmp/l.db".to_string(),
            file: None,
        }
    }

    fn error(code: i32) -> Error {
        Error::SqliteFailure(ffi::Error::new(code), Some("x".to_string()))
    }

    #[test]
    fn each_report_becomes_its_own_fault() {
        let spot = Spot {
            place: place(),
            patience: Patience::new(Instant::now(), Instant::now()),
        };
        for (code, expected, at_commit) in [
            (ffi::SQLITE_BUSY, "ledger::busy", "ledger::busy"),
            (ffi::SQLITE_BUSY_SNAPSHOT, "ledger::busy", "ledger::busy"),
            (ffi::SQLITE_FULL, "ledger::full", "ledger::full"),
            (
                ffi::SQLITE_NOTADB,
                "ledger::foreign",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_CORRUPT,
                "ledger::corrupt",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_ERROR,
                "ledger::corrupt",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_CANTOPEN,
                "ledger::permission",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_READONLY,
                "ledger::permission",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_READONLY_DBMOVED,
                "ledger::missing",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_IOERR_SHORT_READ,
                "ledger::corrupt",
                "ledger::commit-unknown",
            ),
            (
                ffi::SQLITE_IOERR_FSYNC,
                "ledger::io",
                "ledger::commit-unknown",
            ),
            (ffi::SQLITE_NOMEM, "ledger::io", "ledger::commit-unknown"),
        ] {
            let error = error(code);
            assert_eq!(
                fault(&error, &spot.place, &spot.patience).code(),
                expected,
                "{code}"
            );
            let commit = commit_fault(&error, &spot);
            assert_eq!(commit.code(), at_commit, "{code}");
        }
        let shape = spot.of(Error::QueryReturnedNoRows);
        assert_eq!(shape.code(), "ledger::corrupt");
    }
}
