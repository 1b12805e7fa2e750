//! The state of a work tree as one digest.
//!
//! INVARIANT: git only tells the names; sizes and times are looked up here, so that no filter
//! of the repository runs. Equal names, kinds, sizes and times give equal digests; a tracked
//! file that is gone counts as such. `.belegt` folders do not count: belegt writes there.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::time::Instant;

use rustix::fs::{AtFlags, FileType, statat};
use rustix::io::Errno;
use sha2::{Digest as _, Sha256};

use super::{fault, folder};
use crate::model::text::hex;
use crate::world::walk::late;
use crate::world::{Answer, name};

/// The digest in hex of all names in `listed` (each ended by NUL) below a folder.
///
/// # Errors
/// The answer to give if a file cannot be looked at, or the deadline passes.
pub fn digest(
    folder: &OwnedFd,
    listed: &[u8],
    (root, until): (&str, Instant),
) -> Result<String, Answer> {
    let mut names: Vec<&[u8]> = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty() && !is_ours(name))
        .collect();
    names.sort_unstable();
    // A file in conflict is listed once for each side.
    names.dedup();
    let mut digest = Sha256::new();
    for (number, name) in names.into_iter().enumerate() {
        if number % 1024 == 1023 && Instant::now() >= until {
            return Err(late(root));
        }
        let state = state(folder, name).map_err(|errno| {
            let name = name::encode(OsStr::from_bytes(name));
            fault::answer(errno, &folder::join(root, &name))
        })?;
        digest.update(name);
        digest.update([0]);
        digest.update(state);
    }
    Ok(hex(&digest.finalize()))
}

fn is_ours(name: &[u8]) -> bool {
    name.split(|byte| *byte == b'/')
        .any(|part| part == b".belegt")
}

fn state(folder: &OwnedFd, name: &[u8]) -> Result<String, Errno> {
    match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) => {
            let kind = FileType::from_raw_mode(stat.st_mode);
            let (size, seconds, nanos) = (stat.st_size, stat.st_mtime, stat.st_mtime_nsec);
            Ok(format!("{kind:?} {size} {seconds}.{nanos:09}\n"))
        }
        Err(Errno::NOENT | Errno::NOTDIR) => Ok("missing\n".to_owned()),
        Err(errno) => Err(errno),
    }
}
