//! Answers about gates in words: how they stand, whether a step may run, what a person said.

use std::fmt::Write as _;

use crate::app::gates::check::Report as Checks;
use crate::app::gates::consent::Report as Consent;
use crate::app::gates::may::May;
use crate::gate::check::Checked;
use crate::gate::consent::Meaning;
use crate::gate::judge::Answer;
use crate::model::gate::{Gate, GateStatus};
use crate::model::text::{escape, short};

use super::gates::{NO_GRANT, WIDE, list};

/// How gates stand after a check.
pub fn checks(report: &Checks) -> String {
    let mut text = String::new();
    if report.checked.is_empty() {
        let _ = writeln!(text, "{}", nothing_checked(report.answer));
    }
    for one in &report.checked {
        checked(&mut text, one);
    }
    text
}

fn nothing_checked(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "no gate is open",
        _ => "no open gate can have changed yet",
    }
}

fn checked(text: &mut String, one: &Checked) {
    let set = &one.set;
    let what = match (set.status(), one.answer) {
        (GateStatus::Met, Answer::Yes) => "met",
        (GateStatus::Dropped, _) => "dropped",
        (_, Answer::Forbidden) => "forbidden",
        (_, Answer::Unasked) => "could not be asked",
        _ => "waits",
    };
    let _ = writeln!(text, "{}  {what}  {}", set.id, short(&set.blocks, WIDE));
    for gate in &set.gates {
        let said = said(one, gate);
        let _ = writeln!(
            text,
            "     {}: {}: {}",
            gate.status.word(),
            short(&gate.sentence, WIDE),
            short(said, WIDE)
        );
        let help = one
            .proofs
            .get(&gate.id)
            .and_then(|proof| proof.help.as_ref());
        if let Some(help) = help {
            let _ = writeln!(text, "     remedy: {}", short(help, WIDE));
        }
    }
    if !one.why.is_empty() {
        let _ = writeln!(text, "     {}", short(&one.why, WIDE));
    }
}

/// What is known of a gate after a check.
fn said<'a>(one: &'a Checked, gate: &'a Gate) -> &'a str {
    if let (GateStatus::Dropped, Some(because)) = (gate.status, &gate.because) {
        return because;
    }
    match (one.proofs.get(&gate.id), &gate.evidence, gate.due) {
        (Some(proof), _, _) => &proof.why,
        (None, Some(evidence), _) => &evidence.why,
        (None, None, Some(_)) => "its time has not come",
        (None, None, None) => "not asked",
    }
}

/// Whether a step may run.
pub fn may(may: &May) -> String {
    let mut text = format!("{}: {}\n", answer(may.answer), short(&may.step, WIDE));
    let _ = writeln!(text, "     {}", short(&may.why, WIDE * 2));
    for one in &may.gates {
        checked(&mut text, one);
    }
    if may.answer == Answer::Yes && !may.gates.is_empty() {
        text.push_str(NO_GRANT);
    }
    text
}

fn answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::Wait => "wait",
        Answer::Forbidden => "forbidden",
        Answer::Unasked => "not known, so no",
    }
}

/// What a person's answer came to.
pub fn consent(report: &Consent) -> String {
    let mut text = match &report.meaning {
        Meaning::Yes => format!("{} is met: the consent is recorded\n", report.gate),
        Meaning::No => format!("{} stays open: the answer was no\n", report.gate),
        Meaning::Unclear => format!(
            "{} stays open: the answer is no clear consent; it is recorded\n",
            report.gate
        ),
        Meaning::Conditional(condition) => format!(
            "{} stays open: that is no consent yet; its condition is a gate of its own now: {}\n",
            report.gate,
            escape(condition)
        ),
    };
    if let Some(further) = &report.further {
        text.push_str(&list(std::slice::from_ref(further)));
    }
    text
}
