//! Texts as handles: a file or a command's output, of any size, with its name.

use std::sync::Arc;

use rhai::Module;
use sha2::{Digest, Sha256};

use crate::formats::lines::lines;
use crate::host_fn;
use crate::model::text::hex;
use crate::script::host::{Fallible, getter};

use super::list::List;

/// A text that stays on the host's side.
#[derive(Debug, Clone)]
pub struct Text(Arc<str>);

/// One line of a text.
#[derive(Debug, Clone)]
pub struct Line {
    text: Arc<str>,
    number: i64,
}

impl Text {
    /// A handle on this content.
    pub fn new(content: &str) -> Self {
        Text(content.into())
    }

    /// The whole content.
    pub fn content(&self) -> &str {
        &self.0
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

/// Registers the types and their methods.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Text>("text");
    getter(module, "len", |text: &mut Text| Ok(number(text.0.len())));
    getter(module, "is_blank", |text: &mut Text| {
        Ok(text.0.trim().is_empty())
    });
    getter(module, "digest", |text: &mut Text| {
        Ok(digest(text.0.as_bytes()))
    });
    getter(module, "trimmed", |text: &mut Text| {
        Ok(Text::new(text.0.trim()))
    });
    getter(module, "first_line", |text: &mut Text| {
        let first = lines(&text.0)
            .map(|(_, line)| line.trim())
            .find(|l| !l.is_empty());
        Ok(first.unwrap_or_default().to_string())
    });
    getter(module, "lines", |text: &mut Text| {
        Ok(List::of(lines(&text.0).map(|(number, line)| Line {
            text: line.into(),
            number: self::number(number),
        })))
    });
    host_fn!(
        *module,
        "contains",
        ["text", "part: string", "bool"],
        "Whether the part stands in the text: `file.text.contains(\"RESUME:\")`.",
        |text: Text, part: &str| -> Fallible<bool> { Ok(text.0.contains(part)) }
    );
    host_fn!(
        *module,
        "first_lines",
        ["text", "count: number", "text"],
        "The first lines as a text of their own: `file.text.first_lines(5).contains(\"ignore\")`.",
        |text: Text, count: i64| -> Fallible<Text> {
            let count = usize::try_from(count).unwrap_or_default();
            let first: Vec<&str> = lines(&text.0).take(count).map(|(_, line)| line).collect();
            Ok(Text::new(&first.join("\n")))
        }
    );
    module.set_custom_type::<Line>("line");
    getter(module, "text", |line: &mut Line| Ok(line.text.to_string()));
    getter(module, "number", |line: &mut Line| Ok(line.number));
}
