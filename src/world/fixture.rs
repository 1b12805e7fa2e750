//! A world made of data, for `belegt test` and for the tests of everything above.
//!
//! Files stand at absolute paths in the spelling of [`name`](super::name); their parents exist
//! by implication. A string in place of a [`FileCase`] is a text file.
//!
//! INVARIANT: it reaches nothing outside. What no case names is `Missing` for files and a
//! failure for commands, since a script under test would otherwise learn a fact from a gap.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{Answer, Failure, Request, World};

mod commands;
mod file_case;
mod files;
mod git;
mod processes;

pub use commands::{CommandCase, Outcome};
pub use file_case::{Content, FileCase};
pub use git::{GitCase, RemoteCase, UpstreamCase};
pub use processes::{MachineCase, ProcessCase};

/// The whole world of one test.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fixture {
    /// What stands at which absolute path.
    pub files: BTreeMap<String, FileCase>,
    /// What commands do. An exact command line comes before a prefix, a longer prefix before a
    /// shorter one.
    pub commands: Vec<CommandCase>,
    /// The environment variables.
    pub environment: BTreeMap<String, String>,
    /// Repositories by the top folder of their work tree.
    pub git: BTreeMap<String, GitCase>,
    /// The processes by number.
    pub processes: BTreeMap<u32, ProcessCase>,
    /// The machine.
    pub machine: MachineCase,
}

impl World for Fixture {
    fn ask(&self, request: &Request, until: Instant) -> Answer {
        if Instant::now() >= until {
            return late();
        }
        let answer = match request {
            Request::Read { .. }
            | Request::List { .. }
            | Request::Heads { .. }
            | Request::Stat { .. }
            | Request::Glob { .. } => files::Files { all: &self.files }.ask(request, until),
            Request::Run { argv, limit, .. } => commands::run(&self.commands, argv, *limit, until),
            Request::Which { command } => Ok(commands::which(&self.commands, command)),
            Request::Env { name } => Ok(match self.environment.get(name) {
                Some(value) => Answer::Text(value.clone()),
                None => Answer::Missing,
            }),
            Request::Git { ask, root } => Ok(self.git(ask, root)),
            Request::Process { pid } => Ok(processes::info(&self.processes, *pid)),
            Request::Machine => Ok(self.machine.answer()),
            Request::Ledger { .. } => {
                let why = "the ledger is not part of the fixture world";
                Ok(Answer::failed(Failure::Io, why))
            }
        };
        answer.unwrap_or_else(|answer| answer)
    }
}

impl Fixture {
    fn git(&self, ask: &super::GitAsk, root: &str) -> Answer {
        let around = self
            .git
            .iter()
            .filter(|(top, _)| std::path::Path::new(root).starts_with(top));
        match around.max_by_key(|(top, _)| top.len()) {
            Some((_, case)) => case.answer(ask),
            None => Answer::Missing,
        }
    }
}

/// Waits as long as a case says.
///
/// # Errors
/// The answer if the deadline comes first.
fn delay(milliseconds: u64, until: Instant) -> Result<(), Answer> {
    let wanted = Duration::from_millis(milliseconds);
    let left = until.saturating_duration_since(Instant::now());
    std::thread::sleep(wanted.min(left));
    if wanted > left { Err(late()) } else { Ok(()) }
}

fn late() -> Answer {
    Answer::failed(
        Failure::Deadline,
        "the deadline passed in the fixture world",
    )
}

#[cfg(test)]
mod tests;
