//! The shapes that others build on: one object each, additive only.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::note::Listed;
use crate::app::tick::Ticked;
use crate::diag::Fault;
use crate::ledger::event::Event;
use crate::model::text::is_harmful;
use crate::tick::event::item;

/// An object as one line for every reader: JSON lets U+2028, U+0085 and their like stand in a
/// string, and there are readers for whom each of them begins a new line.
pub fn line(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if is_harmful(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// A tick.
pub fn tick(ticked: &Ticked) -> Value {
    let outcome = &ticked.outcome;
    json!({
        "belegt": 1,
        "kind": "tick",
        "verdict": outcome.signal.verdict(),
        "signal": outcome.signal.to_string(),
        "recorded": ticked.recorded,
        "tick": ticked.tick,
        "roles": outcome.roles,
        "work": outcome.work,
        "items": outcome.items.iter().map(item).collect::<Vec<_>>(),
        "bundle": outcome.bundle.iter().map(item).collect::<Vec<_>>(),
        "rest": outcome.rest.iter().map(item).collect::<Vec<_>>(),
        "settled": outcome.settled,
        "gates": outcome.gates,
        "guard": outcome.guard,
        "unavailable": outcome.unavailable,
        "paused_by": outcome.paused_by,
        "next_check_at": outcome.next_check_at.map(|m| m.rfc3339()),
        "analysis": ticked.analysis,
        "warnings": ticked.warnings,
    })
}

/// The user bundle.
pub fn bundle(ticked: &Ticked) -> Value {
    let outcome = &ticked.outcome;
    json!({
        "belegt": 1,
        "kind": "bundle",
        "bundle": outcome.bundle.iter().map(item).collect::<Vec<_>>(),
        "unavailable": outcome.unavailable,
    })
}

/// The notes.
pub fn notes(notes: &[Listed]) -> Value {
    let notes: Vec<Value> = notes
        .iter()
        .map(|listed| {
            json!({
                "id": listed.id,
                "text": listed.note.text,
                "at": listed.note.at,
                "actor": listed.note.actor,
                "settled": listed.settled,
            })
        })
        .collect();
    json!({ "belegt": 1, "kind": "notes", "notes": notes })
}

/// One stored event.
pub fn event(event: &Event) -> Value {
    json!(event)
}

/// A diagnostic.
pub fn fault(fault: &Fault) -> Value {
    let place = fault.place();
    json!({
        "belegt": 1,
        "kind": "error",
        "code": fault.code().text(),
        "message": fault.message(),
        "help": fault.help_text(),
        "file": place.as_ref().map(|p| p.0.clone()),
        "line": place.as_ref().map(|p| p.1),
        "column": place.as_ref().map(|p| p.2),
    })
}

/// A finding as `doctor` and `verify` list it.
pub fn finding(severity: &str, fault: &Fault) -> Value {
    let place = fault.place();
    json!({
        "code": fault.code().text(),
        "severity": severity,
        "file": place.as_ref().map(|p| p.0.clone()),
        "line": place.as_ref().map(|p| p.1),
        "column": place.as_ref().map(|p| p.2),
        "message": fault.message(),
        "help": fault.help_text(),
    })
}
