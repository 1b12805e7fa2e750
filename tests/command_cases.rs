//! The cases O-B04, O-B05 and O-B21 and the table of reliability 4.2 with real processes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail"
)]
#![cfg(target_os = "linux")]

#[path = "support/inner.rs"]
mod inner;
#[path = "support/repos.rs"]
mod repos;
mod support;

use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use belegt::script::call::Argument;
use belegt::world::fixture::{CommandCase, Outcome};
use belegt::world::{Answer, Failure, Request, World};
use repos::Repos;
use serde_json::json;
use support::Stage;

/// A number of seconds that no other sleep on this machine uses: the mark of one test.
fn mark() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("4{:06}{number:03}", std::process::id() % 1_000_000)
}

/// Whether nobody bears a mark in the command line, or soon nobody will.
fn none_is_left(mark: &str) -> bool {
    let marked = || {
        let all = fs::read_dir("/proc").unwrap().flatten();
        let lines = all.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
        lines
            .into_iter()
            .any(|line| String::from_utf8_lossy(&line).contains(mark))
    };
    let end = Instant::now() + Duration::from_secs(2);
    while Instant::now() < end {
        if !marked() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Runs `sh -c SCRIPT`, `MARK` replaced; the answer, the time and whether anybody is left.
fn shell(script: &str, limit: Duration) -> (Answer, Duration, bool) {
    let repos = Repos::new();
    let mark = mark();
    let request = Request::Run {
        argv: ["sh", "-c", &script.replace("MARK", &mark)]
            .map(str::to_owned)
            .to_vec(),
        cwd: repos.root.to_str().unwrap().to_owned(),
        limit: 100_000,
    };
    let begin = Instant::now();
    let answer = repos.world().ask(&request, begin + limit);
    (answer, begin.elapsed(), none_is_left(&mark))
}

fn kind(answer: &Answer) -> Option<Failure> {
    match answer {
        Answer::Failed { kind, .. } => Some(*kind),
        _ => None,
    }
}

#[test]
fn o_b04_a_grandchild_with_the_pipe_does_not_hold_the_probe() {
    for script in ["exec sleep MARK", "sleep MARK & wait", "sleep MARK; :"] {
        let limit = Duration::from_secs(2);
        let (answer, took, alone) = shell(script, limit);
        assert_eq!(
            kind(&answer),
            Some(Failure::Deadline),
            "{script}: {answer:?}"
        );
        assert!(took < limit + Duration::from_secs(2), "{script}: {took:?}");
        assert!(alone, "{script}");
    }
}

/// The rows of the table, with its limit of 0.2 s and the times of its last row; a margin for a
/// busy machine.
#[test]
fn table_4_2_the_reader_sees_the_end_soon() {
    let rows = [
        (
            "`Child::kill` on the shell: a grandchild keeps the pipe",
            "sleep MARK & wait",
        ),
        ("a process group of its own", "sleep MARK | sleep MARK"),
        ("the grandchild called `setsid`", "setsid sleep MARK & wait"),
        (
            "an orphan that only the subreaper finds",
            "(setsid sleep MARK &); sleep MARK",
        ),
        (
            "a session within a session",
            "setsid sh -c 'setsid sleep MARK & sleep MARK' & wait",
        ),
        (
            "a process that forks at that moment",
            "f() { sleep MARK & f; }; sleep 0.19; for i in 1 2 3 4; do sleep MARK & done; wait",
        ),
    ];
    for (what, script) in rows {
        let (answer, took, alone) = shell(script, Duration::from_millis(200));
        assert_eq!(kind(&answer), Some(Failure::Deadline), "{what}: {answer:?}");
        assert!(took < Duration::from_millis(1200), "{what}: {took:?}");
        assert!(alone, "{what}");
    }
}

#[test]
fn table_4_2_the_group_ends_also_when_the_child_ends_normally() {
    for script in [
        "sleep MARK & exit 0",
        "setsid sleep MARK & exit 0",
        "(sleep MARK &) ; exit 0",
    ] {
        let (answer, took, alone) = shell(script, Duration::from_secs(20));
        assert!(
            matches!(&answer, Answer::Ran(ran) if ran.status == 0),
            "{script}: {answer:?}"
        );
        assert!(took < Duration::from_secs(2), "{script}: {took:?}");
        assert!(alone, "{script}");
    }
}

const PROOF: &str = "const META = #{ api: 1, about: \"red or green\", cost: \"costly\" };
fn recognise(text, ctx) { condition(\"green\", #{}) }
fn prove(ctx, gate) {
    let run = cmd::run([\"pytset\", \"-q\"]);
    if !run.ok { return unavailable(run.why); }
    if run.status == 0 { found(\"green\") } else { empty(\"red\") }
}
";

#[test]
fn o_b05_a_missing_tool_is_not_a_red_test() {
    let repos = Repos::new();
    let request = Request::Run {
        argv: vec!["pytset".to_string(), "-q".to_string()],
        cwd: repos.root.to_str().unwrap().to_owned(),
        limit: 100,
    };
    let until = Instant::now() + Duration::from_secs(5);
    assert_eq!(repos.world().ask(&request, until), Answer::Missing);
    // It is there and may not be run.
    fs::write(repos.base().join("bin/pytset"), "#!/bin/sh\n").unwrap();
    let mut repos = repos;
    repos.tool("other", "#!/bin/sh\n");
    let answer = repos.world().ask(&request, until);
    assert_eq!(kind(&answer), Some(Failure::Spawn), "{answer:?}");

    let mut stage = Stage::new().script("probes/proofs/green", PROOF);
    stage.grants.commands.insert("pytset".to_string());
    let prove = |outcome: Option<Outcome>| {
        let mut stage = stage.clone();
        stage
            .world
            .commands
            .extend(outcome.map(|outcome| CommandCase {
                argv: vec!["pytset".to_string()],
                prefix: true,
                outcome,
                delay: 0,
            }));
        let arguments = vec![Argument::Context, Argument::Data(json!({}))];
        let done = stage
            .asking()
            .answer("probes/proofs/green", "prove", arguments);
        let answered = done.result.unwrap();
        (answered.reply.constructor(), answered.why())
    };
    let ran = |status| Outcome::Ran {
        status,
        stdout: String::new(),
        stderr: String::new(),
    };
    assert_eq!(prove(Some(ran(0))).0, "found");
    assert_eq!(prove(Some(ran(1))).0, "empty");
    for outcome in [Some(Outcome::Missing), Some(Outcome::Hangs), None] {
        let (answer, why) = prove(outcome);
        assert_eq!(answer, "unavailable");
        assert!(why.contains("pytset"), "{why}");
    }
}

fn sleeper() -> Child {
    let mut sleep = Command::new("sleep");
    sleep.arg("300").stdin(Stdio::null()).spawn().unwrap()
}

#[test]
fn o_b21_a_real_process_is_its_number_and_its_start() {
    let repos = Repos::new();
    let mut child = sleeper();
    let text = format!("Prozess {} beendet", child.id());
    let params = repos.params(&repos.root, "process", &text);
    assert_eq!(params["name"], "sleep");
    let said = repos.prove(&repos.root, "process", &params);
    assert_eq!(said.answer, "empty", "{said:?}");
    // Another process bears the number by now.
    let mut other = params.clone();
    let start = params["start"].as_str().unwrap();
    other["start"] = format!("{start}0").into();
    let said = repos.prove(&repos.root, "process", &other);
    assert_eq!(said.answer, "found", "{said:?}");
    assert!(said.why.contains("how it ended is not known"), "{said:?}");

    child.kill().unwrap();
    let ended = || repos.prove(&repos.root, "process", &params);
    let end = Instant::now() + Duration::from_secs(5);
    while ended().answer != "found" && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    // It has ended, and nobody has reaped it yet.
    assert!(ended().why.contains("waits to be reaped"), "{:?}", ended());
    assert!(
        repos
            .refusal(&repos.root, "process", &text)
            .contains("ended already")
    );
    child.wait().unwrap();
    let said = ended();
    assert_eq!(said.answer, "found", "{said:?}");
    assert!(
        repos
            .refusal(&repos.root, "process", &text)
            .contains("there is no process")
    );
}

#[test]
fn o_b21_a_thread_is_no_process() {
    let (send, receive) = std::sync::mpsc::channel();
    let (done, wait) = std::sync::mpsc::channel::<()>();
    let thread = std::thread::spawn(move || {
        // The system's own number is the innermost one, also where `/proc` is that of another
        // namespace.
        let status = fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("NSpid:"));
        let number = line.unwrap().split_whitespace().last().unwrap();
        send.send(number.parse::<u32>().unwrap()).unwrap();
        wait.recv().unwrap();
    });
    let pid = receive.recv().unwrap();
    let until = Instant::now() + Duration::from_secs(5);
    let answer = Repos::new().world().ask(&Request::Process { pid }, until);
    done.send(()).unwrap();
    thread.join().unwrap();
    assert!(kind(&answer).is_some(), "{answer:?}");
}

/// A number is what the system calls take, also where `/proc` shows others.
#[test]
fn o_b21_numbers_of_an_inner_namespace_are_not_taken_for_outer_ones() {
    let Some(ran) = inner::again(&["o_b21_a_real_process_is_its_number_and_its_start"]) else {
        return;
    };
    assert!(ran.status.success(), "{ran:#?}");
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("1 passed"),
        "{ran:#?}"
    );
}
