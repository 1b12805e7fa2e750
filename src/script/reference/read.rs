//! From the engine's metadata to topics.
//!
//! The engine keeps functions by their hash, in no order that lasts: here they are sorted.

use std::collections::BTreeSet;

use rhai::FuncInfo;

use super::topics::{CLOSED, Row, TOPICS};
use super::{Closed, Form, Function, Kind, Parameter, Reference, Topic};
use crate::script::engine;
use crate::script::host;
use crate::script::names::CONSTRUCTORS;

mod words;

use words::{parts, signature, split};

/// How the engine names what reads a property, and an index.
const GETTER: &str = "get$";
const INDEX: &str = "index$get$";

/// A function as the engine knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Raw {
    namespace: String,
    name: String,
    /// Names and types as they were registered; of a method the first is its own type alone.
    parameters: Vec<String>,
    gives: String,
    about: String,
}

/// Everything that scripts can call.
pub fn read() -> Reference {
    let ours = ours();
    let topics = TOPICS.iter().map(|row| topic(row, &ours)).collect();
    let closed = closed(&ours);
    Reference {
        topics,
        built_in: built_in(&closed),
        closed,
    }
}

/// The names of the engine's own functions, without those that the host replaced or closed.
fn built_in(closed: &[Closed]) -> Vec<String> {
    let engine = engine::bare();
    let hash = |info: FuncInfo<'_>| info.namespace.is_empty().then_some(info.metadata.hash);
    let ours: BTreeSet<u64> = engine
        .collect_fn_metadata(None, hash, false)
        .into_iter()
        .collect();
    let all = engine.collect_fn_metadata(None, own_name, true);
    let theirs = all.into_iter().filter(|(hash, _)| !ours.contains(hash));
    let names: BTreeSet<String> = theirs.map(|(_, name)| name).collect();
    let open = |name: &String| !is_closed(closed, name);
    names.into_iter().filter(open).collect()
}

/// The functions of the host, those that it closes included.
fn ours() -> BTreeSet<Raw> {
    let ours = engine::bare().collect_fn_metadata(None, raw, false);
    ours.into_iter().collect()
}

fn raw(info: FuncInfo<'_>) -> Option<Raw> {
    let metadata = info.metadata;
    let comments = metadata.comments.iter().flat_map(|block| block.lines());
    let lines: Vec<&str> = comments
        .map(|line| line.strip_prefix("///").unwrap_or(line).trim())
        .collect();
    let parameters = metadata.params_info.iter();
    Some(Raw {
        namespace: info.namespace.to_string(),
        name: metadata.name.to_string(),
        parameters: parameters.map(ToString::to_string).collect(),
        gives: metadata.return_type.to_string(),
        about: lines.join("\n"),
    })
}

/// The name of a function or property of the engine, if a person can write it.
fn own_name(info: FuncInfo<'_>) -> Option<(u64, String)> {
    let name = info.metadata.name.as_str();
    let name = name.strip_prefix(GETTER).unwrap_or(name);
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (info.namespace.is_empty() && is_word).then(|| (info.metadata.hash, name.to_string()))
}

/// Whether every call of a name is closed.
fn is_closed(closed: &[Closed], name: &str) -> bool {
    let mut whole = closed.iter().filter(|closed| closed.name == name);
    whole.any(|closed| !closed.why.starts_with("with a closure"))
}

fn closing(raw: &Raw) -> Option<Closed> {
    let why = raw.about.strip_prefix(host::CLOSED)?;
    Some(Closed {
        name: raw.name.clone(),
        why: why.trim_end_matches('.').to_string(),
    })
}

fn closed(ours: &BTreeSet<Raw>) -> Vec<Closed> {
    let fixed = CLOSED.iter().map(|(name, why)| Closed {
        name: name.to_string(),
        why: why.to_string(),
    });
    let all: BTreeSet<Closed> = ours.iter().filter_map(closing).chain(fixed).collect();
    all.into_iter().collect()
}

/// The handle in a type: `list` in `list of item`.
fn handle(kind: &str) -> &str {
    match kind.starts_with("list of ") {
        true => "list",
        false => kind,
    }
}

fn is_operator(name: &str) -> bool {
    !name.contains('$') && !name.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// Whose method, property or operator it is. Of an operator over two types the handle counts.
fn owner(raw: &Raw) -> Option<&str> {
    let mut kinds = raw.parameters.iter().map(|p| handle(parts(p).1));
    match is_operator(&raw.name) {
        true => kinds.find(|kind| !matches!(*kind, "array" | "string")),
        false => kinds.next(),
    }
}

fn belongs((name, kind, _): &Row, raw: &Raw) -> bool {
    let is_answer = CONSTRUCTORS.contains(&raw.name.as_str())
        && matches!(raw.gives.as_str(), "answer" | "item");
    match kind {
        Kind::Module => raw.namespace == *name,
        _ if !raw.namespace.is_empty() || closing(raw).is_some() => false,
        Kind::Answers => is_answer,
        Kind::Handle | Kind::Engine => !is_answer && owner(raw) == Some(name),
    }
}

fn topic(row: &Row, ours: &BTreeSet<Raw>) -> Topic {
    let own: Vec<&Raw> = ours.iter().filter(|raw| belongs(row, raw)).collect();
    // A property can be called as a method as well; it is listed once.
    let is_property = |raw: &Raw| {
        let called = |other: &&Raw| other.name.strip_prefix(GETTER) == Some(&raw.name);
        raw.parameters.len() == 1 && own.iter().any(called)
    };
    let own = own.iter().filter(|raw| !is_property(raw));
    let mut functions: Vec<Function> = own.map(|raw| function(row, raw)).collect();
    let order = |name: &str| CONSTRUCTORS.iter().position(|known| *known == name);
    match row.1 {
        Kind::Answers => functions.sort_by_key(|f| (order(&f.name), f.parameters.len())),
        _ => functions.sort_by(|a, b| (a.form, &a.name).cmp(&(b.form, &b.name))),
    }
    Topic {
        name: row.0.to_string(),
        kind: row.1,
        about: row.2.to_string(),
        functions,
    }
}

fn function((topic, kind, _): &Row, raw: &Raw) -> Function {
    let name = raw.name.strip_prefix(GETTER).unwrap_or(&raw.name);
    let (form, name) = match (*kind, name) {
        (Kind::Module | Kind::Answers, name) => (Form::Function, name),
        (_, INDEX) => (Form::Index, "[]"),
        (_, name) if name != raw.name => (Form::Property, name),
        (_, name) if is_operator(name) => (Form::Operator, name),
        (_, name) => (Form::Method, name),
    };
    // What a method is called on is no parameter of it.
    let of = usize::from(!matches!(form, Form::Function | Form::Operator));
    let parameters = raw.parameters.iter().skip(of).map(|parameter| {
        let (name, kind) = parts(parameter);
        Parameter {
            name: name.unwrap_or(kind).to_string(),
            kind: kind.to_string(),
        }
    });
    let (about, example) = split(&raw.about);
    let function = Function {
        name: name.to_string(),
        form,
        signature: String::new(),
        parameters: parameters.collect(),
        gives: raw.gives.clone(),
        about,
        example,
    };
    Function {
        signature: signature(topic, *kind, &function),
        ..function
    }
}

#[cfg(test)]
mod tests;
