//! Commands that a script asked for: looked up, placed in their folder, run.
//!
//! INVARIANT: the words are given to the program as they are, there is no shell; the folder is
//! opened from the roots, and the program starts in the very folder that was opened.

use std::ffi::OsStr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::lookup::{Found, Lookup};
use super::path::Roots;
use super::process::{self, Launch};
use super::spelled;
use crate::model::text::escape;
use crate::world::{Answer, Environment, Failure, Ran};

/// What every command gets.
pub struct Setting<'a> {
    /// The roots in which it may start.
    pub roots: &'a Roots,
    /// Where it is looked up.
    pub lookup: &'a Lookup,
    /// Its whole environment.
    pub environment: &'a Environment,
}

/// Runs a command line in a folder.
///
/// # Errors
/// The answer to give instead.
pub fn run(
    setting: &Setting<'_>,
    (argv, cwd): (&[String], &str),
    limit: u64,
    until: Instant,
) -> Result<Answer, Answer> {
    let Some((command, arguments)) = argv.split_first() else {
        let why = "an empty command line names no command";
        return Err(Answer::failed(Failure::Spawn, why));
    };
    let shown = escape(command);
    if argv.iter().any(|word| word.contains('\0')) {
        let why = format!("a word of the command line of `{shown}` holds a NUL byte");
        return Err(Answer::failed(Failure::Spawn, why));
    }
    let program = match setting.lookup.find(command)? {
        Found::Program(program) => program,
        Found::Nothing => return Err(Answer::Missing),
        Found::NotExecutable(file) => {
            let why = format!("`{}` is not an executable file", escape(&spelled(&file)));
            return Err(Answer::failed(Failure::Spawn, why));
        }
    };
    let (_open, folder) = enter(setting.roots, cwd)?;
    let launch = Launch {
        program: &program,
        arguments: arguments.iter().map(OsStr::new).collect(),
        folder: &folder,
        environment: setting.environment,
        limit,
    };
    let ended = process::run(&launch, until)?;
    Ok(Answer::Ran(Arc::new(Ran {
        status: ended.status,
        stdout: ended.stdout,
        stderr: ended.stderr,
        program: spelled(&program),
    })))
}

/// The folder in which a command starts. The handle must live until it has started.
///
/// # Errors
/// The answer to give instead: a command that cannot start is [`Failure::Spawn`].
pub fn enter(roots: &Roots, cwd: &str) -> Result<(OwnedFd, PathBuf), Answer> {
    let open = roots.open_folder(cwd).map_err(|answer| match answer {
        Answer::Missing => {
            let why = format!("the folder `{}` is missing", escape(cwd));
            Answer::failed(Failure::Spawn, why)
        }
        other => other,
    })?;
    let path = if cfg!(target_os = "linux") {
        PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()))
    } else {
        super::decoded(cwd)?
    };
    Ok((open, path))
}
