//! A file of test cases, read from the syntax tree: `META` with the script that it plays, and
//! `CASES`, a list of maps. Nothing of it is run.

use std::sync::Arc;

use rhai::{AST, Position};
use serde_json::Value;

use crate::diag::{Code, Fault};

use super::contract::{check_text, required_literal, top};
use super::engine;
use super::fault::{at_point, parse_fault};
use super::literal::{Places, place_of, places};
use super::names::closest;

/// A file of cases.
#[derive(Debug)]
pub struct CaseFile {
    /// How messages call it.
    pub name: String,
    /// The script that its cases play, if `META` names one: `probes/work/todo`.
    pub script: Option<String>,
    /// The cases as plain data.
    pub cases: Vec<Value>,
    text: Arc<str>,
    places: Places,
}

/// Reads a file's text.
///
/// # Errors
/// It does not compile, or `META` or `CASES` is not what it must be.
pub fn read(name: &str, text: Arc<str>) -> Result<CaseFile, Fault> {
    check_text(name, &text)?;
    let mut ast = engine::bare()
        .compile(text.as_ref())
        .map_err(|error| parse_fault(name, &text, &error))?;
    ast.set_source(name);
    let mut problems = Vec::new();
    top::check((name, &text), &ast, &mut problems);
    if let Some(first) = problems.into_iter().next() {
        return Err(first);
    }
    let script = meta((name, &text), &ast)?;
    let cases = match required_literal((name, &text), &ast, "CASES")? {
        Value::Array(cases) if !cases.is_empty() => cases,
        Value::Array(_) => {
            let message = "`CASES` is empty: a file without a case shows nothing".to_string();
            let place = place_of(&places(&ast, "CASES"), &[]);
            return Err(at((name, &text), place, message));
        }
        _ => {
            let message = "`CASES` must be a list of maps".to_string();
            return Err(at(
                (name, &text),
                place_of(&places(&ast, "CASES"), &[]),
                message,
            ));
        }
    };
    Ok(CaseFile {
        name: name.to_string(),
        script,
        cases,
        text,
        places: places(&ast, "CASES"),
    })
}

/// The script that `META` names.
fn meta(source: (&str, &Arc<str>), ast: &AST) -> Result<Option<String>, Fault> {
    const KEYS: &[&str] = &["api", "about", "script"];
    let meta = required_literal(source, ast, "META")?;
    let wrong = |key: &str, message: String| {
        Err(at(source, place_of(&places(ast, "META"), &[key]), message))
    };
    let Value::Object(fields) = &meta else {
        return wrong("", "`META` must be a map".to_string());
    };
    if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near = closest(key, KEYS.iter().copied());
        let hint = near.map(|n| format!("; did you mean `{n}`?"));
        let hint = hint.unwrap_or_default();
        return wrong(key, format!("`META` of cases has no key `{key}`{hint}"));
    }
    if fields.get("api").and_then(Value::as_i64) != Some(1) {
        return wrong("api", "`META` needs `api: 1`".to_string());
    }
    match (fields.get("about"), fields.get("script")) {
        (Some(Value::String(_)), None) => Ok(None),
        (Some(Value::String(_)), Some(Value::String(script))) => Ok(Some(script.clone())),
        (Some(Value::String(_)), _) => wrong("script", "`script` must be a text".to_string()),
        _ => wrong(
            "about",
            "`META` needs `about`: what the cases show".to_string(),
        ),
    }
}

impl CaseFile {
    /// The line of a case, counted from 1.
    pub fn line(&self, case: usize) -> usize {
        let index = case.to_string();
        place_of(&self.places, &[&index]).line().unwrap_or(1)
    }

    /// A fault at a case, or at one of its keys.
    pub fn fault(&self, case: usize, key: Option<&str>, message: String) -> Fault {
        let index = case.to_string();
        let path = std::iter::once(index.as_str()).chain(key);
        let place = place_of(&self.places, &path.collect::<Vec<_>>());
        at((&self.name, &self.text), place, message)
    }
}

fn at(source: (&str, &Arc<str>), place: Position, message: String) -> Fault {
    at_point(Code::Case, message, source, place)
}
