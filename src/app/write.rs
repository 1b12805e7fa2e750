//! New files, written whole or not at all.
//!
//! INVARIANT: below the folder that was named no link is followed, no file is changed that was
//! not to be replaced, and nobody sees a part of a file: it gets its name when it is whole.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags};
use rustix::fs::{linkat, mkdirat, openat, renameat, renameat_with, unlinkat};
use rustix::io::Errno;

use crate::diag::{Code, Fault};
use crate::model::text::escape;
use crate::settings::files::{Links, Problem, open_folder};

/// Why a file was not written.
#[derive(Debug)]
pub enum Refusal {
    /// Something stands there already.
    Exists,
    /// It could not be written.
    Fault(Fault),
}

/// What is to be written: a path below a folder, a text, and a word that no other write has.
#[derive(Debug, Clone, Copy)]
pub struct Draft<'a> {
    /// The path below the folder, its parts between `/`.
    pub below: &'a str,
    /// The whole text.
    pub text: &'a str,
    /// For the name that the file has until it is whole.
    pub id: &'a str,
}

/// Writes a file that does not exist; its folders are made.
///
/// # Errors
/// Something stands there, a part of the way is a link or no folder, or the system refuses.
pub fn create(base: &Path, draft: Draft<'_>) -> Result<(), Refusal> {
    let (folder, name) = way(base, draft.below).map_err(Refusal::Fault)?;
    let unsaid = |problem| Refusal::Fault(fault(&base.join(draft.below), &problem));
    let whole = temporary(&folder, draft).map_err(unsaid)?;
    let named = match linkat(&folder, &whole, &folder, name, AtFlags::empty()) {
        // A file system without hard links.
        Err(Errno::PERM | Errno::OPNOTSUPP | Errno::NOSYS | Errno::MLINK) => {
            renameat_with(&folder, &whole, &folder, name, RenameFlags::NOREPLACE)
        }
        linked => linked,
    };
    let _ = unlinkat(&folder, &whole, AtFlags::empty());
    match named {
        Ok(()) => Ok(()),
        Err(Errno::EXIST) => Err(Refusal::Exists),
        Err(error) => Err(unsaid(error.into())),
    }
}

/// Writes a file in the place of one that may be replaced; a link there is replaced itself.
///
/// # Errors
/// The system refuses.
pub fn replace(base: &Path, draft: Draft<'_>) -> Result<(), Fault> {
    let (folder, name) = way(base, draft.below)?;
    let unsaid = |problem| fault(&base.join(draft.below), &problem);
    let whole = temporary(&folder, draft).map_err(unsaid)?;
    renameat(&folder, &whole, &folder, name).map_err(|error| {
        let _ = unlinkat(&folder, &whole, AtFlags::empty());
        unsaid(error.into())
    })
}

/// The folder of a file, made where it is missing, and the file's name.
fn way<'a>(base: &Path, below: &'a str) -> Result<(OwnedFd, &'a str), Fault> {
    let unsaid = |path: &Path, problem: &Problem| fault(path, problem);
    std::fs::create_dir_all(base).map_err(|error| unsaid(base, &Problem::System(error)))?;
    let mut folder =
        open_folder(CWD, base, Links::Follow).map_err(|problem| unsaid(base, &problem))?;
    let (parents, name) = below.rsplit_once('/').unwrap_or(("", below));
    let mut place = base.to_path_buf();
    for part in parents.split('/').filter(|part| !part.is_empty()) {
        place.push(part);
        match mkdirat(&folder, part, Mode::from_raw_mode(0o777)) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(error) => return Err(unsaid(&place, &error.into())),
        }
        folder = open_folder(&folder, part, Links::Refuse)
            .map_err(|problem| unsaid(&place, &problem))?;
    }
    Ok((folder, name))
}

/// Writes the text under a name that begins with a dot; such a file is no script.
fn temporary(folder: impl AsFd, draft: Draft<'_>) -> Result<String, Problem> {
    let name = format!(".{}.tmp", draft.id);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let mut file = File::from(openat(&folder, &name, flags, Mode::from_raw_mode(0o666))?);
    let written = file
        .write_all(draft.text.as_bytes())
        .and_then(|()| file.sync_all());
    written.map(|()| name.clone()).map_err(|error| {
        let _ = unlinkat(&folder, &name, AtFlags::empty());
        Problem::System(error)
    })
}

fn fault(path: &Path, problem: &Problem) -> Fault {
    let shown = escape(&path.to_string_lossy());
    let why = match problem {
        Problem::System(error) => format!("cannot be written: {error}"),
        other => other.why(),
    };
    Fault::new(Code::Output, format!("`{shown}` {why}"))
        .with_help("the folder must be yours, writable, and no link; nothing was written")
}

#[cfg(test)]
mod tests;
