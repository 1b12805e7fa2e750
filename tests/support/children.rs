//! Children that run a test of this very program again, and are killed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Set in the children: the folder in which they work.
pub const FOLDER: &str = "BELEGT_KILL_FOLDER";
/// Set in the children: their number.
pub const NUMBER: &str = "BELEGT_KILL_NUMBER";

/// Starts this program with one of its tests alone.
pub fn start(folder: &Path, test: &str, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(FOLDER, folder)
        .env(NUMBER, number.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Children that are ended with the test, however it ends.
pub struct Children(pub Vec<Child>);

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Children {
    /// Ends one and starts it anew. One that ended by itself failed.
    pub fn kill(&mut self, number: usize, folder: &Path) {
        let child = &mut self.0[number];
        if let Some(status) = child.try_wait().unwrap() {
            panic!("child {number} ended by itself, {status}: {}", said(child));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        self.0[number] = start(folder, "child", number);
    }
}

/// What a child said on stderr.
pub fn said(child: &mut Child) -> String {
    let mut said = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        let _ = std::io::Read::read_to_string(&mut stderr, &mut said);
    }
    said
}
