//! Why a tick said what it said: read from what was recorded while it ran, not run again.
//!
//! INVARIANT: everything that is told stands in the stored event; nothing is asked anew.

use serde::Serialize;
use serde_json::Value;

use crate::diag::{Code, Fault};
use crate::ledger::event::Event;

use super::context::Context;
use super::history;

/// A stored tick, to be shown.
pub struct Explained {
    /// The event.
    pub event: Event,
    /// What was asked, branch by branch.
    pub branches: Vec<Branch>,
}

/// One source, work probe, proof or rule: its calls, and the items that came of it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Branch {
    /// `work.todo`, a role, `proofs/time`, or `rules`.
    pub name: String,
    /// What the kernel took it for: `found`, `empty`, ...; empty for proofs and rules.
    pub status: String,
    /// Why.
    pub why: String,
    /// The calls, as they were stored.
    pub calls: Vec<Value>,
    /// The items, as they were stored.
    pub items: Vec<Value>,
}

impl Explained {
    /// A field of the stored body.
    pub fn body(&self, key: &str) -> Option<&Value> {
        self.event.draft.body.get(key)
    }

    /// A text of the stored body.
    pub fn text(&self, key: &str) -> &str {
        let text = self.body(key).and_then(Value::as_str);
        text.unwrap_or_default()
    }
}

/// One tick by the beginning of its id, or the newest; of one script alone, if one is named.
///
/// # Errors
/// There is no such tick, or the script had no part in it.
pub fn tick(
    settings: &Context<'_>,
    id: Option<&str>,
    script: Option<&str>,
) -> Result<Explained, Fault> {
    let event = history::tick(settings, id)?;
    let mut branches = branches(&event.draft.body);
    if let Some(script) = script {
        let all: Vec<String> = scripts(&branches);
        branches = branches
            .into_iter()
            .filter_map(|b| narrowed(b, script))
            .collect();
        if branches.is_empty() {
            let message = format!("no script `{script}` had a part in this tick");
            let help = format!("these had: {}", all.join(", "));
            return Err(Fault::new(Code::Unknown, message).with_help(help));
        }
    }
    Ok(Explained { event, branches })
}

/// The branches in the order in which they were asked: work, sources, proofs, rules.
fn branches(body: &Value) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    for list in ["work", "roles"] {
        for report in array(body, list) {
            branches.push(Branch {
                name: text(report, "name"),
                status: text(report, "status"),
                why: text(report, "why"),
                ..Branch::default()
            });
        }
    }
    for call in array(body, "calls") {
        let name = branch_of(&text(call, "script"));
        put(&mut branches, name, |branch| {
            branch.calls.push(call.clone())
        });
    }
    for list in ["items", "bundle", "rest"] {
        for item in array(body, list) {
            let name = text(item, "source");
            put(&mut branches, name, |branch| {
                branch.items.push(item.clone())
            });
        }
    }
    branches
}

/// Puts something into the branch of this name, a new one if there is none yet.
fn put(branches: &mut Vec<Branch>, name: String, into: impl FnOnce(&mut Branch)) {
    if let Some(known) = branches.iter_mut().find(|branch| branch.name == name) {
        return into(known);
    }
    let mut branch = Branch {
        name,
        ..Branch::default()
    };
    into(&mut branch);
    branches.push(branch);
}

/// The branch to which a script belongs.
fn branch_of(script: &str) -> String {
    let path = path_of(script);
    match path.strip_prefix("probes/") {
        Some(rest) => match rest.split_once('/') {
            Some(("sources", role)) => role.to_string(),
            Some(("work", name)) => format!("work.{name}"),
            _ => rest.to_string(),
        },
        None if path.starts_with("rules/") => "rules".to_string(),
        None => path.to_string(),
    }
}

/// The path below its layer, without `.rhai`.
fn path_of(script: &str) -> &str {
    let script = script.strip_suffix(".rhai").unwrap_or(script);
    script.split_once('/').map_or(script, |(_, path)| path)
}

/// What of a branch a script had a part in: its calls, and the items that it made or sorted.
fn narrowed(mut branch: Branch, script: &str) -> Option<Branch> {
    let is_meant = |place: &str| {
        let file = place.rsplit_once(':').map_or(place, |(file, _)| file);
        let path = path_of(file);
        path == script || file == script || path.ends_with(&format!("/{script}"))
    };
    branch.calls.retain(|call| {
        let receipts = array(call, "receipts").iter();
        let looked = receipts.map(|receipt| text(receipt, "script"));
        let mut places = looked.chain([text(call, "script"), text(call, "source")]);
        places.any(|place| is_meant(&place))
    });
    branch
        .items
        .retain(|item| is_meant(&text(item, "made_at")) || is_meant(&text(item, "sorted_by")));
    (!branch.calls.is_empty() || !branch.items.is_empty()).then_some(branch)
}

/// The scripts that had a part, by path.
fn scripts(branches: &[Branch]) -> Vec<String> {
    let calls = branches.iter().flat_map(|branch| &branch.calls);
    let mut all: Vec<String> = calls
        .map(|call| path_of(&text(call, "script")).to_string())
        .collect();
    all.sort();
    all.dedup();
    all
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    let list = value.get(key).and_then(Value::as_array);
    list.map_or(&[], Vec::as_slice)
}

fn text(value: &Value, key: &str) -> String {
    let text = value.get(key).and_then(Value::as_str);
    text.unwrap_or_default().to_string()
}
