//! Ledgers of the folders above: asked where nothing is known here.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::app::book::{Book, EVERY_STEP};
use crate::app::context::Context;
use crate::ledger::Ledger as _;
use crate::ledger::gates::GateQuery;
use crate::ledger::sqlite::{Mode as Access, SqliteLedger};
use crate::model::gate::GateStatus;
use crate::model::text::escape;

/// How long another writer is waited for.
const WAIT: Duration = Duration::from_secs(5);

/// Why the step of this key is not free, if a ledger of this root or above it blocks it, or
/// blocked it when it was last seen.
pub fn blocks(settings: &Context<'_>, key: &str) -> Option<String> {
    let folders = settings.root.ancestors();
    let mut places = folders.map(|folder| folder.join(".belegt").join("ledger.db"));
    places.find_map(|ledger| {
        if ledger == settings.ledger {
            return None;
        }
        let known = Book::blocked_at(settings, &ledger).ok().flatten();
        let is_known = known
            .iter()
            .flatten()
            .any(|one| one == key || one == EVERY_STEP);
        let why = match (is_known, ledger.is_file()) {
            (true, _) => "forbids this step",
            (false, true) if is_open(&ledger, key) => "blocks this step",
            _ => return None,
        };
        let shown = escape(&ledger.to_string_lossy());
        Some(format!(
            "no gate was ever opened here, but `{shown}` {why}; ask it with `--root`"
        ))
    })
}

/// Whether a ledger has an open set for the step; one that cannot be read says nothing here.
fn is_open(ledger: &Path, key: &str) -> bool {
    let open = SqliteLedger::open(ledger, &Access::Read, Instant::now() + WAIT);
    let gates = open.and_then(|ledger| ledger.gates(&GateQuery::Step(key)));
    gates.is_ok_and(|gates| {
        let mut sets = gates.sets.iter();
        sets.any(|set| set.status() == GateStatus::Open)
    })
}
