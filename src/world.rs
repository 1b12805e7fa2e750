//! The world port: everything that can be asked, as plain requests and answers.
//!
//! One trait, [`World`], stands between the scripts and the outside: the real world, a fixture
//! for `belegt test`, and a desk around either that checks grants, shares equal questions and
//! writes receipts. Requests and answers are plain serde data without script types, so that a
//! worker process can later ask through a pipe.
//!
//! INVARIANT: an answer never pretends. What could not be read is [`Answer::Failed`], what may
//! not be asked is [`Answer::Refused`]; only a look that reached its place is `Missing`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

pub mod address;
pub mod desk;
pub mod fixture;
pub mod git_ask;
pub mod grants;
pub mod name;
pub mod pattern;
pub mod real;
pub mod walk;

pub use git_ask::GitAsk;

/// A question to the world. Paths are absolute, in the lossless spelling of [`name`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "snake_case")]
pub enum Request {
    /// The bytes of a regular file, at most `limit`; a longer file is a failure, never cut.
    Read {
        /// The file.
        path: String,
        /// Largest size in bytes.
        limit: u64,
    },
    /// The entries of a folder (not its subfolders), sorted by name.
    List {
        /// The folder.
        path: String,
    },
    /// The first `head` bytes of every regular file of a folder whose name ends with `suffix`
    /// and does not begin with a dot, sorted by name.
    Heads {
        /// The folder.
        path: String,
        /// How a name ends; empty for all.
        suffix: String,
        /// How many bytes of each file.
        head: u64,
    },
    /// What stands at a path: kind, size, time. Never opens it.
    Stat {
        /// The place.
        path: String,
    },
    /// The paths below `root` that match a glob pattern (`**` descends), sorted.
    Glob {
        /// The folder from which the pattern counts.
        root: String,
        /// The pattern, relative to the root.
        pattern: String,
    },
    /// Run a command without a shell, stdin empty, and collect what it prints.
    Run {
        /// The command and its arguments.
        argv: Vec<String>,
        /// The folder in which it runs.
        cwd: String,
        /// Largest number of bytes of each output stream; more is a failure.
        limit: u64,
    },
    /// Where a command is found on PATH, without running it.
    Which {
        /// The bare name of the command.
        command: String,
    },
    /// The value of a granted environment variable.
    Env {
        /// The name of the variable.
        name: String,
    },
    /// A question about the git repository around a folder.
    Git {
        /// What is asked.
        ask: GitAsk,
        /// A folder inside the repository.
        root: String,
    },
    /// A process of this machine: when it started, its state, its name; missing if there is
    /// none of that number now.
    Process {
        /// Its number, as the system calls take it.
        pid: u32,
    },
    /// The machine's own boot, and the PID namespace in which process numbers count.
    Machine,
    /// A look at the ledger's view of this run; the kernel answers it.
    Ledger {
        /// What is asked: `notes`, `runs`, `baseline`, `settled ID`, `gate ID`.
        ask: String,
    },
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The bytes of a file.
    Bytes(Arc<Vec<u8>>),
    /// The entries of a folder, or the matches of a glob.
    Entries(Arc<Vec<Entry>>),
    /// The heads of a folder's files.
    Heads(Arc<Vec<Head>>),
    /// What stands at a path.
    Meta(Meta),
    /// A command ended by itself.
    Ran(Arc<Ran>),
    /// A plain text: a path, a variable, a commit.
    Text(String),
    /// Structured data: of the ledger, of git, of a process.
    Data(Arc<serde_json::Value>),
    /// The place was reached and nothing is there: no such file, command, variable.
    Missing,
    /// Not granted; says what is not, and what a person could grant.
    Refused {
        /// What is not granted.
        why: String,
        /// What a person can do.
        help: String,
    },
    /// The question could not be answered.
    Failed {
        /// Which kind of failure.
        kind: Failure,
        /// What happened, for a person.
        why: String,
    },
}

/// Why a question could not be answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// No permission.
    Permission,
    /// Something else stands there: a folder, a FIFO, a device, a link out of the roots.
    WrongKind,
    /// Larger than the limit, or more entries than the limit.
    TooLarge,
    /// The deadline passed; a command and its whole group were ended.
    Deadline,
    /// A command was ended by a signal.
    Signal,
    /// A command could not be started.
    Spawn,
    /// It changed while it was read.
    Changed,
    /// Anything else that the system reported.
    Io,
}

/// One entry of a folder, or one match of a glob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// The name in the lossless spelling of [`name`].
    pub name: String,
    /// The whole path in the same spelling.
    pub path: String,
    /// What it is; links are not followed here.
    pub kind: Kind,
}

/// The head of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The name in the lossless spelling of [`name`].
    pub name: String,
    /// The whole path in the same spelling.
    pub path: String,
    /// The first bytes, or why they could not be read.
    pub bytes: Result<Vec<u8>, String>,
    /// The whole size in bytes.
    pub size: u64,
}

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A FIFO, socket or device.
    Special,
}

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// What it is, links followed inside the roots.
    pub kind: Kind,
    /// Size in bytes.
    pub size: u64,
    /// Time of last change: nanoseconds since the epoch, negative before it.
    pub mtime: i64,
}

/// How a command ended by itself, and what it printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// The exit code.
    pub status: i32,
    /// The bytes of standard output.
    pub stdout: Vec<u8>,
    /// The bytes of standard error.
    pub stderr: Vec<u8>,
    /// The absolute path of the program that ran.
    pub program: String,
}

impl Answer {
    /// A failure with its kind and reason.
    pub fn failed(kind: Failure, why: impl Into<String>) -> Self {
        Answer::Failed {
            kind,
            why: why.into(),
        }
    }
}

/// The one trait through which every look goes.
pub trait World: Send + Sync {
    /// Answers one question before the deadline, or says why not.
    fn ask(&self, request: &Request, until: Instant) -> Answer;
}

/// Environment variables, as an argument: only the settings layer looks at the real ones.
pub type Environment = BTreeMap<std::ffi::OsString, std::ffi::OsString>;
