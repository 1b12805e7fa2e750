//! Where a ledger stands: what is there, and whether SQLite may be let near it.
//!
//! INVARIANT: the file is never opened here. To close any handle of it would drop the locks
//! that SQLite holds in this process; so everything is learned from the names and the status.

use std::ffi::OsString;
use std::fs::{self, FileType};
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use crate::ledger::fault::LedgerFault;
use crate::model::text::escape;

/// A place for a ledger on a local file system.
#[derive(Debug, Clone)]
pub struct Place {
    /// The path, with all links followed.
    pub path: PathBuf,
    /// The path as it is shown.
    pub shown: String,
    /// Device and number of the file that stands there.
    pub file: Option<(u64, u64)>,
}

impl Place {
    /// Looks at a path: refuses what is no regular file, an empty file, and network folders.
    pub fn look(path: &Path) -> Result<Place, LedgerFault> {
        let shown = escape(&path.to_string_lossy());
        let found = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(io_fault(&e, &shown)),
        };
        let place = Place {
            path: follow(path, found.is_some()).map_err(|e| io_fault(&e, &shown))?,
            shown,
            file: found.as_ref().map(|f| (f.dev(), f.ino())),
        };
        if let Some(found) = found {
            place.refuse_other_kinds(found.file_type())?;
            if found.len() == 0 {
                return Err(place.corrupt("the file is empty, 0 bytes"));
            }
        }
        super::network::refuse(&place)?;
        Ok(place)
    }

    fn refuse_other_kinds(&self, kind: FileType) -> Result<(), LedgerFault> {
        let what = match kind {
            k if k.is_file() => return Ok(()),
            k if k.is_dir() => "a folder",
            k if k.is_fifo() => "a FIFO",
            k if k.is_socket() => "a socket",
            _ => "a device",
        };
        Err(LedgerFault::NotAFile {
            path: self.shown.clone(),
            what: what.to_string(),
        })
    }

    /// Refuses a file that was removed or replaced since it was looked at: whatever is written
    /// then is lost.
    pub fn refuse_moved(&self) -> Result<(), LedgerFault> {
        let now = fs::metadata(&self.path).ok().map(|f| (f.dev(), f.ino()));
        match now == self.file {
            true => Ok(()),
            false => Err(self.missing("it was moved, removed or replaced while it was open")),
        }
    }

    /// The folder that holds the file.
    pub fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new("/"))
    }

    /// The file beside it whose name ends so: `-wal`, `-shm`.
    pub fn beside(&self, end: &str) -> PathBuf {
        let mut name: OsString = self.path.clone().into_os_string();
        name.push(end);
        PathBuf::from(name)
    }

    /// Size of the file in bytes; 0 if there is none.
    pub fn size(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |m| m.len())
    }

    /// Size of the write-ahead log in bytes; 0 if there is none.
    pub fn wal_size(&self) -> u64 {
        fs::metadata(self.beside("-wal")).map_or(0, |m| m.len())
    }

    /// Whether the file system is mounted read-only.
    pub fn on_read_only_mount(&self) -> bool {
        use rustix::fs::StatVfsMountFlags;
        rustix::fs::statvfs(self.folder())
            .is_ok_and(|s| s.f_flag.contains(StatVfsMountFlags::RDONLY))
    }

    /// The fault for a ledger that is not there.
    pub fn missing(&self, why: &str) -> LedgerFault {
        LedgerFault::Missing {
            path: self.shown.clone(),
            why: why.to_string(),
        }
    }

    /// The fault for damage.
    pub fn corrupt(&self, detail: impl Into<String>) -> LedgerFault {
        LedgerFault::Corrupt {
            path: self.shown.clone(),
            detail: detail.into(),
        }
    }

    /// The fault for a file that cannot be written.
    pub fn not_writable(&self) -> LedgerFault {
        match self.on_read_only_mount() {
            true => LedgerFault::ReadOnly {
                path: self.shown.clone(),
                why: "the file system is mounted read-only".to_string(),
            },
            false => LedgerFault::Permission {
                path: self.shown.clone(),
                detail: "the file or its folder may not be written".to_string(),
            },
        }
    }
}

/// Follows all links. Of a file that is not there the folder is followed.
fn follow(path: &Path, exists: bool) -> std::io::Result<PathBuf> {
    if exists {
        return fs::canonicalize(path);
    }
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("/"),
    };
    match fs::canonicalize(folder) {
        Ok(folder) => Ok(folder.join(path.file_name().unwrap_or_default())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(path.to_path_buf()),
        Err(e) => Err(e),
    }
}

/// The fault for what the system said about a path.
pub fn io_fault(error: &std::io::Error, shown: &str) -> LedgerFault {
    let (path, detail) = (shown.to_string(), error.to_string());
    match error.kind() {
        ErrorKind::PermissionDenied => LedgerFault::Permission { path, detail },
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => LedgerFault::Full { path },
        ErrorKind::ReadOnlyFilesystem => LedgerFault::ReadOnly { path, why: detail },
        ErrorKind::NotFound => LedgerFault::Missing { path, why: detail },
        ErrorKind::NotADirectory => LedgerFault::NotAFile {
            path,
            what: "below something that is no folder".to_string(),
        },
        _ => LedgerFault::Io { path, detail },
    }
}
