//! The ledger: the durable, append-only history. Every state is derived from it.
//!
//! A [`Ledger`] stores events as exact bytes, chained by SHA-256, and keeps a projection
//! ([`state::State`], and the [`gates`]) beside them, changed in the same transaction. Looking happens outside a
//! transaction; appending is compare-and-swap on the head.
//!
//! INVARIANT: a ledger that was known and is missing, foreign, truncated or rolled back is an
//! error. It is never replaced by an empty one and there is no other engine to fall back to.

pub mod anchor;
pub mod body;
pub mod event;
pub mod fault;
pub mod gates;
pub mod memory;
mod prepare;
pub mod sqlite;
pub mod state;
pub mod upcast;
pub mod verify;

use event::{Draft, Event, Stored};
use fault::LedgerFault;
use gates::{GateQuery, Gates};
use state::State;

/// Where the chain stands: the number and the hash of its last event.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Head {
    /// Number of the last event; 0 for an empty ledger.
    pub seq: u64,
    /// Hash of the last event in hex; [`event::GENESIS`] for an empty ledger.
    pub hash: String,
}

impl Head {
    /// The head of an empty ledger.
    pub fn genesis() -> Self {
        Head {
            seq: 0,
            hash: event::GENESIS.to_string(),
        }
    }
}

/// What a ledger is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    /// The store's own id, made when it was created.
    pub store: String,
    /// The engine: `sqlite` or `memory`.
    pub engine: String,
    /// Whether it can only be read.
    pub read_only: bool,
}

/// How an append ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// Stored and committed; the new head.
    Done(Head),
    /// All these event ids are there already (a retry after a lost answer); the head.
    Duplicate(Head),
    /// Somebody else appended first; the head as it is now. Nothing was stored.
    Conflict(Head),
}

/// One consistent read: the projection together with its head.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// Where the chain stood.
    pub head: Head,
    /// What the events up to there add up to.
    pub state: State,
}

impl Default for View {
    /// The view of an empty ledger.
    fn default() -> Self {
        View {
            head: Head::genesis(),
            state: State::default(),
        }
    }
}

/// The port: what every engine can do. One conformance suite runs against all of them.
pub trait Ledger: Send {
    /// Where it stands, for messages: a path, or the name of the engine.
    fn place(&self) -> &str;

    /// What this ledger is.
    fn identity(&self) -> Result<Identity, LedgerFault>;

    /// Where the chain stands.
    fn head(&self) -> Result<Head, LedgerFault>;

    /// Stores all drafts or none, if the chain still stands at `expected`.
    ///
    /// A retry is recognised by its ids before the head is compared. A body that the projection
    /// could not read is refused, and so is an id that stands for another event.
    fn append(&mut self, expected: &Head, drafts: &[Draft]) -> Result<Appended, LedgerFault>;

    /// One consistent read. The hash of the newest event is checked.
    fn view(&self) -> Result<View, LedgerFault>;

    /// The sets of gates that are asked for, in one consistent read with its head. Whatever
    /// could hide an open set from the answer is damage and never an answer without it.
    fn gates(&self, query: &GateQuery<'_>) -> Result<Gates, LedgerFault>;

    /// The first instant after this one at which an open set wakes, both in seconds since the
    /// epoch; nothing if no open set waits for a later one.
    fn next_wake(&self, after: i64) -> Result<Option<i64>, LedgerFault>;

    /// The steps that open sets block, in their normal spelling, sorted, each once.
    fn open_steps(&self) -> Result<Vec<String>, LedgerFault>;

    /// The keys of the steps that open `only` sets forbid, sorted, each once: at most the first
    /// [`gates::MOST_FORBIDDEN`] and one more.
    fn forbidden(&self) -> Result<Vec<String>, LedgerFault>;

    /// The exact stored rows after number `from`, oldest first, at most `limit`. Nothing is
    /// checked here: this is what `verify` reads.
    fn stored(&self, from: u64, limit: u64) -> Result<Vec<Stored>, LedgerFault>;

    /// Events after number `from`, oldest first, at most `limit`. The chain is checked on the
    /// way; what does not hold is an error.
    fn history(&self, from: u64, limit: u64) -> Result<Vec<Event>, LedgerFault> {
        let rows = match from {
            0 => self.stored(0, limit)?,
            _ => self.stored(from - 1, limit.saturating_add(1))?,
        };
        event::read_chain(from, &rows).map_err(|e| e.at(self.place()))
    }

    /// What the engine itself finds wrong with its storage; each finding is a sentence.
    fn unsound(&self) -> Result<Vec<String>, LedgerFault> {
        Ok(Vec::new())
    }
}
