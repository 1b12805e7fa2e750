//! Functions of the same name in a script and in what it imports.
//!
//! The engine (Rhai 1.27) remembers which function a name means and hands that on between a
//! script and its imports: from the second call on a helper of one may run in the place of the
//! other's, without an error. So such a pair is refused before anything runs.
//!
//! INVARIANT: a name that is called without a module in front means one function in the whole
//! set of scripts that belong to a call. Entries that only share their name are no pair: an
//! extended script may call `base::look(ctx)` out of its own `look`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rhai::{ASTNode, Expr, Stmt};

use crate::diag::{Code, Fault};

use super::fault::at_definition;
use super::layers::{Script, Scripts};

/// What one script defines, calls and imports.
struct Names {
    defines: BTreeSet<(String, usize)>,
    calls: BTreeSet<String>,
    imports: Vec<String>,
}

/// Refuses a script whose functions the engine could mix up with those of its imports. An
/// import that is missing or broken is left to whoever resolves it.
pub fn check(scripts: &Scripts, script: &Arc<Script>) -> Result<(), Fault> {
    let own = names(script);
    if own.imports.is_empty() {
        return Ok(());
    }
    let all = reached(scripts, script, own);
    let mut calls: BTreeSet<&str> = BTreeSet::new();
    for (_, names) in &all {
        calls.extend(names.calls.iter().map(String::as_str));
    }
    let mut owners: BTreeMap<&(String, usize), &str> = BTreeMap::new();
    for (name, names) in &all {
        for function in &names.defines {
            match owners.insert(function, name) {
                Some(other) if calls.contains(function.0.as_str()) => {
                    return Err(refused(script, &function.0, (other, name)));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// The script and everything that it imports, each once, by name.
fn reached(scripts: &Scripts, script: &Arc<Script>, own: Names) -> Vec<(String, Names)> {
    let mut open = own.imports.clone();
    let mut all = vec![(script.name.clone(), own)];
    while let Some(path) = open.pop() {
        let Some(Ok(script)) = scripts.imported(&path).map(|source| source.script()) else {
            continue;
        };
        if all.iter().any(|(name, _)| *name == script.name) {
            continue;
        }
        let names = names(&script);
        open.extend(names.imports.iter().cloned());
        all.push((script.name.clone(), names));
    }
    all
}

fn names(script: &Script) -> Names {
    let functions = script.ast.iter_functions();
    let mut names = Names {
        defines: functions
            .map(|f| (f.name.to_string(), f.params.len()))
            .collect(),
        calls: BTreeSet::new(),
        imports: Vec::new(),
    };
    script.ast.walk(&mut |path: &[ASTNode<'_>]| {
        match path.last() {
            Some(ASTNode::Stmt(Stmt::Import(parts, _))) => {
                if let Expr::StringConstant(path, _) = &parts.0 {
                    names.imports.push(path.to_string());
                }
            }
            Some(ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))) => {
                if call.namespace.is_empty() {
                    names.calls.insert(call.name.to_string());
                }
                // `Fn("name")` calls it later.
                if let ("Fn", Some(Expr::StringConstant(name, _))) =
                    (call.name.as_str(), call.args.first())
                {
                    names.calls.insert(name.to_string());
                }
            }
            _ => {}
        }
        true
    });
    names
}

fn refused(script: &Script, function: &str, (one, other): (&str, &str)) -> Fault {
    let message = format!("`{function}` stands in `{one}` and in `{other}`, which belong together");
    at_definition(
        Code::ScriptClash,
        message,
        (&script.name, &script.text),
        function,
    )
    .with_help("give one of them another name; the engine would mix them up")
}
