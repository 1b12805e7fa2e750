//! The ledger in memory: the model that the others are compared with, and the one for tests.
//!
//! INVARIANT: it stores the same bytes, hashes and steps as every other engine. It is never
//! used in place of a ledger that could not be opened.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::event::{Draft, GENESIS, Stored};
use super::fault::LedgerFault;
use super::gates::sets::Sets;
use super::gates::{GateQuery, Gates};
use super::prepare::{all_or_none, prepare, refuse_other, refused};
use super::state::State;
use super::{Appended, Head, Identity, Ledger, View};

/// A ledger in memory. A clone is a second handle to the same ledger.
#[derive(Debug, Clone)]
pub struct MemoryLedger {
    store: String,
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    rows: Vec<Stored>,
    state: State,
    sets: Sets,
    failing: Option<LedgerFault>,
}

impl MemoryLedger {
    /// An empty ledger with its store id.
    pub fn new(store: impl Into<String>) -> Self {
        MemoryLedger {
            store: store.into(),
            inner: Arc::default(),
        }
    }

    /// From now on everything fails with this fault; `None` ends that. Nothing that was stored
    /// is lost.
    pub fn fail_with(&self, fault: Option<LedgerFault>) {
        self.inner().failing = fault;
    }

    /// Changes what is stored, as a damaged disk would.
    #[cfg(test)]
    pub(crate) fn damage(&self, how: impl Fn(&mut Vec<Stored>, &mut State)) {
        let mut inner = self.inner();
        let Inner { rows, state, .. } = &mut *inner;
        how(rows, state);
    }

    /// Changes the gates behind the back of the events.
    #[cfg(test)]
    pub(crate) fn damage_gates(
        &self,
        how: impl Fn(&mut std::collections::BTreeMap<String, super::gates::Kept>),
    ) {
        self.inner().sets.damage(how);
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sound(&self) -> Result<MutexGuard<'_, Inner>, LedgerFault> {
        let inner = self.inner();
        match &inner.failing {
            Some(fault) => Err(fault.clone()),
            None => Ok(inner),
        }
    }
}

impl Inner {
    fn head(&self) -> Head {
        self.rows.last().map_or_else(Head::genesis, Stored::head)
    }

    /// Whether all, none or some of the drafts are stored already.
    fn known(&self, drafts: &[Draft]) -> Result<bool, LedgerFault> {
        let mut found = 0;
        for draft in drafts {
            let mut prev = GENESIS;
            for row in &self.rows {
                if row.id == draft.id {
                    found += 1;
                    refuse_other(draft, row.is(draft, prev))?;
                }
                prev = &row.hash;
            }
        }
        all_or_none(found, drafts)
    }
}

impl Ledger for MemoryLedger {
    fn place(&self) -> &str {
        "memory"
    }

    fn identity(&self) -> Result<Identity, LedgerFault> {
        drop(self.sound()?);
        Ok(Identity {
            store: self.store.clone(),
            engine: "memory".to_string(),
            read_only: false,
        })
    }

    fn head(&self) -> Result<Head, LedgerFault> {
        Ok(self.sound()?.head())
    }

    fn append(&mut self, expected: &Head, drafts: &[Draft]) -> Result<Appended, LedgerFault> {
        let mut inner = self.sound()?;
        let head = inner.head();
        if inner.known(drafts)? {
            return Ok(Appended::Duplicate(head));
        }
        if head != *expected {
            return Ok(Appended::Conflict(head));
        }
        let prepared = prepare(&head, drafts)?;
        let turned = inner.sets.after(prepared.gates);
        let turned = turned.map_err(|e| refused(e, &head, drafts))?;
        inner.sets.put(turned);
        inner.rows.extend(prepared.rows);
        for step in prepared.changes {
            inner.state.apply(step);
        }
        Ok(Appended::Done(inner.head()))
    }

    fn view(&self) -> Result<View, LedgerFault> {
        let inner = self.sound()?;
        Ok(View {
            head: inner.head(),
            state: inner.state.clone(),
        })
    }

    fn gates(&self, query: &GateQuery<'_>) -> Result<Gates, LedgerFault> {
        let inner = self.sound()?;
        Ok(Gates {
            head: inner.head(),
            sets: inner.sets.answer(query),
        })
    }

    fn next_wake(&self, after: i64) -> Result<Option<i64>, LedgerFault> {
        Ok(self.sound()?.sets.next_wake(after))
    }

    fn open_steps(&self) -> Result<Vec<String>, LedgerFault> {
        Ok(self.sound()?.sets.open_steps())
    }

    fn forbidden(&self) -> Result<Vec<String>, LedgerFault> {
        Ok(self.sound()?.sets.forbidden())
    }

    fn stored(&self, from: u64, limit: u64) -> Result<Vec<Stored>, LedgerFault> {
        let inner = self.sound()?;
        let rows = inner.rows.iter().filter(|r| r.seq > from);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        Ok(rows.take(limit).cloned().collect())
    }
}
