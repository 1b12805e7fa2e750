//! belegt as a whole process in a world of its own: own home, own PATH, empty environment. The
//! real binary, or the example with a sealed clock and a person who answers.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};

/// A project with its home.
pub struct Site {
    base: tempfile::TempDir,
    ids: AtomicU64,
}

/// What one run printed and how it ended.
#[derive(Debug)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Site {
    /// An empty project. The user's own settings allow the model of the person to be read.
    pub fn new() -> Site {
        let base = tempfile::tempdir().unwrap();
        for folder in ["demo", "home/.config/belegt", "bin"] {
            fs::create_dir_all(base.path().join(folder)).unwrap();
        }
        let site = Site {
            base,
            ids: AtomicU64::new(1),
        };
        let allowed = "const SITE = #{ user_model: #{ authorized: true } };\n";
        fs::write(site.home().join(".config/belegt/site.rhai"), allowed).unwrap();
        site
    }

    /// A control centre whose four sources are there and empty.
    pub fn with_empty_sources() -> Site {
        let site = Site::new();
        site.folder("_control-center/_CONTROL/_DECISIONS");
        site.folder("_control-center/_CONTROL/_USER-MIND");
        site.tool("usmc", "echo '[]'", ".usmc/usmc_memory.db");
        let empty =
            "case $1 in tasks) echo '  Keine Tasks.';; *) echo '  Keine Ergebnisse.';; esac";
        site.tool("gardener", empty, ".gardener/user.db");
        site
    }

    /// The project's folder.
    pub fn root(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("demo")
    }

    /// The home.
    pub fn home(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("home")
    }

    /// Writes a file of the project.
    pub fn file(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes a folder of the project.
    pub fn folder(&self, path: &str) {
        fs::create_dir_all(self.root().join(path)).unwrap();
    }

    /// Puts a shell script on PATH, and a store below the home.
    pub fn tool(&self, name: &str, script: &str, store: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        let place = self.base.path().join("bin").join(name);
        fs::write(&place, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        let store = self.home().join(store);
        fs::create_dir_all(store.parent().unwrap()).unwrap();
        fs::write(store, "store").unwrap();
    }

    fn command(&self, program: &Path) -> Command {
        let bin = self.base.path().join("bin");
        let mut command = Command::new(program);
        command
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.home())
            .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
            .stdin(Stdio::null());
        command
    }

    /// The real binary.
    pub fn binary(&self) -> Command {
        self.command(Path::new(env!("CARGO_BIN_EXE_belegt")))
    }

    /// Runs the real binary.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        ran(self.binary().args(arguments).output().unwrap())
    }

    /// Runs with a sealed clock, and with a person who answers, if there are answers.
    pub fn at(&self, now: &str, answers: &str, arguments: &[&str]) -> Ran {
        let ids = self.ids.fetch_add(100, Ordering::Relaxed);
        let mut command = self.command(&sealed());
        command
            .env("SEALED_NOW", now)
            .env("SEALED_ZONE", "Europe/Berlin")
            .env("SEALED_ANSWERS", answers)
            .env("SEALED_IDS", ids.to_string());
        ran(command.args(arguments).output().unwrap())
    }
}

fn ran(output: Output) -> Ran {
    Ran {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code().unwrap(),
    }
}

/// The example target with the sealed clock, built beside the tests.
fn sealed() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    if path.ends_with("deps") {
        path.pop();
    }
    let path = path.join("examples/sealed");
    assert!(
        path.exists(),
        "`cargo test` builds the example `sealed` first"
    );
    path
}
