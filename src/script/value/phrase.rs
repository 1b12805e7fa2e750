//! A phrase of time as scripts see it.
//!
//! INVARIANT: the meaning of a phrase that has none is not empty but an error; `ok` is asked first.

use std::sync::Arc;

use rhai::{Module, Variant};

use crate::formats::when::{Phrase, Reading, TZDATA};
use crate::script::host::{Fallible, getter, misuse_here};

/// What a text says of time.
#[derive(Debug, Clone)]
pub struct Heard(Arc<Phrase>);

impl Heard {
    /// The handle.
    pub fn new(phrase: Phrase) -> Self {
        Heard(Arc::new(phrase))
    }

    fn refusal(&self) -> (&str, &str) {
        match self.0.as_ref() {
            Phrase::Refused { why, piece } => (why, piece),
            Phrase::None => ("this is no phrase of time", ""),
            Phrase::At(_) => ("", ""),
        }
    }

    fn reading(&self, what: &str) -> Fallible<&Reading> {
        match self.0.as_ref() {
            Phrase::At(reading) => Ok(reading),
            Phrase::Refused { .. } | Phrase::None => {
                let why = self.refusal().0;
                Err(misuse_here(format!(
                    "`{what}` was read from a phrase without it ({why}); ask `.ok` first"
                )))
            }
        }
    }
}

/// Registers the type and its getters.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Heard>("phrase of time");
    getter(
        module,
        "is_time",
        "Whether the text speaks of time at all, well or badly.",
        |p: &mut Heard| Ok(!matches!(p.0.as_ref(), Phrase::None)),
    );
    getter(
        module,
        "ok",
        "Whether it has one meaning; asked before the meaning.",
        |p: &mut Heard| Ok(matches!(p.0.as_ref(), Phrase::At(_))),
    );
    getter(
        module,
        "why",
        "Why it has no meaning; empty if it has.",
        |p: &mut Heard| Ok(p.refusal().0.to_string()),
    );
    getter(
        module,
        "piece",
        "The part that cannot be read without a guess.",
        |p: &mut Heard| Ok(p.refusal().1.to_string()),
    );
    meaning(
        module,
        "sentence",
        "The meaning as a sentence that can be checked: `condition(said.sentence, #{ due: said.epoch })`.",
        |r| r.sentence.clone(),
    );
    meaning(module, "rule", "The phrase in its normal spelling.", |r| {
        r.rule.clone()
    });
    meaning(
        module,
        "civil",
        "The local time that counts, empty for elapsed time.",
        |r| r.civil.clone().unwrap_or_default(),
    );
    meaning(module, "zone", "The name of the zone.", |r| {
        r.instant.zone().name().to_string()
    });
    meaning(module, "epoch", "Seconds since 1970.", |r| {
        r.instant.instant().timestamp()
    });
    meaning(module, "text", "RFC 3339 with offset.", |r| {
        r.instant.rfc3339()
    });
    meaning(
        module,
        "note",
        "What was decided on the way, empty without.",
        |r| r.note.clone().unwrap_or_default(),
    );
    meaning(module, "tzdata", "The version of the zone rules.", |_| {
        TZDATA.to_string()
    });
}

/// A getter of the meaning.
fn meaning<R: Variant + Clone>(
    module: &mut Module,
    name: &'static str,
    about: &str,
    of: fn(&Reading) -> R,
) {
    getter(module, name, about, move |p: &mut Heard| {
        p.reading(name).map(of)
    });
}
