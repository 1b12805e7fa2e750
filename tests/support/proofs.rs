//! What the tests of proof methods share: phrases, and gates made of them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use std::sync::Arc;

use belegt::ask::Done;
use belegt::model::receipt::Outcome;
use belegt::script::answer::{Answered, Reply};
use belegt::script::layers::Scripts;
use serde_json::{Value, json};

use crate::support::Stage;

/// A stage whose scripts are compiled once for many questions.
pub fn compiled() -> Stage {
    Stage {
        compiled: Some(Arc::new(Scripts::built_in())),
        ..Stage::new()
    }
}

/// What a method says of a text: sentence and params, or nothing.
pub fn condition(stage: &Stage, method: &str, text: &str) -> Option<(String, Value)> {
    let done = stage.recognise(method, text);
    match done
        .result
        .unwrap_or_else(|f| panic!("`{text}`: {}", f.line()))
    {
        None => None,
        Some(Answered {
            reply: Reply::Condition { sentence, params },
            ..
        }) => Some((sentence, params)),
        Some(other) => panic!("`{text}`: {:?}", other.reply),
    }
}

/// Why a method refuses a text, and the piece that it cannot read.
pub fn refusal(stage: &Stage, method: &str, text: &str) -> (String, String) {
    match stage.recognise(method, text).result.unwrap() {
        Some(Answered {
            reply: Reply::Refused { why, piece },
            ..
        }) => (why, piece),
        other => panic!("`{text}`: {other:?}"),
    }
}

/// Every phrase is recognised by this method and by no other of those that are shipped.
pub fn only_this_method(stage: &Stage, method: &str, phrases: &[&str]) {
    let scripts = Scripts::built_in();
    let methods = scripts.below("probes/proofs/");
    assert!(methods.contains(&method));
    let mut problems = Vec::new();
    for phrase in phrases {
        for asked in &methods {
            let recognised = stage.recognise(asked, phrase).result.unwrap().is_some();
            if recognised != (*asked == method) {
                problems.push(format!("`{phrase}` by `{asked}`: {recognised}"));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// No shipped method recognises any of these.
pub fn no_method(stage: &Stage, texts: &[&str]) {
    let scripts = Scripts::built_in();
    let mut problems = Vec::new();
    for text in texts {
        for asked in scripts.below("probes/proofs/") {
            if let Some(answer) = stage.recognise(asked, text).result.unwrap() {
                problems.push(format!("`{text}` by `{asked}`: {:?}", answer.reply));
            }
        }
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// A gate as `prove` gets it.
pub fn gate(params: Value, mode: &str) -> Value {
    json!({
        "id": "g0000beef", "condition": "as written", "sentence": "as it can be checked",
        "params": params, "created_at": "2026-11-30T09:00:00+01:00", "mode": mode,
    })
}

/// Recognises a text and proves what was recognised; the word of the answer and its reason.
pub fn proven(stage: &Stage, method: &str, text: &str, mode: &str) -> (&'static str, String) {
    let (_, params) = condition(stage, method, text).unwrap_or_else(|| panic!("`{text}`"));
    said(&stage.prove(method, gate(params, mode)))
}

/// The word of an answer and its reason. What counts as met has a look behind it.
pub fn said(done: &Done<Answered>) -> (&'static str, String) {
    match &done.result {
        Err(fault) => ("fault", fault.line()),
        Ok(answered) => {
            let word = answered.reply.constructor();
            let looked = done.receipts.iter().any(|r| r.outcome == Outcome::Answered);
            let met = matches!(word, "found" | "reported");
            assert!(looked || !met, "`{word}` without a look");
            (word, answered.why())
        }
    }
}

/// The answer has this word, and its reason holds each of these texts.
pub fn says(got: (&str, String), word: &str, parts: &[&str]) {
    let (said, why) = got;
    assert_eq!(said, word, "{why}");
    for part in parts {
        assert!(why.contains(part), "`{part}` is missing in `{why}`");
    }
}
