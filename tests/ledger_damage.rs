//! Damage to the files of a ledger: cut at random places, and single bits turned over. Whatever
//! happens, nothing is silently different: it does not open, or `verify` finds it, or all is as
//! it was. What only a cut log hides, the anchor shows.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belegt::ledger::anchor::{Mooring, compare};
use belegt::ledger::event::{Actor, Draft, Event};
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Ledger, View};
use serde_json::json;
use tempfile::TempDir;

/// How many random places; more with `BELEGT_LONG=1`.
fn places() -> usize {
    match std::env::var_os("BELEGT_LONG") {
        Some(_) => 2_000,
        None => 300,
    }
}

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }
}

fn open(path: &Path, mode: &Mode) -> Result<SqliteLedger, belegt::ledger::fault::LedgerFault> {
    SqliteLedger::open(path, mode, Instant::now() + Duration::from_secs(10))
}

fn draft(n: usize) -> Draft {
    let (kind, body) = match n % 3 {
        0 => ("note.added", json!({"text": "n".repeat(n * 40)})),
        1 => (
            "news.settled",
            json!({"items": [{"key": format!("s:{n}"), "digest": "d"}], "how": "done", "because": "b"}),
        ),
        _ => (
            "tick.judged",
            json!({"first": n == 2, "signal": "S", "bundle_digest": "b", "record": null,
                   "handed": [{"key": format!("w:{n}"), "digest": "d", "tree": "t", "count": 1}]}),
        ),
    };
    Draft {
        id: format!("event-{n}"),
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
        kind: kind.to_string(),
        body,
    }
}

/// A ledger of 60 events; `in_log` of them only in the write-ahead log.
struct Ground {
    _folder: TempDir,
    path: PathBuf,
    file: Vec<u8>,
    log: Vec<u8>,
    view: View,
    history: Vec<Event>,
}

impl Ground {
    fn new(in_log: usize) -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let mode = Mode::Create {
            store: "s".to_string(),
        };
        let mut ledger = open(&path, &mode).unwrap();
        for n in 0..60 {
            if n == 60 - in_log {
                drop(ledger);
                write_back(&path);
                ledger = open(&path, &mode).unwrap();
            }
            let head = ledger.head().unwrap();
            let done = ledger.append(&head, &[draft(n)]).unwrap();
            assert!(matches!(done, Appended::Done(_)));
        }
        let view = ledger.view().unwrap();
        let history = ledger.history(0, 99).unwrap();
        drop(ledger);
        if in_log == 0 {
            write_back(&path);
        }
        Ground {
            file: fs::read(&path).unwrap(),
            log: fs::read(log_of(&path)).unwrap_or_default(),
            _folder: folder,
            path,
            view,
            history,
        }
    }

    /// Puts these bytes in the place of the file and its log.
    fn lay(&self, file: &[u8], log: &[u8]) {
        fs::write(&self.path, file).unwrap();
        fs::write(log_of(&self.path), log).unwrap();
    }

    /// How the ledger as it lies now answers.
    fn answer(&self, mode: &Mode) -> Answer {
        let Ok(ledger) = open(&self.path, mode) else {
            return Answer::Refused;
        };
        match verify(&ledger) {
            Ok(findings) if findings.is_empty() => {}
            _ => return Answer::Found,
        }
        let view = ledger.view().unwrap();
        let history = ledger.history(0, 99).unwrap();
        if view == self.view && history == self.history {
            return Answer::Same;
        }
        assert!(
            self.history.starts_with(&history),
            "not a prefix of the history"
        );
        assert_eq!(view.head.seq, history.len() as u64);
        Answer::Prefix(history.len())
    }
}

#[derive(Debug, PartialEq, Eq, Clone, Copy)]
enum Answer {
    Refused,
    Found,
    Same,
    Prefix(usize),
}

fn log_of(path: &Path) -> PathBuf {
    path.with_extension("db-wal")
}

/// Writes the whole log into the file and empties it.
fn write_back(path: &Path) {
    let conn = rusqlite::Connection::open(path).unwrap();
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let left: i64 = conn.query_row(sql, [], |r| r.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn a_bit_turned_over_in_the_file_is_never_silent() {
    let ground = Ground::new(0);
    let mut dice = Dice(0x5eed_0001);
    let (mut caught, mut same) = (0, 0);
    for n in 0..places() {
        let (byte, bit) = (dice.below(ground.file.len()), dice.below(8));
        let mut file = ground.file.clone();
        file[byte] ^= 1 << bit;
        ground.lay(&file, &[]);
        let mode = if n % 2 == 0 {
            Mode::Read
        } else {
            Mode::Existing
        };
        match ground.answer(&mode) {
            Answer::Refused | Answer::Found => caught += 1,
            Answer::Same => same += 1,
            Answer::Prefix(end) => panic!("bit {bit} of byte {byte}: ends at {end}"),
        }
    }
    // Free space inside the pages is most of what is left.
    assert!(caught > places() / 3, "{caught} caught, {same} the same");
}

#[test]
fn every_bit_of_the_stored_events_counts() {
    let ground = Ground::new(0);
    let mut dice = Dice(0x5eed_0002);
    for n in 0..places() {
        let event = &ground.history[dice.below(ground.history.len())];
        let column = ["bytes", "hash"][n % 2];
        ground.lay(&ground.file, &[]);
        let conn = rusqlite::Connection::open(&ground.path).unwrap();
        conn.execute_batch("DROP TRIGGER event_keeps").unwrap();
        let sql = format!("SELECT CAST({column} AS BLOB) FROM event WHERE seq = ?1");
        let mut bytes: Vec<u8> = conn
            .query_row(&sql, [event.seq as i64], |r| r.get(0))
            .unwrap();
        let (byte, bit) = (dice.below(bytes.len()), dice.below(8));
        bytes[byte] ^= 1 << bit;
        let value = if column == "bytes" {
            "?1"
        } else {
            "CAST(?1 AS TEXT)"
        };
        let sql = format!("UPDATE event SET {column} = {value} WHERE seq = ?2");
        conn.execute(&sql, (bytes, event.seq as i64)).unwrap();
        drop(conn);
        let ledger = open(&ground.path, &Mode::Read).unwrap();
        let findings = verify(&ledger).unwrap();
        assert!(
            findings.iter().any(|f| f.event == event.seq),
            "{column} of {}: bit {bit} of byte {byte}: {findings:?}",
            event.seq
        );
    }
}

#[test]
fn a_file_that_was_cut_is_never_silent() {
    let ground = Ground::new(0);
    let mut dice = Dice(0x5eed_0003);
    for _ in 0..places() / 3 {
        // Short of the last page, which may end in unused bytes.
        let length = dice.below(ground.file.len() - 4_096);
        ground.lay(&ground.file[..length], &[]);
        for mode in [Mode::Read, Mode::Existing] {
            let answer = ground.answer(&mode);
            assert!(
                matches!(answer, Answer::Refused | Answer::Found),
                "cut at {length}: {answer:?}"
            );
        }
    }
}

#[test]
fn a_damaged_log_leaves_a_prefix_which_the_anchor_shows() {
    let ground = Ground::new(20);
    assert!(ground.log.len() > 100_000);
    let state = tempfile::tempdir().unwrap();
    let mooring = Mooring::new(state.path(), &ground.path);
    mooring.write("s", &ground.view.head, None).unwrap();
    let anchor = mooring.read().unwrap();
    let mut dice = Dice(0x5eed_0004);
    for n in 0..places() {
        let mut log = ground.log.clone();
        match n % 3 {
            0 => log.truncate(dice.below(log.len())),
            1 => {
                let byte = dice.below(log.len());
                log[byte] ^= 1 << dice.below(8);
            }
            _ => {
                let start = dice.below(log.len());
                let end = (start + 4_096).min(log.len());
                log[start..end].fill(0);
            }
        }
        ground.lay(&ground.file, &log);
        match ground.answer(&Mode::Read) {
            Answer::Prefix(end) => {
                assert!((40..60).contains(&end), "{end}");
                let ledger = open(&ground.path, &Mode::Read).unwrap();
                let standing = compare(anchor.as_ref(), Some(&ledger)).unwrap();
                let code = standing.fault("L").map(|f| f.code());
                assert_eq!(code, Some("ledger::rolled-back"), "ends at {end}");
            }
            Answer::Refused | Answer::Found | Answer::Same => {}
        }
    }
}
