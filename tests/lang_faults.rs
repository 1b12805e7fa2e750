//! How each fault of the condition language is shown, code by code.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/words.rs"]
mod words;

use belegt::diag::Code;
use belegt::lang::{read, read_one};
use belegt::report::fault::render;
use words::shipped;

/// The fault of this code, rendered without colour.
fn shown(text: &str, code: Code) -> String {
    let reading = read("prompt.md", text, &shipped());
    let fault = reading.faults.iter().find(|fault| fault.code() == code);
    render(fault.unwrap(), false, 100)
}

#[test]
fn a_line_that_looks_like_a_command() {
    let text = "Plan:\n- /conditional Tests grün -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangWord), @"");
}

#[test]
fn a_slash_of_another_script() {
    let text = "／if Tests grün -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangWord), @"");
}

#[test]
fn a_second_command() {
    let text = "/if Tests grün /when Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangSecond), @"");
}

#[test]
fn a_missing_condition() {
    let text = "/if -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangCondition), @"");
}

#[test]
fn a_number_without_a_text() {
    let text = "/condition 1 -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangCondition), @"");
}

#[test]
fn a_missing_step() {
    let text = "\t/when Export fertig, Bericht prüfen\r\nText";
    insta::assert_snapshot!(shown(text, Code::LangStep), @"");
}

#[test]
fn an_empty_step() {
    let text = "/if Tests grün ->";
    insta::assert_snapshot!(shown(text, Code::LangStep), @"");
}

#[test]
fn two_arrows() {
    let text = "/if Größe ä -> b -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangArrow), @"");
}

#[test]
fn an_open_quote() {
    let text = "/if Log enthält „fertig\" -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangQuote), @"");
}

#[test]
fn an_unseen_character() {
    let text = "/if Tests\u{1b} grün -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangControl), @"");
}

#[test]
fn a_stray_join() {
    let text = "/if Tests grün -> mergen\n/and Review da\n";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @"");
}

#[test]
fn a_misspelt_join() {
    let text = "/if Tests grün /adn Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @"");
}

#[test]
fn a_join_in_the_step() {
    let text = "/if Tests grün -> mergen /and Review da";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @"");
}

#[test]
fn a_missing_operand() {
    let text = "/if Tests grün /and -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangOperand), @"");
}

#[test]
fn mixed_joins() {
    let text = "/if Tests grün /and Review da /or Notfallregel aktiv -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangMixed), @"");
}

#[test]
fn an_open_parenthesis() {
    let text = "/if (Tests grün /and Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangGroup), @"");
}

#[test]
fn text_behind_a_group() {
    let text = "/if (Tests grün /and Review da) heute -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangGroup), @"");
}

#[test]
fn a_number_defined_twice() {
    let text = "/condition 1 Tests grün\n/condition 1 Review da\n/if condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangTwice), @"");
}

#[test]
fn an_undefined_number() {
    let text = "/if condition 3 /or Bedingung 3 -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangUndefined), @"");
}

#[test]
fn a_circle() {
    let text = "/condition 1 condition 2 /and a\n/condition 2 condition 1 /or b\n/if condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangCircle), @"");
}

#[test]
fn a_number_that_blocks_nothing() {
    let text = "/condition 1 Tests grün\n/if Review da -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangUnused), @"");
}

#[test]
fn a_reference_that_the_word_does_not_take() {
    let text = "/after condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangReference), @"");
}

#[test]
fn a_condition_that_is_too_large() {
    let text = format!("/if {}a -> mergen", "a /and ".repeat(64));
    insta::assert_snapshot!(shown(&text, Code::LangBounds), @"");
}

#[test]
fn a_text_without_a_statement() {
    let reading = read_one("TEXT", "Tests grün", &shipped());
    insta::assert_snapshot!(render(&reading.faults[0], false, 100), @"");
}

#[test]
fn more_faults_than_are_listed() {
    let text = "/if a\n".repeat(102);
    insta::assert_snapshot!(shown(&text, Code::LangMore), @"");
}
