//! Gates in words: what was opened, how they stand, whether a step may run.

use std::fmt::Write as _;

use crate::app::gates::open::{Opened, Report as Opening};
use crate::diag::Fault;
use crate::lang::Suggestion;
use crate::model::gate::{Gate, GateSet, Mode};
use crate::model::text::{escape, plural, short};

use super::fault;

/// A gate orders steps and grants nothing.
pub(super) const NO_GRANT: &str =
    "A met gate changes only the order of steps. It allows nothing that was not allowed before.\n";
/// What follows when a text was refused.
pub const UNPROTECTED: &str = "Nothing was stored: no step of this text is protected.\n";
/// The longest text of a gate in a list, in characters.
pub(super) const WIDE: usize = 200;

/// What was opened, and where it lives.
pub fn opened(report: &Opening) -> String {
    let mut text = String::new();
    for one in &report.opened {
        opened_one(&mut text, one);
    }
    if !report.opened.is_empty() {
        let place = &report.place;
        let _ = match &place.passing {
            None => writeln!(text, "Kept in {}.", place.path),
            Some(passing) => writeln!(
                text,
                "Kept in {}, which is {passing}. Carry them in the hand-over: `belegt gate list --markdown`.",
                place.path
            ),
        };
        if !report.moored {
            text.push_str("The anchor in the state folder does not know of them yet: if the ledger were lost now, nobody would know what it forbade. `belegt doctor` tells more.\n");
        }
        text.push_str(NO_GRANT);
    }
    text
}

fn opened_one(text: &mut String, one: &Opened) {
    let set = &one.set;
    let what = match (one.already, set.mode) {
        (true, _) => "stands already",
        (false, Mode::Wait) => "waits",
        (false, Mode::Only) => "is forbidden until proven",
    };
    let _ = writeln!(text, "{}  {}  {what}", set.id, short(&set.blocks, WIDE));
    for gate in &set.gates {
        condition(text, set, gate);
    }
    for note in &set.notes {
        let _ = writeln!(text, "     note: {}", short(note, WIDE * 2));
    }
    if one.true_now {
        text.push_str("     note: this was true already when it was set\n");
    }
}

fn condition(text: &mut String, set: &GateSet, gate: &Gate) {
    let id = match gate.id == set.id {
        true => String::new(),
        false => format!("{} ", gate.id),
    };
    let _ = writeln!(text, "     {id}{}", short(&gate.sentence, WIDE * 2));
    let _ = writeln!(
        text,
        "     proof: {}, {}",
        escape(&gate.proof_method),
        gate.status.word()
    );
}

/// What is wrong with a text, one report after the other, and what that means.
pub fn refused(faults: &[Fault], is_stored: bool) -> String {
    let mut text = String::new();
    for one in faults {
        text.push_str(&fault::render(one, false, 100));
    }
    text.push_str(match is_stored {
        true => "These conditions were not stored: their steps are NOT protected.\n",
        false => UNPROTECTED,
    });
    text
}

/// Suggestions for natural phrases.
pub fn suggestions(all: &[Suggestion]) -> String {
    if all.is_empty() {
        return "no phrase of this text looks like a condition; nothing is protected\n".to_string();
    }
    let mut text =
        "Nothing was opened. These sentences look like conditions; open what is meant:\n"
            .to_string();
    for one in all {
        let _ = writeln!(text, "  {}", escape(&one.statement));
        let _ = writeln!(text, "     because of `{}`", escape(&one.because));
    }
    text
}

/// A list of sets.
pub fn list(sets: &[GateSet]) -> String {
    let mut text = format!("{}\n", plural(sets.len(), "gate", "gates"));
    for set in sets {
        let _ = writeln!(
            text,
            "  {}  {}  {}  {}",
            set.id,
            set.status().word(),
            set.mode.word(),
            short(&set.blocks, WIDE)
        );
        for gate in &set.gates {
            let _ = writeln!(
                text,
                "     {}: {} ({})",
                gate.status.word(),
                short(&gate.sentence, WIDE),
                escape(&gate.proof_method)
            );
        }
    }
    text
}

/// Sets with everything that is known of them.
pub fn show(sets: &[GateSet]) -> String {
    let mut text = String::new();
    for set in sets {
        let _ = writeln!(
            text,
            "{}  {}  {}",
            set.id,
            set.status().word(),
            set.mode.word()
        );
        let _ = writeln!(text, "     {}", short(&set.source, WIDE * 10));
        let _ = writeln!(text, "     blocks: {}", short(&set.blocks, WIDE * 10));
        let _ = writeln!(
            text,
            "     opened {} by {}",
            escape(&set.created_at),
            escape(&set.by)
        );
        for note in &set.notes {
            let _ = writeln!(text, "     note: {}", short(note, WIDE * 2));
        }
        for gate in &set.gates {
            shown_gate(&mut text, gate);
        }
    }
    text
}

fn shown_gate(text: &mut String, gate: &Gate) {
    let _ = writeln!(text, "  {}  {}", gate.id, gate.status.word());
    let _ = writeln!(text, "     {}", short(&gate.sentence, WIDE * 10));
    let _ = writeln!(text, "     proof: {}", escape(&gate.proof_method));
    if let Some(because) = &gate.because {
        let _ = writeln!(text, "     because: {}", short(because, WIDE * 2));
    }
    let Some(evidence) = &gate.evidence else {
        return;
    };
    let class = format!("{:?}", evidence.class).to_lowercase();
    let _ = writeln!(
        text,
        "     evidence ({class}): {}",
        short(&evidence.why, WIDE * 2)
    );
    let _ = writeln!(text, "     at {}", escape(&evidence.at));
    if !evidence.script.is_empty() {
        let _ = writeln!(
            text,
            "     by {}:{}",
            escape(&evidence.script),
            evidence.line
        );
    }
    for receipt in &evidence.receipts {
        let digest: String = receipt.digest.chars().take(12).collect();
        let _ = writeln!(
            text,
            "     {}  {}  {digest}",
            escape(&receipt.function),
            short(&receipt.asked, WIDE)
        );
    }
}

/// The block that a goal or a hand-over carries. `gate open --from` reads it back.
pub fn markdown(sets: &[GateSet], session: &str) -> String {
    let mut text = "## Gates\n\n".to_string();
    if sets.is_empty() {
        text.push_str("No gate is open.\n");
    }
    for set in sets {
        let _ = writeln!(text, "- {}", one_line(&set.carried));
        for gate in set.open() {
            let _ = writeln!(
                text,
                "  - open: {} (proof: {})",
                one_line(&gate.sentence),
                one_line(&gate.proof_method)
            );
        }
    }
    let _ = writeln!(text, "\n{session}");
    text
}

/// Text that stays one line of Markdown.
fn one_line(text: &str) -> String {
    escape(text)
}
