//! `memory.curated`: what usmc holds that is open, and what proves nothing.
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
use belegt::world::fixture::{CommandCase, Content, FileCase, Outcome};
use serde_json::{Value, json};
use support::{HOME, Stage, ids, kinds};
use tools::{case, data, ends, missing, prints, recorded};

const ROLE: &str = "memory.curated";
const NOTES: &str = "usmc working --limit -1 --json";
const LESSONS: &str = "usmc lessons --limit -1 --json";
const FACTS: &str = "usmc facts --json";

fn store() -> String {
    format!("{HOME}/.usmc/usmc_memory.db")
}

fn stage(cases: [CommandCase; 3]) -> Stage {
    let stage = Stage::new().file(&store(), "SQLite");
    cases.into_iter().fold(stage, Stage::command)
}

fn with(notes: &str, lessons: &str, facts: &str) -> Stage {
    stage([
        prints(NOTES, notes),
        prints(LESSONS, lessons),
        prints(FACTS, facts),
    ])
}

fn note(id: i64, content: &str, tags: Value) -> Value {
    json!({ "id": id, "type": "note", "content": content, "priority": 0, "tags": tags,
            "agent_id": "a", "created_at": "2026-11-30T15:11:05.462315" })
}

fn notes(notes: &[Value]) -> Answer {
    with(&json!(notes).to_string(), "[]", "[]").read(ROLE)
}

fn lesson(problem: &str, solution: &str) -> Answer {
    let lesson = json!([{ "id": 1, "category": "c", "severity": "high", "title": "T",
        "problem": problem, "solution": solution, "agent_id": "a",
        "created_at": "2026-11-30T15:11:05" }]);
    with("[]", &lesson.to_string(), "[]").read(ROLE)
}

fn fact(key: &str, value: &str) -> Answer {
    let fact = json!([{ "category": "project", "key": key, "value": value, "confidence": 0.9,
        "source": "agent:a", "agent_id": "a", "updated_at": "2026-11-30T15:11:05" }]);
    with("[]", "[]", &fact.to_string()).read(ROLE)
}

fn unavailable(answer: &Answer, why: &str) {
    assert_eq!(answer.status, Status::Unavailable, "{}", answer.why);
    assert!(answer.why.contains(why), "{}", answer.why);
    assert!(answer.items.is_empty());
}

#[test]
fn the_recorded_memory() {
    let stage = stage([
        recorded(NOTES, "usmc/working"),
        recorded(LESSONS, "usmc/lessons"),
        recorded(FACTS, "usmc/facts"),
    ]);
    let located = stage.locate(ROLE).unwrap();
    assert_eq!((located.way(), located.at()), ("path", "command:usmc"));
    let answer = stage.read(ROLE);
    // The guard's record and the log of tidy-up are not among them, and the fact is only a fact.
    assert_eq!(ids(&answer), ["note-1", "note-2", "lesson-1"]);
    let kinds = kinds(&answer);
    assert_eq!(kinds["note-1"], "memory.resume");
    assert_eq!(kinds["note-2"], "memory.note");
    assert_eq!(kinds["lesson-1"], "memory.lesson");
    assert_eq!(answer.why, "4 note(s), 1 lesson(s) and 1 fact(s) read");
    let item = &answer.items[1].item;
    assert_eq!(item.title, "Grüße: Umlaute und");
    let detail = "written 2026-11-30T15:11:05+01:00\nGrüße: Umlaute und\nzweite Zeile";
    assert_eq!(item.detail, detail);
    assert_eq!(answer.items[0].item.priority, 0);
    let empty = self::stage([
        recorded(NOTES, "usmc/working-empty"),
        recorded(LESSONS, "usmc/working-empty"),
        recorded(FACTS, "usmc/working-empty"),
    ]);
    let answer = empty.read(ROLE);
    assert_eq!(answer.status, Status::Empty, "{}", answer.why);
}

#[test]
fn the_site_may_name_the_command() {
    let mut stage = with("[]", "[]", "[]").command(prints("/opt/bin/usmc --version", ""));
    let script = format!("probes/sources/{ROLE}");
    stage
        .settings
        .insert(script, json!({ "command": "/opt/bin/usmc" }));
    unavailable(&stage.locate(ROLE).unwrap_err(), "not a granted command");
    stage.grants.commands.insert("/opt/bin/usmc".to_string());
    let located = stage.locate(ROLE).unwrap();
    assert_eq!(
        (located.way(), located.at()),
        ("setting", "command:/opt/bin/usmc")
    );
    // It is the one that is asked, and nobody falls back to the other.
    unavailable(&stage.read(ROLE), "no such case");
    let gone = Stage::new().command(missing("usmc"));
    unavailable(
        &gone.locate(ROLE).unwrap_err(),
        "the command `usmc` is not on PATH",
    );
}

#[test]
fn what_the_loop_keeps_there_for_itself_never_counts() {
    let own = [
        note(1, "x", json!("work-autonomous-guard,demo")),
        note(2, "x", json!("demo, Work-Autonomous-GUARD")),
        note(3, "x", json!("TIDY-UP-LOG")),
        note(
            4,
            "work-autonomous-guard: result=blind fingerprint=1 at=2",
            Value::Null,
        ),
        note(
            5,
            "\n tidy-up: project=demo at=1 result=done",
            json!("demo"),
        ),
    ];
    let answer = notes(&own);
    assert_eq!(answer.status, Status::Empty, "{}", answer.why);
    let recorded = self::stage([
        recorded(NOTES, "usmc/guard"),
        prints(LESSONS, "[]"),
        prints(FACTS, "[]"),
    ]);
    assert_eq!(recorded.read(ROLE).status, Status::Empty);
    let others = [
        note(
            1,
            "about the work-autonomous-guard: it works",
            json!("demo"),
        ),
        note(2, "x", json!("work-autonomous-guard-2")),
        note(3, "x", json!("my tidy-up-log")),
        note(4, "", Value::Null),
    ];
    let answer = notes(&others);
    assert_eq!(ids(&answer), ["note-1", "note-2", "note-3", "note-4"]);
    assert_eq!(answer.items[3].item.title, "(a note without text)");
}

#[test]
fn a_note_is_an_item_whatever_it_holds() {
    let long = "x".repeat(200_000);
    let mut urgent = note(2, "say RESUME: here\nand more", Value::Null);
    urgent["priority"] = json!(-7);
    urgent["created_at"] = json!("yesterday");
    let answer = notes(&[note(1, &long, Value::Null), urgent]);
    assert_eq!(answer.status, Status::Found, "{}", answer.why);
    let [first, second] = answer.items.as_slice() else {
        panic!()
    };
    assert!(first.item.detail.ends_with(&long));
    assert_eq!(first.item.title.len(), 1000);
    assert_eq!(
        (second.item.priority, second.item.kind.as_str()),
        (9, "memory.resume")
    );
    assert!(second.item.detail.starts_with("written yesterday\nsay"));
}

#[test]
fn a_lesson_counts_if_it_names_a_follow_up() {
    for solution in [
        "fixed; follow-up: convert two tests",
        "Followup needed",
        "Folgeaufgabe: Doku",
        "TODO: the rest",
        "das ist noch offen",
        "offen: die Doku",
        "Next: the docs",
        // What is denied in one place is not denied in another.
        "TODO: convert the tests. No follow-up for the docs",
        "no follow-up for A; keine Folgeaufgabe für B; follow-up for C",
        "the importer has no todo list\nstill open: the parser",
    ] {
        let answer = lesson("p", solution);
        assert_eq!(ids(&answer), ["lesson-1"], "{solution}: {}", answer.why);
        assert_eq!(ids(&lesson(solution, "s")), ["lesson-1"], "{solution}");
    }
    for solution in [
        "fixed",
        "no follow-up",
        "keine Folgeaufgabe",
        "follow-up: none",
        "TODO: erledigt",
        "No follow-up, no follow-up, keine Folgeaufgabe; TODO: done",
        "the file TODO.md was wrong",
        "we hoffen: alles gut",
    ] {
        assert_eq!(lesson("p", solution).status, Status::Empty, "{solution}");
    }
}

#[test]
fn a_fact_counts_if_it_points_to_work() {
    let answer = fact("parser.state", "TODO: finish it\nsoon");
    assert_eq!(ids(&answer), ["fact-a/project/parser.state"]);
    let item = &answer.items[0].item;
    assert_eq!(item.kind, "memory.fact");
    assert_eq!(item.title, "project/parser.state: TODO: finish it");
    assert_eq!(item.detail, "TODO: finish it\nsoon");
    assert_eq!(fact("x", "RESUME: y").status, Status::Found);
    assert_eq!(fact("offen", "die Doku").status, Status::Found);
    assert_eq!(fact("todo.path", "TODO.md").status, Status::Empty);
}

#[test]
fn without_a_store_an_empty_answer_proves_nothing() {
    let mut stage = with("[]", "[]", "[]");
    stage.world.files.clear();
    unavailable(&stage.read(ROLE), "no store yet");
    assert!(stage.locate(ROLE).is_ok());
    stage
        .world
        .environment
        .insert("USMC_DB".to_string(), "/srv/u.db".to_string());
    unavailable(&stage.read(ROLE), "outside the granted roots");
    let stage = with("[]", "[]", "[]").file("/srv/u.db", "x");
    let mut stage = Stage { ..stage };
    stage
        .world
        .environment
        .insert("USMC_DB".to_string(), "/srv/u.db".to_string());
    stage.grants.look.push("/srv".to_string());
    assert_eq!(stage.read(ROLE).status, Status::Empty);
    stage
        .world
        .environment
        .insert("USMC_DB".to_string(), " ".to_string());
    assert_eq!(stage.read(ROLE).status, Status::Empty);
    stage.grants.environment.clear();
    unavailable(&stage.read(ROLE), "not a granted environment variable");
}

#[test]
fn what_cannot_be_understood_is_unavailable() {
    let lines = [NOTES, LESSONS, FACTS];
    for broken in lines {
        let answers = [
            recorded(broken, "usmc/broken"),
            recorded(broken, "usmc/usage-error"),
            ends(broken, 1, "[]", ""),
            prints(broken, ""),
            prints(broken, "Keine aktiven Notizen."),
            prints(broken, "{}"),
            prints(broken, "null"),
            prints(broken, "[1]"),
            prints(broken, r#"[{"id": "1"}]"#),
            prints(broken, r#"[{"id": 1}"#),
            case(broken, Outcome::Hangs),
            case(broken, Outcome::Missing),
        ];
        for answer in answers {
            let shown = format!("{answer:?}");
            let cases = lines.map(|line| match line == broken {
                true => answer.clone(),
                false => prints(line, "[]"),
            });
            let answer = stage(cases).read(ROLE);
            assert_eq!(answer.status, Status::Unavailable, "{shown}");
            assert!(!answer.why.is_empty());
        }
    }
    let broken = stage(lines.map(|line| recorded(line, "usmc/broken")));
    unavailable(
        &broken.read(ROLE),
        "exit code 1, [ERROR] Unerwarteter Fehler: file is not a database",
    );
    let mut odd = note(1, "x", json!(["a"]));
    unavailable(&notes(&[odd.clone()]), "`$[0].tags` must be a text");
    odd["tags"] = Value::Null;
    odd["priority"] = json!("high");
    unavailable(&notes(&[odd]), "`$[0].priority` must be a whole number");
}

#[test]
fn the_situation_is_that_of_the_store() {
    let at = |size: usize, mtime: i64| FileCase {
        mtime,
        ..FileCase::text(&"x".repeat(size))
    };
    let base = with("[]", "[]", "[]").place(&store(), at(3, 1));
    let situation = |stage: &Stage| stage.locate(ROLE).unwrap().situation().clone();
    let before = situation(&base);
    let log = format!("{}-wal", store());
    let empty_log = base.clone().place(&log, at(0, 5));
    assert_eq!(situation(&empty_log), before);
    for changed in [
        base.clone().place(&store(), at(4, 1)),
        base.clone().place(&store(), at(3, 2)),
        base.clone().place(&log, at(1, 5)),
        base.clone().place(&store(), Content::Folder.into()),
    ] {
        assert_ne!(situation(&changed), before);
    }
}

#[test]
fn a_mirrored_guard_does_not_move_the_situation() {
    let mirrored = |notes: &[Value]| {
        let mut stage = with(&json!(notes).to_string(), "[]", "[]");
        stage.site = json!({ "mirror": "usmc" });
        stage.locate(ROLE).unwrap().situation().clone()
    };
    let first = note(7, "x", Value::Null);
    let before = mirrored(std::slice::from_ref(&first));
    assert_eq!(before, json!({ "notes": [7] }));
    let guard = note(
        8,
        "work-autonomous-guard: result=blind",
        json!("work-autonomous-guard"),
    );
    assert_eq!(mirrored(&[guard, first.clone()]), before);
    assert_ne!(mirrored(&[note(9, "y", Value::Null), first]), before);

    // A failure is a situation of its own; a store that is not there is not made by asking.
    let mut broken = stage([NOTES, LESSONS, FACTS].map(|line| recorded(line, "usmc/broken")));
    broken.site = json!({ "mirror": "usmc" });
    let said = broken.locate(ROLE).unwrap().situation().to_string();
    assert!(said.contains("file is not a database"), "{said}");
    broken.world.files.clear();
    let said = broken.locate(ROLE).unwrap().situation().to_string();
    assert!(said.contains("does not exist"), "{said}");
    assert!(!data("usmc/working.stdout").is_empty());
}
