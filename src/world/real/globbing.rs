//! Globs over real folders, by handles.
//!
//! INVARIANT: a folder is entered from the handle of its parent without following a link, or,
//! where the pattern names a link literally, the confined way from the roots.

use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use super::path::Roots;
use super::{fault, folder};
use crate::world::pattern::PathPattern;
use crate::world::walk::{Folders, walk};
use crate::world::{Answer, Failure, Kind};

/// The paths below a folder that match a pattern.
///
/// # Errors
/// The answer to give instead.
pub fn glob(
    roots: &Roots,
    (root, pattern): (&str, &str),
    until: Instant,
) -> Result<Answer, Answer> {
    let pattern = PathPattern::parse(pattern).map_err(|why| Answer::failed(Failure::Io, why))?;
    let handle = roots.open_folder(root)?;
    let top = Open {
        handle,
        path: root.to_owned(),
    };
    Ok(walk(&Real { roots, until }, (&top, root), &pattern, until))
}

struct Real<'a> {
    roots: &'a Roots,
    until: Instant,
}

struct Open {
    handle: OwnedFd,
    path: String,
}

impl Folders for Real<'_> {
    type Folder = Open;

    fn kind(&self, folder: &Open, name: &OsStr) -> Result<Option<Kind>, Answer> {
        folder::kind_at(&folder.handle, name).map_err(|errno| fault::answer(errno, &folder.path))
    }

    fn entries(&self, folder: &Open) -> Result<Vec<(OsString, Kind)>, Answer> {
        folder::entries(&folder.handle, &folder.path, self.until)
    }

    fn enter(
        &self,
        folder: &Open,
        (name, path): (&OsStr, &str),
        follow: bool,
    ) -> Result<Option<Open>, Answer> {
        let handle = if follow {
            match self.roots.look(path) {
                Ok(meta) if meta.is_dir() => self.roots.open_folder(path)?,
                Ok(_) | Err(Answer::Missing) => return Ok(None),
                Err(answer) => return Err(answer),
            }
        } else {
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            match rustix::fs::openat(&folder.handle, name, flags, Mode::empty()) {
                Ok(handle) => handle,
                // Gone or replaced since it was listed: no folder any more.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(None),
                Err(errno) => return Err(fault::answer(errno, path)),
            }
        };
        let path = path.to_owned();
        Ok(Some(Open { handle, path }))
    }
}
