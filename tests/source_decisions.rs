//! `decisions.ledger`: what of the register is open, pending, news, or unclear, and what makes it
//! unavailable.
#![allow(
    clippy::unwrap_used,
    clippy::string_slice,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod support;
#[path = "support/tools.rs"]
mod tools;

use std::collections::BTreeMap;

use belegt::model::signal::Signal;
use belegt::model::status::Status;
use belegt::tick::probe::Answer;
use belegt::world::fixture::{Content, FileCase};
use support::{Stage, folder, kinds};
use tools::{data, missing};

const ROLE: &str = "decisions.ledger";
const PLACE: &str = "_control-center/_CONTROL/_DECISIONS";

fn place(name: &str) -> String {
    format!("{PLACE}/{name}")
}

fn stage() -> Stage {
    Stage::new().command(missing("source-resolver"))
}

fn read(files: &[(&str, &str)]) -> Answer {
    let stage = files.iter().fold(stage(), |stage, (name, text)| {
        stage.file(&place(name), text)
    });
    stage.read(ROLE)
}

fn read_kinds(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    let answer = read(files);
    assert_ne!(answer.status, Status::Unavailable, "{}", answer.why);
    kinds(&answer)
}

fn table(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let pairs = pairs.iter();
    pairs
        .map(|(id, kind)| (id.to_string(), format!("decision.{kind}")))
        .collect()
}

fn active(text: &str) -> BTreeMap<String, String> {
    read_kinds(&[("TO-DECIDE-USER.txt", text)])
}

fn done(text: &str) -> BTreeMap<String, String> {
    read_kinds(&[("DECIDED-AND-DONE.md", text)])
}

#[test]
fn the_recorded_register() {
    let files = [
        ("TO-DECIDE-USER.txt", data("decisions/TO-DECIDE-USER.txt")),
        ("DECIDED-AND-DONE.md", data("decisions/DECIDED-AND-DONE.md")),
    ];
    let answer = read(&files.each_ref().map(|(name, text)| (*name, text.as_str())));
    let expected = table(&[
        ("D-20261126-003", "open"),
        ("D-20261127-002", "pending"),
        ("D-20261128-001", "open"),
        ("D-20261129-004", "done"),
    ]);
    assert_eq!(kinds(&answer), expected);
    assert_eq!(answer.why, "5 decision(s) in 2 file(s)");
    let seen = |id: &str| {
        let mut items = answer.items.iter().map(|seen| &seen.item);
        items.find(|item| item.id == id).unwrap().clone()
    };
    let open = seen("D-20261128-001");
    assert_eq!(open.title, "Colour of the weekly report");
    assert_eq!(open.at, place("TO-DECIDE-USER.txt:3"));
    assert!(open.detail.contains("- B — green"), "{}", open.detail);
    let pending = seen("D-20261127-002");
    let said = "May the importer drop rows without a date?\nA, log the count";
    assert_eq!(pending.detail, said);
    assert_eq!(
        seen("D-20261129-004").detail.trim(),
        "[B — enable, 02:30 Europe/Berlin]"
    );
}

/// Entries with these answers, each with an id that counts from 100.
fn with_answers(answers: &[&str]) -> String {
    let entry = |(n, answer): (usize, &&str)| {
        format!(
            "## D-20261101-{} — T\nFRAGE: q\nENTSCHEIDUNG DES USERS: {answer}\n---\n",
            n + 100
        )
    };
    answers.iter().enumerate().map(entry).collect()
}

fn all_are(answers: &[&str], kind: &str) {
    let kinds = active(&with_answers(answers));
    assert_eq!(kinds.len(), answers.len());
    for (n, answer) in answers.iter().enumerate() {
        let id = format!("D-20261101-{}", n + 100);
        assert_eq!(kinds[&id], format!("decision.{kind}"), "{answer:?}");
    }
}

#[test]
fn placeholders_are_open() {
    let answers = [
        "",
        "  ",
        "OFFEN",
        "offen.",
        "[Offen]",
        "N/A",
        "n/a",
        "-",
        "—",
        "–",
        "...",
        "…",
        "TBD",
        "tbd.",
        "HIER EINTRAGEN",
        "[HIER EINTRAGEN]",
        "[hier eintragen].",
        "HIER ENTSCHEIDUNG EINTRAGEN",
        "[HIER A, B ODER C EINTRAGEN]",
        "HIER\n  EINTRAGEN",
        "A/B/C",
        "A|B",
        "a / b",
        "[A/B].",
        "(A | B | C)",
        "1/2/3",
        "A1/A2",
        "JA/NEIN",
        "ja / nein",
        "[A]/[B]",
        "**OFFEN**",
        "`TBD`",
        "<HIER EINTRAGEN>",
        "N/A.",
    ];
    all_are(&answers, "open");
}

#[test]
fn everything_else_is_a_decision() {
    let answers = [
        "A",
        "[A]",
        "a.",
        "A, log the count",
        "[A — yes]",
        "B — wie besprochen",
        "JA",
        "nein",
        "OFFEN lassen",
        "offen bleibt nichts: A",
        "A/B testen",
        "src/main.rs",
        "EINTRAGEN",
        "Ja, hier eintragen",
        "TBDX",
        "👍",
        "2026-11-30",
        "A/",
        "1",
        "und/oder",
    ];
    all_are(&answers, "pending");
}

#[test]
fn half_an_answer_is_unclear() {
    all_are(
        &["HIER", "[HIER EINT", "[A — because", "hier ein"],
        "unclear",
    );
    let entry = "## D-20261101-001 — T\nENTSCHEIDUNG DES USERS: ";
    for (end, kind) in [
        ("A", "unclear"),
        ("A\n", "pending"),
        ("A/B", "open"),
        ("[HIER EINTRAGEN]", "open"),
        ("", "open"),
    ] {
        let kinds = active(&format!("{entry}{end}"));
        assert_eq!(kinds, table(&[("D-20261101-001", kind)]), "{end:?}");
    }
}

#[test]
fn every_spelling_of_a_heading() {
    let text = "TO-DECIDE-USER\n- D-20261101-099 — an index line\n\
        # D-20261101-001 — one\nENTSCHEIDUNG DES USERS: A\n---\n\
        #### D-20261101-002 - four\nENTSCHEIDUNG DES USERS: A\n---\n\
        D-20261101-003 – bare\nENTSCHEIDUNG DES USERS: A\n---\n\
        === D-20261101-004-x | Framed ===\nENTSCHEIDUNG DES USERS: A\n---\n\
        ID: D-20261101-0005\nTITEL: From a field\nENTSCHEIDUNG DES USERS: A\n---\n\
        ## D-20261101-06\nsee D-20261101-098\n  D-20261101-097 quoted\nEntscheidung des Users: A\n";
    let expected = table(&[
        ("D-20261101-001", "pending"),
        ("D-20261101-0005", "pending"),
        ("D-20261101-002", "pending"),
        ("D-20261101-003", "pending"),
        ("D-20261101-004-x", "pending"),
        ("D-20261101-06", "pending"),
    ]);
    assert_eq!(active(text), expected);
    let windows = format!("\u{feff}{}", text.replace('\n', "\r\n"));
    assert_eq!(active(&windows), expected);
    let answer = read(&[("TO-DECIDE-USER.txt", text)]);
    let titles: Vec<_> = answer.items.iter().map(|s| s.item.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "one",
            "four",
            "bare",
            "Framed",
            "From a field",
            "D-20261101-06"
        ]
    );
}

#[test]
fn what_is_nearly_an_entry_does_not_vanish() {
    let text = "##D-20261101-001 — no blank\nENTSCHEIDUNG DES USERS: A\n---\n\
        ## d-20261101-002 — small\nENTSCHEIDUNG DES USERS: A\n---\n\
        ## D-2026110-003 — short\nENTSCHEIDUNG DES USERS: A\n---\n\
        ## D-20261101-004 — without an answer\nFRAGE: what?\n---\n\
        ## D-20261101-005 — its answer stands behind a line\n---\nENTSCHEIDUNG DES USERS: A\n";
    let kinds = active(text);
    // The answer behind the line belongs to no entry, and is shown on its own.
    assert_eq!(kinds.len(), 6, "{kinds:?}");
    assert!(
        kinds.values().all(|kind| kind == "decision.unclear"),
        "{kinds:?}"
    );
}

#[test]
fn an_entry_with_several_answers_is_open_until_all_are_given() {
    let entry = |first: &str, second: &str| {
        active(&format!(
            "## D-20261101-001 — T\nFRAGE E01: a\nENTSCHEIDUNG DES USERS E01: {first}\n\
             FRAGE 2 (`X-1`): b\nENTSCHEIDUNG DES USERS (E02, s. o.): {second}\n---\n"
        ))
    };
    let one = |kind| table(&[("D-20261101-001", kind)]);
    assert_eq!(entry("A", "[HIER EINTRAGEN]"), one("open"));
    assert_eq!(entry("TBD", "B"), one("open"));
    assert_eq!(entry("A", "B"), one("pending"));
    assert_eq!(entry("A", "[B"), one("unclear"));
}

#[test]
fn an_alias_is_no_decision() {
    let text = "## D-20261101-001 — Migrationsalias of D-20261101-002\nENTSCHEIDUNG DES USERS: A\n---\n\
        ## D-20261101-003 — T\nSTATUS: MIGRATIONSALIAS\nENTSCHEIDUNG DES USERS: OFFEN\n---\n\
        ## D-20261101-004 — T\nKONTEXT: no MIGRATIONSALIAS at all\nENTSCHEIDUNG DES USERS: OFFEN\n---\n";
    let expected = table(&[
        ("D-20261101-001", "alias"),
        ("D-20261101-003", "alias"),
        ("D-20261101-004", "open"),
    ]);
    assert_eq!(active(text), expected);
}

#[test]
fn files_of_the_chain_of_this_host_and_of_others() {
    let entry = |n: usize| format!("## D-20261101-00{n} — T\nENTSCHEIDUNG DES USERS: OFFEN\n");
    let names = [
        "TO-DECIDE-USER.txt",
        "TO-DECIDE-USER_2.txt",
        "TO-DECIDE-USER-hosta.txt",
        "TO-DECIDE-USER-HOSTB.txt",
        "TO-DECIDE-USER_4-HOSTA.txt",
        "TO-DECIDE-USER (conflicted copy).txt",
        "NOTES.txt",
        "_decision-archive/TO-DECIDE-USER.txt",
    ];
    let texts: Vec<String> = (1..=names.len()).map(entry).collect();
    let files = names.iter().copied().zip(texts.iter().map(String::as_str));
    let answer = read(&files.collect::<Vec<_>>());
    let expected = table(&[
        ("D-20261101-001", "open"),
        ("D-20261101-002", "open"),
        ("D-20261101-003", "open"),
        ("D-20261101-004", "elsewhere"),
    ]);
    assert_eq!(kinds(&answer), expected);
    assert_eq!(
        answer.why,
        "4 decision(s) in 4 file(s); not read, a copy: TO-DECIDE-USER (conflicted copy).txt; \
         not read, a copy: TO-DECIDE-USER_4-HOSTA.txt"
    );
    let only_a_copy = read(&[("TO-DECIDE-USER_4-HOSTA.txt", &entry(1))]);
    assert_eq!(only_a_copy.status, Status::Unavailable);
}

#[test]
fn a_done_entry_is_news_from_the_day_of_the_baseline_on() {
    // The stage's baseline is 2026-11-23T10:00.
    let text = "## D-20261101-001 — on the day\nENTSCHIEDEN AM: 2026-11-23 (decision-clicker)\n\
        ## D-20261101-002 — a day too old\nENTSCHIEDEN AM: 2026-11-22\n\
        ## D-20261123-003 — by its id\nENTSCHEIDUNG: [A]\n\
        ## D-20261122-004 — too old by its id\n\
        ## D-20261130-005 — its date comes before its id\nENTSCHIEDEN AM: 2026-11-01\n\
        ## D-20261130-006 — no date at all\nENTSCHIEDEN AM: gestern\n\
        ## D-20261122-007 — with a time\nentschieden am: 2026-11-30T09:00:00+01:00\n\
        ## D-20269999-008 — no day of the calendar\n";
    let expected = table(&[
        ("D-20261101-001", "done"),
        ("D-20261122-007", "done"),
        ("D-20261123-003", "done"),
        ("D-20261130-006", "done"),
        ("D-20269999-008", "done"),
    ]);
    assert_eq!(done(text), expected);
}

#[test]
fn what_is_implemented_is_no_news() {
    let entry = |line: &str| {
        done(&format!(
            "## D-20261129-001 — T\nENTSCHIEDEN AM: 2026-11-29\n{line}\n"
        ))
    };
    for line in [
        "UMGESETZT AM: 2026-11-30",
        "umgesetzt: ja",
        "UMSETZUNG: erledigt (T-1)",
        "UMSETZUNGSSTATUS: abgeschlossen",
        "IMPLEMENTED ON: 2026-11-30",
        "STATUS: UMGESETZT",
    ] {
        assert_eq!(entry(line), BTreeMap::new(), "{line}");
    }
    for line in [
        "UMGESETZT AM:",
        "UMGESETZT: nein",
        "UMSETZUNG: wird in T-1 verfolgt",
        "STATUS: DONE",
        "KONTEXT: umgesetzt: ja",
        "UMSETZUNG: jaein",
    ] {
        assert_eq!(entry(line), table(&[("D-20261129-001", "done")]), "{line}");
    }
}

#[test]
fn an_entry_that_was_reset_is_open_again() {
    let reset = "## D-20260801-001 — T\nENTSCHIEDEN AM: 2026-08-02\nENTSCHEIDUNG: [A]\n\
        ZURÜCKGESETZT AM: 2026-08-03 (slip) - open again\n";
    let again = "## D-20260801-001 — T\nENTSCHIEDEN AM: 2026-11-29\nENTSCHEIDUNG: [B]\n";
    let id = "D-20260801-001";
    assert_eq!(done(reset), table(&[(id, "open")]));
    let windows = format!("\u{feff}{}", reset.replace('\n', "\r\n"));
    assert_eq!(done(&windows), table(&[(id, "open")]));
    // Decided once more: the entry counts as done, whichever block comes first.
    for text in [format!("{reset}{again}"), format!("{again}{reset}")] {
        assert_eq!(done(&text), table(&[(id, "done")]));
    }
    // The clicker puts the entry back: then the active file says what it is.
    let back = "## D-20260801-001 — T\nENTSCHEIDUNG DES USERS: C\n";
    let both = [("DECIDED-AND-DONE.md", reset), ("TO-DECIDE-USER.txt", back)];
    assert_eq!(read_kinds(&both), table(&[(id, "pending")]));
}

#[test]
fn an_id_counts_once() {
    let entry = |answer: &str| format!("## D-20261129-001 — T\nENTSCHEIDUNG DES USERS: {answer}\n");
    let decided = "## D-20261129-001 — T\nENTSCHIEDEN AM: 2026-11-29\n";
    let old = "## D-20261129-001 — T\nENTSCHIEDEN AM: 2026-11-01\n";
    let id = "D-20261129-001";
    let open = entry("OFFEN");
    let with = |done: &str| {
        read_kinds(&[
            ("DECIDED-AND-DONE.md", done),
            ("TO-DECIDE-USER.txt", &open),
            ("TO-DECIDE-USER-HOSTB.txt", &open),
        ])
    };
    assert_eq!(with(decided), table(&[(id, "done")]));
    assert_eq!(
        with(&format!("{old}{decided}{decided}")),
        table(&[(id, "done")])
    );
    assert_eq!(with(old), BTreeMap::new());
    assert_eq!(with(""), table(&[(id, "open")]));
    // Two active entries of one id are both shown.
    let twice = read_kinds(&[
        ("TO-DECIDE-USER.txt", &entry("A")),
        ("TO-DECIDE-USER_2.txt", &open),
    ]);
    let second = format!("{id} {}", place("TO-DECIDE-USER_2.txt:1"));
    assert_eq!(twice, table(&[(id, "pending"), (&second, "open")]));
}

#[test]
fn a_damaged_file_makes_the_source_unavailable() {
    let cases: [(Content, &str); 6] = [
        (Content::Unreadable, "no permission"),
        (Content::Fifo, "FIFO"),
        (Content::Folder, "folder"),
        (Content::Bytes(vec![b'#', 0xff, 0xfe]), "not UTF-8"),
        (
            Content::Text("## D-20261101-001 — T\n\0\0\0".into()),
            "half written",
        ),
        (
            Content::Text("## D-20261101-001 — T\nENTSCHEIDUNG DES USERS: [HIER EI".into()),
            "half written",
        ),
    ];
    for (content, why) in cases {
        for name in [
            "TO-DECIDE-USER.txt",
            "TO-DECIDE-USER-HOSTB.txt",
            "DECIDED-AND-DONE.md",
        ] {
            let good = stage().file(&place("TO-DECIDE-USER_7.txt"), "");
            let answer = good.place(&place(name), content.clone().into()).read(ROLE);
            assert_eq!(answer.status, Status::Unavailable, "{name} {content:?}");
            assert!(answer.why.contains(why), "{}", answer.why);
        }
    }
    let folder = stage().place(PLACE, Content::Unreadable.into());
    assert_eq!(folder.read(ROLE).status, Status::Unavailable);
    let file = stage().file(PLACE, "").read(ROLE);
    assert_eq!(file.status, Status::Unavailable);
    assert!(file.why.contains("is a file, not a folder"), "{}", file.why);
}

/// Whatever a crash cuts off, nobody's decision is invented.
#[test]
fn no_prefix_of_a_register_turns_an_open_entry_into_work() {
    let text = data("decisions/TO-DECIDE-USER.txt");
    for (end, _) in text.char_indices().skip(20) {
        let answer = read(&[("TO-DECIDE-USER.txt", &text[..end])]);
        for (id, kind) in kinds(&answer) {
            let invented = kind == "decision.pending" && id != "D-20261127-002";
            assert!(!invented, "{id} {kind} after {:?}", &text[..end]);
        }
        let begun = text[..end].contains("## D-20261128-001");
        assert!(!begun || answer.status != Status::Empty, "{end}");
    }
}

#[test]
fn what_was_read_and_holds_nothing_is_empty() {
    let nothing: [(&str, &str); 4] = [
        ("TO-DECIDE-USER.txt", ""),
        ("DECIDED-AND-DONE.md", ""),
        ("TO-DECIDE-USER.txt", "\u{feff}TO-DECIDE-USER\r\n"),
        ("DECIDED-AND-DONE.md", "# DECIDED AND DONE\n\nProse.\n"),
    ];
    for (name, text) in nothing {
        let answer = read(&[(name, text)]);
        assert_eq!(answer.status, Status::Empty, "{}", answer.why);
        assert_eq!(
            answer.why,
            "0 decision(s) in 1 file(s): none is open, pending or new"
        );
    }
    let none = stage().place(PLACE, folder()).read(ROLE);
    assert_eq!(none.status, Status::Empty);
    assert!(none.why.starts_with("no decision files"), "{}", none.why);
    assert_eq!(read(&[("NOTES.md", "x")]).status, Status::Empty);
}

#[test]
fn the_situation_is_that_of_the_files_of_the_chain() {
    let file = |stage: &Stage, name: &str, text: &str, mtime: i64| {
        let case = FileCase {
            mtime,
            ..FileCase::text(text)
        };
        stage.clone().place(&place(name), case)
    };
    let base = file(&stage(), "TO-DECIDE-USER.txt", "abc", 1);
    let situation = |stage: &Stage| stage.locate(ROLE).unwrap().situation().clone();
    let before = situation(&base);
    assert_eq!(before, situation(&base.clone()));
    for changed in [
        file(&base, "TO-DECIDE-USER.txt", "abc", 2),
        file(&base, "TO-DECIDE-USER.txt", "abcd", 1),
        file(&base, "TO-DECIDE-USER-HOSTB.txt", "", 0),
        file(&base, "TO-DECIDE-USER_4-HOSTA.txt", "", 0),
        file(&base, "DECIDED-AND-DONE.md", "", 0),
    ] {
        assert_ne!(before, situation(&changed));
    }
    let other = file(&base, "INDEX.md", "x", 9);
    assert_eq!(before, situation(&other));
}

#[test]
fn in_a_tick_pending_is_work_and_open_waits_for_the_person() {
    let file = |answer: &str| {
        let text = format!("## D-20261101-001 — T\nENTSCHEIDUNG DES USERS: {answer}\n");
        stage().file(&place("TO-DECIDE-USER.txt"), &text).tick()
    };
    assert_eq!(file("A").signal, Signal::Continue);
    let open = file("[HIER EINTRAGEN]");
    assert!(matches!(open.signal, Signal::Blind { .. }));
    assert_eq!(open.bundle.len(), 1);
    let effect = file("A, then upload it to Zenodo");
    assert_eq!((effect.items.len(), effect.bundle.len()), (0, 1));
}
