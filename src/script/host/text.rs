//! `text::`: patterns, entries, digests and the plain task-list formats.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex::{Captures, Regex, RegexBuilder};
use rhai::{Dynamic, Module, NativeCallContext};
use unicode_normalization::UnicodeNormalization;

use crate::formats::{aufgaben, todotxt};
use crate::host_fn;
use crate::script::value::list::{List, MAX_LIST, within_bounds};
use crate::script::value::text::digest;

use super::clocked::clocked;
use super::{Fallible, entries, gardener, lines_arg, md, misuse, text_arg};

/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 1 << 20;
/// Characters of one pattern.
const PATTERN_LENGTH: usize = 2_000;
/// Compiled patterns that are kept per process.
const KEPT: usize = 128;

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "matches",
        ["text", "pattern: string", "bool"],
        "Whether a regular expression matches anywhere: `text::matches(title, \"(?i)^urgent\")`.",
        |ctx: NativeCallContext, text: Dynamic, pattern: Dynamic| -> Fallible<bool> {
            let text = text_arg(&ctx, &text, "text::matches", "text")?;
            let pattern = pattern_arg(&ctx, &pattern, "text::matches")?;
            clocked(&ctx, text.len(), move || pattern.is_match(&text))
        }
    );
    host_fn!(
        m,
        "matches_any",
        ["text", "patterns: array of string", "bool"],
        "Whether one of the regular expressions matches anywhere: `text::matches_any(name, [\"^~\", \"\\\\.bak$\"])`.",
        |ctx: NativeCallContext, text: Dynamic, patterns: rhai::Array| -> Fallible<bool> {
            let text = text_arg(&ctx, &text, "text::matches_any", "text")?;
            for pattern in &patterns {
                if pattern_arg(&ctx, pattern, "text::matches_any")?.is_match(&text) {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    );
    host_fn!(
        m,
        "capture",
        ["text", "pattern: string", "list of string"],
        "The groups of the first match, the whole match first; empty without a match: `text::capture(name, \"^T-([0-9]+)\")`.",
        capture
    );
    host_fn!(
        m,
        "capture_all",
        ["text", "pattern: string", "list of list of string"],
        "The groups of every match, as `text::capture` gives those of the first: `text::capture_all(run.stdout, \"(?m)^ok +([^ ]+)\").len`.",
        capture_all
    );
    host_fn!(
        m,
        "same_letters",
        ["a: text", "b: text", "bool"],
        "Whether two texts are the same but for how accents are put together (Unicode NFC): `text::same_letters(entry.name, name)`.",
        |ctx: NativeCallContext, a: Dynamic, b: Dynamic| -> Fallible<bool> {
            let a = text_arg(&ctx, &a, "text::same_letters", "a")?;
            let b = text_arg(&ctx, &b, "text::same_letters", "b")?;
            Ok(a.nfc().eq(b.nfc()))
        }
    );
    host_fn!(
        m,
        "digest",
        ["text", "string"],
        "SHA-256 in hex: `text::digest(body)`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<String> {
            Ok(digest(
                text_arg(&ctx, &text, "text::digest", "text")?.as_bytes(),
            ))
        }
    );
    host_fn!(
        m,
        "entries",
        ["text", "grammar: map", "list of entry"],
        "Blocks with a heading and `KEY: value` fields; with `outside: \"(?<title>...)\"` such a line begins an entry without an id where it stands in none: `text::entries(file.text, #{ headings: [\"^## (?<id>D-[0-9]+)\"], field: \"^(?<key>[A-Z]+):(?<value>.*)\" })`.",
        entries::read
    );
    host_fn!(
        m,
        "todo_txt",
        ["text", "list of task"],
        "The lines of a todo.txt file: `text::todo_txt(file.text)`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            Ok(md::task_list(todotxt::tasks(&lines_arg(
                &ctx,
                &text,
                "text::todo_txt",
                "text",
            )?)))
        }
    );
    host_fn!(
        m,
        "aufgaben_txt",
        ["text", "list of task"],
        "The lines of an AUFGABEN.txt file: `text::aufgaben_txt(file.text)`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            Ok(md::task_list(aufgaben::tasks(&lines_arg(
                &ctx,
                &text,
                "text::aufgaben_txt",
                "text",
            )?)))
        }
    );
    gardener::register(&mut m);
    crate::script::value::ticket::add_functions(&mut m);
    m
}

pub(super) type Cache<T> = Mutex<HashMap<String, Arc<T>>>;

/// What was compiled stays compiled for the process; a full cache is emptied.
pub(super) fn cached<T>(
    cache: &'static OnceLock<Cache<T>>,
    key: &str,
    make: impl FnOnce() -> Result<T, String>,
) -> Result<Arc<T>, String> {
    let cache = cache.get_or_init(Cache::default);
    let mut kept = cache.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kept.get(key) {
        return Ok(found.clone());
    }
    if kept.len() >= KEPT {
        kept.clear();
    }
    let made = Arc::new(make()?);
    kept.insert(key.to_string(), made.clone());
    Ok(made)
}

/// A compiled regular expression with bounded size.
pub fn pattern(text: &str) -> Result<Arc<Regex>, String> {
    static PATTERNS: OnceLock<Cache<Regex>> = OnceLock::new();
    cached(&PATTERNS, text, || {
        if text.chars().count() > PATTERN_LENGTH {
            return Err(format!(
                "the pattern has more than {PATTERN_LENGTH} characters"
            ));
        }
        RegexBuilder::new(text)
            .size_limit(PATTERN_SIZE)
            .dfa_size_limit(PATTERN_SIZE)
            .build()
            .map_err(|error| {
                let text = error.to_string();
                text.lines()
                    .last()
                    .unwrap_or_default()
                    .trim()
                    .to_lowercase()
            })
    })
}

fn pattern_arg(ctx: &NativeCallContext, value: &Dynamic, function: &str) -> Fallible<Arc<Regex>> {
    let source = text_arg(ctx, value, function, "pattern")?;
    pattern(&source)
        .map_err(|why| misuse(ctx, format!("the pattern `{source}` cannot be used: {why}")))
}

fn capture(ctx: NativeCallContext, text: Dynamic, pattern: Dynamic) -> Fallible<List> {
    let text = text_arg(&ctx, &text, "text::capture", "text")?;
    let pattern = pattern_arg(&ctx, &pattern, "text::capture")?;
    let groups = clocked(&ctx, text.len(), move || {
        pattern.captures(&text).map(|found| groups(&found))
    })?;
    Ok(List::of(groups.unwrap_or_default()))
}

fn capture_all(ctx: NativeCallContext, text: Dynamic, pattern: Dynamic) -> Fallible<List> {
    let text = text_arg(&ctx, &text, "text::capture_all", "text")?;
    let pattern = pattern_arg(&ctx, &pattern, "text::capture_all")?;
    let all = clocked(&ctx, text.len(), move || {
        let all = pattern.captures_iter(&text).map(|found| groups(&found));
        all.take(MAX_LIST + 1).collect::<Vec<_>>()
    })?;
    within_bounds(all.len())?;
    Ok(List::of(all.into_iter().map(List::of)))
}

/// The groups of one match; one that took no part is empty.
fn groups(found: &Captures<'_>) -> Vec<String> {
    let groups = found.iter().map(|g| g.map(|g| g.as_str().to_string()));
    groups.map(Option::unwrap_or_default).collect()
}
