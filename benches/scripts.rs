//! What people who write scripts wait for: `test` over 1,000 cases as a whole process, and what
//! the record of a tick costs that `explain` tells of.
//!
//! `cargo bench --bench scripts` prints the figures. Nothing fails on a figure: a loaded machine
//! would lie.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark speaks to a person and may fail"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use belegt::ledger::event::Draft;
use belegt::ledger::sqlite::{Mode, SqliteLedger};
use belegt::ledger::{Appended, Head, Ledger};
use serde_json::Value;

#[path = "../tests/support/bench.rs"]
mod bench;

use bench::Bench;

/// How many cases are played, in files of so many.
const FILES: usize = 20;
const CASES: usize = 50;

fn cases() -> String {
    let case = |n: usize| {
        format!(
            "    #{{ name: \"case {n}\", at: \"2026-11-30T10:00:00+01:00\",\n       files: #{{ \"TODO.md\": \"# Plan\\n\\n- [ ] task {n}\\n- [x] done\\n\" }},\n       expect: #{{ answer: \"found\", items: [#{{ title: \"task {n}\", kind: \"todo.open\" }}] }} }},\n"
        )
    };
    let all: String = (0..CASES).map(case).collect();
    format!(
        "const META = #{{ api: 1, about: \"many\", script: \"probes/work/todo\" }};\nconst CASES = [\n{all}];\n"
    )
}

fn main() {
    let bench = Bench::new();
    for file in 0..FILES {
        bench.write(&format!(".belegt/tests/{file}.rhai"), cases());
    }
    let floor = minimum(|| std::process::Command::new("/bin/true"), 21);
    for arguments in [&["test"][..], &["test", "--coverage"][..]] {
        let time = minimum(|| bench.command(arguments), 7);
        println!(
            "{:<22} {} cases: {:>8.1} ms, {:.0} x `true`",
            arguments.join(" "),
            FILES * CASES,
            ms(time),
            time.as_secs_f64() / floor.as_secs_f64()
        );
    }
    explain(&bench, floor);
}

/// A tick that ran, and how long its event takes to be stored with and without the record.
fn explain(bench: &Bench, floor: Duration) {
    bench.write("TODO.md", "# Plan\n\n- [x] everything\n");
    bench.write("DECISIONS.md", "# Decisions\n");
    let tick = minimum(|| bench.command(&["tick", "-q", "--no-guard"]), 21);
    let ledger = SqliteLedger::open(&bench.ledger(), &Mode::Read, soon()).unwrap();
    let events = ledger.history(0, 1000).unwrap();
    let full = events.last().unwrap().draft.clone();
    let bare = stripped(full.clone());
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut stores = [full, bare].map(|draft| Store::new(folder.path(), draft));
    for n in 0..400 {
        for store in &mut stores {
            store.append(n);
        }
    }
    let [with, without] = stores.map(|store| (store.median(), store.size()));
    let cost = with.0.saturating_sub(without.0);
    println!(
        "tick --no-guard {:.2} ms, {:.1} x `true`; its event {} bytes, without the record {}",
        ms(tick),
        tick.as_secs_f64() / floor.as_secs_f64(),
        with.1,
        without.1
    );
    println!(
        "to store it: {:.3} ms with, {:.3} ms without the record: {:.1} % of the tick",
        ms(with.0),
        ms(without.0),
        100.0 * cost.as_secs_f64() / tick.as_secs_f64()
    );
}

/// The event without what only `explain` reads.
fn stripped(mut draft: Draft) -> Draft {
    let Value::Object(body) = &mut draft.body else {
        panic!("the body is a map");
    };
    body.remove("calls").expect("the calls");
    body.remove("decision").expect("the decision");
    for list in ["items", "bundle", "rest"] {
        for item in body[list].as_array_mut().into_iter().flatten() {
            let item = item.as_object_mut().unwrap();
            item.remove("sorted_by");
            item.remove("made_at");
        }
    }
    draft
}

struct Store {
    ledger: SqliteLedger,
    head: Head,
    draft: Draft,
    times: Vec<Duration>,
}

impl Store {
    fn new(folder: &Path, draft: Draft) -> Self {
        let size = draft.body.to_string().len();
        let mode = Mode::Create {
            store: format!("store-{size}"),
        };
        let path = folder.join(format!("{size}.db"));
        let ledger = SqliteLedger::open(&path, &mode, soon()).unwrap();
        Store {
            head: ledger.head().unwrap(),
            ledger,
            draft,
            times: Vec::new(),
        }
    }

    fn append(&mut self, n: usize) {
        self.draft.id = format!("{n:032x}");
        let began = Instant::now();
        let appended = self
            .ledger
            .append(&self.head, std::slice::from_ref(&self.draft));
        self.times.push(began.elapsed());
        match appended.unwrap() {
            Appended::Done(head) => self.head = head,
            other => panic!("{other:?}"),
        }
    }

    fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort();
        times[times.len() / 2]
    }

    fn size(&self) -> usize {
        self.draft.body.to_string().len()
    }
}

/// The quickest of several whole processes.
fn minimum(command: impl Fn() -> std::process::Command, starts: usize) -> Duration {
    let run = |_| {
        let mut command = command();
        let began = Instant::now();
        command.output().unwrap();
        began.elapsed()
    };
    (0..starts).map(run).min().unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
