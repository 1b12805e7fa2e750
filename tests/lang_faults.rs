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
    insta::assert_snapshot!(shown(text, Code::LangWord), @r#"
    lang::word

      × `/conditional` is no command: the language has no such word
       ╭─[prompt.md:2:3]
     1 │ Plan:
     2 │ - /conditional Tests grün -> mergen
       ·   ──────┬─────
       ·         ╰── did you mean `/condition`?
       ╰────
      help: write `/condition CONDITION -> STEP`, or put a mention in backticks
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_slash_of_another_script() {
    let text = "／if Tests grün -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangWord), @r#"
    lang::word

      × `／if` is no command: it holds characters that only look like a slash or like letters
       ╭─[prompt.md:1:1]
     1 │ ／if Tests grün -> mergen
       · ──┬─
       ·   ╰── did you mean `/if`?
       ╰────
      help: write `/if CONDITION -> STEP`, or put a mention in backticks
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_second_command() {
    let text = "/if Tests grün /when Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangSecond), @r#"
    lang::second

      × `/when` stands inside a statement
       ╭─[prompt.md:1:17]
     1 │ /if Tests grün /when Review da -> mergen
       ·                ──┬──
       ·                  ╰── a second command
       ╰────
      help: begin a line with it, or put it in quotes if it belongs to the text
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_missing_condition() {
    let text = "/if -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangCondition), @r#"
    lang::condition

      × the condition is missing
       ╭─[prompt.md:1:1]
     1 │ /if -> mergen
       · ─┬─
       ·  ╰── no condition follows
       ╰────
      help: write `/if CONDITION -> STEP`, or put a mention of the word in backticks
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_number_without_a_text() {
    let text = "/condition 1 -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangCondition), @r#"
    lang::condition

      × the condition is missing
       ╭─[prompt.md:1:1]
     1 │ /condition 1 -> mergen
       · ─────┬────
       ·      ╰── no condition follows
       ╰────
      help: to wait for condition 1, write `/if condition 1 -> STEP`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_missing_step() {
    let text = "Text\r\n\t/when Export fertig, Bericht prüfen\r\nText";
    insta::assert_snapshot!(shown(text, Code::LangStep), @r#"
    lang::step

      × the step is missing
       ╭─[prompt.md:2:2]
     1 │ Text
     2 │     /when Export fertig, Bericht prüfen
       ·     ──┬──                              ▲
       ·       │                                ╰── an arrow and the step belong here
       ·       ╰── what does this block?
     3 │ Text
       ╰────
      help: write the step behind an arrow: `/when CONDITION -> STEP`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_empty_step() {
    let text = "/if Tests grün ->";
    insta::assert_snapshot!(shown(text, Code::LangStep), @r#"
    lang::step

      × the step is empty
       ╭─[prompt.md:1:17]
     1 │ /if Tests grün ->
       ·                ─┬
       ·                 ╰── nothing stands behind this arrow
       ╰────
      help: write the step that is to wait, on the same line
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn two_arrows() {
    let text = "/if Größe ä -> b -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangArrow), @r#"
    lang::arrow

      × the statement has more than one arrow
       ╭─[prompt.md:1:21]
     1 │ /if Größe ä -> b -> mergen
       ·             ─┬   ─┬
       ·              │    ╰── the step may begin here
       ·              ╰── or here
       ╰────
      help: put the arrow that belongs to a text in quotes:
              /if Größe ä -> "b -> mergen"
              /if "Größe ä -> b" -> mergen
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_second_step() {
    let text = "/if-only a\n-> mergen\n-> deployen";
    insta::assert_snapshot!(shown(text, Code::LangArrow), @r#"
    lang::arrow

      × a second step stands below a statement that has one
       ╭─[prompt.md:3:1]
     1 │ ╭─▶ /if-only a
     2 │ ├─▶ -> mergen
       · ╰──── this statement has its step
     3 │     -> deployen
       ·     ─┬
       ·      ╰── a second step
       ╰────
      help: write a statement for each step: `/if-only CONDITION -> STEP`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_unknown_arrow() {
    let text = "/if Tests grün ->> mergen";
    insta::assert_snapshot!(shown(text, Code::LangArrow), @r#"
    lang::arrow

      × `->>` is no arrow
       ╭─[prompt.md:1:17]
     1 │ /if Tests grün ->> mergen
       ·                ─┬─
       ·                 ╰── an unknown arrow
       ╰────
      help: write `->` and a blank behind it
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_statement_behind_something_else() {
    let text = "Plan:\n▸ /if-only Backup da -> Altes löschen\n";
    insta::assert_snapshot!(shown(text, Code::LangWord), @r#"
    lang::word

      × a statement does not begin its line
       ╭─[prompt.md:2:5]
     1 │ Plan:
     2 │ ▸ /if-only Backup da -> Altes löschen
       ·   ────┬───
       ·       ╰── `/if-only` stands behind something else
       ╰────
      help: put it at the beginning of a line of its own, or put a mention in backticks
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_open_quote() {
    let text = "/if Log enthält „fertig\" -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangQuote), @r#"
    lang::quote

      × a quote is not closed
       ╭─[prompt.md:1:18]
     1 │ /if Log enthält „fertig" -> mergen
       ·                 ┬
       ·                 ╰── opened here
       ╰────
      help: close the quote on the same line, or leave it out
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_unseen_character() {
    let text = "/if Tests\u{1b} grün -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangControl), @r#"
    lang::control

      × the statement holds the control character `\u{1b}`
       ╭─[prompt.md:1:10]
     1 │ /if Tests\u{1b} grün -> mergen
       ·          ┬
       ·          ╰── here
       ╰────
      help: delete it
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_stray_join() {
    let text = "/if Tests grün -> mergen\n/and Review da\n";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @r#"
    lang::join

      × `/and` joins nothing here
       ╭─[prompt.md:2:1]
     1 │ /if Tests grün -> mergen
     2 │ /and Review da
       · ──┬─
       ·   ╰── no statement without a step stands above this line
       ╰────
      help: joins stand before the arrow; write `/if A /and B -> STEP`, or put a mention in backticks
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_misspelt_join() {
    let text = "/if Tests grün /adn Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @r#"
    lang::join

      × `/adn` is no join
       ╭─[prompt.md:1:17]
     1 │ /if Tests grün /adn Review da -> mergen
       ·                ──┬─
       ·                  ╰── did you mean `/and`?
       ╰────
      help: write `/and`, or put the text in quotes if it belongs to the condition
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_join_in_the_step() {
    let text = "/if Tests grün -> mergen /and Review da";
    insta::assert_snapshot!(shown(text, Code::LangJoin), @r#"
    lang::join

      × `/and` stands in the step
       ╭─[prompt.md:1:27]
     1 │ /if Tests grün -> mergen /and Review da
       ·                          ──┬─
       ·                            ╰── joins stand before the arrow
       ╰────
      help: move the condition before the arrow, or put the text in quotes
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_missing_operand() {
    let text = "/if Tests grün /and -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangOperand), @r#"
    lang::operand

      × a condition is missing
       ╭─[prompt.md:1:17]
     1 │ /if Tests grün /and -> mergen
       ·                ──┬─
       ·                  ╰── nothing stands behind this join
       ╰────
      help: write the condition, or leave the join out
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn mixed_joins() {
    let text = "/if Tests grün /and Review da /or Notfallregel aktiv -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangMixed), @r#"
    lang::mixed

      × `/and` and `/or` are mixed without parentheses, first in column 31
       ╭─[prompt.md:1:32]
     1 │ /if Tests grün /and Review da /or Notfallregel aktiv -> mergen
       ·                ──┬─           ─┬─
       ·                  │             ╰── this join could bind tighter
       ·                  ╰── or this one
       ╰────
      help: write what is meant:
              (Tests grün /and Review da) /or Notfallregel aktiv
              Tests grün /and (Review da /or Notfallregel aktiv)
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_open_parenthesis() {
    let text = "/if (Tests grün /and Review da -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangGroup), @r#"
    lang::group

      × the parentheses do not balance
       ╭─[prompt.md:1:5]
     1 │ /if (Tests grün /and Review da -> mergen
       ·     ┬
       ·     ╰── nothing closes this
       ╰────
      help: add the other parenthesis, or put the text in quotes
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn text_behind_a_group() {
    let text = "/if (Tests grün /and Review da) heute -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangGroup), @r#"
    lang::group

      × a join stands in parentheses that are part of a text
       ╭─[prompt.md:1:5]
     1 │ /if (Tests grün /and Review da) heute -> mergen
       ·     ─────────────┬─────────────
       ·                  ╰── text follows this group
       ╰────
      help: a group stands alone between joins; put the text in quotes if none is meant
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_number_defined_twice() {
    let text = "/condition 1 Tests grün\n/condition 1 Review da\n/if condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangTwice), @r#"
    lang::twice

      × condition 1 is defined 2 times
       ╭─[prompt.md:2:12]
     1 │ /condition 1 Tests grün
       ·            ┬
       ·            ╰── number 1
     2 │ /condition 1 Review da
       ·            ┬
       ·            ╰── number 1
     3 │ /if condition 1 -> mergen
       ╰────
      help: give each condition a number of its own
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn an_undefined_number() {
    let text = "/if condition 3 /or Bedingung 3 -> mergen";
    insta::assert_snapshot!(shown(text, Code::LangUndefined), @r#"
    lang::undefined

      × condition 3 is not defined
       ╭─[prompt.md:1:5]
     1 │ /if condition 3 /or Bedingung 3 -> mergen
       ·     ─────┬─────     ─────┬─────
       ·          │               ╰── referred to here
       ·          ╰── referred to here
       ╰────
      help: add a line `/condition 3 TEXT`, or put the text in quotes
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_circle() {
    let text = "/condition 1 condition 2 /and a\n/condition 2 condition 1 /or b\n/if condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangCircle), @r#"
    lang::circle

      × numbered conditions go in a circle: 1 -> 2 -> 1
       ╭─[prompt.md:1:14]
     1 │ /condition 1 condition 2 /and a
       ·              ─────┬─────
       ·                   ╰── 1 refers to 2
     2 │ /condition 2 condition 1 /or b
       ·              ─────┬─────
       ·                   ╰── 2 refers to 1
     3 │ /if condition 1 -> mergen
       ╰────
      help: let one of them say what must be true instead of referring to another
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_number_that_blocks_nothing() {
    let text = "/condition 1 Tests grün\n/if Review da -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangUnused), @r#"
    lang::unused

      × condition 1 blocks nothing
       ╭─[prompt.md:1:1]
     1 │ /condition 1 Tests grün
       · ───────────┬───────────
       ·            ╰── it has no step, and nothing refers to it
     2 │ /if Review da -> mergen
       ╰────
      help: add a step behind an arrow, or a line `/if condition 1 -> STEP`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_reference_that_the_word_does_not_take() {
    let text = "/after condition 1 -> mergen\n";
    insta::assert_snapshot!(shown(text, Code::LangReference), @r#"
    lang::reference

      × `/after` takes a text of its own, not `condition 1`
       ╭─[prompt.md:1:8]
     1 │ /after condition 1 -> mergen
       ·        ─────┬─────
       ·             ╰── a reference
       ╰────
      help: write it out: `/condition after TEXT /and condition 1 -> STEP`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_condition_that_is_too_large() {
    let text = format!("/if {}a{} -> mergen", "(".repeat(17), ")".repeat(17));
    insta::assert_snapshot!(shown(&text, Code::LangBounds), @r#"
    lang::bounds

      × parentheses are nested more than 16 levels deep
       ╭─[prompt.md:1:21]
     1 │ /if (((((((((((((((((a))))))))))))))))) -> mergen
       ·                     ┬
       ·                     ╰── too deep
       ╰────
      help: give the inner conditions numbers: `/condition 1 TEXT`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn a_text_without_a_statement() {
    let reading = read_one("TEXT", "Tests grün", &shipped());
    insta::assert_snapshot!(render(&reading.faults[0], false, 100), @r#"
    lang::nothing

      × the text holds no statement
      help: write the condition, an arrow and the step: `/condition Tests grün -> mergen`
            nothing was stored; the step is not protected
    "#);
}

#[test]
fn more_faults_than_are_listed() {
    let text = "/if a\n".repeat(102);
    insta::assert_snapshot!(shown(&text, Code::LangMore), @r#"
    lang::more

      × there are 2 more faults than the 100 listed
      help: repair these and read it again
            nothing was stored; the step is not protected
    "#);
}
