//! Gates in the ledger: what the events say about them, and how they are asked for.
//!
//! There may be very many gates, so they stand beside the [`State`](super::state::State), which
//! is read as a whole, and are asked for one question at a time.
//!
//! INVARIANT (L3): a gate is met only with evidence that has something behind it. An event that
//! says otherwise is refused when it is appended and damage when it is read.
//! INVARIANT: every engine applies the same steps through `turn_all`.

use std::collections::{BTreeMap, BTreeSet};

use super::Head;
use super::body::{self, GateOpened, GatesChanged};
use super::event::Event;
use super::state;
use super::upcast::Unreadable;
use crate::model::gate::{Becomes, GateChange, GateSet, GateStatus, Mode, Tree, step};

pub(super) mod sets;

/// How many step keys [`Ledger::forbidden`](super::Ledger::forbidden) answers before it stops;
/// one more key than this says that there are more.
pub const MOST_FORBIDDEN: usize = 4_000;

/// Which sets are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateQuery<'a> {
    /// Every set that blocks the step of this key, whatever its status.
    Step(&'a str),
    /// Sets to look at in a check: open, and waking always or not after this instant, in
    /// seconds since the epoch.
    Due(i64),
    /// Every open set.
    Open,
    /// Every set.
    All,
    /// The sets of these ids; an id that is not known is not in the answer.
    Ids(&'a [String]),
}

/// The sets that were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Gates {
    /// Where the chain stood.
    pub head: Head,
    /// The sets, in the order in which they were opened.
    pub sets: Vec<GateSet>,
}

/// A set with the number of the event that opened it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kept {
    /// Number of the event.
    pub opened: u64,
    /// The set as it stands now.
    pub set: GateSet,
}

impl Kept {
    /// What sets are ordered by: the event, then their order in it.
    pub fn place(&self) -> (u64, u32, &str) {
        (self.opened, self.set.order, &self.set.id)
    }
}

/// Puts sets in the order in which they were opened.
pub(super) fn in_order(mut kept: Vec<Kept>) -> Vec<GateSet> {
    kept.sort_by(|a, b| a.place().cmp(&b.place()));
    kept.into_iter().map(|kept| kept.set).collect()
}

/// Whether a set forbids its step.
pub(super) fn forbids(set: &GateSet) -> bool {
    set.mode == Mode::Only && set.status() == GateStatus::Open
}

/// One step of the gates, with the number of its event.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GateStep {
    /// Number of the event.
    pub seq: u64,
    /// What happens.
    pub what: What,
}

/// What happens to gates.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// A set is opened.
    Open(Box<GateSet>),
    /// A gate changes.
    Turn(GateChange),
}

impl GateStep {
    /// The set that it is about.
    pub fn set(&self) -> &str {
        match &self.what {
            What::Open(set) => &set.id,
            What::Turn(change) => &change.set,
        }
    }
}

/// The steps that one event means, in order; none for kinds that change no gate.
pub(super) fn steps(event: &Event) -> Result<Vec<GateStep>, Unreadable> {
    let seq = event.seq;
    let step = |what| GateStep { seq, what };
    match event.draft.kind.as_str() {
        body::GATE_OPENED => {
            let GateOpened { set } = state::body(event)?;
            match unfit(&set) {
                Some(why) => Err(Unreadable::broken(seq, format!("set `{}`: {why}", set.id))),
                None => Ok(vec![step(What::Open(Box::new(set)))]),
            }
        }
        kind @ (body::GATE_MET | body::GATE_DROPPED | body::GATE_REOPENED) => {
            let GatesChanged { changes } = state::body(event)?;
            if let Some((change, why)) = changes
                .iter()
                .find_map(|change| Some((change, wrong(kind, &change.to)?)))
            {
                let why = format!("gate `{}`: {why}", change.gate);
                return Err(Unreadable::broken(seq, why));
            }
            Ok(changes.into_iter().map(What::Turn).map(step).collect())
        }
        _ => Ok(Vec::new()),
    }
}

/// What is wrong with a change in an event of this kind.
fn wrong(kind: &str, to: &Becomes) -> Option<&'static str> {
    match (kind, to) {
        (body::GATE_MET, Becomes::Met(evidence)) => {
            if evidence.sentence.trim().is_empty() {
                return Some("its evidence proves no sentence");
            }
            (!evidence.holds()).then_some("its evidence has nothing behind it")
        }
        (body::GATE_DROPPED, Becomes::Dropped(why)) | (body::GATE_REOPENED, Becomes::Open(why)) => {
            why.trim().is_empty().then_some("its reason is empty")
        }
        _ => Some("the change is not of the kind that its event says"),
    }
}

/// What is wrong with a set that is about to be opened.
fn unfit(set: &GateSet) -> Option<&'static str> {
    if set.id.is_empty() {
        return Some("its id is empty");
    }
    if is_hollow(&set.tree) {
        return Some("a branch of its tree is empty");
    }
    let gates: BTreeSet<&str> = set.gates.iter().map(|gate| gate.id.as_str()).collect();
    if gates.len() != set.gates.len() || gates.contains("") {
        return Some("an id of its gates is empty or used twice");
    }
    let mut named = BTreeSet::new();
    set.tree.each(&mut |id| {
        named.insert(id.to_string());
    });
    if !named.iter().map(String::as_str).eq(gates) {
        return Some("its tree and its gates do not name the same");
    }
    let is_new = |gate: &crate::model::gate::Gate| {
        gate.status == GateStatus::Open && gate.evidence.is_none()
    };
    if !set.gates.iter().all(is_new) {
        return Some("a gate of it is not open, or has evidence");
    }
    if set.key != step::key(&set.blocks) {
        return Some("its key is not the one of its step");
    }
    // A number that reads back as its neighbour would look like damage for ever.
    let back = serde_json::to_string(set).and_then(|json| serde_json::from_str::<GateSet>(&json));
    match back.is_ok_and(|back| back == *set) {
        true => None,
        false => Some("a number in it does not keep its value when it is stored"),
    }
}

/// Whether a tree has a branch that could be met without any gate.
fn is_hollow(tree: &Tree) -> bool {
    match tree {
        Tree::Gate(_) => false,
        Tree::All(parts) | Tree::Any(parts) => parts.is_empty() || parts.iter().any(is_hollow),
    }
}

/// Applies steps to the sets that they are about, as far as these are `known`; answers those
/// sets as they are afterwards.
///
/// # Errors
/// A set that is opened twice, a change of a set or gate that is not there.
pub(super) fn turn_all(
    mut known: BTreeMap<String, Kept>,
    steps: Vec<GateStep>,
) -> Result<BTreeMap<String, Kept>, Unreadable> {
    for GateStep { seq, what } in steps {
        match what {
            What::Open(set) => {
                let id = set.id.clone();
                let kept = Kept {
                    opened: seq,
                    set: *set,
                };
                if known.insert(id.clone(), kept).is_some() {
                    let why = format!("the set `{id}` was opened before");
                    return Err(Unreadable::broken(seq, why));
                }
            }
            What::Turn(GateChange { set, gate, to }) => match known.get_mut(&set) {
                Some(kept) if kept.set.gate(&gate).is_some() => kept.set.apply(&gate, to),
                _ => {
                    let why = format!("there is no gate `{gate}` in a set `{set}`");
                    return Err(Unreadable::broken(seq, why));
                }
            },
        }
    }
    Ok(known)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::ledger::event::tests::draft;
    use crate::ledger::event::{GENESIS, VERSION};
    use serde_json::{Value, json};

    /// The body that opens a set with one gate.
    pub fn body_of(id: &str, blocks: &str, params: Value) -> Value {
        let key = step::key(blocks);
        json!({"set": {"id": id, "word": "/if-only", "mode": "only", "blocks": blocks, "key": key,
            "source": "s", "created_at": "t", "by": "agent", "order": 0, "tree": {"gate": id},
            "gates": [{"id": id, "condition": "c", "sentence": "s", "proof_method": "file",
                "params": params, "status": "open", "label": null, "due": null,
                "evidence": null, "because": null}]}})
    }

    fn read(kind: &str, body: Value) -> Result<Vec<GateStep>, Unreadable> {
        steps(&Event {
            v: VERSION,
            seq: 7,
            prev: GENESIS.to_string(),
            draft: draft("e", kind, body),
        })
    }

    #[test]
    fn a_number_that_would_read_back_as_another_is_refused() {
        for fine in [json!(0.1), json!(12.75), json!(u64::MAX), json!(-3)] {
            assert!(read("gate.opened", body_of("g", "s", fine)).is_ok());
        }
        let mut refused = 0;
        for n in 1..2_000_u32 {
            let number = 1.0 / f64::from(n) * 1e-9;
            let json = serde_json::to_string(&number).unwrap();
            let back: f64 = serde_json::from_str(&json).unwrap();
            let is_ok = read("gate.opened", body_of("g", "s", json!(number))).is_ok();
            assert_eq!(is_ok, back.to_bits() == number.to_bits(), "{number}");
            refused += u32::from(!is_ok);
        }
        assert!(refused > 0, "then the check can go");
    }

    #[test]
    fn steps_apply_in_order_and_not_at_all_if_one_does_not_fit() {
        let open = read("gate.opened", body_of("g", "s", json!(null))).unwrap();
        let turn = |gate: &str, to| GateStep {
            seq: 8,
            what: What::Turn(GateChange {
                set: "g".to_string(),
                gate: gate.to_string(),
                to,
            }),
        };
        let mut all = open.clone();
        all.push(turn("g", Becomes::Dropped("a".to_string())));
        all.push(turn("g", Becomes::Open("b".to_string())));
        let turned = turn_all(BTreeMap::new(), all.clone()).unwrap();
        assert_eq!(turned["g"].opened, 7);
        assert_eq!(turned["g"].set.gates[0].because.as_deref(), Some("b"));
        assert!(forbids(&turned["g"].set));
        for (wrong, seq) in [
            (turn("h", Becomes::Open("b".to_string())), 8),
            (open[0].clone(), 7),
        ] {
            let mut all = all.clone();
            all.push(wrong);
            let mut sets = sets::Sets::default();
            let fault = sets.take(all).unwrap_err();
            assert!(matches!(fault, Unreadable::Broken { seq: s, .. } if s == seq));
            assert_eq!(sets, sets::Sets::default());
        }
    }
}
