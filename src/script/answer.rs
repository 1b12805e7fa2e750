//! Answers: opaque values that only constructors make. Each remembers the line that made it.
//!
//! A forgotten branch gives `()`, which is no answer and so a type error; a misspelt
//! constructor is an unknown function with a place. A script has no way to change an answer.

use std::sync::Arc;

use rhai::NativeCallContext;
use serde_json::Value;

use crate::model::item::{Item, Sort};

mod constructors;

pub use constructors::register;

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

    /// The reason that the answer carries.
    pub fn why(&self) -> String {
        use Reply as R;
        match &self.reply {
            R::Place { way, at } => format!("{way}: {at}"),
            R::Condition { sentence, .. } => sentence.clone(),
            R::Refused { why, .. }
            | R::Reported(why)
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
    /// For proofs: met by the worker's own mark.
    Reported(String),
    /// For proofs: the text is this method's phrase.
    Condition {
        /// One checkable sentence.
        sentence: String,
        /// What `prove` needs, as plain data.
        params: Value,
    },
    /// For proofs: the text is this method's phrase, and cannot be read without a guess.
    Refused {
        /// Why, and what to write instead.
        why: String,
        /// The piece of the text that cannot be read.
        piece: String,
    },
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
    /// The script whose line made it, which an imported script may be; empty for the kernel.
    pub source: Arc<str>,
    /// The line that made it.
    pub line: usize,
}

impl SeenItem {
    /// `script:line`, where the item was made; nothing for an item of the kernel.
    pub fn made_at(&self) -> Option<String> {
        (self.line > 0).then(|| format!("{}:{}", self.source, self.line))
    }
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
            Reply::Reported(_) => "reported",
            Reply::Condition { .. } => "condition",
            Reply::Refused { .. } => "refused",
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
