//! The body of the tick event: what is stored of a tick, and enough to explain it later.

use serde_json::{Value, json};

use crate::ledger::state::Handed;
use crate::model::signal::Signal;
use crate::script::value::text::digest;

use super::outcome::{Outcome, Sorted};
use super::stages::Tick;

/// How many items and receipts of one kind are stored whole; beyond that only the number.
const STORED: usize = 200;

/// What the bundle is recognised by, so that it is printed in full only when it changed: one
/// digest over the items of level 1 and one over those of the sources. A tick that read no
/// source knows nothing new of theirs and carries the last one on.
pub fn bundle_digest(tick: &Tick<'_>, bundle: &[Sorted]) -> String {
    let of_work = |item: &&Sorted| item.source.starts_with("work.");
    let work = digest_of(bundle.iter().filter(of_work));
    let last = tick.state.last.as_ref();
    let carried = last
        .and_then(|last| last.bundle.split_once(' '))
        .map(|(_, sources)| sources);
    match carried.filter(|_| !tick.chain_ran) {
        Some(sources) => format!("{work} {sources}"),
        None => format!(
            "{work} {}",
            digest_of(bundle.iter().filter(|item| !of_work(item)))
        ),
    }
}

fn digest_of<'s>(items: impl Iterator<Item = &'s Sorted>) -> String {
    let lines: String = items
        .map(|item| format!("{} {}\n", item.key, item.digest))
        .collect();
    digest(lines.as_bytes())
}

/// The body of `tick.judged`.
pub fn body(tick: &Tick<'_>, outcome: &Outcome, handed: &[(String, Handed)]) -> Value {
    let handed: Vec<Value> = handed
        .iter()
        .map(|(key, h)| json!({ "key": key, "digest": h.digest, "tree": h.tree, "count": h.count }))
        .collect();
    json!({
        "first": tick.state.first_tick.is_none(),
        "signal": outcome.signal.to_string(),
        "verdict": outcome.signal.verdict(),
        "bundle_digest": outcome.bundle_digest,
        "record": record(tick, outcome),
        "lapsed": gone(tick, outcome, tick.state.settled.keys()),
        "handed": handed,
        "unhanded": gone(tick, outcome, tick.state.handed.keys()),
        "roles": outcome.roles,
        "work": outcome.work,
        "items": stored(&outcome.items),
        "bundle": stored(&outcome.bundle),
        "rest": stored(&outcome.rest),
        "counts": {
            "work": outcome.items.len(),
            "user": outcome.bundle.len(),
            "rest": outcome.rest.len(),
            "settled": outcome.settled.len(),
        },
        "gates": outcome.gates,
        "guard": outcome.guard,
        "decision": outcome.decision,
        "unavailable": outcome.unavailable,
        "calls": outcome.calls.iter().map(call).collect::<Vec<_>>(),
        "settings": tick.frame.settings_digest,
        "next_check_at": outcome.next_check_at.map(|m| m.rfc3339()),
    })
}

/// The known keys whose source answered in this tick and showed them no more.
fn gone<'k>(
    tick: &Tick<'_>,
    outcome: &Outcome,
    known: impl Iterator<Item = &'k String>,
) -> Vec<&'k String> {
    let items = outcome.items.iter().chain(&outcome.bundle);
    let items = items.chain(&outcome.rest).map(|item| item.key.as_str());
    let settled = outcome.settled.iter().map(|rested| rested.key.as_str());
    let seen: std::collections::BTreeSet<&str> = items.chain(settled).collect();
    let is_gone = |key: &&String| {
        let source = key.split(':').next().unwrap_or_default();
        tick.answered.contains(source) && !seen.contains(key.as_str())
    };
    known.filter(is_gone).collect()
}

/// The guard's record: the result of a chain run, `broken` after a hand-out, else nothing.
fn record(tick: &Tick<'_>, outcome: &Outcome) -> Value {
    if outcome.signal == Signal::Continue && !tick.chain_ran {
        return json!("broken");
    }
    if !tick.chain_ran {
        return Value::Null;
    }
    let result = match &outcome.signal {
        Signal::Continue => "found",
        Signal::Exhausted => "exhausted",
        Signal::UserOnly => "user-only",
        _ => "blind",
    };
    json!({
        "result": result,
        "fingerprint": tick.guard.fingerprint,
        "at": tick.frame.now.rfc3339(),
    })
}

/// A call as it is stored: its receipts up to a bound, and how many there were.
fn call(call: &crate::ask::CallRecord) -> Value {
    let mut value = json!(call);
    if let Value::Object(fields) = &mut value {
        fields.insert("looks".to_string(), json!(call.receipts.len()));
        if call.receipts.len() > STORED {
            let kept: Vec<_> = call.receipts.iter().take(STORED).collect();
            fields.insert("receipts".to_string(), json!(kept));
        }
    }
    value
}

fn stored(items: &[Sorted]) -> Vec<Value> {
    items.iter().take(STORED).map(item).collect()
}

/// An item as it is shown in JSON and stored.
pub fn item(item: &Sorted) -> Value {
    json!({
        "id": item.key,
        "title": item.item.title,
        "at": item.item.at,
        "kind": item.item.kind,
        "source": item.source,
        "autonomous": item.sort == crate::model::item::Sort::Work,
        "sort": item.sort,
        "why": item.why,
        "priority": item.item.priority,
        "handed_out": item.handed_out,
        "stalled": item.stalled,
        "lasting": item.lasting,
        "sorted_by": item.sorted_by.as_ref(),
        "made_at": item.made_at(),
        "digest": item.digest,
        "detail": crate::model::text::short(&item.item.detail, 400),
    })
}
