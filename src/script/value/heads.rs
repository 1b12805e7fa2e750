//! The heads of a folder's files: names, the fields that were asked for, the first line.
//!
//! INVARIANT: a file that could not be read stays in the list, with its reason. What
//! `Heads::without` leaves out was named by the script's own patterns, and is counted.

use std::sync::Arc;

use rhai::{Array, NativeCallContext};

use crate::formats::heads::fields;
use crate::formats::ticket;
use crate::script::host::{Fallible, misuse, misuse_here, text};
use crate::world::{Answer, Head};

use super::list::List;
use super::look::Look;
use super::text::digest;

mod getters;

pub use getters::register;

/// The heads of a folder's files, read for some keys.
#[derive(Debug, Clone)]
pub struct Heads {
    look: Look,
    files: Arc<Vec<FileHead>>,
    passed_over: usize,
}

/// The head of one file.
#[derive(Debug, Clone)]
pub struct FileHead(Arc<One>);

#[derive(Debug)]
struct One {
    all: Arc<Vec<Head>>,
    index: usize,
    at: String,
    keys: Arc<Vec<String>>,
    values: Vec<Option<String>>,
}

impl Heads {
    /// The heads in a look at `folder` (as the script wrote it), read for these keys.
    pub fn new(look: Look, folder: &str, keys: Vec<String>) -> Self {
        let keys = Arc::new(keys);
        let files = match &look.answer {
            Answer::Heads(all) => read(all, folder, &keys),
            _ => Vec::new(),
        };
        Heads {
            look,
            files: Arc::new(files),
            passed_over: 0,
        }
    }

    fn list(&self, wanted: impl Fn(&FileHead) -> bool) -> Fallible<List> {
        match self.look.answer {
            Answer::Heads(_) => Ok(List::of(self.files.iter().filter(|f| wanted(f)).cloned())),
            _ => Err(misuse_here(format!(
                "files were read from a look without them ({}); ask `.ok` first",
                self.look.why()
            ))),
        }
    }

    /// Patterns are compiled when a name gets as far as them: most folders need the first alone.
    fn without(&self, patterns: &[String]) -> Result<Heads, String> {
        let mut files = Vec::with_capacity(self.files.len());
        for file in self.files.iter() {
            if !matches_one(file.name(), patterns)? {
                files.push(file.clone());
            }
        }
        Ok(Heads {
            look: self.look.clone(),
            passed_over: self.passed_over + self.files.len() - files.len(),
            files: Arc::new(files),
        })
    }

    fn has(&self, name: &str) -> bool {
        let found = self.files.binary_search_by(|file| file.name().cmp(name));
        found.is_ok() || self.files.iter().any(|file| file.name() == name)
    }
}

fn matches_one(name: &str, patterns: &[String]) -> Result<bool, String> {
    for pattern in patterns {
        if text::pattern(pattern)?.is_match(name) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn read(all: &Arc<Vec<Head>>, folder: &str, keys: &Arc<Vec<String>>) -> Vec<FileHead> {
    let names: Vec<&str> = keys.iter().map(String::as_str).collect();
    let one = |(index, head): (usize, &Head)| {
        let values = head.bytes.as_ref().map(|bytes| fields(bytes, &names));
        FileHead(Arc::new(One {
            all: all.clone(),
            index,
            at: crate::script::host::fs::joined(folder, &head.name),
            keys: keys.clone(),
            values: values.unwrap_or_default(),
        }))
    };
    all.iter().enumerate().map(one).collect()
}

impl FileHead {
    fn head(&self) -> Option<&Head> {
        self.0.all.get(self.0.index)
    }

    fn bytes(&self) -> Result<&[u8], &str> {
        match self.head().map(|head| &head.bytes) {
            Some(Ok(bytes)) => Ok(bytes),
            Some(Err(why)) => Err(why),
            None => Err("cannot be read"),
        }
    }

    /// The name in its lossless spelling.
    pub fn name(&self) -> &str {
        self.head().map_or("", |head| &head.name)
    }

    /// The path below the folder as the script wrote it.
    pub fn at(&self) -> &str {
        &self.0.at
    }

    /// What the name says, if it is a ticket's.
    pub fn ticket(&self) -> Option<ticket::Name<'_>> {
        ticket::name(self.name())
    }

    /// The first of these keys that has a value; `Err` with a key that was not asked for.
    pub fn first_of<'k>(&self, wanted: &'k [String]) -> Result<Option<&str>, &'k str> {
        for key in wanted {
            let index = self.0.keys.iter().position(|known| known == key);
            let index = index.ok_or(key.as_str())?;
            let value = self.0.values.get(index).and_then(Option::as_deref);
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    fn first_line(&self) -> String {
        let text = String::from_utf8_lossy(self.bytes().unwrap_or_default());
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let full = text.lines().map(str::trim).find(|line| !line.is_empty());
        full.unwrap_or_default().to_string()
    }

    fn digest(&self) -> String {
        let size = self.head().map_or(0, |head| head.size);
        format!("{size}:{}", digest(self.bytes().unwrap_or_default()))
    }
}

/// A list of texts from a script's array.
pub fn texts(
    ctx: &NativeCallContext,
    values: &Array,
    function: &str,
    name: &str,
) -> Fallible<Vec<String>> {
    let one = |value| crate::script::host::text_arg(ctx, value, function, name);
    values.iter().map(one).collect()
}

/// The misuse of a key that `fs::heads` did not read.
pub fn unasked(ctx: &NativeCallContext, key: &str) -> Box<rhai::EvalAltResult> {
    let message = format!("`{key}` is none of the keys that `fs::heads` was asked for");
    misuse(ctx, message)
}
