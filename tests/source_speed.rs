//! How long reading a register of 5 MB takes. A figure, not a promise:
//! `cargo test --release --test source_speed -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::string_slice,
    reason = "a test may fail, and this one prints"
)]

mod support;
#[path = "support/tools.rs"]
mod tools;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use support::Stage;
use tools::missing;

const PLACE: &str = "_control-center/_DECISIONS";

/// 12,000 old entries that are done, 500 active ones of which 20 are open and 40 pending news.
fn register() -> (String, String) {
    let mut done = String::from("# DECIDED AND DONE\n\n");
    let mut active = String::from("TO-DECIDE-USER\n\n");
    for n in 0..12_000 {
        let day = format!("2026{:02}{:02}", n / 1400 + 1, n % 28 + 1);
        let number = n / 28 % 9000 + 100;
        write!(done, "## D-{day}-{number} — Colour of the weekly report\nENTSCHIEDEN AM: {}-{}-{}\n\
            ENTSCHEIDUNG: [A — blue, as it was before, because the new palette needs a licence]\n\
            QUELLE IN DER KETTE: `TO-DECIDE-USER.txt`, Zeile {n}\n\
            KONTEXT: The report template has two palettes, one of them is new and\n  needs a licence; \
            the print shop has asked twice which of them it should expect in spring.\n\
            FRAGE: Which palette should the weekly report use?\n\n", &day[..4], &day[4..6], &day[6..]).unwrap();
    }
    for n in 0..500 {
        let answer = match n % 25 {
            0 => "[HIER EINTRAGEN]",
            _ => "A",
        };
        write!(active, "## D-20261101-{} — May the importer drop rows?\nSTATUS: OFFEN\nFRAGE: May it?\n\
            OPTIONEN:\n- A — yes, with a count in the log\n- B — no\nENTSCHEIDUNG DES USERS: {answer}\n---\n", n + 100).unwrap();
    }
    (done, active)
}

#[test]
#[ignore = "a measurement"]
fn reading_a_long_register() {
    let (done, active) = register();
    println!("{} + {} bytes", done.len(), active.len());
    let stage = Stage::new()
        .command(missing("source-resolver"))
        .file(&format!("{PLACE}/DECIDED-AND-DONE.md"), &done)
        .file(&format!("{PLACE}/TO-DECIDE-USER.txt"), &active);
    let once = |_| {
        let begin = Instant::now();
        let answer = stage.read("decisions.ledger");
        (begin.elapsed(), answer.items.len(), answer.why)
    };
    let (best, items, why) = (0..7).map(once).min().unwrap();
    println!("{items} items in {best:?}: {why}");
    assert_eq!(items, 500);
    assert!(
        cfg!(debug_assertions) || best < Duration::from_millis(200),
        "{best:?}"
    );
}
