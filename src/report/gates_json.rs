//! Gates as the shapes that others build on: additive only.

use serde_json::{Value, json};

use crate::app::gates::check::Report as Checks;
use crate::app::gates::consent::Report as Consent;
use crate::app::gates::may::May;
use crate::app::gates::open::Report as Opening;
use crate::diag::Fault;
use crate::gate::check::Checked;
use crate::lang::Suggestion;
use crate::model::gate::{Gate, GateSet};

/// One gate.
pub fn gate(set: &GateSet, gate: &Gate) -> Value {
    json!({
        "id": gate.id,
        "condition": gate.condition,
        "sentence": gate.sentence,
        "blocks": set.blocks,
        "mode": set.mode,
        "proof_method": gate.proof_method,
        "status": gate.status,
        "created_at": set.created_at,
        "due": gate.due,
        "evidence": gate.evidence,
        "because": gate.because,
        "set": set.id,
        "set_status": set.status(),
        "label": gate.label,
        "source": set.source,
        "params": gate.params,
        "notes": set.notes,
    })
}

fn flat(sets: &[GateSet]) -> Vec<Value> {
    let gates = sets
        .iter()
        .flat_map(|set| set.gates.iter().map(move |one| gate(set, one)));
    gates.collect()
}

/// A list.
pub fn gates(sets: &[GateSet]) -> Value {
    json!({ "belegt": 1, "kind": "gates", "gates": flat(sets) })
}

/// What was opened, and what is wrong with the rest.
pub fn opened(report: &Opening) -> Value {
    let sets: Vec<Value> = report
        .opened
        .iter()
        .map(|one| {
            json!({
                "set": one.set.id,
                "already": one.already,
                "true_now": one.true_now,
                "gates": flat(std::slice::from_ref(&one.set)),
            })
        })
        .collect();
    json!({
        "belegt": 1,
        "kind": "opened",
        "opened": sets,
        "refused": report.faults.iter().map(refused).collect::<Vec<_>>(),
        "ledger": report.place.path,
        "durable": report.place.passing.is_none(),
        "moored": report.moored,
        "widens": false,
    })
}

fn refused(fault: &Fault) -> Value {
    let place = fault.place();
    json!({
        "code": fault.code().text(),
        "message": fault.message(),
        "help": fault.help_text(),
        "file": place.as_ref().map(|p| &p.0),
        "line": place.as_ref().map(|p| p.1),
        "column": place.as_ref().map(|p| p.2),
    })
}

/// Suggestions.
pub fn suggestions(all: &[Suggestion]) -> Value {
    let all: Vec<Value> = all
        .iter()
        .map(|one| json!({ "statement": one.statement, "because": one.because }))
        .collect();
    json!({ "belegt": 1, "kind": "suggestions", "suggestions": all })
}

/// A check.
pub fn checks(report: &Checks) -> Value {
    json!({
        "belegt": 1,
        "kind": "gates",
        "answer": report.answer.word(),
        "next": report.next,
        "gates": report.checked.iter().flat_map(checked).collect::<Vec<_>>(),
    })
}

fn checked(one: &Checked) -> Vec<Value> {
    let gates = one.set.gates.iter().map(|known| {
        let mut shown = gate(&one.set, known);
        let proof = one.proofs.get(&known.id);
        if let (Value::Object(shown), Some(proof)) = (&mut shown, proof) {
            shown.insert("finding".to_string(), json!(proof.status));
            shown.insert("why".to_string(), json!(proof.why));
        }
        shown
    });
    gates.collect()
}

/// Whether a step may run.
pub fn may(may: &May) -> Value {
    json!({
        "belegt": 1,
        "kind": "may",
        "step": may.step,
        "answer": may.answer.word(),
        "why": may.why,
        "near": may.near,
        "gates": may.gates.iter().flat_map(checked).collect::<Vec<_>>(),
        "widens": false,
    })
}

/// A person's answer.
pub fn consent(report: &Consent) -> Value {
    json!({
        "belegt": 1,
        "kind": "consent",
        "gate": report.gate,
        "meaning": report.meaning.word(),
        "gates": flat(std::slice::from_ref(&report.set)),
        "further": report.further.as_ref().map(|set| flat(std::slice::from_ref(set))),
    })
}
