//! The real world's commands against real processes: output, ends, deadlines, descendants, PATH
//! and git.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
#![cfg(target_os = "linux")]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use belegt::world::real::{RealSetup, RealWorld};
use belegt::world::{Answer, Environment, Failure, GitAsk, Ran, Request, World};

/// The PATH of the tests: the system's own folders, and where git is if that is elsewhere.
fn system_path() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = vec![PathBuf::from("/usr/bin"), PathBuf::from("/bin")];
    let with_git = std::env::split_paths(&path).find(|folder| folder.join("git").is_file());
    folders.extend(with_git.filter(|folder| folder.is_absolute()));
    std::env::join_paths(folders).unwrap()
}

fn environment() -> Environment {
    let mut environment = Environment::new();
    environment.insert("PATH".into(), system_path());
    environment.insert("LANG".into(), "C.UTF-8".into());
    environment
}

/// A granted folder and the world around it.
struct Site {
    _keep: tempfile::TempDir,
    root: PathBuf,
    world: RealWorld,
}

fn site() -> Site {
    site_with(environment())
}

fn site_with(environment: Environment) -> Site {
    let keep = tempfile::tempdir().unwrap();
    let root = keep.path().canonicalize().unwrap().join("root");
    fs::create_dir(&root).unwrap();
    let world = RealWorld::new(RealSetup {
        roots: vec![root.clone()],
        environment,
        path: Some(system_path()),
    });
    Site {
        _keep: keep,
        root,
        world,
    }
}

const LIMIT: u64 = 100_000;

impl Site {
    fn request(&self, argv: &[&str]) -> Request {
        Request::Run {
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            cwd: self.root.to_str().unwrap().to_owned(),
            limit: LIMIT,
        }
    }

    fn run(&self, argv: &[&str]) -> Answer {
        let until = Instant::now() + Duration::from_secs(20);
        self.world.ask(&self.request(argv), until)
    }

    fn ran(&self, argv: &[&str]) -> Ran {
        match self.run(argv) {
            Answer::Ran(ran) => ran.as_ref().clone(),
            other => panic!("{argv:?}: {other:?}"),
        }
    }

    /// Runs with a deadline, and says how long it took.
    fn within(&self, argv: &[&str], limit: Duration) -> (Answer, Duration) {
        let begin = Instant::now();
        let answer = self.world.ask(&self.request(argv), begin + limit);
        (answer, begin.elapsed())
    }

    fn script(&self, path: &str, text: &str) -> PathBuf {
        let place = self.root.join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, text).unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        place
    }

    fn git(&self, ask: GitAsk, folder: &Path) -> Answer {
        let root = folder.to_str().unwrap().to_owned();
        let until = Instant::now() + Duration::from_secs(20);
        self.world.ask(&Request::Git { ask, root }, until)
    }
}

fn kind(answer: &Answer) -> Option<Failure> {
    match answer {
        Answer::Failed { kind, .. } => Some(*kind),
        _ => None,
    }
}

/// A number of seconds that no other sleep on this machine uses: the mark of one test.
fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("3{:06}{number:03}", std::process::id() % 1_000_000)
}

/// How many processes bear a mark in their command line.
fn marked(mark: &str) -> usize {
    let all = fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .filter(|line| String::from_utf8_lossy(line).contains(mark))
        .count()
}

/// Waits a moment for what is being ended in parallel.
fn none_is_left(mark: &str) -> bool {
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        if marked(mark) == 0 {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

#[test]
fn a_command_gives_its_code_and_both_streams() {
    let site = site();
    let ran = site.ran(&["sh", "-c", "echo out; echo err >&2; exit 3"]);
    assert_eq!(
        (ran.status, ran.stdout, ran.stderr),
        (3, b"out\n".to_vec(), b"err\n".to_vec())
    );
    assert_eq!(ran.program, "/usr/bin/sh");
    for code in [0, 1, 126, 127, 255] {
        let ran = site.ran(&["sh", "-c", &format!("exit {code}")]);
        assert_eq!(ran.status, code);
    }
}

#[test]
fn there_is_no_shell_no_input_and_nothing_else_in_the_environment() {
    let mut given = Environment::new();
    given.insert("ONLY".into(), "this".into());
    let site = site_with(given);
    let words = "a b $HOME * ; \"q\" \\x41";
    assert_eq!(
        site.ran(&["echo", words]).stdout,
        format!("{words}\n").into_bytes()
    );
    assert_eq!(site.ran(&["env"]).stdout, b"ONLY=this\n");
    assert_eq!(site.ran(&["cat"]).stdout, b"");
    let here = format!("{}\n", site.root.display());
    assert_eq!(site.ran(&["pwd"]).stdout, here.into_bytes());
}

/// What whoever started this test left open goes on to every child; nothing of ours does.
#[test]
fn nothing_that_is_open_here_is_open_in_a_command() {
    let site = site();
    let _open = fs::File::open(&site.root).unwrap();
    let plain = Command::new("ls")
        .arg("/proc/self/fd")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(site.ran(&["ls", "/proc/self/fd"]).stdout, plain.stdout);
}

#[test]
fn both_pipes_are_read_at_once() {
    let site = site();
    let ran = site.ran(&[
        "sh",
        "-c",
        "head -c 90000 /dev/zero >&2; head -c 90000 /dev/zero",
    ]);
    assert_eq!((ran.stdout.len(), ran.stderr.len()), (90_000, 90_000));
}

#[test]
fn more_output_than_the_limit_is_a_failure_and_ends_the_command() {
    let site = site();
    let exact = site.ran(&["head", "-c", "100000", "/dev/zero"]);
    assert_eq!(exact.stdout.len(), 100_000);
    let mark = mark();
    for redirect in ["", ">&2"] {
        let script = format!("sleep {mark} & head -c 100001 /dev/zero {redirect}; wait");
        let (answer, took) = site.within(&["sh", "-c", &script], Duration::from_secs(20));
        assert_eq!(kind(&answer), Some(Failure::TooLarge), "{answer:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
    }
    let (answer, took) = site.within(&["cat", "/dev/zero"], Duration::from_secs(20));
    assert_eq!(kind(&answer), Some(Failure::TooLarge));
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(none_is_left(&mark));
}

#[test]
fn what_cannot_start_says_why() {
    let site = site();
    assert_eq!(site.run(&["no-such-command-here"]), Answer::Missing);
    assert_eq!(site.run(&["/no/such/command"]), Answer::Missing);
    fs::write(site.root.join("plain"), "#!/bin/sh\n").unwrap();
    let plain = site.root.join("plain");
    let broken = site.script("broken", "#!/no/such/interpreter\n");
    let binary = site.script("binary", "\u{7f}ELFnothing");
    for path in [&plain, &broken, &binary, &site.root] {
        let answer = site.run(&[path.to_str().unwrap()]);
        assert_eq!(kind(&answer), Some(Failure::Spawn), "{path:?} {answer:?}");
    }
    for argv in [&["./plain"][..], &["a/b"], &[""], &[], &["echo", "a\0b"]] {
        assert_eq!(kind(&site.run(argv)), Some(Failure::Spawn), "{argv:?}");
    }
    let nowhere = Request::Run {
        argv: vec!["true".into()],
        cwd: site.root.join("none").to_str().unwrap().into(),
        limit: 1,
    };
    let answer = site
        .world
        .ask(&nowhere, Instant::now() + Duration::from_secs(5));
    assert_eq!(kind(&answer), Some(Failure::Spawn));
}

#[test]
fn an_end_by_signal_is_no_exit_code() {
    let site = site();
    for signal in ["KILL", "TERM", "SEGV"] {
        let answer = site.run(&["sh", "-c", &format!("kill -{signal} $$")]);
        assert_eq!(kind(&answer), Some(Failure::Signal), "{signal} {answer:?}");
    }
}

/// Reliability: everything that a command started ends with it, whatever it does.
#[test]
fn everything_ends_at_the_deadline() {
    let site = site();
    let table = [
        ("it waits", "exec sleep MARK"),
        ("a grandchild holds the pipe", "sleep MARK & wait"),
        (
            "a grandchild in a session of its own",
            "setsid sleep MARK & wait",
        ),
        (
            "an orphan in a session of its own",
            "(setsid sleep MARK &) ; exec sleep MARK",
        ),
        (
            "an orphan without the pipe",
            "(setsid sleep MARK >/dev/null 2>&1 &) ; exec sleep MARK",
        ),
        (
            "it ignores the request",
            "trap '' TERM; sleep MARK; sleep MARK",
        ),
        (
            "all ignore the request",
            "trap '' TERM; setsid sh -c 'sleep MARK; :' & wait; sleep MARK",
        ),
        ("its input is closed", "exec 0<&- ; sleep MARK"),
        ("its output is closed", "exec >&- 2>&-; sleep MARK"),
        (
            "it forks for ever",
            ": MARK; f() { sleep 0.01; f & } ; f; wait; sleep MARK",
        ),
        ("it prints for ever", "while :; do :; done; : MARK"),
        ("it stops itself", "sleep MARK & kill -STOP $$"),
    ];
    for (what, script) in table {
        let mark = mark();
        let script = script.replace("MARK", &mark);
        let (answer, took) = site.within(&["sh", "-c", &script], Duration::from_millis(300));
        assert_eq!(kind(&answer), Some(Failure::Deadline), "{what}: {answer:?}");
        assert!(took >= Duration::from_millis(300), "{what}: {took:?}");
        assert!(took < Duration::from_millis(1300), "{what}: {took:?}");
        assert!(none_is_left(&mark), "{what}");
    }
}

#[test]
fn a_command_that_ends_leaves_nobody_behind() {
    let site = site();
    let table = [
        ("a child that holds the pipe", "sleep MARK & echo done"),
        (
            "a child in a session of its own",
            "setsid sleep MARK & echo done",
        ),
        (
            "an orphan",
            "(setsid sleep MARK >/dev/null 2>&1 &); sleep 0.05; echo done",
        ),
        (
            "a child without the pipe",
            "sleep MARK >/dev/null 2>&1 & echo done",
        ),
    ];
    for (what, script) in table {
        let mark = mark();
        let script = script.replace("MARK", &mark);
        let (answer, took) = site.within(&["sh", "-c", &script], Duration::from_secs(20));
        let Answer::Ran(ran) = &answer else {
            panic!("{what}: {answer:?}")
        };
        assert_eq!(
            (ran.status, ran.stdout.as_slice()),
            (0, b"done\n".as_slice()),
            "{what}"
        );
        assert!(took < Duration::from_secs(2), "{what}: {took:?}");
        assert!(none_is_left(&mark), "{what}");
    }
}

#[test]
fn an_ended_command_may_clean_up_in_its_grace() {
    let site = site();
    let script = "trap 'echo bye > end; exit 0' TERM; sleep 30 & wait";
    let (answer, _) = site.within(&["sh", "-c", script], Duration::from_millis(300));
    assert_eq!(kind(&answer), Some(Failure::Deadline));
    assert_eq!(fs::read_to_string(site.root.join("end")).unwrap(), "bye\n");
}

/// The sweep of one command must leave the others and their exit codes alone.
#[test]
fn commands_at_the_same_time_do_not_touch_each_other() {
    let site = site();
    let site = &site;
    std::thread::scope(|scope| {
        for worker in 0..4 {
            scope.spawn(move || {
                for round in 0..12 {
                    let code = (worker * 12 + round) % 100;
                    let script = format!("setsid sleep 0.12 & wait $!; exit {code}");
                    let ran = site.ran(&["sh", "-c", &script]);
                    assert_eq!((ran.status, ran.stderr.as_slice()), (code, b"".as_slice()));
                }
            });
        }
        for _ in 0..3 {
            scope.spawn(move || {
                for _ in 0..8 {
                    let mark = mark();
                    let script = format!("(setsid sleep {mark} &); sleep {mark}");
                    let limit = Duration::from_millis(90);
                    let (answer, took) = site.within(&["sh", "-c", &script], limit);
                    assert_eq!(kind(&answer), Some(Failure::Deadline));
                    assert!(took < Duration::from_millis(1500), "{took:?}");
                    assert!(none_is_left(&mark));
                }
            });
        }
    });
}

/// Children that somebody else started in our own group are nobody's strays, not even in the
/// moment before they have become their program, when they hold all our pipes.
#[test]
fn children_of_somebody_else_are_left_alone() {
    let site = site();
    let mut other = Command::new("sleep")
        .arg("9")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let script = "(setsid sleep 30 &); sleep 30";
                    site.within(&["sh", "-c", script], Duration::from_millis(30));
                }
            });
        }
        let all = (0..300).all(|_| Command::new("true").output().unwrap().status.success());
        stop.store(true, Ordering::Relaxed);
        assert!(all);
    });
    assert!(other.try_wait().unwrap().is_none());
    other.kill().unwrap();
    other.wait().unwrap();
}

#[test]
fn commands_leave_no_zombies_and_no_handles() {
    let site = site();
    let handles = || fs::read_dir("/proc/self/fd").unwrap().count();
    site.ran(&["true"]);
    let before = handles();
    for _ in 0..20 {
        site.within(
            &["sh", "-c", "(setsid sleep 30 &); sleep 30 & wait"],
            Duration::from_millis(40),
        );
        site.ran(&["sh", "-c", "(setsid true &); true"]);
    }
    // Other tests of this file run beside: their handles come and go.
    let few = before + 60;
    assert!(handles() < few, "{} of {few}", handles());
    let end = Instant::now() + Duration::from_secs(5);
    while zombies() > 0 && Instant::now() < end {
        site.ran(&["true"]);
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(zombies(), 0);
}

/// Ended children of this process that nobody reaped, older than a moment.
fn zombies() -> usize {
    let seen = || -> Vec<String> {
        let own = std::process::id();
        let all = fs::read_dir("/proc").unwrap().flatten();
        all.filter_map(|entry| {
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            let rest = stat.rsplit_once(") ")?.1;
            let ours = rest.strip_prefix("Z ")?.split(' ').next()? == own.to_string();
            ours.then(|| stat.split(' ').next().unwrap_or_default().to_owned())
        })
        .collect()
    };
    let first = seen();
    std::thread::sleep(Duration::from_millis(150));
    seen().iter().filter(|pid| first.contains(pid)).count()
}

#[test]
fn a_command_is_looked_up_in_safe_folders_only() {
    let site = site();
    let top = site.root.parent().unwrap();
    let good = top.join("good");
    let open = top.join("open");
    for folder in [&good, &open] {
        fs::create_dir(folder).unwrap();
    }
    for place in [
        site.root.join("bin/tool"),
        open.join("tool"),
        site.root.join("tool"),
    ] {
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(&place, "#!/bin/sh\necho hijacked > canary\n").unwrap();
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
    }
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    symlink(site.root.join("bin"), top.join("linked")).unwrap();
    fs::create_dir(top.join("links")).unwrap();
    symlink(site.root.join("bin/tool"), top.join("links/tool")).unwrap();
    // Good in every way but that it is named from wherever the process stands, or by a link in
    // the project.
    fs::create_dir(top.join("apart")).unwrap();
    fs::copy(site.root.join("tool"), top.join("apart/tool")).unwrap();
    symlink(top.join("apart"), site.root.join("inner")).unwrap();
    let depth = std::env::current_dir().unwrap().components().count();
    let up = "../".repeat(depth);
    let relative = format!("{up}{}", top.join("apart").display());
    let unsafe_ones = [
        relative,
        site.root.join("inner").to_str().unwrap().to_owned(),
        ".".to_owned(),
        String::new(),
        "bin".to_owned(),
        open.to_str().unwrap().to_owned(),
        site.root.join("bin").to_str().unwrap().to_owned(),
        top.join("linked").to_str().unwrap().to_owned(),
        top.join("links").to_str().unwrap().to_owned(),
        top.join("none").to_str().unwrap().to_owned(),
    ];
    let world = |path: &str| {
        RealWorld::new(RealSetup {
            roots: vec![site.root.clone()],
            environment: environment(),
            path: Some(path.into()),
        })
    };
    let which = |world: &RealWorld| {
        let command = "tool".to_owned();
        world.ask(
            &Request::Which { command },
            Instant::now() + Duration::from_secs(5),
        )
    };
    for folder in &unsafe_ones {
        let world = world(folder);
        assert_eq!(which(&world), Answer::Missing, "{folder:?}");
        let until = Instant::now() + Duration::from_secs(5);
        assert_eq!(
            world.ask(&site.request(&["tool"]), until),
            Answer::Missing,
            "{folder:?}"
        );
    }
    let all = format!("{}:{}", unsafe_ones.join(":"), good.display());
    fs::write(good.join("tool"), "#!/bin/sh\n").unwrap();
    let world = world(&all);
    assert_eq!(which(&world), Answer::Missing, "it may not be executed yet");
    let until = Instant::now() + Duration::from_secs(5);
    let answer = world.ask(&site.request(&["tool"]), until);
    assert_eq!(kind(&answer), Some(Failure::Spawn));
    fs::set_permissions(good.join("tool"), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(
        which(&world),
        Answer::Text(good.join("tool").to_str().unwrap().into())
    );
    assert!(!site.root.join("canary").exists());
    let none = RealWorld::new(RealSetup::default());
    assert_eq!(
        kind(&which(&none)),
        Some(Failure::Io),
        "without PATH nothing is known"
    );
}

#[test]
fn a_granted_absolute_path_may_stand_in_the_project() {
    let site = site();
    let script = site.script(".ci/run", "#!/bin/sh\necho \"$@\"\n");
    let ran = site.ran(&[script.to_str().unwrap(), "a b"]);
    assert_eq!((ran.status, ran.stdout), (0, b"a b\n".to_vec()));
    assert_eq!(ran.program, script.to_str().unwrap());
}

#[test]
fn variables_are_answered_from_what_was_given() {
    let site = site();
    let env = |name: &str| {
        let name = name.to_owned();
        site.world.ask(
            &Request::Env { name },
            Instant::now() + Duration::from_secs(5),
        )
    };
    assert_eq!(env("LANG"), Answer::Text("C.UTF-8".into()));
    assert_eq!(env("HOME"), Answer::Missing);
}

/// Runs git itself to prepare a repository, away from every configuration of this machine.
fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "init.defaultBranch=main",
        ])
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn text(answer: Answer) -> String {
    match answer {
        Answer::Text(text) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn git_tells_its_head_and_its_state() {
    let site = site();
    let root = &site.root;
    assert_eq!(site.git(GitAsk::Head, root), Answer::Missing);
    assert_eq!(site.git(GitAsk::Interrupted, root), Answer::Missing);
    git(root, &["init", "-q"]);
    assert_eq!(
        site.git(GitAsk::Head, root),
        Answer::Text(String::new()),
        "unborn"
    );
    assert_eq!(
        site.git(GitAsk::Interrupted, root),
        Answer::Text(String::new())
    );
    fs::create_dir(root.join("sub")).unwrap();
    fs::write(root.join("sub/a"), "a").unwrap();
    fs::write(root.join(".gitignore"), "target\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "one"]);
    let head = text(site.git(GitAsk::Head, root));
    assert!(
        head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{head}"
    );
    assert_eq!(text(site.git(GitAsk::Head, &root.join("sub"))), head);
    fs::write(root.join(".git/MERGE_HEAD"), "").unwrap();
    let answer = site.git(GitAsk::Interrupted, &root.join("sub"));
    assert_eq!(answer, Answer::Text("merge".into()));
}

#[test]
fn a_linked_work_tree_is_a_repository() {
    let site = site();
    let main = site.root.join("main");
    fs::create_dir(&main).unwrap();
    git(&main, &["init", "-q"]);
    git(&main, &["commit", "-q", "--allow-empty", "-m", "one"]);
    git(&main, &["worktree", "add", "-q", "../linked"]);
    let linked = site.root.join("linked");
    assert_eq!(
        site.git(GitAsk::Head, &linked),
        site.git(GitAsk::Head, &main)
    );
    fs::write(main.join(".git/worktrees/linked/CHERRY_PICK_HEAD"), "").unwrap();
    assert_eq!(
        site.git(GitAsk::Interrupted, &linked),
        Answer::Text("cherry-pick".into())
    );
    assert_eq!(
        site.git(GitAsk::Interrupted, &main),
        Answer::Text(String::new())
    );
}

#[test]
fn a_work_tree_has_the_same_digest_until_something_changes() {
    let site = site();
    let root = &site.root;
    git(root, &["init", "-q"]);
    fs::write(root.join("a"), "a").unwrap();
    fs::write(root.join("gone"), "g").unwrap();
    fs::write(root.join(".gitignore"), "target\n").unwrap();
    git(root, &["add", "."]);
    let tree = || text(site.git(GitAsk::Tree, root));
    let mut last = tree();
    assert_eq!(last.len(), 64);
    fs::create_dir_all(root.join(".belegt/x")).unwrap();
    fs::write(root.join(".belegt/x/ledger"), "").unwrap();
    fs::write(root.join("target"), "ignored").unwrap();
    assert_eq!(
        tree(),
        last,
        "belegt's own folder and ignored files do not count"
    );
    let changes: [(&str, &dyn Fn()); 4] = [
        ("longer", &|| fs::write(root.join("a"), "longer").unwrap()),
        ("touched", &|| {
            let file = fs::File::options()
                .write(true)
                .open(root.join("a"))
                .unwrap();
            file.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(7))
                .unwrap();
        }),
        ("untracked", &|| {
            fs::write(root.join("new\nname"), "").unwrap()
        }),
        ("gone", &|| fs::remove_file(root.join("gone")).unwrap()),
    ];
    for (what, change) in changes {
        change();
        let now = tree();
        assert_ne!(now, last, "{what}");
        assert_eq!(tree(), now, "{what}");
        last = now;
    }
}

/// A repository whose every setting runs a program that leaves a canary.
#[test]
fn an_evil_repository_runs_nothing() {
    let site = site();
    let root = &site.root;
    git(root, &["init", "-q"]);
    fs::write(root.join("a"), "a").unwrap();
    fs::write(root.join(".gitattributes"), "* filter=evil diff=evil\n").unwrap();
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "one"]);
    let canary = root.join("canary");
    let evil = site.script(
        "evil",
        &format!("#!/bin/sh\necho ran >> {}\ncat\n", canary.display()),
    );
    let hooks = root.join("hooks");
    for hook in [
        "post-index-change",
        "post-checkout",
        "reference-transaction",
        "fsmonitor-watchman",
    ] {
        site.script(
            &format!("hooks/{hook}"),
            &fs::read_to_string(&evil).unwrap(),
        );
    }
    let evil = evil.to_str().unwrap();
    let settings = [
        ("core.fsmonitor", evil),
        ("core.hooksPath", hooks.to_str().unwrap()),
        ("core.pager", evil),
        ("core.editor", evil),
        ("core.sshCommand", evil),
        ("core.gitProxy", evil),
        ("core.askPass", evil),
        ("credential.helper", evil),
        ("diff.external", evil),
        ("diff.evil.textconv", evil),
        ("diff.evil.command", evil),
        ("filter.evil.clean", evil),
        ("filter.evil.smudge", evil),
        ("filter.evil.process", evil),
        ("alias.rev-parse", "!evil"),
        ("alias.ls-files", "!evil"),
        ("core.untrackedCache", "true"),
    ];
    for (key, value) in settings {
        git(root, &["config", key, value]);
    }
    // Same size, other time: whoever compares contents must run the filter.
    fs::write(root.join("a"), "b").unwrap();
    let tree = site.git(GitAsk::Tree, root);
    git(root, &["config", "core.worktree", "/usr"]);
    assert_eq!(
        site.git(GitAsk::Tree, root),
        tree,
        "the configuration moves the work tree"
    );
    for ask in [GitAsk::Head, GitAsk::Tree, GitAsk::Interrupted] {
        let answer = site.git(ask.clone(), root);
        assert!(matches!(answer, Answer::Text(_)), "{ask:?}: {answer:?}");
    }
    assert!(!canary.exists(), "{}", fs::read_to_string(&canary).unwrap());
    // The trap is real: plain git falls into it.
    let _ = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "core.worktree=."])
        .arg("status")
        .output();
    assert!(canary.exists(), "the repository of this test is not evil");
}

#[test]
fn variables_of_git_do_not_reach_git() {
    let mut given = environment();
    for (key, value) in [
        ("GIT_DIR", "/nowhere"),
        ("GIT_WORK_TREE", "/nowhere"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_CONFIG_COUNT", "broken"),
        ("GIT_TRACE", "1"),
    ] {
        given.insert(key.into(), value.into());
    }
    let site = site_with(given);
    git(&site.root, &["init", "-q"]);
    assert_eq!(
        site.git(GitAsk::Head, &site.root),
        Answer::Text(String::new())
    );
    assert!(matches!(
        site.git(GitAsk::Tree, &site.root),
        Answer::Text(_)
    ));
}

#[test]
fn a_broken_repository_is_a_failure_not_a_clean_one() {
    let site = site();
    let root = &site.root;
    git(root, &["init", "-q"]);
    git(root, &["commit", "-q", "--allow-empty", "-m", "one"]);
    let both = |what: &str| {
        for ask in [GitAsk::Head, GitAsk::Tree] {
            let answer = site.git(ask.clone(), root);
            assert!(kind(&answer).is_some(), "{what} {ask:?}: {answer:?}");
        }
    };
    fs::write(root.join(".git/refs/heads/main"), "rubbish\n").unwrap();
    let answer = site.git(GitAsk::Head, root);
    assert_eq!(
        kind(&answer),
        Some(Failure::Io),
        "a broken branch is not unborn: {answer:?}"
    );
    fs::write(root.join(".git/config"), "[core\nrubbish").unwrap();
    both("configuration");
    fs::write(
        root.join(".git/config"),
        "[core]\nrepositoryformatversion = 99\n",
    )
    .unwrap();
    both("format");
    fs::write(root.join(".git/HEAD"), "rubbish").unwrap();
    both("head");
}

#[test]
fn a_repository_of_somebody_else_is_a_failure() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give a folder away; elsewhere the refusal cannot be brought about.
        return;
    }
    let site = site();
    git(&site.root, &["init", "-q"]);
    std::os::unix::fs::chown(&site.root, Some(12345), None).unwrap();
    std::os::unix::fs::chown(site.root.join(".git"), Some(12345), None).unwrap();
    for ask in [GitAsk::Head, GitAsk::Tree] {
        let answer = site.git(ask.clone(), &site.root);
        assert_eq!(kind(&answer), Some(Failure::Io), "{answer:?}");
    }
}

#[test]
fn without_git_a_repository_is_a_failure_but_its_operation_is_known() {
    let site = site();
    git(&site.root, &["init", "-q"]);
    let world = RealWorld::new(RealSetup {
        roots: vec![site.root.clone()],
        environment: Environment::new(),
        path: Some("/nowhere".into()),
    });
    let ask = |ask| {
        let root = site.root.to_str().unwrap().to_owned();
        world.ask(
            &Request::Git { ask, root },
            Instant::now() + Duration::from_secs(5),
        )
    };
    assert_eq!(kind(&ask(GitAsk::Head)), Some(Failure::Spawn));
    assert_eq!(ask(GitAsk::Interrupted), Answer::Text(String::new()));
}
