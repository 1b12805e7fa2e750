//! Answers: opaque values that only constructors make. Each remembers the line that made it.
//!
//! A forgotten branch gives `()`, which is no answer and so a type error; a misspelt
//! constructor is an unknown function with a place. A script has no way to change an answer.

use rhai::{Dynamic, FuncRegistration, Module, NativeCallContext};

use crate::model::item::{Item, Sort};

use super::host::item::SeenHandle;
use super::host::{Fallible, misuse, text_arg, why_arg};
use super::value::list::List;

/// What a script answered, with the place that made the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// The answer.
    pub reply: Reply,
    /// The script whose line made it, which an imported script may be.
    pub source: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl Answered {
    /// `script:line`, where the answer was made.
    pub fn place(&self) -> String {
        format!("{}:{}", self.source, self.line)
    }

    /// The sentence for an answer that its entry may not give.
    pub fn misplaced(&self, entry: &str) -> String {
        let constructor = self.reply.constructor();
        format!(
            "{}: `{entry}` may not answer with `{constructor}(...)`",
            self.place()
        )
    }
}

/// The answers there are. Which of them an entry may give stands in the contract.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// Where a source is, and by which way it was found.
    Place {
        /// `setting`, `resolver`, `fallback`, `path`, ...
        way: String,
        /// A path, `command:NAME` or `ledger`.
        at: String,
    },
    /// Asked, and these items were there.
    Found(Vec<SeenItem>, String),
    /// Asked, and nothing was there.
    Empty(String),
    /// Could not be asked.
    Unavailable(String),
    /// This site has no such thing.
    Absent(String),
    /// How an item is sorted.
    Sorted(Sort, String),
    /// The guard may hold.
    Yes(String),
    /// The guard may not hold.
    No(String),
    /// What the tick says.
    Verdict(Word, String),
    /// What a gate does to its step.
    Step(StepWord, String),
}

/// An item as a probe gave it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenItem {
    /// The item.
    pub item: Item,
    /// When time alone changes it: seconds since the epoch.
    pub due: Option<i64>,
    /// The line that made it.
    pub line: usize,
}

/// A verdict as a rule may say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// There is work.
    Continue,
    /// All were asked, all were empty.
    Exhausted,
    /// Not all could be asked.
    Blind,
    /// Only the user's items are left.
    UserOnly,
}

/// What a gate does to its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepWord {
    /// The step is free.
    Open,
    /// The step waits.
    Hold,
    /// The step is forbidden.
    Forbid,
}

impl Reply {
    /// The name of the constructor that made it.
    pub fn constructor(&self) -> &'static str {
        match self {
            Reply::Place { .. } => "place",
            Reply::Found(..) => "found",
            Reply::Empty(_) => "empty",
            Reply::Unavailable(_) => "unavailable",
            Reply::Absent(_) => "absent",
            Reply::Sorted(sort, _) => sort.word(),
            Reply::Yes(_) => "yes",
            Reply::No(_) => "no",
            Reply::Verdict(Word::Continue, _) => "go_on",
            Reply::Verdict(Word::Exhausted, _) => "exhausted",
            Reply::Verdict(Word::Blind, _) => "blind",
            Reply::Verdict(Word::UserOnly, _) => "user_only",
            Reply::Step(StepWord::Open, _) => "open_step",
            Reply::Step(StepWord::Hold, _) => "hold",
            Reply::Step(StepWord::Forbid, _) => "forbid",
        }
    }
}

/// The script and line of the call that is running.
pub fn here(ctx: &NativeCallContext) -> (String, usize) {
    let source = ctx.call_source().unwrap_or_default().to_string();
    (source, ctx.call_position().line().unwrap_or(0))
}

fn answered(ctx: &NativeCallContext, reply: Reply) -> Answered {
    let (source, line) = here(ctx);
    Answered {
        reply,
        source,
        line,
    }
}

/// Registers the constructors, visible everywhere without a namespace.
pub fn register(module: &mut Module) {
    super::host::item::register(module);
    register_probe_answers(module);
    register_rule_answers(module);
}

fn register_probe_answers(module: &mut Module) {
    FuncRegistration::new("place")
        .with_params_info(["way: string", "at: string", "answer"])
        .with_comments(["/// Where a source is: the way it was found, and a path, `command:NAME` or `ledger`.\n/// `place(\"fallback\", \"_control-center/_DECISIONS\")`"])
        .set_into_module(module, |ctx: NativeCallContext, way: Dynamic, at: Dynamic| -> Fallible<Answered> {
            let way = text_arg(&ctx, &way, "place", "way")?;
            let at = text_arg(&ctx, &at, "place", "at")?;
            if at.trim().is_empty() {
                return Err(misuse(&ctx, "`place` names no place"));
            }
            Ok(answered(&ctx, Reply::Place { way, at }))
        });
    FuncRegistration::new("found")
        .with_params_info(["items: list of item", "why: string", "answer"])
        .with_comments(["/// Asked, and these items were there. An empty list is no `found`.\n/// `found(items, \"3 entries in `TODO.md`\")`"])
        .set_into_module(module, |ctx: NativeCallContext, items: Dynamic, why: Dynamic| -> Fallible<Answered> {
            let why = why_arg(&ctx, &why, "found")?;
            let items = seen_items(&ctx, items)?;
            Ok(answered(&ctx, Reply::Found(items, why)))
        });
    FuncRegistration::new("found")
        .with_params_info(["why: string", "answer"])
        .with_comments([
            "/// For proofs: the condition is met.\n/// `found(\"exit code 0, 12 tests\")`",
        ])
        .set_into_module(
            module,
            |ctx: NativeCallContext, why: Dynamic| -> Fallible<Answered> {
                let why = why_arg(&ctx, &why, "found")?;
                Ok(answered(&ctx, Reply::Found(Vec::new(), why)))
            },
        );
    with_why(
        module,
        "empty",
        "Asked, and nothing was there.",
        Reply::Empty,
    );
    with_why(
        module,
        "unavailable",
        "Could not be asked; never the same as empty.",
        Reply::Unavailable,
    );
    with_why(
        module,
        "absent",
        "Work probes: this site has no such thing, and that was looked at.",
        Reply::Absent,
    );
}

fn register_rule_answers(module: &mut Module) {
    with_why(module, "work", "The item is autonomous work.", |w| {
        Reply::Sorted(Sort::Work, w)
    });
    with_why(module, "user", "The item needs the person.", |w| {
        Reply::Sorted(Sort::User, w)
    });
    with_why(module, "rest", "The item is in nobody's way.", |w| {
        Reply::Sorted(Sort::Rest, w)
    });
    with_why(
        module,
        "unclear",
        "The item cannot be sorted; it goes to the person.",
        |w| Reply::Sorted(Sort::Unclear, w),
    );
    with_why(module, "yes", "The guard may hold.", Reply::Yes);
    with_why(module, "no", "The guard may not hold.", Reply::No);
    with_why(module, "go_on", "There is work.", |w| {
        Reply::Verdict(Word::Continue, w)
    });
    with_why(
        module,
        "exhausted",
        "All were asked, all were empty.",
        |w| Reply::Verdict(Word::Exhausted, w),
    );
    with_why(module, "blind", "Not all could be asked.", |w| {
        Reply::Verdict(Word::Blind, w)
    });
    with_why(
        module,
        "user_only",
        "Only the person's items are left.",
        |w| Reply::Verdict(Word::UserOnly, w),
    );
    with_why(module, "open_step", "The step is free.", |w| {
        Reply::Step(StepWord::Open, w)
    });
    with_why(module, "hold", "The step waits.", |w| {
        Reply::Step(StepWord::Hold, w)
    });
    with_why(module, "forbid", "The step is forbidden.", |w| {
        Reply::Step(StepWord::Forbid, w)
    });
}

/// A constructor that takes a reason.
fn with_why(
    module: &mut Module,
    name: &'static str,
    about: &str,
    make: impl Fn(String) -> Reply + Send + Sync + 'static,
) {
    FuncRegistration::new(name)
        .with_params_info(["why: string", "answer"])
        .with_comments([format!("/// {about}\n/// `{name}(\"why\")`")])
        .set_into_module(
            module,
            move |ctx: NativeCallContext, why: Dynamic| -> Fallible<Answered> {
                let why = why_arg(&ctx, &why, name)?;
                Ok(answered(&ctx, make(why)))
            },
        );
}

/// The items of a list handle or an array; anything else among them is an error.
fn seen_items(ctx: &NativeCallContext, items: Dynamic) -> Fallible<Vec<SeenItem>> {
    let values = match List::from_dynamic(&items) {
        Some(list) => list,
        None => {
            return Err(misuse(
                ctx,
                format!(
                    "`found` takes a list of items, got {}",
                    super::value::kind(&items)
                ),
            ));
        }
    };
    let mut out = Vec::with_capacity(values.size());
    for (index, value) in values.iter().enumerate() {
        match value.read_lock::<SeenHandle>() {
            Some(item) => out.push(item.0.as_ref().clone()),
            None => {
                let what = super::value::kind(value);
                let text = format!("entry {index} of the list is no item but {what}");
                return Err(misuse(ctx, text));
            }
        }
    }
    Ok(out)
}
