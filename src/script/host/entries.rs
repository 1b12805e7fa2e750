//! `text::entries` and what a list of entries can be asked, natively: long registers hold
//! thousands of old entries, and a script looks at the few that matter.

use std::sync::{Arc, OnceLock};

use rhai::{Array, Dynamic, Map, Module, NativeCallContext};

use crate::formats::entries::{self, Field, Grammar};
use crate::host_fn;
use crate::script::value::list::List;
use crate::script::value::text::{Text, number};

use super::clocked::clocked;
use super::text::{Cache, cached};
use super::{Fallible, getter, lines_arg, misuse, text_arg};

mod asked;

/// One entry of a text.
#[derive(Debug, Clone)]
pub struct EntryHandle {
    line: i64,
    at: Arc<str>,
    id: Arc<str>,
    title: Arc<str>,
    fields: Arc<Vec<Field>>,
    body: Text,
}

/// `text::entries`.
pub fn read(ctx: NativeCallContext, text: Dynamic, spec: Map) -> Fallible<List> {
    let origin = text
        .read_lock::<Text>()
        .and_then(|text| text.origin().map(str::to_string));
    let text = lines_arg(&ctx, &text, "text::entries", "text")?;
    let grammar = grammar(&ctx, &spec)?;
    let handles = clocked(&ctx, text.len(), move || {
        let place = |line: usize| match &origin {
            Some(origin) => format!("{origin}:{line}"),
            None => format!("line {line}"),
        };
        let found = entries::entries(&text, &grammar).into_iter();
        let handles = found.map(|entry| EntryHandle {
            line: number(entry.line),
            at: place(entry.line).into(),
            id: entry.id.into(),
            title: entry.title.unwrap_or_default().into(),
            fields: Arc::new(entry.fields),
            body: Text::new(entry.body),
        });
        handles.collect::<Vec<_>>()
    })?;
    Ok(List::of(handles))
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
    let headings = texts(ctx, &headings, "text::entries", "headings")?;
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

fn texts(
    ctx: &NativeCallContext,
    values: &Array,
    function: &str,
    name: &str,
) -> Fallible<Vec<String>> {
    let values = values.iter();
    values
        .map(|value| text_arg(ctx, value, function, name))
        .collect()
}

/// Registers the type, its getters and the questions to lists of entries.
pub fn register_types(module: &mut Module) {
    module.set_custom_type::<EntryHandle>("entry");
    getter(
        module,
        "line",
        "The line of its heading, from 1.",
        |e: &mut EntryHandle| Ok(e.line),
    );
    getter(
        module,
        "at",
        "Where to look, the file and the line: `item(#{ id: entry.id, title: entry.title, at: entry.at, kind: \"decision.open\" })`.",
        |e: &mut EntryHandle| Ok(e.at.to_string()),
    );
    getter(
        module,
        "id",
        "What the group `id` of the heading caught.",
        |e: &mut EntryHandle| Ok(e.id.to_string()),
    );
    getter(
        module,
        "title",
        "What the group `title` of the heading caught; empty without one.",
        |e: &mut EntryHandle| Ok(e.title.to_string()),
    );
    getter(
        module,
        "body",
        "The text below the heading, up to the next one.",
        |e: &mut EntryHandle| Ok(e.body.clone()),
    );
    host_fn!(
        *module,
        "field",
        ["entry", "key: string", "string or ()"],
        "The value of the first field of that key: `entry.field(\"STATUS\") ?? \"\"`.",
        |entry: EntryHandle, key: &str| -> Fallible<Dynamic> {
            let found = entry.fields.iter().find(|f| f.key == key);
            Ok(found.map_or(Dynamic::UNIT, |f| f.value.clone().into()))
        }
    );
    host_fn!(
        *module,
        "fields",
        ["entry", "key: string", "list of string"],
        "The values of all fields of that key, with or without a qualifier behind it: `entry.fields(\"ENTSCHEIDUNG\")`.",
        |entry: EntryHandle, key: &str| -> Fallible<List> {
            let of_key = |f: &&Field| asked::is_of(f, key);
            Ok(List::of(
                entry.fields.iter().filter(of_key).map(|f| f.value.clone()),
            ))
        }
    );
    asked::register(module);
}
