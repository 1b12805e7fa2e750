//! A text that does not compile: where it goes wrong for a person, which code that is, and what
//! was meant.
//!
//! The engine stops at the first thing that it cannot read, which is often the one behind the
//! mistake: a missing `;` belongs to the line before.

use std::ops::Range;
use std::sync::Arc;

use rhai::{LexError, ParseError, ParseErrorType};

use crate::diag::{Code, Fault};
use crate::script::names::{CLOSED, CONSTRUCTORS, MODULES, closest};
use crate::script::token::{Kind, Token, tokens};

use super::lower;
use super::point::span_of;

/// What is known of a mistake beside its sentence.
struct Read {
    code: Code,
    message: Option<String>,
    help: Option<String>,
    span: Option<Range<usize>>,
    opened: Option<Range<usize>>,
}

/// A text that does not compile.
pub fn parse_fault(name: &str, text: &Arc<str>, error: &ParseError) -> Fault {
    let span = span_of(text, error.position());
    let read = read(text, error.err_type(), span.clone());
    let message = read.message;
    let message = message.unwrap_or_else(|| lower(&error.err_type().to_string()));
    let mut fault = Fault::new(read.code, message).with_source(name, text.clone());
    if let Some(span) = read.span.or(span) {
        fault = fault.with_label(span, "here");
    }
    if let Some(span) = read.opened {
        fault = fault.with_label(span, "opened here");
    }
    match read.help {
        Some(help) => fault.with_help(help),
        None => fault,
    }
}

impl Read {
    fn new(help: Option<String>) -> Self {
        Read {
            code: Code::ScriptCompile,
            message: None,
            help,
            span: None,
            opened: None,
        }
    }

    fn coded(self, code: Code, message: String) -> Self {
        Read {
            code,
            message: Some(message),
            ..self
        }
    }
}

fn read(text: &str, error: &ParseErrorType, span: Option<Range<usize>>) -> Read {
    match error {
        ParseErrorType::VariableUndefined(word) => undefined(text, word),
        ParseErrorType::ModuleUndefined(word) => {
            let near = closest(word, MODULES.iter().copied());
            Read::new(Some(near.map_or_else(
                || format!("import it first: `import \"builtin/probes/lib/...\" as {word};`"),
                |near| format!("did you mean `{near}::`?"),
            )))
        }
        ParseErrorType::AssignmentToConstant(word) => {
            let message = format!("`{word}` is a constant and keeps its value");
            Read::new(Some(format!("write `let {word} = ...` where it is made")))
                .coded(Code::ScriptConstant, message)
        }
        ParseErrorType::Reserved(word) => reserved(text, word, span),
        ParseErrorType::MissingToken(token, _) if token == ";" => Read {
            message: Some("a `;` is missing".into()),
            span: span.and_then(|span| end_before(text, span.start)),
            ..Read::new(Some(
                "every statement but the last of a block ends with `;`".into(),
            ))
        },
        ParseErrorType::MissingToken(token, _) if "}])".contains(token.as_str()) => Read {
            opened: span.and_then(|span| opened(text, span.start)),
            ..Read::new(Some("close the bracket that is marked".into()))
        },
        ParseErrorType::BadInput(LexError::ImproperSymbol(word, _)) => closed(word),
        _ => Read::new(None),
    }
}

fn undefined(text: &str, word: &str) -> Read {
    let read = Read::new(unknown_word(text, word));
    match is_constant(text, word) {
        true => read.coded(
            Code::ScriptBareConstant,
            format!("`{word}` is a constant of the file, which functions do not see"),
        ),
        false => read,
    }
}

/// A symbol that is closed.
fn closed(word: &str) -> Read {
    if !CLOSED.contains(&word) {
        return Read::new(None);
    }
    Read {
        code: Code::ScriptClosed,
        ..Read::new(Some(
            "what runs is what was read before; call a function instead".into(),
        ))
    }
}

/// A word that the language keeps for itself.
fn reserved(text: &str, word: &str, span: Option<Range<usize>>) -> Read {
    if word == "try" {
        let help = "there is no `try`: looks give a result with `.ok` and `.why`";
        return Read::new(Some(help.into()));
    }
    let stands = span.map_or(Stands::Name, |span| stands_as(text, &span));
    let help = match stands {
        Stands::Property => format!("read the key with `.get(\"{word}\")`"),
        Stands::Key => format!("put the key in quotes: `\"{word}\": ...`"),
        Stands::Name => return Read::new(Some("choose another name".into())),
    };
    let message = format!("`{word}` is a word that the language keeps for itself");
    Read::new(Some(help)).coded(Code::ScriptReservedKey, message)
}

/// As what a word stands where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Behind a dot.
    Property,
    /// As a key of a map.
    Key,
    /// Anywhere else.
    Name,
}

/// As what the word at a place stands.
fn stands_as(text: &str, span: &Range<usize>) -> Stands {
    let tokens = code(text);
    let at = tokens.partition_point(|token| token.span.start < span.start);
    let sign = |index: Option<usize>| {
        index
            .and_then(|i| tokens.get(i))
            .map(|token| token.of(text))
    };
    let before = sign(at.checked_sub(1));
    let behind = (sign(Some(at + 1)), sign(Some(at + 2)));
    match (before, behind) {
        (Some("."), _) => Stands::Property,
        (Some("{" | ","), (Some(":"), next)) if next != Some(":") => Stands::Key,
        _ => Stands::Name,
    }
}

/// The tokens without comments.
fn code(text: &str) -> Vec<Token> {
    let tokens = tokens(text).into_iter();
    tokens.filter(|token| token.kind != Kind::Comment).collect()
}

/// The empty place behind the last token that stands before an offset.
fn end_before(text: &str, offset: usize) -> Option<Range<usize>> {
    let tokens = code(text);
    let last = tokens.iter().rfind(|token| token.span.end <= offset)?;
    Some(last.span.end..last.span.end)
}

/// The innermost bracket that is open at an offset.
fn opened(text: &str, offset: usize) -> Option<Range<usize>> {
    let mut open: Vec<Range<usize>> = Vec::new();
    for token in code(text) {
        if token.span.start >= offset {
            break;
        }
        match token.of(text) {
            "{" | "(" | "[" => open.push(token.span),
            "}" | ")" | "]" => drop(open.pop()),
            _ => {}
        }
    }
    open.pop()
}

/// Whether a word is a constant at the top of the file.
pub fn is_constant(text: &str, word: &str) -> bool {
    text.lines().any(|line| {
        line.trim_start()
            .strip_prefix("const ")
            .is_some_and(|rest| {
                rest.trim_start()
                    .strip_prefix(word)
                    .is_some_and(|rest| rest.starts_with([' ', '=']))
            })
    })
}

/// What a bare unknown word was meant to be.
pub fn unknown_word(text: &str, word: &str) -> Option<String> {
    if is_constant(text, word) {
        return Some(format!(
            "functions see constants of the file as `global::{word}`"
        ));
    }
    if MODULES.contains(&word) {
        return Some(format!("a module is asked with two colons: `{word}::...`"));
    }
    closest(word, MODULES.iter().chain(CONSTRUCTORS).copied())
        .map(|near| format!("did you mean `{near}`?"))
}
