//! `user.model`: only with consent; predictions by their confidence, open actions, and what makes
//! the model unreadable.
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
use belegt::world::fixture::{Content, FileCase};
use serde_json::{Value, json};
use support::{ROOT, Stage, folder};
use tools::{data, missing};

const ROLE: &str = "user.model";
const PLACE: &str = "_control-center/_CONTROL/_USER-MIND";
const SAY: &str = "WHAT-WOULD-KIM-SAY.md";
const LOG: &str = "MY-ACTIONS.txt";

fn stage() -> Stage {
    let mut stage = Stage::new().command(missing("source-resolver"));
    stage.site = json!({ "user_model": { "authorized": true } });
    stage
}

fn with(name: &str, text: &str) -> Stage {
    stage().file(&format!("{PLACE}/{name}"), text)
}

fn read(name: &str, text: &str) -> Answer {
    with(name, text).read(ROLE)
}

/// Titles and kinds, in order.
fn titles(answer: &Answer) -> Vec<(&str, &str)> {
    assert_ne!(answer.status, Status::Unavailable, "{}", answer.why);
    let items = answer.items.iter().map(|seen| &seen.item);
    items
        .map(|item| (item.title.as_str(), item.kind.as_str()))
        .collect()
}

fn table(rows: &str) -> Answer {
    read(
        SAY,
        &format!("| Situation | Prediction | Confidence |\n|---|---|---|\n{rows}"),
    )
}

#[test]
fn without_consent_nothing_is_looked_at() {
    let grants = [
        json!({}),
        json!({ "user_model": true }),
        json!({ "user_model": null }),
        json!({ "user_model": "authorized" }),
        json!({ "user_model": {} }),
        json!({ "user_model": { "authorized": false } }),
        json!({ "user_model": { "authorized": "yes" } }),
        json!({ "user_model": { "authorised": true } }),
    ];
    for grant in grants {
        let mut stage = with(SAY, "");
        stage.site = grant.clone();
        let answer = stage.locate(ROLE).unwrap_err();
        assert_eq!(answer.status, Status::Unavailable, "{grant}");
        assert!(answer.why.starts_with("not authorised: "), "{}", answer.why);
        assert!(answer.calls[0].receipts.is_empty(), "{grant}");
    }
    assert_eq!(with(SAY, "").read(ROLE).status, Status::Empty);
}

#[test]
fn the_recorded_model() {
    for folder in ["", "avatar/"] {
        let files = ["START.md", SAY, LOG];
        let stage = files.iter().fold(stage(), |stage, name| {
            stage.file(
                &format!("{PLACE}/{folder}{name}"),
                &data(&format!("user-mind/{name}")),
            )
        });
        let answer = stage.read(ROLE);
        let expected = [
            ("Formatter reports drift after a change", "model.high"),
            ("A dependency has a patch release", "model.medium"),
            ("Replacing the storage engine", "model.low"),
        ];
        assert_eq!(titles(&answer), expected);
        let first = &answer.items[0].item;
        assert_eq!(first.at, format!("{folder}{SAY}:5"));
        assert_eq!(first.detail, "Run the formatter and commit it on its own");
        let shown = format!("{:?}", answer.items);
        assert!(!shown.contains(ROOT), "{shown}");
    }
}

#[test]
fn a_place_with_nothing_to_predict_is_empty() {
    let start = read("avatar/START.md", "# START\n🟢\n");
    assert_eq!(
        (start.status, start.why.as_str()),
        (Status::Empty, "no predictions and no action log")
    );
    assert_eq!(
        stage().place(PLACE, folder()).read(ROLE).status,
        Status::Empty
    );
    for (name, text) in [
        (SAY, ""),
        (SAY, "# Prose\n\n| a | b |\n|---|---|\n| x | 🟢 |\n"),
        (LOG, ""),
        (LOG, "\u{feff}# a log\r\n\r\n"),
    ] {
        assert_eq!(read(name, text).status, Status::Empty, "{text}");
    }
    // What the person said, and what was done, is evidence and no prediction.
    let said = read("WHAT-KIM-SAID.md", "## [2026-11-30] x — confidence: 🟢\n");
    assert_eq!(said.status, Status::Empty);
}

#[test]
fn a_confidence_is_exactly_one_sign() {
    for (cell, kind) in [
        ("🟢", "model.high"),
        ("**🟡**", "model.medium"),
        ("🔴 novel", "model.low"),
        ("high", "model.low"),
        ("", "model.low"),
        ("🟠", "model.low"),
    ] {
        let answer = table(&format!("| s | p | {cell} |\n"));
        assert_eq!(titles(&answer), [("s", kind)], "{cell}");
    }
    assert_eq!(table("| s | p | 🟢/🟡/🔴 |\n").status, Status::Empty);
    assert_eq!(table("| s | p | 🟢🔴 |\n").status, Status::Empty);
    assert_eq!(table("|  |  |  |\n").status, Status::Empty);
}

#[test]
fn a_row_of_another_width_is_not_trusted() {
    let answer = table("| s | a | b | 🔴 |\n| t | a |\n| u \\| v | a | 🟢 |\n");
    let expected = [
        ("s", "model.low"),
        ("t", "model.low"),
        ("u | v", "model.high"),
    ];
    assert_eq!(titles(&answer), expected);
    let shifted = table("| s | a | 🟢 | 🔴 |\n");
    assert_eq!(titles(&shifted), [("s", "model.low")]);
}

#[test]
fn a_heading_may_bear_the_confidence() {
    let text = "# Log\n## [2026-11-30 10:00] Ship — it — confidence: 🟡\nShip.\n\
        ## Tidy up - Confidence: 🟢\n## [2026-11-30] x — verdict: 👍 confirmed\n\
        ## [YYYY-MM-DD HH:MM] title — confidence: 🟢/🟡/🔴\n## plain 🟢\n";
    let answer = read(SAY, text);
    let expected = [("Ship — it", "model.medium"), ("Tidy up", "model.high")];
    assert_eq!(titles(&answer), expected);
    assert_eq!(answer.items[0].item.at, format!("{SAY}:2"));
    assert_eq!(answer.items[0].item.detail.trim(), "Ship.");
}

#[test]
fn equal_predictions_count_once_and_others_do_not() {
    let answer = table("| s | p | 🟢 |\n| s | p | 🟢 |\n| s | q | 🟢 |\n");
    assert_eq!(answer.items.len(), 2, "{}", answer.why);
    let moved = table("| x | y | 🔴 |\n| s | p | 🟢 |\n");
    assert_eq!(answer.items[0].item.id, moved.items[1].item.id);
}

fn line(confidence: &str, reversible: &str, state: &str) -> String {
    format!("2026-11-14T10:00:00Z\t{confidence}\t{reversible}\t{state}\tRun it\tKim wants it\n")
}

#[test]
fn open_actions_by_their_confidence_and_whether_they_can_be_taken_back() {
    let kind = |confidence: &str, reversible: &str, state: &str| {
        let answer = read(
            LOG,
            &format!("# log\n{}", line(confidence, reversible, state)),
        );
        let titles = titles(&answer);
        assert!(titles.iter().all(|(title, _)| *title == "Run it"));
        titles.first().map(|(_, kind)| kind.to_string())
    };
    let is = |kind: &str| Some(format!("model.{kind}"));
    for high in [
        "🟢", "green", "G", "high", "🟡", "Yellow", "y", "medium", "MED",
    ] {
        assert_eq!(kind(high, "y", "open"), is("action"), "{high}");
        assert_eq!(kind(high, "n", "open"), is("irreversible"), "{high}");
    }
    for low in ["🔴", "red", "R", "low", "novel"] {
        assert_eq!(kind(low, "y", "open"), is("low"), "{low}");
    }
    for state in ["confirmed", "corrected", "rejected", "escalated"] {
        assert_eq!(kind("🟢", "y", state), None, "{state}");
    }
    let answer = read(LOG, &format!("# log\n\n{}", line("g", "y", "open")));
    assert_eq!(answer.items[0].item.at, format!("{LOG}:3"));
    let windows = read(LOG, &line("g", "y", "open").replace('\n', "\r\n"));
    assert_eq!(windows.items[0].item.detail, "Kim wants it");
}

#[test]
fn a_line_of_the_log_that_is_not_understood_makes_the_model_unavailable() {
    for (bad, why) in [
        (line("sure", "y", "open"), "unknown confidence sure"),
        (line("", "y", "confirmed"), "unknown confidence"),
        (
            line("g", "maybe", "confirmed"),
            "reversible is y or n, not maybe",
        ),
        (line("g", "y", "opn"), "unknown state opn"),
        (line("g", "y", " open"), "unknown state"),
        (
            "2026-11-14\tg\ty\topen\tx\n".to_string(),
            "5 fields instead of 6",
        ),
        (line("g", "y", "open\tx"), "7 fields instead of 6"),
        ("just prose\n".to_string(), "1 fields instead of 6"),
    ] {
        let answer = read(LOG, &format!("# log\n{}{bad}", line("g", "y", "open")));
        assert_eq!(answer.status, Status::Unavailable, "{bad}");
        let said = format!("{LOG}:3: {why}");
        assert!(answer.why.contains(&said), "{}", answer.why);
    }
}

#[test]
fn a_damaged_file_makes_the_model_unavailable() {
    for name in [SAY, LOG, "avatar/WHAT-WOULD-KIM-SAY.md"] {
        for content in [
            Content::Unreadable,
            Content::Fifo,
            Content::Folder,
            Content::Bytes(vec![0xff]),
        ] {
            let stage = stage().place(&format!("{PLACE}/{name}"), content.clone().into());
            let answer = stage.read(ROLE);
            assert_eq!(answer.status, Status::Unavailable, "{name} {content:?}");
        }
    }
    let avatar = stage().place(&format!("{PLACE}/avatar"), Content::Unreadable.into());
    assert_eq!(avatar.read(ROLE).status, Status::Unavailable);
    assert_eq!(
        stage().file(PLACE, "").read(ROLE).status,
        Status::Unavailable
    );
}

#[test]
fn the_situation_is_that_of_the_files_of_the_model() {
    let at = |text: &str, mtime: i64| FileCase {
        mtime,
        ..FileCase::text(text)
    };
    let place = |name: &str| format!("{PLACE}/{name}");
    let base = stage().place(&place(SAY), at("abc", 1));
    let situation = |stage: &Stage| -> Value { stage.locate(ROLE).unwrap().situation().clone() };
    let before = situation(&base);
    for changed in [
        base.clone().place(&place(SAY), at("abc", 2)),
        base.clone().place(&place(LOG), at("", 0)),
        base.clone()
            .place(&place("avatar/MY-ACTIONS.txt"), at("", 0)),
    ] {
        assert_ne!(situation(&changed), before);
    }
    let other = base.clone().place(&place("PROMPT-LOG.md"), at("x", 9));
    assert_eq!(situation(&other), before);
}
