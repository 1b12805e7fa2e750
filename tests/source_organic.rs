//! `memory.organic`: what gardener holds that is open. It ends with 0 whatever happened, so the
//! text must be understood line by line.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;
#[path = "support/tools.rs"]
mod tools;

use belegt::model::status::Status;
use belegt::tick::probe::Answer;
use belegt::world::fixture::{CommandCase, FileCase, Outcome};
use support::{HOME, Stage, ids, kinds};
use tools::{case, ends, missing, prints, recorded};

const ROLE: &str = "memory.organic";
const OPEN: &str = "gardener tasks open";
const DOING: &str = "gardener tasks doing";
const RESUME: &str = "gardener find --limit 200 RESUME";
const NEXT: &str = "gardener find --limit 200 NAECHSTE";
const TODO: &str = "gardener find --limit 200 TODO";
const LINES: [&str; 5] = [OPEN, DOING, RESUME, NEXT, TODO];

const NO_TASKS: &str = "  Keine Tasks.\n";
const NO_HITS: &str = "  Keine Ergebnisse.\n";

fn store() -> String {
    format!("{HOME}/.gardener/user.db")
}

fn nothing(line: &str) -> CommandCase {
    prints(
        line,
        if line.contains("tasks") {
            NO_TASKS
        } else {
            NO_HITS
        },
    )
}

/// A gardener in which nothing is open but what these say.
fn stage(cases: &[CommandCase]) -> Stage {
    let stage = Stage::new().file(&store(), "SQLite");
    let stage = cases.iter().cloned().fold(stage, Stage::command);
    let asked = |line: &str| {
        let mut cases = cases.iter();
        cases.any(|case| case.argv.join(" ") == line)
    };
    LINES
        .into_iter()
        .filter(|line| !asked(line))
        .fold(stage, |stage, line| stage.command(nothing(line)))
}

fn read(cases: &[CommandCase]) -> Answer {
    stage(cases).read(ROLE)
}

fn hit(kind: &str, name: &str) -> String {
    format!("  [{kind:10}] {name:30} (user)\n")
}

fn record(kind: &str, name: &str, content: &str) -> CommandCase {
    let text = format!(
        "Name:    {name}\nTyp:     {kind}\nTags:    a\nSource:  user\nUpdated: 2026-11-30T15:11:06\n---\n{content}\n"
    );
    let mut case = prints("gardener get", &text);
    case.argv.push(name.to_string());
    case
}

fn unavailable(answer: &Answer, why: &str) {
    assert_eq!(answer.status, Status::Unavailable, "{}", answer.why);
    assert!(answer.why.contains(why), "{}", answer.why);
}

#[test]
fn the_recorded_memory() {
    let memo = "memo/2026-11-30T15-11-06";
    let stage = stage(&[
        recorded(OPEN, "gardener/tasks"),
        recorded(DOING, "gardener/tasks-empty"),
        recorded(RESUME, "gardener/find"),
        recorded(NEXT, "gardener/find-next"),
        recorded(TODO, "gardener/find-empty"),
        recorded("gardener get session/2026-11-30", "gardener/get-session"),
        record("memory", memo, "RESUME: the importer"),
    ]);
    let located = stage.locate(ROLE).unwrap();
    assert_eq!((located.way(), located.at()), ("path", "command:gardener"));
    let answer = stage.read(ROLE);
    let expected = ["task publish-docs", memo, "session/2026-11-30"];
    assert_eq!(ids(&answer), expected, "{}", answer.why);
    let kinds = kinds(&answer);
    assert_eq!(kinds["task publish-docs"], "memory.task");
    assert_eq!(kinds[memo], "memory.resume");
    assert_eq!(kinds["session/2026-11-30"], "memory.resume");
    let session = &answer.items[2].item;
    assert_eq!(session.title, "Importer done. NAECHSTE: release notes");
    assert_eq!(session.at, "gardener get session/2026-11-30");
    let detail = "written 2026-11-30T15:11:06+01:00\nImporter done. NAECHSTE: release notes";
    assert_eq!(session.detail, detail);
}

#[test]
fn an_empty_memory_is_empty() {
    let answer = read(&[]);
    assert_eq!(answer.status, Status::Empty, "{}", answer.why);
    let asked: Vec<_> = answer.calls[0]
        .receipts
        .iter()
        .map(|r| r.asked.as_str())
        .collect();
    assert!(
        asked.iter().all(|asked| !asked.contains("recall")),
        "{asked:?}"
    );
    assert!(LINES.iter().all(|line| asked.contains(line)), "{asked:?}");
}

#[test]
fn a_command_that_is_not_there_locates_nothing() {
    let stage = Stage::new().command(missing("gardener"));
    unavailable(
        &stage.locate(ROLE).unwrap_err(),
        "the command `gardener` is not on PATH",
    );
}

#[test]
fn tasks_are_open_or_being_done() {
    let answer = read(&[
        prints(
            OPEN,
            "  [ ] a b (c)                        (high) 2026-12-01\n  [x] done one (normal) \n",
        ),
        prints(DOING, "  [ ] half                           (normal) \n"),
    ]);
    assert_eq!(ids(&answer), ["task a b (c)", "task half"]);
    assert_eq!(answer.items[0].item.detail, "priority high, due 2026-12-01");
    assert_eq!(answer.items[1].item.detail, "priority normal, due never");
}

#[test]
fn a_hit_counts_only_if_the_note_holds_the_marker() {
    let name = "a note (user) with blanks and a name that is long";
    let hits = |line| prints(line, &hit("memory", name));
    let kind = |line, content: &str| {
        let answer = read(&[hits(line), record("memory", name, content)]);
        kinds(&answer).get(name).cloned()
    };
    let is = |kind: &str| Some(kind.to_string());
    assert_eq!(kind(RESUME, "x\nRESUME: y"), is("memory.resume"));
    assert_eq!(kind(RESUME, "a résumé, to resume later"), None);
    assert_eq!(kind(NEXT, "NAECHSTE: y"), is("memory.resume"));
    assert_eq!(kind(NEXT, "NÄCHSTES: y"), is("memory.resume"));
    assert_eq!(kind(NEXT, "am naechsten Tag"), None);
    assert_eq!(kind(TODO, "TODO y"), is("memory.note"));
    assert_eq!(kind(TODO, "todos are done"), None);
    // gardener shows the first 2000 characters only.
    assert_eq!(kind(TODO, &"x".repeat(2000)), is("memory.note"));
    assert_eq!(kind(TODO, &"x".repeat(1999)), None);
    // Found twice, it counts once, and the stronger word wins.
    let both = [
        hits(RESUME),
        hits(TODO),
        record("memory", name, "TODO, RESUME: y"),
    ];
    let answer = read(&both);
    assert_eq!(ids(&answer), [name]);
    assert_eq!(kinds(&answer)[name], "memory.resume");
}

#[test]
fn what_is_observed_or_a_task_belongs_elsewhere() {
    let hits = [
        hit("observed", "usmc/8"),
        hit("memory", "observed/usmc/9"),
        hit("task", "old-one"),
    ];
    let answer = read(&[prints(TODO, &hits.concat())]);
    assert_eq!(answer.status, Status::Empty, "{}", answer.why);
}

#[test]
fn a_search_that_may_be_cut_is_unavailable() {
    let hits = |n: usize| {
        (0..n)
            .map(|i| hit("observed", &format!("o/{i}")))
            .collect::<String>()
    };
    unavailable(&read(&[prints(TODO, &hits(200))]), "more than 199 hits");
    assert_eq!(read(&[prints(TODO, &hits(199))]).status, Status::Empty);
}

#[test]
fn what_is_not_understood_is_unavailable() {
    for line in LINES {
        for broken in [
            recorded(line, "gardener/unknown"),
            prints(line, ""),
            prints(line, "\n"),
            prints(line, "  Keine Einträge.\n"),
            prints(line, "Keine Tasks.\nKeine Ergebnisse.\n"),
            prints(line, &format!("{NO_TASKS}{NO_HITS}")),
            prints(line, "  [memory    ] x (team)\n  [ ] x\n"),
            ends(line, 1, nothing_text(line), "Traceback\nPermissionError: x"),
            case(line, Outcome::Hangs),
            case(line, Outcome::Missing),
        ] {
            let shown = format!("{broken:?}");
            let answer = read(&[broken]);
            assert_eq!(answer.status, Status::Unavailable, "{shown}");
        }
    }
    unavailable(
        &read(&[recorded(TODO, "gardener/unknown")]),
        "is not understood: `  Unbekannter Befehl: bogus-command`",
    );
    unavailable(
        &read(&[ends(OPEN, 1, "", "Traceback\nPermissionError: x\n")]),
        "exit code 1, PermissionError: x",
    );
}

fn nothing_text(line: &str) -> &'static str {
    if line.contains("tasks") {
        NO_TASKS
    } else {
        NO_HITS
    }
}

#[test]
fn a_note_that_is_listed_and_cannot_be_read_is_unavailable() {
    let hits = prints(TODO, &hit("memory", "x"));
    for (broken, why) in [
        (
            prints("gardener get x", "  Nicht gefunden: x\n"),
            "no record of that name",
        ),
        (prints("gardener get x", "TODO\n"), "not understood"),
        (prints("gardener get x", ""), "not understood"),
        (ends("gardener get x", 1, "", "boom"), "boom"),
    ] {
        unavailable(&read(&[hits.clone(), broken]), why);
    }
}

#[test]
fn without_a_store_an_empty_answer_proves_nothing() {
    let mut stage = stage(&[]);
    stage.world.files.clear();
    unavailable(&stage.read(ROLE), "no store yet");
    let environment = &mut stage.world.environment;
    environment.insert("GARDENER_DATA".to_string(), format!("{HOME}/.gardener/two"));
    unavailable(&stage.read(ROLE), "two/user.db` does not exist");
    let stage = stage.file(&format!("{HOME}/.gardener/two/user.db"), "x");
    assert_eq!(stage.read(ROLE).status, Status::Empty);
}

#[test]
fn the_situation_is_that_of_the_store() {
    let at = |text: &str, mtime: i64| FileCase {
        mtime,
        ..FileCase::text(text)
    };
    let base = stage(&[]).place(&store(), at("abc", 1));
    let situation = |stage: &Stage| stage.locate(ROLE).unwrap().situation().clone();
    let before = situation(&base);
    let log = format!("{}-wal", store());
    assert_eq!(situation(&base.clone().place(&log, at("", 2))), before);
    assert_ne!(situation(&base.clone().place(&log, at("x", 2))), before);
    assert_ne!(
        situation(&base.clone().place(&store(), at("abc", 2))),
        before
    );
}
