//! `md::`: Markdown as GFM reads it, with the places and the near misses that it hides.

use std::collections::HashMap;
use std::sync::Arc;

use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats::md;
use crate::formats::task::{State, Task};
use crate::host_fn;
use crate::script::value::list::List;
use crate::script::value::text::{Text, digest, number};

use super::clocked::clocked;
use super::{Fallible, getter, lines_arg};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "tasks",
        ["text", "list of task"],
        "The tasks of a text, near misses and plain bullets as unclear ones: `md::tasks(file.text).keep(|t| t.state == \"open\")`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            let text = lines_arg(&ctx, &text, "md::tasks", "text")?;
            let tasks = clocked(&ctx, text.len(), move || md::tasks(&text))?;
            Ok(task_list(tasks))
        }
    );
    host_fn!(
        m,
        "tables",
        ["text", "list of table"],
        "The tables of a text: `md::tables(file.text).first.rows`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            let text = lines_arg(&ctx, &text, "md::tables", "text")?;
            let tables = clocked(&ctx, text.len(), move || md::tables(&text))?;
            Ok(List::of(
                tables.into_iter().map(|t| TableHandle(Arc::new(t))),
            ))
        }
    );
    host_fn!(
        m,
        "sections",
        ["text", "list of section"],
        "The headings of a text, each with what stands below it: `md::sections(file.text).first.title`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<List> {
            let text = lines_arg(&ctx, &text, "md::sections", "text")?;
            let sections = clocked(&ctx, text.len(), move || {
                let sections = md::sections(&text).into_iter().map(|s| SectionHandle {
                    title: s.title.as_str().into(),
                    line: number(s.line),
                    level: i64::from(s.level),
                    body: Text::new(s.body),
                });
                sections.collect::<Vec<_>>()
            })?;
            Ok(List::of(sections))
        }
    );
    m
}

/// Tasks of any list format as handles, each with an id that does not depend on its line: the
/// digest of its text, and behind it which of several equal texts it is.
pub fn task_list(tasks: Vec<Task>) -> List {
    let mut seen: HashMap<String, usize> = HashMap::new();
    List::of(tasks.into_iter().map(|task| {
        let digest = digest(task.text.as_bytes());
        let short = digest.get(..12).unwrap_or(&digest);
        let count = seen.entry(short.to_string()).or_default();
        *count += 1;
        let id = match *count {
            1 => short.to_string(),
            count => format!("{short}-{count}"),
        };
        TaskHandle {
            task: Arc::new(task),
            id: id.into(),
        }
    }))
}

#[derive(Debug, Clone)]
struct TaskHandle {
    task: Arc<Task>,
    id: Arc<str>,
}

#[derive(Debug, Clone)]
struct TableHandle(Arc<md::Table>);

#[derive(Debug, Clone)]
struct RowHandle(Arc<md::Row>);

#[derive(Debug, Clone)]
struct SectionHandle {
    title: Arc<str>,
    line: i64,
    level: i64,
    body: Text,
}

/// Registers the types of the module.
pub fn register_types(module: &mut Module) {
    register_task(module);
    module.set_custom_type::<TableHandle>("table");
    getter(
        module,
        "line",
        "The line of the header, from 1.",
        |t: &mut TableHandle| Ok(number(t.0.line)),
    );
    getter(
        module,
        "section",
        "The heading above it, empty without one.",
        |t: &mut TableHandle| Ok(t.0.section.clone().unwrap_or_default()),
    );
    getter(
        module,
        "header -> list of string",
        "The cells of the header: `table.header.first`.",
        |t: &mut TableHandle| Ok(List::of(t.0.header.iter().cloned())),
    );
    getter(
        module,
        "rows -> list of row",
        "The rows below the header: `table.rows.keep(|row| row.cell(0) != \"\")`.",
        |t: &mut TableHandle| {
            Ok(List::of(
                t.0.rows.iter().cloned().map(|row| RowHandle(Arc::new(row))),
            ))
        },
    );
    module.set_custom_type::<RowHandle>("row");
    getter(
        module,
        "line",
        "The line of the row, from 1.",
        |r: &mut RowHandle| Ok(number(r.0.line)),
    );
    getter(
        module,
        "fits",
        "Whether it has as many cells as the header.",
        |r: &mut RowHandle| Ok(r.0.fits),
    );
    getter(
        module,
        "cells -> list of string",
        "The cells of the row.",
        |r: &mut RowHandle| Ok(List::of(r.0.cells.iter().cloned())),
    );
    host_fn!(
        *module,
        "cell",
        ["row", "index: number", "string"],
        "A cell by its index from 0, empty if there is none: `row.cell(2)`.",
        |row: RowHandle, index: i64| -> Fallible<String> {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            Ok(row.0.cells.get(index).cloned().unwrap_or_default())
        }
    );
    module.set_custom_type::<SectionHandle>("section");
    getter(
        module,
        "title",
        "The text of the heading.",
        |s: &mut SectionHandle| Ok(s.title.to_string()),
    );
    getter(
        module,
        "line",
        "The line of the heading, from 1.",
        |s: &mut SectionHandle| Ok(s.line),
    );
    getter(
        module,
        "level",
        "1 for `#` to 6 for `######`.",
        |s: &mut SectionHandle| Ok(s.level),
    );
    getter(
        module,
        "body",
        "What stands between this heading and the next: `section.body.lines`.",
        |s: &mut SectionHandle| Ok(s.body.clone()),
    );
}

fn register_task(module: &mut Module) {
    module.set_custom_type::<TaskHandle>("task");
    getter(
        module,
        "id",
        "An id from the text, the same wherever the task stands.",
        |t: &mut TaskHandle| Ok(t.id.to_string()),
    );
    getter(
        module,
        "line",
        "The line of the task, from 1.",
        |t: &mut TaskHandle| Ok(number(t.task.line)),
    );
    getter(
        module,
        "depth",
        "How many list items it stands in, 0 for the outermost: `tasks.keep(|t| t.depth == 0)`.",
        |t: &mut TaskHandle| Ok(number(t.task.depth)),
    );
    getter(
        module,
        "text",
        "What is to be done, as plain text without the box.",
        |t: &mut TaskHandle| Ok(t.task.text.clone()),
    );
    getter(
        module,
        "detail",
        "Its further paragraphs, one a line; empty without any.",
        |t: &mut TaskHandle| Ok(t.task.detail.clone()),
    );
    getter(
        module,
        "section",
        "The heading above it, empty without one.",
        |t: &mut TaskHandle| Ok(t.task.section.clone().unwrap_or_default()),
    );
    getter(
        module,
        "due",
        "The day it is due, which only todo.txt tells; empty without one.",
        |t: &mut TaskHandle| Ok(t.task.due.clone().unwrap_or_default()),
    );
    getter(
        module,
        "priority",
        "`A`, the highest, to `Z`, which only todo.txt tells; empty without one.",
        |t: &mut TaskHandle| Ok(t.task.priority.map(String::from).unwrap_or_default()),
    );
    getter(
        module,
        "state",
        "`open`, `done` or `unclear`: `md::tasks(file.text).keep(|t| t.state == \"open\")`.",
        |t: &mut TaskHandle| {
            Ok(match t.task.state {
                State::Open => "open",
                State::Done => "done",
                State::Unclear(_) => "unclear",
            }
            .to_string())
        },
    );
    getter(
        module,
        "reason",
        "Why an unclear task is unclear; empty for the others.",
        |t: &mut TaskHandle| {
            Ok(match &t.task.state {
                State::Unclear(reason) => reason.to_string(),
                _ => String::new(),
            })
        },
    );
}
