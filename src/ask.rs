//! Asking scripts: one call with its frame, its deadline and its record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::diag::{Code, Fault};
use crate::model::receipt::Receipt;
use crate::script::answer::Answered;
use crate::script::call::{Argument, CALL_DEADLINE, Call, WORK_BUDGET};
use crate::script::frame::{Clocks, Facts, Frame};
use crate::script::layers::{Layer, Script, Scripts};
use crate::world::desk::Desk;

pub mod looking;
pub mod side_by_side;
pub mod stack;

use stack::with_deep_stack;

/// The way to the scripts of one run, and through them to the world.
#[derive(Clone)]
pub struct Asking {
    /// All scripts.
    pub scripts: Arc<Scripts>,
    /// The desk: grants, shared questions, receipts.
    pub desk: Arc<Desk>,
    /// What every script may know; `settings` is filled in for each.
    pub facts: Facts,
    /// The site's settings by script path.
    pub settings: BTreeMap<String, Value>,
    /// When the whole tick must have ended.
    pub until: Instant,
}

/// What one call did, for `explain`.
#[derive(Debug, Clone, Serialize)]
pub struct CallRecord {
    /// The script, with its layer.
    pub script: String,
    /// The entry function.
    pub entry: String,
    /// The constructor of the answer, `data`, or `fault`.
    pub answer: String,
    /// The answer's reason, or the fault's line.
    pub why: String,
    /// The line that made the answer.
    pub line: usize,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// The looks of the call.
    pub receipts: Vec<Receipt>,
}

/// A call that ended, one way or the other.
pub struct Done<T> {
    /// The answer, or what went wrong.
    pub result: Result<T, Fault>,
    /// The looks of the call.
    pub receipts: Vec<Receipt>,
    /// The record for `explain`.
    pub record: CallRecord,
}

impl Asking {
    /// Calls an entry that gives an answer.
    pub fn answer(&self, path: &str, entry: &str, arguments: Vec<Argument>) -> Done<Answered> {
        self.call(
            path,
            entry,
            |call| call.answer(arguments),
            |answered| {
                let why = reason(answered);
                (answered.reply.constructor().to_string(), why, answered.line)
            },
        )
    }

    /// Calls an entry that gives an answer, or `()` for "not mine".
    pub fn answer_or_none(
        &self,
        path: &str,
        entry: &str,
        arguments: Vec<Argument>,
    ) -> Done<Option<Answered>> {
        self.call(
            path,
            entry,
            |call| call.answer_or_none(arguments),
            |answered| match answered {
                Some(answered) => {
                    let constructor = answered.reply.constructor().to_string();
                    (constructor, reason(answered), answered.line)
                }
                None => ("none".to_string(), String::new(), 0),
            },
        )
    }

    /// Calls an entry that gives plain values.
    pub fn data(&self, path: &str, entry: &str, arguments: Vec<Argument>) -> Done<Value> {
        self.call(
            path,
            entry,
            |call| call.data(arguments),
            |value| ("data".to_string(), value.to_string(), 0),
        )
    }

    fn call<T: Send>(
        &self,
        path: &str,
        entry: &str,
        run: impl FnOnce(&Call<'_>) -> Result<T, Fault> + Send,
        describe: impl FnOnce(&T) -> (String, String, usize),
    ) -> Done<T> {
        let began = Instant::now();
        let script = match self.scripts.script(path) {
            Ok(script) => script,
            Err(fault) => {
                let name = self
                    .scripts
                    .effective(path)
                    .map_or_else(|| format!("{path}.rhai"), |s| s.name());
                return Done::failed(&name, entry, began, fault);
            }
        };
        let frame = Arc::new(self.frame(path, &script, began));
        let call = Call {
            scripts: &self.scripts,
            script: &script,
            entry,
            frame: &frame,
        };
        // The program's own scripts are known to be tame and run right here.
        let result = match self.is_built_in(path) {
            true => run(&call),
            false => with_deep_stack(|| run(&call)).unwrap_or_else(|| {
                Err(Fault::new(
                    Code::RunPanic,
                    format!("`{entry}` could not be run"),
                ))
            }),
        };
        Done::of(&frame, (&script.name, entry), began, result, describe)
    }

    fn frame(&self, path: &str, script: &Script, began: Instant) -> Frame {
        let within = script.meta.within.unwrap_or(CALL_DEADLINE);
        let clocks = Clocks {
            work: WORK_BUDGET,
            until: earlier(began, within, self.until),
        };
        Frame::new(
            self.facts_for(path),
            &script.name,
            self.desk.clone(),
            clocks,
        )
    }

    fn is_built_in(&self, path: &str) -> bool {
        let source = self.scripts.effective(path);
        source.is_some_and(|source| source.layer == Layer::BuiltIn)
    }

    fn facts_for(&self, path: &str) -> Arc<Facts> {
        let mut facts = self.facts.clone();
        if let Some(settings) = self.settings.get(path) {
            facts.settings = settings.clone();
        }
        Arc::new(facts)
    }
}

impl<T> Done<T> {
    /// A call that ran, with its receipts.
    fn of(
        frame: &Frame,
        (script, entry): (&str, &str),
        began: Instant,
        result: Result<T, Fault>,
        describe: impl FnOnce(&T) -> (String, String, usize),
    ) -> Self {
        let receipts = frame.receipts();
        let (answer, why, line) = match &result {
            Ok(value) => describe(value),
            Err(fault) => (
                "fault".to_string(),
                fault.line(),
                fault.place().map_or(0, |p| p.1),
            ),
        };
        let record = CallRecord {
            script: script.to_string(),
            entry: entry.to_string(),
            answer,
            why,
            line,
            micros: micros(began),
            receipts: receipts.clone(),
        };
        Done {
            result,
            receipts,
            record,
        }
    }

    fn failed(script: &str, entry: &str, began: Instant, fault: Fault) -> Self {
        let record = CallRecord {
            script: script.to_string(),
            entry: entry.to_string(),
            answer: "fault".to_string(),
            why: fault.line(),
            line: fault.place().map_or(0, |p| p.1),
            micros: micros(began),
            receipts: Vec::new(),
        };
        Done {
            result: Err(fault),
            receipts: Vec::new(),
            record,
        }
    }
}

fn earlier(began: Instant, within: Duration, until: Instant) -> Instant {
    began
        .checked_add(within)
        .map_or(until, |own| own.min(until))
}

fn micros(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The reason that an answer carries.
pub fn reason(answered: &Answered) -> String {
    use crate::script::answer::Reply as R;
    match &answered.reply {
        R::Place { way, at } => format!("{way}: {at}"),
        R::Condition { sentence, .. } => sentence.clone(),
        R::Refused { why, .. } => why.clone(),
        R::Reported(why)
        | R::Found(_, why)
        | R::Empty(why)
        | R::Unavailable(why)
        | R::Absent(why)
        | R::Sorted(_, why)
        | R::Yes(why)
        | R::No(why)
        | R::Verdict(_, why)
        | R::Step(_, why) => why.clone(),
    }
}
