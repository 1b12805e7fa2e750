//! The work probe `intake`: what is an entry of the inbox, and what an open one does to a tick.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::model::signal::Signal;
use belegt::model::status::Status;
use belegt::world::fixture::{Content, FileCase};
use serde_json::json;
use support::{Stage, folder, ids, kinds};

const TICKET: &str = "TICKET\nID: T-20261130-1\nTITEL: Absturz\nSTATUS: INBOX\nPRIORITAET: hoch\n";

fn inbox() -> Stage {
    Stage::new().place("_TICKETS/INBOX", folder())
}

#[test]
fn d17_formless_and_empty_files_count_and_dot_files_do_not() {
    let dots = inbox()
        .file("_TICKETS/INBOX/.gitkeep", "")
        .file("_TICKETS/INBOX/.DS_Store", "x");
    let answer = dots.look("intake");
    assert_eq!(answer.status, Status::Empty, "{}", answer.why);
    let open = dots
        .file("_TICKETS/INBOX/notiz.txt", "Rueckruf wegen Export\n")
        .file("_TICKETS/INBOX/leer.md", "");
    let answer = open.look("intake");
    assert_eq!(ids(&answer), ["leer.md", "notiz.txt"]);
    assert_eq!(answer.items[0].item.title, "leer.md (empty)");
    assert_eq!(
        answer.items[1].item.title,
        "notiz.txt: Rueckruf wegen Export"
    );
    let tick = open.tick();
    assert_eq!(tick.signal, Signal::Continue);
    assert!(!tick.guard.asked);
    assert_eq!(tick.items.len(), 2);
}

#[test]
fn what_is_left_behind_is_no_entry() {
    let names = [
        "desktop.ini",
        "Thumbs.db",
        "~$plan.docx",
        "LOCK.txt",
        "LOCK.team.HOSTB.txt",
        "lock.until.txt",
        "T-20261130-1.sync-conflict-20261130-101010-ABCDEFG.txt",
        "notiz (HOSTB's conflicted copy 2026-11-30).txt",
        "notiz-DESKTOP-AB12CD3.txt",
    ];
    let mut stage = inbox();
    for name in names {
        stage = stage.file(&format!("_TICKETS/INBOX/{name}"), "x");
    }
    let answer = stage.look("intake");
    assert_eq!(answer.status, Status::Empty, "{:?}", ids(&answer));
    assert!(
        answer.why.contains("9 name(s) passed over"),
        "{}",
        answer.why
    );
    for name in [
        "locksmith.txt",
        "notiz-Desktop.txt",
        "inbox.ini",
        "~plan.txt",
    ] {
        let answer = inbox()
            .file(&format!("_TICKETS/INBOX/{name}"), "x")
            .look("intake");
        assert_eq!(ids(&answer), [name]);
    }
}

#[test]
fn tickets_in_the_root_are_new_unless_they_are_claimed() {
    let stage = Stage::new()
        .file("_TICKETS/T-20261130-1_absturz.txt", TICKET)
        .file("_TICKETS/T-20261130-2.HOSTB.txt", TICKET)
        .file("_TICKETS/README.md", "how to\n");
    let answer = stage.look("intake");
    assert_eq!(ids(&answer), ["T-20261130-1"]);
    let item = &answer.items[0].item;
    assert_eq!((item.kind.as_str(), item.priority), ("intake.ticket", 3));
    assert_eq!(
        (item.title.as_str(), item.detail.as_str()),
        ("Absturz", "INBOX")
    );
    assert!(
        answer.why.contains("there is no _TICKETS/INBOX"),
        "{}",
        answer.why
    );
    // The claimed one does not vanish.
    let other = stage.look("tickets");
    assert_eq!(
        kinds(&other)["_TICKETS/T-20261130-2.HOSTB.txt"],
        "ticket.odd"
    );
    // In the inbox a host in the name is history.
    let twice = stage
        .file("_TICKETS/INBOX/T-20261130-1.HOSTB.txt", TICKET)
        .look("intake");
    assert_eq!(twice.items.len(), 2);
    assert!(
        twice
            .items
            .iter()
            .all(|i| i.item.kind == "intake.ticket" && i.item.id == i.item.at)
    );
}

#[test]
fn priorities_come_from_the_field_or_the_words_of_a_note() {
    let table = [
        ("T-20261130-9.txt", "PRIORITAET: kritisch\n", 1),
        ("T-20261130-9.txt", "PRIORITY: High\n", 3),
        ("T-20261130-9.txt", "PRIORITAET: P2\n", 2),
        ("T-20261130-9.txt", "PRIORITAET: niedrig\n", 7),
        ("T-20261130-9.txt", "PRIORITAET: <offen>\n", 5),
        ("T-20261130-9.txt", "", 5),
        ("notiz.txt", "\n\nRückruf, dringend\n", 1),
        ("P1_absturz.md", "", 1),
        ("notiz.txt", "Seite p10 prüfen\ndringend\n", 5),
    ];
    for (name, text, priority) in table {
        let answer = inbox()
            .file(&format!("_TICKETS/INBOX/{name}"), text)
            .look("intake");
        assert_eq!(answer.items[0].item.priority, priority, "{name} {text}");
    }
}

#[test]
fn what_is_no_file_is_shown_and_holds_nothing_back() {
    let stage = inbox()
        .file("_TICKETS/INBOX/old/T-20261130-1.txt", TICKET)
        .place("_TICKETS/INBOX/pipe", Content::Fifo.into())
        .file("_TICKETS/INBOX/.stfolder/x", "");
    let answer = stage.look("intake");
    assert_eq!(answer.status, Status::Found, "{}", answer.why);
    assert_eq!(ids(&answer), ["_TICKETS/INBOX/old", "_TICKETS/INBOX/pipe"]);
    assert!(answer.items.iter().all(|i| i.item.kind == "ticket.odd"));
    let tick = stage.tick();
    assert!(
        matches!(tick.signal, Signal::Blind { .. }),
        "{:?}",
        tick.signal
    );
    assert_eq!(tick.bundle.len(), 2);
}

#[test]
fn what_cannot_be_read_is_never_empty() {
    let no_system = Stage::new().file("README.md", "x").look("intake");
    assert_eq!(no_system.status, Status::Absent);
    let cases = [
        Stage::new()
            .place("_TICKETS", Content::Unreadable.into())
            .file("_TICKETS/INBOX/a", ""),
        Stage::new()
            .file("_TICKETS/x", "")
            .place("_TICKETS/INBOX", Content::Unreadable.into())
            .file("_TICKETS/INBOX/a", ""),
        Stage::new().file("_TICKETS/INBOX", "a file"),
        Stage::new().file("_TICKETS", "a file"),
    ];
    for stage in cases {
        let answer = stage.look("intake");
        assert_eq!(answer.status, Status::Unavailable, "{}", answer.why);
        let tick = stage.file("TODO.md", "- [x] a\n").tick();
        assert!(
            tick.signal.to_string().contains("work.intake"),
            "{}",
            tick.signal
        );
    }
    let bare = Stage::new().place("_TICKETS", folder()).look("intake");
    assert_eq!(bare.status, Status::Empty);
}

#[test]
fn one_bad_file_is_an_entry_like_any_other() {
    let stage = inbox()
        .place(
            "_TICKETS/INBOX/T-20261130-1.txt",
            Content::Unreadable.into(),
        )
        .place(
            "_TICKETS/INBOX/bytes",
            Content::Bytes(vec![0xff, 0xfe, b'a']).into(),
        )
        .file("_TICKETS/INBOX/gr\\xfcn.txt", "Notiz\n");
    let answer = stage.look("intake");
    let kinds = kinds(&answer);
    assert_eq!(kinds["T-20261130-1.txt"], "intake.ticket");
    assert_eq!(kinds["bytes"], "intake.formless");
    assert_eq!(kinds["gr\\xfcn.txt"], "intake.formless");
    assert!(
        answer
            .items
            .iter()
            .any(|i| i.item.at == "_TICKETS/INBOX/gr\\xfcn.txt")
    );
    assert_eq!(stage.tick().signal, Signal::Continue);
}

#[test]
fn a_site_names_its_own_folder_and_a_misspelt_setting_is_no_silence() {
    let mut stage = Stage::new().file("tickets/INBOX/notiz.txt", "x");
    assert_eq!(stage.look("intake").status, Status::Absent);
    let path = "probes/work/intake".to_string();
    stage
        .settings
        .insert(path.clone(), json!({ "path": "tickets" }));
    assert_eq!(ids(&stage.look("intake")), ["notiz.txt"]);
    for (wrong, says) in [
        (json!({ "paht": "tickets" }), "did you mean `path`"),
        (json!({ "path": 3 }), "`path` must be like a text"),
    ] {
        stage.settings.insert(path.clone(), wrong);
        let answer = stage.look("intake");
        assert_eq!(answer.status, Status::Unavailable);
        assert!(answer.why.contains(says), "{}", answer.why);
    }
}

#[test]
fn a_lock_of_the_person_in_the_root_makes_everything_theirs() {
    let open = inbox()
        .file("_TICKETS/INBOX/notiz.txt", "x")
        .file("_TICKETS/ACTIONABLE/T-20261130-7.txt", TICKET);
    let paused = open.clone().file("LOCK.user.txt", "").tick();
    assert!(matches!(paused.signal, Signal::Blind { .. }));
    assert!(paused.items.is_empty());
    assert_eq!(paused.bundle.len(), 2);
    let tickets = open.clone().file("_TICKETS/LOCK.user.txt", "").tick();
    assert_eq!((tickets.items.len(), tickets.bundle.len()), (0, 2));
    let cluster = open.file("_TICKETS/ACTIONABLE/LOCK.user.x.txt", "").tick();
    assert_eq!(cluster.signal, Signal::Continue);
    assert_eq!(cluster.items[0].source, "work.intake");
}

#[test]
fn big_heads_do_not_hide_the_first_line() {
    let long = "x".repeat(70_000);
    let answer = inbox()
        .place("_TICKETS/INBOX/big.txt", FileCase::text(&long))
        .look("intake");
    assert_eq!(answer.status, Status::Found, "{}", answer.why);
    assert!(answer.items[0].item.title.chars().count() <= 1000);
}
