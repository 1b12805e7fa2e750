//! Tests once more in a container: its `/proc` is that of an outer PID namespace, which shows
//! the processes under other numbers than the system calls take.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may fail, and says what it skips"
)]

use std::process::{Command, Output};

/// Runs tests of this program there; nothing, said loudly, where none can be made.
pub fn again(tests: &[&str]) -> Option<Output> {
    let inner = |command: &std::path::Path| {
        let mut unshare = Command::new("unshare");
        unshare.args(["--user", "--map-root-user", "--pid", "--fork"]);
        unshare.arg(command);
        unshare
    };
    let tried = inner("true".as_ref()).output();
    if !tried.is_ok_and(|ran| ran.status.success()) {
        eprintln!("SKIPPED: no PID namespace can be made here");
        return None;
    }
    let ran = inner(&std::env::current_exe().unwrap())
        .args(["--exact", "--test-threads", "2"])
        .args(tests)
        .output();
    Some(ran.unwrap())
}
