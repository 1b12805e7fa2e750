//! Gates: conditions that block a step until they are proven.
//!
//! One statement of the language becomes one [`GateSet`]: its gates, one for each condition, and
//! a tree of `/and` and `/or` over them. The set blocks one step. A gate is met only with
//! [`Evidence`]; what became of a set follows from its tree and the status of its gates alone.
//!
//! INVARIANT (L3): nothing here makes evidence. A gate changes only through [`GateSet::apply`],
//! with a change that the ledger stored.
//! INVARIANT (L9): a tree without gates is no proof; such a set is never met.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::receipt::Receipt;

pub mod step;
pub mod tree;

pub use tree::Tree;

/// The name of the method of a condition that no proof script recognises.
pub const NO_METHOD: &str = "none";

/// What an unmet gate does to its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The step waits.
    Wait,
    /// The step is forbidden.
    Only,
}

impl Mode {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Wait => "wait",
            Mode::Only => "only",
        }
    }
}

/// What became of a gate, or of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateStatus {
    /// Not proven yet.
    Open,
    /// Proven; the evidence stands beside it.
    Met,
    /// No longer needed, with a reason. It proves nothing.
    Dropped,
}

impl GateStatus {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            GateStatus::Open => "open",
            GateStatus::Met => "met",
            GateStatus::Dropped => "dropped",
        }
    }
}

/// How strong a piece of evidence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Looked at by the host in the run.
    Measured,
    /// The worker's own mark, such as the folder of its ticket. Not enough for `only`.
    Reported,
    /// A person at the terminal said so.
    Consent,
}

/// Why a gate counts as met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// The proof method.
    pub method: String,
    /// The checkable sentence that was proven.
    pub sentence: String,
    /// How strong it is.
    pub class: Class,
    /// The looks that it rests on; for consent the question and the answer stand in `why`.
    pub receipts: Vec<Receipt>,
    /// What the script (or the person) said.
    pub why: String,
    /// The script that said it, with its layer; empty for consent.
    pub script: String,
    /// SHA-256 of the script; empty for consent.
    pub digest: String,
    /// The line that made the answer; 0 for consent.
    pub line: usize,
    /// The run in which it was proven.
    pub run: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
}

impl Evidence {
    /// Whether there is something behind it: a look, or a person's answer.
    pub fn holds(&self) -> bool {
        match self.class {
            Class::Consent => !self.why.is_empty(),
            Class::Measured | Class::Reported => !self.receipts.is_empty(),
        }
    }
}

/// One condition of a set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// `SET` if it is the only one of its set, else `SET.NUMBER`.
    pub id: String,
    /// The condition as it was written.
    pub condition: String,
    /// The condition as one checkable sentence.
    pub sentence: String,
    /// The proof method, or [`NO_METHOD`].
    pub proof_method: String,
    /// What the method needs in order to prove it, as `recognise` gave it.
    pub params: Value,
    /// What became of it.
    pub status: GateStatus,
    /// The number that it bore in its document.
    pub label: Option<u32>,
    /// Before this instant it cannot be met, and time alone decides: seconds since the epoch.
    pub due: Option<i64>,
    /// Why it is met; the newest proof.
    pub evidence: Option<Evidence>,
    /// Why it was dropped, or opened again.
    pub because: Option<String>,
}

/// One statement of the language, as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateSet {
    /// `g` and twelve hex digits; random, so that two clones never make the same.
    pub id: String,
    /// The word of the language: `/if-only`.
    pub word: String,
    /// What it does to its step while it is not met.
    pub mode: Mode,
    /// The step that it blocks, as it was written.
    pub blocks: String,
    /// [`step::key`] of the step.
    pub key: String,
    /// The statement in its normal spelling; a statement of the same source is the same set.
    pub source: String,
    /// The same with every relative time made absolute: how other documents carry it.
    #[serde(default)]
    pub carried: String,
    /// When it was opened, RFC 3339 with zone offset.
    pub created_at: String,
    /// Who opened it.
    pub by: String,
    /// Its place among the sets that were opened with it, counted from 0.
    pub order: u32,
    /// How its gates add up.
    pub tree: Tree,
    /// Its gates, in the order of the text.
    pub gates: Vec<Gate>,
    /// What was said when it was opened, such as the stricter reading.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// When a set has to be looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// In every check: a gate of it can be met at any time.
    Always,
    /// Not before this instant, in seconds since the epoch.
    At(i64),
    /// Never: it is met or dropped.
    Never,
}

/// A change of one gate, as events say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateChange {
    /// The set.
    pub set: String,
    /// The gate.
    pub gate: String,
    /// What becomes of it.
    pub to: Becomes,
}

/// What becomes of a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Becomes {
    /// It is met, with this evidence; also a newer proof of a met gate.
    Met(Box<Evidence>),
    /// It is no longer needed, for this reason.
    Dropped(String),
    /// It is open again, for this reason: its evidence was too old and could not be renewed.
    Open(String),
}

impl GateSet {
    /// What became of the whole set.
    pub fn status(&self) -> GateStatus {
        self.tree.status(&|id| {
            let gate = self.gate(id);
            // A gate that the tree names and the set lacks is never met.
            gate.map_or(GateStatus::Open, |gate| gate.status)
        })
    }

    /// The gate of this id.
    pub fn gate(&self, id: &str) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.id == id)
    }

    /// The open gates.
    pub fn open(&self) -> impl Iterator<Item = &Gate> {
        self.gates
            .iter()
            .filter(|gate| gate.status == GateStatus::Open)
    }

    /// When it has to be looked at again.
    pub fn wake(&self) -> Wake {
        if self.status() != GateStatus::Open {
            return Wake::Never;
        }
        let wakes = self
            .open()
            .map(|gate| gate.due.map_or(Wake::Always, Wake::At));
        wakes.min().unwrap_or(Wake::Never)
    }

    /// The open gates that no longer decide anything: alternatives of what is met.
    pub fn superfluous(&self) -> Vec<String> {
        let status = |id: &str| self.gate(id).map_or(GateStatus::Open, |gate| gate.status);
        let mut needed = BTreeSet::new();
        self.tree.needed(&status, &mut needed);
        let idle = self.open().map(|gate| gate.id.clone());
        idle.filter(|id| !needed.contains(id)).collect()
    }

    /// Applies one stored change. A change of a gate that is not here changes nothing.
    pub fn apply(&mut self, gate: &str, to: Becomes) {
        let Some(gate) = self.gates.iter_mut().find(|known| known.id == gate) else {
            return;
        };
        match to {
            Becomes::Met(evidence) => {
                gate.status = GateStatus::Met;
                gate.evidence = Some(*evidence);
                gate.because = None;
            }
            Becomes::Dropped(because) => {
                gate.status = GateStatus::Dropped;
                gate.because = Some(because);
            }
            Becomes::Open(because) => {
                gate.status = GateStatus::Open;
                gate.because = Some(because);
            }
        }
    }
}
