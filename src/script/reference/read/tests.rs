//! Nothing that scripts can call goes without words, and every example is a script.

use super::*;
use crate::script::contract;

/// What the examples speak of.
const USUAL: &str = "ctx, file, run, look, entry, entries, done, active, items, tasks, task, \
    table, row, section, lines, answer, note, inbox, place, name, names, title, body, commit, \
    tip, last, said, tickets, files, item, open, due, options, hits";

fn functions() -> Vec<(String, Function)> {
    let topics = read().topics.into_iter();
    topics
        .flat_map(|topic| {
            let name = topic.name.clone();
            let own = topic.functions.into_iter();
            own.map(move |function| (name.clone(), function))
        })
        .collect()
}

#[test]
fn everything_of_the_host_has_a_topic_and_every_topic_has_something() {
    let ours = ours();
    let lost: Vec<&Raw> = ours
        .iter()
        .filter(|raw| closing(raw).is_none())
        .filter(|raw| TOPICS.iter().filter(|row| belongs(row, raw)).count() != 1)
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
    for topic in read().topics {
        assert!(!topic.functions.is_empty(), "`{}` is empty", topic.name);
        assert!(topic.about.ends_with('.'), "{}", topic.about);
    }
}

#[test]
fn everything_is_described_and_every_function_has_an_example() {
    let mut problems = Vec::new();
    for (_, function) in functions() {
        let Function {
            signature,
            about,
            example,
            form,
            ..
        } = &function;
        let is_sentence = about.ends_with('.') && about.starts_with(|c: char| !c.is_lowercase());
        if about.len() < 10 || !is_sentence || about.contains('\n') {
            problems.push(format!(
                "`{signature}` is not described by a sentence: {about:?}"
            ));
        }
        if example.is_none() && *form != Form::Property {
            problems.push(format!("`{signature}` has no example"));
        }
        let names_it = |example: &String| example.contains(function.name.trim_matches(['[', ']']));
        if example.as_ref().is_some_and(|example| !names_it(example)) {
            problems.push(format!(
                "the example of `{signature}` does not use it: {example:?}"
            ));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_type_is_a_word_of_the_reference_and_no_name_of_the_language_below() {
    const PLAIN: &[&str] = &[
        "string", "number", "bool", "value", "map", "array", "()", "never", "answer", "closure",
    ];
    let handles: Vec<&str> = TOPICS.iter().map(|row| row.0).collect();
    let known = |word: &str| PLAIN.contains(&word) || handles.contains(&word);
    let mut problems = Vec::new();
    for raw in ours() {
        let kinds = raw.parameters.iter().map(|p| parts(p).1);
        for kind in kinds.chain([raw.gives.as_str()]) {
            let words = kind
                .split(" or ")
                .map(|word| word.rsplit(" of ").next().unwrap_or(word));
            let is_closure = kind.starts_with('|');
            let whole = known(kind) || is_closure;
            if !whole && !words.clone().all(known) {
                problems.push(format!("`{}`: `{kind}`", raw.name));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_example_compiles() {
    let mut problems = Vec::new();
    for (_, function) in functions() {
        let Some(example) = &function.example else {
            continue;
        };
        let text = format!(
            "const META = #{{ api: 1, about: \"x\" }};\nfn example({USUAL}) {{\n    {example}\n}}\n"
        );
        if let Err(fault) = contract::compile("example", "lib/example", text.as_str().into()) {
            problems.push(format!("`{}`: {fault}: {example}", function.signature));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn what_is_closed_is_listed_as_closed_and_not_as_open() {
    let reference = read();
    for name in crate::script::names::CLOSED {
        assert!(reference.closed.iter().any(|c| c.name == *name), "{name}");
        assert!(!reference.built_in.iter().any(|b| b == name), "{name}");
    }
    for name in [
        "to_upper", "push", "keys", "split", "contains", "len", "drain",
    ] {
        assert!(reference.built_in.iter().any(|b| b == name), "{name}");
    }
    assert!(reference.closed.iter().all(|c| !c.why.is_empty()));
}
