//! Checking: which gates are asked, what their answers add up to, what becomes of them.
//!
//! INVARIANT: a gate whose instant has not come is not asked and not met. What could not be
//! asked is never true. A met `wait` gate stays met; an `only` gate with evidence that is too
//! old is proven again before its step is opened, and is open again if that fails.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::DateTime;

use crate::ask::Asking;
use crate::ask::side_by_side::side_by_side;
use crate::model::duration;
use crate::model::gate::{Becomes, Class, Gate, GateChange, GateSet, GateStatus, Mode};
use crate::model::moment::Moment;
use crate::model::status::Status;

use super::judge::{Answer, GateRule};
use super::methods::path;
use super::prove::{Proof, Run, prove};

/// Why an alternative is closed.
pub const NOT_NEEDED: &str = "no longer needed: another alternative of the `/or` is met";

/// What a check is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A tick: cheap methods only, nothing is used.
    Tick,
    /// Somebody asks how the gates stand: every method.
    Look,
    /// The step is about to run: every method, and old evidence of `only` gates anew.
    Use,
}

/// One set after its check.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The set with its changes.
    pub set: GateSet,
    /// What its conditions add up to.
    pub finding: Status,
    /// What that means for its step.
    pub answer: Answer,
    /// What the rule said, or empty.
    pub why: String,
    /// What each asked gate answered, by id.
    pub proofs: BTreeMap<String, Proof>,
    /// What is to be stored.
    pub changes: Vec<GateChange>,
}

/// Everything that a check needs beside the sets.
pub struct Checker<'a> {
    /// The way to the scripts and the world.
    pub asking: &'a Asking,
    /// The rule.
    pub rule: &'a GateRule,
    /// The run.
    pub run: Run,
    /// Its instant.
    pub now: Moment,
    /// What it is for.
    pub purpose: Purpose,
}

/// What one gate was asked, or why it was not.
type Job = (usize, usize);

impl Checker<'_> {
    /// Checks sets; the results in the same order.
    pub fn check(&self, sets: Vec<GateSet>) -> Vec<Checked> {
        let mut proofs: Vec<BTreeMap<String, Proof>> = vec![BTreeMap::new(); sets.len()];
        let jobs = self.jobs(&sets);
        let (cheap, costly): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| self.is_cheap(&sets, job));
        self.ask(&sets, cheap, &mut proofs);
        if self.purpose != Purpose::Tick {
            // What a cheap answer has decided is not asked at a price.
            let undecided = costly.into_iter().filter(|(set, _)| {
                let known = (sets.get(*set), proofs.get(*set));
                let (Some(set), Some(proofs)) = known else {
                    return false;
                };
                self.finding(set, proofs) != Status::Found
            });
            self.ask(&sets, undecided.collect(), &mut proofs);
        }
        let pairs = sets.into_iter().zip(proofs);
        pairs
            .map(|(set, proofs)| self.conclude(set, proofs))
            .collect()
    }

    /// Which gates are to be asked.
    fn jobs(&self, sets: &[GateSet]) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (index, set) in sets.iter().enumerate() {
            let is_open = set.status() == GateStatus::Open;
            for (number, gate) in set.gates.iter().enumerate() {
                let is_asked = match gate.status {
                    GateStatus::Open => is_open && !self.is_early(gate),
                    GateStatus::Met => self.is_stale(set, gate),
                    GateStatus::Dropped => false,
                };
                if is_asked {
                    jobs.push((index, number));
                }
            }
        }
        jobs
    }

    fn is_cheap(&self, sets: &[GateSet], job: &Job) -> bool {
        let gate = sets.get(job.0).and_then(|set| set.gates.get(job.1));
        gate.is_none_or(|gate| self.meta(gate).is_none_or(|meta| meta.cheap))
    }

    fn meta(&self, gate: &Gate) -> Option<crate::script::contract::Meta> {
        let script = self.asking.scripts.script(&path(&gate.proof_method));
        script.ok().map(|script| script.meta.clone())
    }

    fn is_early(&self, gate: &Gate) -> bool {
        gate.due
            .is_some_and(|due| due > self.now.instant().timestamp())
    }

    /// Whether the evidence of a met gate has to be renewed before the step runs.
    fn is_stale(&self, set: &GateSet, gate: &Gate) -> bool {
        if self.purpose != Purpose::Use || set.mode != Mode::Only {
            return false;
        }
        let Some(evidence) = &gate.evidence else {
            return true;
        };
        if evidence.class == Class::Consent {
            return false;
        }
        let fresh = match self.meta(gate) {
            // Nobody can say how long it lasts.
            None => return true,
            Some(meta) => meta.fresh_for,
        };
        let Some(fresh) = fresh else {
            return false;
        };
        let fresh = duration::parse(&fresh).unwrap_or(Duration::ZERO);
        let Ok(at) = DateTime::parse_from_rfc3339(&evidence.at) else {
            return true;
        };
        let age = self.now.since(at.to_utc());
        // A proof from the future is no fresh one.
        age.to_std().map_or(true, |age| age >= fresh)
    }

    fn ask(&self, sets: &[GateSet], jobs: Vec<Job>, proofs: &mut [BTreeMap<String, Proof>]) {
        let asked = side_by_side(jobs, |(set, gate)| {
            let set = sets.get(*set)?;
            let gate = set.gates.get(*gate)?;
            Some((gate.id.clone(), prove(self.asking, &self.run, set, gate)))
        });
        for ((set, _), answer) in asked {
            if let (Some(known), Some((id, proof))) = (proofs.get_mut(set), answer) {
                known.insert(id, proof);
            }
        }
    }

    /// What the set adds up to with these answers.
    fn finding(&self, set: &GateSet, proofs: &BTreeMap<String, Proof>) -> Status {
        let of = |id: &str| {
            let Some(gate) = set.gate(id) else {
                return Status::Unavailable;
            };
            match (gate.status, proofs.get(id)) {
                (GateStatus::Dropped, _) => Status::Absent,
                (_, Some(proof)) => proof.status,
                (GateStatus::Met, None) => Status::Found,
                (GateStatus::Open, None) if self.is_early(gate) => Status::Empty,
                (GateStatus::Open, None) => Status::Unavailable,
            }
        };
        set.tree.finding(&of)
    }

    fn conclude(&self, mut set: GateSet, proofs: BTreeMap<String, Proof>) -> Checked {
        let finding = match set.status() {
            GateStatus::Dropped => Status::Absent,
            _ => self.finding(&set, &proofs),
        };
        let changes = apply(&mut set, &proofs);
        let (answer, why) = match finding {
            Status::Absent => (Answer::Yes, "dropped".to_string()),
            finding => self.rule.judge(self.asking, &set, finding),
        };
        Checked {
            set,
            finding,
            answer,
            why,
            proofs,
            changes,
        }
    }
}

/// What the answers make of the gates.
fn apply(set: &mut GateSet, proofs: &BTreeMap<String, Proof>) -> Vec<GateChange> {
    let mut changes = Vec::new();
    for (id, proof) in proofs {
        let gate = set.gate(id);
        let was_met = gate.is_some_and(|gate| gate.status == GateStatus::Met);
        let to = match (&proof.evidence, was_met) {
            (Some(evidence), _) => Becomes::Met(Box::new(evidence.clone())),
            (None, true) => {
                Becomes::Open(format!("its evidence was too old, and now: {}", proof.why))
            }
            (None, false) => continue,
        };
        change(set, &mut changes, id, to);
    }
    if set.status() == GateStatus::Open {
        reopen_alternatives(set, &mut changes);
    }
    for id in set.superfluous() {
        let to = Becomes::Dropped(NOT_NEEDED.to_string());
        change(set, &mut changes, &id, to);
    }
    changes
}

/// Alternatives that were closed because of a proof that has become too old count again.
fn reopen_alternatives(set: &mut GateSet, changes: &mut Vec<GateChange>) {
    let was_reopened = changes.iter().any(|c| matches!(c.to, Becomes::Open(_)));
    if !was_reopened {
        return;
    }
    let closed: Vec<String> = set
        .gates
        .iter()
        .filter(|gate| gate.because.as_deref() == Some(NOT_NEEDED))
        .map(|gate| gate.id.clone())
        .collect();
    for id in closed {
        let why = "the alternative that was met is open again".to_string();
        change(set, changes, &id, Becomes::Open(why));
    }
}

fn change(set: &mut GateSet, changes: &mut Vec<GateChange>, gate: &str, to: Becomes) {
    set.apply(gate, to.clone());
    changes.push(GateChange {
        set: set.id.clone(),
        gate: gate.to_string(),
        to,
    });
}
