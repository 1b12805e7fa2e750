//! What every engine does before it stores: the checks of an append, and the sealing.
//!
//! INVARIANT: an event that could not be read back, or that has an id of another one, is never
//! stored.

use std::collections::BTreeSet;

use super::Head;
use super::event::{Draft, Event, Stored, VERSION, seal};
use super::fault::LedgerFault;
use super::gates::{self, GateStep};
use super::state::{Change, changes};
use super::upcast::Unreadable;

/// An id that stands for another event is refused.
pub(super) fn refuse_other(draft: &Draft, same: bool) -> Result<(), LedgerFault> {
    match same {
        true => Ok(()),
        false => Err(LedgerFault::Refused {
            id: draft.id.clone(),
            detail: "another event was stored under this id".to_string(),
        }),
    }
}

/// Whether the drafts are known: all of them, or none. Some of them is a fault of the caller.
pub(super) fn all_or_none(found: usize, drafts: &[Draft]) -> Result<bool, LedgerFault> {
    match found {
        0 => Ok(false),
        n if n == drafts.len() => Ok(true),
        n => Err(LedgerFault::Refused {
            id: drafts.first().map(|d| d.id.clone()).unwrap_or_default(),
            detail: format!("{n} of the {} events were stored already", drafts.len()),
        }),
    }
}

/// Events ready to be stored, with the steps that they mean.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    /// The events, one behind the other.
    pub rows: Vec<Stored>,
    /// The steps of the state, in order.
    pub changes: Vec<Change>,
    /// The steps of the gates, in order.
    pub gates: Vec<GateStep>,
}

/// An event that cannot be read, or that does not fit what the ledger holds, as a refusal of
/// its draft. `head` is the one before the drafts.
pub(super) fn refused(why: Unreadable, head: &Head, drafts: &[Draft]) -> LedgerFault {
    match why {
        Unreadable::Broken { seq, why } => {
            let place = seq.saturating_sub(head.seq).saturating_sub(1);
            let draft = usize::try_from(place).ok().and_then(|n| drafts.get(n));
            LedgerFault::Refused {
                id: draft.map(|d| d.id.clone()).unwrap_or_default(),
                detail: why,
            }
        }
        newer => newer.at("memory"),
    }
}

/// Seals the drafts one behind the other, and reads what each means.
pub(super) fn prepare(start: &Head, drafts: &[Draft]) -> Result<Prepared, LedgerFault> {
    let mut head = start.clone();
    let mut ids = BTreeSet::new();
    let mut out = Prepared::default();
    for draft in drafts {
        let refuse = |detail: String| LedgerFault::Refused {
            id: draft.id.clone(),
            detail,
        };
        if draft.id.is_empty() || !ids.insert(&draft.id) {
            return Err(refuse("its id is empty or used twice".to_string()));
        }
        let stored = seal(draft, &head).map_err(|e| refuse(e.to_string()))?;
        let event = Event {
            v: VERSION,
            seq: stored.seq,
            prev: head.hash.clone(),
            draft: draft.clone(),
        };
        let of = |e| refused(e, start, drafts);
        out.changes.extend(changes(&event).map_err(of)?);
        out.gates.extend(gates::steps(&event).map_err(of)?);
        head = stored.head();
        out.rows.push(stored);
    }
    Ok(out)
}
