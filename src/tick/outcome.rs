//! What a tick came to, as plain data: one value feeds the line, the report, the JSON and the
//! ledger, so that they cannot disagree.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use crate::model::item::{Item, SettledAs, Sort};
use crate::model::moment::Moment;
use crate::model::signal::Signal;
use crate::model::status::Status;

use crate::ask::CallRecord;

/// One source role.
#[derive(Debug, Clone, Serialize)]
pub struct RoleReport {
    /// The role.
    pub name: String,
    /// What it answered.
    pub status: Status,
    /// Why.
    pub why: String,
    /// What a person can do about it, if it is unavailable.
    pub help: Option<String>,
    /// The way by which it was located.
    pub way: Option<String>,
    /// The place.
    pub at: Option<String>,
    /// Whether its content was read in this tick.
    pub read: bool,
}

/// One work probe.
#[derive(Debug, Clone, Serialize)]
pub struct WorkReport {
    /// `work.<name>`.
    pub name: String,
    /// What it answered.
    pub status: Status,
    /// Why.
    pub why: String,
    /// What a person can do about it, if it is unavailable.
    pub help: Option<String>,
}

/// An item with its place in the order of things.
#[derive(Debug, Clone)]
pub struct Sorted {
    /// `source:id`.
    pub key: String,
    /// The role, or `work.<name>`.
    pub source: String,
    /// The item.
    pub item: Item,
    /// Digest of what the item says.
    pub digest: String,
    /// Where it was sorted.
    pub sort: Sort,
    /// Why.
    pub why: String,
    /// What sorted it: the row of the rule by `script:line`, the line of the rule's function, or
    /// the kernel and its reason.
    pub sorted_by: Arc<str>,
    /// The script whose line made it; empty for an item of the kernel.
    pub source_script: Arc<str>,
    /// The line that made it, counted from 1; 0 for an item of the kernel.
    pub line: usize,
    /// Whether it ends where it lives.
    pub lasting: bool,
    /// How often it was handed out without change, this time included.
    pub handed_out: u32,
    /// Under a lock that only the person lifts.
    pub locked: bool,
    /// An inbox that does not move although it is handed out.
    pub stalled: bool,
    /// When time alone changes it: seconds since the epoch.
    pub due: Option<i64>,
}

impl Sorted {
    /// `script:line`, where the item was made; nothing for an item of the kernel.
    pub fn made_at(&self) -> Option<String> {
        (self.line > 0).then(|| format!("{}:{}", self.source_script, self.line))
    }

    /// Whether this is an entry of the inbox that nothing may silence: no rule, no brake, only
    /// the person's lock.
    pub fn waits_in_inbox(&self) -> bool {
        self.source == "work.intake" && self.item.kind.starts_with("intake.") && !self.locked
    }
}

/// News that a run rests on without handing it out again.
#[derive(Debug, Clone, Serialize)]
pub struct Rested {
    /// `source:id`.
    pub key: String,
    /// How it was settled.
    pub how: SettledAs,
    /// Who.
    pub by: String,
}

/// How the tick came to its verdict.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Decision {
    /// `the guard`, `the kernel`, or the rule's line that confirmed the kernel's finding.
    pub by: String,
    /// Why, in words.
    pub why: String,
    /// What the kernel found: `continue`, `exhausted`, `blind`, `user-only`; nothing where the
    /// guard spared the chain.
    pub kernel: String,
    /// The facts that it rests on.
    pub facts: Facts,
}

/// What the kernel judged.
#[derive(Debug, Clone, Serialize, Default)]
pub struct Facts {
    /// `absent`, `closed`, `open` or `unreadable`.
    pub inbox: String,
    /// Open work items.
    pub open_work: usize,
    /// Items that wait for the user, unclear ones included.
    pub user_items: usize,
    /// How many roles answered, each with `empty`.
    pub empty_roles: usize,
    /// Everything that was unavailable, by name.
    pub unavailable: Vec<String>,
}

/// What the guard said.
#[derive(Debug, Clone, Serialize, Default)]
pub struct GuardReport {
    /// Whether it was asked.
    pub asked: bool,
    /// Whether it holds.
    pub holds: bool,
    /// Why or why not.
    pub why: String,
    /// The fingerprint of this tick, if it was taken.
    pub fingerprint: Option<String>,
    /// The interval in seconds.
    pub interval: u64,
}

/// Something that is unavailable.
#[derive(Debug, Clone, Serialize)]
pub struct Unavailable {
    /// The name as it stands in the line.
    pub name: String,
    /// Why.
    pub why: String,
    /// What a person can do.
    pub help: Option<String>,
}

/// The result of a tick.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// The line.
    pub signal: Signal,
    /// The roles in chain order.
    pub roles: Vec<RoleReport>,
    /// The work probes that were asked.
    pub work: Vec<WorkReport>,
    /// Open work, the most urgent first.
    pub items: Vec<Sorted>,
    /// What waits for the user, unclear things included.
    pub bundle: Vec<Sorted>,
    /// Known, counted, in nobody's way.
    pub rest: Vec<Sorted>,
    /// News that were settled.
    pub settled: Vec<Rested>,
    /// What became of gates.
    pub gates: super::gates::Report,
    /// What the guard said.
    pub guard: GuardReport,
    /// How the verdict came about.
    pub decision: Decision,
    /// Everything that is unavailable, in the order of the line.
    pub unavailable: Vec<Unavailable>,
    /// When time alone next changes something.
    pub next_check_at: Option<Moment>,
    /// Digest of the bundle.
    pub bundle_digest: String,
    /// Whether the bundle differs from the one that was last printed.
    pub bundle_changed: bool,
    /// The person's lock in the root, if there is one.
    pub paused_by: Option<String>,
    /// What was called.
    pub calls: Vec<CallRecord>,
    /// What each role is, for reports.
    pub about: std::collections::BTreeMap<String, std::collections::BTreeMap<String, String>>,
    /// The body of the tick event.
    pub body: Value,
}
