//! What every engine does before it stores: the checks of an append, and the sealing.
//!
//! INVARIANT: an event that could not be read back, or that has an id of another one, is never
//! stored.

use std::collections::BTreeSet;

use super::Head;
use super::event::{Draft, Event, Stored, VERSION, seal};
use super::fault::LedgerFault;
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

/// An event ready to be stored, with the steps that it means.
pub(super) type Prepared = (Stored, Vec<Change>);

/// Seals the drafts one behind the other, and reads what each means.
pub(super) fn prepare(head: &Head, drafts: &[Draft]) -> Result<Vec<Prepared>, LedgerFault> {
    let mut head = head.clone();
    let mut ids = BTreeSet::new();
    let mut out = Vec::with_capacity(drafts.len());
    for draft in drafts {
        let refused = |detail: String| LedgerFault::Refused {
            id: draft.id.clone(),
            detail,
        };
        if draft.id.is_empty() || !ids.insert(&draft.id) {
            return Err(refused("its id is empty or used twice".to_string()));
        }
        let stored = seal(draft, &head).map_err(|e| refused(e.to_string()))?;
        let event = Event {
            v: VERSION,
            seq: stored.seq,
            prev: head.hash.clone(),
            draft: draft.clone(),
        };
        let steps = changes(&event).map_err(|e| match e {
            Unreadable::Broken { why, .. } => refused(why),
            newer => newer.at("memory"),
        })?;
        head = stored.head();
        out.push((stored, steps));
    }
    Ok(out)
}
