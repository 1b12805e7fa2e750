//! Gates in the ledger: eight writers at once, and 100,000 open sets, as ratios within one run.
//!
//! `cargo bench --bench gates` prints what eight processes commit in a second beside what they
//! do with SQLite's own busy timeout, and how long each question takes with 100,000 sets beside
//! 1,000, with the peak memory of a process that asks only that. Nothing fails on a figure: a
//! loaded machine would lie.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark speaks to a person and may fail"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belegt::ledger::event::Draft;
use belegt::ledger::gates::GateQuery;
use belegt::ledger::sqlite::busy::Patience;
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::{Appended, Ledger};
use belegt::model::gate::{Becomes, Mode as Gating, step};
use rusqlite::{Connection, TransactionBehavior};
use wait4::Wait4;

use support::*;

#[path = "../tests/support/gates.rs"]
mod support;
#[path = "gates/whole.rs"]
mod whole;

/// Set in the children: what they do.
const ROLE: &str = "BELEGT_BENCH_ROLE";
/// Set in the children: the file.
const FILE: &str = "BELEGT_BENCH_FILE";
/// How many write at once.
const WRITERS: usize = 8;
/// How many gates each writer opens and meets.
const EACH: usize = 100;
/// The sizes that are compared.
const SIZES: [usize; 2] = [1_000, 100_000];
/// How many sets fall due at once.
const FALL: usize = 1_000;
/// Before this instant no set is due.
const DAWN: i64 = 1_000_000;

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(120)
}

fn ledger(path: &Path) -> SqliteLedger {
    let store = "bench".to_string();
    SqliteLedger::open(path, &Mode::Create { store }, soon()).unwrap()
}

fn append(ledger: &mut SqliteLedger, drafts: &[Draft]) {
    let mut head = ledger.head().unwrap();
    loop {
        match ledger.append(&head, drafts).unwrap() {
            Appended::Done(_) | Appended::Duplicate(_) => return,
            Appended::Conflict(now) => head = now,
        }
    }
}

fn main() {
    let role = std::env::var(ROLE).unwrap_or_default();
    let path = std::env::var_os(FILE)
        .map(PathBuf::from)
        .unwrap_or_default();
    match role.as_str() {
        "" => report(),
        "belegt" => write_gates(&path),
        "belegt, bare" => write_bare(&path),
        "own handler" | "stock timeout" => write_rows(&path, &role),
        question => ask(&ledger(&path), question),
    }
}

fn report() {
    let base = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    whole::report(base.path());
    writers(base.path());
    sizes(base.path());
}

fn child(role: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(ROLE, role).env(FILE, path).stdin(Stdio::null());
    command
}

/// Eight processes at once: the same two rows a transaction with both ways to wait, the
/// ledger with all that it writes, and with events alone. Three rounds by turns, the best of each.
fn writers(base: &Path) {
    let roles = ["stock timeout", "own handler", "belegt", "belegt, bare"];
    let mut best = [0.0_f64; 4];
    for round in 0..3 {
        for (n, role) in roles.iter().enumerate() {
            let path = base.join(format!("{round}-{n}.db"));
            match *role {
                "belegt" | "belegt, bare" => drop(ledger(&path)),
                _ => create_rows(&path),
            }
            let began = Instant::now();
            let mut all: Vec<_> = (0..WRITERS)
                .map(|_| child(role, &path).spawn().unwrap())
                .collect();
            for one in &mut all {
                assert!(one.wait().unwrap().success());
            }
            let done = (WRITERS * EACH * 2) as f64;
            best[n] = best[n].max(done / began.elapsed().as_secs_f64());
        }
    }
    println!("\n{WRITERS} processes, each {EACH} gates opened and met: commits a second");
    let stock = best[0];
    for (role, best) in roles.iter().zip(best) {
        println!("{role:<16} {best:>8.0}  x {:.2}", best / stock);
    }
}

fn write_gates(path: &Path) {
    let process = std::process::id();
    let mut ledger = ledger(path);
    for n in 0..EACH {
        let id = format!("g{process}-{n}");
        let set = single(&id, &format!("step {}", n % 20), Gating::Only, None);
        append(&mut ledger, &[opened(&set)]);
        append(&mut ledger, &[met(&format!("m{id}"), &id, &id)]);
    }
}

/// Events of the same size that change nothing but the chain.
fn write_bare(path: &Path) {
    let process = std::process::id();
    let mut ledger = ledger(path);
    for n in 0..EACH * 2 {
        let set = single("g", "step", Gating::Only, None);
        let body = serde_json::json!({"set": set});
        append(
            &mut ledger,
            &[draft(&format!("{process}-{n}"), "goal.set", body)],
        );
    }
}

fn create_rows(path: &Path) {
    let conn = Connection::open(path).unwrap();
    conn.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))
        .unwrap();
    let sql = "CREATE TABLE gate (id TEXT PRIMARY KEY, json TEXT) STRICT;
        CREATE TABLE history (n INTEGER PRIMARY KEY, json TEXT) STRICT;";
    conn.execute_batch(sql).unwrap();
}

fn write_rows(path: &Path, role: &str) {
    let mut conn = Connection::open(path).unwrap();
    match role {
        "stock timeout" => conn.busy_timeout(Duration::from_secs(120)).unwrap(),
        _ => {
            let patience = Patience::new(Instant::now(), soon());
            conn.busy_handler(Some(move |calls| patience.wait(calls)))
                .unwrap();
        }
    }
    conn.pragma_update(None, "synchronous", "FULL").unwrap();
    let process = std::process::id();
    for n in 0..EACH * 2 {
        let id = format!("g{process}-{}", n / 2);
        let set = single(&id, "step", Gating::Only, None);
        let json = serde_json::to_string(&set).unwrap();
        let tx = conn
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .unwrap();
        let sql = "INSERT INTO gate VALUES (?1, ?2)
            ON CONFLICT (id) DO UPDATE SET json = excluded.json";
        tx.execute(sql, (&id, &json)).unwrap();
        tx.execute("INSERT INTO history (json) VALUES (?1)", [&json])
            .unwrap();
        tx.commit().unwrap();
    }
}

/// A ledger with that many open sets, each with a step of its own. None is due before dawn, a
/// thousand soon after, the others far later.
fn grown(path: &Path, size: usize) -> SqliteLedger {
    let mut ledger = ledger(path);
    let numbers: Vec<usize> = (0..size).collect();
    for some in numbers.chunks(1_000) {
        let drafts: Vec<_> = some.iter().map(|n| opened(&time_set(*n))).collect();
        append(&mut ledger, &drafts);
    }
    ledger
}

fn time_set(n: usize) -> belegt::model::gate::GateSet {
    let due = match n < FALL {
        true => DAWN + n as i64,
        false => 2 * DAWN + n as i64,
    };
    let mode = [Gating::Wait, Gating::Only][n % 2];
    single(&format!("g{n:08x}"), &format!("step {n}"), mode, Some(due))
}

/// One question, as a child asks it alone and as it is measured here.
fn ask(ledger: &SqliteLedger, question: &str) {
    let key = step::key("step 500");
    let id = ["g000001f4".to_string()];
    let count = |query: GateQuery<'_>| ledger.gates(&query).unwrap().sets.len();
    match question {
        "open it" => {}
        "view" => assert_eq!(ledger.view().unwrap().state, Default::default()),
        "due, none" => assert_eq!(count(GateQuery::Due(DAWN - 1)), 0),
        "due, 1,000" => assert_eq!(count(GateQuery::Due(2 * DAWN - 1)), FALL),
        "step" => assert_eq!(count(GateQuery::Step(&key)), 1),
        "one by id" => assert_eq!(count(GateQuery::Ids(&id)), 1),
        "next wake" => assert!(ledger.next_wake(DAWN).unwrap().is_some()),
        "open steps" => assert!(!ledger.open_steps().unwrap().is_empty()),
        "forbidden" => assert!(!ledger.forbidden().unwrap().is_empty()),
        "all" => assert!(count(GateQuery::All) >= FALL),
        other => panic!("{other}"),
    }
}

const QUESTIONS: [&str; 10] = [
    "open it",
    "view",
    "due, none",
    "due, 1,000",
    "step",
    "one by id",
    "next wake",
    "open steps",
    "forbidden",
    "all",
];

/// A row of the report: milliseconds for each size, and the peak memory at the greater one.
struct Row {
    name: String,
    times: [f64; 2],
    memory: Option<u64>,
}

fn sizes(base: &Path) {
    let paths = SIZES.map(|size| base.join(format!("{size}.db")));
    let mut ledgers: Vec<SqliteLedger> = Vec::new();
    for (size, path) in SIZES.iter().zip(&paths) {
        let began = Instant::now();
        ledgers.push(grown(path, *size));
        let bytes = std::fs::metadata(path).unwrap().len();
        println!(
            "\n{size} sets: opened in {:.2} s, file {} KiB",
            began.elapsed().as_secs_f64(),
            bytes / 1024
        );
    }
    let mut rows = Vec::new();
    for question in QUESTIONS {
        let rounds = if question == "all" { 3 } else { 21 };
        let times = [0, 1].map(|n| {
            median(rounds, |_| match question {
                "open it" => drop(ledger(&paths[n])),
                _ => ask(&ledgers[n], question),
            })
        });
        rows.push(Row {
            name: question.to_string(),
            times,
            memory: Some(peak(question, &paths[1])),
        });
    }
    rows.push(changes("open one more", 21, &mut ledgers, |round, _| {
        let id = format!("more{round}");
        vec![opened(&single(&id, &id, Gating::Only, Some(3 * DAWN)))]
    }));
    rows.push(changes("meet one", 21, &mut ledgers, |round, _| {
        let id = format!("more{round}");
        vec![met(&format!("m{id}"), &id, &id)]
    }));
    rows.push(changes(
        "look for 1,000 due, meet all",
        1,
        &mut ledgers,
        |_, ledger| {
            let due = ledger.gates(&GateQuery::Due(2 * DAWN - 1)).unwrap().sets;
            assert_eq!(due.len(), FALL);
            let to = || Becomes::Met(Box::new(evidence()));
            let all: Vec<_> = due.iter().map(|s| change(&s.id, &s.id, to())).collect();
            vec![changed("all", "gate.met", &all)]
        },
    ));
    print(&rows);
}

/// Appends what `drafts` makes, with the making, so often, to both ledgers by turns.
fn changes(
    name: &str,
    rounds: usize,
    ledgers: &mut [SqliteLedger],
    drafts: impl Fn(usize, &SqliteLedger) -> Vec<Draft>,
) -> Row {
    let mut times = [0.0; 2];
    for (time, ledger) in times.iter_mut().zip(ledgers) {
        *time = median(rounds, |round| {
            let drafts = drafts(round, ledger);
            append(ledger, &drafts);
        });
    }
    Row {
        name: name.to_string(),
        times,
        memory: None,
    }
}

/// The median in milliseconds.
fn median(rounds: usize, mut run: impl FnMut(usize)) -> f64 {
    let mut times: Vec<f64> = (0..rounds)
        .map(|round| {
            let began = Instant::now();
            run(round);
            began.elapsed().as_secs_f64() * 1000.0
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[rounds / 2]
}

/// The most memory of a process that asks this alone, in KiB.
fn peak(question: &str, path: &Path) -> u64 {
    let child = child(question, path).spawn().unwrap();
    let usage = child.wait4().unwrap();
    assert!(usage.status.success(), "{question}");
    usage.rusage.maxrss / 1024
}

fn print(rows: &[Row]) {
    println!(
        "\n{:<30} {:>10} {:>12} {:>7} {:>9}",
        "median ms", SIZES[0], SIZES[1], "x", "peak KiB"
    );
    for row in rows {
        let memory = row.memory.map(|m| m.to_string()).unwrap_or_default();
        println!(
            "{:<30} {:>10.3} {:>12.3} {:>7.1} {memory:>9}",
            row.name,
            row.times[0],
            row.times[1],
            row.times[1] / row.times[0]
        );
    }
}
