//! Questions to git: fixed verbs, and none that runs what the repository chose.
//!
//! INVARIANT: `rev-parse`, `symbolic-ref` and `ls-files` are the only verbs. Each gets options
//! that silence hooks, monitors and transports, an environment without any other `GIT_`
//! variable, and a work tree that the configuration cannot move. What git refuses (a foreign
//! owner, a broken repository) is a failure, never a clean answer.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Instant;

use super::gitdir::{self, Repository};
use super::lookup::{Found, Lookup};
use super::path::Roots;
use super::process::{self, Ended, Launch};
use super::{command, decoded, fault, tree};
use crate::model::text::short;
use crate::world::{Answer, Environment, Failure, GitAsk, name};

/// Most bytes that git may print.
const LONGEST: u64 = 64 * 1024 * 1024;

const OPTIONS: [&str; 14] = [
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
];

const VARIABLES: [(&str, &str); 6] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
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
    pub fn ask(&self, ask: GitAsk, root: &str) -> Result<Answer, Answer> {
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
        let text = match ask {
            GitAsk::Head => asked.head()?,
            GitAsk::Tree => asked.tree()?,
            GitAsk::Interrupted => gitdir::interrupted(&asked.repository)?.to_owned(),
        };
        Ok(Answer::Text(text))
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
    fn head(&self) -> Result<String, Answer> {
        const UNBORN: i32 = 1;
        let ended = self.run(&["rev-parse", "--verify", "-q", "HEAD"])?;
        match ended.status {
            0 => Self::line(&ended, "the commit of HEAD"),
            UNBORN if self.is_unborn()? => Ok(String::new()),
            _ => Err(Self::refused(&ended)),
        }
    }

    /// Whether HEAD names a branch that does not exist yet, rather than a broken one.
    fn is_unborn(&self) -> Result<bool, Answer> {
        let ended = self.run(&["symbolic-ref", "-q", "HEAD"])?;
        if ended.status != 0 {
            return Ok(false);
        }
        let branch = Self::line(&ended, "the branch of HEAD")?;
        let ended = self.run(&["rev-parse", "--git-path", &branch])?;
        if ended.status != 0 {
            return Ok(false);
        }
        let place = Self::line(&ended, "the place of a branch")?;
        let place = decoded(self.root)?.join(place);
        match std::fs::symlink_metadata(&place) {
            Ok(meta) => Ok(meta.is_dir()),
            Err(error) => Ok(matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            )),
        }
    }

    fn tree(&self) -> Result<String, Answer> {
        let verb = [
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ];
        let ended = self.run(&verb)?;
        if ended.status != 0 {
            return Err(Self::refused(&ended));
        }
        let folder = self.git.roots.open_folder(self.root)?;
        tree::digest(&folder, &ended.stdout, (self.root, self.git.until))
    }

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
