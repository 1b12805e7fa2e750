//! Looking commands up along PATH, and only where nobody can slip one in.
//!
//! INVARIANT: empty, relative and world-writable folders of PATH are skipped, and everything
//! that lies below the granted roots, by its own path or at the end of a link: with `.` or an
//! empty element on PATH a file of the project would run in place of a system command.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{fault, spelled};
use crate::model::text::escape;
use crate::world::{Answer, Failure};

/// Where commands are looked up.
#[derive(Debug)]
pub struct Lookup {
    path: Option<OsString>,
    roots: Vec<PathBuf>,
}

/// What a lookup found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A regular file that may be executed.
    Program(PathBuf),
    /// A file of that name that may not be executed.
    NotExecutable(PathBuf),
    /// No such file.
    Nothing,
}

impl Lookup {
    /// Looks along `path`, never below `roots`.
    pub fn new(path: Option<OsString>, roots: &[PathBuf]) -> Self {
        Lookup {
            path,
            roots: roots.to_vec(),
        }
    }

    /// Where a bare name is found.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn which(&self, command: &str) -> Result<Answer, Answer> {
        Ok(match self.find(command)? {
            Found::Program(program) => Answer::Text(spelled(&program)),
            Found::NotExecutable(_) | Found::Nothing => Answer::Missing,
        })
    }

    /// The program that a bare name or an absolute path stands for.
    ///
    /// # Errors
    /// The answer where this cannot be told: no PATH, a folder that cannot be searched.
    pub fn find(&self, command: &str) -> Result<Found, Answer> {
        if command.starts_with('/') {
            return probe(Path::new(command)).map_err(|error| fault::io_answer(&error, command));
        }
        if command.is_empty() || command.contains(['/', '\0']) || command == ".." {
            let shown = escape(command);
            let why = format!("`{shown}` is neither a bare name nor an absolute path");
            return Err(Answer::failed(Failure::Spawn, why));
        }
        let Some(path) = &self.path else {
            let why = format!("no PATH is set on which `{command}` could be found");
            return Err(Answer::failed(Failure::Io, why));
        };
        self.along(path, command)
    }

    fn along(&self, path: &OsStr, command: &str) -> Result<Found, Answer> {
        let roots = self.real_roots();
        let mut best = Found::Nothing;
        let mut closed = None;
        for folder in std::env::split_paths(path).filter(|folder| is_safe(folder)) {
            let place = folder.join(command);
            if below(&roots, &place) {
                continue;
            }
            match probe(&place) {
                Ok(Found::Program(program)) => return Ok(Found::Program(program)),
                Ok(Found::NotExecutable(file)) if best == Found::Nothing => {
                    best = Found::NotExecutable(file);
                }
                Ok(_) => {}
                Err(error) => closed = Some(fault::io_answer(&error, &spelled(&place))),
            }
        }
        match (best, closed) {
            (Found::Nothing, Some(answer)) => Err(answer),
            (best, _) => Ok(best),
        }
    }

    /// The folders of PATH in which nobody can slip a command in, for a program that looks
    /// commands up itself.
    pub fn safe_path(&self) -> OsString {
        let Some(path) = &self.path else {
            return OsString::new();
        };
        let roots = self.real_roots();
        let folders = std::env::split_paths(path);
        let safe = folders.filter(|folder| is_safe(folder) && !below(&roots, folder));
        // What was split can be joined.
        std::env::join_paths(safe).unwrap_or_default()
    }

    /// The roots by name and as they really are.
    fn real_roots(&self) -> Vec<PathBuf> {
        let real = self
            .roots
            .iter()
            .filter_map(|root| root.canonicalize().ok());
        self.roots.iter().cloned().chain(real).collect()
    }
}

/// Whether a folder of PATH is absolute and not writable by everybody.
fn is_safe(folder: &Path) -> bool {
    const WRITABLE_BY_ALL: u32 = 0o002;
    folder.is_absolute()
        && std::fs::metadata(folder).map_or_else(
            // A folder that cannot be seen is asked, so that its error is told.
            |error| error.kind() == ErrorKind::PermissionDenied,
            |meta| meta.is_dir() && meta.permissions().mode() & WRITABLE_BY_ALL == 0,
        )
}

fn below(roots: &[PathBuf], place: &Path) -> bool {
    let real_file = place.canonicalize().ok();
    let real_folder = place.parent().and_then(|folder| folder.canonicalize().ok());
    roots.iter().any(|root| {
        place.starts_with(root)
            || real_file
                .as_ref()
                .is_some_and(|real| real.starts_with(root))
            || real_folder
                .as_ref()
                .is_some_and(|real| real.starts_with(root))
    })
}

/// What a file is as a program.
fn probe(place: &Path) -> std::io::Result<Found> {
    let meta = match std::fs::metadata(place) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Found::Nothing);
        }
        Err(error) => return Err(error),
    };
    let runs = meta.is_file()
        && meta.permissions().mode() & 0o111 != 0
        && access(place, Access::EXEC_OK).is_ok();
    let place = place.to_owned();
    Ok(if runs {
        Found::Program(place)
    } else {
        Found::NotExecutable(place)
    })
}
