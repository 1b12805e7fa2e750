//! How long the work probes take. Figures, not promises:
//! `cargo test --release --test work_speed -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and this one prints"
)]

#[path = "support/real.rs"]
mod real;
mod support;

use std::time::Instant;

use support::Stage;

fn ticket(number: usize, claim: &str) -> (String, String) {
    let id = format!("T-20261130-{number:09}");
    let text = format!(
        "==============================================================\nTICKET\n\
         ==============================================================\nID:            {id}\n\
         TITEL:         Ticket number {number}\nERSTELLT:      2026-11-30\nSTATUS:        ACTIONABLE\n\
         PRIORITAET:    hoch\n\n--------------\nPROBLEMBESCHREIBUNG\n--------------\n{}\n",
        "Something to do. ".repeat(45)
    );
    (format!("_TICKETS/ACTIONABLE/{id}{claim}.txt"), text)
}

#[test]
#[ignore = "prints a figure; run it in a release build"]
fn ten_thousand_tickets() {
    let mut stage = Stage::new();
    for number in 0..10_000 {
        let (path, text) = ticket(number, if number % 10 == 0 { ".HOSTB" } else { "" });
        stage = stage.file(&path, &text);
    }
    for _ in 0..5 {
        let began = Instant::now();
        let answer = stage.look("tickets");
        let took = began.elapsed();
        println!(
            "{} items, {:?} {took:?} {:?}",
            answer.items.len(),
            answer.status,
            answer.why
        );
    }
}

#[test]
#[ignore = "prints a figure; run it in a release build"]
fn ten_thousand_tickets_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("_TICKETS/ACTIONABLE")).unwrap();
    for number in 0..10_000 {
        let (path, text) = ticket(number, if number % 10 == 0 { ".HOSTB" } else { "" });
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    for _ in 0..5 {
        let began = Instant::now();
        let answer = real::look(dir.path(), "tickets");
        let took = began.elapsed();
        println!(
            "on disk: {} items, {took:?} {}",
            answer.items.len(),
            answer.why
        );
    }
}

#[test]
#[ignore = "prints a figure; run it in a release build"]
fn ten_thousand_lines_of_a_list() {
    let line = |n: usize| format!("- [ ] task number {n} with a few more words\n");
    let text: String = (0..10_000).map(line).collect();
    let stage = Stage::new().file("TODO.md", &text);
    for _ in 0..3 {
        let began = Instant::now();
        let answer = stage.look("todo");
        let took = began.elapsed();
        println!(
            "todo: {} items, {took:?} {}",
            answer.items.len(),
            answer.why
        );
    }
}
