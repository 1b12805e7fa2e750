//! The guard: spares an unchanged re-run of the chain, and nothing more.
//!
//! It holds iff the newest record of this ledger is `exhausted` or `blind`, `0 <= age <
//! interval`, and the fingerprints are equal. A hand-out after the record clears it. A rule may
//! say no, never yes; a foreign record may break it, never make it hold.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::ledger::state::Record;
use crate::model::moment::Moment;
use crate::model::verdict::Inbox;
use crate::script::answer::Reply;
use crate::script::call::Argument;

use super::fingerprint;
use super::mirror;
use super::stages::Tick;

/// Asks the guard and notes what it said. True if it holds.
pub fn ask(tick: &mut Tick<'_>) -> bool {
    let print = fingerprint::take(tick);
    let interval = interval(tick);
    let record = tick.state.record.clone();
    let verdict = holds(tick, record.as_ref(), &print, interval);
    tick.guard.asked = true;
    tick.guard.fingerprint = Some(print);
    tick.guard.interval = interval.as_secs();
    tick.guard.holds = verdict.is_ok();
    tick.guard.why = verdict.clone().unwrap_or_else(|why| why);
    if verdict.is_ok() {
        tick.held = record;
    }
    tick.guard.holds
}

/// The rule's interval, replaced by the settings', shortened by the flag.
fn interval(tick: &Tick<'_>) -> Duration {
    let asked = tick.frame.interval;
    let base = asked.settings.unwrap_or(tick.rules.interval);
    asked.flag.map_or(base, |flag| flag.min(base))
}

/// Why the guard holds, or why it does not.
fn holds(
    tick: &mut Tick<'_>,
    record: Option<&Record>,
    print: &str,
    interval: Duration,
) -> Result<String, String> {
    may_be_asked(tick)?;
    let record = record.ok_or("no chain run is on record")?;
    if !matches!(record.result.as_str(), "exhausted" | "blind") {
        return Err(format!("the newest record is `{}`", record.result));
    }
    is_young(record, tick.frame.now, interval)?;
    if record.fingerprint != print {
        return Err(format!("something changed since {}", record.at));
    }
    if let Some(project) = &tick.frame.mirror
        && let Some(why) = mirror::breaks(tick.asking, project, record)
    {
        return Err(why);
    }
    veto(tick, record)?;
    Ok(format!("nothing changed since {}", record.at))
}

/// What keeps the guard from being asked at all.
fn may_be_asked(tick: &Tick<'_>) -> Result<(), String> {
    if !tick.frame.use_guard {
        return Err("the guard was not to be asked".to_string());
    }
    if tick.inbox == Inbox::Unreadable {
        return Err("the inbox could not be read".to_string());
    }
    if tick.frame.view.is_err() {
        return Err("there is no ledger to ask".to_string());
    }
    match tick.rules.faults.get("rules/guard") {
        Some(why) => Err(format!("the rule cannot be used: {why}")),
        None => Ok(()),
    }
}

/// `0 <= age < interval`, by the record's own time.
fn is_young(record: &Record, now: Moment, interval: Duration) -> Result<(), String> {
    let at = DateTime::parse_from_rfc3339(&record.at);
    let at = at.map_err(|_| "the record's time cannot be read")?;
    let age = now.since(at.with_timezone(&Utc));
    if age < chrono::Duration::zero() {
        return Err(format!("the record of {} lies in the future", record.at));
    }
    match age.to_std() {
        Ok(age) if age < interval => Ok(()),
        _ => Err(format!(
            "the record of {} is older than the interval",
            record.at
        )),
    }
}

/// The rule's own word.
fn veto(tick: &mut Tick<'_>, record: &Record) -> Result<(), String> {
    if !tick.rules.has_function("guard") {
        return Ok(());
    }
    let data =
        json!({ "result": record.result, "at": record.at, "fingerprint": record.fingerprint });
    let done = tick.asking.answer(
        "rules/guard",
        "holds",
        vec![Argument::Data(data), Argument::Context],
    );
    tick.calls.push(done.record);
    let why = match done.result {
        Ok(answered) => match answered.reply {
            Reply::Yes(_) => return Ok(()),
            Reply::No(why) => return Err(format!("the rule says no: {why}")),
            _ => answered.misplaced("holds"),
        },
        Err(fault) => fault.line(),
    };
    tick.rules
        .faults
        .insert("rules/guard".to_string(), why.clone());
    Err(why)
}
