//! Damage to the tables of the gates: bits turned over, rows deleted, changed and added, pages
//! that were never written. Whatever happens, no question is answered without an open gate: it
//! fails, or the answer is what it was. `verify` finds what was changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belegt::ledger::fault::LedgerFault;
use belegt::ledger::gates::GateQuery;
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Ledger};
use belegt::model::gate::{Mode as Gating, step};
use rusqlite::Connection;
use tempfile::TempDir;

use support::*;

#[path = "support/gates.rs"]
mod support;

/// How many random places; more with `BELEGT_LONG=1`.
fn places() -> usize {
    match std::env::var_os("BELEGT_LONG") {
        Some(_) => 10_000,
        None => 400,
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

const STEPS: [&str; 5] = ["release", "deploy", "tag", "announce", "bill"];

fn open(path: &Path, mode: &Mode) -> Result<SqliteLedger, LedgerFault> {
    SqliteLedger::open(path, mode, Instant::now() + Duration::from_secs(10))
}

fn add(ledger: &mut SqliteLedger, drafts: &[belegt::ledger::event::Draft]) {
    let head = ledger.head().unwrap();
    let done = ledger.append(&head, drafts).unwrap();
    assert!(matches!(done, Appended::Done(_)));
}

/// Writes the whole log into the file and empties it.
fn write_back(path: &Path) {
    let conn = Connection::open(path).unwrap();
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    let left: i64 = conn.query_row(sql, [], |r| r.get(0)).unwrap();
    assert_eq!(left, 0);
}

/// A ledger of 30 sets: open ones, met ones and dropped ones.
struct Ground {
    _folder: TempDir,
    path: PathBuf,
    file: Vec<u8>,
    truth: Vec<Answer>,
}

/// A question, and what was answered.
type Answer = (String, Result<String, LedgerFault>);

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ledger.db");
        let store = "s".to_string();
        let mut ledger = open(&path, &Mode::Create { store }).unwrap();
        for n in 0..30_i64 {
            let mode = [Gating::Only, Gating::Wait][n as usize % 2];
            let due = (n % 3 > 0).then_some(n * 100);
            let id = format!("g{n:02}");
            let dues = [due, Some(n)];
            let dues = &dues[..1 + n as usize % 2];
            let set = set(&id, STEPS[n as usize % 5], mode, (n % 4 == 1, dues));
            add(&mut ledger, &[opened(&set)]);
            let first = &set.gates[0].id;
            match n % 7 {
                3 => add(&mut ledger, &[met(&format!("m{n}"), &id, first)]),
                5 => add(&mut ledger, &[dropped(&format!("d{n}"), &id, first)]),
                _ => {}
            }
        }
        let truth = answers(&ledger);
        assert!(truth.iter().all(|(_, answer)| answer.is_ok()));
        drop(ledger);
        write_back(&path);
        Ground {
            file: fs::read(&path).unwrap(),
            _folder: folder,
            path,
            truth,
        }
    }

    /// Puts these bytes in the place of the file.
    fn lay(&self, file: &[u8]) {
        fs::write(&self.path, file).unwrap();
        for end in ["db-wal", "db-shm"] {
            let _ = fs::remove_file(self.path.with_extension(end));
        }
    }

    /// The questions that failed, if none was answered differently; all if it does not open.
    fn failing(&self, what: &str) -> BTreeSet<String> {
        let Ok(ledger) = open(&self.path, &Mode::Read) else {
            return self.truth.iter().map(|(q, _)| q.clone()).collect();
        };
        let mut failing = BTreeSet::new();
        for ((question, truth), (_, answer)) in self.truth.iter().zip(answers(&ledger)) {
            match answer {
                Err(_) => {
                    failing.insert(question.clone());
                }
                Ok(answer) => assert_eq!(Ok(&answer), truth.as_ref(), "{what}: {question}"),
            }
        }
        failing
    }

    /// Everything that `verify` finds; a ledger that does not open is found too.
    fn found(&self) -> Vec<String> {
        match open(&self.path, &Mode::Read).and_then(|ledger| verify(&ledger)) {
            Ok(findings) => findings.into_iter().map(|f| f.message).collect(),
            Err(fault) => vec![fault.to_string()],
        }
    }

    /// The page numbers where tables and indexes of gates begin, counted from 0.
    fn pages(&self) -> Vec<usize> {
        self.lay(&self.file);
        let conn = Connection::open(&self.path).unwrap();
        let sql = "SELECT rootpage FROM sqlite_schema WHERE tbl_name LIKE 'gate%' AND rootpage > 0";
        let mut statement = conn.prepare(sql).unwrap();
        let pages = statement.query_map([], |r| r.get::<_, i64>(0)).unwrap();
        pages.map(|p| p.unwrap() as usize - 1).collect()
    }
}

/// Every question that there is.
fn answers(ledger: &dyn Ledger) -> Vec<Answer> {
    let mut all = Vec::new();
    let mut ask = |query: GateQuery<'_>, name: String| {
        let answer = ledger.gates(&query).map(|gates| format!("{gates:?}"));
        all.push((name, answer));
    };
    for name in STEPS {
        ask(GateQuery::Step(&step::key(name)), format!("step {name}"));
    }
    for now in [-1, 0, 5, 700, 1_450, 9_999] {
        ask(GateQuery::Due(now), format!("due {now}"));
    }
    for n in 0..30 {
        let id = [format!("g{n:02}")];
        ask(GateQuery::Ids(&id), format!("id {n}"));
    }
    ask(GateQuery::Open, "open".to_string());
    ask(GateQuery::All, "all".to_string());
    for after in [-1, 0, 700, 2_899] {
        let answer = ledger.next_wake(after).map(|wake| format!("{wake:?}"));
        all.push((format!("wake {after}"), answer));
    }
    let steps = ledger.open_steps().map(|steps| steps.join(","));
    all.push(("steps".to_string(), steps));
    let forbidden = ledger.forbidden().map(|keys| keys.join(","));
    all.push(("forbidden".to_string(), forbidden));
    all
}

#[test]
fn a_bit_turned_over_never_hides_a_gate() {
    let ground = Ground::new();
    let pages = ground.pages();
    assert!(pages.len() >= 7, "{pages:?}");
    let size = 4_096;
    let mut dice = Dice(0x5eed_0011);
    let mut caught = 0;
    for n in 0..places() {
        let byte = match n % 4 {
            0 => dice.below(ground.file.len()),
            _ => pages[dice.below(pages.len())] * size + dice.below(size),
        };
        let bit = dice.below(8);
        let mut file = ground.file.clone();
        file[byte] ^= 1 << bit;
        ground.lay(&file);
        let what = format!("bit {bit} of byte {byte}");
        caught += usize::from(!ground.failing(&what).is_empty());
    }
    // Much of these pages is free space.
    assert!(caught > places() / 10, "{caught} caught");
}

#[test]
fn every_bit_of_every_column_counts() {
    let ground = Ground::new();
    ground.lay(&ground.file);
    let conn = Connection::open(&ground.path).unwrap();
    let columns = |sql: &str| -> Vec<(String, Vec<u8>)> {
        let mut statement = conn.prepare(sql).unwrap();
        let read = |r: &rusqlite::Row<'_>| Ok((r.get(0)?, r.get(1)?));
        let rows = statement.query_map([], read).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let mut all = Vec::new();
    for (table, id, column) in [
        ("gate", "opened", "json"),
        ("gate", "opened", "key"),
        ("gate", "opened", "set_id"),
        ("gate", "opened", "mark"),
        ("gate_bucket", "bucket", "mark"),
        ("gate_wake", "opened", "mark"),
        ("gate_step", "key", "normal"),
        ("gate_step", "key", "mark"),
    ] {
        let sql =
            format!("SELECT CAST({id} AS TEXT), CAST({column} AS BLOB) FROM {table} ORDER BY {id}");
        for (row, bytes) in columns(&sql) {
            all.push((table, id, column, row, bytes));
        }
    }
    drop(conn);
    let mut dice = Dice(0x5eed_0012);
    for _ in 0..places() / 5 {
        let (table, id, column, row, bytes) = &all[dice.below(all.len())];
        let mut bytes = bytes.clone();
        let (byte, bit) = (dice.below(bytes.len()), dice.below(8));
        bytes[byte] ^= 1 << bit;
        ground.lay(&ground.file);
        let conn = Connection::open(&ground.path).unwrap();
        let value = match *column {
            "mark" => "?1",
            _ => "CAST(?1 AS TEXT)",
        };
        let sql = format!("UPDATE {table} SET {column} = {value} WHERE CAST({id} AS TEXT) = ?2");
        // An id that another set bears cannot be written.
        let Ok(1) = conn.execute(&sql, (bytes, row)) else {
            continue;
        };
        drop(conn);
        let what = format!("{table}.{column} of {row}: bit {bit} of byte {byte}");
        assert!(!ground.failing(&what).is_empty(), "{what}");
        assert!(!ground.found().is_empty(), "{what}");
    }
}

/// What is done to the tables, which question has to fail, and what `verify` has to say.
const EDITS: [(&str, &str, &str); 30] = [
    (
        "DELETE FROM gate WHERE set_id = 'g00'",
        "step release",
        "bucket",
    ),
    ("DELETE FROM gate WHERE set_id = 'g00'", "id 0", "bucket"),
    ("DELETE FROM gate WHERE set_id = 'g00'", "due -1", "missing"),
    ("DELETE FROM gate", "all", "bucket"),
    (
        "UPDATE gate SET set_id = 'x' WHERE set_id = 'g00'",
        "id 0",
        "changed",
    ),
    (
        "UPDATE gate SET open = 0 WHERE set_id = 'g00'",
        "due -1",
        "`g00`",
    ),
    (
        "UPDATE gate SET open = 3 WHERE set_id = 'g00'",
        "due -1",
        "`g00`",
    ),
    (
        "UPDATE gate SET wake = 9 WHERE set_id = 'g00'",
        "due 5",
        "`g00`",
    ),
    (
        "UPDATE gate SET key = 'ff' WHERE set_id = 'g00'",
        "step release",
        "`g00`",
    ),
    (
        "UPDATE gate SET json = replace(json, 'open', 'met') WHERE set_id = 'g00'",
        "id 0",
        "`g00`",
    ),
    (
        "UPDATE gate SET mark = zeroblob(16) WHERE set_id = 'g00'",
        "open",
        "`g00`",
    ),
    (
        "UPDATE gate SET opened = 999 WHERE set_id = 'g00'",
        "due -1",
        "changed",
    ),
    (
        "INSERT INTO gate SELECT 999, 'x', key, open, wake, json, mark FROM gate WHERE set_id = 'g00'",
        "all",
        "`x`",
    ),
    (
        "DELETE FROM gate_bucket WHERE bucket = 7",
        "step tag",
        "buckets",
    ),
    ("DELETE FROM gate_bucket", "step tag", "buckets"),
    (
        "UPDATE gate_bucket SET sets = sets + 1 WHERE bucket = 7",
        "step tag",
        "buckets",
    ),
    (
        "UPDATE gate_bucket SET mark = x'00112233445566778899aabbccddeeff' WHERE bucket = 7",
        "step tag",
        "buckets",
    ),
    ("DELETE FROM gate_wake WHERE wake < 0", "due -1", "chain"),
    ("DELETE FROM gate_wake WHERE wake = 200", "due 700", "chain"),
    ("DELETE FROM gate_wake", "open", "chain"),
    (
        "UPDATE gate_wake SET wake = 99999 WHERE wake = 200",
        "due 700",
        "chain",
    ),
    (
        "UPDATE gate_wake SET next_wake = 99999 WHERE wake < 0 AND next_wake > 0",
        "wake 0",
        "chain",
    ),
    (
        "UPDATE gate_wake SET next_wake = NULL WHERE wake = 200",
        "due 700",
        "chain",
    ),
    (
        "INSERT INTO gate_wake VALUES (5, 5, 6, 6, zeroblob(16))",
        "due 5",
        "chain",
    ),
    (
        "DELETE FROM gate_step WHERE normal = 'release'",
        "steps",
        "step",
    ),
    (
        "DELETE FROM gate_step WHERE normal = 'release'",
        "forbidden",
        "step",
    ),
    (
        "UPDATE gate_step SET only = 0 WHERE normal = 'release'",
        "forbidden",
        "step",
    ),
    (
        "UPDATE gate_step SET normal = 'other' WHERE normal = 'release'",
        "steps",
        "step",
    ),
    ("DELETE FROM projection WHERE key = 'gates'", "all", "seal"),
    (
        "DELETE FROM gate; DELETE FROM gate_wake; DELETE FROM gate_step;
        UPDATE gate_bucket SET sets = 0, mark = zeroblob(16)",
        "due -1",
        "chain",
    ),
];

#[test]
fn every_edit_of_the_tables_is_found() {
    let ground = Ground::new();
    for (sql, question, said) in EDITS {
        ground.lay(&ground.file);
        let conn = Connection::open(&ground.path).unwrap();
        conn.execute_batch(sql).unwrap();
        drop(conn);
        let failing = ground.failing(sql);
        assert!(failing.contains(question), "{sql}: {failing:?}");
        let found = ground.found();
        assert!(found.iter().any(|f| f.contains(said)), "{sql}: {found:?}");
    }
}

#[test]
fn nothing_is_appended_to_tables_that_are_damaged_where_it_belongs() {
    let ground = Ground::new();
    for sql in [
        "DELETE FROM gate WHERE set_id = 'g00'",
        "UPDATE gate SET open = 0 WHERE set_id = 'g00'",
        "DELETE FROM gate_wake WHERE wake < 0",
        "DELETE FROM gate_step WHERE normal = 'release'",
        "DELETE FROM gate_bucket",
        "UPDATE projection SET json = replace(json, '\"open\":', '\"open\":1') WHERE key = 'gates'",
        "DELETE FROM projection WHERE key = 'gates'",
    ] {
        ground.lay(&ground.file);
        let conn = Connection::open(&ground.path).unwrap();
        conn.execute_batch(sql).unwrap();
        drop(conn);
        let mut ledger = open(&ground.path, &Mode::Existing).unwrap();
        let head = ledger.head().unwrap();
        let fault = ledger.append(&head, &[dropped("d", "g00", "g00")]);
        let code = fault.unwrap_err().code();
        assert!(
            matches!(code, "ledger::corrupt" | "ledger::refused"),
            "{sql}: {code}"
        );
        assert_eq!(ledger.head().unwrap(), head);
    }
}

#[test]
fn a_page_that_was_never_written_hides_nothing() {
    let ground = Ground::new();
    ground.lay(&ground.file);
    let mut ledger = open(&ground.path, &Mode::Existing).unwrap();
    let more = single("new", STEPS[0], Gating::Only, None);
    let drafts = [
        opened(&more),
        met("m", "g00", "g00"),
        dropped("d", "g10", "g10"),
        reopened("r", "g12", "g12"),
    ];
    add(&mut ledger, &drafts);
    let truth = answers(&ledger);
    drop(ledger);
    write_back(&ground.path);
    let after = fs::read(&ground.path).unwrap();
    let mut differing = 0;
    for start in (0..ground.file.len()).step_by(4_096) {
        let page = start..start + 4_096;
        if after[page.clone()] == ground.file[page.clone()] {
            continue;
        }
        differing += 1;
        let mut file = after.clone();
        file[page.clone()].copy_from_slice(&ground.file[page]);
        ground.lay(&file);
        let Ok(ledger) = open(&ground.path, &Mode::Read) else {
            continue;
        };
        for ((question, truth), (_, answer)) in truth.iter().zip(answers(&ledger)) {
            // Found by its id, a set may be as it was then.
            if !question.starts_with("id") {
                assert!(
                    answer.is_err() || answer == *truth,
                    "page {}: {question}",
                    start / 4_096
                );
            }
        }
        assert!(!ground.found().is_empty(), "page {}", start / 4_096);
    }
    assert!(differing > 5, "{differing}");
}
