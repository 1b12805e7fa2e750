//! A file of test cases, read from the syntax tree: `META` with the script that it plays, and
//! `CASES`, a list of maps. Nothing of it is run.

use std::sync::Arc;

use rhai::{AST, Expr, Position, Stmt};
use serde_json::Value;

use crate::diag::{Code, Fault};

use super::contract::{check_text, required_literal, top};
use super::engine;
use super::fault::{at_point, parse_fault};
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
    ast: AST,
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
    top::check((name, &text), &ast)?;
    let script = meta((name, &text), &ast)?;
    let cases = match required_literal((name, &text), &ast, "CASES")? {
        Value::Array(cases) => cases,
        _ => {
            let message = "`CASES` must be a list of maps".to_string();
            return Err(at((name, &text), place(&ast, "CASES", None, None), message));
        }
    };
    Ok(CaseFile {
        name: name.to_string(),
        script,
        cases,
        text,
        ast,
    })
}

/// The script that `META` names.
fn meta(source: (&str, &Arc<str>), ast: &AST) -> Result<Option<String>, Fault> {
    const KEYS: &[&str] = &["api", "about", "script"];
    let meta = required_literal(source, ast, "META")?;
    let wrong =
        |key: &str, message: String| Err(at(source, place(ast, "META", None, Some(key)), message));
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
        let place = place(&self.ast, "CASES", Some(case), None);
        place.line().unwrap_or(1)
    }

    /// A fault at a case, or at one of its keys.
    pub fn fault(&self, case: usize, key: Option<&str>, message: String) -> Fault {
        let place = place(&self.ast, "CASES", Some(case), key);
        at((&self.name, &self.text), place, message)
    }
}

fn at(source: (&str, &Arc<str>), place: Position, message: String) -> Fault {
    at_point(Code::Case, message, source, place)
}

/// Where a constant stands, an element of its list, or a key of its map; the nearest of them
/// that is there.
fn place(ast: &AST, name: &str, element: Option<usize>, key: Option<&str>) -> Position {
    let constant = ast
        .statements()
        .iter()
        .find_map(|statement| match statement {
            Stmt::Var(parts, _, position) if parts.0.name == name => Some((&parts.1, *position)),
            _ => None,
        });
    let Some((mut expr, mut position)) = constant else {
        return Position::NONE;
    };
    if let (Some(index), Expr::Array(elements, _)) = (element, expr)
        && let Some(found) = elements.get(index)
    {
        (expr, position) = (found, found.position());
    }
    if let (Some(key), Expr::Map(parts, _)) = (key, expr)
        && let Some((ident, _)) = parts.0.iter().find(|(ident, _)| ident.name == key)
    {
        position = ident.pos;
    }
    position
}
