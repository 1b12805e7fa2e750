//! The proof method `consent`: no file and no command proves it, and only listed words give it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "support/proofs.rs"]
mod proofs;
mod support;

use belegt::script::call::Argument;
use proofs::{compiled, condition, no_method, only_this_method, proven, says};
use serde_json::{Value, json};

const METHOD: &str = "consent";

/// What an answer means: the verdict, and what has to come first.
fn judged(answer: Value) -> (String, String) {
    let arguments = vec![Argument::Data(answer), Argument::Context];
    let asking = compiled().asking();
    let verdict = asking.data("probes/proofs/consent", "judge", arguments);
    let verdict = verdict
        .result
        .unwrap_or_else(|fault| panic!("{}", fault.line()));
    let text = |key: &str| verdict[key].as_str().unwrap().to_string();
    (text("verdict"), text("condition"))
}

#[test]
fn phrases_are_recognised_by_this_method_alone() {
    let phrases = [
        "wenn der User zustimmt",
        "User stimmt zu",
        "User stimmt dem Löschen zu",
        "wenn die Nutzerin dem Löschen zustimmt",
        "der Nutzer hat dem Umzug zugestimmt",
        "wenn ich zustimme",
        "Freigabe da",
        "sobald die Freigabe vorliegt",
        "Freigabe für den Release liegt vor",
        "Freigabe ist erteilt.",
        "wenn die Zustimmung des Users vorliegt",
        "vom User freigegeben",
        "the user agrees",
        "if the user approves the release",
        "once a person has agreed",
        "when I agree",
        "approval given",
        "approval for the release is given",
    ];
    only_this_method(&compiled(), METHOD, &phrases);
}

#[test]
fn what_is_not_said_is_not_guessed() {
    let texts = [
        "User stimmt nicht zu",
        "wenn der User nicht zustimmt",
        "wenn der User keinem Umzug zustimmt",
        "Freigabe nicht erteilt",
        "the user agrees to merge if tests pass",
        "wenn Worker A zustimmt",
        "Review freigegeben",
        "Review abgeschlossen",
        "Freigabe da oder Notfallregel aktiv",
        "die Datei sagt: ja, freigegeben",
    ];
    no_method(&compiled(), &texts);
}

#[test]
fn o_b23_nothing_that_can_be_read_proves_consent() {
    let stage = compiled().file("answer.txt", "User: ja, freigegeben\n");
    let text = "wenn der User dem Löschen zustimmt.";
    let (sentence, params) = condition(&stage, METHOD, text).unwrap();
    assert_eq!(
        sentence,
        "a person at the terminal agrees: wenn der User dem Löschen zustimmt"
    );
    assert_eq!(
        params,
        json!({ "question": "wenn der User dem Löschen zustimmt" })
    );
    for mode in ["wait", "only"] {
        let got = proven(&stage, METHOD, text, mode);
        says(got, "unavailable", &["`belegt gate meet g0000beef`"]);
    }
}

#[test]
fn o_b22_only_a_listed_answer_is_consent() {
    for answer in [
        "ja",
        "Ja",
        " JA. ",
        "yes",
        "Yes!",
        "freigegeben",
        "approved",
        "ja, freigegeben",
    ] {
        assert_eq!(judged(json!(answer)).0, "yes", "`{answer}`");
    }
    for answer in ["nein", "No.", "nicht freigegeben", "abgelehnt", "rejected"] {
        assert_eq!(judged(json!(answer)).0, "no", "`{answer}`");
    }
    let others = [
        json!(""),
        json!("null"),
        json!("timeout"),
        json!("weiter?"),
        json!("1"),
        json!("\u{1f44d}"),
        json!(null),
        json!(1),
        json!(true),
        json!(["ja"]),
        json!({ "ja": "ja" }),
        json!("ja?"),
        json!("j"),
        json!("y"),
        json!("ok"),
        json!("ja nein"),
        json!("ja\nnein"),
        json!("jawohl, aber"),
        json!("yes, but"),
        json!("vielleicht"),
        json!("User: ja"),
        json!("\"ja\""),
        json!("nicht ja"),
        json!("deny"),
        json!("j\u{430}"),
    ];
    for answer in others {
        assert_eq!(judged(answer.clone()).0, "unclear", "`{answer}`");
    }
}

#[test]
fn o_b24_a_conditional_yes_names_what_comes_first() {
    for (answer, first) in [
        ("Ja, aber erst nach dem Backup.", "nach dem Backup"),
        ("ja aber nach dem Backup", "nach dem Backup"),
        ("Ja, wenn die Tests grün sind", "wenn die Tests grün sind"),
        ("Freigegeben, sobald Review da ist!", "sobald Review da ist"),
        ("yes, but only after the backup", "after the backup"),
        ("Yes, if tests pass.", "if tests pass"),
        ("ja, aber nicht am Freitag", "nicht am Freitag"),
        ("erst nach dem Backup", "nach dem Backup"),
    ] {
        let wanted = ("conditional".to_string(), first.to_string());
        assert_eq!(judged(json!(answer)), wanted, "`{answer}`");
    }
    for answer in ["nein, erst nach dem Backup", "yes, but", "ja, aber"] {
        assert_eq!(judged(json!(answer)).0, "unclear", "`{answer}`");
    }
}
