//! Calls of functions that do not exist, that take another number of arguments, or that the
//! host has closed. The language would tell only once the line runs.

use std::collections::BTreeSet;

use rhai::{Expr, Stmt};

use crate::diag::Code;
use crate::script::host::arrays::CLOSED as CLOSED_METHODS;
use crate::script::names::{CLOSED, closest};

use super::known::{Functions, is_keyword, known};
use super::look::{Import, Look, Out};
use super::tree::Call;

/// Checks every call.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    for (index, call) in look.tree.calls() {
        let call = &call;
        match call.module {
            _ if call.method && look.is_astray(index) => {}
            Some(module) => qualified(look, out, call, module),
            None if call.call.name == "curry" => {}
            None if is_closed(call) => closed(out, call),
            None => plain(look, out, call),
        }
    }
}

fn is_closed(call: &Call<'_>) -> bool {
    let name = call.call.name.as_str();
    let has_closure = call.call.args.iter().any(is_function);
    CLOSED.contains(&name) || (CLOSED_METHODS.contains(&name) && call.method && has_closure)
}

/// A closure as it is written, with what it captures or without.
fn is_function(value: &Expr) -> bool {
    match value {
        Expr::DynamicConstant(value, _) => value.is_fnptr(),
        Expr::FnCall(call, _) => call.name == "Fn" || call.name == "curry",
        Expr::Stmt(block) => matches!(
            block.statements().last(),
            Some(Stmt::Expr(value)) if is_function(value)
        ),
        _ => false,
    }
}

fn closed(out: &mut Out<'_>, call: &Call<'_>) {
    let name = call.call.name.as_str();
    let help = match name {
        "exit" => "an entry ends by its last value, or with `return`",
        "sleep" => "a script may not wait; `belegt wait` does that for whoever asks",
        "pad" => "write the text out, or build it with `+`",
        "parse_json" => "use `json::parse`, which refuses duplicate keys",
        "timestamp" => "`ctx.now` is the one instant of the run",
        _ => "use `filter`, `some`, `all`, `find` or `for`",
    };
    let what = if CLOSED.contains(&name) {
        ""
    } else {
        " with a closure"
    };
    let message = format!("`{name}`{what} is closed");
    out.error(Code::ScriptClosed, call.position, (message, help.into()));
}

/// A call without a module: own functions, and what the engine has.
fn plain(look: &Look<'_>, out: &mut Out<'_>, call: &Call<'_>) {
    let name = call.call.name.as_str();
    let count = call.call.args.len();
    let own: BTreeSet<usize> = look.tree.arities(name).into_iter().collect();
    // Of a method the engine counts the value before the dot.
    let theirs: BTreeSet<usize> = known()
        .functions
        .get(name)
        .map_or_else(BTreeSet::new, |all| {
            let before = usize::from(call.method);
            all.iter()
                .filter_map(|count| count.checked_sub(before))
                .collect()
        });
    let may_be_key = call.method && look.keys.contains(name);
    if own.contains(&count) || theirs.contains(&count) || may_be_key || is_keyword(name) {
        return;
    }
    let counts: BTreeSet<usize> = own.union(&theirs).copied().collect();
    let said = match counts.is_empty() {
        false => wrong_count(name, count, &counts),
        true => (format!("there is no function `{name}`"), meant(look, call)),
    };
    out.error(Code::ScriptFunction, call.position, said);
}

/// What a misspelt name was meant to be.
fn meant(look: &Look<'_>, call: &Call<'_>) -> String {
    let name = call.call.name.as_str();
    let own = look
        .tree
        .functions
        .iter()
        .filter(|f| !f.is_closure())
        .map(|f| f.name);
    let theirs = known().functions.keys().map(String::as_str);
    let theirs = theirs.filter(|name| name.starts_with(|c: char| c.is_alphabetic()));
    if let Some(near) = closest(name, own.clone()).or_else(|| closest(name, theirs)) {
        return format!("did you mean `{near}`?");
    }
    if call.method && known().getters.contains(name) {
        return format!("`{name}` is read without parentheses");
    }
    let modules = known().modules.iter();
    let holder = modules
        .filter(|(_, functions)| functions.contains_key(name))
        .map(|(m, _)| m)
        .next();
    match holder {
        Some(module) if !call.method => format!("it is `{module}::{name}`"),
        _ => {
            "a function is one of this script, of an import as `alias::name`, or of the host".into()
        }
    }
}

fn wrong_count(name: &str, got: usize, counts: &BTreeSet<usize>) -> (String, String) {
    let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
    let word = if counts == ["1"] {
        "argument"
    } else {
        "arguments"
    };
    let message = format!("`{name}` takes {} {word}, got {got}", counts.join(" or "));
    (message, String::new())
}

/// A call with a module or an alias in front.
fn qualified(look: &Look<'_>, out: &mut Out<'_>, call: &Call<'_>, module: &str) {
    if let Some(import) = look.import(module) {
        return imported(out, call, import);
    }
    if let Some(functions) = known().modules.get(module) {
        member(out, call, (module, functions));
    }
}

fn member(out: &mut Out<'_>, call: &Call<'_>, (module, functions): (&str, &Functions)) {
    let name = call.call.name.as_str();
    let count = call.call.args.len();
    match functions.get(name) {
        Some(counts) if counts.contains(&count) => {}
        Some(counts) => {
            let said = wrong_count(&format!("{module}::{name}"), count, counts);
            out.error(Code::ScriptFunction, call.position, said);
        }
        None => {
            let near = closest(name, functions.keys().map(String::as_str));
            let other = known().modules.iter().find(|(_, f)| f.contains_key(name));
            let help = match (near, other) {
                (Some(near), _) => format!("did you mean `{module}::{near}`?"),
                (None, Some((other, _))) => format!("did you mean `{other}::{name}`?"),
                (None, None) => format!("`{module}` has {}", listed(functions)),
            };
            let message = format!("the module `{module}` has no function `{name}`");
            out.error(Code::ScriptMember, call.position, (message, help));
        }
    }
}

fn listed(functions: &Functions) -> String {
    let names: Vec<String> = functions
        .keys()
        .take(12)
        .map(|name| format!("`{name}`"))
        .collect();
    names.join(", ")
}

fn imported(out: &mut Out<'_>, call: &Call<'_>, import: &Import<'_>) {
    let Some(summary) = &import.summary else {
        return;
    };
    let name = call.call.name.as_str();
    let count = call.call.args.len();
    let named = summary.functions.iter().filter(|((own, _), _)| own == name);
    let open: BTreeSet<usize> = named
        .clone()
        .filter(|(_, acts)| !acts.private)
        .map(|((_, n), _)| *n)
        .collect();
    if open.contains(&count) {
        return;
    }
    let said = if !open.is_empty() {
        wrong_count(&format!("{}::{name}", import.alias), count, &open)
    } else if named.count() > 0 {
        let message = format!("`{name}` of `{}` is private", import.path);
        (
            message,
            "take the word `private` away there, or copy what you need".into(),
        )
    } else {
        let names = summary.functions.iter().filter(|(_, acts)| !acts.private);
        let near = closest(name, names.map(|((name, _), _)| name.as_str()));
        let message = format!("`{}` has no function `{name}`", import.path);
        (
            message,
            near.map(|near| format!("did you mean `{}::{near}`?", import.alias))
                .unwrap_or_default(),
        )
    };
    out.error(Code::ScriptFunction, call.position, said);
}
