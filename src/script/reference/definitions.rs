//! Definition files for editors, from the same data as the reference.
//!
//! The engine can write definitions too, but knows the host's types by their Rust names only.
//! The syntax is the one that it writes: `module fs;`, `fn`, `fn get`, `op`, one word a type.

use std::fmt::Write as _;

use super::{Form, Function, Kind, Parameter, Reference, Topic};

/// The file of what is visible without a namespace.
const GLOBAL: &str = "global.d.rhai";

/// Name and text of each file: one for each module, and one for all that is global.
pub fn files(reference: &Reference) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut global = String::from("module static;\n");
    for topic in &reference.topics {
        if topic.kind == Kind::Module {
            let text = format!("module {};\n{}", topic.name, items(topic));
            files.push((format!("{}.d.rhai", topic.name), text));
        } else {
            global.push_str(&items(topic));
        }
    }
    files.push((GLOBAL.to_string(), global));
    files
}

fn items(topic: &Topic) -> String {
    let mut text = String::new();
    for function in &topic.functions {
        let Some(head) = head(topic, function) else {
            continue;
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "\n/// {}", function.about);
        if let Some(example) = &function.example {
            let _ = writeln!(text, "///\n/// ```rhai\n/// {example}\n/// ```");
        }
        let _ = writeln!(text, "{head} -> {};", word(&function.gives));
    }
    text
}

/// A function up to what it gives; nothing for an index, which definitions cannot tell.
fn head(topic: &Topic, function: &Function) -> Option<String> {
    let name = &function.name;
    let own = word(&topic.name);
    let typed = |p: &Parameter| format!("{}: {}", p.name.replace(' ', "_"), word(&p.kind));
    let parameters = function.parameters.iter();
    Some(match function.form {
        Form::Index => return None,
        Form::Property => format!("fn get {name}(_: {own})"),
        Form::Operator => {
            let kinds: Vec<String> = parameters.map(|p| word(&p.kind)).collect();
            format!("op {name}({})", kinds.join(", "))
        }
        Form::Function => {
            let typed: Vec<String> = parameters.map(typed).collect();
            format!("fn {name}({})", typed.join(", "))
        }
        Form::Method => {
            let mut all = vec![format!("_: {own}")];
            all.extend(parameters.map(typed));
            format!("fn {name}({})", all.join(", "))
        }
    })
}

/// A type as one word; `?` where it may be several.
fn word(kind: &str) -> String {
    let of = kind.split(" of ").next().unwrap_or(kind);
    match (kind, of) {
        _ if kind.starts_with('|') => "FnPtr".to_string(),
        _ if kind.contains(" or ") => "?".to_string(),
        ("string", _) => "String".to_string(),
        ("number", _) => "int".to_string(),
        ("map", _) => "Map".to_string(),
        ("value", _) => "?".to_string(),
        (_, "array") => "Array".to_string(),
        (_, "list") => "list".to_string(),
        (other, _) => other.replace(' ', "_"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_one_word() {
        let table = [
            ("list of list of string", "list"),
            ("array of string", "Array"),
            ("time or ()", "?"),
            ("|value| -> bool", "FnPtr"),
            ("phrase of time", "phrase_of_time"),
            ("()", "()"),
            ("look", "look"),
        ];
        for (kind, wanted) in table {
            assert_eq!(word(kind), wanted);
        }
    }

    #[test]
    fn there_is_a_file_for_each_module_and_one_for_the_rest() {
        let files = files(&super::super::read());
        assert_eq!(files.len(), crate::script::names::MODULES.len() + 1);
        let text = |name: &str| &files.iter().find(|(n, _)| n == name).unwrap().1;
        let fs = text("fs.d.rhai");
        assert!(fs.starts_with("module fs;\n\n/// "), "{fs}");
        assert!(fs.contains("\nfn read(path: String) -> look;\n"), "{fs}");
        let global = text(GLOBAL);
        for line in [
            "fn get ok(_: look) -> bool;",
            "fn keep(_: list, test: FnPtr) -> list;",
            "op +(list, Array) -> list;",
            "fn found(items: list, why: String) -> answer;",
            "fn get id(_: ticket_name) -> String;",
        ] {
            assert!(global.lines().any(|l| l == line), "{line}\n{global}");
        }
    }
}
