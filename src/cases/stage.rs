//! The stage of one case: a fixture world behind a desk, a given moment, a view of the ledger.
//!
//! INVARIANT: what runs on it reaches nothing outside, and knows no other time than its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::ask::Asking;
use crate::ledger::state::State;
use crate::script::coverage::Coverage;
use crate::script::frame::Facts;
use crate::script::layers::Scripts;
use crate::tick::view_desk::ViewDesk;
use crate::world::desk::{Desk, Start};
use crate::world::fixture::Fixture;
use crate::world::grants::Grants;
use crate::world::{Answer, Failure, Request, World};

/// The project's root on every stage.
pub const ROOT: &str = "/project";
/// The home on every stage.
pub const HOME: &str = "/home/demo";
/// How long one case may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// Everything that a script can learn.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The world.
    pub world: Fixture,
    /// Which questions it cannot answer, with the reason.
    pub fails: BTreeMap<String, String>,
    /// What scripts may ask it.
    pub grants: Grants,
    /// What `ctx` shows.
    pub facts: Facts,
    /// The site's settings by script path.
    pub settings: BTreeMap<String, Value>,
    /// The ledger's view, or why it cannot be read.
    pub state: Result<State, String>,
    /// What the ledger says of gates, by id.
    pub gates: BTreeMap<String, Value>,
}

impl Stage {
    /// The way to these scripts over this stage's world.
    pub fn asking(&self, scripts: &Arc<Scripts>, coverage: Option<&Arc<Coverage>>) -> Asking {
        let start = Start {
            moment: self.facts.now,
            instant: Instant::now(),
        };
        let gates = self.gates.clone();
        let ledger = match &self.state {
            Ok(state) => ViewDesk::new(state.clone()),
            Err(why) => ViewDesk::broken(why),
        };
        let ledger = ledger.with_gates(Box::new(move |id| Ok(gates.get(id).cloned())));
        let world = Failing {
            inner: self.world.clone(),
            fails: self.fails.clone(),
        };
        let desk = Desk::new(
            Arc::new(world),
            Arc::new(ledger),
            self.grants.clone(),
            start,
        );
        Asking {
            scripts: scripts.clone(),
            desk: Arc::new(desk),
            facts: self.facts.clone(),
            settings: self.settings.clone(),
            until: Instant::now() + DEADLINE,
            coverage: coverage.cloned(),
        }
    }
}

/// A world that cannot answer some questions.
struct Failing {
    inner: Fixture,
    fails: BTreeMap<String, String>,
}

impl World for Failing {
    fn ask(&self, request: &Request, until: Instant) -> Answer {
        match self.fails.get(word(request)) {
            Some(why) => Answer::failed(Failure::Io, why.clone()),
            None => self.inner.ask(request, until),
        }
    }
}

/// What a question is called in `fails`.
fn word(request: &Request) -> &'static str {
    match request {
        Request::Read { .. } => "read",
        Request::List { .. } => "list",
        Request::Heads { .. } => "heads",
        Request::Stat { .. } => "stat",
        Request::Glob { .. } => "glob",
        Request::Run { .. } => "run",
        Request::Which { .. } => "which",
        Request::Env { .. } => "env",
        Request::Git { .. } => "git",
        Request::Process { .. } => "process",
        Request::Machine => "machine",
        Request::Ledger { .. } => "ledger",
        Request::Clock => "clock",
    }
}

/// The words of `fails`.
pub const FAILS: &[&str] = &[
    "read", "list", "heads", "stat", "glob", "run", "which", "env", "git", "process", "machine",
];

/// An absolute path of a stage: below the home after `~/`, else below the root.
pub fn absolute(path: &str) -> String {
    match (path.strip_prefix("~/"), path.starts_with('/')) {
        (Some(rest), _) => format!("{HOME}/{rest}"),
        (None, true) => path.to_string(),
        (None, false) if path == "." => ROOT.to_string(),
        (None, false) => format!("{ROOT}/{path}"),
    }
}
