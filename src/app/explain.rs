//! Why a tick said what it said: read from what was stored, not run again.

use serde_json::Value;

use crate::diag::Fault;
use crate::ledger::event::Event;

use super::context::Context;
use super::history;

/// A stored tick, to be shown.
pub struct Explained {
    /// The event.
    pub event: Event,
}

impl Explained {
    /// A list of the stored body.
    pub fn list(&self, key: &str) -> &[Value] {
        self.event
            .draft
            .body
            .get(key)
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    /// A text of the stored body.
    pub fn text(&self, key: &str) -> &str {
        self.event
            .draft
            .body
            .get(key)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }
}

/// One tick by the beginning of its id, or the newest.
pub fn tick(settings: &Context<'_>, id: Option<&str>) -> Result<Explained, Fault> {
    history::tick(settings, id).map(|event| Explained { event })
}
