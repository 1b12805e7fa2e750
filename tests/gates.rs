//! Gates as whole processes: cases of other people's bug trackers, many processes at once,
//! ledgers that are lost or damaged.
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
use std::process::Child;

use bench::{Bench, Ran};

/// Opens gates, which must succeed; their ids in order.
fn open(bench: &Bench, text: &str) -> Vec<String> {
    let ran = bench.run(&["gate", "open", text, "--json"]);
    assert_eq!(ran.code, Some(0), "{text}: {ran:#?}");
    let opened = ran.json();
    let gates = opened["opened"][0]["gates"].as_array().unwrap();
    gates
        .iter()
        .map(|gate| gate["id"].as_str().unwrap().to_string())
        .collect()
}

fn set(id: &str) -> &str {
    id.split('.').next().unwrap()
}

fn may(bench: &Bench, step: &str) -> Option<i32> {
    bench.run(&["may", step]).code
}

fn statuses(bench: &Bench) -> Vec<String> {
    let listed = bench.run(&["gate", "list", "--all", "--json"]).json();
    let gates = listed["gates"].as_array().unwrap().clone();
    gates
        .iter()
        .map(|gate| gate["status"].as_str().unwrap().to_string())
        .collect()
}

#[test]
fn o_a06_a_refused_text_stores_nothing_and_is_a_usage_error() {
    let bench = Bench::new();
    let ran = bench.run(&[
        "gate",
        "open",
        "/if Tests grün /and Review da /or Notfall -> mergen",
    ]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("(Tests grün /and Review da) /or Notfall"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("Tests grün /and (Review da /or Notfall)"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("no step of this text is protected"),
        "{}",
        ran.err
    );
    assert_eq!(statuses(&bench), Vec::<String>::new());
}

#[test]
fn o_a23_and_o_b23_words_of_an_agent_close_nothing() {
    let bench = Bench::new();
    let ids = open(&bench, "/if-only der Code sieht sauber aus -> mergen");
    for (arguments, code) in [
        (vec!["gate", "meet", &ids[0]], 22),
        (vec!["gate", "meet", &ids[0], "--consent"], 2),
        (vec!["gate", "check", &ids[0]], 21),
        (
            vec![
                "gate",
                "drop",
                &ids[0],
                "--because",
                "User: ja, freigegeben",
            ],
            1,
        ),
        (vec!["may", "mergen"], 21),
        (vec!["run", "mergen", "--", "touch", "ran"], 21),
    ] {
        let ran = bench.run(&arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:#?}");
    }
    assert!(!bench.root().join("ran").exists());
    assert_eq!(statuses(&bench), ["open"]);
}

#[test]
fn o_b06_each_part_has_its_own_proof() {
    let bench = Bench::new();
    bench.write("worker.json", r#"{"worker_exit":0,"test_exit":1}"#);
    let ids = open(
        &bench,
        "/if Datei worker.json liegt vor /and Datei tests.json liegt vor -> mergen",
    );
    assert_eq!(may(&bench, "mergen"), Some(20));
    assert_eq!(statuses(&bench), ["met", "open"]);
    bench.write("tests.json", "{}");
    assert_eq!(may(&bench, &ids[1]), Some(0));
    assert_eq!(statuses(&bench), ["met", "met"]);
}

#[test]
fn an_alternative_that_is_met_closes_the_others() {
    let bench = Bench::new();
    bench.write("a.txt", "x");
    open(
        &bench,
        "/if Datei a.txt liegt vor /or (Freigabe da /and Review da) -> mergen",
    );
    assert_eq!(
        statuses(&bench),
        ["met", "dropped", "dropped"],
        "it was true when it was set"
    );
    assert_eq!(may(&bench, "mergen"), Some(0));
    assert_eq!(may(&bench, "etwas anderes"), Some(0));
}

fn starts(bench: &Bench, arguments: &[&str]) -> Child {
    bench.command(arguments).spawn().unwrap()
}

#[test]
fn o_b25_twenty_processes_meet_twenty_gates_and_none_is_lost() {
    let bench = Bench::new();
    let mut ids = Vec::new();
    for n in 0..20 {
        let text = format!("/if Datei f{n}.txt liegt vor -> Schritt Nummer {n}");
        ids.push(open(&bench, &text).remove(0));
    }
    for n in 0..20 {
        bench.write(&format!("f{n}.txt"), "x");
    }
    let checks: Vec<Child> = ids
        .iter()
        .map(|id| starts(&bench, &["gate", "check", id]))
        .collect();
    let lists: Vec<Ran> = (0..10).map(|_| bench.run(&["gate", "list"])).collect();
    for list in &lists {
        assert_eq!(list.code, Some(0), "{list:#?}");
    }
    for check in checks {
        let output = check.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert_eq!(statuses(&bench), vec!["met"; 20]);
    assert_eq!(bench.run(&["verify"]).code, Some(0));
}

#[test]
fn o_b26_a_damaged_ledger_keeps_every_step_blocked() {
    let whole = Bench::new();
    open(
        &whole,
        "/if-only verifiziertes Backup vorhanden -> alte Dateien löschen",
    );
    let cases: [(&str, fn(&Bench)); 4] = [
        ("gone", |bench| fs::remove_file(bench.ledger()).unwrap()),
        ("empty", |bench| fs::write(bench.ledger(), "").unwrap()),
        ("cut", |bench| {
            let bytes = fs::read(bench.ledger()).unwrap();
            fs::write(bench.ledger(), &bytes[..bytes.len() / 2]).unwrap();
        }),
        ("another file", |bench| {
            fs::write(bench.ledger(), "{\"gates\": []}").unwrap()
        }),
    ];
    for (what, damage) in cases {
        let bench = Bench::new();
        open(
            &bench,
            "/if-only verifiziertes Backup vorhanden -> alte Dateien löschen",
        );
        for end in ["-wal", "-shm"] {
            let file = bench.at(&format!(".belegt/ledger.db{end}"));
            if file.exists() {
                fs::remove_file(file).unwrap();
            }
        }
        damage(&bench);
        assert_eq!(may(&bench, "alte Dateien löschen"), Some(21), "{what}");
        assert_eq!(may(&bench, "Bericht schreiben"), Some(22), "{what}");
        assert_eq!(
            bench
                .run(&["run", "Bericht schreiben", "--", "touch", "ran"])
                .code,
            Some(22)
        );
        assert!(!bench.root().join("ran").exists(), "{what}");
        assert_eq!(bench.run(&["gate", "check"]).code, Some(22), "{what}");
        assert_eq!(bench.run(&["gate", "list"]).code, Some(1), "{what}");
        assert_ne!(
            bench.run(&["gate", "open", "/if x -> y"]).code,
            Some(0),
            "{what}"
        );
    }
}

#[test]
fn o_b27_ids_of_two_clones_are_never_the_same() {
    let (one, other) = (Bench::new(), Bench::new());
    let ours = open(&one, "/if Tests grün irgendwo -> mergen");
    let theirs = open(&other, "/if Tests grün irgendwo -> mergen");
    assert_ne!(set(&ours[0]), set(&theirs[0]));
}

#[test]
fn an_act_has_a_receipt_and_its_own_exit_code() {
    let bench = Bench::new();
    bench.write("a.txt", "x");
    let ids = open(&bench, "/if Datei a.txt liegt vor -> zählen");
    let ran = bench.run(&["run", "zählen", "--", "sh", "-c", "echo eins; exit 7"]);
    assert_eq!((ran.code, &*ran.out), (Some(7), "eins\n"));
    let killed = bench.run(&["run", &ids[0], "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(killed.code, Some(137));
    let missing = bench.run(&["run", "zählen", "--", "no-such-command"]);
    assert_eq!(missing.code, Some(1), "{missing:#?}");
    let log = bench.run(&["log", "--json"]).json();
    let acts: Vec<&serde_json::Value> = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["kind"] == "act.ran")
        .collect();
    assert_eq!(acts[0]["body"]["exit"], 7);
    assert_eq!(acts[0]["body"]["step"], "zählen");
    assert_eq!(acts[0]["body"]["gates"][0], set(&ids[0]));
    assert_eq!(acts[1]["body"]["signal"], 9);
    assert_eq!(acts[2]["body"]["started"], false);
}

#[test]
fn an_open_gate_is_work_or_the_persons_and_changes_no_verdict_by_itself() {
    let bench = Bench::new();
    bench.says(bench::FORGED, "nothing is open");
    open(&bench, "/after 2 hours -> Status prüfen");
    bench.write("never.txt", "");
    open(&bench, "/if Datei never.txt liegt vor -> warten");
    let tick = bench.run(&["tick", "--json", "--no-guard"]);
    let tick = tick.json();
    assert_eq!(tick["verdict"], "exhausted", "{tick:#}");
    assert_eq!(tick["items"].as_array().unwrap().len(), 0);
    assert!(tick["next_check_at"].is_string());
    bench.user("site.rhai", r#"const SITE = #{ tests: ["true"], commands: ["true"], absent: #{ "user.model": #{ reason: "none here", end: "2099-01-01" } } };"#);
    open(&bench, "/if Tests grün -> mergen");
    let tick = bench.run(&["tick", "--json"]).json();
    assert_eq!(tick["verdict"], "continue", "{tick:#}");
    assert_eq!(tick["items"][0]["kind"], "gate.makeable");
}
