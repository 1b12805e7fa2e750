//! Gates as whole processes: `may` beside `true`, `gate check` among 100,000 open time gates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use belegt::ledger::sqlite::SqliteLedger;
use belegt::model::gate::{GateSet, Mode as Gating};
use serde_json::json;
use wait4::Wait4;

use super::support::{opened, single};
use super::{append, ledger};

/// How many gates are open.
const MANY: usize = 100_000;
/// How many of them are due.
const DUE: usize = 1_000;
/// How often each quick process starts, by turns.
const STARTS: usize = 41;

/// A project with its home.
struct Site {
    root: PathBuf,
    home: PathBuf,
}

impl Site {
    fn new(base: &Path, name: &str) -> Site {
        let site = Site {
            root: base.join(name),
            home: base.join(format!("{name}-home")),
        };
        fs::create_dir_all(site.root.join(".belegt")).unwrap();
        fs::create_dir_all(&site.home).unwrap();
        site
    }

    fn file(&self) -> PathBuf {
        self.root.join(".belegt/ledger.db")
    }

    /// One start: milliseconds, peak memory in KiB, exit code.
    fn start(&self, program: &str, arguments: &[&str]) -> (f64, u64, Option<i32>) {
        let began = Instant::now();
        let child = Command::new(program)
            .args(arguments)
            .current_dir(&self.root)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let ended = child.wait4().unwrap();
        let took = began.elapsed().as_secs_f64() * 1000.0;
        (took, ended.rusage.maxrss / 1024, ended.status.code())
    }
}

/// A set that waits for an instant, as `gate open` makes it.
fn timed(n: usize, due: i64) -> GateSet {
    let instant = chrono::DateTime::from_timestamp(due, 0)
        .unwrap()
        .to_rfc3339();
    let mut set = single(
        &format!("g{n:012x}"),
        &format!("step {n}"),
        Gating::Wait,
        Some(due),
    );
    set.gates[0].params = json!({
        "rule": "", "due": due, "instant": instant, "civil": "", "zone": "UTC",
        "tzdata": belegt::formats::when::TZDATA, "note": "", "carried": "",
    });
    set
}

/// A few at a time: a child's peak memory counts from that of its parent.
fn fill(ledger: &mut SqliteLedger, sets: impl Iterator<Item = GateSet>) {
    let mut sets = sets.peekable();
    while sets.peek().is_some() {
        let some: Vec<_> = sets.by_ref().take(500).map(|set| opened(&set)).collect();
        append(ledger, &some);
    }
}

/// Prints both tables.
pub fn report(base: &Path) {
    let belegt = env!("CARGO_BIN_EXE_belegt");
    let far = 4_000_000_000;
    let few = Site::new(base, "few");
    fill(&mut ledger(&few.file()), (0..3).map(|n| timed(n, far)));
    let many = Site::new(base, "many");
    fill(
        &mut ledger(&many.file()),
        (0..MANY).map(|n| timed(n, far + n as i64)),
    );
    let quick: [(&str, &Site, &str, &[&str]); 6] = [
        ("true", &few, "/bin/true", &[]),
        ("--version", &few, belegt, &["--version"]),
        ("may, free step", &few, belegt, &["may", "something else"]),
        ("may, waits", &few, belegt, &["may", "step 1"]),
        (
            "may, waits, among 100,000",
            &many,
            belegt,
            &["may", "step 1"],
        ),
        (
            "gate check, none due, among 100,000",
            &many,
            belegt,
            &["gate", "check"],
        ),
    ];
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); quick.len()];
    let mut memory = vec![0; quick.len()];
    let mut codes = vec![None; quick.len()];
    for _ in 0..STARTS {
        for (n, (_, site, program, arguments)) in quick.iter().enumerate() {
            let (took, peak, code) = site.start(program, arguments);
            times[n].push(took);
            memory[n] = peak.max(memory[n]);
            codes[n] = code;
        }
    }
    println!("\nwhole processes, {STARTS} starts by turns: min ms, times `true`, peak MiB, exit");
    let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    let base_time = least(&times[0]);
    for (n, (name, ..)) in quick.iter().enumerate() {
        let min = least(&times[n]);
        let (ratio, mib) = (min / base_time, memory[n] as f64 / 1024.0);
        println!(
            "{name:<36} {min:>8.2} {ratio:>7.1} {mib:>7.1}  {:?}",
            codes[n]
        );
    }
    fill(
        &mut ledger(&many.file()),
        (0..DUE).map(|n| timed(MANY + n, 1_000_000 + n as i64)),
    );
    let (took, peak, code) = many.start(belegt, &["gate", "check"]);
    println!(
        "{:<36} {took:>8.0} {:>7} {:>7.1}  {code:?}",
        "gate check, 1,000 due, among 101,000",
        "",
        peak as f64 / 1024.0
    );
}
