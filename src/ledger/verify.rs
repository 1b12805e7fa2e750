//! Whether a ledger is whole: every event against the chain, the projection against all events.
//!
//! INVARIANT: a single changed bit in the stored bytes or hashes is found. What a chain cannot
//! show is an end that was cut off: the projection shows that, and the anchor.

use std::cmp::Ordering;

use super::event::{Stored, read_link};
use super::fault::LedgerFault;
use super::gates::sets::Sets;
use super::gates::{self, GateQuery, Gates};
use super::state::State;
use super::upcast::Unreadable;
use super::{Head, Ledger, View};
use crate::model::gate::GateSet;

/// How many events are read at once.
const BATCH: u64 = 500;

/// One thing that is wrong with a ledger.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Finding {
    /// Number of the event; 0 if it is not about a single one.
    pub event: u64,
    /// Stable code: `ledger::event`, `ledger::newer`, `ledger::head`, `ledger::projection`,
    /// `ledger::storage`, or that of the fault which says that it is lost.
    pub code: String,
    /// What is wrong, for a person.
    pub message: String,
}

impl Finding {
    fn new(event: u64, code: &str, message: impl Into<String>) -> Self {
        Finding {
            event,
            code: code.to_string(),
            message: message.into(),
        }
    }
}

impl Finding {
    /// A fault that says itself that something is wrong with the ledger as a whole.
    pub fn of(fault: &LedgerFault) -> Self {
        let message = format!("{fault}; {}", fault.help());
        Finding::new(0, fault.code(), message)
    }
}

/// Everything that is wrong with the ledger; empty if it is whole. What is appended meanwhile
/// is not looked at.
///
/// # Errors
/// What keeps it from being read at all, such as another process. Damage is a finding.
pub fn verify(ledger: &dyn Ledger) -> Result<Vec<Finding>, LedgerFault> {
    let mut findings = Vec::new();
    let sentences = ledger.unsound();
    for sentence in kept(sentences, &mut findings)?.unwrap_or_default() {
        findings.push(Finding::new(0, "ledger::storage", sentence));
    }
    // Gates first: their head is then met on the way to the one of the view.
    let gates = ledger.gates(&GateQuery::All);
    let gates = kept(gates, &mut findings)?;
    let view = ledger.view();
    let view = kept(view, &mut findings)?;
    let end = view.as_ref().map_or(u64::MAX, |v| v.head.seq);
    let mut walk = Walk {
        gates,
        ..Walk::default()
    };
    walk.compare_gates();
    let walked = walk.all(ledger, end);
    kept(walked, &mut findings)?;
    findings.append(&mut walk.findings);
    if let Some(view) = view {
        compare(&view, &walk, &mut findings);
    }
    Ok(findings)
}

/// Damage becomes a finding, other faults stay.
fn kept<T>(
    result: Result<T, LedgerFault>,
    findings: &mut Vec<Finding>,
) -> Result<Option<T>, LedgerFault> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(LedgerFault::Corrupt { detail, .. }) => {
            let finding = Finding::new(0, "ledger::storage", detail);
            if !findings.contains(&finding) {
                findings.push(finding);
            }
            Ok(None)
        }
        Err(LedgerFault::Newer { found, .. }) => {
            let message = format!("an event has version {found}, which is not known here");
            findings.push(Finding::new(0, "ledger::newer", message));
            Ok(None)
        }
        Err(other) => Err(other),
    }
}

fn compare(view: &View, walk: &Walk, findings: &mut Vec<Finding>) {
    if view.head != walk.head {
        let message = format!(
            "the ledger says it ends at event {}, its events end at {}",
            view.head.seq, walk.head.seq
        );
        findings.push(Finding::new(view.head.seq, "ledger::head", message));
    }
    if view.state != walk.state {
        let message = "the projection is not what the events add up to";
        findings.push(Finding::new(0, "ledger::projection", message));
    }
}

/// A walk along the chain that goes on behind damage.
struct Walk {
    head: Head,
    state: State,
    sets: Sets,
    findings: Vec<Finding>,
    /// What the ledger says of its gates, until the walk comes to that head.
    gates: Option<Gates>,
}

impl Default for Walk {
    fn default() -> Self {
        Walk {
            head: Head::genesis(),
            state: State::default(),
            sets: Sets::default(),
            findings: Vec::new(),
            gates: None,
        }
    }
}

impl Walk {
    fn all(&mut self, ledger: &dyn Ledger, end: u64) -> Result<(), LedgerFault> {
        while self.head.seq < end {
            let limit = BATCH.min(end - self.head.seq);
            let rows = ledger.stored(self.head.seq, limit)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in rows.iter().filter(|r| r.seq <= end) {
                self.step(row);
            }
            if rows.last().is_some_and(|r| r.seq > end) {
                return Ok(());
            }
        }
        Ok(())
    }

    fn step(&mut self, row: &Stored) {
        let read = read_link(&self.head, row).and_then(|event| {
            self.state.take(&event)?;
            self.sets.take(gates::steps(&event)?)
        });
        match read {
            Ok(()) => {}
            Err(Unreadable::Broken { why, .. }) => {
                self.findings
                    .push(Finding::new(row.seq, "ledger::event", why));
            }
            Err(Unreadable::Newer { found }) => {
                let why = format!("it has version {found}, which is not known here");
                self.findings
                    .push(Finding::new(row.seq, "ledger::newer", why));
            }
        }
        self.head = row.head();
        self.compare_gates();
    }

    /// Compares the gates where the walk stands at their head.
    fn compare_gates(&mut self) {
        let Some(gates) = self.gates.take_if(|gates| gates.head == self.head) else {
            return;
        };
        if let Some(what) = difference(&gates.sets, &self.sets.answer(&GateQuery::All)) {
            let message = format!("the gates are not what the events add up to: {what}");
            self.findings
                .push(Finding::new(0, "ledger::projection", message));
        }
    }
}

/// The first difference between the sets that stand there and those that should.
fn difference(there: &[GateSet], should: &[GateSet]) -> Option<String> {
    let mut pairs = there.iter().zip(should);
    if let Some((_, set)) = pairs.find(|(there, should)| there != should) {
        return Some(format!("set `{}` is missing or another", set.id));
    }
    match there.len().cmp(&should.len()) {
        Ordering::Equal => None,
        Ordering::Less => Some(format!("{} sets are missing", should.len() - there.len())),
        Ordering::Greater => Some(format!("{} sets too many", there.len() - should.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::event::tests::draft;
    use crate::ledger::memory::MemoryLedger;
    use serde_json::json;

    fn grown(events: usize) -> MemoryLedger {
        let mut ledger = MemoryLedger::new("s");
        for n in 0..events {
            let draft = draft(&format!("e{n}"), "note.added", json!({"text": "x"}));
            let head = ledger.head().unwrap();
            ledger.append(&head, &[draft]).unwrap();
        }
        ledger
    }

    #[test]
    fn a_whole_ledger_has_no_findings_and_each_damage_is_named() {
        assert_eq!(verify(&grown(0)), Ok(Vec::new()));
        assert_eq!(verify(&grown(3)), Ok(Vec::new()));
        type Damage = fn(&mut Vec<Stored>, &mut State);
        let damages: [(Damage, u64, &str); 5] = [
            (|rows, _| rows[1].bytes[60] ^= 1, 2, "ledger::event"),
            (
                |rows, _| rows[1].hash.replace_range(0..1, "x"),
                2,
                "ledger::event",
            ),
            (|rows, _| rows[2].id.push('x'), 3, "ledger::event"),
            (
                |rows, _| {
                    rows.remove(1);
                },
                3,
                "ledger::event",
            ),
            (
                |_, state| {
                    state.notes.clear();
                },
                0,
                "ledger::projection",
            ),
        ];
        for (n, (damage, event, code)) in damages.into_iter().enumerate() {
            let ledger = grown(3);
            ledger.damage(damage);
            let findings = verify(&ledger).unwrap();
            let first = findings
                .first()
                .unwrap_or_else(|| panic!("damage {n} was not found"));
            assert_eq!(
                (first.event, first.code.as_str()),
                (event, code),
                "{findings:?}"
            );
        }
    }

    #[test]
    fn gates_that_are_not_what_the_events_say_are_named() {
        use crate::ledger::gates::Kept;
        use crate::ledger::gates::tests::body_of;
        use crate::model::gate::GateStatus;
        use std::collections::BTreeMap;
        type Damage = fn(&mut BTreeMap<String, Kept>);
        let damages: [(Damage, &str); 4] = [
            (|_| {}, ""),
            (
                |sets| {
                    sets.remove("g1");
                },
                "1 sets are missing",
            ),
            (
                |sets| sets.get_mut("g0").unwrap().set.gates[0].status = GateStatus::Met,
                "set `g0` is missing or another",
            ),
            (
                |sets| {
                    let more = sets["g1"].clone();
                    sets.insert("g2".to_string(), more);
                },
                "1 sets too many",
            ),
        ];
        for (damage, named) in damages {
            let mut ledger = grown(1);
            for id in ["g0", "g1"] {
                let draft = draft(id, "gate.opened", body_of(id, id, json!(null)));
                let head = ledger.head().unwrap();
                ledger.append(&head, &[draft]).unwrap();
            }
            ledger.damage_gates(damage);
            let findings = verify(&ledger).unwrap();
            match named {
                "" => assert_eq!(findings, []),
                named => {
                    assert_eq!(findings.len(), 1, "{findings:?}");
                    assert_eq!(findings[0].code, "ledger::projection");
                    assert!(findings[0].message.ends_with(named), "{findings:?}");
                }
            }
        }
    }

    #[test]
    fn an_end_that_was_cut_off_shows_in_the_projection() {
        let ledger = grown(3);
        ledger.damage(|rows, _| {
            rows.pop();
        });
        let findings = verify(&ledger).unwrap();
        assert_eq!(findings[0].code, "ledger::projection");
    }

    /// An engine that names another head than its events have.
    struct Lying(MemoryLedger);

    impl Ledger for Lying {
        fn place(&self) -> &str {
            self.0.place()
        }
        fn identity(&self) -> Result<crate::ledger::Identity, LedgerFault> {
            self.0.identity()
        }
        fn head(&self) -> Result<Head, LedgerFault> {
            self.0.head()
        }
        fn append(
            &mut self,
            head: &Head,
            drafts: &[crate::ledger::event::Draft],
        ) -> Result<crate::ledger::Appended, LedgerFault> {
            self.0.append(head, drafts)
        }
        fn view(&self) -> Result<View, LedgerFault> {
            let mut view = self.0.view()?;
            view.head.seq += 1;
            Ok(view)
        }
        fn gates(&self, query: &GateQuery<'_>) -> Result<Gates, LedgerFault> {
            self.0.gates(query)
        }
        fn next_wake(&self, after: i64) -> Result<Option<i64>, LedgerFault> {
            self.0.next_wake(after)
        }
        fn open_steps(&self) -> Result<Vec<String>, LedgerFault> {
            self.0.open_steps()
        }
        fn forbidden(&self) -> Result<Vec<String>, LedgerFault> {
            self.0.forbidden()
        }
        fn stored(&self, from: u64, limit: u64) -> Result<Vec<Stored>, LedgerFault> {
            self.0.stored(from, limit)
        }
        fn unsound(&self) -> Result<Vec<String>, LedgerFault> {
            Ok(vec!["a page is used twice".to_string()])
        }
    }

    #[test]
    fn a_false_head_and_what_the_engine_says_are_findings() {
        let findings = verify(&Lying(grown(2))).unwrap();
        let codes: Vec<_> = findings.iter().map(|f| f.code.as_str()).collect();
        assert_eq!(codes, ["ledger::storage", "ledger::head"]);
    }

    #[test]
    fn what_keeps_it_from_being_read_is_no_finding() {
        let ledger = grown(1);
        let busy = LedgerFault::Busy {
            path: "p".to_string(),
            waited_ms: 1,
        };
        ledger.fail_with(Some(busy.clone()));
        assert_eq!(verify(&ledger), Err(busy));
    }
}
