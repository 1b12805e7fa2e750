//! Whole processes, started in turn, as ratios to `true` in the same run.
//!
//! `cargo bench --bench speed` prints minimum and median of 61 interleaved starts and the peak
//! memory of each. The figures of the README are from here. Nothing fails on a figure: a
//! loaded machine would lie.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark speaks to a person and may fail"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// How often each command is started.
const STARTS: usize = 61;

struct Case {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    folder: PathBuf,
    home: PathBuf,
    times: Vec<Duration>,
    memory: u64,
    line: String,
}

impl Case {
    fn new(name: &'static str, program: &Path, arguments: &[&str], site: &Site) -> Self {
        Case {
            name,
            program: program.to_path_buf(),
            arguments: arguments.iter().map(|a| a.to_string()).collect(),
            folder: site.root.clone(),
            home: site.home.clone(),
            times: Vec::new(),
            memory: 0,
            line: String::new(),
        }
    }

    fn start(&mut self) {
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.folder)
            .env_clear()
            .env("HOME", &self.home)
            .env("PATH", "/usr/bin:/bin")
            .env("TZ", "Europe/Berlin")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let began = Instant::now();
        let mut child = command.spawn().unwrap();
        let mut text = String::new();
        std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut text).unwrap();
        let usage = child.wait4().unwrap();
        self.times.push(began.elapsed());
        self.memory = self.memory.max(usage.rusage.maxrss);
        self.line = text.lines().last().unwrap_or_default().to_string();
    }

    fn minimum(&self) -> f64 {
        self.times.iter().min().unwrap().as_secs_f64() * 1000.0
    }

    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1000.0
    }
}

struct Site {
    root: PathBuf,
    home: PathBuf,
}

impl Site {
    fn new(base: &Path, name: &str) -> Self {
        let site = Site {
            root: base.join(name),
            home: base.join(format!("{name}-home")),
        };
        fs::create_dir_all(&site.root).unwrap();
        fs::create_dir_all(&site.home).unwrap();
        site
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// A script of the user's own layer, which needs no trust.
    fn script(&self, path: &str, text: &str) {
        let path = self.home.join(".config/belegt").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The user's own settings, which need no trust.
    fn settings(&self, text: &str) {
        let folder = self.home.join(".config/belegt");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("site.rhai"), text).unwrap();
    }
}

/// The control-centre layout with everything that is a file: built-in scripts only.
fn files(base: &Path, name: &str) -> Site {
    let site = Site::new(base, name);
    let decisions = "_control-center/_CONTROL/_DECISIONS";
    site.write(
        &format!("{decisions}/TO-DECIDE-USER.txt"),
        "TO-DECIDE-USER\n",
    );
    site.write(
        &format!("{decisions}/DECIDED-AND-DONE.md"),
        "# DECIDED AND DONE\n",
    );
    site.write("_control-center/_CONTROL/_USER-MIND/START.md", "# START\n");
    site.write("TODO.md", "# Plan\n\n- [x] everything\n");
    for folder in [
        "INBOX",
        "ACTIONABLE",
        "BLOCKED",
        "WAITING",
        "USER",
        "PARKED",
        "SOLVED",
    ] {
        site.write(&format!("_TICKETS/{folder}/.gitkeep"), "");
    }
    site.settings("const SITE = #{ user_model: #{ authorized: true } };\n");
    site
}

/// A source that waits for a command before it answers.
const SLOW: &str = r#"
const META = #{ api: 1, about: "a slow source" };
fn locate(ctx) { place("path", "command:sleep") }
fn situation(ctx, place) { #{} }
fn read(ctx, place) {
    let run = cmd::run(["sleep", "0.3ID"]);
    if !run.ok { return unavailable(run.why); }
    empty("slept")
}
"#;

/// Four sources of 300 ms each.
fn slow(base: &Path) -> Site {
    let site = Site::new(base, "slow");
    site.settings("const SITE = #{ commands: [\"sleep\"] };\n");
    let roles = [
        "decisions.ledger",
        "memory.organic",
        "memory.curated",
        "user.model",
    ];
    for (index, role) in roles.iter().enumerate() {
        // Different questions, so that none shares the answer of another.
        let text = SLOW.replace("ID", &"0".repeat(index));
        site.script(&format!("probes/sources/{role}.rhai"), &text);
    }
    site
}

fn main() {
    let belegt = Path::new(env!("CARGO_BIN_EXE_belegt"));
    let base = tempfile::tempdir().unwrap();
    let held = files(base.path(), "held");
    let chain = files(base.path(), "chain");
    let tickets = files(base.path(), "tickets");
    for number in 0..10_000 {
        let text = format!(
            "TICKET\nID:            T-20261130-{number:09}\nTITEL:         Ticket {number}\nSTATUS:        ACTIONABLE\nPRIORITAET:    mittel\n\n{}\n",
            "body ".repeat(170)
        );
        tickets.write(
            &format!("_TICKETS/ACTIONABLE/T-20261130-{number:09}.txt"),
            &text,
        );
    }
    let decisions = files(base.path(), "decisions");
    let entries: String = (0..12_500)
        .map(|n| {
            let day = 1 + n % 28;
            let body = "The importer may do so, and the log says how often. ".repeat(6);
            format!("## D-202510{day:02}-{:04} — Decision {n}\nENTSCHIEDEN AM: 2025-10-{day:02}\nENTSCHEIDUNG: [A — yes]\n{body}\n\n", n % 10_000)
        })
        .collect();
    decisions.write(
        "_control-center/_CONTROL/_DECISIONS/DECIDED-AND-DONE.md",
        &entries,
    );
    let mut first = Case::new("first", belegt, &["tick", "-q"], &held);
    first.start();
    let truth = Path::new("/bin/true");
    let mut cases = vec![
        Case::new("true", truth, &[], &held),
        Case::new("belegt --version", belegt, &["--version"], &held),
        Case::new("tick, guard held", belegt, &["tick", "-q"], &held),
        Case::new(
            "tick, full chain",
            belegt,
            &["tick", "-q", "--no-guard"],
            &chain,
        ),
        Case::new(
            "tick, full chain, dry",
            belegt,
            &["tick", "-q", "--no-guard", "--dry-run"],
            &chain,
        ),
    ];
    run(&mut cases, STARTS);
    let mut big = vec![
        Case::new("true", truth, &[], &held),
        Case::new(
            "10,000 tickets",
            belegt,
            &["tick", "-q", "--no-guard"],
            &tickets,
        ),
        Case::new(
            "four sources of 300 ms",
            belegt,
            &["tick", "-q", "--no-guard"],
            &slow(base.path()),
        ),
        Case::new(
            "5 MB of decisions",
            belegt,
            &["tick", "-q", "--no-guard"],
            &decisions,
        ),
    ];
    println!("\ndecisions file: {} bytes", entries.len());
    run(&mut big, 11);
}

fn run(cases: &mut [Case], starts: usize) {
    for _ in 0..starts {
        for case in cases.iter_mut() {
            case.start();
        }
    }
    let (floor_min, floor_median) = (cases[0].minimum(), cases[0].median());
    println!(
        "{:<24} {:>9} {:>9} {:>7} {:>7} {:>9}  line",
        "", "min ms", "median", "x min", "x med", "peak KiB"
    );
    for case in cases.iter() {
        println!(
            "{:<24} {:>9.2} {:>9.2} {:>7.1} {:>7.1} {:>9}  {}",
            case.name,
            case.minimum(),
            case.median(),
            case.minimum() / floor_min,
            case.median() / floor_median,
            case.memory / 1024,
            case.line
        );
    }
}
