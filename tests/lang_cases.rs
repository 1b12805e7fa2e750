//! The cases of the condition language that other tools got wrong, one test each.
//!
//! Of the cases about times and proofs this is the part that reads them: the text must reach the
//! proof method unharmed.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test may fail"
)]

#[path = "support/words.rs"]
mod words;

use belegt::diag::Code;
use belegt::lang::{Expr, Reading, Statement, read, read_one};
use belegt::model::gate::Mode;
use words::shipped;

fn reading(text: &str) -> Reading {
    read("prompt", text, &shipped())
}

/// The one statement of a text without faults.
fn only(text: &str) -> Statement {
    let reading = reading(text);
    assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
    assert_eq!(reading.statements.len(), 1, "{text}");
    reading.statements.into_iter().next().unwrap()
}

/// Texts of the conditions and the step.
fn told(statement: &Statement) -> (Vec<&str>, &str) {
    let atoms = statement.expr.atoms().into_iter();
    (atoms.map(|a| a.text.as_str()).collect(), &statement.step)
}

fn codes(reading: &Reading) -> Vec<Code> {
    reading.faults.iter().map(|fault| fault.code()).collect()
}

#[test]
fn o_a01_line_ends_of_web_editors() {
    let expected = (vec!["Tests grün"], "Release bauen");
    for end in ["\n", "\r\n", "\r"] {
        let text = format!("/condition Tests grün -> Release bauen{end}weiterer Text{end}");
        let statement = only(&text);
        assert_eq!(told(&statement), expected);
        assert!(!format!("{statement:?}").contains("\\r"));
    }
}

#[test]
fn o_a02_a_shorter_word_never_swallows_a_longer_one() {
    let statement = only("/if-only verifiziertes Backup vorhanden -> alte Dateien löschen");
    assert_eq!(statement.mode, Mode::Only);
    assert_eq!(
        told(&statement),
        (
            vec!["verifiziertes Backup vorhanden"],
            "alte Dateien löschen"
        )
    );
}

/// Stricter than the case: the look-alikes give no statement, and they are faults, because
/// whoever wrote them believes that the step is protected. The path is nothing.
#[test]
fn o_a03_look_alikes_and_letter_case() {
    let reading = reading(
        "/iffy Sache -> x\n/after/effects.md lesen\n/conditional Tests -> x\n/If Review da -> mergen\n",
    );
    assert_eq!(reading.statements.len(), 1);
    assert_eq!(reading.statements[0].word, "/if");
    assert_eq!(told(&reading.statements[0]), (vec!["Review da"], "mergen"));
    assert_eq!(codes(&reading), [Code::LangWord, Code::LangWord]);
    let lines: Vec<usize> = reading
        .faults
        .iter()
        .map(|f| f.place().unwrap().1)
        .collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn o_a04_a_mention_is_not_a_use() {
    let reading = reading("Schreibe Gates bitte mit /if oder /when, nicht als Fließtext.");
    assert!(reading.statements.is_empty() && reading.faults.is_empty());
}

#[test]
fn o_a05_code_blocks_are_literal() {
    for (open, close) in [
        ("```", "```"),
        ("~~~", "~~~"),
        ("```text", "```"),
        ("\n", "\n"),
    ] {
        let indent = if open == "\n" { "    " } else { "" };
        let statement = only(&format!(
            "Beispiel:\n{open}\n{indent}/if-only Backup belegt -> Altbestand löschen\n{close}\n\
             /condition Tests grün -> mergen\n"
        ));
        assert_eq!(told(&statement), (vec!["Tests grün"], "mergen"));
    }
}

#[test]
fn o_a06_no_silent_precedence() {
    let text = "/if Tests grün /and Review da /or Notfallregel aktiv -> mergen";
    let reading = reading(text);
    assert!(reading.statements.is_empty());
    assert_eq!(codes(&reading), [Code::LangMixed]);
    let fault = &reading.faults[0];
    let help = fault.help_text().unwrap();
    for both in [
        "(Tests grün /and Review da) /or Notfallregel aktiv",
        "Tests grün /and (Review da /or Notfallregel aktiv)",
    ] {
        assert!(help.contains(both), "{help}");
        only(&format!("/if {both} -> mergen"));
    }
    let column = text[..text.find("/or").unwrap()].chars().count() + 1;
    assert_eq!(fault.place(), Some(("prompt".to_string(), 1, column)));
}

#[test]
fn o_a07_a_negation_belongs_to_its_own_condition() {
    let statement = only("/if nicht Deploy läuft /and Tests grün -> mergen");
    assert_eq!(
        told(&statement),
        (vec!["nicht Deploy läuft", "Tests grün"], "mergen")
    );
    assert!(matches!(statement.expr, Expr::All(_)));
}

#[test]
fn o_a08_parentheses_behind_text_are_text() {
    let statement = only("/if Tests grün (nur unit) /and Review da -> mergen");
    assert_eq!(
        told(&statement),
        (vec!["Tests grün (nur unit)", "Review da"], "mergen")
    );
    assert!(matches!(statement.expr, Expr::All(_)));
    for text in [
        "/if Tests grün (nur unit -> mergen",
        "/if Tests grün) -> mergen",
    ] {
        assert_eq!(codes(&reading(text)), [Code::LangGroup]);
    }
}

#[test]
fn o_a09_quotes_protect_the_arrow() {
    let statement = only("/if Log enthält \"A -> B\" -> melden");
    assert_eq!(told(&statement), (vec!["Log enthält \"A -> B\""], "melden"));
    let reading = reading("/if A -> B -> C");
    assert!(reading.statements.is_empty());
    assert_eq!(codes(&reading), [Code::LangArrow]);
    let help = reading.faults[0].help_text().unwrap();
    assert!(
        help.contains("/if A -> \"B -> C\"") && help.contains("/if \"A -> B\" -> C"),
        "{help}"
    );
}

#[test]
fn o_a10_editors_change_arrows() {
    for arrow in ["→", "–>", "—>", "⇒", "=>", "-->"] {
        let statement = only(&format!("/condition Tests grün {arrow} Release bauen"));
        assert_eq!(told(&statement), (vec!["Tests grün"], "Release bauen"));
    }
}

#[test]
fn o_a11_to_o_a14_durations_reach_the_time_method_as_written() {
    for written in [
        "15m",
        "1 hour, 30 minutes",
        "1h30m",
        "1 hour 30 min",
        "2h2h",
        "30m1h",
        "1.2.3h",
        "90",
        "1h30",
        "2 Stunden",
    ] {
        let statement = only(&format!("/after {written} -> Status prüfen"));
        assert_eq!(statement.method.as_deref(), Some("time"));
        let text = format!("after {written}");
        assert_eq!(told(&statement), (vec![text.as_str()], "Status prüfen"));
        assert_eq!(
            statement.to_string(),
            format!("/after {written} -> Status prüfen")
        );
    }
}

#[test]
fn o_a15_a_text_without_a_word_is_a_condition() {
    for written in [
        "nach zwei Stunden",
        "in einer halben Stunde",
        "time 22.04 Uhr",
    ] {
        let text = format!("{written} -> Status prüfen");
        let reading = read_one("TEXT", &text, &shipped());
        assert!(reading.faults.is_empty());
        assert_eq!(
            told(&reading.statements[0]),
            (vec![written], "Status prüfen")
        );
        assert_eq!(reading.statements[0].word, "/condition");
    }
}

#[test]
fn o_a16_to_o_a20_times_are_no_numbers_of_conditions() {
    for written in [
        "time 22.04 Uhr",
        "time 22.04",
        "time 22.04.",
        "time 24:00",
        "time 16:00 IST",
        "time 02:30 Europe/Berlin",
        "16:00 Uhr vorbei",
        "22.04. erreicht",
    ] {
        let statement = only(&format!("/condition {written} -> x"));
        assert_eq!(told(&statement), (vec![written], "x"));
        assert_eq!(statement.expr.atoms()[0].label, None, "{written}");
    }
}

#[test]
fn o_a22_a_number_names_exactly_one_condition() {
    let reading = reading(
        "/condition 1 Tests grün\n/condition 1 Review da\n/if condition 1 /and condition 3 -> mergen\n",
    );
    assert!(reading.statements.is_empty());
    let messages: Vec<&str> = reading.faults.iter().map(|fault| fault.message()).collect();
    assert_eq!(
        messages,
        [
            "condition 1 is defined 2 times",
            "condition 3 is not defined"
        ]
    );
}

#[test]
fn o_a23_a_vague_condition_is_seen() {
    let statement = only("/condition wenn der Code sauber aussieht -> mergen");
    let words = shipped();
    let (texts, _) = told(&statement);
    assert_eq!(words.unclear_in(texts[0]), Some("sauber aussieht"));
}

#[test]
fn the_examples_of_the_language_are_read() {
    let text = "Ziel: Daten prüfen und Bericht veröffentlichen.\n\
        /condition time 16:00 Europe/Berlin -> Veröffentlichung starten\n\n\
        /condition 1 Tests erfolgreich\n/condition 2 Review freigegeben\n\
        /if condition 1 /and condition 2 -> mergen\n\n\
        /if-only verifiziertes Backup vorhanden -> alte Dateien löschen\n\
        /when Export fertig -> Bericht prüfen\n/after 30 minutes -> Status prüfen\n\
        /if Freigabe da /or Notfallregel aktiv -> starten\n";
    let reading = reading(text);
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
    let told: Vec<String> = reading
        .statements
        .iter()
        .map(Statement::to_string)
        .collect();
    assert_eq!(
        told,
        [
            "/condition time 16:00 Europe/Berlin -> Veröffentlichung starten",
            "/if Tests erfolgreich /and Review freigegeben -> mergen",
            "/if-only verifiziertes Backup vorhanden -> alte Dateien löschen",
            "/when Export fertig -> Bericht prüfen",
            "/after 30 minutes -> Status prüfen",
            "/if Freigabe da /or Notfallregel aktiv -> starten",
        ]
    );
    let atoms = reading.statements[1].expr.atoms();
    assert_eq!(
        atoms.iter().map(|a| a.label).collect::<Vec<_>>(),
        [Some(1), Some(2)]
    );
}

/// The one fault of a text that holds no statement: its code, and the text at its place.
fn misplaced(text: &str) -> (Code, String) {
    let reading = reading(text);
    assert!(reading.statements.is_empty(), "{text}");
    assert_eq!(reading.faults.len(), 1, "{text}: {:?}", reading.faults);
    let (_, line, column) = reading.faults[0].place().unwrap();
    let line = text.split('\n').nth(line - 1).unwrap();
    let at = line.chars().skip(column - 1);
    let word = at.take_while(|c| !c.is_whitespace()).collect();
    (reading.faults[0].code(), word)
}

#[test]
fn a_statement_behind_something_else_is_no_silence() {
    for before in [
        "▸ ",
        "👉 ",
        "✅ ",
        "1.1 ",
        "A) ",
        "(1) ",
        "[ ] ",
        "→ ",
        "- → ",
        "(",
        "\"",
        "| ",
        "Dann ",
        "Schritt 1: ",
        "<li>",
        "&nbsp;",
        "» ",
        "Text\u{2028}",
        "Text\u{85}",
        "Text\u{c}",
        "Text\u{b}",
        "Text `/if-only` und ` und \\`",
        "Text <!-- /if-only A -> b --> ",
        "Text `/when A -> b`",
        "/foo „x ",
        "**/if** ",
    ] {
        for word in ["/if-only", "/IF-Only"] {
            let text = format!("Plan:\n{before}{word} Backup da -> alte Dateien löschen\nEnde");
            assert_eq!(
                misplaced(&text),
                (Code::LangWord, misplaced_word(before, word)),
                "{text}"
            );
        }
    }
    for text in [
        "Text /if \"A -> b\" ⇒ c",
        "Text /if \"B da /if A -> b\"",
        "Text /if \"A -> b",
        "Text /if `A -> b -> c",
        "Text /if A ➡️ b",
        "Text /if A ->> b",
    ] {
        assert_eq!(misplaced(text).0, Code::LangWord, "{text}");
    }
}

/// A line that begins with a disguised word is complained about at its beginning.
fn misplaced_word(before: &str, word: &str) -> String {
    match before.trim_end() {
        "**/if**" => before.trim_end().to_string(),
        _ => word.to_string(),
    }
}

#[test]
fn mentions_quotes_and_paths_stay_prose() {
    for text in [
        "Schreibe `/if A -> b` oder ``/when A -> b ` ``",
        "Schreibe `/if` oder A -> b",
        "| `/if A -> b` | → |",
        "Text -> /if A",
        "Text /if \"A -> b\" c",
        "Text /if `->` c",
        "> Text /if A -> b",
        "- > Text /if A -> b",
        "```\nText /if A -> b\n```",
        "    Text /if A -> b",
        "<!-- Text /if A -> b -->",
        "<!--\nText /if A -> b\n-->",
        "Text <!-- /if A -> b --> -> c",
        "src/if A -> b",
        "./if A -> b und ../if A -> b",
        "9/if A -> b und //if und ä/if A -> b",
        "Text -/if A -> b",
        "Text /iffy A -> b und /if/x A -> b und /if: A -> b",
    ] {
        let reading = reading(text);
        assert!(reading.statements.is_empty(), "{text}");
        assert!(reading.faults.is_empty(), "{text}: {:?}", reading.faults);
    }
}

#[test]
fn a_second_arrow_line_is_no_silence() {
    for text in [
        "/if-only a\n-> mergen\n-> deployen",
        "/if-only a -> mergen\n  → deployen",
        "- /if-only a -> mergen\n- -> deployen",
    ] {
        let reading = reading(text);
        assert_eq!(codes(&reading), [Code::LangArrow], "{text}");
    }
    let three = reading("/if-only a\n-> b\n-> c\n-> d\n/if-only e -> f");
    assert_eq!(codes(&three), [Code::LangArrow, Code::LangArrow]);
    for text in [
        "/if-only a -> mergen\n\n-> deployen",
        "/if-only a -> mergen\nText\n-> deployen",
        "-> deployen\n/if-only a -> mergen",
        "/if-only a -> mergen\n> -> deployen",
    ] {
        assert_eq!(told(&only(text)), (vec!["a"], "mergen"), "{text}");
    }
}

#[test]
fn emoji_arrows_leave_nothing_in_the_step() {
    for arrow in ["➡\u{fe0f}", "➡\u{fe0e}", "→\u{fe0f}\u{fe0f}", "->\u{fe0f}"] {
        for text in [
            format!("/if a {arrow} b"),
            format!("/if a{arrow}b"),
            format!("/if a\n{arrow} b"),
        ] {
            assert_eq!(told(&only(&text)), (vec!["a"], "b"), "{text}");
        }
    }
}

#[test]
fn an_arrow_with_a_further_sign_is_unknown() {
    for arrow in ["->>", "->-", "→>", "=>>", "->->", "--->-", "➡\u{fe0f}>"] {
        for text in [
            format!("/if a {arrow} bb"),
            format!("/if a{arrow}bb"),
            format!("/if a\n{arrow} bb"),
            format!("/condition 1{arrow}bb"),
        ] {
            let reading = reading(&text);
            assert!(reading.statements.is_empty(), "{text}");
            assert_eq!(codes(&reading), [Code::LangArrow], "{text}");
        }
    }
    let statement = only("/if a -> -b");
    assert_eq!(told(&statement), (vec!["a"], "-b"));
}
