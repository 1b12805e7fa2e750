//! What a set of gates does to its step: the rule `gate` within the kernel's bounds.
//!
//! INVARIANT: a step is open only if its gates are met; an unmet or unasked `only` forbids,
//! whatever a rule says. A missing or faulty rule opens nothing.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::ask::Asking;
use crate::diag::Fault;
use crate::model::gate::{GateSet, Mode};
use crate::model::status::Status;
use crate::script::answer::{Reply, StepWord};
use crate::script::call::Argument;
use crate::script::contract;
use crate::script::layers::{Layer, Script};

/// The rule's path.
const PATH: &str = "rules/gate";

/// Whether a step may run now. The later ones are the stricter ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// No gate blocks it.
    Yes,
    /// It waits.
    Wait,
    /// That could not be found out; so it may not.
    Unasked,
    /// It must not run.
    Forbidden,
}

impl Answer {
    /// The word as it is shown and stored.
    pub fn word(self) -> &'static str {
        match self {
            Answer::Yes => "yes",
            Answer::Wait => "wait",
            Answer::Unasked => "unasked",
            Answer::Forbidden => "forbidden",
        }
    }

    /// The exit code that goes with it.
    pub fn exit_code(self) -> u8 {
        match self {
            Answer::Yes => 0,
            Answer::Wait => 20,
            Answer::Forbidden => 21,
            Answer::Unasked => 22,
        }
    }
}

/// A row of the table: what follows from each finding.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    met: Step,
    unmet: Step,
    unavailable: Step,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Step {
    Open,
    Hold,
    Forbid,
}

/// The rule of a run.
pub struct GateRule {
    rows: BTreeMap<String, Row>,
    has_function: bool,
    fault: Option<String>,
}

impl GateRule {
    /// Reads the table. What is wrong with it is kept and opens nothing.
    pub fn load(asking: &Asking) -> GateRule {
        match read(asking) {
            Ok(rule) => rule,
            Err(fault) => GateRule {
                rows: BTreeMap::new(),
                has_function: false,
                fault: Some(fault),
            },
        }
    }

    /// What the set does to its step where its conditions add up to `finding`.
    pub fn judge(&self, asking: &Asking, set: &GateSet, finding: Status) -> (Answer, String) {
        let least = least(set.mode, finding);
        let step = match &self.fault {
            Some(why) => Err(why.clone()),
            None => self.step(asking, set, finding),
        };
        match step {
            Ok((step, why)) if step >= least => (answer(step, finding), why),
            Ok((step, _)) => {
                let why = format!("`rules/gate` says {step:?} where the kernel found {least:?}");
                (refused(set.mode), why.to_lowercase())
            }
            Err(why) => (refused(set.mode), format!("`rules/gate`: {why}")),
        }
    }

    fn step(
        &self,
        asking: &Asking,
        set: &GateSet,
        finding: Status,
    ) -> Result<(Step, String), String> {
        if self.has_function {
            return asked(asking, set, finding);
        }
        let mode = set.mode.word();
        let row = self.rows.get(mode);
        let row = row.ok_or_else(|| format!("`STEPS` lacks the row `{mode}`"))?;
        let step = match word(finding) {
            "met" => row.met,
            "unmet" => row.unmet,
            _ => row.unavailable,
        };
        Ok((step, String::new()))
    }
}

fn read(asking: &Asking) -> Result<GateRule, String> {
    let script = asking.scripts.script(PATH).map_err(|fault| fault.line())?;
    let own = table(&script)?;
    let rows = match own {
        Some(rows) => rows,
        None => match asking.scripts.in_layer(Layer::BuiltIn, PATH) {
            Some(source) => {
                table(&*source.script().map_err(|fault| fault.line())?)?.unwrap_or_default()
            }
            None => BTreeMap::new(),
        },
    };
    Ok(GateRule {
        rows,
        has_function: script.defines("step"),
        fault: None,
    })
}

/// What is wrong with the tables of the rule.
pub fn faults(script: &Script) -> Vec<Fault> {
    let mut faults = contract::table_faults::<BTreeMap<String, Row>>(script, "STEPS");
    let rows = contract::table::<BTreeMap<String, Row>>(script, "STEPS")
        .ok()
        .flatten();
    for mode in [Mode::Wait, Mode::Only] {
        let lacks = |rows: &BTreeMap<String, Row>| !rows.contains_key(mode.word());
        if rows.as_ref().is_some_and(lacks) {
            let why = format!("`STEPS` lacks the row `{}`", mode.word());
            faults.push(contract::at_table(script, "STEPS", why));
        }
    }
    faults
}

fn table(script: &Script) -> Result<Option<BTreeMap<String, Row>>, String> {
    contract::table(script, "STEPS").map_err(|fault| fault.line())
}

fn asked(asking: &Asking, set: &GateSet, finding: Status) -> Result<(Step, String), String> {
    let gate = json!({
        "id": set.id, "word": set.word, "mode": set.mode, "blocks": set.blocks,
        "source": set.source, "created_at": set.created_at,
    });
    let finding = Value::from(word(finding));
    let arguments = vec![Argument::Data(gate), Argument::Data(finding)];
    let answered = asking.answer(PATH, "step", arguments).result;
    let answered = answered.map_err(|fault| fault.line())?;
    match answered.reply {
        Reply::Step(StepWord::Open, why) => Ok((Step::Open, why)),
        Reply::Step(StepWord::Hold, why) => Ok((Step::Hold, why)),
        Reply::Step(StepWord::Forbid, why) => Ok((Step::Forbid, why)),
        _ => Err(answered.misplaced("step")),
    }
}

fn word(finding: Status) -> &'static str {
    match finding {
        Status::Found => "met",
        Status::Empty => "unmet",
        _ => "unavailable",
    }
}

/// The least that the kernel allows.
fn least(mode: Mode, finding: Status) -> Step {
    match (finding, mode) {
        (Status::Found, _) => Step::Open,
        (_, Mode::Wait) => Step::Hold,
        (_, Mode::Only) => Step::Forbid,
    }
}

fn answer(step: Step, finding: Status) -> Answer {
    match (step, finding) {
        (Step::Open, _) => Answer::Yes,
        (Step::Forbid, _) => Answer::Forbidden,
        (Step::Hold, Status::Found | Status::Empty) => Answer::Wait,
        (Step::Hold, _) => Answer::Unasked,
    }
}

/// The answer where the rule cannot be used.
fn refused(mode: Mode) -> Answer {
    match mode {
        Mode::Wait => Answer::Unasked,
        Mode::Only => Answer::Forbidden,
    }
}
