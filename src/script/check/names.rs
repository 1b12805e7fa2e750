//! Functions that nobody calls, and functions that take the place of one that the engine has.

use std::collections::BTreeSet;

use rhai::Expr;

use crate::diag::Code;
use crate::script::contract::entries;
use crate::script::names::is_reserved;

use super::known::known;
use super::look::{Look, Out};
use super::parse::position_of;
use crate::script::token::{Kind, tokens};

/// Checks the functions that the script defines.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let called = called(look);
    let entries: BTreeSet<&str> = entries(look.path).iter().map(|entry| entry.0).collect();
    for (name, offset) in definitions(look.text()) {
        let position = position_of(look.text(), offset);
        let own = look
            .tree
            .functions
            .iter()
            .find(|function| function.name == name);
        let Some(function) = own else { continue };
        if function.private && !called.contains(name) && !entries.contains(name) {
            let message = format!("the private function `{name}` is never called");
            let help = "take it out, or away with the word `private` if others import it";
            out.warning(Code::ScriptUnused, position, (message, help.into()));
        }
        if !is_reserved(name) {
            shadow(look, out, (name, function.params.len(), position));
        }
    }
}

/// The names that are called, or handed on by `Fn("name")`.
fn called<'a>(look: &Look<'a>) -> BTreeSet<&'a str> {
    let mut called = BTreeSet::new();
    for (_, call) in look.tree.calls() {
        if call.module.is_none() {
            called.insert(call.call.name.as_str());
        }
        if let ("Fn", Some(Expr::StringConstant(name, _))) =
            (call.call.name.as_str(), call.call.args.first())
        {
            called.insert(name.as_str());
        }
    }
    called
}

/// A function of the engine that can no longer be reached.
fn shadow(
    look: &Look<'_>,
    out: &mut Out<'_>,
    (name, count, position): (&str, usize, rhai::Position),
) {
    let known = known();
    let counts = known.functions.get(name);
    let as_method = counts.is_some_and(|counts| counts.contains(&(count + 1)))
        && look.tree.calls().any(|(_, call)| {
            call.method && call.call.name == name && call.call.args.len() == count
        });
    let is_getter = known.getters.contains(name);
    let is_plain = known.plain.contains(&(name.to_string(), count)) && !is_getter;
    let message = if as_method {
        format!("`.{name}(...)` in this script means this function, not the one of the engine")
    } else if is_plain {
        format!("the engine has a function `{name}`, whose place this one takes")
    } else {
        return;
    };
    let help = "give it another name".to_string();
    out.warning(Code::ScriptShadow, position, (message, help));
}

/// Every `fn NAME` of a text with the place of its name.
fn definitions(text: &str) -> Vec<(&str, usize)> {
    let all = tokens(text);
    let code: Vec<_> = all
        .iter()
        .filter(|token| token.kind != Kind::Comment)
        .collect();
    let pairs = code.windows(2).filter_map(|pair| match pair {
        [word, name] if word.of(text) == "fn" && name.kind == Kind::Word => {
            Some((name.of(text), name.span.start))
        }
        _ => None,
    });
    pairs.collect()
}
