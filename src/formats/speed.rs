//! How fast the readers are. Ignored: run with `cargo test --release speed -- --ignored`.
//!
//! INVARIANT: a text of 5 MB takes a few tens of milliseconds in an optimised build.

use super::entries::{Grammar, entries};
use super::{aufgaben, heads, json, md, todotxt};
use std::io::Write as _;
use std::time::{Duration, Instant};

const SIZE: usize = 5_000_000;

/// Best of five, told on stdout, and held against the bound in milliseconds.
fn within(name: &str, bound: u64, run: impl Fn() -> usize) {
    let once = |_| {
        let begin = Instant::now();
        let count = run();
        (begin.elapsed(), count)
    };
    let (best, count) = (0..5).map(once).min().unwrap();
    writeln!(std::io::stdout(), "{name}: {count} in {best:?}").unwrap();
    assert!(
        cfg!(debug_assertions) || best < Duration::from_millis(bound),
        "{name}: {best:?}"
    );
}

fn repeated(piece: &str) -> String {
    piece.repeat(SIZE.div_ceil(piece.len()))
}

#[test]
#[ignore = "a measurement"]
fn entries_of_a_long_chain() {
    let one = |n: usize| {
        format!(
            "## D-2026{:04}-{:03} — Colour of the weekly report\nSTATUS: OFFEN\nSCOPE: projekt demo\n\
             KONTEXT: The report template has two palettes, one of them is new and\n  needs a licence.\n\
             FRAGE: Which palette should the weekly report use?\nOPTIONEN:\n- A — blue, as it was before\n\
             - B — green, as the new template wants\nEMPFEHLUNG: A\nENTSCHEIDUNG DES USERS: [HIER EINTRAGEN]\n---\n",
            n / 1000,
            n % 1000,
        )
    };
    let text: String = (0..12_500).map(one).collect();
    let grammar = super::entries::tests::chain();
    within("entries", 40, || entries(&text, &grammar).len());
    let plain = Grammar::new(
        &["## (?<id>\\S+)"],
        "(?<key>[A-Z]+): *(?<value>.*)",
        Some("---"),
    )
    .unwrap();
    within("entries, plain grammar", 40, || {
        entries(&text, &plain).len()
    });
}

#[test]
#[ignore = "a measurement"]
fn markdown() {
    let tasks = repeated(
        "# Teil\n\n- [ ] eine **Aufgabe** mit `code`\n  und mehr Text\n- [x] fertig\n- nur so\n\nText dazu.\n\n",
    );
    within("md tasks", 150, || md::tasks(&tasks).len());
    within("md sections", 150, || md::sections(&tasks).len());
    let rows = "| G1 | passed | `cargo test` | ein Beleg |\n".repeat(SIZE / 44);
    let table = format!("| a | b | c | d |\n|---|---|---|---|\n{rows}");
    within("md tables", 150, || {
        md::tables(&table).iter().map(|t| t.rows.len()).sum()
    });
}

#[test]
#[ignore = "a measurement"]
fn line_formats() {
    let todo = repeated(
        "(A) 2026-11-01 Bericht schreiben +demo @home due:2026-12-01\nx 2026-11-01 fertig\n",
    );
    within("todo.txt", 50, || todotxt::tasks(&todo).len());
    let aufgaben = repeated(
        "## OFFEN\n- [ ] [BUG] Import bricht ab -- seit gestern\n- [x] [TEST] fertig\nText\n",
    );
    within("AUFGABEN.txt", 50, || aufgaben::tasks(&aufgaben).len());
    let value = format!(
        "[{}0]",
        repeated("{\"a\": [1, 2.5, \"text\"], \"b\": null}, ")
    );
    within("json", 250, || {
        json::parse(&value).unwrap().as_array().unwrap().len()
    });
}

#[test]
#[ignore = "a measurement"]
fn heads_of_many_tickets() {
    let head = "=====\nTICKET\n=====\nID:            T-20261130-557368869\nTITEL:         Add a check\n\
                ERSTELLT:      2026-11-30\nSTATUS:        ACTIONABLE\nPRIORITAET:    mittel\n";
    let head = format!(
        "{head}{}",
        "Reject files without a header row.\n".repeat(24)
    );
    let keys = [
        "ID",
        "TITEL",
        "TITLE",
        "STATUS",
        "PRIORITAET",
        "PRIORITY",
        "DUE",
    ];
    let read = |_| heads::fields(head.as_bytes(), &keys).len();
    within("10,000 heads", 30, || (0..10_000).map(read).sum());
}
