//! Ledgers of the folders above: asked before a step is called free here.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::app::book::{Book, EVERY_STEP};
use crate::app::context::Context;
use crate::ledger::Ledger as _;
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::GateQuery;
use crate::ledger::sqlite::{Mode as Access, SqliteLedger};
use crate::model::gate::GateStatus;
use crate::model::text::escape;

/// How long another writer is waited for.
const WAIT: Duration = Duration::from_secs(5);

/// Why the step of this key is not free, if a ledger of this root or above it blocks it, or
/// blocked it when it was last seen. What is there and cannot be read may block it.
pub fn blocks(settings: &Context<'_>, key: &str) -> Option<String> {
    let folders = settings.root.ancestors();
    let mut places = folders.map(|folder| folder.join(".belegt").join("ledger.db"));
    places.find_map(|ledger| {
        if ledger == settings.ledger {
            return None;
        }
        let does = match known(settings, &ledger, key) {
            Ok(false) => return None,
            Ok(true) => "blocks this step",
            Err(_) => "cannot be read",
        };
        let shown = escape(&ledger.to_string_lossy());
        Some(format!("`{shown}` {does}; ask it with `--root`"))
    })
}

/// Whether a ledger blocks the step, or forbade it when it was last seen.
fn known(settings: &Context<'_>, ledger: &Path, key: &str) -> Result<bool, LedgerFault> {
    let forbidden = Book::blocked_at(settings, ledger)?.unwrap_or_default();
    if forbidden.iter().any(|one| one == key || one == EVERY_STEP) {
        return Ok(true);
    }
    if !ledger.is_file() {
        return Ok(false);
    }
    let ledger = SqliteLedger::open(ledger, &Access::Read, Instant::now() + WAIT)?;
    let sets = ledger.gates(&GateQuery::Step(key))?.sets;
    Ok(sets.iter().any(|set| set.status() == GateStatus::Open))
}
