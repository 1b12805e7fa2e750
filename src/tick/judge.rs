//! The judgement: from what was found to one verdict, with the rule's choice inside the
//! kernel's bounds.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde_json::json;

use crate::model::item::Sort;
use crate::model::moment::Moment;
use crate::model::signal::Signal;
use crate::model::status::Status;
use crate::model::text::plural;
use crate::model::verdict::{Basis, Verdict, allows, kernel};
use crate::script::answer::{Reply, Word};
use crate::script::call::Argument;

use super::outcome::{Decision, Facts, Outcome, Sorted, Unavailable};
use super::stages::Tick;
use super::{brake, event};

/// Ends a tick: verdict, signal, report, event.
pub fn conclude(mut tick: Tick<'_>) -> Outcome {
    refresh_roles(&mut tick);
    let (signal, decision) = signal(&mut tick);
    let unavailable = unavailable(&tick);
    let all = std::mem::take(&mut tick.all);
    let next_check_at = next_check(&tick, &signal, &all);
    let (mut items, bundle, rest) = by_sort(all);
    let handed = brake::hand_out(&tick, &signal, &mut items);
    let bundle_digest = event::bundle_digest(&tick, &bundle);
    let last = tick.state.last.as_ref().map(|last| last.bundle.as_str());
    let mut outcome = Outcome {
        bundle_changed: last != Some(bundle_digest.as_str()),
        signal,
        roles: tick.roles.clone(),
        work: tick.work.clone(),
        items,
        bundle,
        rest,
        settled: tick.settled.clone(),
        gates: std::mem::take(&mut tick.gates),
        guard: tick.guard.clone(),
        decision,
        unavailable,
        next_check_at,
        bundle_digest,
        paused_by: tick.paused_by.clone(),
        calls: std::mem::take(&mut tick.calls),
        about: tick.rules.about.clone(),
        body: serde_json::Value::Null,
    };
    outcome.body = event::body(&tick, &outcome, &handed);
    outcome
}

/// What is handed out, what the user gets, and what rests; each by priority, and
/// within a priority in the order of the source (the sort is stable).
fn by_sort(mut all: Vec<Sorted>) -> (Vec<Sorted>, Vec<Sorted>, Vec<Sorted>) {
    all.sort_by_key(|item| item.item.priority);
    let mut sorts: BTreeMap<Sort, Vec<Sorted>> = BTreeMap::new();
    for item in all {
        sorts.entry(item.sort).or_default().push(item);
    }
    let mut take = |sort| sorts.remove(&sort).unwrap_or_default();
    let (work, mut bundle) = (take(Sort::Work), take(Sort::User));
    bundle.extend(take(Sort::Unclear));
    (work, bundle, take(Sort::Rest))
}

/// After the brake a source that was `found` may have no open work left.
fn refresh_roles(tick: &mut Tick<'_>) {
    let open = |all: &[Sorted], source: &str| {
        all.iter()
            .any(|i| i.source == source && i.sort == Sort::Work)
    };
    for role in &mut tick.roles {
        if role.status == Status::Found && !open(&tick.all, &role.name) {
            role.status = Status::Empty;
        }
    }
    for work in &mut tick.work {
        if work.status == Status::Found && !open(&tick.all, &work.name) {
            work.status = Status::Empty;
        }
    }
}

fn signal(tick: &mut Tick<'_>) -> (Signal, Decision) {
    let mut basis = basis(tick);
    if let Some(record) = &tick.held {
        let since = in_zone(&record.at, tick.frame.now);
        let decision = Decision {
            by: "the guard".to_string(),
            why: tick.guard.why.clone(),
            kernel: String::new(),
            facts: facts(tick, &basis),
        };
        let signal = match record.result.as_str() {
            "exhausted" => Signal::GuardExhausted { since },
            _ => Signal::GuardBlind { since },
        };
        return (signal, decision);
    }
    let mut verdict = kernel(&basis);
    let chosen = choose(tick, &basis, &verdict).unwrap_or_else(|why| {
        tick.rules.faults.insert("rules/chain".to_string(), why);
        basis = self::basis(tick);
        verdict = kernel(&basis);
        None
    });
    let (by, why) = chosen.unwrap_or_else(|| ("the kernel".to_string(), told(&verdict)));
    let decision = Decision {
        by,
        why,
        kernel: word(&verdict)
            .replace('_', "-")
            .replace("go-on", "continue"),
        facts: facts(tick, &basis),
    };
    (to_signal(verdict, tick.frame.english), decision)
}

/// The facts as they are told later.
fn facts(tick: &Tick<'_>, basis: &Basis) -> Facts {
    let empty = basis.roles.iter().filter(|(_, s)| *s == Status::Empty);
    Facts {
        inbox: tick.inbox.word().to_string(),
        open_work: basis.open_work,
        user_items: basis.user_items,
        empty_roles: empty.count(),
        unavailable: basis.unavailable(),
    }
}

/// Why the kernel finds what it finds.
fn told(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Continue(open) => {
            format!(
                "there is {}",
                plural(open.items(), "open item", "open items")
            )
        }
        Verdict::Exhausted(all) => {
            let roles = plural(all.asked(), "role", "roles");
            format!("{roles} asked, each empty, and nothing else was unavailable")
        }
        Verdict::Blind { names, .. } => format!("could not be asked: {}", names.join(", ")),
        Verdict::UserOnly => "everything was asked, and only the person's items are left".into(),
    }
}

fn to_signal(verdict: Verdict, english: bool) -> Signal {
    match verdict {
        Verdict::Continue(_) => Signal::Continue,
        Verdict::Exhausted(_) => Signal::Exhausted,
        Verdict::UserOnly => Signal::UserOnly,
        Verdict::Blind { names, of } => Signal::Blind { names, of, english },
    }
}

fn basis(tick: &Tick<'_>) -> Basis {
    let of_sort = |sort: Sort| tick.all.iter().filter(|item| item.sort == sort).count();
    Basis {
        roles: tick
            .roles
            .iter()
            .map(|r| (r.name.clone(), r.status))
            .collect(),
        inbox: tick.inbox,
        open_work: of_sort(Sort::Work),
        // The pause button itself waits for the person.
        user_items: of_sort(Sort::User)
            + of_sort(Sort::Unclear)
            + usize::from(tick.paused_by.is_some()),
        others_unavailable: tick.others().into_iter().map(|other| other.name).collect(),
    }
}

/// Lets the rule choose: the line that agreed, and why. An answer outside the bounds is the
/// rule's fault.
fn choose(tick: &mut Tick<'_>, basis: &Basis, verdict: &Verdict) -> Result<Chosen, String> {
    if !tick.rules.has_function("chain") || tick.rules.faults.contains_key("rules/chain") {
        return Ok(None);
    }
    let facts = json!({
        "open_work": basis.open_work,
        "user_items": basis.user_items,
        "unavailable": basis.unavailable(),
        "inbox_open": tick.inbox_is_open(),
        "kernel": word(verdict),
    });
    let done = tick
        .asking
        .answer("rules/chain", "verdict", vec![Argument::Data(facts)]);
    tick.calls.push(done.record);
    let answered = done.result.map_err(|fault| fault.line())?;
    let place = answered.place();
    let wanted = match answered.reply {
        Reply::Verdict(Word::Continue, _) => "go_on",
        Reply::Verdict(Word::Exhausted, _) => "exhausted",
        Reply::Verdict(Word::Blind, _) => "blind",
        Reply::Verdict(Word::UserOnly, _) => "user_only",
        _ => return Err(answered.misplaced("verdict")),
    };
    if !allows(verdict, wanted) {
        let found = word(verdict);
        return Err(format!(
            "{place}: the rule says `{wanted}` where the kernel found `{found}`"
        ));
    }
    if wanted == "blind" && !matches!(verdict, Verdict::Blind { .. }) {
        return Err(format!("{place}: the rule says `blind`"));
    }
    Ok(Some((place, answered.why())))
}

/// The rule's line that agreed, and its reason; nothing if the rule was not asked.
type Chosen = Option<(String, String)>;

fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Continue(_) => "go_on",
        Verdict::Exhausted(_) => "exhausted",
        Verdict::Blind { .. } => "blind",
        Verdict::UserOnly => "user_only",
    }
}

/// Everything that is unavailable, in the order of the line.
fn unavailable(tick: &Tick<'_>) -> Vec<Unavailable> {
    let blind = |r: &&super::outcome::RoleReport| r.status == Status::Unavailable;
    let roles = tick.roles.iter().filter(blind).map(|role| Unavailable {
        name: role.name.clone(),
        why: role.why.clone(),
        help: role.help.clone(),
    });
    roles.chain(tick.others()).collect()
}

/// The next instant at which time alone changes something.
fn next_check(tick: &Tick<'_>, signal: &Signal, all: &[Sorted]) -> Option<Moment> {
    let now = tick.frame.now;
    let dues = all
        .iter()
        .filter_map(|item| DateTime::from_timestamp(item.due?, 0));
    let interval = chrono::Duration::seconds(i64::try_from(tick.guard.interval).unwrap_or(0));
    // What is not stored holds no guard.
    let stored = tick.frame.view.is_ok() && tick.frame.write_fault.is_none();
    let guard_from = match (signal, &tick.held) {
        (_, Some(record)) => DateTime::parse_from_rfc3339(&record.at)
            .ok()
            .map(|t| t.with_timezone(&Utc)),
        (Signal::Exhausted | Signal::Blind { .. }, None) if stored => Some(now.instant()),
        _ => None,
    };
    let guard_end = guard_from.and_then(|from| from.checked_add_signed(interval));
    let later = |t: &DateTime<Utc>| *t > now.instant();
    let gates = tick.frame.gates.next;
    let gates = gates.and_then(|next| DateTime::from_timestamp(next, 0));
    let next = dues.chain(guard_end).chain(gates).filter(later).min()?;
    Some(Moment::new(next, now.zone()))
}

/// A stored time in the zone of the run, whole seconds.
fn in_zone(at: &str, now: Moment) -> String {
    match DateTime::parse_from_rfc3339(at) {
        Ok(time) => Moment::new(time.with_timezone(&Utc), now.zone()).rfc3339(),
        Err(_) => at.to_string(),
    }
}
