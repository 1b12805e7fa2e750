//! Sets of gates, their changes, and events about them.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may fail, and not every test uses every helper"
)]

use belegt::ledger::event::{Actor, Draft};
use belegt::model::gate::{
    Becomes, Class, Evidence, Gate, GateChange, GateSet, GateStatus, Mode, Tree, step,
};
use belegt::model::receipt::{Outcome, Receipt};
use serde_json::{Value, json};

/// An event.
pub fn draft(id: &str, kind: &str, body: Value) -> Draft {
    Draft {
        id: id.to_string(),
        at: "2026-11-30T10:00:00.000+01:00".to_string(),
        zone: "Europe/Berlin".to_string(),
        actor: Actor {
            kind: "agent".to_string(),
            name: String::new(),
            level: 0,
        },
        host: "h".to_string(),
        session: "unknown".to_string(),
        belegt: "0.1.0".to_string(),
        kind: kind.to_string(),
        body,
    }
}

/// A set whose gates are due at these instants, or at any time. One of its gates is enough if
/// `any`.
pub fn set(id: &str, blocks: &str, mode: Mode, (any, dues): (bool, &[Option<i64>])) -> GateSet {
    let gate = |(n, due): (usize, &Option<i64>)| Gate {
        id: match dues.len() {
            1 => id.to_string(),
            _ => format!("{id}.{}", n + 1),
        },
        condition: format!("condition {n}"),
        sentence: format!("sentence {n} is true"),
        proof_method: due.map_or("file", |_| "time").to_string(),
        params: json!({"due": due, "path": "a/b"}),
        status: GateStatus::Open,
        label: None,
        due: *due,
        evidence: None,
        because: None,
    };
    let gates: Vec<Gate> = dues.iter().enumerate().map(gate).collect();
    let leaves: Vec<Tree> = gates.iter().map(|g| Tree::Gate(g.id.clone())).collect();
    GateSet {
        id: id.to_string(),
        word: "/if-only".to_string(),
        mode,
        blocks: blocks.to_string(),
        key: step::key(blocks),
        carried: String::new(),
        source: format!("condition /if-only {blocks}"),
        created_at: "2026-11-30T10:00:00+01:00".to_string(),
        by: "agent".to_string(),
        order: 0,
        tree: match (leaves.as_slice(), any) {
            ([leaf], _) => leaf.clone(),
            (_, true) => Tree::Any(leaves),
            (_, false) => Tree::All(leaves),
        },
        gates,
        notes: Vec::new(),
    }
}

/// A set with one gate.
pub fn single(id: &str, blocks: &str, mode: Mode, due: Option<i64>) -> GateSet {
    set(id, blocks, mode, (false, &[due]))
}

/// Evidence of a look.
pub fn evidence() -> Evidence {
    Evidence {
        method: "file".to_string(),
        sentence: "the file `a` is there".to_string(),
        class: Class::Measured,
        receipts: vec![Receipt {
            function: "fs::read".to_string(),
            asked: "a".to_string(),
            outcome: Outcome::Answered,
            digest: "d".repeat(64),
            length: 3,
            begin: "2026-11-30T10:00:00.000+01:00".to_string(),
            micros: 12,
            script: "builtin/probes/proofs/file.rhai".to_string(),
            line: 3,
            shared: false,
        }],
        why: "it is there".to_string(),
        script: "builtin/probes/proofs/file.rhai".to_string(),
        digest: "e".repeat(64),
        line: 9,
        run: "run".to_string(),
        at: "2026-11-30T10:00:00+01:00".to_string(),
    }
}

/// A change of the first gate of a set with one gate, or of the gate that is named.
pub fn change(set: &str, gate: &str, to: Becomes) -> GateChange {
    GateChange {
        set: set.to_string(),
        gate: gate.to_string(),
        to,
    }
}

/// The event that opens a set; its id comes from the set's.
pub fn opened(set: &GateSet) -> Draft {
    draft(
        &format!("open-{}", set.id),
        "gate.opened",
        json!({"set": set}),
    )
}

/// An event of one kind with changes.
pub fn changed(id: &str, kind: &str, changes: &[GateChange]) -> Draft {
    draft(id, kind, json!({"changes": changes}))
}

/// The event that a gate is met.
pub fn met(id: &str, set: &str, gate: &str) -> Draft {
    let to = Becomes::Met(Box::new(evidence()));
    changed(id, "gate.met", &[change(set, gate, to)])
}

/// The event that a gate is dropped.
pub fn dropped(id: &str, set: &str, gate: &str) -> Draft {
    let to = Becomes::Dropped("no longer needed".to_string());
    changed(id, "gate.dropped", &[change(set, gate, to)])
}

/// The event that a gate is open again.
pub fn reopened(id: &str, set: &str, gate: &str) -> Draft {
    let to = Becomes::Open("too old".to_string());
    changed(id, "gate.reopened", &[change(set, gate, to)])
}
