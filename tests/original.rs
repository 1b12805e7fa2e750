//! The blind line of whole processes, for all sixteen combinations of what is there, against the
//! line that the original protocol's own script prints. `BELEGT_ORIGINAL` names that script
//! (`exhaustion_check.py`), which stays outside of this project; without it the line is compared
//! with the table of the protocol's words alone.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/sealed.rs"]
mod sealed;

use std::process::Command;

use sealed::Site;

const ROLES: [&str; 4] = [
    "decisions.ledger",
    "memory.organic",
    "memory.curated",
    "user.model",
];

/// A site where the roles whose bit is set are there, and empty.
fn site(there: usize) -> Site {
    let site = Site::new();
    let is_there = |role: usize| there & (1 << role) != 0;
    // In all the places that versions of the protocol know.
    if is_there(0) {
        site.folder("_control-center/_CONTROL/_DECISIONS");
        site.folder("_control-center/_DECISIONS");
    }
    if is_there(1) {
        let empty =
            "case $1 in tasks) echo '  Keine Tasks.';; *) echo '  Keine Ergebnisse.';; esac";
        site.tool("gardener", empty, ".gardener/user.db");
    }
    if is_there(2) {
        site.tool("usmc", "echo '[]'", ".usmc/usmc_memory.db");
    }
    if is_there(3) {
        site.folder("_control-center/_CONTROL/_USER-MIND");
        site.file("_control-center/_TOM-lm/avatar/START.md", "# START\n");
    }
    site
}

/// The line as the protocol writes it; nothing where all can be asked.
fn protocol(there: usize) -> Option<String> {
    let missing: Vec<&str> = (0..4)
        .filter(|role| there & (1 << role) == 0)
        .map(|role| ROLES[role])
        .collect();
    let count = missing.len();
    let names = missing.join(", ");
    let line =
        format!("WORK-AUTONOMOUS: STOP (blind, {count}/4 Quellen nicht verfuegbar: {names})");
    (count > 0).then_some(line)
}

#[test]
fn the_line_of_whole_processes_is_the_protocols_own() {
    for there in 0..16 {
        let ran = site(there).run(&["tick", "-q"]);
        match protocol(there) {
            Some(line) => assert_eq!((ran.stdout, ran.code), (format!("{line}\n"), 11)),
            None => assert_eq!(ran.stdout, "WORK-AUTONOMOUS: STOP (exhausted)\n"),
        }
    }
}

#[test]
fn the_original_script_prints_the_same_bytes() {
    let Some(script) = std::env::var_os("BELEGT_ORIGINAL") else {
        eprintln!("SKIPPED: BELEGT_ORIGINAL does not name the original `exhaustion_check.py`");
        return;
    };
    let python = std::env::var_os("BELEGT_PYTHON").unwrap_or_else(|| "/usr/bin/python3".into());
    for there in 0..16 {
        let site = site(there);
        let output = Command::new(&python)
            .arg("-B")
            .arg(&script)
            .current_dir(site.root())
            .env_clear()
            .env("HOME", site.home())
            .env("PATH", site.root().parent().unwrap().join("bin"))
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let theirs = text
            .lines()
            .find(|line| line.starts_with("WORK-AUTONOMOUS: "));
        let ours = site.run(&["tick", "-q"]).stdout;
        match theirs {
            Some(theirs) => assert_eq!(ours, format!("{theirs}\n"), "{text}"),
            None => assert_eq!(ours, "WORK-AUTONOMOUS: STOP (exhausted)\n", "{text}"),
        }
    }
}
