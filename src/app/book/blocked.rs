//! What the anchor keeps of the gates: the steps that are forbidden, for the day on which the
//! ledger is lost.
//!
//! INVARIANT: it may say too much, never knowingly too little: where the steps are too many or
//! cannot be asked, every step stands there.

use std::path::Path;

use super::Book;
use crate::app::context::Context;
use crate::ledger::anchor::Mooring;
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::MOST_FORBIDDEN;
use crate::ledger::{Head, Ledger};

/// How often the anchor is tried after a change of gates.
const MOORINGS: usize = 3;
/// What stands in the anchor instead of keys when every step counts as forbidden.
pub const EVERY_STEP: &str = "*";

impl Book {
    /// Moves the anchor; whether it now knows this head. It may lag: a failure to move it loses
    /// nothing and is seen by `doctor`. What is forbidden is asked after the head: so it is never
    /// older than it.
    pub(super) fn moor(&self, head: &Head, gates: bool) -> bool {
        if !gates {
            return matches!(self.mooring.write(&self.store, head, None), Ok(true));
        }
        let mut head = head.clone();
        for _ in 0..MOORINGS {
            let forbidden = forbidden(&self.ledger);
            let written = self.mooring.write(&self.store, &head, Some(&forbidden));
            if !matches!(written, Ok(false)) {
                return written.is_ok();
            }
            // Another one has moved it further, with what it knew of the gates.
            match self.ledger.head() {
                Ok(now) => head = now,
                Err(_) => return false,
            }
        }
        false
    }

    /// The keys of the steps that open `only` gates forbade when the ledger was last seen here,
    /// or [`EVERY_STEP`] alone; nothing if it was never seen. For whoever cannot read the ledger:
    /// the anchor alone is asked.
    ///
    /// # Errors
    /// An anchor that cannot be read.
    pub fn blocked(settings: &Context<'_>) -> Result<Option<Vec<String>>, LedgerFault> {
        Book::blocked_at(settings, &settings.ledger)
    }

    /// The same for a ledger at another place.
    ///
    /// # Errors
    /// An anchor that cannot be read.
    pub fn blocked_at(
        settings: &Context<'_>,
        ledger: &Path,
    ) -> Result<Option<Vec<String>>, LedgerFault> {
        let Some(state) = &settings.state_folder else {
            return Ok(None);
        };
        let anchor = Mooring::new(&state.join("anchors"), ledger).read()?;
        Ok(anchor.map(|anchor| anchor.blocked))
    }
}

/// What the anchor says of the gates: the keys of forbidden steps. Where these are too many, or
/// cannot be asked, it is every step.
pub(super) fn forbidden(ledger: &dyn Ledger) -> Vec<String> {
    match ledger.forbidden() {
        Ok(keys) if keys.len() <= MOST_FORBIDDEN => keys,
        Ok(_) | Err(_) => vec![EVERY_STEP.to_string()],
    }
}
