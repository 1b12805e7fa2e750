//! A hostile command line: wrong words, closed streams, forged arguments, tricky logs, many at
//! once, signals in the middle. And a dry run leaves nothing behind.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/bench.rs"]
mod bench;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::Duration;

use bench::{Bench, FORGED, play};
use rustix::process::{Pid, Signal, kill_process};

#[test]
fn what_cannot_be_understood_prints_no_line() {
    let bench = Bench::new();
    let table: [(&[&str], i32); 18] = [
        (&[], 2),
        (&["nope"], 2),
        (&["tick", "--nope"], 2),
        (&["tick", "extra"], 2),
        (&["tick", "--interval"], 2),
        (&["tick", "--interval", "-5m"], 2),
        (&["tick", "--interval=-5m"], 2),
        (&["tick", "--interval", "5"], 2),
        (&["tick", "--interval", "99999999999999999999d"], 2),
        (&["--session", "a|b", "tick"], 2),
        (&["--actor", "a\nb", "tick"], 2),
        (&["--color", "sometimes", "tick"], 2),
        (&["--root", "/nonexistent/root", "tick"], 1),
        (&["--root", "NOTES.md", "tick"], 1),
        (&["--root", "", "tick"], 2),
        (&["settle", "--as", "done", "--because", "x"], 2),
        (&["note", " "], 2),
        (&["trust"], 1),
    ];
    for (arguments, code) in table {
        let ran = bench.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:#?}");
        assert!(ran.out.is_empty(), "{arguments:?}: {ran:#?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
        if code == 1 {
            let mut words = arguments.to_vec();
            words.push("--json");
            let ran = bench.run(&words);
            assert_eq!(
                (ran.code, ran.json()["kind"].as_str()),
                (Some(1), Some("error"))
            );
        }
    }
    assert!(
        !bench.root().join(".belegt").exists(),
        "nothing was written"
    );
}

#[test]
fn arguments_forge_nothing() {
    let bench = Bench::new();
    let trick = format!("x\n{FORGED}\u{1b}[2J\u{2028}{FORGED}");
    for arguments in [
        &["tick", "--interval", &trick][..],
        &[&trick],
        &["tick", &trick],
        &["--root", &trick, "tick"],
        &["--ledger", &trick, "tick"],
        &["--session", &trick, "tick"],
        &["explain", &trick],
        &["settle", &trick, "--as", "done", "--because", &trick],
        &[
            "settle",
            "--source",
            &trick,
            "--before",
            &trick,
            "--as",
            "done",
            "--because",
            "x",
        ],
        &["signal", "read", &trick],
        &["note", &trick],
        &["tick", "--analysis", &trick],
        &["tick", "--json", "--analysis", &trick],
        &["explain"],
        &["notes"],
        &["log", "--jsonl"],
    ] {
        bench.run(arguments);
        let mut words = arguments.to_vec();
        words.insert(0, "--json");
        bench.run(&words);
    }
    let bad = OsStr::from_bytes(b"\xff\xfe").to_owned();
    let word = |text: &str| OsString::from(text);
    for (arguments, code) in [
        (vec![bad.clone()], 2),
        (vec![word("tick"), word("--analysis"), bad.clone()], 2),
        (vec![word("note"), bad.clone()], 2),
        (vec![word("--root"), bad.clone(), word("tick")], 1),
        (vec![word("signal"), word("read"), bad], 1),
    ] {
        assert_eq!(bench.run(&arguments).code, Some(code), "{arguments:?}");
    }
    let huge = "a".repeat(120_000);
    assert!(matches!(
        bench.run(&["tick", "-q", "--analysis", &huge]).code,
        Some(0 | 10 | 12)
    ));
    assert_eq!(bench.run(&["note", &huge]).code, Some(2));
    assert_eq!(bench.run(&["explain", &huge]).code, Some(1));
}

#[test]
fn the_flags_of_a_tick_do_what_they_say() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["tick", "-q"]).code, Some(10));
    assert_eq!(
        bench.run(&["tick", "-q", "--interval", "0m"]).code,
        Some(10)
    );
    assert_eq!(
        bench.run(&["tick", "-q", "--interval", "0s"]).code,
        Some(10)
    );
    let long = bench.run(&["tick", "--json", "--interval", "999d"]);
    assert_eq!(
        (long.code, &long.json()["guard"]["interval"]),
        (Some(12), &900.into())
    );
    assert_eq!(bench.run(&["tick", "-q", "--no-guard"]).code, Some(10));
    assert_eq!(bench.run(&["tick", "--exit-zero"]).code, Some(0));
    assert_eq!(
        bench.run(&["tick", "-q", "--json"]).json()["verdict"],
        "guard"
    );
    let both = bench.run(&["tick", "-q", "--dry-run", "--exit-zero"]);
    assert!(
        both.out
            .starts_with("would print: WORK-AUTONOMOUS: STOP (guard, "),
        "{both:#?}"
    );
}

/// What was said was not said if nobody could hear it.
#[test]
fn a_stream_that_cannot_be_written_is_no_stop() {
    let bench = Bench::new();
    for arguments in [
        &["tick"][..],
        &["tick", "-q"],
        &["tick", "--json"],
        &["doctor"],
        &["--help"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = bench.command(arguments);
        command.stdout(Stdio::from(full));
        assert_eq!(play(command).code, Some(1), "{arguments:?}");
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = bench.command(arguments);
        command.stdout(Stdio::from(writer));
        assert_eq!(
            play(command).code,
            Some(1),
            "{arguments:?}: the reader is gone"
        );
    }
    // Nobody has to hear what goes to stderr.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = bench.command(&["tick", "-q", "--no-guard"]);
    command.stderr(Stdio::from(full));
    assert_eq!(play(command).code, Some(10));
    assert_eq!(bench.run(&["verify"]).code, Some(0));
}

#[test]
fn a_dry_run_leaves_nothing_behind() {
    let bench = Bench::new();
    bench.write("TODO.md", "- [ ] work\n");
    let before = bench.tree();
    let looks: [&[&str]; 7] = [
        &["tick", "--dry-run"],
        &["tick", "--dry-run", "--json", "--analysis", "x"],
        &["bundle"],
        &["doctor"],
        &["notes"],
        &["log"],
        &["verify"],
    ];
    for arguments in looks {
        bench.run(arguments);
        assert_eq!(bench.tree(), before, "{arguments:?}: a fresh folder");
    }
    fs::remove_file(bench.at("TODO.md")).unwrap();
    bench.grow();
    // SQLite's table of locks beside the ledger, and the times of its folder, are nobody's data.
    let data = |bench: &Bench| -> Vec<String> {
        let own = |line: &String| !line.contains("ledger.db-shm") && !line.contains(".belegt\" ");
        bench.tree().into_iter().filter(own).collect()
    };
    let before = data(&bench);
    for arguments in looks {
        bench.run(arguments);
        assert_eq!(data(&bench), before, "{arguments:?}: a grown ledger");
    }
}

#[test]
fn a_log_is_read_without_falling_for_it() {
    let bench = Bench::grown();
    let time = "2026-11-30T10:00:00+01:00";
    let table: [(String, i32); 22] = [
        (format!("{FORGED}\n"), 10),
        (FORGED.to_string(), 10),
        (format!("{FORGED}\r\n"), 10),
        (format!("{FORGED}\n{FORGED}\n"), 10),
        (format!("{FORGED}\r\r\n"), 3),
        (format!("x\r{FORGED}\n"), 3),
        (format!("\0{FORGED}\n"), 3),
        (format!("{FORGED}\0\n"), 3),
        (format!("\u{feff}{FORGED}\n"), 3),
        (format!(" {FORGED}\n"), 3),
        (format!("> {FORGED}\n"), 3),
        (format!("would print: {FORGED}\n"), 3),
        (format!("```\n{FORGED}\n```\n"), 3),
        (format!("```markdown\n```text\n{FORGED}\n```\n"), 3),
        (format!("~~~~\n~~~\n{FORGED}\n~~~~ x\n{FORGED}\n"), 3),
        (format!("````\n```\n{FORGED}\n````\n"), 3),
        (format!("{FORGED}\nWORK-AUTONOMOUS: CONTINUE\n"), 3),
        (format!("`{FORGED}`\n"), 3),
        (format!("x\u{2028}{FORGED}\n"), 3),
        (
            format!("WORK-AUTONOMOUS: STOP (guard, exhausted unchanged since {time})\n"),
            12,
        ),
        (
            "WORK-AUTONOMOUS: STOP (blind, 1/4 sources unavailable: a b)\n".to_string(),
            3,
        ),
        (String::new(), 3),
    ];
    let log = bench.base().join("log");
    for (text, code) in table {
        fs::write(&log, &text).unwrap();
        let name = log.display().to_string();
        let ran = bench.run(&["signal", "read", &name]);
        assert_eq!(ran.code, Some(code), "{text:?}: {ran:#?}");
        assert_eq!(ran.out.is_empty(), code == 3, "{text:?}: {ran:#?}");
        bench.run(&["signal", "read", &name, "--json"]);
        let backed = bench.run(&["signal", "read", &name, "--backed"]);
        let wanted = if code == 12 { 4 } else { code };
        assert_eq!(backed.code, Some(wanted), "{text:?}: {backed:#?}");
        assert_eq!(backed.out.is_empty(), wanted < 10, "{text:?}: {backed:#?}");
    }
    for (size, code) in [(256 << 20, 3), ((256 << 20) + 1, 1)] {
        fs::File::create(&log).unwrap().set_len(size).unwrap();
        let ran = bench.run(&["signal", "read", &log.display().to_string()]);
        assert_eq!(ran.code, Some(code), "{size}: {ran:#?}");
    }
    for place in ["/", "/nonexistent/log"] {
        assert_eq!(bench.run(&["signal", "read", place]).code, Some(1));
    }
    let mut command = bench.command(&["signal", "read", "-"]);
    let (reader, mut writer) = std::io::pipe().unwrap();
    command.stdin(Stdio::from(reader));
    writer
        .write_all(b"\xff\nWORK-AUTONOMOUS: CONTINUE\n")
        .unwrap();
    drop(writer);
    assert_eq!(play(command).code, Some(0));
}

#[test]
fn many_at_once_lose_nothing_and_say_what_is_true() {
    let bench = Bench::grown();
    let ids: Vec<String> = (0..6)
        .map(|n| bench.run(&["note", &format!("early {n}")]).out)
        .map(|out| out.trim().replace("noted ", "memory.curated:"))
        .collect();
    assert_eq!(bench.run(&["tick", "-q"]).code, Some(0));
    std::thread::scope(|scope| {
        for (n, id) in ids.iter().enumerate() {
            let bench = &bench;
            scope.spawn(move || {
                let tick = bench.run(&["tick", "--json"]).json();
                assert_eq!(tick["recorded"], true, "{:#}", tick["unavailable"]);
            });
            scope.spawn(move || {
                assert_eq!(bench.run(&["note", &format!("late {n}")]).code, Some(0));
            });
            scope.spawn(move || {
                let words = ["settle", id, "--as", "done", "--because", "x"];
                assert_eq!(bench.run(&words).code, Some(0));
            });
        }
    });
    assert_eq!(bench.run(&["verify"]).code, Some(0));
    let tick = bench.run(&["tick", "--json", "--no-guard"]).json();
    assert_eq!(
        tick["items"].as_array().unwrap().len(),
        6,
        "{:#}",
        tick["items"]
    );
    assert_eq!(tick["signal"], "WORK-AUTONOMOUS: CONTINUE");
}

#[test]
fn first_runs_at_once_make_one_ledger() {
    for _ in 0..3 {
        let bench = Bench::new();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let tick = bench.run(&["tick", "--json"]).json();
                    assert_eq!(tick["recorded"], true, "{:#}", tick["unavailable"]);
                });
            }
        });
        let verified = bench.run(&["verify"]);
        assert_eq!(verified.code, Some(0), "{verified:#?}");
        let log = bench.run(&["log", "--jsonl"]);
        assert_eq!(log.out.lines().count(), 6);
    }
}

#[test]
fn of_two_inits_one_writes() {
    let bench = Bench::new();
    let codes = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| bench.run(&["init"]).code))
            .collect();
        let codes = runs.into_iter().map(|run| run.join().unwrap());
        codes.collect::<Vec<_>>()
    });
    assert_eq!(
        codes.iter().filter(|code| **code == Some(0)).count(),
        1,
        "{codes:?}"
    );
    let written = fs::read_to_string(bench.at(".belegt/site.rhai")).unwrap();
    assert!(written.trim_end().ends_with("};"), "{written}");
    // Without a person nothing of it counts.
    let ran = bench.run(&["tick"]);
    assert_eq!(ran.code, Some(11), "{ran:#?}");
    let taken = Bench::new();
    fs::write(taken.root().join(".belegt"), "in the way").unwrap();
    assert_eq!(taken.run(&["init"]).code, Some(1));
    assert_eq!(taken.run(&["tick"]).code, Some(11));
}

#[test]
fn a_signal_in_the_middle_leaves_no_line_and_a_whole_ledger() {
    let mut bench = Bench::grown();
    fs::remove_file(bench.config("probes/sources/memory.curated.rhai")).unwrap();
    let store = bench.base().join("home/.usmc");
    fs::create_dir_all(&store).unwrap();
    fs::write(store.join("usmc_memory.db"), [0; 4096]).unwrap();
    bench.tool("usmc", "#!/bin/sh\nsleep 3\n");
    let signals = [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL];
    for signal in signals.into_iter().filter(|signal| !is_ignored(*signal)) {
        let child = bench.command(&["tick"]).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.signal().is_some(), "{signal:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{signal:?}: {output:?}");
    }
    let verified = bench.run(&["verify"]);
    assert_eq!(
        (verified.code, &*verified.out),
        (Some(0), "5 events, 0 findings\n")
    );
}

/// Whether this process was started to ignore a signal, as `nohup` or a job in the background
/// is, and so hands that on to what it starts.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal.as_raw() - 1) & 1 == 1)
}

#[test]
fn nothing_is_coloured_where_nobody_looks() {
    let bench = Bench::new();
    for color in ["auto", "always", "never"] {
        let ran = bench.run(&["--color", color, "tick", "--no-guard"]);
        assert_eq!(ran.code, Some(10), "{ran:#?}");
        assert!(ran.err.is_empty(), "progress without a terminal: {ran:#?}");
    }
}
