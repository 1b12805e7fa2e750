//! Constants of the file that nothing defines or nothing reads.
//!
//! `global::NAME` fails once its line runs. A table of a rule under another name is passed over,
//! and the built-in table counts in its place.

use std::collections::BTreeSet;

use rhai::{Expr, Position, Stmt};

use crate::diag::Code;
use crate::script::names::closest;

use super::look::{Look, Out};
use super::tree::What;

/// The tables of each rule.
const TABLES: &[(&str, &[&str])] = &[
    ("rules/autonomy", &["ROWS", "EFFECTS"]),
    ("rules/chain", &["CHAIN", "ROLES"]),
    ("rules/guard", &["GUARD"]),
    ("rules/gate", &["STEPS"]),
    (
        "rules/words",
        &[
            "WORDS",
            "JOINS",
            "ARROWS",
            "REFERENCES",
            "IRREVERSIBLE",
            "UNCLEAR",
            "PHRASES",
            "METHODS",
        ],
    ),
];

/// Checks the constants of the file.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let defined = defined(look);
    let names: BTreeSet<&str> = defined.iter().map(|(name, _)| *name).collect();
    let mut read = BTreeSet::new();
    for node in &look.tree.nodes {
        let What::Expr(Expr::Variable(parts, _, position)) = node.what else {
            continue;
        };
        let name = parts.1.as_str();
        if parts.2.is_empty() || parts.2.root() != "global" {
            continue;
        }
        read.insert(name);
        if !names.contains(name) {
            let message = format!("this file has no constant `{name}`");
            let help = closest(name, names.iter().copied())
                .map(|near| format!("did you mean `global::{near}`?"));
            out.error(
                Code::ScriptBareConstant,
                *position,
                (message, help.unwrap_or_default()),
            );
        }
    }
    tables(look, out, (&defined, &read));
}

/// Constants of a rule that are nearly one of its tables, and that nothing reads.
fn tables(
    look: &Look<'_>,
    out: &mut Out<'_>,
    (defined, read): (&[(&str, Position)], &BTreeSet<&str>),
) {
    let Some((_, tables)) = TABLES.iter().find(|(path, _)| *path == look.path) else {
        return;
    };
    let idle = defined
        .iter()
        .filter(|(name, _)| *name != "META" && !tables.contains(name) && !read.contains(name));
    for (name, position) in idle {
        let message = format!(
            "`{}` has no table `{name}`, and nothing reads it",
            look.path
        );
        let help = match closest(name, tables.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it has `{}`", tables.join("`, `")),
        };
        out.warning(Code::ScriptUnused, *position, (message, help));
    }
}

/// The constants at top level with their places.
fn defined<'a>(look: &Look<'a>) -> Vec<(&'a str, Position)> {
    let top = look
        .tree
        .nodes
        .iter()
        .filter(|node| node.function.is_none());
    let constants = top.filter_map(|node| match node.what {
        What::Stmt(Stmt::Var(parts, ..)) if node.parent.is_none() => {
            Some((parts.0.name.as_str(), parts.0.pos))
        }
        _ => None,
    });
    constants.collect()
}
