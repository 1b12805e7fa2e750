//! The heads of a folder's files: names, the fields that were asked for, the first line.
//!
//! INVARIANT: a file that could not be read stays in the list, with its reason. What
//! `Heads::without` leaves out was named by the script's own patterns, and is counted.

use std::sync::Arc;

use rhai::{Array, Dynamic, Module, NativeCallContext};

use crate::formats::heads::fields;
use crate::formats::ticket;
use crate::host_fn;
use crate::script::host::{Fallible, getter, misuse, misuse_here, text};
use crate::world::{Answer, Head};

use super::list::List;
use super::look::Look;
use super::text::{digest, number};
use super::ticket::TicketName;

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

/// Registers the types.
pub fn register(module: &mut Module) {
    register_heads(module);
    module.set_custom_type::<FileHead>("head");
    getter(module, "name", |f: &mut FileHead| Ok(f.name().to_string()));
    getter(module, "at", |f: &mut FileHead| Ok(f.at().to_string()));
    getter(module, "path", |f: &mut FileHead| {
        Ok(f.head().map_or_else(String::new, |head| head.path.clone()))
    });
    getter(module, "ok", |f: &mut FileHead| Ok(f.bytes().is_ok()));
    getter(module, "why", |f: &mut FileHead| {
        Ok(f.bytes().err().unwrap_or_default().to_string())
    });
    getter(module, "digest", |f: &mut FileHead| Ok(f.digest()));
    getter(module, "first_line", |f: &mut FileHead| Ok(f.first_line()));
    getter(module, "ticket", |f: &mut FileHead| {
        Ok(TicketName::dynamic(f.name()))
    });
    getter(module, "claim", |f: &mut FileHead| {
        let claim = f.ticket().and_then(|ticket| ticket.claim);
        Ok(claim.unwrap_or_default().to_string())
    });
    host_fn!(
        *module,
        "field",
        ["head", "key: string", "string or ()"],
        "The value of one of the keys that were asked for: `file.field(\"STATUS\") ?? \"\"`.",
        field
    );
    host_fn!(
        *module,
        "first_of",
        ["head", "keys: array of string", "string or ()"],
        "The first of these keys that has a value: `file.first_of([\"TITEL\", \"TITLE\"]) ?? file.name`.",
        |ctx: NativeCallContext, file: FileHead, keys: Array| -> Fallible<Dynamic> {
            let keys = texts(&ctx, &keys, "first_of", "keys")?;
            let found = file.first_of(&keys).map_err(|key| unasked(&ctx, key))?;
            Ok(found.map_or(Dynamic::UNIT, |value| value.to_string().into()))
        }
    );
}

fn register_heads(module: &mut Module) {
    module.set_custom_type::<Heads>("heads");
    getter(module, "ok", |h: &mut Heads| {
        Ok(matches!(h.look.answer, Answer::Heads(_)))
    });
    getter(module, "missing", |h: &mut Heads| {
        Ok(matches!(h.look.answer, Answer::Missing))
    });
    getter(module, "why", |h: &mut Heads| Ok(h.look.why()));
    getter(module, "files", |h: &mut Heads| h.list(|_| true));
    getter(module, "tickets", |h: &mut Heads| {
        h.list(|file| file.bytes().is_ok() && file.ticket().is_some())
    });
    getter(module, "others", |h: &mut Heads| {
        h.list(|file| file.bytes().is_err() || file.ticket().is_none())
    });
    getter(module, "passed_over", |h: &mut Heads| {
        Ok(number(h.passed_over))
    });
    host_fn!(
        *module,
        "has",
        ["heads", "name: string", "bool"],
        "Whether a file of that name is among them: `inbox.has(\"note.txt\")`.",
        |heads: Heads, name: &str| -> Fallible<bool> { Ok(heads.has(name)) }
    );
    host_fn!(
        *module,
        "without",
        ["heads", "patterns: array of string", "heads"],
        "Without the files whose name matches one of the patterns; `passed_over` counts them: `inbox.without([\"^~\\$\"]).files`.",
        |ctx: NativeCallContext, heads: Heads, patterns: Array| -> Fallible<Heads> {
            let patterns = texts(&ctx, &patterns, "without", "patterns")?;
            let kept = heads.without(&patterns);
            kept.map_err(|why| misuse(&ctx, format!("`without`: {why}")))
        }
    );
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

fn field(ctx: NativeCallContext, file: FileHead, key: &str) -> Fallible<Dynamic> {
    match file.0.keys.iter().position(|known| known == key) {
        Some(index) => {
            let value = file.0.values.get(index).cloned().flatten();
            Ok(value.map_or(Dynamic::UNIT, Dynamic::from))
        }
        None => Err(unasked(&ctx, key)),
    }
}
