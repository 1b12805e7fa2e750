//! A person's consent: what an answer means, and the evidence that it makes.
//!
//! INVARIANT: only words of the allow-list are consent; whatever else was answered leaves the
//! gate open. An agent has no way here: the caller hands over what a person typed.

use serde_json::Value;

use crate::ask::Asking;
use crate::model::gate::{Class, Evidence, Gate, NO_METHOD};
use crate::model::text::escape;
use crate::script::call::Argument;

use super::methods::path;
use super::prove::Run;

/// The method that asks a person.
pub const METHOD: &str = "consent";

/// What a person's answer means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Consent.
    Yes,
    /// No consent.
    No,
    /// Consent on a condition of its own.
    Conditional(String),
    /// Neither can be read out of it.
    Unclear,
}

impl Meaning {
    /// The word as it is shown and stored.
    pub fn word(&self) -> &'static str {
        match self {
            Meaning::Yes => "yes",
            Meaning::No => "no",
            Meaning::Conditional(_) => "conditional",
            Meaning::Unclear => "unclear",
        }
    }
}

/// Whether a person's word can close this gate.
pub fn closes(gate: &Gate) -> bool {
    matches!(gate.proof_method.as_str(), METHOD | NO_METHOD)
}

/// Reads an answer by the rule of the consent script.
///
/// # Errors
/// Why it cannot be read.
pub fn meaning(asking: &Asking, answer: &str) -> Result<Meaning, String> {
    if answer.trim().is_empty() {
        return Ok(Meaning::Unclear);
    }
    let arguments = vec![Argument::Text(answer.trim().to_string()), Argument::Context];
    let done = asking.data(&path(METHOD), "judge", arguments);
    let judged = done.result.map_err(|fault| fault.line())?;
    let text = |key: &str| judged.get(key).and_then(Value::as_str).unwrap_or_default();
    match text("verdict") {
        "yes" => Ok(Meaning::Yes),
        "no" => Ok(Meaning::No),
        "conditional" if !text("condition").trim().is_empty() => {
            Ok(Meaning::Conditional(text("condition").trim().to_string()))
        }
        "conditional" | "unclear" => Ok(Meaning::Unclear),
        other => Err(format!(
            "`judge` may not answer with the verdict `{}`",
            escape(other)
        )),
    }
}

/// What is asked about a gate.
pub fn question(gate: &Gate, step: &str) -> String {
    format!(
        "gate {}: {}\nIt blocks: {}\nDo you agree? Answer in words (`ja`, `yes`, `nein`, `no`):",
        gate.id,
        escape(&gate.sentence),
        escape(step)
    )
}

/// The evidence of a recorded consent.
pub fn evidence(gate: &Gate, answer: &str, by: &str, run: &Run) -> Evidence {
    Evidence {
        method: METHOD.to_string(),
        sentence: gate.sentence.clone(),
        class: Class::Consent,
        receipts: Vec::new(),
        why: format!(
            "{} at the terminal answered `{}`",
            escape(by),
            escape(answer.trim())
        ),
        script: String::new(),
        digest: String::new(),
        line: 0,
        run: run.id.clone(),
        at: run.at.clone(),
    }
}
