//! The bare stage: the smallest things that a tick says.

mod support;
#[path = "support/tools.rs"]
mod tools;

use belegt::model::signal::Signal;
use support::Stage;

#[test]
fn an_open_line_is_work_and_a_world_without_sources_is_blind() {
    let stage = Stage::new().file("TODO.md", "# Plan\n- [ ] a\n- [x] b\n- [~] c\n");
    let outcome = stage.tick();
    assert_eq!(outcome.signal, Signal::Continue);
    assert_eq!(outcome.items.len(), 1);
    assert_eq!(outcome.bundle.len(), 1);
    assert!(matches!(Stage::new().tick().signal, Signal::Blind { .. }));
}

const QUIET_INBOX: &str = r#"
const META = #{ api: 1, about: "an inbox with one entry" };
fn look(ctx) {
    let inbox = fs::list("_TICKETS/INBOX");
    found(inbox.entries.map_items(|e| item(#{ id: e.name, title: e.name, at: e.path, kind: "intake.formless" })), "open")
}
"#;

#[test]
fn no_rule_silences_an_open_inbox_and_only_the_persons_lock_does() {
    let silencing =
        "const META = #{ api: 1, about: \"x\" };\nfn classify(item, ctx) { rest(\"later\") }\n";
    let stage = Stage::new()
        .script("probes/work/intake", QUIET_INBOX)
        .script("rules/autonomy", silencing)
        .file("_TICKETS/INBOX/notiz.txt", "call back");
    assert_eq!(stage.tick().signal, Signal::Continue);
    let locked = stage.clone().file("_TICKETS/INBOX/LOCK.user.txt", "");
    assert!(matches!(locked.tick().signal, Signal::Blind { .. }));
    let paused = stage.file("LOCK.user.txt", "").tick();
    assert!(matches!(paused.signal, Signal::Blind { .. }));
    assert!(paused.items.is_empty() && paused.paused_by.is_some());
}

#[test]
fn a_guard_that_holds_runs_no_command() {
    use belegt::ledger::state::Record;
    let store = |path: &str| format!("{}/{path}", support::HOME);
    let mut stage = Stage::new()
        .file(&store(".usmc/usmc_memory.db"), "db")
        .file(&store(".gardener/user.db"), "db")
        .command(tools::prints("usmc", ""))
        .command(tools::prints("gardener", ""));
    let asked = |r: &belegt::model::receipt::Receipt| {
        r.function == "cmd::run" && (r.asked.starts_with("usmc") || r.asked.starts_with("gardener"))
    };
    let first = stage.tick();
    assert!(first.calls.iter().flat_map(|c| &c.receipts).any(asked));
    stage.state.record = Some(Record {
        result: "blind".to_string(),
        fingerprint: first.guard.fingerprint.unwrap(),
        at: "2026-11-30T09:59:00+01:00".to_string(),
        tick: "t".to_string(),
    });
    let held = stage.tick();
    assert!(
        matches!(held.signal, Signal::GuardBlind { .. }),
        "{}",
        held.guard.why
    );
    assert!(
        held.calls
            .iter()
            .flat_map(|c| &c.receipts)
            .all(|r| !asked(r))
    );
}

#[test]
fn the_script_that_the_readme_shows_answers() {
    let readme = include_str!("../README.md");
    let script = readme
        .split("```rhai\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let stage = Stage::new().script("probes/work/todo", script);
    let open = stage
        .clone()
        .file("docs/PLAN.md", "- [ ] write it\n- [x] read it\n");
    assert_eq!(open.tick().items.len(), 1);
    let done = stage
        .clone()
        .file("docs/PLAN.md", "- [x] read it\n")
        .look("todo");
    assert_eq!(done.status, belegt::model::status::Status::Empty);
    let missing = stage.look("todo");
    assert_eq!(missing.status, belegt::model::status::Status::Unavailable);
}
