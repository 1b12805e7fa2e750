//! The projection: what the events add up to, and the only way it changes.
//!
//! [`changes`] reads one event and nothing else, so that a table store and the in-memory model
//! apply the very same steps. Projections are rebuilt when [`NUMBER`] changes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::model::item::SettledAs;

use super::event::Event;

/// Raised whenever [`changes`] or [`State`] changes its meaning.
pub const NUMBER: u32 = 1;

/// What the events add up to. Keys of items are `source:id`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Time of the first tick, RFC 3339 with zone offset.
    pub first_tick: Option<String>,
    /// The newest result of a chain run, if no hand-out came after it.
    pub record: Option<Record>,
    /// Signal and digest of what the newest tick printed for the user.
    pub last: Option<Last>,
    /// News that were dealt with.
    pub settled: BTreeMap<String, Settled>,
    /// Items that were handed out as work, with how often.
    pub handed: BTreeMap<String, Handed>,
    /// Open notes by id.
    pub notes: BTreeMap<String, Note>,
}

/// The guard's record: the newest chain run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// `exhausted`, `blind`, `found` or `user-only`.
    pub result: String,
    /// The fingerprint that was taken in that tick.
    pub fingerprint: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Id of the tick event.
    pub tick: String,
}

/// What the newest tick said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Last {
    /// Id of the tick event.
    pub tick: String,
    /// The line it printed.
    pub signal: String,
    /// Digest of the user bundle, so that it is printed in full only when it changed.
    pub bundle: String,
}

/// How an item of news was dealt with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Digest of the item as it was then.
    pub digest: String,
    /// How.
    pub how: SettledAs,
    /// Why, in words.
    pub because: String,
    /// Who.
    pub by: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Digest of HEAD and the work tree at that moment, where the kernel took one.
    pub tree: String,
}

/// How often an item was handed out without change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Digest of the item.
    pub digest: String,
    /// Digest of HEAD and the work tree.
    pub tree: String,
    /// How often, with both unchanged.
    pub count: u32,
}

/// A note in the embedded memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The text.
    pub text: String,
    /// When, RFC 3339 with zone offset.
    pub at: String,
    /// Who.
    pub actor: String,
}

/// One step of the projection.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Set the single value of that name (`first_tick`, `record`, `last`), or clear it.
    Value(&'static str, Option<serde_json::Value>),
    /// Put a settled item.
    Settle(String, Settled),
    /// Forget that an item was settled: it was away.
    Lapse(String),
    /// Put the hand-out count of an item.
    Hand(String, Handed),
    /// Forget the hand-outs of an item.
    Unhand(String),
    /// Put a note.
    Note(String, Note),
}

/// The steps that one event means. Unknown kinds mean none.
pub fn changes(event: &Event) -> Vec<Change> {
    let _ = event;
    Vec::new()
}
