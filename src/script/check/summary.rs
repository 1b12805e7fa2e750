//! What others need to know of a script that they import: its functions and what they do.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::PoisonError;

use rhai::{Expr, Stmt};

use super::Checker;
use super::known::known;
use super::tree::{Tree, What, bodies};

/// A function: its name and how many parameters it has.
pub type Signature = (String, usize);

/// What one function does by itself.
#[derive(Debug, Default)]
pub struct Acts {
    /// Whether it asks the world.
    pub asks: bool,
    /// Whether it answers `unavailable`.
    pub unavailable: bool,
    /// Whether imports may not call it.
    pub private: bool,
    /// The functions that it calls or hands on, with the alias of their module.
    pub calls: Vec<(Option<String>, Signature)>,
}

/// A script from outside.
#[derive(Debug, Default)]
pub struct Summary {
    /// Its functions; closures under their generated names.
    pub functions: BTreeMap<Signature, Acts>,
    /// Its imports: alias and path.
    pub imports: Vec<(String, String)>,
    /// Keys of its map literals, and properties that it sets.
    pub keys: BTreeSet<String>,
}

impl Checker<'_> {
    /// What is known of the script that an import path means; nothing if there is none or it
    /// does not keep its contract.
    pub(super) fn summary(&self, path: &str) -> Option<Rc<Summary>> {
        let script = self.scripts.imported(path)?.script().ok()?;
        let mut known = self
            .summaries
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(summary) = known.get(&script.name) {
            return Some(summary.clone());
        }
        let bodies = bodies(&script.ast);
        let summary = Rc::new(summarise(&Tree::new(&script.ast, &bodies)));
        known.insert(script.name.clone(), summary.clone());
        Some(summary)
    }
}

/// What a tree does.
pub fn summarise(tree: &Tree<'_>) -> Summary {
    let mut all: Vec<(Signature, Acts)> = tree
        .functions
        .iter()
        .map(|function| {
            let acts = Acts {
                private: function.private,
                ..Acts::default()
            };
            ((function.name.to_string(), function.params.len()), acts)
        })
        .collect();
    for (index, call) in tree.calls() {
        let function = tree.nodes.get(index).and_then(|node| node.function);
        let Some((_, acts)) = function.and_then(|function| all.get_mut(function)) else {
            continue;
        };
        let name = call.call.name.as_str();
        let module = call.module.unwrap_or_default();
        acts.asks |= known().asking.contains(&format!("{module}::{name}"));
        acts.unavailable |= call.module.is_none() && name == "unavailable";
        let signature = (name.to_string(), call.call.args.len());
        acts.calls
            .push((call.module.map(str::to_string), signature));
    }
    hand_on(tree, &mut all);
    Summary {
        functions: all.into_iter().collect(),
        imports: imports(tree),
        keys: keys(tree),
    }
}

/// Closures, and functions that are named by `Fn("name")`, may be called by whoever gets them.
fn hand_on(tree: &Tree<'_>, all: &mut [(Signature, Acts)]) {
    for node in &tree.nodes {
        let Some((_, acts)) = node.function.and_then(|function| all.get_mut(function)) else {
            continue;
        };
        let closure = tree
            .closure(node)
            .and_then(|index| tree.functions.get(index));
        if let Some(closure) = closure {
            let signature = (closure.name.to_string(), closure.params.len());
            acts.calls.push((None, signature));
        }
    }
    for (index, call) in tree.calls() {
        if let ("Fn", Some(Expr::StringConstant(name, _))) =
            (call.call.name.as_str(), call.call.args.first())
        {
            let function = tree.nodes.get(index).and_then(|node| node.function);
            let acts = function.and_then(|function| all.get_mut(function));
            if let Some((_, acts)) = acts {
                for count in tree.arities(name) {
                    acts.calls.push((None, (name.to_string(), count)));
                }
            }
        }
    }
}

fn imports(tree: &Tree<'_>) -> Vec<(String, String)> {
    let found = tree.nodes.iter().filter_map(|node| match node.what {
        What::Stmt(Stmt::Import(parts, _)) => match &parts.0 {
            Expr::StringConstant(path, _) => Some((parts.1.name.to_string(), path.to_string())),
            _ => None,
        },
        _ => None,
    });
    found.collect()
}

/// Keys of map literals, and properties that are set.
pub fn keys(tree: &Tree<'_>) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for node in &tree.nodes {
        match node.what {
            What::Expr(Expr::Map(parts, _)) => {
                keys.extend(parts.0.iter().map(|(key, _)| key.name.to_string()));
            }
            What::Stmt(Stmt::Assignment(parts)) => {
                if let Some(Expr::Property(property, _)) = last(&parts.1.lhs) {
                    keys.insert(property.2.to_string());
                }
            }
            _ => {}
        }
    }
    keys
}

/// The last element of a chain of dots and indexes.
pub fn last(value: &Expr) -> Option<&Expr> {
    match value {
        Expr::Dot(pair, ..) | Expr::Index(pair, ..) => match &pair.rhs {
            chain @ (Expr::Dot(..) | Expr::Index(..)) => last(chain),
            end => Some(end),
        },
        _ => None,
    }
}
