//! A task as any of the list formats tells it.
//!
//! INVARIANT: what a reader could not judge is [`State::Unclear`] with a reason. It is never left
//! out and never counted as done.

use std::borrow::Cow;

/// The reason of a list item that has no box at all.
pub const PLAIN_BULLET: &str = "plain bullet";

/// The reason of a box with nothing behind it.
pub const EMPTY_TEXT: &str = "empty task text";

/// What a box, or the place of a line, says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Still to do.
    Open,
    /// Done.
    Done,
    /// It looks like a task, but what it says is a guess; with the reason.
    Unclear(Cow<'static, str>),
}

impl State {
    /// An unclear state with a fixed reason.
    pub const fn unclear(reason: &'static str) -> Self {
        Self::Unclear(Cow::Borrowed(reason))
    }
}

/// One line of a task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// 1-based line.
    pub line: usize,
    /// Number of list items that this one stands in; 0 for the outermost.
    pub depth: usize,
    /// Open, done or unclear.
    pub state: State,
    /// The first paragraph as plain text, without the box. Near misses keep their brackets.
    pub text: String,
    /// Further paragraphs of the same item, one a line; not those of nested items.
    pub detail: String,
    /// The nearest heading above.
    pub section: Option<String>,
    /// `A` (highest) to `Z`; only todo.txt has it.
    pub priority: Option<char>,
    /// `YYYY-MM-DD`; only todo.txt has it.
    pub due: Option<String>,
}

impl Task {
    /// A task without nesting, section, priority and date.
    pub fn new(line: usize, state: State, text: impl Into<String>) -> Self {
        Self {
            line,
            depth: 0,
            state,
            text: text.into(),
            detail: String::new(),
            section: None,
            priority: None,
            due: None,
        }
    }
}
