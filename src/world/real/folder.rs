//! Folders: their entries, and the heads of their files.
//!
//! INVARIANT: more entries than the limit are a failure, never a short list. A single file that
//! cannot be read is an error in its own head and spoils no other.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;
use std::time::Instant;

use rustix::fs::{AtFlags, Dir, FileType};
use rustix::io::Errno;

use super::fault;
use super::path::Roots;
use crate::world::walk::{MOST_ENTRIES, late, too_large};
use crate::world::{Answer, Entry, Kind, name};

mod head;

/// The entries of a folder, sorted by name.
///
/// # Errors
/// The answer to give instead.
pub fn list(roots: &Roots, path: &str, until: Instant) -> Result<Answer, Answer> {
    let folder = roots.open_folder(path)?;
    let entries = entries(&folder, path, until)?;
    let mut entries: Vec<Entry> = entries
        .into_iter()
        .map(|(file, kind)| {
            let name = name::encode(&file);
            Entry {
                path: join(path, &name),
                name,
                kind,
            }
        })
        .collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Answer::Entries(Arc::new(entries)))
}

/// The heads of the regular files of a folder, sorted by name.
///
/// # Errors
/// The answer to give instead.
pub fn heads(
    roots: &Roots,
    (path, suffix): (&str, &str),
    head: u64,
    until: Instant,
) -> Result<Answer, Answer> {
    let folder = roots.open_folder(path)?;
    let mut files = entries(&folder, path, until)?;
    let suffix = name::decode(suffix);
    files.retain(|(file, kind)| {
        let bytes = file.as_bytes();
        !bytes.starts_with(b".")
            && bytes.ends_with(suffix.as_bytes())
            && matches!(kind, Kind::File | Kind::Link)
    });
    let reader = head::Reader {
        roots,
        folder: &folder,
        path,
        head,
        until,
    };
    let mut heads = reader.read(&files)?;
    heads.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Answer::Heads(Arc::new(heads)))
}

/// All names of an open folder with what they are, in the order of the system.
///
/// # Errors
/// The answer to give instead.
pub fn entries(
    folder: &OwnedFd,
    path: &str,
    until: Instant,
) -> Result<Vec<(OsString, Kind)>, Answer> {
    let wrong = |errno| fault::answer(errno, path);
    let mut entries = Vec::new();
    for entry in Dir::read_from(folder).map_err(wrong)? {
        let entry = entry.map_err(wrong)?;
        let file = OsStr::from_bytes(entry.file_name().to_bytes());
        if file == "." || file == ".." {
            continue;
        }
        let kind = match kind(entry.file_type()) {
            Some(kind) => Some(kind),
            None => kind_at(folder, file).map_err(wrong)?,
        };
        // Gone since it was listed: it is no entry any more.
        let Some(kind) = kind else { continue };
        if entries.len() >= MOST_ENTRIES {
            return Err(too_large(path, "entries", MOST_ENTRIES));
        }
        entries.push((file.to_owned(), kind));
        if entries.len() % 1024 == 0 && Instant::now() >= until {
            return Err(late(path));
        }
    }
    Ok(entries)
}

/// What stands at a name, links not followed; `None` if nothing does.
///
/// # Errors
/// What the system reported.
pub fn kind_at(folder: impl AsFd, file: &OsStr) -> Result<Option<Kind>, Errno> {
    match rustix::fs::statat(folder, file, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => {
            let kind = kind(FileType::from_raw_mode(stat.st_mode));
            Ok(Some(kind.unwrap_or(Kind::Special)))
        }
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(errno),
    }
}

/// `None` where the file system does not tell.
fn kind(of: FileType) -> Option<Kind> {
    match of {
        FileType::RegularFile => Some(Kind::File),
        FileType::Directory => Some(Kind::Folder),
        FileType::Symlink => Some(Kind::Link),
        FileType::Unknown => None,
        _ => Some(Kind::Special),
    }
}

/// A path and a name below it.
pub fn join(path: &str, name: &str) -> String {
    if path.ends_with('/') {
        format!("{path}{name}")
    } else {
        format!("{path}/{name}")
    }
}
