//! `may`: whether a step may run now, on evidence.
//!
//! INVARIANT: `yes` needs a ledger that could be read (or a first run), and every set that
//! blocks the step met, stored where it was met now. Everything else is a stricter answer.

use std::time::Instant;

use super::{PATIENCE, asking, outer, prove, read, set_id, store};
use crate::app::book::{Book, EVERY_STEP, fault};
use crate::app::context::Context;
use crate::app::stage::Stage;
use crate::diag::Fault;
use crate::gate::check::{Checked, Purpose};
use crate::gate::judge::Answer;
use crate::gate::near::nearest;
use crate::ledger::fault::LedgerFault;
use crate::ledger::gates::{GateQuery, Gates};
use crate::model::gate::{GateSet, GateStatus, Mode, step};
use crate::model::status::Status;
use crate::model::text::{escape, plural};

/// Whether a step may run.
#[derive(Debug)]
pub struct May {
    /// The step as it was asked for, or the one that the id names.
    pub step: String,
    /// The answer.
    pub answer: Answer,
    /// Why, in one sentence.
    pub why: String,
    /// The sets that block or blocked the step.
    pub gates: Vec<Checked>,
    /// The blocked step that was probably meant.
    pub near: Option<String>,
}

/// Asks for one step: by its text, its quoted text, or the id of a gate.
///
/// # Errors
/// The ledger stayed too busy.
pub fn run(settings: &Context<'_>, asked: &str) -> Result<May, Fault> {
    let until = Instant::now() + PATIENCE;
    let mut stage = None;
    loop {
        if let Some(may) = attempt(settings, &mut stage, asked)? {
            return Ok(may);
        }
        if Instant::now() >= until {
            return Err(super::busy());
        }
    }
}

fn attempt(
    settings: &Context<'_>,
    stage: &mut Option<Stage>,
    asked: &str,
) -> Result<Option<May>, Fault> {
    if step::normal(asked).is_empty() {
        return Ok(Some(without(asked, Answer::Unasked, "no step was named")));
    }
    let found = match find(settings, asked) {
        Ok(found) => found,
        Err(fault) => return Ok(Some(lost(settings, asked, &fault))),
    };
    let Some((book, gates)) = found else {
        return Ok(Some(first_run(settings, asked)));
    };
    if gates
        .sets
        .iter()
        .all(|set| set.status() == GateStatus::Dropped)
    {
        return unblocked(settings, &book, (asked, &gates)).map(Some);
    }
    let stage = stage.get_or_insert_with(|| Stage::new(settings));
    let asking = asking(settings, stage, &book);
    let mut checked = prove(settings, &asking, gates.sets, Purpose::Use);
    match store(settings, &gates.head, &checked) {
        Ok(true) => {}
        Ok(false) => return Ok(None),
        Err(fault) => take_back(&mut checked, &fault.to_string()),
    }
    Ok(Some(answered(asked, checked)))
}

/// Nothing here blocks the step. A ledger of a folder above may block it all the same: whoever
/// asks below it, or names another ledger, is not told that the step is free.
fn free(settings: &Context<'_>, asked: &str, nothing: &str) -> May {
    match outer::blocks(settings, &step::key(asked)) {
        Some(why) => without(asked, Answer::Unasked, &format!("{nothing}, but {why}")),
        None => without(asked, Answer::Yes, nothing),
    }
}

/// No gate was ever opened here.
fn first_run(settings: &Context<'_>, asked: &str) -> May {
    const NOTHING: &str = "no gate was ever opened here";
    if set_id(asked.trim()).is_some() {
        return without(asked, Answer::Unasked, NOTHING);
    }
    free(settings, asked, NOTHING)
}

/// The sets of the step, or of the id.
fn find(settings: &Context<'_>, asked: &str) -> Result<Option<(Book, Gates)>, LedgerFault> {
    let Some(id) = set_id(asked.trim()) else {
        return read(settings, &GateQuery::Step(&step::key(asked)));
    };
    let Some((book, gates)) = read(settings, &GateQuery::Ids(&[id]))? else {
        return Ok(None);
    };
    // A step is free when every gate of it is met, not only the one that was named.
    let id = asked.trim();
    let named = |set: &&GateSet| set.id == id || set.gate(id).is_some();
    let Some(key) = gates.sets.iter().find(named).map(|set| set.key.clone()) else {
        let head = gates.head;
        return Ok(Some((
            book,
            Gates {
                head,
                sets: Vec::new(),
            },
        )));
    };
    read(settings, &GateQuery::Step(&key))
}

/// No open or met set blocks exactly this step: is there one that is nearly it?
fn unblocked(
    settings: &Context<'_>,
    book: &Book,
    (asked, gates): (&str, &Gates),
) -> Result<May, Fault> {
    if set_id(asked.trim()).is_some() && gates.sets.is_empty() {
        return Ok(without(
            asked,
            Answer::Unasked,
            "there is no gate of this id",
        ));
    }
    let steps = book.ledger().open_steps().map_err(|f| fault(&f))?;
    if let Some(near) = nearest(asked, steps.iter().map(String::as_str)) {
        let why = format!(
            "no gate blocks exactly this step, but `{}` is blocked; was that meant?",
            escape(near)
        );
        return Ok(May {
            near: Some(near.to_string()),
            ..without(asked, Answer::Unasked, &why)
        });
    }
    Ok(free(settings, asked, "no gate blocks this step"))
}

fn answered(asked: &str, checked: Vec<Checked>) -> May {
    let answer = checked.iter().map(|one| one.answer).max();
    let answer = answer.unwrap_or(Answer::Unasked);
    let blocking = checked
        .iter()
        .filter(|one| one.answer != Answer::Yes)
        .count();
    let named = checked.first().map(|one| one.set.blocks.clone());
    let step = match set_id(asked.trim()) {
        Some(_) => named.unwrap_or_else(|| asked.to_string()),
        None => asked.to_string(),
    };
    let why = match (answer, checked.len()) {
        (Answer::Yes, 1) => "the gate of this step is met".to_string(),
        (Answer::Yes, count) => format!("all {count} gates of this step are met"),
        _ => format!("{} not met", plural(blocking, "gate is", "gates are")),
    };
    May {
        step,
        answer,
        why,
        gates: checked,
        near: None,
    }
}

/// What was proven now and could not be stored is not said (L8).
fn take_back(checked: &mut [Checked], why: &str) {
    for one in checked {
        if one.changes.is_empty() {
            continue;
        }
        one.finding = Status::Unavailable;
        one.why = format!("what was proven could not be stored: {why}");
        one.answer = match one.set.mode {
            Mode::Wait => Answer::Unasked,
            Mode::Only => Answer::Forbidden,
        };
    }
}

/// The ledger was known and cannot be read: the anchor still names what is forbidden.
fn lost(settings: &Context<'_>, asked: &str, fault: &LedgerFault) -> May {
    let key = step::key(asked);
    // An anchor that cannot be read forbids nothing by name: the answer is not known.
    let blocked = Book::blocked(settings).ok().flatten().unwrap_or_default();
    let is_forbidden = blocked
        .iter()
        .any(|known| *known == key || known == EVERY_STEP);
    let (answer, also) = match is_forbidden {
        true => (
            Answer::Forbidden,
            "; this step was forbidden when it was last seen",
        ),
        false => (Answer::Unasked, ""),
    };
    let why = format!("the gates cannot be read: {fault}{also}");
    without(asked, answer, &why)
}

fn without(asked: &str, answer: Answer, why: &str) -> May {
    May {
        step: asked.to_string(),
        answer,
        why: why.to_string(),
        gates: Vec::new(),
        near: None,
    }
}
