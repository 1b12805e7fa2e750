//! The tick: look, judge, and say one thing that is true.
//!
//! ```text
//! rules -> intake -> work probes, gates -> guard (locate, situation) -> chain (read) -> verdict -> event
//! ```
//!
//! The tick takes a view of the ledger and gives an event back; it opens nothing, prints
//! nothing and reads no clock. Running order equals reading order in [`run`].
//!
//! INVARIANT: every failure on the way becomes `unavailable` under its own name. The verdict
//! comes from [`crate::model::verdict::kernel`]; a rule may only weaken it.

pub mod brake;
pub mod event;
pub mod fingerprint;
pub mod gates;
pub mod guard;
pub mod judge;
pub mod locks;
pub mod mirror;
pub mod outcome;
pub mod probe;
pub mod rules;
pub mod sort;
pub mod sources;
pub mod stages;
pub mod view_desk;

use std::sync::Arc;

use crate::ledger::View;
use crate::model::moment::Moment;

use crate::ask::Asking;
use outcome::Outcome;
use rules::Rules;

/// What a tick needs beside the world.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The instant of the run.
    pub now: Moment,
    /// The ledger's view, or why there is none.
    pub view: Result<Arc<View>, String>,
    /// The gates of the ledger.
    pub gates: gates::View,
    /// Why the ledger, although it can be read, cannot take this tick.
    pub write_fault: Option<String>,
    /// Why the settings are faulty, if they are.
    pub settings_fault: Option<String>,
    /// Digest of the effective settings.
    pub settings_digest: String,
    /// Roles that a person declared absent, with the reason.
    pub absent: std::collections::BTreeMap<String, String>,
    /// Effects that a policy allows.
    pub effects: std::collections::BTreeSet<String>,
    /// How often an item is handed out without change before it goes to the user.
    pub handed_out: u32,
    /// The interval that settings or a flag ask for.
    pub interval: Intervals,
    /// Whether the guard may be asked at all.
    pub use_guard: bool,
    /// Whether the blind line uses the English words.
    pub english: bool,
    /// The project under which usmc may hold a newer record, if the site mirrors.
    pub mirror: Option<String>,
}

/// Intervals of the guard from outside the rule.
#[derive(Debug, Clone, Copy, Default)]
pub struct Intervals {
    /// From the settings: replaces the rule's.
    pub settings: Option<std::time::Duration>,
    /// From a flag: may only shorten.
    pub flag: Option<std::time::Duration>,
}

/// Runs one tick.
pub fn run(asking: &Asking, frame: &Frame) -> Outcome {
    let rules = Rules::load(asking);
    let mut tick = stages::Tick::new(asking, frame, rules);
    tick.look_at_locks();
    tick.intake();
    if !tick.inbox_is_open() {
        tick.work();
        tick.gates();
        if !tick.has_open_work() && !tick.guard() {
            tick.chain();
        }
    }
    judge::conclude(tick)
}
