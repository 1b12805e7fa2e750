//! The record of one call: what `explain` tells of it later, without running it again.

use serde::Serialize;

use crate::diag::Fault;
use crate::model::receipt::Receipt;
use crate::script::answer::Answered;
use crate::script::frame::Limits;

/// What one call did.
#[derive(Debug, Clone, Serialize)]
pub struct CallRecord {
    /// The script, with its layer.
    pub script: String,
    /// The entry function.
    pub entry: String,
    /// The constructor of the answer, `data`, `none`, or `fault`.
    pub answer: String,
    /// The answer's reason, or the fault's line.
    pub why: String,
    /// The script whose line made the answer, which an imported script may be.
    pub source: String,
    /// The line that made the answer, counted from 1; 0 if no line did.
    pub line: usize,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// What it used of its limits.
    pub limits: Limits,
    /// What the script printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// The looks of the call.
    pub receipts: Vec<Receipt>,
}

/// What a call ended with.
pub(super) struct Said {
    answer: String,
    why: String,
    source: String,
    line: usize,
}

impl Said {
    /// A word and a reason that no line of a script stands for.
    pub(super) fn new(answer: &str, why: String) -> Self {
        Said {
            answer: answer.to_string(),
            why,
            source: String::new(),
            line: 0,
        }
    }

    /// An answer, with the line that made it.
    pub(super) fn answer(answered: &Answered) -> Self {
        Said {
            source: answered.source.clone(),
            line: answered.line,
            ..Said::new(answered.reply.constructor(), answered.why())
        }
    }

    /// What went wrong, with its place.
    pub(super) fn fault(fault: &Fault) -> Self {
        let (source, line, _) = fault.place().unwrap_or_default();
        Said {
            source,
            line,
            ..Said::new("fault", fault.line())
        }
    }
}

impl CallRecord {
    /// The record of a call that ended.
    pub(super) fn new(
        (script, entry): (&str, &str),
        said: Said,
        (limits, receipts): (Limits, Vec<Receipt>),
    ) -> Self {
        CallRecord {
            script: script.to_string(),
            entry: entry.to_string(),
            answer: said.answer,
            why: said.why,
            source: said.source,
            line: said.line,
            micros: limits.micros.used,
            limits,
            printed: String::new(),
            receipts,
        }
    }
}
