//! `text::`: patterns, entries, digests and the plain task-list formats.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use regex::{Regex, RegexBuilder};
use rhai::{Array, Dynamic, Map, Module, NativeCallContext};

use crate::formats::entries::{self, Grammar};
use crate::formats::{aufgaben, todotxt};
use crate::host_fn;
use crate::script::value::list::List;
use crate::script::value::text::{Text, digest, number};

use super::{Fallible, getter, md, misuse, text_arg};

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
            Ok(pattern_arg(&ctx, &pattern, "text::matches")?.is_match(&text))
        }
    );
    host_fn!(
        m,
        "matches_any",
        ["text", "patterns: array of string", "bool"],
        "Whether one of the regular expressions matches anywhere: `text::matches_any(name, [\"^~\", \"\\\\.bak$\"])`.",
        |ctx: NativeCallContext, text: Dynamic, patterns: Array| -> Fallible<bool> {
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
        "Blocks with a heading and `KEY: value` fields: `text::entries(file.text, #{ headings: [\"^## (?<id>D-[0-9]+)\"], field: \"^(?<key>[A-Z]+):(?<value>.*)\" })`.",
        read_entries
    );
    host_fn!(
        m,
        "todo_txt",
        ["text", "list of task"],
        "The lines of a todo.txt file: `text::todo_txt(file.text)`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            Ok(md::task_list(todotxt::tasks(&text_arg(
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
            Ok(md::task_list(aufgaben::tasks(&text_arg(
                &ctx,
                &text,
                "text::aufgaben_txt",
                "text",
            )?)))
        }
    );
    crate::script::value::ticket::add_functions(&mut m);
    m
}

type Cache<T> = Mutex<HashMap<String, Arc<T>>>;

/// What was compiled stays compiled for the process; a full cache is emptied.
fn cached<T>(
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
    let groups = pattern.captures(&text).map(|found| {
        let groups = found.iter().map(|g| g.map(|g| g.as_str().to_string()));
        groups
            .map(Option::unwrap_or_default)
            .collect::<Vec<String>>()
    });
    Ok(List::of(groups.unwrap_or_default()))
}

fn grammar(ctx: &NativeCallContext, spec: &Map) -> Fallible<Arc<Grammar>> {
    static GRAMMARS: OnceLock<Cache<Grammar>> = OnceLock::new();
    if let Some(key) = spec
        .keys()
        .find(|k| !["headings", "field", "end"].contains(&k.as_str()))
    {
        return Err(misuse(
            ctx,
            format!("a grammar has `headings`, `field` and `end`, not `{key}`"),
        ));
    }
    let headings = spec
        .get("headings")
        .and_then(|h| h.read_lock::<Array>().map(|a| a.clone()));
    let headings =
        headings.ok_or_else(|| misuse(ctx, "a grammar needs `headings`: a list of patterns"))?;
    let headings: Result<Vec<String>, _> = headings
        .iter()
        .map(|h| text_arg(ctx, h, "text::entries", "headings"))
        .collect();
    let headings = headings?;
    let field = spec.get("field").cloned().unwrap_or(Dynamic::UNIT);
    let field = text_arg(ctx, &field, "text::entries", "field")?;
    let end = match spec.get("end") {
        Some(end) => Some(text_arg(ctx, end, "text::entries", "end")?),
        None => None,
    };
    let key = format!("{headings:?} {field:?} {end:?}");
    let borrowed: Vec<&str> = headings.iter().map(String::as_str).collect();
    let made = cached(&GRAMMARS, &key, || {
        Grammar::new(&borrowed, &field, end.as_deref()).map_err(|bad| bad.to_string())
    });
    made.map_err(|why| misuse(ctx, why))
}

fn read_entries(ctx: NativeCallContext, text: Dynamic, spec: Map) -> Fallible<List> {
    let text = text_arg(&ctx, &text, "text::entries", "text")?;
    let grammar = grammar(&ctx, &spec)?;
    let found = entries::entries(&text, &grammar);
    Ok(List::of(found.into_iter().map(|entry| EntryHandle {
        line: number(entry.line),
        id: entry.id.into(),
        title: entry.title.unwrap_or_default().into(),
        fields: Arc::new(entry.fields),
        body: Text::new(entry.body),
    })))
}

#[derive(Debug, Clone)]
struct EntryHandle {
    line: i64,
    id: Arc<str>,
    title: Arc<str>,
    fields: Arc<Vec<entries::Field>>,
    body: Text,
}

/// Registers the types of the module.
pub fn register_types(module: &mut Module) {
    module.set_custom_type::<EntryHandle>("entry of a text");
    getter(module, "line", |e: &mut EntryHandle| Ok(e.line));
    getter(module, "id", |e: &mut EntryHandle| Ok(e.id.to_string()));
    getter(module, "title", |e: &mut EntryHandle| {
        Ok(e.title.to_string())
    });
    getter(module, "body", |e: &mut EntryHandle| Ok(e.body.clone()));
    host_fn!(
        *module,
        "field",
        ["entry of a text", "key: string", "string or ()"],
        "The value of the first field of that key: `entry.field(\"STATUS\") ?? \"\"`.",
        |entry: EntryHandle, key: &str| -> Fallible<Dynamic> {
            let found = entry.fields.iter().find(|f| f.key == key);
            Ok(found.map_or(Dynamic::UNIT, |f| f.value.clone().into()))
        }
    );
    host_fn!(
        *module,
        "fields",
        ["entry of a text", "key: string", "list of string"],
        "The values of all fields of that key, with or without a qualifier behind it: `entry.fields(\"ENTSCHEIDUNG\")`.",
        |entry: EntryHandle, key: &str| -> Fallible<List> {
            let of_key = |f: &&entries::Field| {
                f.key
                    .strip_prefix(key)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            Ok(List::of(
                entry.fields.iter().filter(of_key).map(|f| f.value.clone()),
            ))
        }
    );
}
