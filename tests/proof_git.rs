//! The proof methods `git` and `process` over the fixture world: which phrases they recognise,
//! what they fix, and what they answer.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use std::collections::BTreeMap;

use belegt::script::answer::Reply;
use belegt::script::call::Argument;
use belegt::world::fixture::{GitCase, MachineCase, ProcessCase, RemoteCase, UpstreamCase};
use serde_json::{Value, json};
use support::{ROOT, Stage};

const HEAD: &str = "1111111111111111111111111111111111111111";
const OLD: &str = "2222222222222222222222222222222222222222";
const FAR: &str = "3333333333333333333333333333333333333333";

fn remote(url: &str, refs: &[(&str, &str)]) -> RemoteCase {
    let refs = refs
        .iter()
        .map(|(name, id)| (name.to_string(), id.to_string()));
    RemoteCase {
        url: url.to_string(),
        refs: refs.collect(),
        failed: None,
    }
}

/// HEAD is `1111...` on `main`, which follows `origin/main`; `2222...` is below it.
fn repository() -> GitCase {
    GitCase {
        head: HEAD.to_string(),
        branch: "main".to_string(),
        upstream: Some(UpstreamCase {
            remote: "origin".to_string(),
            reference: "refs/heads/main".to_string(),
        }),
        remotes: BTreeMap::from([(
            "origin".to_string(),
            remote("https://ada:secret@host/x", &[("refs/heads/main", HEAD)]),
        )]),
        history: BTreeMap::from([(HEAD.to_string(), vec![OLD.to_string()])]),
        ..GitCase::default()
    }
}

fn two() -> GitCase {
    let mut two = repository();
    let upstream = remote("/srv/up.git", &[("refs/heads/main", OLD)]);
    two.remotes.insert("upstream".to_string(), upstream);
    two
}

fn stage(git: GitCase) -> Stage {
    let mut stage = Stage::new();
    stage.world.git.insert(ROOT.to_string(), git);
    stage
}

fn recognise(stage: &Stage, method: &str, text: &str) -> Option<Reply> {
    let path = format!("probes/proofs/{method}");
    let arguments = vec![Argument::Text(text.to_string()), Argument::Context];
    let done = stage.asking().answer_or_none(&path, "recognise", arguments);
    done.result
        .unwrap_or_else(|fault| panic!("{text}: {}", fault.line()))
        .map(|a| a.reply)
}

/// The params of a phrase that must be recognised.
fn params(stage: &Stage, method: &str, text: &str) -> Value {
    match recognise(stage, method, text) {
        Some(Reply::Condition { sentence, params }) => {
            assert!(!sentence.contains("secret"), "{sentence}");
            params
        }
        other => panic!("{text}: {other:?}"),
    }
}

fn refusal(stage: &Stage, method: &str, text: &str) -> String {
    match recognise(stage, method, text) {
        Some(Reply::Refused { why, .. }) => why,
        other => panic!("{text}: {other:?}"),
    }
}

fn prove(stage: &Stage, method: &str, params: &Value, mode: &str) -> (&'static str, String) {
    let path = format!("probes/proofs/{method}");
    let gate = json!({
        "condition": "c", "sentence": "s", "params": params,
        "created_at": "2026-11-30T09:00:00+01:00", "mode": mode,
    });
    let arguments = vec![Argument::Context, Argument::Data(gate)];
    let done = stage.asking().answer(&path, "prove", arguments);
    let answered = done
        .result
        .unwrap_or_else(|fault| panic!("{}", fault.line()));
    let why = answered.why();
    assert!(!why.contains("secret"), "{why}");
    for receipt in &done.receipts {
        assert!(!receipt.asked.contains("secret"), "{receipt:?}");
    }
    (answered.reply.constructor(), why)
}

#[test]
fn phrases_in_both_languages_fix_commit_remote_and_reference() {
    let stage = stage(two());
    let up = ("upstream", "refs/heads/main");
    let table = [
        ("Remote upstream/main enthält Commit 2222222", OLD, up),
        ("remote upstream/main contains commit 2222222", OLD, up),
        (
            "Ziel-Remote upstream/main enthält den vorgesehenen Commit",
            HEAD,
            up,
        ),
        (
            "wenn Remote upstream/main den Commit 2222222 enthält",
            OLD,
            up,
        ),
        ("2222222 ist auf upstream main", OLD, up),
        ("commit HEAD is on upstream/main", HEAD, up),
        ("Commit 2222222 auf upstream main ist", OLD, up),
        ("pushed to upstream main.", HEAD, up),
        ("Remote upstream/main enthält Commit 2222222.", OLD, up),
        ("nach upstream/main gepusht", HEAD, up),
        ("Commit 2222222 ist nach upstream/main gepusht", OLD, up),
        ("2222222 gepusht nach upstream/main", OLD, up),
        ("upstream/main enthält 2222222", OLD, up),
        ("upstream/main contains HEAD", HEAD, up),
        ("nach dem Push nach upstream main", HEAD, up),
        ("after the push to upstream main", HEAD, up),
        ("Push nach upstream/main vollständig", HEAD, up),
        (
            "remote origin contains commit HEAD",
            HEAD,
            ("origin", "refs/heads/main"),
        ),
        (
            "upstream/feature/x enthält 2222222",
            OLD,
            ("upstream", "refs/heads/feature/x"),
        ),
    ];
    for (text, commit, (remote, reference)) in table {
        let params = params(&stage, "git", text);
        assert_eq!(params["commit"], commit, "{text}");
        assert_eq!(params["remote"], remote, "{text}");
        assert_eq!(params["reference"], reference, "{text}");
        assert_eq!(params["whole"], text.contains("vollständig"), "{text}");
    }
}

#[test]
fn with_one_remote_and_an_upstream_nothing_need_be_named() {
    let stage = stage(repository());
    for text in [
        "nach dem Push",
        "nach Push",
        "after the push",
        "After push.",
        "the push is done",
        "Push vollständig",
        "push complete",
        "the push is complete",
        "gepusht",
        "commit 1111111 is pushed",
        "Remote enthält den Commit",
        "Remote enthält Commit 1111111",
    ] {
        let params = params(&stage, "git", text);
        let expected = json!({
            "commit": HEAD, "remote": "origin", "url": "https://***@host/x",
            "reference": "refs/heads/main", "whole": text.to_lowercase().contains("vollst") || text.contains("complete"),
        });
        assert_eq!(params, expected, "{text}");
    }
}

#[test]
fn phrases_of_others_are_left_to_them() {
    let stage = stage(two());
    for text in [
        "docs/plan.md enthält 2222222",
        "docs/plan.md contains commit notes",
        "Ada ist auf Station main",
        "Tests grün",
        "pushover ist installiert",
        "2222222 is in list.txt",
        "time 06:00",
        "",
    ] {
        assert_eq!(recognise(&stage, "git", text), None, "{text}");
        assert_eq!(recognise(&stage, "process", text), None, "{text}");
    }
}

#[test]
fn d09_what_denies_is_refused_and_is_no_branch() {
    let stage = stage(repository());
    for (method, text) in [
        ("git", "remote origin not contains commit HEAD"),
        ("git", "remote origin does not contain commit HEAD"),
        ("git", "remote not contains commit HEAD"),
        ("git", "origin/main enthält nicht 1111111"),
        ("git", "origin nicht enthält HEAD"),
        ("git", "commit HEAD is not on origin/main"),
        ("git", "commit HEAD isn't pushed"),
        ("git", "nicht gepusht"),
        ("git", "pushed to not"),
        ("git", "Push nicht vollständig"),
        ("process", "process 4711 not ended"),
        ("process", "process not ended"),
        ("process", "process 4711 hasn't ended"),
        ("process", "Prozess 4711 ist noch nicht beendet"),
        ("process", "Prozess nicht beendet"),
    ] {
        let why = refusal(&stage, method, text);
        assert!(why.contains("something is not so"), "{text}: {why}");
    }
    for text in ["docs/plan.md enthält nicht 2222222", "not", "nicht Ada"] {
        assert_eq!(recognise(&stage, "git", text), None, "{text}");
        assert_eq!(recognise(&stage, "process", text), None, "{text}");
    }
}

#[test]
fn what_would_be_a_guess_is_refused_with_what_to_write() {
    let detached = GitCase {
        branch: String::new(),
        ..repository()
    };
    let alone = GitCase {
        upstream: None,
        ..repository()
    };
    let unborn = GitCase {
        head: String::new(),
        ..repository()
    };
    let table = [
        (two(), "nach dem Push", "several remotes (origin, upstream)"),
        (
            two(),
            "Remote upstream enthält Commit 2222222",
            "another remote",
        ),
        (two(), "pushed to elsewhere main", "names no remote"),
        (
            two(),
            "pushed to origin/main now",
            "not the name of a branch",
        ),
        (detached, "after the push", "detached"),
        (alone, "nach dem Push", "has no upstream"),
        (unborn, "nach dem Push", "no commit yet"),
        (
            repository(),
            "Remote enthält Commit 9999999",
            "no such commit here",
        ),
        (GitCase::default(), "nach dem Push", "has no remote"),
    ];
    for (git, text, part) in table {
        let why = refusal(&stage(git), "git", text);
        assert!(why.contains(part), "{text}: {why}");
    }
    let why = refusal(&Stage::new(), "git", "nach dem Push");
    assert!(why.contains("does not exist"), "{why}");
    let broken = GitCase {
        failed: Some("broken".to_string()),
        ..GitCase::default()
    };
    assert!(refusal(&stage(broken), "git", "nach dem Push").contains("broken"));
}

#[test]
fn a_commit_that_is_not_here_needs_its_whole_id() {
    let stage = stage(repository());
    let text = format!("origin/main enthält {FAR}");
    let params = params(&stage, "git", &text);
    assert_eq!(params["commit"], FAR);
    let (answer, why) = prove(&stage, "git", &params, "wait");
    assert_eq!(answer, "unavailable", "{why}");
    assert!(why.contains("fetch first"), "{why}");
}

fn wanted(commit: &str) -> Value {
    json!({
        "commit": commit, "remote": "origin", "url": "https://***@host/x",
        "reference": "refs/heads/main", "whole": false,
    })
}

#[test]
fn what_the_remote_says_now_decides() {
    let at = |tip: Option<&str>| {
        let mut git = repository();
        let remote = git.remotes.get_mut("origin").unwrap();
        remote.refs.clear();
        if let Some(tip) = tip {
            remote
                .refs
                .insert("refs/heads/main".to_string(), tip.to_string());
        }
        git
    };
    let shallow = |git: GitCase| GitCase {
        shallow: true,
        ..git
    };
    let silent = |mut git: GitCase| {
        git.remotes.get_mut("origin").unwrap().failed = Some("authentication".to_string());
        git
    };
    let moved = |mut git: GitCase| {
        git.remotes.get_mut("origin").unwrap().url = "/srv/forged.git".to_string();
        git
    };
    let table = [
        ("the tip itself", at(Some(HEAD)), HEAD, "found"),
        (
            "the tip itself, shallow",
            shallow(at(Some(HEAD))),
            HEAD,
            "found",
        ),
        ("below the tip", at(Some(HEAD)), OLD, "found"),
        ("not contained", at(Some(OLD)), HEAD, "empty"),
        (
            "not contained, shallow",
            shallow(at(Some(OLD))),
            HEAD,
            "unavailable",
        ),
        ("the tip is not here", at(Some(FAR)), HEAD, "unavailable"),
        ("no such branch", at(None), HEAD, "empty"),
        ("no answer", silent(at(Some(HEAD))), HEAD, "unavailable"),
        (
            "another address",
            moved(at(Some(HEAD))),
            HEAD,
            "unavailable",
        ),
    ];
    for (what, git, commit, expected) in table {
        let (answer, why) = prove(&stage(git), "git", &wanted(commit), "wait");
        assert_eq!(answer, expected, "{what}: {why}");
    }
    let (_, why) = prove(&stage(at(Some(HEAD))), "git", &wanted(OLD), "wait");
    for part in ["origin", "https://***@host/x", "refs/heads/main", HEAD, OLD] {
        assert!(why.contains(part), "{part}: {why}");
    }
}

#[test]
fn the_receipt_names_the_address_and_the_tip() {
    let stage = stage(repository());
    let gate = json!({ "params": wanted(HEAD), "mode": "wait" });
    let arguments = vec![Argument::Context, Argument::Data(gate)];
    let done = stage
        .asking()
        .answer("probes/proofs/git", "prove", arguments);
    let asked: Vec<&str> = done.receipts.iter().map(|r| r.asked.as_str()).collect();
    assert_eq!(
        asked[0],
        format!(
            "refs/heads/main of remote `origin` of {ROOT}, asked at https://***@host/x: {HEAD}"
        )
    );
}

#[test]
fn o_b15_submodules_are_named_and_block_what_is_strict() {
    let mut git = repository();
    let links = BTreeMap::from([("lib/sub".to_string(), FAR.to_string())]);
    git.gitlinks.insert(HEAD.to_string(), links);
    let mut stage = stage(git);
    let mut whole = wanted(HEAD);
    whole["whole"] = true.into();
    let table = [
        (wanted(HEAD), "wait", "found"),
        (wanted(HEAD), "only", "unavailable"),
        (whole.clone(), "wait", "unavailable"),
    ];
    for (params, mode, expected) in &table {
        let (answer, why) = prove(&stage, "git", params, mode);
        assert_eq!(&answer, expected, "{mode}: {why}");
        assert!(why.contains(&format!("lib/sub at {FAR}")), "{why}");
    }
    let setting = json!({ "submodules": "note" });
    stage
        .settings
        .insert("probes/proofs/git".to_string(), setting);
    assert_eq!(prove(&stage, "git", &whole, "only").0, "found");
}

fn machine(pid: u32, start: &str, state: &str) -> Stage {
    let mut stage = Stage::new();
    stage.world.machine = MachineCase {
        boot: "b1".to_string(),
        space: "pid:[1]".to_string(),
    };
    let case = ProcessCase {
        start: start.to_string(),
        state: state.to_string(),
        name: "worker".to_string(),
    };
    stage.world.processes.insert(pid, case);
    stage
}

#[test]
fn o_b21_a_process_is_its_number_and_its_start() {
    let opened = machine(4711, "b1:100", "sleeping");
    for text in [
        "Prozess 4711 beendet",
        "wenn der Prozess 4711 beendet ist",
        "process 4711 ended",
        "Process 4711 has finished.",
        "Prozess 4711 ist fertig",
        "pid 4711 terminated",
    ] {
        let params = params(&opened, "process", text);
        assert_eq!(
            (&params["pid"], &params["start"]),
            (&json!(4711), &json!("b1:100")),
            "{text}"
        );
    }
    let params = params(&opened, "process", "process 4711 ended");
    let away = |change: fn(&mut Stage)| {
        let mut stage = opened.clone();
        change(&mut stage);
        prove(&stage, "process", &params, "wait")
    };
    assert_eq!(prove(&opened, "process", &params, "wait").0, "empty");
    let gone = away(|stage| stage.world.processes.clear());
    assert_eq!(gone.0, "found");
    assert!(
        gone.1
            .contains("started at b1:100 is gone; how it ended is not known"),
        "{gone:?}"
    );
    let other = prove(
        &machine(4711, "b1:200", "running"),
        "process",
        &params,
        "wait",
    );
    assert_eq!(other.0, "found", "{other:?}");
    assert_eq!(
        prove(
            &machine(4711, "b1:100", "ended"),
            "process",
            &params,
            "wait"
        )
        .0,
        "found"
    );
    let booted = away(|stage| stage.world.machine.boot = "b2".to_string());
    assert_eq!(booted.0, "found", "{booted:?}");
    for elsewhere in [
        away(|stage| stage.host = "HOSTB".to_string()),
        away(|stage| {
            stage.world.machine.space = "pid:[2]".to_string();
            stage.world.processes.clear();
        }),
    ] {
        assert_eq!(elsewhere.0, "unavailable", "{elsewhere:?}");
    }
}

#[test]
fn what_cannot_be_known_of_a_process_is_refused() {
    let stage = machine(4711, "b1:100", "ended");
    let table = [
        ("Prozess 4712 beendet", "there is no process 4712 now"),
        ("Prozess 4711 beendet", "has ended already"),
        ("Prozess 4711 erfolgreich beendet", "cannot be measured"),
        ("process 4711 ended successfully", "cannot be measured"),
        ("process 4711 ended with code 0", "cannot be measured"),
        ("Prozess 0 beendet", "named by its number"),
        ("Prozess 99999999999 beendet", "named by its number"),
        ("Prozess Import beendet", "named by its number"),
    ];
    for (text, part) in table {
        let why = refusal(&stage, "process", text);
        assert!(why.contains(part), "{text}: {why}");
    }
}
