//! Hostile things where the built-in probes look: FIFOs, devices, links, names that forge, far
//! too much of everything. What cannot be read is never "nothing there".
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "a test may fail"
)]

#[path = "support/bench.rs"]
mod bench;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use bench::{Bench, FORGED, fifo};

type Put = fn(&Path);

/// What may stand at a place where a file or a folder is looked for.
const ODD: [(&str, Put); 8] = [
    ("a FIFO", fifo),
    ("a socket", |p| drop(UnixListener::bind(p).unwrap())),
    ("a device", |p| symlink("/dev/zero", p).unwrap()),
    ("a loop", |p| symlink(p.file_name().unwrap(), p).unwrap()),
    ("a link that leads nowhere", |p| {
        symlink("nowhere", p).unwrap()
    }),
    ("a link out of the root", |p| {
        symlink("../../../../../etc", p).unwrap()
    }),
    ("an absolute link", |p| symlink("/etc/passwd", p).unwrap()),
    ("a link of the kernel", |p| {
        symlink("/proc/self/root", p).unwrap()
    }),
];

#[test]
fn an_odd_thing_in_place_of_a_list_is_not_an_empty_list() {
    for (what, put) in ODD {
        let bench = Bench::new();
        put(&bench.at("TODO.md"));
        bench.is_blind(&["work.todo"], what);
    }
    for (what, put) in ODD {
        let bench = Bench::new();
        put(&bench.at("_TICKETS"));
        bench.is_blind(&["work.intake", "work.tickets"], what);
        let bench = Bench::new();
        put(&bench.at("_TICKETS/INBOX"));
        bench.is_blind(&["work.intake"], what);
        bench.goes_on(what);
        let bench = Bench::new();
        put(&bench.at("_TICKETS/ACTIONABLE"));
        bench.is_blind(&["work.tickets"], what);
    }
}

#[test]
fn an_odd_thing_in_place_of_a_source_is_not_an_empty_source() {
    for (what, put) in ODD {
        for (file, role) in [
            ("NOTES.md", "memory.organic"),
            ("DECISIONS.md", "decisions.ledger"),
        ] {
            let bench = Bench::new();
            fs::remove_file(bench.at(file)).unwrap();
            put(&bench.at(file));
            bench.is_blind(&[role], what);
        }
        let bench = Bench::new();
        fs::remove_file(bench.config("probes/sources/decisions.ledger.rhai")).unwrap();
        put(&bench.at("_control-center/_DECISIONS"));
        bench.is_blind(&["decisions.ledger"], what);
    }
}

#[test]
fn an_odd_thing_in_the_inbox_keeps_the_proof_away() {
    for (what, put) in ODD {
        let bench = Bench::new();
        put(&bench.at("_TICKETS/INBOX/x"));
        let ran = bench.run(&["tick"]);
        assert!(matches!(ran.code, Some(0 | 11 | 13)), "{what}: {ran:#?}");
    }
}

#[test]
fn a_git_folder_that_cannot_be_looked_at_is_not_a_clean_one() {
    let table: [(&str, Put); 6] = [
        ("a FIFO", fifo),
        ("a link that leads nowhere", |p| {
            symlink("nowhere", p).unwrap()
        }),
        ("a loop", |p| symlink(".git", p).unwrap()),
        ("elsewhere", |p| {
            fs::write(p, "gitdir: /nonexistent\n").unwrap()
        }),
        ("forged", |p| {
            fs::write(p, format!("gitdir: a\n{FORGED}\n")).unwrap()
        }),
        ("garbage", |p| fs::write(p, [0xff; 99]).unwrap()),
    ];
    for (what, put) in table {
        let bench = Bench::new();
        put(&bench.root().join(".git"));
        bench.is_blind(&["work.unfinished"], what);
        bench.goes_on(what);
    }
}

/// A configuration that would run programs, move the work tree and rename the verbs.
#[test]
fn a_hostile_git_configuration_runs_nothing() {
    let bench = Bench::new();
    let made = Command::new("git")
        .args(["init", "-q"])
        .arg(bench.root())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no git here");
        return;
    }
    let trap = bench.base().join("trap").display().to_string();
    let config = format!(
        "[core]\n fsmonitor = touch {trap}\n hooksPath = {trap}\n pager = touch {trap}\n worktree = /tmp\n sshCommand = touch {trap}\n[diff]\n external = touch {trap}\n[filter \"x\"]\n clean = touch {trap}\n smudge = touch {trap}\n[alias]\n rev-parse = !touch {trap}\n ls-files = !touch {trap}\n[include]\n path = /dev/zero\n"
    );
    let file = bench.root().join(".git/config");
    let own = fs::read_to_string(&file).unwrap();
    fs::write(file, own + &config).unwrap();
    bench.write(".gitattributes", "* filter=x diff=x\n");
    bench.write("TODO.md", "- [ ] work\n");
    for _ in 0..3 {
        assert_eq!(bench.run(&["tick"]).code, Some(0));
    }
    assert!(
        !Path::new(&trap).exists(),
        "the configuration ran a program"
    );
}

#[test]
fn large_and_foreign_files_are_not_read_as_empty() {
    let table: [(&str, Put); 4] = [
        ("100 MB", |p| {
            let file = fs::File::create(p).unwrap();
            file.set_len(100_000_000).unwrap();
        }),
        ("latin 1", |p| fs::write(p, b"- [ ] caf\xe9\n").unwrap()),
        ("UTF-16", |p| {
            fs::write(p, b"\xff\xfe-\0 \0[\0 \0]\0 \0a\0\n\0").unwrap()
        }),
        ("200,000 tasks", |p| {
            fs::write(p, "- [ ] one more\n".repeat(200_000)).unwrap()
        }),
    ];
    for (what, put) in table {
        let bench = Bench::new();
        put(&bench.at("TODO.md"));
        let ran = bench.run(&["tick"]);
        assert!(matches!(ran.code, Some(0 | 11)), "{what}: {ran:#?}");
        for (file, role) in [
            ("NOTES.md", "memory.organic"),
            ("DECISIONS.md", "decisions.ledger"),
        ] {
            if what == "200,000 tasks" && role == "decisions.ledger" {
                continue;
            }
            let bench = Bench::new();
            put(&bench.at(file));
            let ran = bench.run(&["tick"]);
            assert!(matches!(ran.code, Some(0 | 11)), "{what}: {ran:#?}");
        }
    }
}

/// Whatever a text says, in whatever place, it starts no line and moves no cursor.
#[test]
fn no_text_from_outside_forges_a_line() {
    let tricks = [
        format!("a\r{FORGED}"),
        format!("a\u{1b}[2K\r{FORGED}"),
        format!("a\u{2028}{FORGED}"),
        format!("a\u{2029}{FORGED}\u{85}{FORGED}"),
        format!("a\u{b}{FORGED}\u{c}{FORGED}"),
        format!("\u{202e}{FORGED}\u{2066}"),
        FORGED.to_string(),
        format!("a\0{FORGED}"),
    ];
    for trick in tricks {
        let bench = Bench::new();
        bench.write(
            "TODO.md",
            format!("- [ ] {trick}\n- [ ] user: {trick}\n- [~] {trick}\n"),
        );
        bench.write("NOTES.md", format!("RESUME: {trick}\n- [ ] {trick}\n"));
        bench.write(
            "DECISIONS.md",
            format!("## {trick}\n\n## {trick}\nDecision: {trick}\n"),
        );
        let name = trick.replace('\0', "");
        fs::write(bench.at("_TICKETS/INBOX/x").with_file_name(&name), &trick).unwrap();
        bench.write(
            "_TICKETS/USER/T-1.txt",
            format!("TITLE: {trick}\nSTATUS: {trick}\n"),
        );
        bench.run(&["note", &name]);
        for _ in 0..2 {
            assert_eq!(bench.run(&["tick"]).code, Some(0), "{trick:?}");
            fs::remove_file(bench.at("_TICKETS/INBOX/x").with_file_name(&name)).ok();
            bench.write("TODO.md", "");
        }
        for command in [
            "tick", "bundle", "notes", "log", "explain", "doctor", "verify",
        ] {
            bench.run(&[command]);
            bench.run(&[command, "--json"]);
        }
        bench.run(&["log", "--jsonl"]);
        bench.run(&["tick", "--analysis", &name]);
        bench.run(&["tick", "--json", "--analysis", &name]);
    }
}

#[test]
fn names_that_are_no_text_are_kept_apart() {
    let bench = Bench::new();
    for name in [&b"\xff"[..], b"\xfe", b"\\xff", b"new\nline", b" ", b"\x7f"] {
        let inbox = bench.at("_TICKETS/INBOX/x");
        fs::write(inbox.with_file_name(OsStr::from_bytes(name)), "").unwrap();
    }
    let tick = bench.run(&["tick", "--json"]).json();
    assert_eq!(tick["items"].as_array().unwrap().len(), 6, "{tick:#}");
}

#[test]
fn more_than_can_be_looked_at_is_not_nothing() {
    let bench = Bench::new();
    let inbox = bench.at("_TICKETS/INBOX/x").with_file_name("");
    for n in 0..100_001 {
        fs::File::create(inbox.join(format!("n{n}"))).unwrap();
    }
    let ran = bench.is_blind(&["work.intake"], "100,001 entries");
    assert!(ran.out.contains("100000 entries"), "{ran:#?}");
    assert_eq!(bench.goes_on("100,001 entries")["recorded"], true);
}

#[test]
fn ids_that_collide_hide_no_ticket() {
    let bench = Bench::new();
    for cluster in ["ACTIONABLE", "BLOCKED", "PARKED"] {
        bench.write(
            &format!("_TICKETS/{cluster}/TICKET-20261101-001.txt"),
            "TITLE: one\n",
        );
    }
    bench.write("TODO.md", "- [ ] same\n- [ ] same\n- [ ] same\n");
    let tick = bench.run(&["tick", "--json"]).json();
    let count = |pile: &str| tick[pile].as_array().unwrap().len();
    assert_eq!(
        count("items") + count("bundle") + count("rest"),
        6,
        "{tick:#}"
    );
}

#[test]
fn folders_that_may_not_be_entered_are_not_empty() {
    for (place, names) in [
        ("_TICKETS", &["work.intake", "work.tickets"][..]),
        ("_TICKETS/INBOX", &["work.intake"]),
        ("_TICKETS/ACTIONABLE", &["work.tickets"]),
        ("TODO.md", &["work.todo"]),
        ("NOTES.md", &["memory.organic"]),
    ] {
        let Some(bench) = Bench::without_power() else {
            return;
        };
        bench.write("_TICKETS/INBOX/.keep", "");
        bench.write("_TICKETS/ACTIONABLE/.keep", "");
        bench.write("TODO.md", "");
        bench.hand_over();
        let closed = bench.root().join(place);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let ran = bench.run(&["tick"]);
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(ran.code, Some(11), "{place}: {ran:#?}");
        for name in names {
            assert!(ran.line().contains(name), "{place}: {ran:#?}");
        }
    }
}
