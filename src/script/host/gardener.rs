//! `text::gardener_*`: the text output of gardener, understood line by line or not at all.
//!
//! gardener ends with exit code 0 whatever happened, so a text that is not wholly understood is
//! a reading that is not `ok`; its rows cannot be taken.

use std::sync::Arc;

use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats::gardener as format;
use crate::host_fn;
use crate::script::value::list::List;
use crate::script::value::text::Text;

use super::{Fallible, getter, misuse_here, text_arg};

/// The rows of an output, or why it is not understood.
#[derive(Debug, Clone)]
struct Reading(Result<List, Arc<str>>);

/// A line of `gardener find`.
#[derive(Debug, Clone)]
struct Hit {
    kind: Arc<str>,
    name: Arc<str>,
    store: Arc<str>,
}

/// A line of `gardener tasks`.
#[derive(Debug, Clone)]
struct TaskLine {
    done: bool,
    name: Arc<str>,
    priority: Arc<str>,
    due: Arc<str>,
}

/// The output of `gardener get`, or why there is no record.
#[derive(Debug, Clone)]
struct Record(Result<Arc<Content>, Arc<str>>);

#[derive(Debug)]
struct Content {
    name: String,
    kind: String,
    updated: String,
    text: Text,
    cut: bool,
}

/// Registers the functions of the module `text`.
pub fn register(m: &mut Module) {
    host_fn!(
        *m,
        "gardener_hits",
        ["text", "reading"],
        "The hits of `gardener find`: `let hits = text::gardener_hits(run.stdout); if hits.ok { hits.rows }`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Reading> {
            let text = text_arg(&ctx, &text, "text::gardener_hits", "text")?;
            Ok(reading(format::find(&text), |hit| Hit {
                kind: hit.kind.into(),
                name: hit.name.into(),
                store: hit.store.into(),
            }))
        }
    );
    host_fn!(
        *m,
        "gardener_tasks",
        ["text", "reading"],
        "The lines of `gardener tasks`: `text::gardener_tasks(run.stdout).rows.keep(|t| !t.done)`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Reading> {
            let text = text_arg(&ctx, &text, "text::gardener_tasks", "text")?;
            Ok(reading(format::tasks(&text), |task| TaskLine {
                done: task.done,
                name: task.name.into(),
                priority: task.priority.into(),
                due: task.due.unwrap_or_default().into(),
            }))
        }
    );
    host_fn!(
        *m,
        "gardener_record",
        ["text", "record"],
        "The record of `gardener get`: `let note = text::gardener_record(run.stdout); if note.ok { note.content }`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Record> {
            let text = text_arg(&ctx, &text, "text::gardener_record", "text")?;
            Ok(Record(match format::get(&text) {
                Ok(Some(record)) => Ok(Arc::new(content(&record))),
                Ok(None) => Err("gardener has no record of that name".into()),
                Err(error) => Err(error.to_string().as_str().into()),
            }))
        }
    );
}

fn reading<T, R: rhai::Variant + Clone>(
    rows: Result<Vec<T>, format::NotUnderstood>,
    make: impl Fn(T) -> R,
) -> Reading {
    match rows {
        Ok(rows) => Reading(Ok(List::of(rows.into_iter().map(make)))),
        Err(error) => Reading(Err(error.to_string().as_str().into())),
    }
}

fn content(record: &format::Record<'_>) -> Content {
    Content {
        name: record.name.to_string(),
        kind: record.kind.to_string(),
        updated: record.updated.to_string(),
        text: Text::new(record.content),
        cut: record.maybe_cut,
    }
}

impl Record {
    fn content(&self) -> Fallible<&Content> {
        match &self.0 {
            Ok(content) => Ok(content),
            Err(why) => Err(misuse_here(format!("{why}; ask `.ok` first"))),
        }
    }
}

/// Registers the types of the module.
pub fn register_types(module: &mut Module) {
    module.set_custom_type::<Reading>("reading");
    getter(
        module,
        "ok",
        "Whether every line was understood; asked before `rows`.",
        |r: &mut Reading| Ok(r.0.is_ok()),
    );
    getter(
        module,
        "why",
        "Why the output is not understood; empty if it is.",
        |r: &mut Reading| Ok(why(&r.0)),
    );
    getter(
        module,
        "rows -> list of hit or task line",
        "The rows; raises for a reading that is not `ok`: `text::gardener_tasks(run.stdout).rows`.",
        |r: &mut Reading| match &r.0 {
            Ok(rows) => Ok(rows.clone()),
            Err(why) => Err(misuse_here(format!("{why}; ask `.ok` first"))),
        },
    );
    module.set_custom_type::<Hit>("hit");
    getter(
        module,
        "kind",
        "What kind of record it is.",
        |h: &mut Hit| Ok(h.kind.to_string()),
    );
    getter(
        module,
        "name",
        "The name to ask `gardener get` for.",
        |h: &mut Hit| Ok(h.name.to_string()),
    );
    getter(
        module,
        "store",
        "The store that holds the record.",
        |h: &mut Hit| Ok(h.store.to_string()),
    );
    module.set_custom_type::<TaskLine>("task line");
    getter(
        module,
        "done",
        "Whether the task is done.",
        |t: &mut TaskLine| Ok(t.done),
    );
    getter(
        module,
        "name",
        "The name of the task.",
        |t: &mut TaskLine| Ok(t.name.to_string()),
    );
    getter(
        module,
        "priority",
        "The priority as gardener prints it.",
        |t: &mut TaskLine| Ok(t.priority.to_string()),
    );
    getter(
        module,
        "due",
        "The day it is due, empty without one.",
        |t: &mut TaskLine| Ok(t.due.to_string()),
    );
    register_record(module);
}

fn register_record(module: &mut Module) {
    module.set_custom_type::<Record>("record");
    getter(
        module,
        "ok",
        "Whether there is such a record and it is understood; asked first.",
        |r: &mut Record| Ok(r.0.is_ok()),
    );
    getter(
        module,
        "why",
        "Why there is no record to read; empty if there is one.",
        |r: &mut Record| Ok(why(&r.0)),
    );
    getter(
        module,
        "name",
        "The name of the record.",
        |r: &mut Record| Ok(r.content()?.name.clone()),
    );
    getter(
        module,
        "kind",
        "What kind of record it is.",
        |r: &mut Record| Ok(r.content()?.kind.clone()),
    );
    getter(
        module,
        "updated",
        "When it was last written, as gardener prints it: local time without a zone.",
        |r: &mut Record| Ok(r.content()?.updated.clone()),
    );
    getter(
        module,
        "content",
        "What the record says: `note.content.first_line`.",
        |r: &mut Record| Ok(r.content()?.text.clone()),
    );
    getter(
        module,
        "maybe_cut",
        "Whether gardener may have cut the content.",
        |r: &mut Record| Ok(r.content()?.cut),
    );
}

fn why<T>(result: &Result<T, Arc<str>>) -> String {
    result
        .as_ref()
        .err()
        .map(ToString::to_string)
        .unwrap_or_default()
}
