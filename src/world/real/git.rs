//! Questions to git: fixed verbs, and none that runs what the repository chose.
//!
//! INVARIANT: `rev-parse`, `symbolic-ref`, `ls-files`, `ls-tree`, `cat-file -t`, `merge-base`
//! and `config --list` are the only verbs inside of a repository; `ls-remote` is asked outside
//! of every repository ([`remote`]). Each gets options that silence hooks, monitors and
//! transports, an environment without any other `GIT_` variable, and a work tree that the
//! configuration cannot move. What git refuses (a foreign owner, a broken repository) is a
//! failure, never a clean answer. History is read from the objects themselves: replacements,
//! grafts and the commit graph, which somebody could have written, are left aside.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::gitdir::{self, Repository};
use super::lookup::{Found, Lookup};
use super::path::Roots;
use super::process::{self, Ended, Launch};
use super::{command, decoded, fault};
use crate::model::text::short;
use crate::world::{Answer, Environment, Failure, GitAsk, name};

mod config;
mod history;
mod remote;
mod state;

/// Most bytes that git may print.
const LONGEST: u64 = 64 * 1024 * 1024;

const OPTIONS: [&str; 16] = [
    "--no-pager",
    "--no-optional-locks",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "protocol.allow=never",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.quotePath=false",
    "-c",
    "core.commitGraph=false",
];

/// A list of allowed protocols in the environment stands above every `protocol.*.allow` of the
/// repository (git(1), `GIT_ALLOW_PROTOCOL`).
const VARIABLES: [(&str, &str); 9] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_GRAFT_FILE", "/dev/null"),
    ("LC_ALL", "C"),
];

/// How git is asked.
pub struct Git<'a> {
    /// The granted roots.
    pub roots: &'a Roots,
    /// Where git is looked up.
    pub lookup: &'a Lookup,
    /// The environment that it gets, but for its own variables.
    pub environment: &'a Environment,
    /// When to end it.
    pub until: Instant,
}

impl Git<'_> {
    /// Answers one question about the repository around a folder.
    ///
    /// # Errors
    /// The answer to give instead.
    pub fn ask(&self, ask: &GitAsk, root: &str) -> Result<Answer, Answer> {
        if !self.roots.look(root)?.is_dir() {
            return Err(fault::wrong_kind(root, "something else", "a folder"));
        }
        let real = decoded(root)?.canonicalize();
        let real = real.map_err(|error| fault::io_answer(&error, root))?;
        let Some(repository) = gitdir::find(&real)? else {
            return Ok(Answer::Missing);
        };
        let asked = Asked {
            git: self,
            repository,
            root,
        };
        Ok(match ask {
            GitAsk::Head => Answer::Text(asked.head()?),
            GitAsk::Tree => Answer::Text(asked.tree()?),
            GitAsk::Interrupted => Answer::Text(gitdir::interrupted(&asked.repository)?.to_owned()),
            GitAsk::Remotes => data(asked.config()?.remotes()),
            GitAsk::Upstream => data(asked.upstream()?),
            GitAsk::Commit { name } => asked.commit(name)?.map_or(Answer::Missing, Answer::Text),
            GitAsk::Shallow => data(asked.shallow()?),
            GitAsk::Contains { commit, tip } => data(asked.contains(commit, tip)?),
            GitAsk::Gitlinks { commit } => data(asked.gitlinks(commit)?),
            GitAsk::RemoteTip { remote, reference } => data(asked.remote_tip(remote, reference)?),
        })
    }

    fn program(&self) -> Result<PathBuf, Answer> {
        match self.lookup.find("git")? {
            Found::Program(program) => Ok(program),
            Found::NotExecutable(_) | Found::Nothing => {
                let why = "`git` is not found on PATH, but this is a git repository";
                Err(Answer::failed(Failure::Spawn, why))
            }
        }
    }

    fn environment(&self) -> Environment {
        let given = self.environment.iter();
        let given = given.filter(|(key, _)| !name::bytes(key).starts_with(b"GIT_"));
        let mut environment: Environment = given
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let own = VARIABLES.map(|(key, value)| (OsString::from(key), OsString::from(value)));
        environment.extend(own);
        environment
    }
}

struct Asked<'a> {
    git: &'a Git<'a>,
    repository: Repository,
    root: &'a str,
}

impl Asked<'_> {
    fn run(&self, verb: &[&str]) -> Result<Ended, Answer> {
        let program = self.git.program()?;
        let (_open, folder) = command::enter(self.git.roots, self.root)?;
        let mut work_tree = OsString::from("--work-tree=");
        work_tree.push(&self.repository.top);
        let mut arguments: Vec<&OsStr> = OPTIONS.iter().map(OsStr::new).collect();
        arguments.push(&work_tree);
        arguments.extend(verb.iter().map(OsStr::new));
        let launch = Launch {
            program: &program,
            arguments,
            folder: &folder,
            environment: &self.git.environment(),
            limit: LONGEST,
        };
        process::run(&launch, self.git.until)
    }

    /// The output of a verb that must succeed.
    fn output(&self, verb: &[&str]) -> Result<Vec<u8>, Answer> {
        let ended = self.run(verb)?;
        match ended.status {
            0 => Ok(ended.stdout),
            _ => Err(Self::refused(&ended)),
        }
    }

    fn line(ended: &Ended, what: &str) -> Result<String, Answer> {
        let text = str::from_utf8(&ended.stdout).map(str::trim_end);
        match text {
            Ok(line) if !line.is_empty() && !line.contains('\n') => Ok(line.to_owned()),
            _ => {
                let why = format!("git did not print {what} as one line of text");
                Err(Answer::failed(Failure::Io, why))
            }
        }
    }

    fn refused(ended: &Ended) -> Answer {
        let said = String::from_utf8_lossy(&ended.stderr);
        let said = match said.trim() {
            "" => "it gave no reason",
            said => said,
        };
        let status = ended.status;
        let why = format!("git ended with code {status}: {}", short(said, 300));
        Answer::failed(Failure::Io, why)
    }
}

fn data(value: Value) -> Answer {
    Answer::Data(Arc::new(value))
}

fn failed(why: impl Into<String>) -> Answer {
    Answer::failed(Failure::Io, why)
}
