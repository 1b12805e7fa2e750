//! The shipped words of the condition language, and how long reading takes.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/words.rs"]
mod words;

use std::time::{Duration, Instant};

use belegt::lang::{Timing, prose, read, read_one};
use belegt::model::gate::Mode;
use words::shipped;

#[test]
fn the_shipped_table_can_be_used() {
    let words = shipped();
    assert_eq!(words.check(), Ok(()));
    let names: Vec<&str> = words.words.keys().map(String::as_str).collect();
    assert_eq!(names, ["/after", "/condition", "/if", "/if-only", "/when"]);
    for (name, word) in &words.words {
        let mode = if name == "/if-only" {
            Mode::Only
        } else {
            Mode::Wait
        };
        assert_eq!(word.mode, mode, "{name}");
        assert_eq!(word.numbered, name == "/condition", "{name}");
        assert!(!word.about.is_empty());
    }
    assert_eq!(words.words["/when"].timing, Timing::Event);
    assert_eq!(words.words["/after"].timing, Timing::Duration);
    assert_eq!(words.words["/after"].method.as_deref(), Some("time"));
    assert_eq!(
        words.methods,
        [
            "consent", "gate", "git", "process", "task", "tests", "file", "time"
        ]
    );
}

#[test]
fn every_shipped_word_join_and_arrow_is_read() {
    let words = shipped();
    for word in words.words.keys() {
        for arrow in &words.arrows {
            let text = format!("{word} 30 Minuten vorbei{arrow}weiter");
            let reading = read("t", &text, &words);
            assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
            assert_eq!(reading.statements[0].step, "weiter", "{text}");
            assert_eq!(&reading.statements[0].word, word);
        }
        for join in words.joins.keys() {
            let text = format!("{word} a {join} b -> weiter");
            let reading = read("t", &text, &words);
            assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
            assert_eq!(reading.statements[0].expr.atoms().len(), 2, "{text}");
        }
    }
}

#[test]
fn every_shipped_phrase_is_found() {
    let words = shipped();
    for (phrase, row) in &words.phrases {
        let text = format!("Eins zwei {phrase} drei vier.");
        let found = prose(&text, &words);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].because, *phrase);
        assert!(found[0].statement.starts_with(&row.word), "{text}");
        assert!(read("t", &text, &words).statements.is_empty());
    }
}

#[test]
fn vague_and_irreversible_words_are_known_in_both_languages() {
    let words = shipped();
    for step in [
        "Altbestand löschen",
        "Drop table x",
        "rm -rf build",
        "Bericht veröffentlichen",
    ] {
        assert!(words.irreversible_in(step).is_some(), "{step}");
    }
    assert!(words.irreversible_in("Bericht lesen").is_none());
    for vague in [
        "wenn der Code sauber aussieht",
        "Looks good to me",
        "ggf. später",
    ] {
        assert!(words.unclear_in(vague).is_some(), "{vague}");
    }
    assert!(words.unclear_in("Tests grün").is_none());
}

/// Hostile texts of one size; reading one takes no longer than its length asks for.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let fill = |piece: &str| piece.repeat(size / piece.len());
    let line = |piece: &str| format!("/if {}", fill(piece));
    let numbers = (0..size / 40).fold(String::new(), |text, n| {
        format!("{text}/condition {n} condition {}\n", n + 1)
    });
    vec![
        ("quotes", line("\"")),
        ("odd quotes", line("„")),
        ("backticks", line("`` ")),
        ("growing backticks", line("`` ``` ```` ````` ")),
        ("open", line("(")),
        ("pairs", line("()")),
        (
            "nested",
            format!("/if {}a{} -> b", "(".repeat(size / 2), ")".repeat(size / 2)),
        ),
        ("text groups", line("a (b) ")),
        ("ands", line("/and ")),
        ("operands", line("a /and ")),
        ("mixed", line("a /and b /or ")),
        ("arrows", line("->")),
        ("slashes", line("/")),
        ("spread slashes", line(" /")),
        ("near joins", line("/adn ")),
        ("commands", line("/if ")),
        ("letters", line("a")),
        ("letters before the word", fill("*")),
        ("decorated", fill("** /if a -> b\n")),
        ("lines of commands", fill("/if a -> b\n")),
        ("lines of faults", fill("/if a\n")),
        ("lines of unknown words", fill("/iffy a -> b\n")),
        ("continued", format!("/if a\n{}", fill("/and a\n"))),
        ("joins at lines", fill("/and\n")),
        ("blank lines", fill("\n")),
        ("carriage returns", fill("/if a -> b\r")),
        (
            "nested lists",
            format!(
                "{}\n{}",
                "- ".repeat(size / 4),
                "\n/if a -> b".repeat(size / 40)
            ),
        ),
        (
            "nested quotes",
            format!("{}\n{}", ">".repeat(size / 2), ">\n".repeat(size / 4)),
        ),
        (
            "deep lists",
            fill("- - - - - - - - - - - - - - - - /if a -> b\n"),
        ),
        ("fences", fill("```\n")),
        ("comments", fill("<!-- ")),
        ("comments in lines", format!("/if {}", fill("<!-- a --> "))),
        ("brackets", format!("/if {}", fill("["))),
        ("stars", format!("/if {}", fill("*a "))),
        ("misplaced words", format!("x {}", fill("/if \"/if\" „ "))),
        ("misplaced quotes", format!("x /if {}", fill("„ « » "))),
        ("misplaced backticks", format!("x {}", backticks(size))),
        ("misplaced slashes", format!("x {}", fill("/a-"))),
        ("lines of misplaced words", fill("x /if a -> b\n")),
        ("second steps", format!("/if a\n{}", fill("-> b\n"))),
        (
            "variation selectors",
            format!("/if a ->{}", fill("\u{fe0f}")),
        ),
        ("numbers", numbers),
        ("byte order marks", fill("\u{feff}")),
        ("sentences", fill("sobald ")),
    ]
}

/// Runs of backticks of which no two are of one length.
fn backticks(size: usize) -> String {
    let lengths = (1..).take_while(|length| length * length < 2 * size);
    lengths.fold(String::new(), |text, length| {
        format!("{text}{} ", "`".repeat(length))
    })
}

fn all_readings(text: &str) -> Duration {
    let words = shipped();
    let start = Instant::now();
    read("t", text, &words);
    read_one("t", text, &words);
    prose(text, &words);
    start.elapsed()
}

#[test]
fn hostile_texts_are_read_in_linear_time() {
    for (name, text) in hostile(200_000) {
        let took = all_readings(&text);
        assert!(took < Duration::from_secs(2), "{name}: {took:?}");
    }
}

/// `cargo test --release --test lang -- --ignored`
#[test]
#[ignore = "a measurement, for an optimised build on a quiet machine"]
fn a_megabyte_is_read_in_fifty_milliseconds() {
    let words = shipped();
    let page = "# Auftrag\n\nErst lesen, *dann* prüfen (siehe `doc/x.md`).\n\n\
        - [ ] Punkt eins /tmp\n  - Unterpunkt\n\n```sh\nls -> x\n```\n\n";
    let mut text = page.repeat(1_000_000 / page.len());
    text.push_str("/if Tests grün -> mergen\n");
    let once = || {
        let start = Instant::now();
        let reading = read("t", &text, &words);
        assert_eq!((reading.statements.len(), reading.faults.len()), (1, 0));
        start.elapsed()
    };
    let took = (0..9).map(|_| once()).min().unwrap();
    let mut told = format!("prompt {took:?}\n");
    for (name, text) in hostile(1_000_000) {
        let start = Instant::now();
        read("t", &text, &words);
        told.push_str(&format!("{name} {:?}\n", start.elapsed()));
    }
    assert!(took < Duration::from_millis(50), "{told}");
}
