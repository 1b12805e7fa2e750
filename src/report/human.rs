//! A tick for a person: what was found, what was asked, what is missing and how to mend it.
//! The line comes last and is written elsewhere.

use std::fmt::Write as _;

use crate::app::tick::Ticked;
use crate::model::item::Sort;
use crate::model::signal::Signal;
use crate::model::status::Status;
use crate::model::text::{escape, short};
use crate::tick::outcome::{Outcome, RoleReport, Sorted, Unavailable};

use super::Style;
use super::words::{Words, words};

/// How many lines of one list are shown.
const SHOWN: usize = 20;
/// The longest title, in characters.
const TITLE: usize = 100;

/// The report above the line.
pub fn tick(ticked: &Ticked, style: Style) -> String {
    let words = words(style.german);
    let outcome = &ticked.outcome;
    let mut text = String::new();
    headline(&mut text, outcome, words);
    items(&mut text, words.work, &outcome.items, words);
    bundle(&mut text, outcome, words);
    rest(&mut text, outcome, words);
    sources(&mut text, outcome, style, words);
    gates(&mut text, outcome, words);
    others(&mut text, outcome, words);
    footer(&mut text, ticked, words);
    text
}

fn headline(text: &mut String, outcome: &Outcome, words: &Words) {
    let index = match outcome.signal {
        Signal::Continue => 0,
        Signal::Exhausted => 1,
        Signal::Blind { .. } => 2,
        Signal::GuardExhausted { .. } => 3,
        Signal::GuardBlind { .. } => 4,
        Signal::UserOnly => 5,
    };
    let sentence = words.sentences.get(index).copied().unwrap_or_default();
    let _ = writeln!(text, "{sentence}");
    if let Some(lock) = &outcome.paused_by {
        let _ = writeln!(text, "  {}: {}", words.paused, escape(lock));
    }
}

fn items(text: &mut String, heading: &str, items: &[Sorted], words: &Words) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading} ({})", items.len());
    for item in items.iter().take(SHOWN) {
        one_item(text, item, words);
    }
    if items.len() > SHOWN {
        let _ = writeln!(text, "  ... {} {}", items.len() - SHOWN, words.more);
    }
}

fn one_item(text: &mut String, item: &Sorted, words: &Words) {
    let title = short(&item.item.title, TITLE);
    let _ = writeln!(text, "  {}  {title}", item.item.priority);
    let _ = writeln!(text, "     {} {}", words.at, escape(&item.item.at));
    let _ = write!(
        text,
        "     {}: {}",
        escape(&item.key),
        reason(&item.why, words)
    );
    if item.handed_out > 1 && item.sort == Sort::Work && !item.stalled {
        let _ = write!(text, " ({} {}x)", words.handed_out, item.handed_out);
    }
    if item.stalled {
        let _ = write!(text, " [{}]", words.stalled);
    }
    text.push('\n');
}

/// A reason in the report's language, on one line.
fn reason(why: &str, words: &Words) -> String {
    escape(&(words.reason)(why))
}

fn bundle(text: &mut String, outcome: &Outcome, words: &Words) {
    if outcome.bundle.is_empty() {
        return;
    }
    if outcome.bundle_changed {
        items(text, words.bundle, &outcome.bundle, words);
    } else {
        let _ = writeln!(text, "\n{} ({})", words.bundle_same, outcome.bundle.len());
    }
}

/// The user bundle in full, for `belegt bundle`.
pub fn whole_bundle(ticked: &Ticked, style: Style) -> String {
    let words = words(style.german);
    let bundle = &ticked.outcome.bundle;
    let mut text = format!("{} ({})\n", words.bundle, bundle.len());
    for item in bundle {
        one_item(&mut text, item, words);
    }
    others(&mut text, &ticked.outcome, words);
    text
}

/// What rests, by reason.
fn rest(text: &mut String, outcome: &Outcome, words: &Words) {
    if outcome.rest.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} ({})", words.rest, outcome.rest.len());
    let mut reasons: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for item in &outcome.rest {
        *reasons.entry(item.why.as_str()).or_default() += 1;
    }
    for (why, count) in reasons {
        let _ = writeln!(text, "  {count} x {}", reason(why, words));
    }
}

/// What became of gates. What is forbidden is named in every report.
fn gates(text: &mut String, outcome: &Outcome, words: &Words) {
    let [met, forbidden, unasked] = words.gates;
    let gates = &outcome.gates;
    let forbids = gates.forbidden_steps.max(gates.forbidden.len());
    let lists = [
        (met, &gates.met, gates.met.len()),
        (forbidden, &gates.forbidden, forbids),
        (unasked, &gates.unavailable, gates.unavailable.len()),
    ];
    for (heading, lines, count) in lists {
        if count == 0 {
            continue;
        }
        let _ = writeln!(text, "\n{heading} ({count})");
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}  {}", line.id, short(&line.blocks, TITLE));
            let _ = writeln!(text, "     {}", short(&line.sentence, 200));
            let _ = writeln!(text, "     {}", reason(&short(&line.why, 500), words));
        }
        if count > lines.len().min(SHOWN) {
            let _ = writeln!(
                text,
                "  ... {} {}",
                count - lines.len().min(SHOWN),
                words.more
            );
        }
    }
}

fn sources(text: &mut String, outcome: &Outcome, style: Style, words: &Words) {
    if outcome.roles.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", words.sources);
    for role in &outcome.roles {
        one_role(text, role, words);
        if role.status == Status::Unavailable {
            let language = if style.german { "de" } else { "en" };
            if let Some(about) = outcome.about.get(&role.name).and_then(|a| a.get(language)) {
                let _ = writeln!(text, "     {}", escape(about));
            }
        }
        let generic = (role.status == Status::Unavailable).then_some(words.declare);
        remedy(text, role.help.as_deref().or(generic), words);
    }
}

fn one_role(text: &mut String, role: &RoleReport, words: &Words) {
    let located = role.status == Status::Located;
    let status = status_word(role.status, words);
    let _ = writeln!(text, "  {}: {status}", escape(&role.name));
    if !located {
        let _ = writeln!(text, "     {}", short(&(words.reason)(&role.why), 500));
    }
    if let (Some(way), Some(at)) = (&role.way, &role.at) {
        let _ = writeln!(text, "     {} {} ({})", words.at, escape(at), escape(way));
    }
}

fn status_word(status: Status, words: &Words) -> &'static str {
    let [found, empty, unavailable, absent] = words.status;
    match status {
        Status::Found => found,
        Status::Empty => empty,
        Status::Unavailable => unavailable,
        Status::Absent => absent,
        Status::Located => words.located,
    }
}

fn remedy(text: &mut String, help: Option<&str>, words: &Words) {
    if let Some(help) = help {
        let _ = writeln!(text, "     {}: {}", words.remedy, short(help, 500));
    }
}

/// What is unavailable beside the roles.
fn others(text: &mut String, outcome: &Outcome, words: &Words) {
    let is_role = |name: &str| outcome.roles.iter().any(|role| role.name == name);
    let others: Vec<&Unavailable> = outcome
        .unavailable
        .iter()
        .filter(|u| !is_role(&u.name))
        .collect();
    if others.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{}", words.probes);
    for other in others {
        let _ = writeln!(
            text,
            "  {}: {}",
            escape(&other.name),
            short(&(words.reason)(&other.why), 500)
        );
        remedy(text, other.help.as_deref(), words);
    }
}

fn footer(text: &mut String, ticked: &Ticked, words: &Words) {
    let outcome = &ticked.outcome;
    text.push('\n');
    if outcome.guard.asked {
        let _ = writeln!(
            text,
            "{}: {}",
            words.guard,
            reason(&outcome.guard.why, words)
        );
    }
    if !outcome.settled.is_empty() {
        let mut by: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
        for rested in &outcome.settled {
            *by.entry(rested.by.as_str()).or_default() += 1;
        }
        let by: Vec<String> = by
            .iter()
            .map(|(who, count)| format!("{} {count}", escape(who)))
            .collect();
        let _ = writeln!(
            text,
            "{}: {} ({})",
            words.settled,
            outcome.settled.len(),
            by.join(", ")
        );
    }
    if let Some(next) = outcome.next_check_at {
        let _ = writeln!(text, "{}: {}", words.next, next.rfc3339());
    }
    if !ticked.recorded {
        let _ = writeln!(text, "{}", words.unrecorded);
    }
    for warning in &ticked.warnings {
        let _ = writeln!(text, "  {}", escape(warning));
    }
}
