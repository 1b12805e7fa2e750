//! A comment that is never closed: the engine accepts it and drops everything behind it.

use std::sync::Arc;

use crate::diag::{Code, Fault, Finding};
use crate::script::token::{Kind, tokens};

/// An open comment; what only follows from it leaves the list of findings.
pub fn check(name: &str, text: &Arc<str>, findings: &mut Vec<Finding>) -> Option<Fault> {
    let all = tokens(text);
    let open = all
        .iter()
        .find(|token| token.kind == Kind::Comment && !token.closed)?;
    let start = open.span.start;
    // A bracket that the comment swallows is missed behind the last word before it.
    let mut code = all.iter().filter(|token| token.kind != Kind::Comment);
    let end = code.next_back().map_or(0, |token| token.span.end);
    findings.retain(|(_, fault)| {
        let at = fault.labels_list().first().map(|label| label.span.start);
        at.is_some_and(|at| at < end) && fault.code() != Code::ScriptUnused
    });
    let message = "this comment is not closed: the rest of the file belongs to it";
    Some(
        Fault::new(Code::ScriptComment, message)
            .with_source(name, text.clone())
            .with_label(start..start + 2, "opened here")
            .with_help("close it with `*/`; the engine itself would accept it without a word"),
    )
}
