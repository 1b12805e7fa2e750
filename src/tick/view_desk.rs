//! The ledger as scripts may look at it: a read-only view of this run.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::ledger::state::State;
use crate::world::desk::LedgerDesk;
use crate::world::{Answer, Failure};

/// Finds a gate by its id: its status and its sentence, nothing, or why it cannot be told.
pub type FindGate = Box<dyn Fn(&str) -> Result<Option<Value>, String> + Send + Sync>;

/// Answers questions from one state, or says why there is none.
pub struct ViewDesk {
    state: Result<State, String>,
    gates: Option<FindGate>,
}

impl ViewDesk {
    /// A desk over this state.
    pub fn new(state: State) -> Self {
        ViewDesk {
            state: Ok(state),
            gates: None,
        }
    }

    /// A desk without a ledger.
    pub fn broken(why: &str) -> Self {
        ViewDesk {
            state: Err(why.to_string()),
            gates: None,
        }
    }

    /// The same with a way to find gates.
    #[must_use]
    pub fn with_gates(mut self, find: FindGate) -> Self {
        self.gates = Some(find);
        self
    }

    fn gate(&self, id: &str) -> Answer {
        let Some(find) = &self.gates else {
            return Answer::failed(Failure::Io, "the gates are not asked in this run");
        };
        match find(id) {
            Ok(Some(gate)) => Answer::Data(Arc::new(gate)),
            Ok(None) => Answer::Missing,
            Err(why) => Answer::failed(Failure::Io, format!("the gates cannot be read: {why}")),
        }
    }
}

impl LedgerDesk for ViewDesk {
    fn answer(&self, ask: &str) -> Answer {
        let state = match &self.state {
            Ok(state) => state,
            Err(why) => {
                return Answer::failed(Failure::Io, format!("the ledger cannot be read: {why}"));
            }
        };
        let data = match ask.split_once(' ') {
            None if ask == "notes" => notes(state),
            Some(("settled", key)) => settled(state, key),
            Some(("gate", id)) => return self.gate(id),
            _ => {
                return Answer::failed(Failure::Io, format!("the ledger is not asked for `{ask}`"));
            }
        };
        Answer::Data(Arc::new(data))
    }
}

fn notes(state: &State) -> Value {
    let notes = state.notes.iter().map(
        |(id, note)| json!({ "id": id, "text": note.text, "at": note.at, "actor": note.actor }),
    );
    notes.collect()
}

fn settled(state: &State, key: &str) -> Value {
    match state.settled.get(key) {
        Some(s) => {
            json!({ "digest": s.digest, "how": s.how, "because": s.because, "by": s.by, "at": s.at, "tree": s.tree })
        }
        None => Value::Null,
    }
}
