//! `gate drop`: a gate that a changed task has made needless, with a reason.
//!
//! INVARIANT: a prohibition is lifted by a person at a terminal, never by the one whom it binds.

use std::time::Instant;

use serde_json::json;

use super::{PATIENCE, busy, named, nothing_known, touches};
use crate::app::book::{Book, actor, draft, fault};
use crate::app::context::Context;
use crate::diag::{Code, Fault};
use crate::gate::check::NOT_NEEDED;
use crate::ledger::Head;
use crate::ledger::event::Actor;
use crate::model::gate::{Becomes, GateChange, GateSet, GateStatus, Mode};
use crate::model::text::escape;

/// Drops the named sets or gates; all or none. Gives the sets as they are then.
///
/// # Errors
/// No reason, an unknown id, a gate that is met or dropped already, a prohibition without a
/// person.
pub fn run(settings: &Context<'_>, ids: &[String], because: &str) -> Result<Vec<GateSet>, Fault> {
    if because.trim().is_empty() {
        return Err(Fault::new(Code::Usage, "dropping a gate needs a reason")
            .with_help("add `--because TEXT`"));
    }
    let until = Instant::now() + PATIENCE;
    let mut by = None;
    loop {
        let Some(book) = Book::read(settings).map_err(|f| fault(&f))? else {
            return Err(nothing_known());
        };
        let gates = named(&book, ids)?;
        let mut sets = gates.sets;
        let changes = changes(&sets, ids, because)?;
        if by.is_none() {
            by = Some(who(settings, &sets)?);
        }
        let by = by.clone().unwrap_or_else(|| actor(settings));
        if store(settings, (&gates.head, &sets), by, &changes)? {
            for change in changes {
                if let Some(set) = sets.iter_mut().find(|set| set.id == change.set) {
                    set.apply(&change.gate, change.to);
                }
            }
            return Ok(sets);
        }
        if Instant::now() >= until {
            return Err(busy());
        }
    }
}

fn store(
    settings: &Context<'_>,
    (head, sets): (&Head, &[GateSet]),
    by: Actor,
    changes: &[GateChange],
) -> Result<bool, Fault> {
    let ids = sets.iter().map(|set| set.id.as_str()).collect();
    let body = json!({ "changes": changes });
    let drafts = [draft(settings, by, "gate.dropped", body)];
    let mut book = Book::create(settings).map_err(|f| fault(&f))?;
    let nobody = std::collections::BTreeSet::new();
    book.append_unless(head.clone(), &drafts, &|event| {
        touches(event, &ids, &nobody)
    })
    .map_err(|f| fault(&f))
}

fn changes(sets: &[GateSet], ids: &[String], because: &str) -> Result<Vec<GateChange>, Fault> {
    let mut changes = Vec::new();
    for set in sets {
        let whole = ids.contains(&set.id);
        let meant = |id: &str| whole || ids.iter().any(|wanted| wanted == id);
        let meant = set.gates.iter().filter(|gate| meant(&gate.id));
        let before = changes.len();
        for gate in meant {
            match gate.status {
                GateStatus::Dropped => {}
                GateStatus::Met if !whole => return Err(closed(&gate.id, "met")),
                GateStatus::Met | GateStatus::Open => changes.push(GateChange {
                    set: set.id.clone(),
                    gate: gate.id.clone(),
                    to: Becomes::Dropped(because.trim().to_string()),
                }),
            }
        }
        match set.status() {
            GateStatus::Met => return Err(closed(&set.id, "met")),
            GateStatus::Dropped => return Err(closed(&set.id, "dropped")),
            GateStatus::Open if changes.len() == before => return Err(closed(&set.id, "dropped")),
            GateStatus::Open => close_alternatives(set, &mut changes),
        }
    }
    Ok(changes)
}

/// What is left may be met now: then its alternatives are closed too.
fn close_alternatives(set: &GateSet, changes: &mut Vec<GateChange>) {
    let mut after = set.clone();
    for change in changes.iter().filter(|change| change.set == set.id) {
        after.apply(&change.gate, change.to.clone());
    }
    changes.extend(after.superfluous().into_iter().map(|gate| GateChange {
        set: set.id.clone(),
        gate,
        to: Becomes::Dropped(NOT_NEEDED.to_string()),
    }));
}

fn closed(id: &str, how: &str) -> Fault {
    Fault::new(Code::Unknown, format!("gate `{id}` is {how} already"))
        .with_help("`belegt gate show` tells why")
}

/// Who drops: for a prohibition only a person at the terminal, asked here.
fn who(settings: &Context<'_>, sets: &[GateSet]) -> Result<Actor, Fault> {
    let only: Vec<&GateSet> = sets.iter().filter(|set| set.mode == Mode::Only).collect();
    if only.is_empty() {
        return Ok(actor(settings));
    }
    let person = settings.person().ok_or_else(|| {
        Fault::new(
            Code::Terminal,
            "lifting a prohibition needs a person at a terminal",
        )
        .with_help("run it in a terminal, or prove the condition: `belegt gate check`")
    })?;
    let steps = only
        .iter()
        .map(|set| format!("  {}\n", escape(&set.blocks)));
    let steps: String = steps.collect();
    let question = format!("What is named no longer forbids:\n{steps}Lift it? type `yes`:");
    if person.ask(&question).unwrap_or_default().trim() != "yes" {
        return Err(Fault::new(
            Code::Terminal,
            "not dropped: the answer was not `yes`",
        ));
    }
    Ok(Actor {
        kind: "person".to_string(),
        name: settings.actor.name.clone(),
        level: 1,
    })
}
