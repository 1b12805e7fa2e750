//! Proving one gate by its method.
//!
//! INVARIANT (L3, L10): evidence is made here alone, from a `found` or `reported` with a
//! successful look of this very call.
//! INVARIANT (L5): a fault, a missing method and an answer of another kind are unavailable.

use serde_json::{Value, json};

use crate::ask::looking;
use crate::ask::{Asking, CallRecord, Done};
use crate::diag::Fault;
use crate::model::gate::{Class, Evidence, Gate, GateSet, Mode, NO_METHOD};
use crate::model::receipt::{Outcome, Receipt};
use crate::model::status::Status;
use crate::script::answer::{Answered, Reply};
use crate::script::call::Argument;

use super::consent;
use super::methods::path;

/// The sentence about a condition that no method recognises.
pub const NO_PATH: &str =
    "no objective proof path: only a person's consent or a restated condition closes it";

/// What a proof came to.
#[derive(Debug, Clone)]
pub struct Proof {
    /// Found, empty or unavailable.
    pub status: Status,
    /// Why.
    pub why: String,
    /// What a person can do, if it is known.
    pub help: Option<String>,
    /// What the gate may be met with, if it was found.
    pub evidence: Option<Evidence>,
    /// Whether asking takes long or reaches outside.
    pub is_costly: bool,
    /// What was called.
    pub call: Option<CallRecord>,
}

/// In which run proofs are made.
#[derive(Debug, Clone)]
pub struct Run {
    /// Id of the run.
    pub id: String,
    /// The instant of the run, RFC 3339 with zone offset.
    pub at: String,
}

/// Asks the gate's own method.
pub fn prove(asking: &Asking, run: &Run, set: &GateSet, gate: &Gate) -> Proof {
    if gate.proof_method == NO_METHOD {
        return unproven(Status::Unavailable, NO_PATH.to_string(), None);
    }
    if gate.proof_method == consent::METHOD {
        // No script stands in for a person, whatever it answers.
        let why = format!(
            "a person's consent is given with `belegt gate meet {}`",
            gate.id
        );
        return unproven(Status::Unavailable, why, None);
    }
    let script = path(&gate.proof_method);
    let arguments = vec![Argument::Context, Argument::Data(shown(set, gate))];
    let done = asking.answer(&script, "prove", arguments);
    let record = done.record.clone();
    let mut proof = judged(asking, run, (set, gate), done);
    proof.call = Some(record);
    let script = asking.scripts.script(&script);
    proof.is_costly = script.is_ok_and(|script| !script.meta.cheap);
    proof
}

/// A gate as its method sees it.
pub fn shown(set: &GateSet, gate: &Gate) -> Value {
    json!({
        "id": gate.id,
        "condition": gate.condition,
        "sentence": gate.sentence,
        "params": gate.params,
        "created_at": set.created_at,
        "mode": set.mode,
        "blocks": set.blocks,
    })
}

fn judged(
    asking: &Asking,
    run: &Run,
    (set, gate): (&GateSet, &Gate),
    done: Done<Answered>,
) -> Proof {
    let answered = match done.result {
        Ok(answered) => answered,
        Err(fault) => return failed(&fault),
    };
    let (class, why) = match claimed(&answered) {
        Ok(claim) => claim,
        Err((status, why)) => return unproven(status, why, None),
    };
    let looks = done.receipts.into_iter();
    let is_look = |r: &Receipt| looking::reaches(r) && r.outcome == Outcome::Answered;
    let receipts: Vec<_> = looks.filter(is_look).collect();
    if receipts.is_empty() {
        let why = format!("{}: answered without looking", answered.place());
        let help = Some("a proof looks before it answers".to_string());
        return unproven(Status::Unavailable, why, help);
    }
    if class == Class::Reported && set.mode == Mode::Only {
        let why = format!("{why}; the worker's own mark is not enough for a prohibition");
        return unproven(Status::Unavailable, why, None);
    }
    let bare = Evidence {
        method: gate.proof_method.clone(),
        sentence: gate.sentence.clone(),
        class,
        receipts,
        why,
        script: answered.source,
        digest: String::new(),
        line: answered.line,
        run: run.id.clone(),
        at: run.at.clone(),
    };
    proven(asking, bare)
}

/// What the script claims, or what it says instead.
fn claimed(answered: &Answered) -> Result<(Class, String), (Status, String)> {
    let none = |status, why: &String| Err((status, why.clone()));
    match &answered.reply {
        Reply::Found(items, why) if items.is_empty() => Ok((Class::Measured, why.clone())),
        Reply::Reported(why) => Ok((Class::Reported, why.clone())),
        Reply::Empty(why) => none(Status::Empty, why),
        Reply::Unavailable(why) => none(Status::Unavailable, why),
        _ => none(Status::Unavailable, &answered.misplaced("prove")),
    }
}

/// A proof that was found, with the digest of the script that found it.
fn proven(asking: &Asking, mut evidence: Evidence) -> Proof {
    let script = asking.scripts.effective(&path(&evidence.method));
    evidence.digest = script.map(|source| source.digest()).unwrap_or_default();
    let why = evidence.why.clone();
    Proof {
        evidence: Some(evidence),
        ..unproven(Status::Found, why, None)
    }
}

fn failed(fault: &Fault) -> Proof {
    let help = fault.help_text().map(str::to_string);
    unproven(Status::Unavailable, fault.line(), help)
}

fn unproven(status: Status, why: String, help: Option<String>) -> Proof {
    Proof {
        status,
        why,
        help,
        evidence: None,
        is_costly: false,
        call: None,
    }
}
