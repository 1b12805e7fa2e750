//! How long `belegt check` takes over a site with 500 scripts.
//!
//! `cargo bench --bench check` prints the least of several whole runs, the built-in scripts
//! alone beside it, and what one script costs. Wanted: under one second. Nothing fails on a
//! figure: a loaded machine would lie.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark speaks to a person and may fail"
)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How many scripts the site has.
const SCRIPTS: u32 = 500;
/// How often each run is taken.
const RUNS: usize = 7;

fn main() {
    let bare = tempfile::tempdir().unwrap();
    let full = tempfile::tempdir().unwrap();
    let todo = include_str!("../probes/work/todo.rhai");
    let folder = full.path().join(".belegt/probes/work");
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(bare.path().join(".belegt")).unwrap();
    for index in 0..SCRIPTS {
        // Every tenth has a mistake in its last line.
        let end = if index % 10 == 0 {
            "\nprivate fn lost() { lok(1) }\n"
        } else {
            ""
        };
        fs::write(
            folder.join(format!("s{index}.rhai")),
            format!("{todo}{end}"),
        )
        .unwrap();
    }
    let bare = least(bare.path(), 0);
    let full = least(full.path(), 30);
    let each = full.saturating_sub(bare) / SCRIPTS;
    println!("the built-in scripts alone      {:>8.1} ms", millis(bare));
    println!(
        "and {SCRIPTS} scripts of a site        {:>8.1} ms",
        millis(full)
    );
    println!(
        "each script of {} bytes       {:>8.3} ms",
        todo.len(),
        millis(each)
    );
}

fn millis(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}

/// The least time of several runs that end with this code.
fn least(root: &Path, code: i32) -> Duration {
    let run = || {
        let start = Instant::now();
        let status = Command::new(env!("CARGO_BIN_EXE_belegt"))
            .args(["check", "--json"])
            .current_dir(root)
            .env_clear()
            .env("HOME", root)
            .stdout(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(code));
        start.elapsed()
    };
    (0..RUNS).map(|_| run()).min().unwrap()
}
