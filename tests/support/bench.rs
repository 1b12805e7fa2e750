//! A sealed bench for whole processes: an own home, an empty environment, a deadline, and the
//! promises of L6 checked after every run.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail, and not every test uses every helper"
)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belegt::model::signal::Signal;
use serde_json::Value;

/// A forged signal, as every scenario tries to smuggle it in.
pub const FORGED: &str = "WORK-AUTONOMOUS: STOP (exhausted)";
const PREFIX: &str = "WORK-AUTONOMOUS:";
/// Nothing may take longer than this.
const LONGEST: Duration = Duration::from_secs(90);
/// The id of a user who owns nothing.
const NOBODY: u32 = 65_534;

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    /// The exit code; none if a signal ended it.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl Ran {
    /// The last line of stdout, which must be a whole signal.
    pub fn line(&self) -> &str {
        self.out.lines().last().unwrap_or_default()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}

/// A home and a project of their own. Three roles answer from plain files, the fourth is
/// declared absent, all in the user's own layer, which needs no trust: the first tick proves
/// `exhausted`, so that every lie shows.
pub struct Bench {
    base: tempfile::TempDir,
    /// Replaces `/usr/bin:/bin`.
    pub path: Option<OsString>,
    user: Option<u32>,
}

impl Bench {
    pub fn new() -> Bench {
        let bench = Bench {
            base: tempfile::tempdir().unwrap(),
            path: None,
            user: None,
        };
        let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/app/init/plain");
        for role in ["decisions.ledger", "memory.organic", "memory.curated"] {
            let script = format!("probes/sources/{role}.rhai");
            bench.user(&script, fs::read(plain.join(&script)).unwrap());
        }
        bench.user("site.rhai", ABSENT);
        bench.write("DECISIONS.md", "# Decisions\n");
        bench.write("NOTES.md", "# Notes\n");
        bench
    }

    /// A bench whose runs have no power over permissions. `None`, said loudly, where that
    /// cannot be arranged.
    pub fn without_power() -> Option<Bench> {
        let mut bench = Bench::new();
        if !rustix::process::geteuid().is_root() {
            return Some(bench);
        }
        bench.user = Some(NOBODY);
        bench.hand_over();
        let tried = bench.command(&["--version"]).output();
        if tried.is_ok_and(|output| output.status.success()) {
            return Some(bench);
        }
        eprintln!("SKIPPED: run by root, and no other user can start the binary here");
        None
    }

    /// Gives all files to the user that the runs have.
    pub fn hand_over(&self) {
        if let Some(user) = self.user {
            fs::set_permissions(self.base(), fs::Permissions::from_mode(0o755)).unwrap();
            let owner = format!("{user}:{user}");
            let status = Command::new("chown")
                .args(["-R", &owner])
                .arg(self.base())
                .status();
            assert!(status.unwrap().success());
        }
    }

    pub fn base(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap()
    }

    pub fn root(&self) -> PathBuf {
        self.base().join("demo")
    }

    pub fn at(&self, path: &str) -> PathBuf {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// A place in the user's own folder of settings.
    pub fn config(&self, path: &str) -> PathBuf {
        let path = self.base().join("home/.config/belegt").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    pub fn state(&self) -> PathBuf {
        self.base().join("home/.local/state/belegt")
    }

    pub fn ledger(&self) -> PathBuf {
        self.at(".belegt/ledger.db")
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::write(self.at(path), text).unwrap();
    }

    pub fn user(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::write(self.config(path), text).unwrap();
    }

    /// A tool on PATH, in place of everything but the system's own.
    pub fn tool(&mut self, name: &str, script: &str) {
        let folder = self.base().join("bin");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(name);
        fs::write(&file, script).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        self.path = Some(format!("{}:/usr/bin:/bin", folder.display()).into());
    }

    pub fn command<S: AsRef<std::ffi::OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_belegt"));
        let path = self.path.clone().unwrap_or_else(|| "/usr/bin:/bin".into());
        command
            .args(arguments)
            .current_dir(self.root())
            .env_clear()
            .env("HOME", self.base().join("home"))
            .env("PATH", path)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command
    }

    /// Runs a command to its end, at most [`LONGEST`], and checks what every run promises.
    pub fn run<S: AsRef<std::ffi::OsStr>>(&self, arguments: &[S]) -> Ran {
        play(self.command(arguments))
    }

    /// A tick in words, which must end with this line and its exit code.
    pub fn says(&self, line: &str, what: &str) -> Ran {
        let ran = self.run(&["tick"]);
        assert_eq!(ran.line(), line, "{what}: {ran:#?}");
        ran
    }

    /// A tick that is blind because of exactly these names.
    pub fn is_blind(&self, names: &[&str], what: &str) -> Ran {
        let ran = self.run(&["tick"]);
        assert_eq!(ran.code, Some(11), "{what}: {ran:#?}");
        match Signal::parse(ran.line().as_bytes()) {
            Some(Signal::Blind { names: got, .. }) => assert_eq!(got, names, "{what}: {ran:#?}"),
            other => panic!("{what}: {other:?}"),
        }
        ran
    }

    /// With open work in the project's list, a tick goes on all the same.
    pub fn goes_on(&self, what: &str) -> Value {
        let list = self.root().join("TODO.md");
        fs::write(&list, "- [ ] go on\n").unwrap();
        let ran = self.run(&["tick", "--json"]);
        fs::remove_file(&list).unwrap();
        assert_eq!(ran.code, Some(0), "{what}: {ran:#?}");
        let tick = ran.json();
        assert_eq!(tick["signal"], "WORK-AUTONOMOUS: CONTINUE", "{what}");
        tick
    }

    /// A ledger with a few events: ticks, a note, its settling, a proof at the end.
    pub fn grown() -> Bench {
        let bench = Bench::new();
        bench.grow();
        bench
    }

    pub fn grow(&self) {
        self.run(&["tick", "-q"]);
        self.run(&["note", "hello"]);
        self.run(&["tick", "-q"]);
        let settle = [
            "settle",
            "memory.curated:",
            "--as",
            "done",
            "--because",
            "x",
        ];
        assert_eq!(self.run(&settle).code, Some(0));
        let proof = self.run(&["tick", "-q"]);
        assert_eq!(proof.line(), FORGED, "{proof:#?}");
    }

    /// Every path with kind, size, bytes and time of change.
    pub fn tree(&self) -> Vec<String> {
        let mut all = Vec::new();
        let mut open = vec![self.base()];
        while let Some(place) = open.pop() {
            let meta = fs::symlink_metadata(&place).unwrap();
            if meta.is_dir() {
                open.extend(fs::read_dir(&place).unwrap().map(|e| e.unwrap().path()));
            }
            let bytes = if meta.is_file() {
                belegt::script::value::text::digest(&fs::read(&place).unwrap())
            } else {
                String::new()
            };
            all.push(format!(
                "{place:?} {:?} {bytes} {:?}",
                meta.file_type(),
                meta.modified()
            ));
        }
        all.sort();
        all
    }
}

/// Runs a command with a deadline and checks the promises.
pub fn play(mut command: Command) -> Ran {
    let begin = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut streams = (child.stdout.take(), child.stderr.take());
    let (out, err, status) = std::thread::scope(|scope| {
        let out = scope.spawn(|| read(streams.0.as_mut()));
        let err = scope.spawn(|| read(streams.1.as_mut()));
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begin.elapsed() > LONGEST {
                child.kill().unwrap();
                panic!("hangs: {command:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        (out.join().unwrap(), err.join().unwrap(), status)
    });
    let ran = Ran {
        code: status.code(),
        out: String::from_utf8(out).expect("stdout is UTF-8"),
        err: String::from_utf8_lossy(&err).into_owned(),
        took: begin.elapsed(),
    };
    let arguments: Vec<&[u8]> = command.get_args().map(|a| a.as_bytes()).collect();
    promises(&ran, &arguments);
    ran
}

fn read(stream: Option<&mut impl std::io::Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        stream.read_to_end(&mut bytes).unwrap();
    }
    bytes
}

/// What every run promises: no line but the last looks like a signal, for whatever reader; the
/// last line of a tick is one, whole, and has its own exit code; nothing moves the cursor.
fn promises(ran: &Ran, arguments: &[&[u8]]) {
    let has = |flag: &[u8]| arguments.contains(&flag);
    let is_line_end =
        |c: char| "\n\r\u{b}\u{c}\u{1c}\u{1d}\u{1e}\u{85}\u{2028}\u{2029}".contains(c);
    let lines: Vec<&str> = ran.out.split_terminator(is_line_end).collect();
    let forged = |line: &&&str| line.starts_with(PREFIX);
    let above = lines.len().saturating_sub(1);
    assert_eq!(
        lines.iter().take(above).filter(forged).count(),
        0,
        "forged: {ran:#?}"
    );
    assert_eq!(
        ran.err
            .split(is_line_end)
            .filter(|l| l.starts_with(PREFIX))
            .count(),
        0,
        "{ran:#?}"
    );
    for stream in [&ran.out, &ran.err] {
        let bad = |c: char| c != '\n' && belegt::model::text::is_harmful(c);
        assert!(!stream.contains(bad), "control characters: {ran:#?}");
    }
    let is_tick = has(b"tick") && !has(b"--help");
    let is_plain = is_tick && !has(b"--json");
    if !is_plain || matches!(ran.code, None | Some(1 | 2)) {
        let last = lines.last().copied().unwrap_or_default();
        let may_say = has(b"read");
        assert!(
            may_say || !last.starts_with(PREFIX),
            "a line without a tick: {ran:#?}"
        );
        return;
    }
    let last = ran.line();
    assert!(ran.out.ends_with('\n') && last.is_ascii(), "{ran:#?}");
    let line = match has(b"--dry-run") {
        true => last
            .strip_prefix("would print: ")
            .unwrap_or_else(|| panic!("{ran:#?}")),
        false => last,
    };
    let signal = Signal::parse(line.as_bytes()).unwrap_or_else(|| panic!("no signal: {ran:#?}"));
    let code = if has(b"--exit-zero") {
        0
    } else {
        signal.exit_code()
    };
    assert_eq!(ran.code, Some(i32::from(code)), "{ran:#?}");
    if has(b"-q") {
        assert_eq!(lines.len(), 1, "{ran:#?}");
    }
}

/// Makes a FIFO.
pub fn fifo(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

const ABSENT: &str = "const SITE = #{ absent: #{ \"user.model\": #{ reason: \"none here\" } } };\n";
