//! `gate meet`: a person at the terminal consents, or does not. Each answer is recorded.
//!
//! INVARIANT (L3): without a person at a terminal no gate is met here, whoever asks; only a
//! gate of the method `consent` or `none` can be met by word.

use std::collections::BTreeSet;
use std::time::Instant;

use serde_json::json;

use super::{PATIENCE, asking, busy, drafts, named, new_run, nothing_known, open, touches};
use crate::app::book::{Book, draft, fault};
use crate::app::context::Context;
use crate::app::stage::Stage;
use crate::ask::Asking;
use crate::diag::{Code, Fault};
use crate::gate::check::NOT_NEEDED;
use crate::gate::consent::{self, Meaning};
use crate::gate::judge::Answer;
use crate::ledger::Head;
use crate::ledger::event::{Actor, Draft};
use crate::model::gate::{Becomes, Gate, GateChange, GateSet, GateStatus, Mode};
use crate::model::text::escape;

/// What a person's answer came to.
#[derive(Debug)]
pub struct Report {
    /// The gate's set as it stands now.
    pub set: GateSet,
    /// The gate.
    pub gate: String,
    /// What the answer means.
    pub meaning: Meaning,
    /// What that does to the step, as far as this gate goes.
    pub answer: Answer,
    /// The set of the condition that the answer made, if it made one.
    pub further: Option<GateSet>,
}

/// Asks the person about a gate.
///
/// # Errors
/// Nobody at the terminal, an unknown or closed gate, one that is proven otherwise.
pub fn run(settings: &Context<'_>, id: &str) -> Result<Report, Fault> {
    let stage = Stage::new(settings);
    let until = Instant::now() + PATIENCE;
    let mut answer = None;
    loop {
        let Some(book) = Book::read(settings).map_err(|f| fault(&f))? else {
            return Err(nothing_known());
        };
        let gates = named(&book, &[id.to_string()])?;
        let set = gates.sets.into_iter().next();
        let set = set.ok_or_else(|| super::unknown(id))?;
        let gate = meant(&set, id)?.clone();
        let answer = match &answer {
            Some(answer) => answer,
            None => answer.insert(ask(settings, &set, &gate)?),
        };
        let asking = asking(settings, &stage, &book);
        let (meaning, further) = understood(settings, &asking, (&set, answer))?;
        let answered = Answered {
            set: &set,
            gate: &gate,
            answer,
            meaning: &meaning,
            further: further.as_ref(),
        };
        if let Some(set) = answered.store(settings, &gates.head)? {
            return Ok(Report {
                answer: answer_of(&meaning, set.mode),
                set,
                gate: gate.id,
                meaning,
                further,
            });
        }
        if Instant::now() >= until {
            return Err(busy());
        }
    }
}

/// What an answer means, and the set of the condition that it makes, if it makes one.
fn understood(
    settings: &Context<'_>,
    asking: &Asking,
    (set, answer): (&GateSet, &str),
) -> Result<(Meaning, Option<GateSet>), Fault> {
    let meaning = consent::meaning(asking, answer)
        .map_err(|why| Fault::new(Code::RunType, why).with_help("mend `probes/proofs/consent`"))?;
    let Meaning::Conditional(condition) = &meaning else {
        return Ok((meaning, None));
    };
    match open::further(settings, asking, (set, condition)) {
        Ok(further) => Ok((meaning, Some(further))),
        // What nobody can read is no clear answer; it is on record all the same.
        Err(_) => Ok((Meaning::Unclear, None)),
    }
}

fn answer_of(meaning: &Meaning, mode: Mode) -> Answer {
    match (meaning, mode) {
        (Meaning::Yes, _) => Answer::Yes,
        (_, Mode::Wait) => Answer::Wait,
        (_, Mode::Only) => Answer::Forbidden,
    }
}

/// The gate that an id means: itself, or the only one of a set that waits for a person.
fn meant<'s>(set: &'s GateSet, id: &str) -> Result<&'s Gate, Fault> {
    let waiting = || set.open().filter(|gate| consent::closes(gate));
    let gate = match set.gate(id) {
        Some(gate) => gate,
        None => match (waiting().next(), waiting().nth(1)) {
            (Some(gate), None) => gate,
            (None, _) => return Err(proven_otherwise(&set.id, "its conditions")),
            (Some(_), Some(_)) => {
                let message = format!("`{}` has several gates that wait for a person", set.id);
                return Err(Fault::new(Code::Unknown, message)
                    .with_help("name one of them; `belegt gate show` lists them"));
            }
        },
    };
    if gate.status != GateStatus::Open {
        let message = format!("gate `{}` is {} already", gate.id, gate.status.word());
        return Err(Fault::new(Code::Unknown, message).with_help("`belegt gate show` tells why"));
    }
    match consent::closes(gate) {
        true => Ok(gate),
        false => Err(proven_otherwise(
            &gate.id,
            &format!("`{}`", gate.proof_method),
        )),
    }
}

fn proven_otherwise(id: &str, how: &str) -> Fault {
    let message = format!("gate `{id}` is not met by word: {how} can be proven");
    Fault::new(Code::GateProof, message).with_help("`belegt gate check` proves it")
}

fn ask(settings: &Context<'_>, set: &GateSet, gate: &Gate) -> Result<String, Fault> {
    let person = settings.person().ok_or_else(|| {
        Fault::new(Code::Terminal, "consent needs a person at a terminal")
            .with_help("ask the person to run `belegt gate meet` in a terminal of their own")
    })?;
    let question = consent::question(gate, &set.blocks);
    person
        .ask(&question)
        .map_err(|error| Fault::new(Code::Terminal, format!("no answer was given: {error}")))
}

/// A person's answer with everything that it rests on.
struct Answered<'a> {
    set: &'a GateSet,
    gate: &'a Gate,
    answer: &'a str,
    meaning: &'a Meaning,
    further: Option<&'a GateSet>,
}

impl Answered<'_> {
    /// Stores the answer and what follows; nothing if another writer changed the gate.
    fn store(&self, settings: &Context<'_>, head: &Head) -> Result<Option<GateSet>, Fault> {
        let by = Actor {
            kind: "person".to_string(),
            name: settings.actor.name.clone(),
            level: 1,
        };
        let mut set = self.set.clone();
        let mut changes = Vec::new();
        if *self.meaning == Meaning::Yes {
            let run = new_run(settings);
            let evidence = consent::evidence(self.gate, self.answer, by.shown(), &run);
            change(
                &mut set,
                &mut changes,
                &self.gate.id,
                Becomes::Met(Box::new(evidence)),
            );
            for id in set.superfluous() {
                let to = Becomes::Dropped(NOT_NEEDED.to_string());
                change(&mut set, &mut changes, &id, to);
            }
        }
        let drafts = self.drafts(settings, &by, &changes);
        let ids = BTreeSet::from([self.set.id.as_str()]);
        let nobody = BTreeSet::new();
        let mut book = Book::create(settings).map_err(|f| fault(&f))?;
        let stored = book.append_unless(head.clone(), &drafts, &|event| {
            touches(event, &ids, &nobody)
        });
        Ok(stored.map_err(|f| fault(&f))?.then_some(set))
    }

    fn drafts(&self, settings: &Context<'_>, by: &Actor, changes: &[GateChange]) -> Vec<Draft> {
        let body = json!({
            "gate": self.gate.id,
            "question": consent::question(self.gate, &self.set.blocks),
            "answer": escape(self.answer),
            "meaning": self.meaning.word(),
            "accepted": !changes.is_empty(),
        });
        let mut all = vec![draft(settings, by.clone(), "gate.answered", body)];
        if let Some(further) = self.further {
            let body = json!({ "set": further });
            all.push(draft(settings, by.clone(), "gate.opened", body));
        }
        for mut change in drafts(settings, changes) {
            change.actor = by.clone();
            all.push(change);
        }
        all
    }
}

fn change(set: &mut GateSet, changes: &mut Vec<GateChange>, gate: &str, to: Becomes) {
    set.apply(gate, to.clone());
    changes.push(GateChange {
        set: set.id.clone(),
        gate: gate.to_string(),
        to,
    });
}
