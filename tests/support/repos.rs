//! Real repositories in a folder of their own, and the proof scripts over the real world.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail, and not every test uses every helper"
)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use belegt::model::receipt::Receipt;
use belegt::script::answer::Reply;
use belegt::script::call::Argument;
use belegt::tick::view_desk::ViewDesk;
use belegt::world::desk::{Desk, Start};
use belegt::world::grants::Grants;
use belegt::world::real::{RealSetup, RealWorld};
use belegt::world::{Answer, Environment, Failure, GitAsk, Request, World};
use serde_json::{Value, json};

use crate::support::Stage;

/// The PATH of the tests: the system's own folders, and where git is if that is elsewhere.
pub fn system_path() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
    let with_git = std::env::split_paths(&path).find(|folder| folder.join("git").is_file());
    folders.extend(with_git.filter(|folder| folder.is_absolute()));
    std::env::join_paths(folders).unwrap()
}

/// A granted folder `root` with everything in it, a home beside it, and the world around both.
pub struct Repos {
    keep: tempfile::TempDir,
    pub root: PathBuf,
    pub environment: Environment,
    pub path: OsString,
}

/// What a proof said.
#[derive(Debug)]
pub struct Said {
    pub answer: &'static str,
    pub why: String,
    pub receipts: Vec<Receipt>,
}

impl Repos {
    pub fn new() -> Repos {
        let keep = tempfile::tempdir().unwrap();
        let base = keep.path().canonicalize().unwrap();
        for folder in ["root", "home", "bin"] {
            fs::create_dir(base.join(folder)).unwrap();
        }
        let mut environment = Environment::new();
        environment.insert("HOME".into(), base.join("home").into());
        Repos {
            keep,
            root: base.join("root"),
            environment,
            path: system_path(),
        }
    }

    pub fn base(&self) -> PathBuf {
        self.keep.path().canonicalize().unwrap()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// A program before all others on PATH, outside of the root.
    pub fn tool(&mut self, name: &str, script: &str) {
        let bin = self.base().join("bin");
        program(&bin.join(name), script);
        let mut folders = vec![bin];
        folders.extend(std::env::split_paths(&system_path()));
        self.path = std::env::join_paths(folders).unwrap();
    }

    /// A repository with one commit for each number.
    pub fn make(&self, name: &str, commits: usize) -> PathBuf {
        let place = self.at(name);
        fs::create_dir_all(&place).unwrap();
        git(&place, &["init", "-q"]);
        for number in 1..=commits {
            commit(&place, &number.to_string());
        }
        place
    }

    /// A bare repository `NAME.git` as a remote of another, with its `main`.
    pub fn remote(&self, of: &Path, name: &str) -> PathBuf {
        let place = self.at(&format!("{name}.git"));
        git(
            &self.root,
            &["init", "-q", "--bare", place.to_str().unwrap()],
        );
        git(of, &["remote", "add", name, place.to_str().unwrap()]);
        git(of, &["push", "-q", name, "main"]);
        place
    }

    pub fn world(&self) -> RealWorld {
        let mut environment = self.environment.clone();
        environment.insert("PATH".into(), self.path.clone());
        RealWorld::new(RealSetup {
            roots: vec![self.root.clone()],
            environment,
            path: Some(self.path.clone()),
        })
    }

    pub fn ask_within(&self, folder: &Path, ask: GitAsk, limit: Duration) -> Answer {
        let root = folder.to_str().unwrap().to_owned();
        self.world()
            .ask(&Request::Git { ask, root }, Instant::now() + limit)
    }

    pub fn ask(&self, folder: &Path, ask: GitAsk) -> Answer {
        self.ask_within(folder, ask, Duration::from_secs(20))
    }

    pub fn tip(&self, folder: &Path, remote: &str) -> Answer {
        self.ask(folder, tip(remote, "refs/heads/main"))
    }

    fn asking(&self, folder: &Path) -> belegt::ask::Asking {
        let mut asking = Stage::new().asking();
        let root = self.root.to_str().unwrap().to_string();
        let grants = Grants {
            roots: vec![root],
            commands: ["git".to_string()].into(),
            ..Grants::default()
        };
        let start = Start {
            moment: asking.facts.now,
            instant: Instant::now(),
        };
        let ledger = Arc::new(ViewDesk::new(Default::default()));
        asking.desk = Arc::new(Desk::new(Arc::new(self.world()), ledger, grants, start));
        asking.facts.root = folder.to_str().unwrap().to_string();
        asking
    }

    /// What a phrase is read as, when a gate is opened in a folder.
    pub fn recognise(&self, folder: &Path, method: &str, text: &str) -> Option<Reply> {
        let path = format!("probes/proofs/{method}");
        let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
        let asking = self.asking(folder);
        let done = asking.answer_or_none(&path, "recognise", arguments);
        let answered = done
            .result
            .unwrap_or_else(|fault| panic!("{text}: {}", fault.line()));
        answered.map(|answered| answered.reply)
    }

    pub fn params(&self, folder: &Path, method: &str, text: &str) -> Value {
        match self.recognise(folder, method, text) {
            Some(Reply::Condition { params, .. }) => params,
            other => panic!("{text}: {other:?}"),
        }
    }

    pub fn refusal(&self, folder: &Path, method: &str, text: &str) -> String {
        match self.recognise(folder, method, text) {
            Some(Reply::Refused { why, .. }) => why,
            other => panic!("{text}: {other:?}"),
        }
    }

    pub fn prove(&self, folder: &Path, method: &str, params: &Value) -> Said {
        self.prove_as(folder, method, (params, "wait"))
    }

    pub fn prove_as(&self, folder: &Path, method: &str, gate: (&Value, &str)) -> Said {
        let path = format!("probes/proofs/{method}");
        let gate = json!({
            "condition": "c", "sentence": "s", "params": gate.0,
            "created_at": "2026-11-30T09:00:00+01:00", "mode": gate.1,
        });
        let arguments = vec![Argument::Context, Argument::Data(gate)];
        let done = self.asking(folder).answer(&path, "prove", arguments);
        let answered = done
            .result
            .unwrap_or_else(|fault| panic!("{}", fault.line()));
        Said {
            answer: answered.reply.constructor(),
            why: answered.why(),
            receipts: done.receipts,
        }
    }
}

/// An executable file.
pub fn program(place: &Path, script: &str) {
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(place, script).unwrap();
    fs::set_permissions(place, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs git itself, away from every configuration of this machine.
pub fn plain_git(folder: &Path, arguments: &[&str]) -> Output {
    Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .env_clear()
        .env("PATH", system_path())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The same; it must succeed.
pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = plain_git(folder, arguments);
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    String::from_utf8(output.stdout).unwrap().trim().to_string()
}

/// A further commit, and its id.
pub fn commit(folder: &Path, message: &str) -> String {
    git(folder, &["commit", "-q", "--allow-empty", "-m", message]);
    id(folder, "HEAD")
}

pub fn id(folder: &Path, name: &str) -> String {
    git(folder, &["rev-parse", name])
}

pub fn tip(remote: &str, reference: &str) -> GitAsk {
    GitAsk::RemoteTip {
        remote: remote.to_string(),
        reference: reference.to_string(),
    }
}

pub fn contains(commit: &str, tip: &str) -> GitAsk {
    GitAsk::Contains {
        commit: commit.to_string(),
        tip: tip.to_string(),
    }
}

pub fn data(answer: &Answer) -> &Value {
    match answer {
        Answer::Data(data) => data,
        other => panic!("{other:?}"),
    }
}

/// Kind and reason of a failure.
pub fn failure(answer: &Answer) -> (Failure, &str) {
    match answer {
        Answer::Failed { kind, why } => (*kind, why),
        other => panic!("{other:?}"),
    }
}
