//! The bodies of the kinds that change the projection, as they are written and read.
//!
//! Other keys may stand beside these; they are stored and not read here. A body that lacks a
//! key or has another type is refused when it is appended and damage when it is read.

use serde::{Deserialize, Serialize};

use crate::model::gate::{GateChange, GateSet};
use crate::model::item::SettledAs;

/// Kind of a tick that was judged.
pub const TICK_JUDGED: &str = "tick.judged";
/// Kind of news that were dealt with.
pub const NEWS_SETTLED: &str = "news.settled";
/// Kind of a note in the embedded memory.
pub const NOTE_ADDED: &str = "note.added";
/// Kind of one set of gates that was opened.
pub const GATE_OPENED: &str = "gate.opened";
/// Kind of gates that were met.
pub const GATE_MET: &str = "gate.met";
/// Kind of gates that are no longer needed.
pub const GATE_DROPPED: &str = "gate.dropped";
/// Kind of gates that are open again.
pub const GATE_REOPENED: &str = "gate.reopened";
/// Kind of a question to a person and the answer. It changes no projection.
pub const GATE_ANSWERED: &str = "gate.answered";
/// Kind of a command that was run behind its gates. It changes no projection.
pub const ACT_RAN: &str = "act.ran";

/// The body of `tick.judged`, as far as the projection reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TickJudged {
    /// Whether it is the first tick of this ledger, as far as the tick could see.
    pub first: bool,
    /// The line that was printed.
    pub signal: String,
    /// Digest of the user bundle.
    pub bundle_digest: String,
    /// What becomes of the guard's record; `None` leaves it.
    #[serde(default)]
    pub record: Option<RecordBody>,
    /// Keys of settled items that were away.
    #[serde(default)]
    pub lapsed: Vec<String>,
    /// Items that were handed out.
    #[serde(default)]
    pub handed: Vec<HandedBody>,
    /// Keys of items whose hand-outs are forgotten.
    #[serde(default)]
    pub unhanded: Vec<String>,
}

/// What becomes of the guard's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordBody {
    /// A hand-out broke it.
    Word(Broken),
    /// A chain run ended.
    Run {
        /// `exhausted`, `blind`, `found` or `user-only`.
        result: String,
        /// The fingerprint that was taken in this tick.
        fingerprint: String,
        /// When, RFC 3339 with zone offset.
        at: String,
    },
}

/// The word for a record that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Broken {
    /// The record is cleared.
    Broken,
}

/// An item that was handed out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandedBody {
    /// `source:id`.
    pub key: String,
    /// Digest of the item.
    pub digest: String,
    /// Digest of HEAD and the work tree.
    pub tree: String,
    /// How often, with both unchanged.
    pub count: u32,
}

/// The body of `news.settled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewsSettled {
    /// What was dealt with.
    pub items: Vec<SettledBody>,
    /// How.
    pub how: SettledAs,
    /// Why, in words.
    pub because: String,
    /// Digest of HEAD and the work tree, or empty.
    #[serde(default)]
    pub tree: String,
}

/// One item of `news.settled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettledBody {
    /// `source:id`.
    pub key: String,
    /// Digest of the item as it was then.
    pub digest: String,
}

/// The body of `note.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteAdded {
    /// The text.
    pub text: String,
}

/// The body of `gate.opened`: one set as it was made, all its gates open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateOpened {
    /// The set.
    pub set: GateSet,
}

/// The body of `gate.met`, `gate.dropped` and `gate.reopened`: what became of many gates. Every
/// change has to be of that kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GatesChanged {
    /// The changes, applied in this order.
    pub changes: Vec<GateChange>,
}

/// The body of `gate.answered`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateAnswered {
    /// Id of the gate.
    pub gate: String,
    /// What the person was asked.
    pub question: String,
    /// What the person said.
    pub answer: String,
    /// Whether that was the consent.
    pub accepted: bool,
}
