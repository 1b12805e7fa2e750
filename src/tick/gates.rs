//! Gates in a tick: cheap proofs, and the items that open gates make.
//!
//! INVARIANT: a gate changes no verdict by itself. A met gate's step is reported and becomes no
//! item; a cheap proof that is unavailable is shown; what was met is appended with the tick.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::gate::check::{Checked, Checker, Purpose};
use crate::gate::consent;
use crate::gate::judge::GateRule;
use crate::gate::methods::path;
use crate::gate::prove::Run;
use crate::model::gate::{Gate, GateChange, GateSet, GateStatus, NO_METHOD};
use crate::model::item::Item;
use crate::model::status::Status;
use crate::script::answer::SeenItem;

use super::outcome::WorkReport;
use super::stages::{Tick, derived};

/// The name under which gates stand among the work.
const NAME: &str = "work.gates";

/// The gates of the ledger, as far as a tick needs them.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The open sets that can have changed.
    pub due: Vec<GateSet>,
    /// Sets that forbid a step, the first of them.
    pub forbidding: Vec<GateSet>,
    /// How many steps are forbidden.
    pub forbidden: usize,
    /// The next instant at which time alone changes a set, in seconds since the epoch.
    pub next: Option<i64>,
    /// The run in which proofs are made; none where there is no ledger.
    pub run: Option<Run>,
}

/// One set in a report.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    /// The set.
    pub id: String,
    /// The step.
    pub blocks: String,
    /// What it waits for, or what was proven.
    pub sentence: String,
    /// Why.
    pub why: String,
}

/// What a tick says of gates.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Report {
    /// Sets that were met in this tick: their steps are free.
    pub met: Vec<Line>,
    /// Steps that are forbidden, the first of them.
    pub forbidden: Vec<Line>,
    /// How many steps are forbidden.
    pub forbidden_steps: usize,
    /// Gates whose proof could not be asked.
    pub unavailable: Vec<Line>,
    /// What is to be stored with the tick.
    #[serde(skip)]
    pub changes: Vec<GateChange>,
}

impl Tick<'_> {
    /// Proves the cheap gates, side by side, and takes the items of the open ones. Where nothing
    /// can be stored nothing is proven.
    pub(super) fn gates(&mut self) {
        let view = &self.frame.gates;
        let mut forbidding = view.forbidding.clone();
        self.gates.forbidden_steps = view.forbidden;
        let mut sets = view.due.clone();
        if let (Some(run), false) = (&view.run, sets.is_empty()) {
            let rule = GateRule::load(self.asking);
            let checker = Checker {
                asking: self.asking,
                rule: &rule,
                run: run.clone(),
                now: self.frame.now,
                purpose: Purpose::Tick,
            };
            let checked = checker.check(sets);
            sets = checked
                .into_iter()
                .map(|one| self.take_checked(one))
                .collect();
            let is_open = |set: &GateSet| {
                let now = sets.iter().find(|one| one.id == set.id);
                now.is_none_or(|one| one.status() == GateStatus::Open)
            };
            let before = keys(&forbidding);
            forbidding.retain(is_open);
            let freed = before.difference(&keys(&forbidding)).count();
            self.gates.forbidden_steps = view.forbidden.saturating_sub(freed);
        }
        self.gates.forbidden = forbidding.iter().map(forbids).collect();
        self.take_gate_items(&sets);
    }

    /// Notes what a check came to; the set as it is then.
    fn take_checked(&mut self, one: Checked) -> GateSet {
        for (id, proof) in &one.proofs {
            self.calls.extend(proof.call.clone());
            let gate = one.set.gate(id);
            let is_open = gate.is_some_and(|gate| gate.status == GateStatus::Open);
            let asked_by_word = gate.is_some_and(consent::closes);
            if is_open && proof.status == Status::Unavailable && !asked_by_word {
                self.gates.unavailable.push(line(&one.set, id, &proof.why));
            }
        }
        if one.set.status() == GateStatus::Met {
            self.gates.met.push(met(&one.set));
        }
        self.gates.changes.extend(one.changes);
        one.set
    }

    fn take_gate_items(&mut self, sets: &[GateSet]) {
        let open = sets.iter().filter(|set| set.status() == GateStatus::Open);
        let items: Vec<SeenItem> = open
            .flat_map(|set| set.open().map(move |gate| (set, gate)))
            .filter_map(|(set, gate)| self.item(set, gate))
            .collect();
        if sets.is_empty() {
            return;
        }
        let (seen, why) = match items.len() {
            0 => (
                Status::Empty,
                "no open gate asks for work or for the person",
            ),
            _ => (Status::Found, "open gates ask for work or for the person"),
        };
        self.answered.insert(NAME.to_string());
        let open = self.take_items(NAME, items);
        let (status, why) = derived(seen, why.to_string(), open);
        self.work.push(WorkReport {
            name: NAME.to_string(),
            status,
            why,
            help: None,
        });
    }

    /// The item that an open gate makes, if it makes one.
    fn item(&self, set: &GateSet, gate: &Gate) -> Option<SeenItem> {
        let script = self.asking.scripts.script(&path(&gate.proof_method));
        let (kind, title) = match gate.proof_method.as_str() {
            consent::METHOD => ("gate.consent", format!("agree? {}", gate.sentence)),
            NO_METHOD => (
                "gate.restate",
                format!("no proof path: restate or agree: {}", gate.sentence),
            ),
            // The step stays out of the text: to bring the condition about is not to do it.
            _ if script.is_ok_and(|script| script.meta.makeable) => (
                "gate.makeable",
                format!("bring about and prove: {}", gate.sentence),
            ),
            _ => return None,
        };
        let detail = match kind {
            "gate.makeable" => "prove it with `belegt gate check`".to_string(),
            _ => format!("it blocks: {}", set.blocks),
        };
        Some(SeenItem {
            item: Item {
                id: gate.id.clone(),
                title,
                at: format!("gate {}", gate.id),
                kind: kind.to_string(),
                priority: 5,
                detail,
            },
            due: gate.due,
            source: "".into(),
            line: 0,
        })
    }
}

fn keys(sets: &[GateSet]) -> BTreeSet<String> {
    sets.iter().map(|set| set.key.clone()).collect()
}

fn line(set: &GateSet, gate: &str, why: &str) -> Line {
    let sentence = set.gate(gate).map(|gate| gate.sentence.clone());
    Line {
        id: gate.to_string(),
        blocks: set.blocks.clone(),
        sentence: sentence.unwrap_or_default(),
        why: why.to_string(),
    }
}

fn met(set: &GateSet) -> Line {
    let met = set
        .gates
        .iter()
        .filter(|gate| gate.status == GateStatus::Met);
    let why = met.filter_map(|gate| Some(gate.evidence.as_ref()?.why.as_str()));
    Line {
        id: set.id.clone(),
        blocks: set.blocks.clone(),
        sentence: set.source.clone(),
        why: why.collect::<Vec<_>>().join("; "),
    }
}

fn forbids(set: &GateSet) -> Line {
    let open: Vec<&str> = set.open().map(|gate| gate.sentence.as_str()).collect();
    Line {
        id: set.id.clone(),
        blocks: set.blocks.clone(),
        sentence: open.join("; "),
        why: "not proven".to_string(),
    }
}
