//! The one door: a typed call goes in, a typed answer or a fault comes out.
//!
//! INVARIANT: a tripped clock, a panic, an error and an answer of another kind are faults,
//! whatever the script returned. The caller turns a fault into `unavailable`, never into empty.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use rhai::{Dynamic, Scope};
use serde_json::Value;

use crate::diag::{Code, Fault};

use super::answer::Answered;
use super::engine;
use super::fault::{at_definition, run_fault};
use super::frame::{Frame, MAX_LOOKS, MAX_STEPS, Trip};
use super::layers::{Script, Scripts};
use super::shown::shown;
use super::value;
use super::value::context::Context;
use super::value::json::{from_plain, to_plain};

/// Script time that one call may use without waiting.
pub const WORK_BUDGET: Duration = Duration::from_secs(2);
/// The deadline of a call that declares none.
pub const CALL_DEADLINE: Duration = Duration::from_secs(10);

/// The most bytes of plain data that an entry gives, as JSON.
pub const MAX_DATA: usize = 64 * 1024;

/// An argument of an entry beside `ctx`.
pub enum Argument {
    /// `ctx`, made from the frame's facts.
    Context,
    /// A text.
    Text(String),
    /// Plain data.
    Data(Value),
}

/// One call that is about to be made.
pub struct Call<'a> {
    /// All scripts, for imports and for places of faults.
    pub scripts: &'a Arc<Scripts>,
    /// The script.
    pub script: &'a Script,
    /// Its entry function.
    pub entry: &'a str,
    /// The frame.
    pub frame: &'a Arc<Frame>,
}

impl Call<'_> {
    /// Calls an entry that gives an answer.
    pub fn answer(&self, arguments: Vec<Argument>) -> Result<Answered, Fault> {
        self.answered(&self.raw(arguments)?)
    }

    fn answered(&self, value: &Dynamic) -> Result<Answered, Fault> {
        if let Some(answer) = value.read_lock::<Answered>() {
            return Ok(answer.clone());
        }
        let got = value::kind(value);
        let message = format!("`{}` must end with an answer, got {got}", self.entry);
        Err(self.at_entry(Code::RunType, message).with_help(
            "every branch ends with a constructor such as `found(...)`, `empty(...)` or `unavailable(...)`",
        ))
    }

    /// Calls an entry that gives an answer, or `()` for "not mine".
    pub fn answer_or_none(&self, arguments: Vec<Argument>) -> Result<Option<Answered>, Fault> {
        let value = self.raw(arguments)?;
        match value.is_unit() {
            true => Ok(None),
            false => self.answered(&value).map(Some),
        }
    }

    /// Calls an entry that gives plain values.
    pub fn data(&self, arguments: Vec<Argument>) -> Result<Value, Fault> {
        let value = self.raw(arguments)?;
        let data = from_plain(&value)
            .map_err(|why| self.at_entry(Code::RunType, format!("`{}`: {why}", self.entry)))?;
        let size = data.to_string().len();
        if size > MAX_DATA {
            let message = format!("`{}` gave {size} bytes, more than {MAX_DATA}", self.entry);
            return Err(self
                .at_entry(Code::RunSize, message)
                .with_help("give a count, a mark or a digest instead of what is there"));
        }
        Ok(data)
    }

    /// Calls an entry that gives anything; the value in lines for a person.
    pub fn shown(&self, arguments: Vec<Argument>) -> Result<Vec<String>, Fault> {
        self.raw(arguments).map(|value| shown(&value))
    }

    fn raw(&self, arguments: Vec<Argument>) -> Result<Dynamic, Fault> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(match argument {
                Argument::Context => Dynamic::from(Context(self.frame.facts.clone())),
                Argument::Text(text) => text.into(),
                Argument::Data(data) => to_plain(&data).unwrap_or(Dynamic::UNIT),
            });
        }
        let engine = engine::for_call(self.frame, self.scripts);
        let run = || {
            let mut scope = Scope::new();
            engine.call_fn::<Dynamic>(&mut scope, &self.script.ast, self.entry, values)
        };
        let result = catch_unwind(AssertUnwindSafe(run));
        self.frame.look_at_clocks();
        match (self.frame.tripped(), result) {
            (Some(trip), result) => {
                Err(self.tripped(trip, result.ok().and_then(Result::err).as_deref()))
            }
            (None, Ok(Ok(value))) => Ok(value),
            (None, Ok(Err(error))) => Err(self.failed(&error)),
            (None, Err(_)) => {
                let message = format!("`{}` brought the script engine down", self.entry);
                Err(self.at_entry(Code::RunPanic, message))
            }
        }
    }

    fn tripped(&self, trip: Trip, error: Option<&rhai::EvalAltResult>) -> Fault {
        let (code, what) = match trip {
            Trip::Work => {
                let seconds = WORK_BUDGET.as_secs();
                let what = format!("used up its script time of {seconds} s");
                (Code::RunWork, what)
            }
            Trip::Steps => {
                let what = format!("used up its script time of {MAX_STEPS} steps");
                (Code::RunWork, what)
            }
            Trip::Looks => (Code::RunSize, format!("looked more than {MAX_LOOKS} times")),
            Trip::Deadline => {
                let what = "was not done when its deadline passed".to_string();
                (Code::RunDeadline, what)
            }
        };
        let message = format!("`{}` {what}", self.entry);
        let help = match trip {
            Trip::Deadline => "look at less, or raise `within` in META for slow commands",
            _ => "look at less; lists and texts have functions that do the work on the host's side",
        };
        match error {
            Some(error) => self.failed(error).recoded(code, message),
            None => self.at_entry(code, message),
        }
        .with_help(help)
    }

    fn failed(&self, error: &rhai::EvalAltResult) -> Fault {
        run_fault((self.scripts, self.script), self.entry, error)
    }

    fn at_entry(&self, code: Code, message: String) -> Fault {
        at_definition(
            code,
            message,
            (&self.script.name, &self.script.text),
            self.entry,
        )
    }
}
