//! One probe asked: the two stages of a source, the one look of a work probe.
//!
//! INVARIANT (L4): `read` takes a [`Located`], and only a `place` answer makes one.
//! INVARIANT (L5): a fault is `unavailable` with its line.
//! INVARIANT (L10): `found`, `empty` and `absent` count only with a receipt of what was to be
//! looked at, asked or shared by that very call; `found` without items is unavailable.

use serde_json::Value;

use crate::model::receipt::{Outcome, Receipt};
use crate::model::status::Status;
use crate::script::answer::{Reply, SeenItem};
use crate::script::call::Argument;

use crate::ask::looking;
use crate::ask::{Asking, CallRecord, Done};

/// What a work probe or the second stage of a source came to.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The word, before items are sorted: `Found` means that items were seen.
    pub status: Status,
    /// The reason, for a person.
    pub why: String,
    /// What a person can do, if it is known.
    pub help: Option<String>,
    /// All items that were seen.
    pub items: Vec<SeenItem>,
    /// What was called.
    pub calls: Vec<CallRecord>,
}

/// A source that was located.
#[derive(Debug, Clone)]
pub struct Located {
    role: String,
    way: String,
    at: String,
    situation: Value,
}

impl Located {
    /// The role.
    pub fn role(&self) -> &str {
        &self.role
    }

    /// The way by which it was found.
    pub fn way(&self) -> &str {
        &self.way
    }

    /// The place.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// The absolute values by which the guard recognises a change.
    pub fn situation(&self) -> &Value {
        &self.situation
    }
}

/// The script of a role.
pub fn source_path(role: &str) -> String {
    format!("probes/sources/{role}")
}

/// The script of a work probe.
pub fn work_path(name: &str) -> String {
    format!("probes/work/{name}")
}

/// Locates a source and takes its situation, or says why not.
pub fn locate(asking: &Asking, role: &str) -> Result<(Located, Vec<CallRecord>), Answer> {
    let path = source_path(role);
    let done = asking.answer(&path, "locate", vec![Argument::Context]);
    let mut calls = vec![done.record];
    let (way, at) = match done.result {
        Err(fault) => return Err(unavailable(fault.line(), fault.help_text(), calls)),
        Ok(answered) => match answered.reply {
            Reply::Place { way, at } => (way, at),
            Reply::Unavailable(why) => return Err(unavailable(why, None, calls)),
            _ => return Err(unavailable(answered.misplaced("locate"), None, calls)),
        },
    };
    let place = vec![Argument::Context, Argument::Text(at.clone())];
    let done = asking.data(&path, "situation", place);
    calls.push(done.record);
    match done.result {
        Ok(situation) => {
            let role = role.to_string();
            Ok((
                Located {
                    role,
                    way,
                    at,
                    situation,
                },
                calls,
            ))
        }
        Err(fault) => Err(unavailable(fault.line(), fault.help_text(), calls)),
    }
}

/// Reads a located source.
pub fn read(asking: &Asking, located: &Located) -> Answer {
    let arguments = vec![Argument::Context, Argument::Text(located.at.clone())];
    let done = asking.answer(&source_path(&located.role), "read", arguments);
    let place = looking::Place::new(&asking.facts, &located.at);
    let looked = done.receipts.iter().any(|receipt| place.was_read(receipt));
    finish(done, looked, false, "read")
}

/// Asks a work probe.
pub fn look(asking: &Asking, name: &str) -> Answer {
    let done = asking.answer(&work_path(name), "look", vec![Argument::Context]);
    let looked = done
        .receipts
        .iter()
        .any(|r| looking::is_content(r) && r.outcome == Outcome::Answered);
    finish(done, looked, true, "look")
}

fn finish(
    done: Done<crate::script::answer::Answered>,
    looked: bool,
    may_be_absent: bool,
    entry: &str,
) -> Answer {
    let missed = |r: &Receipt| looking::reaches(r) && r.outcome == Outcome::Missing;
    let reached = looked || done.receipts.iter().any(missed);
    let calls = vec![done.record];
    let answered = match done.result {
        Ok(answered) => answered,
        Err(fault) => return unavailable(fault.line(), fault.help_text(), calls),
    };
    let place = answered.place();
    let misplaced = answered.misplaced(entry);
    let (status, items, why) = match answered.reply {
        Reply::Found(items, why) => (Status::Found, items, why),
        Reply::Empty(why) => (Status::Empty, Vec::new(), why),
        Reply::Absent(why) if may_be_absent => (Status::Absent, Vec::new(), why),
        Reply::Unavailable(why) => return unavailable(why, None, calls),
        _ => return unavailable(misplaced, None, calls),
    };
    let proven = if status == Status::Absent {
        reached
    } else {
        looked
    };
    if let Some(why) = unproven(status, &items, proven) {
        let help = Some("a probe looks before it answers");
        return unavailable(format!("{place}: {why}"), help, calls);
    }
    Answer {
        status,
        why,
        help: None,
        items,
        calls,
    }
}

/// Why an answer proves nothing, if it does not.
fn unproven(status: Status, items: &[SeenItem], proven: bool) -> Option<String> {
    if status == Status::Found && items.is_empty() {
        return Some("`found` with an empty list proves nothing".to_string());
    }
    if !proven {
        return Some("answered without looking".to_string());
    }
    first_double(items).map(|double| format!("two items have the id `{double}`"))
}

fn first_double(items: &[SeenItem]) -> Option<&str> {
    let mut seen = std::collections::BTreeSet::new();
    items
        .iter()
        .map(|seen_item| seen_item.item.id.as_str())
        .find(|id| !seen.insert(*id))
}

fn unavailable(why: impl Into<String>, help: Option<&str>, calls: Vec<CallRecord>) -> Answer {
    Answer {
        status: Status::Unavailable,
        why: why.into(),
        help: help.map(str::to_string),
        items: Vec::new(),
        calls,
    }
}
