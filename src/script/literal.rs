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

/// The keys of a constant that is a map, with their places.
pub fn keys(ast: &AST, name: &str) -> Vec<(String, Position)> {
    let mut statements = ast.statements().iter();
    let map = statements.find_map(|statement| match statement {
        Stmt::Var(parts, ..) if parts.0.name == name => match &parts.1 {
            Expr::Map(map, _) => Some(&map.0),
            _ => None,
        },
        _ => None,
    });
    let keys = map.into_iter().flatten();
    keys.map(|(key, _)| (key.name.to_string(), key.pos))
        .collect()
}

fn plain(value: &Dynamic) -> Result<Value, String> {
    from_plain(value)
}
