//! Imports: of what is not there, in a circle, or of what nobody uses.

use std::collections::BTreeSet;

use rhai::Expr;

use crate::diag::Code;
use crate::script::names::closest;
use crate::script::resolver::is_path;

use super::look::{Import, Look, Out};
use super::tree::What;

/// Checks every import with a literal path; any other breaks the contract.
pub fn check(look: &Look<'_>, out: &mut Out<'_>) {
    let used = used(look);
    for import in look.imports.iter().filter(|import| is_path(import.path)) {
        match look.scripts().imported(import.path) {
            None => unknown(look, out, import),
            Some(_) => circle(look, out, import),
        }
        if !used.contains(import.alias) {
            let message = format!("the import `{}` is never used", import.alias);
            let help = "take the line out".to_string();
            out.warning(Code::ScriptUnused, import.alias_position, (message, help));
        }
    }
}

/// The modules that calls and constants name.
fn used<'a>(look: &Look<'a>) -> BTreeSet<&'a str> {
    let mut used: BTreeSet<&str> = look
        .tree
        .calls()
        .filter_map(|(_, call)| call.module)
        .collect();
    for node in &look.tree.nodes {
        if let What::Expr(Expr::Variable(parts, ..)) = node.what
            && !parts.2.is_empty()
        {
            used.insert(parts.2.root());
        }
    }
    used
}

fn unknown(look: &Look<'_>, out: &mut Out<'_>, import: &Import<'_>) {
    let message = format!("there is no script `{}` to import", import.path);
    let all: BTreeSet<String> = look
        .scripts()
        .all()
        .flat_map(|source| {
            [
                source.path.clone(),
                format!("{}/{}", source.layer.name(), source.path),
            ]
        })
        .collect();
    let help = match closest(import.path, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "a path is that of a script without `.rhai`; a layer's name in front picks the layer: `builtin/probes/lib/files`".into(),
    };
    out.error(Code::ScriptImport, import.position, (message, help));
}

/// Whether the imports lead back to this script.
fn circle(look: &Look<'_>, out: &mut Out<'_>, import: &Import<'_>) {
    let own = look.path;
    let mut open = vec![vec![import.path.to_string()]];
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(way) = open.pop() {
        let Some(last) = way.last() else { continue };
        if look.is_own(last) {
            let message = format!("`{own}` imports itself: {}", way.join(" -> "));
            let help = "move what both need into a third script".to_string();
            return out.error(Code::ScriptImport, import.position, (message, help));
        }
        if !seen.insert(last.clone()) {
            continue;
        }
        let next = look.checker.summary(last);
        for (_, path) in next.iter().flat_map(|summary| &summary.imports) {
            let mut way = way.clone();
            way.push(path.clone());
            open.push(way);
        }
    }
}
