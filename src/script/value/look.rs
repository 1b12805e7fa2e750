//! A look: the answer of the world to one question, for the script to inspect.
//!
//! `ok` says whether the question was answered with something, `missing` whether the place was
//! reached and nothing was there, `why` what happened otherwise. Reading a value from a look
//! that is not `ok` raises: an unread failure can never pass as an empty text.

use std::sync::Arc;

use rhai::Module;

use crate::script::host::{Fallible, getter, misuse_here};
use crate::world::{Answer, Kind, Meta};

use super::json::Json;
use super::list::List;
use super::text::{Text, digest};

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

/// Registers the types and their getters.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Look>("look");
    getter(module, "ok", |look: &mut Look| Ok(look.ok()));
    getter(module, "missing", |look: &mut Look| {
        Ok(matches!(look.answer, Answer::Missing))
    });
    getter(module, "granted", |look: &mut Look| {
        Ok(!matches!(look.answer, Answer::Refused { .. }))
    });
    getter(module, "why", |look: &mut Look| Ok(look.why()));
    getter(module, "answered", |look: &mut Look| Ok(look.answered()));
    getter(module, "path", |look: &mut Look| Ok(look.asked.to_string()));
    getter(module, "at", |look: &mut Look| Ok(look.shown.to_string()));
    getter(module, "name", |look: &mut Look| {
        let name = look.asked.rsplit('/').next();
        Ok(name.unwrap_or_default().to_string())
    });
    getter(module, "text", |look: &mut Look| look.text());
    getter(module, "data", |look: &mut Look| match &look.answer {
        Answer::Data(data) => Ok(Json::root(Ok(data.as_ref().clone()))),
        _ => look.no_value("data"),
    });
    getter(module, "digest", |look: &mut Look| match &look.answer {
        Answer::Bytes(bytes) => Ok(digest(bytes)),
        Answer::Text(text) => Ok(text.clone()),
        _ => look.no_value("digest"),
    });
    register_commands(module);
    register_places(module);
}

fn register_commands(module: &mut Module) {
    getter(module, "status", |look: &mut Look| match &look.answer {
        Answer::Ran(ran) => Ok(i64::from(ran.status)),
        _ => look.no_value("status"),
    });
    getter(module, "program", |look: &mut Look| match &look.answer {
        Answer::Ran(ran) => Ok(ran.program.clone()),
        Answer::Text(text) => Ok(text.clone()),
        _ => look.no_value("program"),
    });
    getter(module, "stdout", |look: &mut Look| look.stdout());
    getter(module, "is_text", |look: &mut Look| match &look.answer {
        Answer::Ran(ran) => Ok(std::str::from_utf8(&ran.stdout).is_ok()),
        _ => look.no_value("is_text"),
    });
    // For people, and so never a reason to fail.
    getter(module, "stderr", |look: &mut Look| match &look.answer {
        Answer::Ran(ran) => Ok(Text::new(&String::from_utf8_lossy(&ran.stderr))),
        _ => look.no_value("stderr"),
    });
}

fn register_places(module: &mut Module) {
    getter(module, "size", |look: &mut Look| {
        let size = match &look.answer {
            Answer::Bytes(bytes) => u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            _ => look.meta("size")?.size,
        };
        Ok(i64::try_from(size).unwrap_or(i64::MAX))
    });
    // Nanoseconds since the epoch: to compare two files, not to show.
    getter(module, "changed", |look: &mut Look| {
        Ok(look.meta("changed")?.mtime)
    });
    getter(module, "is_file", |look: &mut Look| {
        Ok(look.meta("is_file")?.kind == Kind::File)
    });
    getter(module, "is_folder", |look: &mut Look| {
        Ok(look.meta("is_folder")?.kind == Kind::Folder)
    });
    getter(module, "mark", |look: &mut Look| {
        let meta = look.meta("mark")?;
        Ok(format!("{}:{}", meta.size, meta.mtime))
    });
    getter(module, "entries", |look: &mut Look| {
        look.entries("entries", |_| true)
    });
    getter(module, "non_files", |look: &mut Look| {
        look.entries("non_files", |kind| kind != Kind::File)
    });
    module.set_custom_type::<FolderEntry>("entry");
    getter(module, "name", |entry: &mut FolderEntry| {
        Ok(entry.name.to_string())
    });
    getter(module, "path", |entry: &mut FolderEntry| {
        Ok(entry.path.to_string())
    });
    getter(module, "is_file", |entry: &mut FolderEntry| {
        Ok(entry.kind == Kind::File)
    });
    getter(module, "is_folder", |entry: &mut FolderEntry| {
        Ok(entry.kind == Kind::Folder)
    });
    getter(module, "is_link", |entry: &mut FolderEntry| {
        Ok(entry.kind == Kind::Link)
    });
    getter(module, "kind", |entry: &mut FolderEntry| {
        Ok(match entry.kind {
            Kind::File => "file",
            Kind::Folder => "folder",
            Kind::Link => "link",
            Kind::Special => "special",
        }
        .to_string())
    });
}
