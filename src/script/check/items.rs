//! Items that are written out and can only be refused: a key is missing, or none of an item.

use rhai::Expr;

use crate::diag::Code;
use crate::script::host::item::{KEYS, NEEDED};
use crate::script::names::closest;

use super::look::{Look, Out};

/// Checks every `item(#{ ... })`.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    for (_, call) in look.tree.calls() {
        let is_own = look.tree.function("item", 1).is_some();
        if call.call.name != "item" || call.module.is_some() || call.method || is_own {
            continue;
        }
        let [Expr::Map(parts, position)] = call.call.args.as_slice() else {
            continue;
        };
        let keys: Vec<&str> = parts.0.iter().map(|(key, _)| key.name.as_str()).collect();
        for (key, _) in &parts.0 {
            if KEYS.contains(&key.name.as_str()) {
                continue;
            }
            let help = match closest(&key.name, KEYS.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it has `{}`", KEYS.join("`, `")),
            };
            let message = format!("an item has no field `{}`", key.name);
            out.error(Code::ScriptAnswer, key.pos, (message, help));
        }
        if let Some(key) = NEEDED.iter().find(|key| !keys.contains(key)) {
            let message = format!("an item needs `{key}`");
            let help = format!("every item has `{}`", NEEDED.join("`, `"));
            let position = if position.is_none() {
                call.position
            } else {
                *position
            };
            out.error(Code::ScriptAnswer, position, (message, help));
        }
    }
}
