//! Short lists: notes, settled news, the history.

use std::fmt::Write as _;

use crate::app::note::Listed;
use crate::ledger::event::Event;
use crate::model::text::{escape, plural, short};

/// The notes.
pub fn notes(notes: &[Listed]) -> String {
    let mut text = format!("{}\n", plural(notes.len(), "note", "notes"));
    for listed in notes {
        let id: String = listed.id.chars().take(12).collect();
        let _ = writeln!(
            text,
            "  {id}  {}  {}",
            escape(&listed.note.at),
            short(&listed.note.text, 100)
        );
        if let Some(because) = &listed.settled {
            let _ = writeln!(text, "     settled: {}", short(because, 100));
        }
    }
    text
}

/// What was settled.
pub fn settled(ids: &[String]) -> String {
    let mut text = format!("settled {}\n", plural(ids.len(), "item", "items"));
    for id in ids {
        let _ = writeln!(text, "  {}", escape(id));
    }
    text
}

/// One event of the history in one line.
pub fn event(event: &Event) -> String {
    let draft = &event.draft;
    let what = match draft.kind.as_str() {
        "tick.judged" => draft.body.get("signal"),
        "note.added" => draft.body.get("text"),
        "news.settled" => draft.body.get("because"),
        "gate.opened" => draft.body.pointer("/set/source"),
        "gate.met" => draft.body.pointer("/changes/0/to/met/sentence"),
        "gate.dropped" => draft.body.pointer("/changes/0/to/dropped"),
        "gate.reopened" => draft.body.pointer("/changes/0/to/open"),
        "gate.answered" => draft.body.get("answer"),
        "act.began" | "act.ran" => draft.body.get("step"),
        _ => None,
    };
    let what = what.and_then(|value| value.as_str()).unwrap_or_default();
    let who = if draft.actor.name.is_empty() {
        &draft.actor.kind
    } else {
        &draft.actor.name
    };
    let id: String = draft.id.chars().take(12).collect();
    format!(
        "{:>6}  {id}  {}  {}  {}  {}",
        event.seq,
        escape(&draft.at),
        escape(&draft.kind),
        escape(who),
        short(what, 100)
    )
}

/// What `init` wrote, and what comes next.
pub fn written(written: &crate::app::init::Written) -> String {
    let mut text = String::new();
    for file in &written.files {
        let _ = writeln!(text, "  wrote {}", escape(file));
    }
    let next = match written.trusted {
        true => "trusted; `belegt tick` is next",
        false => {
            "not trusted yet, so none of it counts: read it, then run `belegt trust` in a terminal"
        }
    };
    let _ = writeln!(text, "{next}");
    text
}
