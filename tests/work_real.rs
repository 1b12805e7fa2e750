//! The work probes over real folders: links, pipes and names that are no UTF-8.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/real.rs"]
mod real;
mod support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use belegt::model::status::Status;
use real::look;
use support::{ids, kinds};

#[test]
fn links_pipes_and_odd_names_in_a_ticket_system() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("T-20261130-8.txt"), "").unwrap();
    let dir = tempfile::tempdir().unwrap();
    let inbox = dir.path().join("_TICKETS/INBOX");
    let actionable = dir.path().join("_TICKETS/ACTIONABLE");
    std::fs::create_dir_all(inbox.join("folder")).unwrap();
    std::fs::create_dir_all(&actionable).unwrap();
    std::fs::write(inbox.join(OsStr::from_bytes(b"gr\xfcn.txt")), "Notiz").unwrap();
    std::fs::write(inbox.join("notiz.txt"), b"\xff\xfe").unwrap();
    std::fs::write(actionable.join("T-20261130-1.txt"), "TITEL: eins").unwrap();
    symlink(inbox.join("notiz.txt"), inbox.join("inside.txt")).unwrap();
    symlink("nowhere", inbox.join("broken")).unwrap();
    symlink(
        outside.path().join("T-20261130-8.txt"),
        actionable.join("T-20261130-8.txt"),
    )
    .unwrap();
    let fifo = std::process::Command::new("mkfifo")
        .arg(inbox.join("pipe"))
        .status();
    assert!(fifo.unwrap().success());

    let intake = look(dir.path(), "intake");
    assert_eq!(intake.status, Status::Found, "{}", intake.why);
    let mut seen = ids(&intake);
    seen.sort();
    let expected = [
        "_TICKETS/INBOX/folder",
        "_TICKETS/INBOX/pipe",
        "broken",
        "gr\\xfcn.txt",
        "inside.txt",
        "notiz.txt",
    ];
    assert_eq!(seen, expected);

    assert_eq!(kinds(&intake)["broken"], "ticket.odd");
    assert_eq!(kinds(&intake)["notiz.txt"], "intake.formless");

    let tickets = look(dir.path(), "tickets");
    let kinds = kinds(&tickets);
    assert_eq!(kinds["T-20261130-1"], "ticket.actionable");
    assert_eq!(kinds["_TICKETS/ACTIONABLE/T-20261130-8.txt"], "ticket.odd");
}

#[test]
fn lists_behind_links_and_in_the_wrong_kind_of_place() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("plan.md"), "- [ ] a\n").unwrap();
    symlink("plan.md", dir.path().join("todo.md")).unwrap();
    let answer = look(dir.path(), "todo");
    assert_eq!(answer.items.len(), 1, "{}", answer.why);
    std::fs::create_dir(dir.path().join("TODO.txt")).unwrap();
    let answer = look(dir.path(), "todo");
    assert_eq!(answer.status, Status::Unavailable);
    assert!(answer.why.contains("folder"), "{}", answer.why);
    assert_eq!(look(dir.path(), "unfinished").status, Status::Absent);
}
