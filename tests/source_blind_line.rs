//! The line for every combination of what is there, against a table written from the original
//! helper's output: names in the order of the chain, comma and blank between, N of 4.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;
#[path = "support/tools.rs"]
mod tools;

use serde_json::json;
use support::{HOME, Stage};
use tools::{missing, prints};

/// Each row: decisions, gardener, usmc and user model there (`+`) or not (`-`), and the line.
const TABLE: [(&str, &str); 16] = [
    ("++++", "WORK-AUTONOMOUS: STOP (exhausted)"),
    (
        "-+++",
        "WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: decisions.ledger)",
    ),
    (
        "+-++",
        "WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: memory.organic)",
    ),
    (
        "++-+",
        "WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: memory.curated)",
    ),
    (
        "+++-",
        "WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: user.model)",
    ),
    (
        "--++",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: decisions.ledger, memory.organic)",
    ),
    (
        "-+-+",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: decisions.ledger, memory.curated)",
    ),
    (
        "-++-",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: decisions.ledger, user.model)",
    ),
    (
        "+--+",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: memory.organic, memory.curated)",
    ),
    (
        "+-+-",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: memory.organic, user.model)",
    ),
    (
        "++--",
        "WORK-AUTONOMOUS: STOP (blind, 2/4 Quellen nicht verfuegbar: memory.curated, user.model)",
    ),
    (
        "---+",
        "WORK-AUTONOMOUS: STOP (blind, 3/4 Quellen nicht verfuegbar: decisions.ledger, memory.organic, memory.curated)",
    ),
    (
        "--+-",
        "WORK-AUTONOMOUS: STOP (blind, 3/4 Quellen nicht verfuegbar: decisions.ledger, memory.organic, user.model)",
    ),
    (
        "-+--",
        "WORK-AUTONOMOUS: STOP (blind, 3/4 Quellen nicht verfuegbar: decisions.ledger, memory.curated, user.model)",
    ),
    (
        "+---",
        "WORK-AUTONOMOUS: STOP (blind, 3/4 Quellen nicht verfuegbar: memory.organic, memory.curated, user.model)",
    ),
    (
        "----",
        "WORK-AUTONOMOUS: STOP (blind, 4/4 Quellen nicht verfuegbar: decisions.ledger, memory.organic, memory.curated, user.model)",
    ),
];

fn stage(there: &str) -> Stage {
    let is_there: Vec<bool> = there.chars().map(|c| c == '+').collect();
    let mut stage = Stage::new().command(missing("source-resolver"));
    stage.site = json!({ "user_model": { "authorized": true } });
    let control = "_control-center/_CONTROL";
    if is_there[0] {
        stage = stage.file(&format!("{control}/_DECISIONS/TO-DECIDE-USER.txt"), "");
    }
    if is_there[1] {
        stage = stage.file(&format!("{HOME}/.gardener/user.db"), "x");
        for state in ["open", "doing"] {
            stage = stage.command(prints(
                &format!("gardener tasks {state}"),
                "  Keine Tasks.\n",
            ));
        }
        for word in ["RESUME", "NAECHSTE", "TODO"] {
            let line = format!("gardener find --limit 200 {word}");
            stage = stage.command(prints(&line, "  Keine Ergebnisse.\n"));
        }
    } else {
        stage = stage.command(missing("gardener"));
    }
    if is_there[2] {
        stage = stage.file(&format!("{HOME}/.usmc/usmc_memory.db"), "x");
        for line in ["working --limit -1", "lessons --limit -1", "facts"] {
            stage = stage.command(prints(&format!("usmc {line} --json"), "[]\n"));
        }
    } else {
        stage = stage.command(missing("usmc"));
    }
    if is_there[3] {
        stage = stage.file(
            &format!("{control}/_USER-MIND/avatar/START.md"),
            "# START\n",
        );
    }
    stage
}

#[test]
fn the_line_for_every_combination_of_what_is_there() {
    let combinations: std::collections::BTreeSet<_> = TABLE.iter().map(|(t, _)| *t).collect();
    assert_eq!(combinations.len(), 16);
    for (there, line) in TABLE {
        let outcome = stage(there).tick();
        assert_eq!(outcome.signal.to_string(), line, "{there}");
    }
}

#[test]
fn consent_is_asked_for_even_if_the_model_is_there() {
    let mut stage = stage("++++");
    stage.site = json!({});
    let line = "WORK-AUTONOMOUS: STOP (blind, 1/4 Quellen nicht verfuegbar: user.model)";
    assert_eq!(stage.tick().signal.to_string(), line);
}
