//! Scripts that lie where nothing ever calls them.

use std::collections::BTreeSet;

use crate::diag::{Code, Fault};
use crate::script::check::Checked;
use crate::script::layers::{Layer, Scripts};
use crate::script::names::closest;
use crate::tick::rules;

use super::texts::Text;

/// The rules that are asked.
const RULES: [&str; 5] = ["autonomy", "chain", "gate", "guard", "words"];
/// The folders whose scripts are asked.
const FOLDERS: [&str; 3] = ["probes/sources/", "probes/work/", "probes/proofs/"];

/// What is reached in one set of layers.
pub struct Reached {
    roles: Vec<String>,
    imported: BTreeSet<String>,
}

impl Reached {
    /// The roles of the chain, and whatever a script imports.
    pub fn of(scripts: &Scripts, checked: &[(&Text, Checked)]) -> Self {
        let mut imported = BTreeSet::new();
        let named = checked
            .iter()
            .flat_map(|(_, checked)| checked.imports.clone());
        let of_layers = scripts.all().filter_map(|source| source.script().ok());
        let of_layers = of_layers.flat_map(|script| crate::script::check::imports(&script));
        for path in named.chain(of_layers) {
            if let Some(source) = scripts.imported(&path) {
                imported.insert(source.path.clone());
            }
            imported.insert(path);
        }
        Reached {
            roles: rules::roles_of(scripts),
            imported,
        }
    }

    /// A script that nothing calls.
    pub fn check(&self, text: &Text) -> Option<Fault> {
        let path = text.path.as_str();
        let is_script = path.starts_with("probes/") || path.starts_with("rules/");
        if !is_script || text.layer == Some(Layer::BuiltIn) || self.imported.contains(path) {
            return None;
        }
        if let Some(role) = path
            .strip_prefix("probes/sources/")
            .filter(|r| !r.contains('/'))
        {
            return self.role(text, role);
        }
        let is_rule = path
            .strip_prefix("rules/")
            .is_some_and(|rule| RULES.contains(&rule));
        let is_probe = FOLDERS.iter().any(|folder| {
            path.strip_prefix(folder)
                .is_some_and(|rest| !rest.contains('/'))
        });
        if is_rule || is_probe {
            return None;
        }
        let help = match meant(path) {
            Some(meant) => format!("did you mean `{meant}.rhai`?"),
            None => {
                format!("it counts once another script imports it: `import \"{path}\" as name;`")
            }
        };
        Some(fault(
            text,
            "nothing ever calls a script in this place".into(),
            help,
        ))
    }

    fn role(&self, text: &Text, role: &str) -> Option<Fault> {
        if self.roles.iter().any(|known| known == role) {
            return None;
        }
        let message = format!("no step of `rules/chain` asks the role `{role}`");
        let near = closest(role, self.roles.iter().map(String::as_str));
        let help = match near {
            Some(near) => {
                format!("did you mean `{near}.rhai`? A role of your own needs its row in `CHAIN`")
            }
            None => {
                "a role of your own needs its row in `CHAIN` of `.belegt/rules/chain.rhai`".into()
            }
        };
        Some(fault(text, message, help))
    }
}

/// The place that was meant: another folder, or another rule.
fn meant(path: &str) -> Option<String> {
    if let Some(rule) = path.strip_prefix("rules/") {
        return closest(rule, RULES).map(|rule| format!("rules/{rule}"));
    }
    let (folder, name) = path.rsplit_once('/')?;
    let known = FOLDERS.map(|folder| folder.trim_end_matches('/'));
    let near = closest(folder, known)?;
    Some(format!("{near}/{name}"))
}

fn fault(text: &Text, message: String, help: String) -> Fault {
    let fault = Fault::new(Code::ScriptPlace, message).with_help(help);
    match &text.text {
        Ok(source) => fault.with_source(&text.shown, source.clone()),
        Err(_) => fault,
    }
}
