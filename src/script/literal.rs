//! Constants that are read from the syntax tree, without running anything.
//!
//! `META`, `SITE`, `CASES` and the tables of rules are literals, exactly one each. A constant of
//! that name which is not a literal is an error at its place.

use rhai::{AST, Dynamic, Expr, Position, Stmt};
use serde_json::Value;

use super::value::json::from_plain;

/// What stands at top level under a name.
#[derive(Debug)]
pub enum Constant {
    /// Nothing.
    Missing,
    /// One literal, as plain data, with its place.
    Literal(Value, Position),
    /// Something that would have to be run.
    Computed(Position),
    /// It stands there more than once; the second place.
    Twice(Position),
}

/// Looks for one constant.
pub fn constant(ast: &AST, name: &str) -> Constant {
    let mut found = Constant::Missing;
    for statement in ast.statements() {
        let Stmt::Var(parts, flags, position) = statement else {
            continue;
        };
        if parts.0.name.as_str() != name {
            continue;
        }
        if !matches!(found, Constant::Missing) {
            return Constant::Twice(*position);
        }
        let is_constant = flags.intersects(rhai::ASTFlags::CONSTANT);
        let value = is_constant
            .then(|| parts.1.get_literal_value(None))
            .flatten();
        found = match value.as_ref().map(plain) {
            Some(Ok(value)) => Constant::Literal(value, *position),
            _ => Constant::Computed(*position),
        };
    }
    found
}

fn plain(value: &Dynamic) -> Result<Value, String> {
    from_plain(value)
}

/// Where the keys of a constant stand: each path such as `["absent", "user.model"]` with its
/// place. Entries of a list are named by their number from 0; the empty path is the constant.
pub type Places = Vec<(Vec<String>, Position)>;

/// The places of all keys of a constant.
pub fn places(ast: &AST, name: &str) -> Places {
    let mut places = Vec::new();
    for statement in ast.statements() {
        if let Stmt::Var(parts, _, position) = statement
            && parts.0.name.as_str() == name
        {
            places.push((Vec::new(), *position));
            collect(&parts.1, &mut Vec::new(), &mut places);
        }
    }
    places
}

/// The place of a path, or of the nearest around it.
pub fn place_of(places: &Places, path: &[&str]) -> Position {
    let mut wanted = path;
    loop {
        let found = places.iter().find(|(place, _)| place == wanted);
        match (found, wanted.split_last()) {
            (Some((_, position)), _) => return *position,
            (None, Some((_, shorter))) => wanted = shorter,
            (None, None) => return Position::NONE,
        }
    }
}

fn collect(value: &Expr, path: &mut Vec<String>, places: &mut Places) {
    match value {
        Expr::Map(parts, _) => {
            for (key, inner) in &parts.0 {
                path.push(key.name.to_string());
                places.push((path.clone(), key.pos));
                collect(inner, path, places);
                path.pop();
            }
        }
        Expr::Array(values, _) => {
            for (index, inner) in values.iter().enumerate() {
                path.push(index.to_string());
                places.push((path.clone(), inner.position()));
                collect(inner, path, places);
                path.pop();
            }
        }
        _ => {}
    }
}
