//! How long the work probes take. Figures, not promises:
//! `cargo test --release --test work_speed -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail, and this one prints"
)]

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
    if let Ok(path) = std::env::var("TRY") {
        stage = stage.script(
            "probes/work/tickets",
            &std::fs::read_to_string(path).unwrap(),
        );
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
