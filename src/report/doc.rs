//! The reference of the host API as Markdown and as one object.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::doc::{Closed, Form, Function, Kind, Reference, Topic};

const INTRODUCTION: &str = "\
# The host API of belegt's scripts

Written by `belegt doc` from what the program itself registers, for scripts with `api: 1`. \
`belegt doc TOPIC` shows one topic, `belegt doc --definitions DIR` writes definition files for \
editors.

A property is read as `look.ok`; `look.ok()` is the same. `()` is nothing. What asks the world \
gives a value that says whether it could be asked; misuse raises and ends the call.
";

/// The whole reference as Markdown, with an introduction.
pub fn book(reference: &Reference) -> String {
    format!("{INTRODUCTION}\n{}", topics(reference))
}

/// Some topics as Markdown.
pub fn topics(reference: &Reference) -> String {
    let mut text = String::new();
    for topic in &reference.topics {
        let _ = writeln!(text, "\n{}", heading(topic));
        let _ = writeln!(text, "\n{}", topic.about);
        properties(&mut text, topic);
        for function in &topic.functions {
            if function.form != Form::Property {
                described(&mut text, function);
            }
        }
    }
    if !reference.built_in.is_empty() {
        engine(&mut text, reference);
    }
    text.trim_start().to_string()
}

fn heading(topic: &Topic) -> String {
    let name = &topic.name;
    match topic.kind {
        Kind::Module => format!("## Module `{name}`"),
        Kind::Answers => format!("## Constructors of {name}"),
        Kind::Handle => format!("## Handle `{name}`"),
        Kind::Engine => format!("## Engine: `{name}`"),
    }
}

fn properties(text: &mut String, topic: &Topic) {
    let all = topic.functions.iter();
    let properties: Vec<&Function> = all.filter(|f| f.form == Form::Property).collect();
    if properties.is_empty() {
        return;
    }
    text.push_str("\n| property | type | what it is |\n| --- | --- | --- |\n");
    for property in properties {
        let example = match &property.example {
            Some(example) => format!(" Example: {}", code(example)),
            None => String::new(),
        };
        let about = format!("{}{example}", property.about).replace('|', "\\|");
        let gives = property.gives.replace('|', "\\|");
        let _ = writeln!(text, "| `{}` | {gives} | {about} |", property.name);
    }
}

/// Code in a line of text, whatever backticks it holds.
fn code(text: &str) -> String {
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

fn described(text: &mut String, function: &Function) {
    let _ = writeln!(text, "\n### {}", code(&function.signature));
    let _ = writeln!(text, "\n{}", function.about);
    if let Some(example) = &function.example {
        let _ = writeln!(text, "\n```rhai\n{example}\n```");
    }
}

fn engine(text: &mut String, reference: &Reference) {
    text.push_str("\n## What the engine brings: `engine`\n\n");
    text.push_str("The book of Rhai describes these functions of strings, arrays, maps and numbers; scripts may use them:\n\n");
    let names: Vec<String> = reference.built_in.iter().map(|name| code(name)).collect();
    let _ = writeln!(text, "{}.", names.join(", "));
    text.push_str("\nThe host has closed these:\n\n");
    for Closed { name, why } in &reference.closed {
        let _ = writeln!(text, "- `{name}`: {why}");
    }
}

/// The reference as one object.
pub fn json(reference: &Reference) -> Value {
    json!({
        "belegt": 1,
        "kind": "doc",
        "api": 1,
        "topics": reference.topics,
        "built_in": reference.built_in,
        "closed": reference.closed,
    })
}
