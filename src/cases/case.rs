//! One case as it is written: a world in a few lines, and what must come out.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::model::item::SettledAs;
use crate::model::status::Status;
use crate::world::fixture::{FileCase, GitCase, MachineCase, ProcessCase};

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows, in one line.
    pub name: String,
    /// What it plays: the path of a script without `.rhai`, `gates`, or `tick` for a whole tick.
    #[serde(default)]
    pub script: String,
    /// The instant of the run, RFC 3339 with offset.
    pub at: String,
    /// The zone; that of the offset in `at` if none.
    #[serde(default)]
    pub zone: Option<String>,
    /// What stands where: a path below the root, below the home (`~/`), or absolute; a path that
    /// ends with `/` is a folder.
    #[serde(default)]
    pub files: BTreeMap<String, FileCase>,
    /// What commands print, by command line; ` ...` at its end stands for any further words.
    #[serde(default)]
    pub commands: BTreeMap<String, Says>,
    /// The environment variables; each is granted.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Repositories by their folder; `.` is the root.
    #[serde(default)]
    pub git: BTreeMap<String, GitCase>,
    /// Processes by number.
    #[serde(default)]
    pub processes: BTreeMap<String, ProcessCase>,
    /// The machine.
    #[serde(default)]
    pub machine: MachineCase,
    /// What cannot be answered, with the reason: `read`, `list`, `heads`, `stat`, `glob`, `run`,
    /// `which`, `git`, `process` or `machine`.
    #[serde(default)]
    pub fails: BTreeMap<String, String>,
    /// Further roots that are granted.
    #[serde(default)]
    pub roots: Vec<String>,
    /// The granted commands; the shipped ones and those that the case names if none.
    #[serde(default)]
    pub grants: Option<Vec<String>>,
    /// Commands and variables that are not granted after all.
    #[serde(default)]
    pub refused: Vec<String>,
    /// `ctx.settings`: what the site sets for this script; for `tick` and `gates` a map for each
    /// script, by its path.
    #[serde(default)]
    pub settings: Map<String, Value>,
    /// `ctx.site`.
    #[serde(default)]
    pub site: Map<String, Value>,
    /// `ctx.host`.
    #[serde(default)]
    pub host: Option<String>,
    /// `ctx.project`.
    #[serde(default)]
    pub project: Option<String>,
    /// `ctx.language`.
    #[serde(default)]
    pub language: Option<String>,
    /// `ctx.tests`.
    #[serde(default)]
    pub tests: Option<Vec<String>>,
    /// `ctx.baseline`, RFC 3339; seven days before `at` if none.
    #[serde(default)]
    pub baseline: Option<String>,
    /// The notes of the embedded memory: a text each.
    #[serde(default)]
    pub notes: Vec<String>,
    /// News and runs that were settled, by `source:id`.
    #[serde(default)]
    pub settled: BTreeMap<String, SettledCase>,
    /// Why the ledger cannot be read, if it cannot.
    #[serde(default)]
    pub ledger: Option<String>,
    /// What the ledger says of gates, by id.
    #[serde(default)]
    pub gates: BTreeMap<String, Value>,
    /// For a tick: roles that are declared absent, with the reason.
    #[serde(default)]
    pub absent: BTreeMap<String, String>,
    /// For a tick: effects that a policy allows.
    #[serde(default)]
    pub effects: Vec<String>,
    /// For proofs and `gates`: the text to recognise.
    #[serde(default)]
    pub text: Option<String>,
    /// For proofs: whether what was recognised is proven as well.
    #[serde(default)]
    pub prove: bool,
    /// For proofs: the gate to prove.
    #[serde(default)]
    pub gate: Option<Map<String, Value>>,
    /// For `rules/gate`: what the gate's conditions add up to: `found`, `empty`, `unavailable`.
    #[serde(default)]
    pub finding: Option<Status>,
    /// For a tick: the newest record of the chain.
    #[serde(default)]
    pub record: Option<RecordCase>,
    /// For `probes/proofs/consent`: what the person answered.
    #[serde(default)]
    pub reply: Option<String>,
    /// For `rules/autonomy`: the item to sort.
    #[serde(default)]
    pub item: Option<Map<String, Value>>,
    /// What must come out.
    pub expect: Map<String, Value>,
}

/// The newest record of the chain, on which the guard may rest.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordCase {
    /// `exhausted`, `blind`, `found` or `user-only`.
    pub result: String,
    /// When, RFC 3339.
    pub at: String,
    /// Whether anything changed since.
    #[serde(default)]
    pub changed: bool,
}

/// How an item was settled.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettledCase {
    /// `done`, `not-work` or `user`.
    pub how: SettledAs,
    /// When, RFC 3339.
    pub at: String,
    /// Digest of the item as it was then.
    #[serde(default)]
    pub digest: String,
    /// HEAD and the work tree at that moment.
    #[serde(default)]
    pub tree: String,
    /// Why.
    #[serde(default)]
    pub because: String,
    /// Who.
    #[serde(default)]
    pub by: String,
}

/// What a command does: a text is what it prints, with exit code 0.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Says {
    /// Standard output.
    Text(String),
    /// All that can be said.
    Whole(Whole),
}

/// What a command does, at length.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Whole {
    /// The exit code.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// It runs past every deadline.
    pub hangs: bool,
    /// There is no such command.
    pub missing: bool,
}
