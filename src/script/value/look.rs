//! A look: the answer of the world to one question, for the script to inspect.
//!
//! `ok` says whether the question was answered with something, `missing` whether the place was
//! reached and nothing was there, `why` what happened otherwise. Reading a value from a look
//! that is not `ok` raises: an unread failure can never pass as an empty text.

use std::sync::Arc;

use crate::script::host::{Fallible, misuse_here};
use crate::world::{Answer, Kind, Meta};

use super::list::List;
use super::text::Text;

mod getters;

pub use getters::register;

/// The answer to one question.
#[derive(Debug, Clone)]
pub struct Look {
    /// What was asked, for messages.
    pub asked: Arc<str>,
    /// The same as a person would write it: a path below the root without the root.
    pub shown: Arc<str>,
    /// What came back.
    pub answer: Answer,
}

impl Look {
    /// A look at `asked` with this answer.
    pub fn new(asked: &str, answer: Answer) -> Self {
        Look {
            asked: asked.into(),
            shown: asked.into(),
            answer,
        }
    }

    /// The same, written in a shorter way.
    pub fn shown_as(self, shown: &str) -> Self {
        Look {
            shown: shown.into(),
            ..self
        }
    }

    /// The same, its question named otherwise in messages.
    pub fn named(self, asked: &str) -> Self {
        Look::new(asked, self.answer)
    }

    fn ok(&self) -> bool {
        match &self.answer {
            Answer::Bytes(bytes) => std::str::from_utf8(bytes).is_ok(),
            _ => self.answered(),
        }
    }

    /// Whether something came back, a text or not.
    fn answered(&self) -> bool {
        !matches!(
            self.answer,
            Answer::Missing | Answer::Refused { .. } | Answer::Failed { .. }
        )
    }

    /// Why there is no value; empty for a look that is ok.
    pub fn why(&self) -> String {
        let asked = &self.asked;
        match &self.answer {
            Answer::Missing => format!("`{asked}` does not exist"),
            Answer::Refused { why, help } => format!("{why}; {help}"),
            Answer::Failed { why, .. } => format!("`{asked}`: {why}"),
            Answer::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(_) => String::new(),
                Err(e) => format!("`{asked}` is not UTF-8 (byte {})", e.valid_up_to()),
            },
            _ => String::new(),
        }
    }

    fn no_value<T>(&self, what: &str) -> Fallible<T> {
        let why = match self.why() {
            why if why.is_empty() => format!("`{}` has none", self.asked),
            why => why,
        };
        Err(misuse_here(format!(
            "`{what}` was read from a look without it ({why}); ask `.ok` first"
        )))
    }

    fn text(&self) -> Fallible<Text> {
        match &self.answer {
            Answer::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => Ok(Text::from_place(text, &self.shown)),
                Err(_) => self.no_value("text"),
            },
            Answer::Text(text) => Ok(Text::new(text)),
            _ => self.no_value("text"),
        }
    }

    fn stdout(&self) -> Fallible<Text> {
        match &self.answer {
            Answer::Ran(ran) => match std::str::from_utf8(&ran.stdout) {
                Ok(text) => Ok(Text::new(text)),
                Err(e) => Err(misuse_here(format!(
                    "the output of `{}` is not UTF-8 (byte {}); ask `.is_text` first",
                    self.asked,
                    e.valid_up_to()
                ))),
            },
            _ => self.no_value("stdout"),
        }
    }

    fn entries(&self, what: &str, wanted: impl Fn(Kind) -> bool) -> Fallible<List> {
        match &self.answer {
            Answer::Entries(entries) => {
                let wanted = entries.iter().filter(|e| wanted(e.kind));
                Ok(List::of(wanted.map(|e| FolderEntry {
                    name: e.name.as_str().into(),
                    path: e.path.as_str().into(),
                    kind: e.kind,
                })))
            }
            _ => self.no_value(what),
        }
    }

    fn meta(&self, what: &str) -> Fallible<Meta> {
        match &self.answer {
            Answer::Meta(meta) => Ok(meta.clone()),
            _ => self.no_value(what),
        }
    }
}

/// One entry of a folder.
#[derive(Debug, Clone)]
struct FolderEntry {
    name: Arc<str>,
    path: Arc<str>,
    kind: Kind,
}
