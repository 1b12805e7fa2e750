//! Processes that append to one ledger and are killed at random. Whatever one of them
//! acknowledged, after its commit and to a file of its own, is in the ledger afterwards, once,
//! and the chain holds. About three seconds; a minute with `BELEGT_LONG=1`.
//!
//! `kill -9` tests neither fsync nor the loss of power: the page cache survives it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belegt::ledger::event::{Actor, Draft};
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Ledger};
use children::{Children, FOLDER, NUMBER, start};
use serde_json::json;

#[path = "support/children.rs"]
#[allow(dead_code, reason = "not every test uses every helper")]
mod children;

/// How many work at once.
const WORKERS: usize = 4;

fn open(folder: &Path) -> SqliteLedger {
    let mode = Mode::Create {
        store: format!("s{}", std::process::id()),
    };
    let until = Instant::now() + Duration::from_secs(20);
    SqliteLedger::open(&folder.join("ledger.db"), &mode, until).unwrap()
}

fn draft(id: String) -> Draft {
    let body = json!({"first": true, "signal": "S", "bundle_digest": id, "record": null,
        "handed": [{"key": format!("w:{id}"), "digest": "d", "tree": "t", "count": 1}],
        "receipts": "r".repeat(3_000)});
    Draft {
        id,
        at: "2026-11-30T10:00:00.000+01:00".to_string(),
        zone: "Europe/Berlin".to_string(),
        actor: Actor {
            kind: "agent".to_string(),
            name: String::new(),
            level: 0,
        },
        host: "h".to_string(),
        session: "unknown".to_string(),
        belegt: "0.1.0".to_string(),
        kind: "tick.judged".to_string(),
        body,
    }
}

/// What a child does: it appends and acknowledges until somebody kills it.
#[test]
fn child() {
    let Some(folder) = std::env::var_os(FOLDER).map(PathBuf::from) else {
        return;
    };
    let number = std::env::var(NUMBER).unwrap();
    let own = folder.join(format!("acknowledged-{number}"));
    let mut own = OpenOptions::new()
        .create(true)
        .append(true)
        .open(own)
        .unwrap();
    let mut count = 0;
    loop {
        let mut ledger = open(&folder);
        for _ in 0..3 {
            count += 1;
            let draft = draft(format!("{number}-{}-{count}", std::process::id()));
            append(&mut ledger, &draft);
            own.write_all(format!("{}\n", draft.id).as_bytes()).unwrap();
        }
    }
}

fn append(ledger: &mut SqliteLedger, draft: &Draft) {
    let mut head = ledger.view().unwrap().head;
    loop {
        match ledger.append(&head, std::slice::from_ref(draft)).unwrap() {
            Appended::Done(_) | Appended::Duplicate(_) => return,
            Appended::Conflict(now) => head = now,
        }
    }
}

#[test]
fn what_was_acknowledged_outlives_every_kill() {
    let length = match std::env::var_os("BELEGT_LONG") {
        Some(_) => Duration::from_secs(60),
        None => Duration::from_secs(3),
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let mut children = Children((0..WORKERS).map(|n| start(folder, "child", n)).collect());
    let (begin, mut kills, mut dice) = (Instant::now(), 0, 0x5eed_u64);
    while begin.elapsed() < length {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        std::thread::sleep(Duration::from_micros(5_000 + (dice >> 33) % 40_000));
        children.kill((dice >> 40) as usize % WORKERS, folder);
        kills += 1;
    }
    drop(children);

    let ledger = open(folder);
    assert_eq!(verify(&ledger), Ok(Vec::new()));
    let mut stored: BTreeMap<String, usize> = BTreeMap::new();
    let mut from = 0;
    loop {
        let page = ledger.history(from, 500).unwrap();
        let Some(last) = page.last() else { break };
        from = last.seq;
        for event in page {
            *stored.entry(event.draft.id).or_default() += 1;
        }
    }
    assert!(stored.values().all(|times| *times == 1));
    let mut acknowledged = 0;
    for number in 0..WORKERS {
        let own = fs::read_to_string(folder.join(format!("acknowledged-{number}"))).unwrap();
        for id in own.lines() {
            assert!(
                stored.contains_key(id),
                "`{id}` was acknowledged and is lost"
            );
            acknowledged += 1;
        }
    }
    assert!(
        kills > 20 && acknowledged > 50,
        "{kills} kills, {acknowledged} acknowledged"
    );
    assert!(stored.len() >= acknowledged && stored.len() <= acknowledged + kills + WORKERS);
}
