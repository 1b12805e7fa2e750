//! How long a command waits for its ledger. Figures, not promises:
//! `cargo test --release --test ledger_speed -- --ignored --nocapture`.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test may fail, and this one prints"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use belegt::ledger::anchor::{Mooring, compare};
use belegt::ledger::event::{Actor, Draft};
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::{Appended, Ledger};
use serde_json::{Value, json};

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

fn draft(id: usize, body: Value) -> Draft {
    Draft {
        id: format!("{id:08x}"),
        at: "2026-11-30T10:00:00.000+01:00".to_string(),
        zone: "Europe/Berlin".to_string(),
        actor: Actor {
            kind: "agent".to_string(),
            name: String::new(),
            level: 0,
        },
        host: "host".to_string(),
        session: "unknown".to_string(),
        belegt: "0.1.0".to_string(),
        kind: "tick.judged".to_string(),
        body,
    }
}

/// A tick with about 8 KiB of findings and receipts.
fn tick(n: usize) -> Value {
    json!({"first": n == 0, "signal": "WORK-AUTONOMOUS: CONTINUE", "bundle_digest": "b".repeat(64),
           "record": {"result": "blind", "fingerprint": format!("{n:064}"), "at": "t"},
           "handed": [{"key": "work:todo.md#3", "digest": "d", "tree": "t", "count": n % 5}],
           "receipts": vec!["r".repeat(80); 100]})
}

fn append(ledger: &mut SqliteLedger, n: usize) {
    let head = ledger.view().unwrap().head;
    let done = ledger.append(&head, &[draft(n, tick(n))]).unwrap();
    assert!(matches!(done, Appended::Done(_)));
}

fn measure(name: &str, rounds: usize, mut run: impl FnMut(usize)) {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|n| {
            let start = Instant::now();
            run(n);
            start.elapsed()
        })
        .collect();
    times.sort();
    let sum: Duration = times.iter().sum();
    println!(
        "{name:34} median {:>8.1?} mean {:>8.1?} p90 {:>8.1?} worst {:>8.1?}",
        times[rounds / 2],
        sum / u32::try_from(rounds).unwrap(),
        times[rounds * 9 / 10],
        times[rounds - 1]
    );
}

fn grown(path: &Path, events: usize) {
    let mode = Mode::Create {
        store: "speed".to_string(),
    };
    let mut ledger = SqliteLedger::open(path, &mode, soon()).unwrap();
    for n in 0..events {
        append(&mut ledger, n);
    }
}

#[test]
#[ignore = "measures"]
fn figures() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for events in [10, 3_000] {
        let path = folder.path().join(format!("{events}.db"));
        grown(&path, events);
        println!("-- {events} events");
        measure("open to read, view, close", 300, |_| {
            let ledger = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
            ledger.view().unwrap();
        });
        measure("open to write, view, close", 300, |_| {
            let ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
            ledger.view().unwrap();
        });
        measure("open, view, append, close", 300, |n| {
            let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
            append(&mut ledger, 1_000_000 + n);
        });
        let mooring = Mooring::new(&folder.path().join("state"), &path);
        let ledger = SqliteLedger::open(&path, &Mode::Read, soon()).unwrap();
        measure("anchor: read, compare, write", 300, |n| {
            let anchor = mooring.read().unwrap();
            compare(anchor.as_ref(), Some(&ledger)).unwrap();
            let mut head = ledger.head().unwrap();
            head.seq += n as u64;
            mooring.write("speed", &head, None).unwrap();
        });
        drop(ledger);
        let mut ledger = SqliteLedger::open(&path, &Mode::Existing, soon()).unwrap();
        measure("view, append in an open one", 300, |n| {
            append(&mut ledger, 2_000_000 + n);
        });
    }
}
