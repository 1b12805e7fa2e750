//! The work probe `tickets`: clusters, claims, evidence, and what cannot be read without a guess.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use belegt::model::signal::Signal;
use belegt::model::status::Status;
use belegt::tick::probe::Answer;
use belegt::world::fixture::Content;
use serde_json::{Value, json};
use support::{Stage, folder, ids, kinds};

/// A ticket with these lines behind its title.
fn ticket(lines: &str) -> String {
    format!("TICKET\nTITEL:   Etwas\n{lines}\n")
}

fn with(place: &str, lines: &str) -> Stage {
    Stage::new().file(&format!("_TICKETS/{place}"), &ticket(lines))
}

fn kind(answer: &Answer) -> (&str, &str) {
    assert_eq!(answer.items.len(), 1, "{} {:?}", answer.why, ids(answer));
    let item = &answer.items[0].item;
    (&item.kind, &item.detail)
}

/// The tree that the real ticket system wrote, on a stage.
fn real_tree() -> Stage {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/tickets");
    let mut stage = Stage::new();
    let mut open = vec![data.join("_TICKETS")];
    while let Some(place) = open.pop() {
        if place.is_dir() {
            open.extend(std::fs::read_dir(place).unwrap().map(|e| e.unwrap().path()));
        } else {
            let name = place
                .strip_prefix(&data)
                .unwrap()
                .to_str()
                .unwrap()
                .to_string();
            stage = stage.file(&name, &std::fs::read_to_string(place).unwrap());
        }
    }
    stage
}

#[test]
fn the_real_tree_as_its_own_tool_lists_it() {
    let stage = real_tree();
    let list: Value = serde_json::from_str(include_str!("data/tickets/list.json")).unwrap();
    let listed: BTreeSet<String> = list["tickets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|t| {
            format!(
                "{} {}",
                t["path"].as_str().unwrap(),
                t["title"].as_str().unwrap()
            )
        })
        .collect();
    let (intake, tickets) = (stage.look("intake"), stage.look("tickets"));
    let mut seen: BTreeSet<String> = intake
        .items
        .iter()
        .chain(&tickets.items)
        .map(|i| {
            format!(
                "{} {}",
                i.item.at.strip_prefix("_TICKETS/").unwrap(),
                i.item.title
            )
        })
        .collect();
    // The one that the tool does not see.
    assert!(seen.remove("INBOX/notiz.txt notiz.txt: Rueckruf wegen Export, dringend"));
    assert_eq!(seen, listed);
    assert_eq!(ids(&intake), ["T-20261130-987860683", "notiz.txt"]);
    assert_eq!(intake.items[1].item.priority, 1);
    let expected = [
        ("T-20261130-477725897", "ticket.actionable"),
        ("T-20261130-557368869", "ticket.claimed"),
        ("T-20261130-867114951", "ticket.blocked"),
        ("T-20261130-273130552", "ticket.due_unknown"),
        ("T-20261130-275392232", "ticket.user"),
        ("T-20261130-668862690", "ticket.parked"),
    ];
    let expected = expected.map(|(id, kind)| (id.to_string(), kind.to_string()));
    assert_eq!(kinds(&tickets), expected.into());
    assert_eq!(stage.tick().signal, Signal::Continue);
}

#[test]
fn the_folder_counts_and_not_the_status() {
    let table = [
        ("ACTIONABLE", "ticket.actionable"),
        ("QUEUED", "ticket.queued"),
        ("USER", "ticket.user"),
        (".USER", "ticket.user"),
        ("PARKED", "ticket.parked"),
        ("PENDING", "ticket.legacy"),
    ];
    for (folder, expected) in table {
        for status in ["STATUS: INBOX", "STATUS: SOLVED", "STATUS: ???", ""] {
            let answer = with(&format!("{folder}/T-20261130-1_x.txt"), status).look("tickets");
            assert_eq!(kind(&answer).0, expected, "{status}");
            assert_eq!(ids(&answer), ["T-20261130-1"]);
        }
    }
    let solved = with("SOLVED/T-20261130-1.txt", "STATUS: ACTIONABLE").look("tickets");
    assert_eq!(solved.status, Status::Empty, "{}", solved.why);
    assert_eq!(Stage::new().look("tickets").status, Status::Absent);
}

#[test]
fn a_claim_counts_where_somebody_works() {
    let table = [
        ("ACTIONABLE/T-20261130-1.HOSTB.txt", "ticket.claimed"),
        ("ACTIONABLE/T-20261130-1.hosta.txt", "ticket.actionable"),
        (
            "ACTIONABLE/T-20261130-1.to-dev.claim-HostB.txt",
            "ticket.claimed",
        ),
        (
            "ACTIONABLE/T-20261130-1.via-x.claim-HostA.txt",
            "ticket.actionable",
        ),
        ("QUEUED/T-20261130-1.HOSTB.txt", "ticket.queued"),
        ("USER/T-20261130-1.HOSTB.txt", "ticket.user"),
        ("PARKED/T-20261130-1.HOSTB.txt", "ticket.parked"),
    ];
    for (place, expected) in table {
        assert_eq!(
            kind(&with(place, "").look("tickets")).0,
            expected,
            "{place}"
        );
    }
    let mut dotted = with("ACTIONABLE/T-20261130-1.HOSTA.txt", "");
    dotted.host = "hosta.example".to_string();
    assert_eq!(kind(&dotted.look("tickets")).0, "ticket.actionable");
    dotted.host = String::new();
    assert_eq!(kind(&dotted.look("tickets")).0, "ticket.claimed");
}

#[test]
fn waiting_is_due_by_date_and_marker_or_says_that_it_does_not_know() {
    let table = [
        (
            "STATUS: WAITING/scheduled (seit 2026-11-01)",
            "ticket.due_unknown",
        ),
        ("STATUS: INBOX", "ticket.due_unknown"),
        ("STATUS: WAITING", "ticket.odd"),
        ("", "ticket.odd"),
        ("FAELLIG: 2026-11-30", "ticket.due"),
        ("FÄLLIG: 2026-12-01", "ticket.waiting"),
        ("DUE: 2026-11-30T09:59:00+01:00", "ticket.due"),
        ("DUE: 2026-11-30T10:01:00+01:00", "ticket.waiting"),
        ("DUE: 2026-11-30 10:00", "ticket.due"),
        ("STATUS: INBOX\nDUE: next week", "ticket.due_unknown"),
        ("STATUS: INBOX\nDUE:", "ticket.due_unknown"),
        ("MARKER: out/report.json", "ticket.due"),
        ("MARKER: out/other.json", "ticket.waiting"),
        ("MARKER: /etc/passwd", "ticket.odd"),
        ("DUE: 2026-11-01\nMARKER: out/other.json", "ticket.waiting"),
        ("DUE: 2026-12-01\nMARKER: out/report.json", "ticket.waiting"),
        ("DUE: 2026-11-01\nMARKER: out/report.json", "ticket.due"),
    ];
    for (lines, expected) in table {
        let stage = with("WAITING/T-20261130-1.txt", lines).file("out/report.json", "{}");
        let answer = stage.look("tickets");
        assert_eq!(kind(&answer).0, expected, "{lines} {}", kind(&answer).1);
        let later = lines.contains("12-01") || lines.contains("10:01");
        assert_eq!(answer.items[0].due.is_some(), later, "{lines}");
    }
}

#[test]
fn blocked_stays_blocked_without_evidence() {
    let table = [
        (
            "STATUS: BLOCKED/dependency (since 2026-11-20)",
            "ticket.blocked",
        ),
        ("STATUS: INBOX", "ticket.blocked"),
        ("STATUS: BLOCKED", "ticket.odd"),
        ("", "ticket.odd"),
        (
            "STATUS: BLOCKED/quota\nMARKER: out/report.json",
            "ticket.unblocked",
        ),
        (
            "STATUS: BLOCKED/quota\nMARKER: out/other.json",
            "ticket.blocked",
        ),
        ("STATUS: BLOCKED/quota\nMARKER: ../x", "ticket.odd"),
        ("STATUS: BLOCKED/lock\nLOCK: out/LOCK.txt", "ticket.blocked"),
        (
            "STATUS: BLOCKED/lock\nLOCK: out/LOCK.gone.txt",
            "ticket.unblocked",
        ),
        ("STATUS: BLOCKED/lock\nLOCK: /var/LOCK.txt", "ticket.odd"),
        (
            "STATUS: BLOCKED/quota\nLOCK: out/LOCK.gone.txt",
            "ticket.blocked",
        ),
        ("STATUS: BLOCKED/quota\nDUE: 2026-11-01", "ticket.blocked"),
    ];
    for (lines, expected) in table {
        let stage = with("BLOCKED/T-20261130-1.txt", lines)
            .file("out/report.json", "{}")
            .file("out/LOCK.txt", "");
        let answer = stage.look("tickets");
        assert_eq!(kind(&answer).0, expected, "{lines} {}", kind(&answer).1);
    }
}

#[test]
fn what_cannot_be_read_without_a_guess_goes_to_the_person() {
    let stage = Stage::new()
        .file("_TICKETS/BLOCKED/dependency/T-20261130-1.txt", "")
        .file("_TICKETS/ACTIONABLE/notes.md", "x")
        .place("_TICKETS/USER/pipe", Content::Fifo.into())
        .place(
            "_TICKETS/PARKED/T-20261130-2.txt",
            Content::Unreadable.into(),
        )
        .file("_TICKETS/QUEUED/\\xff.txt", "x")
        .file("_TICKETS/actionable/T-20261130-3.txt", "")
        .file("_TICKETS/ACTIONABLE/T-20261130-4.txt", "")
        .file("_TICKETS/USER/T-20261130-4_again.txt", "")
        .file("_TICKETS/PARKED/T-20261130-5.txt", "")
        .file("_TICKETS/PARKED/T-20261130-5.HOSTB.txt", "")
        // In nobody's way:
        .file("_TICKETS/_templates/T-20261130-6.txt", "")
        .file("_TICKETS/_logs/log", "")
        .file("_TICKETS/README.md", "")
        .file("_TICKETS/WAITING/.gitkeep", "")
        .file("_TICKETS/WAITING/LOCK.txt", "")
        .file(
            "_TICKETS/ACTIONABLE/T-20261130-4.sync-conflict-20261130-1-A.txt",
            "",
        );
    let answer = stage.look("tickets");
    let mut places = ids(&answer);
    places.sort();
    let expected = [
        "_TICKETS/ACTIONABLE/T-20261130-4.txt",
        "_TICKETS/ACTIONABLE/notes.md",
        "_TICKETS/BLOCKED/dependency",
        "_TICKETS/PARKED/T-20261130-2.txt",
        "_TICKETS/PARKED/T-20261130-5.HOSTB.txt",
        "_TICKETS/PARKED/T-20261130-5.txt",
        "_TICKETS/QUEUED/\\xff.txt",
        "_TICKETS/USER/T-20261130-4_again.txt",
        "_TICKETS/USER/pipe",
        "_TICKETS/actionable",
    ];
    assert_eq!(places, expected);
    assert!(answer.items.iter().all(|i| i.item.kind == "ticket.odd"));
    let tick = stage.tick();
    assert_eq!((tick.items.len(), tick.bundle.len()), (0, 10));
}

#[test]
fn a_cluster_that_cannot_be_read_is_unavailable() {
    let cases = [
        Stage::new().file("_TICKETS/USER", "a file"),
        Stage::new()
            .place("_TICKETS/BLOCKED", Content::Unreadable.into())
            .file("_TICKETS/BLOCKED/T-20261130-1.txt", ""),
        Stage::new().file("_TICKETS", "a file"),
    ];
    for stage in cases {
        let answer = stage.look("tickets");
        assert_eq!(answer.status, Status::Unavailable, "{}", answer.why);
    }
}

#[test]
fn titles_and_priorities() {
    let stage = Stage::new()
        .file(
            "_TICKETS/USER/T-20261130-1.txt",
            "TITEL:\nTITLE: Colour\nPRIORITY: critical\n",
        )
        .file("_TICKETS/USER/T-20261130-2_farbe.txt", "PRIORITAET: P8\n")
        .file(
            "_TICKETS/USER/T-20261130-3.txt",
            "TITEL: a\u{1b}[2J\nPRIORITAET: egal\n",
        );
    let shown: Vec<_> = stage
        .look("tickets")
        .items
        .into_iter()
        .map(|i| (i.item.title, i.item.priority))
        .collect();
    let expected = [("Colour", 1), ("farbe", 8), ("a\\u{1b}[2J", 5)];
    assert_eq!(shown, expected.map(|(t, p)| (t.to_string(), p)));
}

#[test]
fn locks_of_the_person_reach_as_far_as_their_folder() {
    let stage = with("ACTIONABLE/T-20261130-1.txt", "").file("_TICKETS/QUEUED/.gitkeep", "");
    assert_eq!(stage.tick().signal, Signal::Continue);
    for lock in [
        "LOCK.user.txt",
        "_TICKETS/LOCK.user.a.txt",
        "_TICKETS/ACTIONABLE/lock.USER.txt",
    ] {
        let tick = stage.clone().file(lock, "").tick();
        assert!(tick.items.is_empty(), "{lock}");
        assert_eq!(tick.bundle.len(), 1, "{lock}");
    }
    let elsewhere = stage.file("_TICKETS/QUEUED/LOCK.user.txt", "").tick();
    assert_eq!(elsewhere.items.len(), 1);
}

#[test]
fn the_folder_is_a_setting() {
    let mut stage = Stage::new()
        .file("work/tickets/USER/T-20261130-1.txt", "")
        .place("_TICKETS", folder());
    stage.settings.insert(
        "probes/work/tickets".to_string(),
        json!({ "path": "work/tickets" }),
    );
    let answer = stage.look("tickets");
    assert_eq!(
        answer.items[0].item.at,
        "work/tickets/USER/T-20261130-1.txt"
    );
}
