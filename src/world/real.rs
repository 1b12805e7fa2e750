//! The real world: files, commands, environment and git of this machine.
//!
//! INVARIANT: nothing is opened outside the roots, no program runs that was not asked for by
//! name, and every wait has a deadline. (A blocking read on a dead mount is the exception; it
//! needs a process that can be ended.)

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::{Answer, Environment, Failure, Request, World, name};

mod command;
mod fault;
mod files;
mod folder;
mod git;
mod gitdir;
mod globbing;
mod lookup;
mod path;
mod pipes;
mod process;
mod processes;
mod sweep;
mod tree;

/// What the real world is made of; everything that it would otherwise have to read itself.
#[derive(Debug, Clone, Default)]
pub struct RealSetup {
    /// The granted roots, absolute. Nothing below them is ever taken for a command on PATH.
    pub roots: Vec<PathBuf>,
    /// The environment that child processes get, and that scripts may ask for: already reduced.
    pub environment: Environment,
    /// The PATH along which commands are looked up.
    pub path: Option<OsString>,
}

/// The world as it is.
#[derive(Debug)]
pub struct RealWorld {
    roots: path::Roots,
    lookup: lookup::Lookup,
    environment: Environment,
}

impl RealWorld {
    /// A world with these roots; opens nothing yet.
    pub fn new(setup: RealSetup) -> Self {
        RealWorld {
            lookup: lookup::Lookup::new(setup.path, &setup.roots),
            roots: path::Roots::new(setup.roots),
            environment: setup.environment,
        }
    }

    fn variable(&self, variable: &str) -> Answer {
        match self.environment.get(&OsString::from(variable)) {
            Some(value) => Answer::Text(name::encode(value)),
            None => Answer::Missing,
        }
    }
}

impl World for RealWorld {
    fn ask(&self, request: &Request, until: Instant) -> Answer {
        if Instant::now() >= until {
            return too_late();
        }
        let answer = match request {
            Request::Read { path, limit } => files::read(&self.roots, path, *limit),
            Request::Stat { path } => files::stat(&self.roots, path),
            Request::List { path } => folder::list(&self.roots, path, until),
            Request::Heads { path, suffix, head } => {
                folder::heads(&self.roots, (path, suffix), *head, until)
            }
            Request::Glob { root, pattern } => globbing::glob(&self.roots, (root, pattern), until),
            Request::Run { argv, cwd, limit } => {
                let setting = command::Setting {
                    roots: &self.roots,
                    lookup: &self.lookup,
                    environment: &self.environment,
                };
                command::run(&setting, (argv, cwd), *limit, until)
            }
            Request::Which { command } => self.lookup.which(command),
            Request::Env { name } => Ok(self.variable(name)),
            Request::Git { ask, root } => {
                let git = git::Git {
                    roots: &self.roots,
                    lookup: &self.lookup,
                    environment: &self.environment,
                    until,
                };
                git.ask(ask, root)
            }
            Request::Process { pid } => processes::info(*pid),
            Request::Machine => processes::machine(),
            Request::Ledger { .. } | Request::Clock => Ok(Answer::failed(
                Failure::Io,
                "the ledger and the clock of the run are not part of the real world",
            )),
        };
        answer.unwrap_or_else(|answer| answer)
    }
}

fn too_late() -> Answer {
    let why = "the deadline had passed before the question was asked";
    Answer::failed(Failure::Deadline, why)
}

/// The path that a spelling stands for.
///
/// # Errors
/// The answer for a name that no file can have.
fn decoded(path: &str) -> Result<PathBuf, Answer> {
    let path = PathBuf::from(name::decode(path));
    if name::bytes(path.as_os_str()).contains(&0) {
        let why = "a path cannot hold a NUL byte";
        return Err(Answer::failed(Failure::Io, why));
    }
    Ok(path)
}

/// The spelling of a path.
fn spelled(path: &Path) -> String {
    name::encode(path.as_os_str())
}
