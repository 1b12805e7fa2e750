//! Texts as handles: a file or a command's output, of any size, with its name.

use std::sync::Arc;

use rhai::Module;
use sha2::{Digest, Sha256};

use crate::formats::lines::lines;
use crate::host_fn;
use crate::model::text::hex;
use crate::script::host::text::pattern;
use crate::script::host::{Fallible, getter, misuse_here};

use super::list::{List, within_bounds};

/// A text that stays on the host's side.
#[derive(Debug, Clone)]
pub struct Text {
    content: Arc<str>,
    origin: Option<Arc<str>>,
}

/// One line of a text.
#[derive(Debug, Clone)]
pub struct Line {
    text: Arc<str>,
    number: i64,
}

impl Text {
    /// A handle on this content.
    pub fn new(content: &str) -> Self {
        Text {
            content: content.into(),
            origin: None,
        }
    }

    /// The same with the place that it was read from, as a person would write it.
    pub fn from_place(content: &str, origin: &str) -> Self {
        Text {
            content: content.into(),
            origin: Some(origin.into()),
        }
    }

    /// The place that it was read from, if it is a file's.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// The whole content.
    pub fn content(&self) -> &str {
        &self.content
    }
}

/// SHA-256 of some bytes, in hex.
pub fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// A number of things as a script's number.
pub fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// The most characters of a line that a script takes out of a text whose size nobody knows.
const LINE: usize = 1000;

/// What terminals read as colours and moves of the cursor (ECMA-48, control sequences).
const TERMINAL_CODES: &str = r"\x1b\[[0-?]*[ -/]*[@-~]";

/// The longest text that scripts put together, in bytes: that of the largest file.
const LONGEST: usize = 16 * 1024 * 1024;

fn shortened(line: &str) -> String {
    line.chars().take(LINE).collect()
}

/// Registers the types and their methods.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Text>("text");
    getter(
        module,
        "len",
        "How many bytes it has.",
        |text: &mut Text| Ok(number(text.content.len())),
    );
    getter(
        module,
        "is_blank",
        "Whether it holds nothing but white space.",
        |text: &mut Text| Ok(text.content.trim().is_empty()),
    );
    getter(module, "digest", "SHA-256 in hex.", |text: &mut Text| {
        Ok(digest(text.content.as_bytes()))
    });
    getter(
        module,
        "trimmed",
        "The text without white space at both ends.",
        |text: &mut Text| Ok(Text::new(text.content.trim())),
    );
    getter(
        module,
        "uncoloured",
        "The text without what terminals read as colours: `run.stdout.uncoloured.last_line`.",
        |text: &mut Text| {
            let codes = pattern(TERMINAL_CODES).map_err(misuse_here)?;
            Ok(Text::new(&codes.replace_all(&text.content, "")))
        },
    );
    getter(
        module,
        "first_line",
        "The first line that is not blank, at most 1000 characters.",
        |text: &mut Text| {
            let first = lines(&text.content)
                .map(|(_, line)| line.trim())
                .find(|l| !l.is_empty());
            Ok(shortened(first.unwrap_or_default()))
        },
    );
    getter(
        module,
        "last_line",
        "The last line that is not blank, at most 1000 characters.",
        |text: &mut Text| {
            let trimmed = lines(&text.content).map(|(_, line)| line.trim());
            let last = trimmed.filter(|line| !line.is_empty()).last();
            Ok(shortened(last.unwrap_or_default()))
        },
    );
    getter(
        module,
        "lines -> list of line",
        "The lines: `file.text.lines.keep(|line| line.text != \"\")`.",
        |text: &mut Text| {
            within_bounds(lines(&text.content).count())?;
            Ok(List::of(lines(&text.content).map(|(number, line)| Line {
                text: line.into(),
                number: self::number(number),
            })))
        },
    );
    host_fn!(
        *module,
        "contains",
        ["text", "part: string", "bool"],
        "Whether the part stands in the text: `file.text.contains(\"RESUME:\")`.",
        |text: Text, part: &str| -> Fallible<bool> { Ok(text.content.contains(part)) }
    );
    register_joining(module);
    host_fn!(
        *module,
        "first_lines",
        ["text", "count: number", "text"],
        "The first lines as a text of their own: `file.text.first_lines(5).contains(\"ignore\")`.",
        |text: Text, count: i64| -> Fallible<Text> {
            let count = usize::try_from(count).unwrap_or_default();
            let first: Vec<&str> = lines(text.content())
                .take(count)
                .map(|(_, line)| line)
                .collect();
            Ok(Text::new(&first.join("\n")))
        }
    );
    module.set_custom_type::<Line>("line");
    getter(
        module,
        "text",
        "The line without its end.",
        |line: &mut Line| Ok(line.text.to_string()),
    );
    getter(
        module,
        "number",
        "Which line it is, from 1.",
        |line: &mut Line| Ok(line.number),
    );
}

/// Texts are joined on the host's side: the engine's own strings are short.
fn register_joining(module: &mut Module) {
    let join = |a: &str, b: &str| match a.len().saturating_add(b.len()) {
        size if size <= LONGEST => Ok(Text::new(&format!("{a}{b}"))),
        size => {
            let why = format!("a text of {size} bytes is longer than {LONGEST}");
            Err(misuse_here(why))
        }
    };
    host_fn!(
        *module,
        "+",
        ["a: text", "b: text", "text"],
        "Both texts, one after the other: `run.stdout + run.stderr`.",
        move |a: Text, b: Text| -> Fallible<Text> { join(&a.content, &b.content) }
    );
    host_fn!(
        *module,
        "+",
        ["a: string", "b: text", "text"],
        "Both texts, one after the other: `\"written in May\\n\" + note.text(\"content\")`.",
        move |a: &str, b: Text| -> Fallible<Text> { join(a, &b.content) }
    );
    host_fn!(
        *module,
        "+",
        ["a: text", "b: string", "text"],
        "Both texts, one after the other: `run.stdout + \"\\n\"`.",
        move |a: Text, b: &str| -> Fallible<Text> { join(&a.content, b) }
    );
    host_fn!(
        *module,
        "to_string",
        ["text", "string"],
        "A short text as a string of the script: `run.stdout.trimmed.to_string()`.",
        |text: Text| -> Fallible<String> { Ok(text.content.to_string()) }
    );
}
