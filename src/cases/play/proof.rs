//! A proof method: what it recognises, what it proves, how a person's answer is read.

use serde_json::{Map, Value, json};

use crate::ask::{Asking, CallRecord};
use crate::gate::consent::{self, Meaning};
use crate::gate::prove::{Run, prove};
use crate::model::gate::{Gate, GateSet, GateStatus, Mode, Tree};
use crate::script::answer::Reply;
use crate::script::call::Argument;

use crate::cases::case::Case;
use crate::cases::told::{Told, evidence};

/// Plays what the case asks for: a reply, a text, a gate, or a text and the proof of it.
pub fn play(case: &Case, asking: &Asking, method: &str) -> Result<Told, String> {
    if let Some(reply) = &case.reply {
        return Ok(judged(asking, reply));
    }
    if let Some(text) = &case.text {
        let (told, params) = recognised(asking, method, text);
        return match (case.prove, params) {
            (true, Some((sentence, params))) => {
                let gate = json!({ "sentence": sentence, "params": params });
                let mut gate: Map<String, Value> = gate.as_object().cloned().unwrap_or_default();
                gate.extend(case.gate.clone().unwrap_or_default());
                Ok(proven(case, asking, (method, &gate)))
            }
            (true, None) => Err(format!(
                "`prove` is asked, and `{method}` does not recognise the text: nothing is proven"
            )),
            (false, _) => Ok(told),
        };
    }
    match &case.gate {
        Some(gate) => Ok(proven(case, asking, (method, gate))),
        None => Err("a case of a proof needs `text`, `gate` or `reply`".to_string()),
    }
}

fn judged(asking: &Asking, reply: &str) -> Told {
    let (answer, condition, why) = match consent::meaning(asking, reply) {
        Ok(meaning) => {
            let condition = match &meaning {
                Meaning::Conditional(condition) => Some(condition.clone()),
                _ => None,
            };
            (meaning.word(), condition, None)
        }
        Err(why) => ("unavailable", None, Some(why)),
    };
    Told::new(
        json!({ "answer": answer, "condition": condition, "why": why }),
        &[],
    )
}

type Params = Option<(String, Value)>;

fn recognised(asking: &Asking, method: &str, text: &str) -> (Told, Params) {
    let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
    let path = crate::gate::methods::path(method);
    let done = asking.answer_or_none(&path, "recognise", arguments);
    let mut got = json!({
        "answer": "none", "sentence": null, "params": null, "piece": null, "why": null,
        "evidence": evidence(std::slice::from_ref(&done.record)),
    });
    let mut set = |key: &str, value: Value| {
        if let Value::Object(fields) = &mut got {
            fields.insert(key.to_string(), value);
        }
    };
    let mut found = None;
    match done.result {
        Ok(None) => {}
        Ok(Some(answered)) => {
            set("answer", answered.reply.constructor().into());
            set("why", answered.why().into());
            match answered.reply {
                Reply::Condition { sentence, params } => {
                    set("sentence", sentence.as_str().into());
                    set("params", params.clone());
                    found = Some((sentence, params));
                }
                Reply::Refused { piece, .. } => set("piece", piece.into()),
                _ => {}
            }
        }
        Err(fault) => {
            set("answer", "unavailable".into());
            set("why", fault.line().into());
        }
    }
    (Told::new(got, &[done.record]), found)
}

fn proven(case: &Case, asking: &Asking, (method, gate): (&str, &Map<String, Value>)) -> Told {
    let set = set(case, method, gate);
    let run = Run {
        id: "case".to_string(),
        at: asking.facts.now.rfc3339(),
    };
    let Some(gate) = set.gates.first() else {
        return Told::new(Value::Null, &[]);
    };
    let proof = prove(asking, &run, &set, gate);
    let calls: Vec<CallRecord> = proof.call.into_iter().collect();
    let got = json!({
        "answer": proof.status,
        "class": proof.evidence.as_ref().map(|evidence| evidence.class),
        "sentence": gate.sentence,
        "params": gate.params,
        "why": proof.why,
        "help": proof.help,
        "evidence": evidence(&calls),
    });
    Told::new(got, &calls)
}

/// The gate of a case, alone in its set.
pub(super) fn set(case: &Case, method: &str, given: &Map<String, Value>) -> GateSet {
    let text = |key: &str, default: &str| {
        let given = given.get(key).and_then(Value::as_str);
        given.unwrap_or(default).to_string()
    };
    let id = text("id", "g000000000001");
    let mode = match text("mode", "wait").as_str() {
        "only" => Mode::Only,
        _ => Mode::Wait,
    };
    let gate = Gate {
        id: id.clone(),
        condition: text("condition", ""),
        sentence: text("sentence", ""),
        proof_method: method.to_string(),
        params: given.get("params").cloned().unwrap_or_else(|| json!({})),
        status: GateStatus::Open,
        label: None,
        due: None,
        evidence: None,
        because: None,
    };
    GateSet {
        word: "/if".to_string(),
        mode,
        blocks: text("blocks", "the step"),
        key: String::new(),
        source: String::new(),
        carried: String::new(),
        created_at: text("created_at", &case.at),
        by: "unknown".to_string(),
        order: 0,
        tree: Tree::Gate(id.clone()),
        gates: vec![gate],
        notes: Vec::new(),
        id,
    }
}
