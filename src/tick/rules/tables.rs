//! The tables of one script, for whoever checks it: read with the very types that a tick uses.

use std::collections::BTreeMap;

use crate::diag::Fault;
use crate::script::contract;
use crate::script::layers::{Layer, Script, Scripts};

use super::{GuardTable, Row, Step, wrong_roles};

/// What is wrong with the tables of one rule; nothing for a rule that this module does not read.
pub fn faults(rule: &str, script: &Script) -> Vec<Fault> {
    match rule {
        "rules/chain" => {
            let mut faults = contract::table_faults::<Vec<Step>>(script, "CHAIN");
            let chain: Option<Vec<Step>> = contract::table(script, "CHAIN").ok().flatten();
            if let Some(why) = chain.as_deref().and_then(wrong_roles) {
                faults.push(contract::at_table(script, "CHAIN", why));
            }
            type Roles = BTreeMap<String, BTreeMap<String, String>>;
            faults.extend(contract::table_faults::<Roles>(script, "ROLES"));
            faults
        }
        "rules/autonomy" => {
            let mut faults = contract::table_faults::<BTreeMap<String, Row>>(script, "ROWS");
            type Effects = BTreeMap<String, Vec<String>>;
            faults.extend(contract::table_faults::<Effects>(script, "EFFECTS"));
            faults
        }
        "rules/guard" => {
            let mut faults = contract::table_faults::<GuardTable>(script, "GUARD");
            let guard: Option<GuardTable> = contract::table(script, "GUARD").ok().flatten();
            if let Some(why) = guard.and_then(|guard| guard.interval().err()) {
                faults.push(contract::at_table(script, "GUARD", why));
            }
            faults
        }
        _ => Vec::new(),
    }
}

/// The roles of the chain that counts among these scripts; none if it cannot be read.
pub fn roles_of(scripts: &Scripts) -> Vec<String> {
    let own = scripts.effective("rules/chain");
    let layers = [own, scripts.in_layer(Layer::BuiltIn, "rules/chain")];
    let chains = layers.into_iter().flatten().map(|source| {
        let script = source.script().ok()?;
        contract::table::<Vec<Step>>(&script, "CHAIN")
            .ok()
            .flatten()
    });
    let chain = chains.flatten().next().unwrap_or_default();
    chain.into_iter().flat_map(|step| step.roles).collect()
}
