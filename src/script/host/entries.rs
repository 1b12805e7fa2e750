//! `text::entries` and what a list of entries can be asked, natively: long registers hold
//! thousands of old entries, and a script looks at the few that matter.

use std::sync::Arc;

use rhai::{Dynamic, Map, Module, NativeCallContext};

use crate::formats::entries::{self, Field};
use crate::host_fn;
use crate::script::value::list::List;
use crate::script::value::text::{Text, number};

use super::clocked::clocked;
use super::{Fallible, getter, lines_arg};
use grammar::{grammar, texts};

mod asked;
mod grammar;

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
