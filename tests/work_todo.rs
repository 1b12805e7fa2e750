//! The work probe `todo`: which lines are open, whose they are, and when.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;

use belegt::model::signal::Signal;
use belegt::model::status::Status;
use belegt::world::fixture::{Content, FileCase};
use serde_json::json;
use support::{Stage, folder, ids};

/// `kind text` of each line of one file.
fn told(file: &str, text: &str) -> Vec<String> {
    let answer = Stage::new().file(file, text).look("todo");
    assert_ne!(answer.status, Status::Unavailable, "{}", answer.why);
    let items = answer.items.into_iter().map(|i| i.item);
    items
        .map(|i| format!("{} {}", i.kind.strip_prefix("todo.").unwrap(), i.title))
        .collect()
}

#[test]
fn d11_examples_do_not_count_and_a_done_parent_closes_no_child() {
    let text = "```\n- [ ] Vorlage\n```\n- [x] Eltern\n  - [ ] Kind\n";
    assert_eq!(told("TODO.md", text), ["open Kind"]);
    let tick = Stage::new().file("TODO.md", text).tick();
    assert_eq!((tick.signal, tick.items.len()), (Signal::Continue, 1));
}

#[test]
fn d12_done_in_todo_txt() {
    let text = "x Angebot senden\nx 2026-11-01 Bericht\nx (A) 2026-11-01 Plan\nX Rechnung\nxBericht\n(A) x-Achse prüfen\n";
    assert_eq!(
        told("TODO.txt", text),
        ["unclear X Rechnung", "open xBericht", "open x-Achse prüfen"]
    );
}

#[test]
fn boxes_as_markdown_reads_them() {
    let table: [(&str, &[&str]); 11] = [
        ("- [X] eins\n- [ ] zwei\n", &["open zwei"]),
        ("  ~~~\n  - [ ] x\n  ~~~\n- [ ] echt\n", &["open echt"]),
        (
            "<!-- Optional\n- [ ] versteckt\n-->\n- [x] a\n- [ ] offen\n",
            &["open offen"],
        ),
        (
            "+ [ ] a\n\n1. [ ] b\n2. [x] c\n\n1) [ ] d\n",
            &["open a", "open b", "open d"],
        ),
        ("- [ ] a\n- [ ]\n", &["open a", "unclear line 2 of TODO.md"]),
        ("- [x] a\n- [\u{a0}] b\n", &["unclear [\u{a0}] b"]),
        ("- [ ] [x] als Flag prüfen\n", &["open [x] als Flag prüfen"]),
        (
            "- \\[ ] kein Kästchen\n- [ ] echt\n",
            &["unclear [ ] kein Kästchen", "open echt"],
        ),
        (
            "- [~] halb\n- nur so\n",
            &["unclear [~] halb", "unclear nur so"],
        ),
        ("<!-- offen\n- [ ] a\n", &["unclear - [ ] a"]),
        ("# Plan\n\nText.\n", &[]),
    ];
    for (text, expected) in table {
        assert_eq!(told("TODO.md", text), expected, "{text}");
    }
}

#[test]
fn sections_of_aufgaben_txt() {
    let text = "## OFFEN\n- [ ] [BUG] a\n## IN ARBEIT\n- [-] b\n## BLOCKIERT\n- [ ] c\n- [x] d\n## ERLEDIGT\n- [ ] e\n";
    let expected = ["open [BUG] a", "open b", "blocked c"];
    assert_eq!(told("AUFGABEN.txt", text), expected);
    assert_eq!(told("Aufgaben.TXT", text), expected);
    assert_eq!(told("todo.md", "## Blocked\n- [ ] c\n"), ["blocked c"]);
}

#[test]
fn lines_that_ask_for_the_person() {
    let table = [
        ("Release nach Freigabe", "user"),
        ("Farbe: Nutzerentscheidung", "user"),
        ("USER-ENTSCHEIDUNG zu B", "user"),
        ("merge (human-gated)", "user"),
        ("needs your approval", "user"),
        ("waiting for a decision", "user"),
        ("User: which colour?", "user"),
        ("ask @user", "user"),
        ("Farbe [U 2026-10-02 Freigabe erteilt]", "open"),
        ("Release nach Freigabe [U 2026-10-02 ja]", "open"),
        ("Release nach Freigabe [K 2026-10-02 ja]", "user"),
        ("Release nach Freigabe [U bald]", "user"),
        ("Freigabedatum im Kopf zeigen", "open"),
        ("user: decided", "user"),
        ("superuser:x", "open"),
    ];
    for (text, expected) in table {
        let told = told("TODO.md", &format!("- [ ] {text}\n"));
        assert_eq!(told, [format!("{expected} {text}")]);
    }
    let below = "- [ ] Release\n\n  Wartet auf Freigabe.\n";
    assert_eq!(told("TODO.md", below), ["user Release"]);
    assert_eq!(told("TODO.md", "## Needs approval\n- [ ] a\n"), ["user a"]);
    let mut stage = Stage::new().file("TODO.md", "- [ ] rufe Kim an\n");
    stage.settings.insert(
        "probes/work/todo".to_string(),
        json!({ "user_notes": ["(?i)\\bKim\\b"] }),
    );
    assert_eq!(stage.look("todo").items[0].item.kind, "todo.user");
}

#[test]
fn dates_of_todo_txt() {
    let table = [
        ("a due:2026-11-30", "open", false),
        ("a due:2026-12-01", "later", true),
        ("a t:2026-12-01", "later", true),
        ("a t:2026-11-01 due:2026-12-24", "open", false),
        ("a t:2026-12-24 due:2026-11-01", "later", true),
        ("a t:soon", "unclear", false),
        ("a due:soon", "unclear", false),
        ("a cat:2026-12-01", "open", false),
        ("(B) a t:2026-12-01", "later", true),
    ];
    for (line, expected, due) in table {
        let answer = Stage::new().file("todo.txt", line).look("todo");
        let seen = &answer.items[0];
        assert_eq!(seen.item.kind, format!("todo.{expected}"), "{line}");
        assert_eq!(seen.due.is_some(), due, "{line}");
    }
    let next = Stage::new()
        .file("todo.txt", "a t:2026-12-01\n")
        .tick()
        .next_check_at;
    assert_eq!(next.unwrap().rfc3339(), "2026-11-30T10:15:00+01:00");
    let markdown = told("TODO.md", "- [ ] a t:2026-12-01\n");
    assert_eq!(markdown, ["open a t:2026-12-01"]);
    let priorities = Stage::new()
        .file("TODO.txt", "(A) a\n(B) b\n(D) d\ne\n")
        .look("todo");
    let numbers: Vec<_> = priorities.items.iter().map(|i| i.item.priority).collect();
    assert_eq!(numbers, [1, 3, 5, 5]);
}

#[test]
fn ids_stay_when_lines_move() {
    let before = Stage::new()
        .file("TODO.md", "- [ ] a\n- [ ] b\n- [ ] a\n")
        .look("todo");
    let after = Stage::new()
        .file("TODO.md", "# Neu\n\n- [ ] c\n- [x] a\n- [ ] b\n- [ ] a\n")
        .look("todo");
    let (before, after) = (ids(&before), ids(&after));
    assert_eq!(before[1..], after[1..]);
    assert!(before[2].ends_with("-2"), "{before:?}");
    assert_eq!(before.len(), 3);
}

#[test]
fn every_list_is_read_and_letter_case_is_no_hiding_place() {
    let stage = Stage::new()
        .file("todo.MD", "- [ ] a\n")
        .file("TODO.md", "- [ ] b\n")
        .file("Aufgaben.md", "- [ ] c\n")
        .file("todo.txt", "d\n")
        .file("docs/TODO.md", "- [ ] not ours\n");
    assert_eq!(stage.look("todo").items.len(), 4);
    assert_eq!(
        Stage::new()
            .file("README.md", "- [ ] a\n")
            .look("todo")
            .status,
        Status::Absent
    );
    let closed = Stage::new().file("TODO.md", "- [x] a\n").look("todo");
    assert_eq!(
        (closed.status, closed.why.as_str()),
        (Status::Empty, "TODO.md: 0 open or unclear")
    );
}

#[test]
fn the_files_are_a_setting() {
    let mut stage = Stage::new()
        .file("docs/plan.md", "- [ ] a\n")
        .file("TODO.md", "- [ ] b\n")
        .file("LISTE.TXT", "c\n");
    let path = "probes/work/todo".to_string();
    stage.settings.insert(
        path.clone(),
        json!({ "files": ["docs/plan.md", "liste.txt", "gone/x.md"] }),
    );
    let places: Vec<_> = stage
        .look("todo")
        .items
        .into_iter()
        .map(|i| i.item.at)
        .collect();
    assert_eq!(places, ["LISTE.TXT:1", "docs/plan.md:1"]);
    stage.settings.insert(path, json!({ "file": ["x.md"] }));
    let answer = stage.look("todo");
    assert_eq!(answer.status, Status::Unavailable);
    assert!(
        answer.why.contains("did you mean `files`"),
        "{}",
        answer.why
    );
}

#[test]
fn a_file_can_opt_out_and_says_so() {
    let text = "# Roadmap\n<!-- belegt: ignore -->\n- [ ] a\n";
    let answer = Stage::new().file("TODO.md", text).look("todo");
    assert_eq!(answer.status, Status::Empty);
    assert_eq!(answer.why, "TODO.md has opted out");
    let late = format!("{}{text}", "\n".repeat(5));
    assert_eq!(told("TODO.md", &late).len(), 1);
}

#[test]
fn what_cannot_be_read_is_never_empty() {
    let cases: [(FileCase, &str); 4] = [
        (Content::Unreadable.into(), "permission"),
        (
            Content::Bytes(b"- [ ] a\xff\n".to_vec()).into(),
            "not UTF-8",
        ),
        (Content::Fifo.into(), "FIFO"),
        (folder(), "folder"),
    ];
    for (case, says) in cases {
        let stage = Stage::new()
            .place("TODO.md", case)
            .file("AUFGABEN.md", "- [x] a\n");
        let answer = stage.look("todo");
        assert_eq!(answer.status, Status::Unavailable);
        assert!(answer.why.contains(says), "{}", answer.why);
    }
    let dark = Stage::new()
        .place("/project", Content::Unreadable.into())
        .file("TODO.md", "");
    assert_eq!(dark.look("todo").status, Status::Unavailable);
}
