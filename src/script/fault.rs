//! From the engine's errors to diagnostics: the innermost line first, the calls as further
//! labels, a suggestion where a name is close.
//!
//! Facts of the engine that this relies on (tried on its version 1.27): the place of the
//! innermost error belongs to the source of the last call; the place of an outer frame is the
//! call, and it lies in the caller's source; places are one past the end now and then.

use std::sync::Arc;

use rhai::{EvalAltResult, Position};

use crate::diag::{Code, Fault};

use super::layers::{Script, Scripts};
use super::names::{CONSTRUCTORS, CONTEXT, GETTERS, closest};
use super::value::short_type;

mod parse;
mod point;

pub(super) use parse::is_constant;
pub use parse::parse_fault;
use parse::unknown_word;
pub(super) use point::span_of;
pub use point::{at_definition, at_point, definition};

/// The first letter small and no full stop.
fn lower(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// A script that failed while `entry` ran; an error without a place is shown at the entry.
pub fn run_fault(
    (scripts, script): (&Scripts, &Script),
    entry: &str,
    error: &EvalAltResult,
) -> Fault {
    let (error, source, frames) = unwound(&script.name, error);
    let text = text_of(scripts, script, &source);
    let (code, message, help) = describe(error, &text);
    let mut fault = Fault::new(code, message).with_source(&source, text.clone());
    let span = span_of(&text, innermost(error, &frames, &source));
    let in_entry = || definition(&text, entry).filter(|_| source == script.name);
    if let Some(span) = span.or_else(in_entry) {
        fault = fault.with_label(span, "here");
    }
    for (frame_source, position, label) in frames.iter().rev() {
        if *frame_source == source
            && let Some(span) = span_of(&text, *position)
        {
            fault = fault.with_label(span, label.clone());
        }
    }
    match help {
        Some(help) => fault.with_help(help),
        None => fault,
    }
}

/// A call or import on the way to an error: the source it stands in, its place, its words.
type Frame = (String, Position, String);

/// The innermost error, the source it happened in, and the calls that led there.
fn unwound<'e>(root: &str, error: &'e EvalAltResult) -> (&'e EvalAltResult, String, Vec<Frame>) {
    let mut frames: Vec<Frame> = Vec::new();
    let (mut source, mut error) = (root.to_string(), error);
    loop {
        match error {
            EvalAltResult::ErrorInFunctionCall(function, inner_source, inner, position) => {
                let words = format!("called `{}` here", readable(function));
                frames.push((source.clone(), *position, words));
                if !inner_source.is_empty() {
                    source.clone_from(inner_source);
                }
                error = inner;
            }
            EvalAltResult::ErrorInModule(path, inner, position) => {
                frames.push((source.clone(), *position, format!("imported `{path}` here")));
                error = inner;
            }
            _ => return (error, source, frames),
        }
    }
}

/// The place of the innermost error; if it has none, the nearest call in the same source.
fn innermost(error: &EvalAltResult, frames: &[Frame], source: &str) -> Position {
    let own = error.position();
    if !own.is_none() {
        return own;
    }
    let near = frames
        .iter()
        .rev()
        .find(|(s, p, _)| s == source && !p.is_none());
    near.map_or(Position::NONE, |(_, position, _)| *position)
}

fn text_of(scripts: &Scripts, script: &Script, source: &str) -> Arc<str> {
    if source == script.name {
        return script.text.clone();
    }
    // Of two extra folders the later one counts, and it stands last.
    let found = scripts.all().filter(|s| s.name() == source).last();
    match found.and_then(|s| s.text()) {
        Some(text) => text.clone(),
        None => script.text.clone(),
    }
}

/// A closure's generated name is no help to anybody.
fn readable(function: &str) -> &str {
    if function.starts_with("anon$") {
        "closure"
    } else {
        function
    }
}

fn describe(error: &EvalAltResult, text: &str) -> (Code, String, Option<String>) {
    use EvalAltResult as E;
    match error {
        E::ErrorRuntime(value, _) => (Code::RunError, value.to_string(), None),
        E::ErrorFunctionNotFound(signature, _) => unknown_function(signature, text),
        E::ErrorVariableNotFound(word, _) => {
            let message = format!("`{word}` does not exist");
            (Code::RunUnknown, message, unknown_word(text, word))
        }
        E::ErrorPropertyNotFound(word, _) => unknown_property(word),
        E::ErrorDotExpr(sentence, _) if sentence.starts_with("Unknown property '") => {
            unknown_property(quoted(sentence))
        }
        E::ErrorMismatchOutputType(wanted, got, _) | E::ErrorMismatchDataType(wanted, got, _) => {
            let message = format!("expected {}, got {}", short_type(wanted), short_type(got));
            (Code::RunType, message, None)
        }
        E::ErrorDataRace(name, _) => {
            let name = quoted(name);
            let message = format!("a closure uses the value on which `{name}` is just called");
            let help = "take a copy for the closure first: `let other = it;`";
            (Code::RunError, message, Some(help.into()))
        }
        other => limit(other).unwrap_or_else(|| {
            let message = lower(&without_place(&other.to_string()));
            (Code::RunError, message, None)
        }),
    }
}

/// A limit that was reached.
fn limit(error: &EvalAltResult) -> Option<(Code, String, Option<String>)> {
    use EvalAltResult as E;
    Some(match error {
        E::ErrorDataTooLarge(what, _) => {
            let message = format!("{} grew beyond its limit", lower(what));
            let help = "keep big data in handles: `keep`, `map_items`, `count`";
            (Code::RunSize, message, Some(help.into()))
        }
        E::ErrorStackOverflow(_) => (Code::RunDepth, "calls are nested too deeply".into(), None),
        E::ErrorTooManyOperations(_) => {
            (Code::RunWork, "the script took too many steps".into(), None)
        }
        E::ErrorTerminated(value, _) => {
            let what = value.to_string();
            let code = match what.as_str() {
                "deadline" => Code::RunDeadline,
                _ => Code::RunWork,
            };
            (code, format!("the {what} ran out"), None)
        }
        _ => return None,
    })
}

/// The first word in quotation marks of a sentence of the engine.
fn quoted(sentence: &str) -> &str {
    sentence.split('\'').nth(1).unwrap_or(sentence)
}

/// The engine ends its sentences with the place, which the label shows already.
fn without_place(sentence: &str) -> String {
    let first = sentence.lines().next().unwrap_or_default();
    let cut = first.rfind(" (line ").unwrap_or(first.len());
    first.get(..cut).unwrap_or(first).to_string()
}

fn unknown_function(signature: &str, text: &str) -> (Code, String, Option<String>) {
    let name = signature.split(" (").next().unwrap_or(signature);
    let arguments = signature.get(name.len()..).unwrap_or_default();
    let own = text.lines().filter_map(|line| {
        let rest = line.trim_start();
        let rest = rest.strip_prefix("private ").unwrap_or(rest);
        rest.strip_prefix("fn ")?.split('(').next().map(str::trim)
    });
    let short = name.rsplit("::").next().unwrap_or(name);
    let near = closest(short, own.chain(CONSTRUCTORS.iter().copied()));
    let message = format!(
        "there is no function `{name}`{}",
        shown_arguments(arguments)
    );
    (
        Code::RunUnknown,
        message,
        near.filter(|n| *n != short)
            .map(|n| format!("did you mean `{n}`?")),
    )
}

/// ` for (a text, a number)`, from the engine's list of types.
fn shown_arguments(arguments: &str) -> String {
    let inner = arguments
        .trim()
        .trim_start_matches('(')
        .trim_end_matches(')');
    if inner.is_empty() {
        return String::new();
    }
    let types: Vec<&str> = inner
        .split(", ")
        .map(|t| short_type(t.split(" | ").next().unwrap_or(t)))
        .collect();
    format!(" for ({})", types.join(", "))
}

fn unknown_property(word: &str) -> (Code, String, Option<String>) {
    let near = closest(word, CONTEXT.iter().chain(GETTERS).copied());
    let help = match near {
        Some(near) if near != word => Some(format!("did you mean `{near}`?")),
        _ => Some(
            "a map's key is read with `.get(\"key\")`, which gives `()` if it is not there".into(),
        ),
    };
    (
        Code::RunUnknown,
        format!("there is no property `{word}`"),
        help,
    )
}
