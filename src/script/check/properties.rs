//! Properties: of `ctx` that do not exist, misspelt ones, and reads that raise where a value is
//! missing.
//!
//! Of `ctx` all getters are known. Of any other value only the names are known that some value
//! has, or some map of this script; a name that is none of these and close to one is a warning.

use std::collections::BTreeSet;

use rhai::{ASTFlags, BinaryExpr, Expr, Position, Stmt};

use crate::diag::Code;
use crate::script::contract::entries;
use crate::script::names::closest;

use super::known::known;
use super::look::{Look, Out};
use super::summary::last;
use super::tree::{Node, What};

/// Names that are shorter are close to too many others.
const SHORTEST: usize = 4;

/// Checks every property.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let mut of_context = BTreeSet::new();
    for node in &look.tree.nodes {
        let What::Expr(value) = node.what else {
            continue;
        };
        if let Expr::Dot(pair, flags, _) = value {
            context(look, out, node, pair, &mut of_context);
            if flags.intersects(ASTFlags::NEGATED) {
                let key = match &pair.rhs {
                    Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
                    key => key,
                };
                optional(look, out, key, false);
            }
        }
        if let Expr::Coalesce(parts, _) = value {
            let tried = parts.split_last().map_or(&[][..], |(_, tried)| tried);
            for chain in tried {
                if let Some(end) = last(chain) {
                    optional(look, out, end, is_free(chain));
                }
            }
        }
    }
    for node in &look.tree.nodes {
        if let What::Expr(Expr::Property(property, position)) = node.what
            && !of_context.contains(&place(*position))
        {
            misspelt(look, out, &property.2, *position);
        }
    }
}

fn place(position: Position) -> (Option<usize>, Option<usize>) {
    (position.line(), position.position())
}

/// The first property behind `ctx`.
fn context(
    look: &Look<'_>,
    out: &mut Out<'_>,
    node: &Node<'_>,
    pair: &BinaryExpr,
    seen: &mut BTreeSet<(Option<usize>, Option<usize>)>,
) {
    let Expr::Variable(variable, ..) = &pair.lhs else {
        return;
    };
    let first = match &pair.rhs {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
        first => first,
    };
    let Expr::Property(property, position) = first else {
        return;
    };
    if !variable.2.is_empty() || !is_context(look, node, &variable.1) {
        return;
    }
    seen.insert(place(*position));
    let name = property.2.as_str();
    if matches!(name, "settings" | "site") {
        rest(&pair.rhs, seen);
    }
    let getters = &known().context;
    if getters.contains(name) {
        return;
    }
    let help = match closest(name, getters.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let names: Vec<String> = getters.iter().map(|name| format!("`{name}`")).collect();
            format!("it has {}", names.join(", "))
        }
    };
    let message = format!("`{}` has no property `{name}`", variable.1);
    out.error(Code::ScriptGetter, *position, (message, help));
}

/// Marks what stands behind data of a person: its keys are theirs.
fn rest(chain: &Expr, seen: &mut BTreeSet<(Option<usize>, Option<usize>)>) {
    match chain {
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => {
            rest(&pair.lhs, seen);
            rest(&pair.rhs, seen);
        }
        Expr::Property(_, position) => drop(seen.insert(place(*position))),
        _ => {}
    }
}

/// Whether a chain ends with a key of data that a person wrote: `ctx.settings.path`.
fn is_free(chain: &Expr) -> bool {
    let (Expr::Dot(pair, ..) | Expr::Index(pair, ..)) = chain else {
        return false;
    };
    let first = match &pair.rhs {
        Expr::Dot(inner, ..) | Expr::Index(inner, ..) => &inner.lhs,
        _ => return false,
    };
    matches!(first, Expr::Property(property, _) if matches!(property.2.as_str(), "settings" | "site" | "params"))
}

/// Whether a variable is the `ctx` of an entry, or a parameter of that name.
fn is_context(look: &Look<'_>, node: &Node<'_>, variable: &str) -> bool {
    let Some((index, function)) = node
        .function
        .and_then(|index| Some((index, look.tree.functions.get(index)?)))
    else {
        return false;
    };
    let made_anew = look.tree.nodes.iter().any(|node| {
        node.function == Some(index)
            && matches!(node.what, What::Stmt(Stmt::Var(parts, ..)) if parts.0.name.as_str() == variable)
    });
    let given = function.params.iter().position(|param| *param == variable);
    let entry = entries(look.path)
        .iter()
        .find(|entry| entry.0 == function.name);
    let of_entry = entry.and_then(|(name, ..)| match *name {
        "verdict" | "step" => None,
        "recognise" | "judge" | "classify" | "holds" => Some(1),
        _ => Some(0),
    });
    let is_given = match (entry, given) {
        (_, None) => false,
        (Some(_), given) => given == of_entry,
        (None, Some(_)) => variable == "ctx",
    };
    is_given && !made_anew
}

/// A read that raises if the key is missing, whatever stands behind it.
fn optional(look: &Look<'_>, out: &mut Out<'_>, end: &Expr, is_free: bool) {
    let (shown, position, is_known) = match end {
        Expr::Property(property, position) => {
            let name = property.2.as_str();
            (
                format!("\"{name}\""),
                *position,
                !is_free && known().getters.contains(name),
            )
        }
        Expr::StringConstant(key, position) => (format!("\"{key}\""), *position, false),
        Expr::IntegerConstant(index, position) => (index.to_string(), *position, false),
        _ => return,
    };
    if is_known {
        return;
    }
    let what = if shown.starts_with('"') {
        "key"
    } else {
        "entry"
    };
    let message = format!(
        "this raises if the {what} {} is missing",
        shown.replace('"', "`")
    );
    let help = format!("write `.get({shown}) ?? ...`, which gives `()` for what is not there");
    let is_made = look.keys.contains(shown.trim_matches('"'));
    match is_made {
        true => out.warning(Code::ScriptOptional, position, (message, help)),
        false => out.error(Code::ScriptOptional, position, (message, help)),
    }
}

fn misspelt(look: &Look<'_>, out: &mut Out<'_>, name: &str, position: Position) {
    let getters = &known().getters;
    if name.len() < SHORTEST || getters.contains(name) || look.keys.contains(name) {
        return;
    }
    let all = getters.iter().chain(&look.keys).map(String::as_str);
    let Some(near) = closest(name, all.filter(|near| near.len() >= SHORTEST)) else {
        return;
    };
    let message = format!("no value has a property `{name}`, and no map of this script");
    out.warning(
        Code::ScriptGetter,
        position,
        (message, format!("did you mean `{near}`?")),
    );
}
