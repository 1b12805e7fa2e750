//! Asking scripts: one call with its frame, its deadline and its record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::diag::{Code, Fault};
use crate::model::receipt::Receipt;
use crate::script::answer::Answered;
use crate::script::call::{Argument, CALL_DEADLINE, Call, WORK_BUDGET};
use crate::script::coverage::Coverage;
use crate::script::frame::{Clocks, Facts, Frame, Limits};
use crate::script::layers::{Layer, Script, Scripts};
use crate::world::desk::Desk;

pub mod looking;
pub mod record;
pub mod side_by_side;
pub mod stack;

pub use record::CallRecord;
use record::Said;
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
    /// Where to note which statements run, if anybody wants to know.
    pub coverage: Option<Arc<Coverage>>,
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
        self.call(path, entry, |call| call.answer(arguments), Said::answer)
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
                Some(answered) => Said::answer(answered),
                None => Said::new("none", String::new()),
            },
        )
    }

    /// Calls an entry that gives plain values.
    pub fn data(&self, path: &str, entry: &str, arguments: Vec<Argument>) -> Done<Value> {
        self.call(
            path,
            entry,
            |call| call.data(arguments),
            |value| Said::new("data", value.to_string()),
        )
    }

    /// Calls an entry that gives anything; the value in lines for a person.
    pub fn shown(&self, path: &str, entry: &str) -> Done<Vec<String>> {
        self.call(
            path,
            entry,
            |call| call.shown(vec![Argument::Context]),
            |lines| Said::new("shown", lines.join(" ")),
        )
    }

    fn call<T: Send>(
        &self,
        path: &str,
        entry: &str,
        run: impl FnOnce(&Call<'_>) -> Result<T, Fault> + Send,
        describe: impl FnOnce(&T) -> Said,
    ) -> Done<T> {
        let began = Instant::now();
        let script = match self.scripts.script(path) {
            Ok(script) => script,
            Err(fault) => {
                let name = self
                    .scripts
                    .effective(path)
                    .map_or_else(|| format!("{path}.rhai"), |s| s.name());
                return Done::failed(&name, entry, fault);
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
        Done::of(&frame, (&script.name, entry), result, describe)
    }

    fn frame(&self, path: &str, script: &Script, began: Instant) -> Frame {
        let within = script.meta.within.unwrap_or(CALL_DEADLINE);
        let clocks = Clocks {
            work: WORK_BUDGET,
            until: earlier(began, within, self.until),
        };
        let mut frame = Frame::new(
            self.facts_for(path),
            &script.name,
            self.desk.clone(),
            clocks,
        );
        frame.coverage.clone_from(&self.coverage);
        frame
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
        result: Result<T, Fault>,
        describe: impl FnOnce(&T) -> Said,
    ) -> Self {
        let said = match &result {
            Ok(value) => describe(value),
            Err(fault) => Said::fault(fault),
        };
        let limits = frame.limits();
        let receipts = frame.receipts();
        let mut record = CallRecord::new((script, entry), said, (limits, receipts.clone()));
        record.printed = frame.trace();
        Done {
            result,
            receipts,
            record,
        }
    }

    /// A call that could not begin.
    fn failed(script: &str, entry: &str, fault: Fault) -> Self {
        let limits = Limits::default();
        let record = CallRecord::new((script, entry), Said::fault(&fault), (limits, Vec::new()));
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
