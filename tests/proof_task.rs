//! The proof method `task`: an artefact is measured, a ticket's folder is only reported.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/proofs.rs"]
mod proofs;
mod support;

use belegt::script::value::text::digest;
use belegt::world::fixture::{Content, FileCase};
use proofs::{compiled, condition, gate, no_method, only_this_method, proven, refusal, said, says};
use serde_json::json;
use support::Stage;

const METHOD: &str = "task";
const ID: &str = "T-20261130-547052982";

/// A site that names the artefacts of two workers.
fn site() -> Stage {
    let mut stage = compiled();
    let artefacts = json!({ "artefacts": { "A": "out/a.json", "import job": "out/import" } });
    stage
        .settings
        .insert(format!("probes/proofs/{METHOD}"), artefacts);
    stage
}

/// A ticket in a folder of the tickets.
fn ticket(stage: Stage, folder: &str, text: &str) -> Stage {
    stage.file(&format!("_TICKETS/{folder}/{ID}.txt"), text)
}

fn asks(stage: &Stage, text: &str, word: &str, parts: &[&str]) {
    says(proven(stage, METHOD, text, "wait"), word, parts);
}

#[test]
fn phrases_are_recognised_by_this_method_alone() {
    let stage = ticket(site(), "ACTIONABLE", "x");
    let of_ticket = [
        format!("ticket {ID} is done"),
        format!("wenn das Ticket {ID} erledigt ist"),
        format!("Ticket {ID} abgeschlossen."),
    ];
    let mut phrases = vec![
        "wenn Worker A fertig ist",
        "Worker A fertig",
        "task A is done",
        "once the task A is complete",
        "Aufgabe A ist erledigt",
        "wenn der Job 'import job' fertig ist",
    ];
    phrases.extend(of_ticket.iter().map(String::as_str));
    only_this_method(&stage, METHOD, &phrases);
}

#[test]
fn o_a23_what_nobody_can_measure_is_no_methods_phrase() {
    let texts = [
        "wenn der Code sauber aussieht",
        "Worker B fertig",
        "Export fertig",
        "ticket T-20261130-1 is done",
        "Review abgeschlossen",
        "Worker A fertig ist und Tests grün sind",
        "Worker A sagt, er ist fertig",
    ];
    no_method(&site(), &texts);
}

#[test]
fn an_artefact_is_proven_like_a_file() {
    let text = "wenn Worker A fertig ist";
    let (sentence, _) = condition(&site(), METHOD, text).unwrap();
    assert_eq!(
        sentence,
        "the acceptance artefact of A, `out/a.json`, is there and complete: not empty, and readable as JSON"
    );
    let with = |content| site().file("out/a.json", content);
    asks(&with("{}"), text, "found", &["out/a.json", &digest(b"{}")]);
    asks(&with("{"), text, "empty", &["half of it"]);
    asks(&with(""), text, "empty", &["is empty"]);
    asks(
        &site().place("out", support::folder()),
        text,
        "empty",
        &["does not exist"],
    );
    asks(&site(), text, "unavailable", &["folder out"]);
    // The worker's ticket does not replace its artefact.
    let moved = site().file("_TICKETS/SOLVED/T-20261130-1.A.txt", "x");
    asks(&moved, text, "unavailable", &["folder out"]);
}

#[test]
fn a_ticket_among_the_done_is_reported() {
    let text = format!("ticket {ID} is done");
    let done = ticket(compiled(), "SOLVED", "STATUS: INBOX\n");
    asks(
        &done,
        &text,
        "reported",
        &[&format!("_TICKETS/SOLVED/{ID}.txt"), "sha256:"],
    );
    for folder in [
        "INBOX",
        "ACTIONABLE",
        "QUEUED",
        "BLOCKED",
        "WAITING",
        "USER",
        "PARKED",
    ] {
        let open = ticket(compiled(), folder, "STATUS: SOLVED\n");
        asks(&open, &text, "empty", &[&format!("_TICKETS/{folder}")]);
    }
    asks(
        &ticket(compiled(), "SOLVED", ""),
        &text,
        "empty",
        &["is empty"],
    );
    let twice = ticket(done.clone(), "ACTIONABLE", "x");
    asks(&twice, &text, "unavailable", &["more than one file"]);
    let other = done.file("_TICKETS/ACTIONABLE/T-20261130-5470529821.txt", "x");
    asks(&other, &text, "reported", &[]);
}

#[test]
fn a_ticket_that_cannot_be_looked_for_is_neither_known_nor_unknown() {
    let closed = compiled().place("_TICKETS/INBOX", Content::Unreadable.into());
    let (why, piece) = refusal(&closed, METHOD, &format!("ticket {ID} is done"));
    assert!(why.contains("nobody can tell"), "{why}");
    assert_eq!(piece, ID);
    let params = gate(json!({ "task": ID }), "wait");
    says(
        said(&closed.prove(METHOD, params.clone())),
        "unavailable",
        &["INBOX"],
    );
    says(
        said(&compiled().prove(METHOD, params.clone())),
        "unavailable",
        &["no ticket"],
    );
    let fifo = FileCase::from(Content::Fifo);
    let odd = compiled().place(&format!("_TICKETS/SOLVED/{ID}.txt"), fifo);
    says(
        said(&odd.prove(METHOD, params)),
        "unavailable",
        &["no ticket"],
    );
}

#[test]
fn d09_a_task_that_is_not_done_is_refused() {
    for (text, word) in [
        ("Worker A ist nicht fertig", "nicht"),
        ("Worker nicht fertig", "nicht"),
        ("task A is not yet done", "not yet"),
    ] {
        let (why, piece) = refusal(&site(), METHOD, text);
        assert!(why.contains("something is not so"), "{text}: {why}");
        assert_eq!(piece, word, "{text}");
    }
}

#[test]
fn d10_an_artefact_has_the_rule_of_its_file_under_every_spelling() {
    let mut stage = compiled().file("out/a.json", "{");
    let artefacts = json!({ "artefacts": { "A": "./out/a.json/" } });
    let path = format!("probes/proofs/{METHOD}");
    stage.settings.insert(path, artefacts);
    let (sentence, _) = condition(&stage, METHOD, "Worker A fertig").unwrap();
    assert!(sentence.contains("readable as JSON"), "{sentence}");
    asks(&stage, "Worker A fertig", "empty", &["half of it"]);
}
