//! A hostile ledger: whatever stands in its place, it is never taken for an empty history. No
//! proof and no guard comes out of it; open work still goes on, unrecorded.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/bench.rs"]
mod bench;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use bench::{Bench, FORGED, fifo};
use rusqlite::Connection;

type Damage = fn(&Bench);
type Place = fn(&Bench) -> PathBuf;

/// The names that a ledger's trouble makes blind here: the embedded notes are in it.
const BLIND: [&str; 2] = ["memory.curated", "ledger"];

/// Nothing is claimed, work goes on unrecorded, and every reading command says what is wrong.
fn claims_nothing(bench: &Bench, what: &str) {
    for _ in 0..2 {
        let ran = bench.is_blind(&BLIND, what);
        assert!(ran.out.contains("\n  ledger: "), "{what}: {ran:#?}");
    }
    assert_eq!(bench.goes_on(what)["recorded"], false, "{what}");
    let doctor = bench.run(&["doctor", "--json"]);
    assert_eq!(doctor.code, Some(30), "{what}: {doctor:#?}");
    let findings = doctor.json()["findings"].clone();
    let of_ledger = |f: &&serde_json::Value| f["code"] == "ledger";
    let finding = findings.as_array().unwrap().iter().find(of_ledger);
    let finding = finding.unwrap_or_else(|| panic!("{what}: doctor is silent: {findings:#}"));
    assert!(finding["help"].is_string(), "{what}: no remedy");
}

/// Commands that read say so too, as one object, with code 1.
fn cannot_be_read(bench: &Bench, what: &str) {
    for command in ["log", "explain", "notes"] {
        let ran = bench.run(&[command, "--json"]);
        assert_eq!(ran.code, Some(1), "{what}: {command}: {ran:#?}");
        let error = ran.json();
        assert_eq!(error["kind"], "error", "{what}: {command}");
        assert!(error["help"].is_string(), "{what}: {command}: no remedy");
    }
}

fn without(bench: &Bench) {
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", bench.ledger().display()));
    }
}

/// Writes the log into the file, so that the file alone is the ledger.
fn write_back(path: &Path) {
    let conn = Connection::open(path).unwrap();
    let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
    conn.query_row(sql, [], |_| Ok(())).unwrap();
}

fn anchor(bench: &Bench) -> PathBuf {
    let files = fs::read_dir(bench.state().join("anchors")).unwrap();
    let mut files = files.map(|e| e.unwrap().path());
    files
        .find(|p| p.extension().is_some_and(|e| e == "json"))
        .unwrap()
}

#[test]
fn what_is_no_ledger_is_never_an_empty_one() {
    let table: [(&str, Damage); 9] = [
        ("0 bytes", |b| fs::write(b.ledger(), "").unwrap()),
        ("a text", |b| {
            fs::write(b.ledger(), format!("{FORGED}\n")).unwrap()
        }),
        ("another program's", |b| {
            let conn = Connection::open(b.ledger()).unwrap();
            conn.execute_batch("CREATE TABLE x (a)").unwrap();
        }),
        ("nothing", |_| {}),
        ("a folder", |b| fs::create_dir(b.ledger()).unwrap()),
        ("a FIFO", |b| fifo(&b.ledger())),
        ("a device", |b| symlink("/dev/zero", b.ledger()).unwrap()),
        ("a link that leads nowhere", |b| {
            symlink("nowhere", b.ledger()).unwrap()
        }),
        ("another project's", |b| {
            let other = Bench::grown();
            write_back(&other.ledger());
            fs::copy(other.ledger(), b.ledger()).unwrap();
        }),
    ];
    for (what, damage) in table {
        let bench = Bench::grown();
        without(&bench);
        damage(&bench);
        claims_nothing(&bench, what);
        cannot_be_read(&bench, what);
    }
}

#[test]
fn a_ledger_that_is_behind_its_anchor_is_damaged() {
    let table: [(&str, Damage); 4] = [
        ("an older copy", |b| {
            write_back(&b.ledger());
            let old = fs::read(b.ledger()).unwrap();
            b.run(&["note", "newer"]);
            without(b);
            fs::write(b.ledger(), old).unwrap();
        }),
        ("copied without its log", |b| {
            let main = fs::read(b.ledger()).unwrap();
            without(b);
            fs::write(b.ledger(), main).unwrap();
        }),
        ("lost", without),
        ("of a newer belegt", |b| {
            let conn = Connection::open(b.ledger()).unwrap();
            conn.execute_batch("PRAGMA user_version = 99").unwrap();
        }),
    ];
    for (what, damage) in table {
        let bench = Bench::grown();
        damage(&bench);
        claims_nothing(&bench, what);
        cannot_be_read(&bench, what);
        let verified = bench.run(&["verify"]);
        let code = if what == "of a newer belegt" { 1 } else { 40 };
        assert_eq!(verified.code, Some(code), "{what}: {verified:#?}");
    }
}

#[test]
fn a_ledger_that_was_cut_claims_nothing() {
    let bench = Bench::grown();
    write_back(&bench.ledger());
    let whole = fs::read(bench.ledger()).unwrap();
    let (ledger, size) = (bench.ledger(), whole.len());
    for length in [
        1,
        16,
        99,
        100,
        101,
        1000,
        4095,
        4096,
        8192,
        size / 2,
        size - 4096,
        size - 4095,
        size - 512,
        size - 1,
    ] {
        without(&bench);
        fs::write(&ledger, &whole[..length]).unwrap();
        let what = format!("cut to {length} of {size}");
        bench.is_blind(&BLIND, &what);
        assert_eq!(bench.goes_on(&what)["recorded"], false, "{what}");
        let code = bench.run(&["verify"]).code;
        assert!(matches!(code, Some(1 | 40)), "{what}: {code:?}");
    }
}

/// A page of SQLite has no checksum. What the verdict rests on must not change unseen: the note
/// that was lost would be a proof that never was.
#[test]
fn what_the_verdict_rests_on_cannot_change_unseen() {
    for sql in [
        "DELETE FROM projection WHERE part = 'note'",
        "UPDATE projection SET json = replace(json, 'open', 'opem') WHERE part = 'note'",
        "UPDATE projection SET part = 'settled' WHERE part = 'note'",
        "UPDATE projection SET json = replace(json, 'found', 'blind') WHERE key = 'record'",
        "UPDATE projection SET json = '\"2099-01-01T00:00:00+00:00\"' WHERE key = 'first_tick'",
        "DELETE FROM projection",
    ] {
        let bench = Bench::grown();
        bench.run(&["note", "open end"]);
        assert_eq!(bench.run(&["tick", "-q"]).code, Some(0));
        bench.run(&["note", "open end"]);
        bench.run(&["tick", "-q", "--no-guard"]);
        let conn = Connection::open(bench.ledger()).unwrap();
        let changed = conn.execute(sql, []).unwrap();
        drop(conn);
        if changed == 0 {
            panic!("{sql}: changes nothing");
        }
        claims_nothing(&bench, sql);
        let verified = bench.run(&["verify", "--json"]);
        assert_eq!(verified.code, Some(40), "{sql}: {verified:#?}");
        assert!(!verified.json()["findings"].as_array().unwrap().is_empty());
    }
}

/// Single bits, all over the file: `verify` finds each that matters, and no flipped bit turns
/// an open note into a proof.
#[test]
fn a_flipped_bit_is_found() {
    let bench = Bench::new();
    bench.run(&["note", "this one is open"]);
    bench.run(&["tick", "-q"]);
    write_back(&bench.ledger());
    let whole = fs::read(bench.ledger()).unwrap();
    let mut at = 4099;
    while at < whole.len() {
        without(&bench);
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(bench.ledger(), bytes).unwrap();
        let tick = bench.run(&["tick", "-q"]);
        let verified = bench.run(&["verify"]);
        assert!(matches!(tick.code, Some(0 | 11)), "byte {at}: {tick:#?}");
        assert!(
            matches!(verified.code, Some(0 | 1 | 40)),
            "byte {at}: {verified:#?}"
        );
        at += 1499;
    }
}

#[test]
fn an_anchor_that_cannot_be_used_is_no_first_run() {
    let table: [(&str, Damage, Option<i32>); 9] = [
        (
            "garbage",
            |b| fs::write(anchor(b), "garbage").unwrap(),
            Some(40),
        ),
        ("empty", |b| fs::write(anchor(b), "").unwrap(), Some(40)),
        (
            "of another store",
            |b| {
                let text = fs::read_to_string(anchor(b)).unwrap();
                let other = text.replace("\"store\":\"", "\"store\":\"0");
                fs::write(anchor(b), other).unwrap();
            },
            Some(40),
        ),
        (
            "a folder",
            |b| {
                let file = anchor(b);
                fs::remove_file(&file).unwrap();
                fs::create_dir(file).unwrap();
            },
            Some(40),
        ),
        (
            "a FIFO",
            |b| {
                let file = anchor(b);
                fs::remove_file(&file).unwrap();
                fifo(&file);
            },
            Some(40),
        ),
        (
            "a device",
            |b| {
                let file = anchor(b);
                fs::remove_file(&file).unwrap();
                symlink("/dev/zero", file).unwrap();
            },
            Some(40),
        ),
        (
            "its lock is a FIFO",
            |b| {
                let lock = anchor(b).with_extension("lock");
                fs::remove_file(&lock).unwrap();
                fifo(&lock);
            },
            Some(0),
        ),
        (
            "the state folder leads nowhere",
            |b| {
                fs::remove_dir_all(b.state()).unwrap();
                symlink("nowhere/at/all", b.state()).unwrap();
            },
            Some(0),
        ),
        (
            "the state folder is a file",
            |b| {
                fs::remove_dir_all(b.state()).unwrap();
                fs::write(b.state(), "").unwrap();
            },
            Some(40),
        ),
    ];
    for (what, damage, code) in table {
        let bench = Bench::grown();
        damage(&bench);
        claims_nothing(&bench, what);
        let verified = bench.run(&["verify"]);
        assert_eq!(verified.code, code, "{what}: {verified:#?}");
    }
}

/// Where no anchor can be kept, a lost ledger would look like a first run.
#[test]
fn a_first_run_that_cannot_be_moored_proves_nothing() {
    let bench = Bench::new();
    let state = bench.state();
    fs::create_dir_all(state.parent().unwrap()).unwrap();
    fs::write(&state, "").unwrap();
    claims_nothing(&bench, "first run");
}

#[test]
fn without_the_right_to_write_nothing_is_claimed() {
    let table: [(&str, Place, u32); 5] = [
        ("the ledger", |b| b.ledger(), 0o444),
        ("the site's folder", |b| b.root().join(".belegt"), 0o555),
        ("the ledger, not even to read", |b| b.ledger(), 0o000),
        ("the anchors", |b| b.state().join("anchors"), 0o555),
        ("the state folder, not even to enter", |b| b.state(), 0o000),
    ];
    for (what, place, mode) in table {
        let Some(bench) = Bench::without_power() else {
            return;
        };
        bench.grow();
        write_back(&bench.ledger());
        without_log(&bench);
        let place = place(&bench);
        if what == "the anchors" {
            // A lock that is there may be taken in a folder that may not be written.
            fs::remove_file(anchor(&bench).with_extension("lock")).unwrap();
        }
        bench.hand_over();
        fs::set_permissions(&place, fs::Permissions::from_mode(mode)).unwrap();
        let ran = bench.run(&["tick"]);
        let tick = bench.goes_on(what);
        let doctor = bench.run(&["doctor", "--json"]);
        fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(ran.code, Some(11), "{what}: {ran:#?}");
        assert!(ran.line().contains("ledger)"), "{what}: {ran:#?}");
        assert_eq!(tick["recorded"], false, "{what}");
        assert!(
            doctor.out.contains("\"code\":\"ledger\""),
            "{what}: {doctor:#?}"
        );
    }
}

fn without_log(bench: &Bench) {
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{end}", bench.ledger().display()));
    }
}

/// A ledger that was copied along into another project brings its guard's record: it holds for
/// the project that was looked at, for no other.
#[test]
fn a_record_does_not_hold_for_a_copy_of_the_project() {
    let bench = Bench::new();
    bench.says(FORGED, "first");
    let copy = bench.base().join("copy");
    let copied = Command::new("cp")
        .arg("-a")
        .arg(bench.root())
        .arg(&copy)
        .status();
    assert!(copied.unwrap().success());
    let root = copy.display().to_string();
    let ran = bench.run(&["--root", &root, "tick"]);
    assert_eq!(ran.code, Some(10), "looked at anew: {ran:#?}");
    assert_eq!(bench.run(&["tick", "-q"]).code, Some(12));
}

/// A checkout that brings `.belegt` as a link gets nothing written where it leads.
#[test]
fn nothing_is_written_through_a_linked_site_folder() {
    let bench = Bench::new();
    let target = bench.base().join("elsewhere");
    fs::create_dir(&target).unwrap();
    symlink(&target, bench.root().join(".belegt")).unwrap();
    bench.is_blind(&["memory.curated", "ledger", "settings"], "linked");
    assert_eq!(bench.run(&["note", "x"]).code, Some(1));
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
}

#[test]
fn reading_commands_on_an_empty_state_say_so() {
    let bench = Bench::new();
    let table: [(&[&str], i32); 8] = [
        (&["log", "--json"], 0),
        (&["notes", "--json"], 0),
        (&["verify", "--json"], 0),
        (&["bundle", "--json"], 0),
        (&["doctor", "--json"], 0),
        (&["explain", "--json"], 1),
        (&["explain", "abc", "--json"], 1),
        (
            &["settle", "x:1", "--as", "done", "--because", "y", "--json"],
            1,
        ),
    ];
    let before = bench.tree();
    for (arguments, code) in table {
        let ran = bench.run(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:#?}");
        let object = ran.json();
        assert_eq!(object["belegt"], 1);
        if code == 1 {
            assert_eq!(object["kind"], "error");
            assert!(object["help"].is_string(), "{arguments:?}: no remedy");
        }
    }
    assert_eq!(bench.tree(), before, "reading commands write nothing");
}
