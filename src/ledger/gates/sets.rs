//! All sets of gates in memory: the model that the tables of an engine are compared with.
//!
//! INVARIANT: answers are found by asking each set itself, never through an index.

use std::collections::{BTreeMap, BTreeSet};

use super::{GateQuery, GateStep, Kept, MOST_FORBIDDEN, forbids, in_order, turn_all};
use crate::ledger::upcast::Unreadable;
use crate::model::gate::{GateSet, GateStatus, Wake, step};

/// Every set, by its id.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::ledger) struct Sets(BTreeMap<String, Kept>);

impl Sets {
    /// What the sets of these steps would be; nothing changes.
    pub fn after(&self, steps: Vec<GateStep>) -> Result<BTreeMap<String, Kept>, Unreadable> {
        let known = |step: &GateStep| self.0.get_key_value(step.set());
        let known = steps.iter().filter_map(known);
        let known = known.map(|(id, kept)| (id.clone(), kept.clone())).collect();
        turn_all(known, steps)
    }

    /// Puts what [`Sets::after`] answered.
    pub fn put(&mut self, turned: BTreeMap<String, Kept>) {
        self.0.extend(turned);
    }

    /// Applies all steps, or none.
    pub fn take(&mut self, steps: Vec<GateStep>) -> Result<(), Unreadable> {
        let turned = self.after(steps)?;
        self.put(turned);
        Ok(())
    }

    /// The sets that are asked for, in order.
    pub fn answer(&self, query: &GateQuery<'_>) -> Vec<GateSet> {
        let asked = |set: &GateSet| match query {
            GateQuery::All => true,
            GateQuery::Open => set.status() == GateStatus::Open,
            GateQuery::Step(key) => set.key == *key,
            GateQuery::Ids(ids) => ids.contains(&set.id),
            GateQuery::Due(now) => match set.wake() {
                Wake::Always => true,
                Wake::At(due) => due <= *now,
                Wake::Never => false,
            },
        };
        in_order(self.0.values().filter(|k| asked(&k.set)).cloned().collect())
    }

    /// The first instant after this one at which an open set wakes.
    pub fn next_wake(&self, after: i64) -> Option<i64> {
        let wakes = self.0.values().filter_map(|kept| match kept.set.wake() {
            Wake::At(due) if due > after => Some(due),
            _ => None,
        });
        wakes.min()
    }

    /// Steps of open sets in their normal spelling.
    pub fn open_steps(&self) -> Vec<String> {
        let sets = self.0.values().map(|kept| &kept.set);
        let open = sets.filter(|set| set.status() == GateStatus::Open);
        let steps: BTreeSet<_> = open.map(|set| step::normal(&set.blocks)).collect();
        steps.into_iter().collect()
    }

    /// Keys of the steps of open `only` sets.
    pub fn forbidden(&self) -> Vec<String> {
        let sets = self.0.values().map(|kept| &kept.set);
        let keys: BTreeSet<_> = sets.filter(|s| forbids(s)).map(|s| s.key.clone()).collect();
        keys.into_iter().take(MOST_FORBIDDEN + 1).collect()
    }

    /// Changes a set behind the back of the events, as a damaged disk would.
    #[cfg(test)]
    pub fn damage(&mut self, how: impl Fn(&mut BTreeMap<String, Kept>)) {
        how(&mut self.0);
    }
}
