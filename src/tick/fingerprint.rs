//! The fingerprint: what the guard compares. Situation and availability, nothing relative.
//!
//! Taken once per tick, before level 2, by the kernel; the same value is compared and, if the
//! chain runs, stored. Time that passes is no part of it.

use serde_json::{Value, json};

use crate::model::status::Status;
use crate::script::value::text::digest;

use super::stages::Tick;

/// Raised when the meaning of the fingerprint changes.
const FORMAT: u32 = 2;

/// SHA-256 over canonical JSON (sorted keys), in hex.
pub fn take(tick: &Tick<'_>) -> String {
    digest(material(tick).to_string().as_bytes())
}

fn material(tick: &Tick<'_>) -> Value {
    let sources: Vec<Value> = tick
        .located
        .iter()
        .map(|s| json!([s.role(), s.way(), s.at(), s.situation()]))
        .collect();
    let mut items: Vec<(&str, &str)> = tick
        .all
        .iter()
        .map(|item| (item.key.as_str(), item.digest.as_str()))
        .collect();
    items.extend(
        tick.settled
            .iter()
            .map(|rested| (rested.key.as_str(), "settled")),
    );
    items.sort_unstable();
    let mut unavailable = names(tick, Status::Unavailable);
    unavailable.extend(tick.others().into_iter().map(|other| other.name));
    unavailable.sort_unstable();
    json!({
        "format": FORMAT,
        "belegt": env!("CARGO_PKG_VERSION"),
        // A ledger that was copied into another project brings its records along.
        "root": tick.asking.facts.root,
        "scripts": tick.asking.scripts.digest(),
        "settings": tick.frame.settings_digest,
        "sources": sources,
        "items": items,
        "absent": names(tick, Status::Absent),
        "unavailable": unavailable,
        "paused": tick.paused_by,
    })
}

/// The roles of a status, in chain order.
fn names(tick: &Tick<'_>, status: Status) -> Vec<String> {
    let roles = tick.roles.iter().filter(|role| role.status == status);
    roles.map(|role| role.name.clone()).collect()
}
