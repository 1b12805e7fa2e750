//! What a script may call and read, taken from the engine itself: no list is kept by hand.

use std::any::TypeId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use rhai::{FuncInfo, ParseErrorType};

use crate::script::engine;
use crate::script::value::context::Context;

/// Names with the numbers of parameters that they take.
pub type Functions = BTreeMap<String, BTreeSet<usize>>;

/// What the engine has.
#[derive(Default)]
pub struct Known {
    /// Functions that need no module; of a method the value before the dot is counted.
    pub functions: Functions,
    /// Those of them that are written `f(x)`, as their own documentation shows.
    pub plain: BTreeSet<(String, usize)>,
    /// The functions of each host module.
    pub modules: BTreeMap<String, Functions>,
    /// Functions of host modules that ask the world, as `fs::read`.
    pub asking: BTreeSet<String>,
    /// Getters of any value.
    pub getters: BTreeSet<String>,
    /// Getters of `ctx`.
    pub context: BTreeSet<String>,
}

/// What the engine has; collected once.
pub fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(collect)
}

/// One function as the engine describes it.
struct Described {
    module: String,
    name: String,
    count: usize,
    of_context: bool,
    /// The first parameter in words, if the function has any.
    first: Option<String>,
    /// What it gives, in words.
    gives: String,
}

fn collect() -> Known {
    let describe = |info: FuncInfo<'_>| {
        let data = info.metadata;
        Some(Described {
            module: info.namespace.to_string(),
            name: data.name.to_string(),
            count: data.num_params,
            of_context: data.param_types.first() == Some(&TypeId::of::<Context>()),
            first: data.params_info.first().map(ToString::to_string),
            gives: data.return_type.to_string(),
        })
    };
    let all = engine::bare().collect_fn_metadata(None, describe, true);
    let mut known = Known::default();
    for function in all {
        known.add(function);
    }
    known
}

impl Known {
    fn add(&mut self, function: Described) {
        let Described { module, name, .. } = function;
        if let Some(getter) = name.strip_prefix("get$") {
            if function.of_context {
                self.context.insert(getter.to_string());
            }
            self.getters.insert(getter.to_string());
            return;
        }
        if !module.is_empty() {
            let asks = match function.gives.as_str() {
                "look" | "heads" => true,
                "json" => module == "ledger",
                _ => false,
            };
            if asks {
                self.asking.insert(format!("{module}::{name}"));
            }
            let functions = self.modules.entry(module).or_default();
            functions.entry(name).or_default().insert(function.count);
            return;
        }
        let is_method = function
            .first
            .is_none_or(|first| first.contains("&mut") || !first.contains(": "));
        if !is_method {
            self.plain.insert((name.clone(), function.count));
        }
        self.functions
            .entry(name)
            .or_default()
            .insert(function.count);
    }
}

/// Whether the engine handles calls of this name by itself, such as `type_of` and `call`.
pub fn is_keyword(name: &str) -> bool {
    let tried = engine::bare().compile(format!("fn {name}() {{}}"));
    tried.is_err_and(|error| matches!(error.err_type(), ParseErrorType::Reserved(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::names::{CONSTRUCTORS, CONTEXT, GETTERS, MODULES};

    #[test]
    fn the_engine_has_what_the_lists_for_suggestions_name() {
        let known = known();
        let modules: Vec<&str> = known.modules.keys().map(String::as_str).collect();
        let mut listed = MODULES.to_vec();
        listed.sort_unstable();
        assert_eq!(modules, listed);
        for name in CONSTRUCTORS {
            assert!(known.functions.contains_key(*name), "{name}");
        }
        for name in CONTEXT {
            assert!(known.context.contains(*name), "{name}");
        }
        for name in GETTERS {
            assert!(known.getters.contains(*name), "{name}");
        }
        assert_eq!(known.context.len(), CONTEXT.len());
        for name in [
            "fs::read",
            "fs::heads",
            "cmd::run",
            "git::commit",
            "ledger::notes",
            "process::info",
        ] {
            assert!(known.asking.contains(name), "{name}: {:?}", known.asking);
        }
        assert!(!known.asking.contains("fs::join") && !known.asking.contains("text::matches"));
    }

    #[test]
    fn words_that_the_engine_handles_by_itself_are_known() {
        for name in ["type_of", "call", "Fn", "is_def_fn", "curry", "is_shared"] {
            assert!(is_keyword(name), "{name}");
        }
        assert!(!is_keyword("look") && !is_keyword("a b"));
    }
}
