//! A whole tick over the world of a case: what the rules make of what the probes see.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;

use crate::ask::Asking;
use crate::ledger::View;
use crate::ledger::state::Record;
use crate::tick::{Frame, Intervals};

use crate::cases::case::{Case, RecordCase};
use crate::cases::stage::Stage;
use crate::cases::told::{Told, evidence, sorted};

/// Plays a tick.
pub fn tick(case: &Case, asking: &Asking, stage: &Stage) -> Told {
    let mut frame = frame(case, stage);
    if let Some(record) = &case.record {
        let view = frame.view.clone();
        frame.view = view.map(|view| recorded(record, asking, view, &frame));
    }
    let outcome = crate::tick::run(asking, &frame);
    let roles: BTreeMap<&str, _> = outcome
        .roles
        .iter()
        .map(|role| (role.name.as_str(), role.status))
        .collect();
    let work: BTreeMap<&str, _> = outcome
        .work
        .iter()
        .map(|work| (work.name.as_str(), work.status))
        .collect();
    let unavailable: BTreeMap<&str, &str> = outcome
        .unavailable
        .iter()
        .map(|missing| (missing.name.as_str(), missing.why.as_str()))
        .collect();
    let got = json!({
        "signal": outcome.signal.to_string(),
        "verdict": outcome.signal.verdict(),
        "roles": roles,
        "work": work,
        "items": sorted(&outcome.items),
        "bundle": sorted(&outcome.bundle),
        "rest": sorted(&outcome.rest),
        "unavailable": unavailable,
        "guard": outcome.guard,
        "settled": outcome.settled,
        "next_check_at": outcome.next_check_at.map(|next| next.rfc3339()),
        "evidence": evidence(&outcome.calls),
    });
    Told::new(got, &[])
}

/// The view with the record of a chain run. A tick before tells how this world is recognised as
/// long as nothing changes in it.
fn recorded(record: &RecordCase, asking: &Asking, view: Arc<View>, frame: &Frame) -> Arc<View> {
    let print = match record.changed {
        true => None,
        false => crate::tick::run(asking, frame).guard.fingerprint,
    };
    let mut view = View::clone(&view);
    view.state.record = Some(Record {
        result: record.result.clone(),
        fingerprint: print.unwrap_or_else(|| "another".to_string()),
        at: record.at.clone(),
        tick: "case".to_string(),
    });
    Arc::new(view)
}

fn frame(case: &Case, stage: &Stage) -> Frame {
    let view = stage.state.clone().map(|state| {
        Arc::new(View {
            state,
            ..View::default()
        })
    });
    Frame {
        now: stage.facts.now,
        view,
        gates: Default::default(),
        write_fault: None,
        settings_fault: None,
        settings_digest: "case".to_string(),
        absent: case.absent.clone(),
        effects: case.effects.iter().cloned().collect(),
        handed_out: 5,
        interval: Intervals::default(),
        use_guard: true,
        english: false,
        mirror: None,
    }
}
