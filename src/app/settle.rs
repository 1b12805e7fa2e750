//! Settling news: who dealt with it, how and why.
//!
//! What is settled is what was shown: the digest of the item as the newest tick that held it
//! stored it. If the item changed since, the change is handed out; nobody settles what they
//! did not see.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::diag::{Code, Fault};
use crate::ledger::event::Actor;
use crate::model::item::SettledAs;
use crate::model::text::plural;
use crate::script::names::closest;

use super::book::{Book, actor, draft, fault};
use super::context::Context;
use super::{bundle, history};

/// How many stored ticks are searched for an item.
const LOOK_BACK: usize = 50;

/// What is asked to be settled.
pub struct Request {
    /// The items: `source:id`.
    pub ids: Vec<String>,
    /// How.
    pub how: SettledAs,
    /// Why, in words.
    pub because: String,
}

/// Settles the named items; all or none.
pub fn named(settings: &Context<'_>, request: &Request) -> Result<Vec<String>, Fault> {
    if request.because.trim().is_empty() {
        return Err(
            Fault::new(Code::Usage, "settling needs a reason").with_help("add `--because TEXT`")
        );
    }
    let shown = shown(settings)?;
    let mut items = Vec::new();
    for id in &request.ids {
        let (id, item) = meant(id, &shown)?;
        if item.get("lasting").and_then(Value::as_bool) != Some(false) {
            let text = format!("`{id}` cannot be settled by word: it ends where it lives");
            return Err(Fault::new(Code::Usage, text)
                .with_help("tick the box, move the ticket, answer the decision"));
        }
        items.push((id.to_string(), text(item, "digest")));
    }
    store(settings, request, items, actor(settings))
}

/// Settles all news of one source that were written before a date. A person does that.
pub fn bulk(
    settings: &Context<'_>,
    request: &Request,
    (source, before): (&str, &str),
) -> Result<Vec<String>, Fault> {
    let date = chrono::NaiveDate::parse_from_str(before, "%Y-%m-%d").map_err(|_| {
        Fault::new(Code::Usage, format!("`{before}` is no date"))
            .with_help("write it as `2026-11-30`")
    })?;
    let person = settings.person().ok_or_else(|| {
        Fault::new(
            Code::Terminal,
            "settling in bulk needs a person at a terminal",
        )
        .with_help("settle by id, or run it in a terminal")
    })?;
    let chosen = older(settings, source, date);
    if chosen.is_empty() {
        let message = format!("`{source}` holds no news from before {before}");
        return Err(Fault::new(Code::Unknown, message));
    }
    let count = plural(chosen.len(), "item of news", "items of news");
    let question = format!("settle {count} of {source} from before {before}? type `yes`: ");
    if person.ask(&question).unwrap_or_default().trim() != "yes" {
        return Err(Fault::new(
            Code::Terminal,
            "not settled: the answer was not `yes`",
        ));
    }
    let by = Actor {
        kind: "person".to_string(),
        name: settings.actor.name.clone(),
        level: 1,
    };
    store(settings, request, chosen, by)
}

/// The news of a source that were written before a day, as they stand now.
fn older(settings: &Context<'_>, source: &str, day: chrono::NaiveDate) -> Vec<(String, String)> {
    let outcome = bundle::look(settings).outcome;
    let known = outcome.items.iter().chain(&outcome.bundle);
    known
        .filter(|item| item.source == source && !item.lasting)
        .filter(|item| written(item).is_some_and(|written| written < day))
        .map(|item| (item.key.clone(), item.digest.clone()))
        .collect()
}

/// The day an item is from: the first date that its id or its detail names.
fn written(item: &crate::tick::outcome::Sorted) -> Option<chrono::NaiveDate> {
    let compact = |text: &str| {
        let digits: String = text
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take(8)
            .collect();
        chrono::NaiveDate::parse_from_str(&digits, "%Y%m%d").ok()
    };
    let dashed = |text: &str| {
        let start = text
            .match_indices('-')
            .find_map(|(at, _)| at.checked_sub(4))?;
        let day: String = text.get(start..)?.chars().take(10).collect();
        chrono::NaiveDate::parse_from_str(&day, "%Y-%m-%d").ok()
    };
    dashed(&item.item.detail).or_else(|| compact(&item.item.id))
}

fn store(
    settings: &Context<'_>,
    request: &Request,
    items: Vec<(String, String)>,
    by: Actor,
) -> Result<Vec<String>, Fault> {
    let body = json!({
        "items": items.iter().map(|(key, digest)| json!({ "key": key, "digest": digest })).collect::<Vec<_>>(),
        "how": request.how,
        "because": request.because,
        "tree": super::stage::tree(settings),
    });
    let mut book = Book::create(settings).map_err(|f| fault(&f))?;
    let draft = draft(settings, by, "news.settled", body);
    book.append_free(&draft).map_err(|f| fault(&f))?;
    Ok(items.into_iter().map(|(key, _)| key).collect())
}

/// The items that the newest ticks showed, the newest spelling of each.
fn shown(settings: &Context<'_>) -> Result<BTreeMap<String, Value>, Fault> {
    let mut shown = BTreeMap::new();
    for event in history::newest_ticks(settings, LOOK_BACK)? {
        for pile in ["items", "bundle"] {
            let items = event.draft.body.get(pile).and_then(Value::as_array);
            for item in items.into_iter().flatten() {
                shown
                    .entry(text(item, "id"))
                    .or_insert_with(|| item.clone());
            }
        }
    }
    Ok(shown)
}

/// The item of that id, or the only one whose id begins so.
fn meant<'a>(id: &str, shown: &'a BTreeMap<String, Value>) -> Result<(&'a str, &'a Value), Fault> {
    if let Some((key, item)) = shown.get_key_value(id) {
        return Ok((key, item));
    }
    let mut begins = shown
        .iter()
        .filter(|(key, _)| id.contains(':') && key.starts_with(id));
    match (begins.next(), begins.next()) {
        (Some((key, item)), None) => Ok((key, item)),
        (Some(_), Some(_)) => Err(Fault::new(
            Code::Unknown,
            format!("more than one item begins with `{id}`"),
        )
        .with_help("give more of the id")),
        (None, _) => Err(unknown(id, shown)),
    }
}

fn unknown(id: &str, shown: &BTreeMap<String, Value>) -> Fault {
    let near = closest(id, shown.keys().map(String::as_str));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => "no tick has shown it; `belegt tick --json` lists the ids".to_string(),
    };
    Fault::new(Code::Unknown, format!("there is no item `{id}`")).with_help(help)
}

fn text(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_string()
}
