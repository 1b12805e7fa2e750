//! Processes that open, meet, drop and open again the gates of one ledger, and are killed at
//! random: afterwards the chain verifies, whatever was acknowledged is there, and no gate is
//! met without evidence. And two that want different things of the same gates: of each gate
//! one of them wins. About five seconds; a minute with `BELEGT_LONG=1`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use belegt::ledger::event::Draft;
use belegt::ledger::gates::GateQuery;
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::verify::verify;
use belegt::ledger::{Appended, Ledger};
use belegt::model::gate::{Becomes, GateStatus, Mode as Gating};

use children::{Children, FOLDER, NUMBER, said, start};
use support::*;

#[path = "support/children.rs"]
mod children;
#[path = "support/gates.rs"]
mod support;

/// How many work at once.
const WORKERS: usize = 8;
/// How many gates the two fight for.
const PRIZES: usize = 40;

fn open(folder: &Path) -> SqliteLedger {
    let store = format!("s{}", std::process::id());
    let until = Instant::now() + Duration::from_secs(20);
    SqliteLedger::open(&folder.join("ledger.db"), &Mode::Create { store }, until).unwrap()
}

/// Numbers that differ between processes.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// Where a child notes what was committed.
fn note_book(folder: &Path, number: &str) -> File {
    let own = folder.join(format!("acknowledged-{number}"));
    let options = OpenOptions::new().create(true).append(true).open(own);
    options.unwrap()
}

/// The child's folder and number, in a child.
fn called() -> Option<(PathBuf, String)> {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from)?;
    Some((folder, std::env::var(NUMBER).unwrap()))
}

/// What a child does: it changes gates and acknowledges until somebody kills it.
#[test]
fn child() {
    let Some((folder, number)) = called() else {
        return;
    };
    let mut own = note_book(&folder, &number);
    let process = std::process::id();
    let mut dice = Dice(u64::from(process) << 20);
    let mut count = 0;
    loop {
        let mut ledger = open(&folder);
        for _ in 0..4 {
            count += 1;
            let id = format!("{number}-{process}-{count}");
            let Some(draft) = any_draft(&ledger, &id, &mut dice) else {
                continue;
            };
            let head = ledger.head().unwrap();
            // Without evidence it is never met, whoever asks.
            let mut empty = evidence();
            empty.receipts.clear();
            let wrong = change("g", "g", Becomes::Met(Box::new(empty)));
            let wrong = changed(&format!("wrong-{id}"), "gate.met", &[wrong]);
            // A conflict, where the head has moved by then.
            let answer = ledger.append(&head, &[draft.clone(), wrong]);
            assert!(!matches!(answer, Ok(Appended::Done(_))), "{answer:?}");
            match ledger.append(&head, std::slice::from_ref(&draft)).unwrap() {
                Appended::Done(_) => {
                    let line = format!("{id} {}\n", draft.kind);
                    own.write_all(line.as_bytes()).unwrap();
                }
                Appended::Conflict(_) => {}
                Appended::Duplicate(head) => panic!("{id} was there, {head:?}"),
            }
        }
    }
}

/// A change that fits the ledger as it was read; by the time of the append it may not.
fn any_draft(ledger: &SqliteLedger, id: &str, dice: &mut Dice) -> Option<Draft> {
    let what = dice.below(10);
    if what < 4 {
        let mode = [Gating::Only, Gating::Wait][dice.below(2)];
        let dues = [None, Some(dice.below(100) as i64)];
        let dues = &dues[..1 + dice.below(2)];
        let name = format!("step {}", dice.below(30));
        return Some(opened(&set(&format!("g{id}"), &name, mode, (false, dues))));
    }
    let query = match what {
        9 => GateQuery::All,
        _ => GateQuery::Due(dice.below(100) as i64),
    };
    let sets = ledger.gates(&query).unwrap().sets;
    if sets.is_empty() {
        return None;
    }
    let set = &sets[dice.below(sets.len())];
    let gate = &set.gates[dice.below(set.gates.len())].id;
    Some(match what {
        4..=6 => met(id, &set.id, gate),
        7..=8 => dropped(id, &set.id, gate),
        _ => reopened(id, &set.id, gate),
    })
}

/// Every stored event by its id, with its kind.
fn stored(ledger: &SqliteLedger) -> BTreeMap<String, Draft> {
    let mut all = BTreeMap::new();
    let mut from = 0;
    loop {
        let page = ledger.history(from, 500).unwrap();
        let Some(last) = page.last() else { break };
        from = last.seq;
        for event in page {
            let twice = all.insert(event.draft.id.clone(), event.draft);
            assert!(twice.is_none(), "{twice:?}");
        }
    }
    all
}

#[test]
fn no_gate_is_met_without_evidence_whoever_is_killed() {
    let length = match std::env::var_os("BELEGT_LONG") {
        Some(_) => Duration::from_secs(60),
        None => Duration::from_secs(4),
    };
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let first = (0..WORKERS).map(|n| start(folder, "child", n));
    let mut children = Children(first.collect());
    let (begin, mut kills, mut dice) = (Instant::now(), 0, Dice(0x5eed));
    while begin.elapsed() < length {
        std::thread::sleep(Duration::from_micros(5_000 + dice.below(40_000) as u64));
        children.kill(dice.below(WORKERS), folder);
        kills += 1;
    }
    drop(children);

    let ledger = open(folder);
    assert_eq!(verify(&ledger), Ok(Vec::new()));
    let stored = stored(&ledger);
    let mut acknowledged = BTreeMap::new();
    for number in 0..WORKERS {
        let own = fs::read_to_string(folder.join(format!("acknowledged-{number}"))).unwrap();
        for line in own.lines() {
            let (id, kind) = line.split_once(' ').unwrap();
            let id = match kind {
                "gate.opened" => format!("open-g{id}"),
                _ => id.to_string(),
            };
            let found = stored.get(&id).map(|draft| draft.kind.as_str());
            assert_eq!(found, Some(kind), "`{id}` was acknowledged and is lost");
            *acknowledged.entry(kind.to_string()).or_insert(0) += 1;
        }
    }
    let sum: usize = acknowledged.values().sum();
    assert!(stored.len() >= sum && stored.len() <= sum + kills + WORKERS);
    let kinds = acknowledged.len();
    assert!(
        kills > 20 && sum > 50 && kinds >= 3,
        "{kills} {acknowledged:?}"
    );
    let mut met = 0;
    for set in ledger.gates(&GateQuery::All).unwrap().sets {
        for gate in set.gates {
            if gate.status == GateStatus::Met {
                met += 1;
                let evidence = gate.evidence.unwrap();
                assert!(evidence.holds() && !evidence.sentence.is_empty());
            }
        }
    }
    assert!(met > 5, "{met}");
}

/// What one of two rivals does: the first meets every gate, the second drops it. Each takes a
/// gate only while it is open, and the append holds it to what it saw.
#[test]
fn rival() {
    let Some((folder, number)) = called() else {
        return;
    };
    let mut own = note_book(&folder, &number);
    let mut ledger = open(&folder);
    while !folder.join("go").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    for n in 0..PRIZES {
        let name = format!("g{n}");
        loop {
            let ids = [name.clone()];
            let seen = ledger.gates(&GateQuery::Ids(&ids)).unwrap();
            if seen.sets[0].gates[0].status != GateStatus::Open {
                break;
            }
            let id = format!("{number}-{name}");
            let draft = match number.as_str() {
                "0" => met(&id, &name, &name),
                _ => dropped(&id, &name, &name),
            };
            if let Appended::Done(_) = ledger.append(&seen.head, &[draft]).unwrap() {
                own.write_all(format!("{name}\n").as_bytes()).unwrap();
                break;
            }
        }
    }
}

#[test]
fn of_two_who_want_the_same_gate_one_wins() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path();
    let mut ledger = open(folder);
    let sets: Vec<_> = (0..PRIZES)
        .map(|n| opened(&single(&format!("g{n}"), "release", Gating::Only, None)))
        .collect();
    let head = ledger.head().unwrap();
    ledger.append(&head, &sets).unwrap();
    let mut rivals = Children((0..2).map(|n| start(folder, "rival", n)).collect());
    std::thread::sleep(Duration::from_millis(200));
    fs::write(folder.join("go"), "").unwrap();
    for rival in &mut rivals.0 {
        let status = rival.wait().unwrap();
        assert!(status.success(), "{}", said(rival));
    }
    let won = |number: usize| -> BTreeSet<String> {
        let own = fs::read_to_string(folder.join(format!("acknowledged-{number}"))).unwrap();
        own.lines().map(String::from).collect()
    };
    let (meets, drops) = (won(0), won(1));
    assert!(meets.is_disjoint(&drops));
    assert_eq!(meets.len() + drops.len(), PRIZES);
    let sets = ledger.gates(&GateQuery::All).unwrap().sets;
    for set in sets {
        let expected = match meets.contains(&set.id) {
            true => GateStatus::Met,
            false => GateStatus::Dropped,
        };
        assert_eq!(set.status(), expected, "{}", set.id);
    }
    // One event opened each gate, and one ended it.
    assert_eq!(stored(&ledger).len(), 2 * PRIZES);
    assert_eq!(verify(&ledger), Ok(Vec::new()));
}
