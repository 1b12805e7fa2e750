//! From a point of a script to a fault with a label.
//!
//! INVARIANT: a fault of a script names a line wherever one can be known: the point itself,
//! else the definition of the function that ran.

use std::ops::Range;
use std::sync::Arc;

use rhai::Position;

use crate::diag::{Code, Fault, place};

/// A fault at one point of a source.
pub fn at_point(
    code: Code,
    message: String,
    source: (&str, &Arc<str>),
    position: Position,
) -> Fault {
    let (name, text) = source;
    let fault = Fault::new(code, message).with_source(name, text.clone());
    match span_of(text, position) {
        Some(span) => fault.with_label(span, "here"),
        None => fault,
    }
}

/// A fault at the definition of a function.
pub fn at_definition(
    code: Code,
    message: String,
    source: (&str, &Arc<str>),
    function: &str,
) -> Fault {
    let (name, text) = source;
    let fault = Fault::new(code, message).with_source(name, text.clone());
    match definition(text, function) {
        Some(span) => fault.with_label(span, "here"),
        None => fault,
    }
}

/// The span of a point; nothing for a point that has no line.
pub fn span_of(text: &str, position: Position) -> Option<Range<usize>> {
    let line = position.line()?;
    Some(place::span(text, line, position.position().unwrap_or(1)))
}

/// Where `fn NAME` stands, for faults that have no place of their own. Comments and longer
/// names that begin alike are passed over.
pub fn definition(text: &str, name: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let rest = code.strip_prefix("private ").unwrap_or(code).trim_start();
        let found = rest
            .strip_prefix("fn ")
            .and_then(|rest| rest.trim_start().strip_prefix(name))
            .filter(|rest| rest.trim_start().starts_with('('));
        if let Some(rest) = found {
            let end = start + line.len() - rest.len();
            return Some(end - name.len()..end);
        }
        start += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::definition;

    #[test]
    fn a_definition_is_no_comment_and_no_longer_name() {
        let text = "// fn look(ctx)\nfn look_at(x) {}\nprivate fn  look (ctx) {}\n";
        let span = definition(text, "look").unwrap();
        assert_eq!(text.get(..span.start).unwrap().lines().count(), 3);
        assert_eq!(text.get(span), Some("look"));
        assert_eq!(definition(text, "loo"), None);
    }
}
