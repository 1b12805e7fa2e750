//! The parts of a registered description, and a function in one line.

use crate::script::reference::{Form, Function, Kind};

/// The parts of a parameter: `path: string`, or a type alone.
pub fn parts(parameter: &str) -> (Option<&str>, &str) {
    match parameter.split_once(": ") {
        Some((name, kind)) => (Some(name), kind),
        None => (None, parameter),
    }
}

/// A function in one line, as it is called.
pub fn signature(topic: &str, kind: Kind, function: &Function) -> String {
    let Function { name, gives, .. } = function;
    let parameters = function.parameters.iter();
    let typed = parameters.map(|p| match p.name == p.kind {
        true => p.name.clone(),
        false => format!("{}: {}", p.name, p.kind),
    });
    let list = typed.collect::<Vec<_>>().join(", ");
    match (function.form, kind) {
        (Form::Function, Kind::Module) => format!("{topic}::{name}({list}) -> {gives}"),
        (Form::Function, _) => format!("{name}({list}) -> {gives}"),
        (Form::Property, _) => format!("{topic}.{name}: {gives}"),
        (Form::Index, _) => format!("{topic}[{list}] -> {gives}"),
        (Form::Method, _) => format!("{topic}.{name}({list}) -> {gives}"),
        (Form::Operator, _) => {
            let kinds = function.parameters.iter().map(|p| p.kind.as_str());
            let kinds: Vec<&str> = kinds.collect();
            format!("{} -> {gives}", kinds.join(&format!(" {name} ")))
        }
    }
}

/// A description and its example: a last line between backticks, or what stands between
/// backticks from the first colon to the end.
pub fn split(text: &str) -> (String, Option<String>) {
    if let Some((about, last)) = text.rsplit_once('\n') {
        let example = last.strip_prefix('`').and_then(|l| l.strip_suffix('`'));
        if let Some(example) = example {
            return (about.replace('\n', " "), Some(example.to_string()));
        }
    }
    let parts = text.split_once(": `");
    match parts.and_then(|(about, rest)| Some((about, rest.strip_suffix("`.")?))) {
        Some((about, example)) => (format!("{about}."), Some(example.to_string())),
        None => (text.replace('\n', " "), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_told_from_the_sentence() {
        let table = [
            (
                "The text: `fs::read(\"a: `b`\")`.",
                "The text.",
                Some("fs::read(\"a: `b`\")"),
            ),
            (
                "Keys: `a` for all.\n`f(1)`",
                "Keys: `a` for all.",
                Some("f(1)"),
            ),
            ("Without one.", "Without one.", None),
            ("A word: `a` of two.", "A word: `a` of two.", None),
        ];
        for (text, about, example) in table {
            let got = split(text);
            assert_eq!((got.0.as_str(), got.1.as_deref()), (about, example));
        }
    }
}
