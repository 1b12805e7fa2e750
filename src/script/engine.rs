//! The one place that builds an engine: every limit explicit, equal in debug and release.
//!
//! Packages and host modules are built once per process and shared; an engine is cheap. Why
//! each setting: optimisation `none` (another level panics on an assignment into a constant and
//! once removed statements), strict variables and failing map properties (a misspelling is an
//! error, not `()`), fast operators off (a text compared with a number is an error, not false;
//! slower by 1.4 times), `try` closed (a limit error inside a closure could be swallowed), `eval`
//! closed (what runs is what was digested).

use std::sync::{Arc, OnceLock};

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicMathPackage, BasicStringPackage, LanguageCorePackage, LogicPackage, MoreStringPackage,
    Package,
};
use rhai::{Dynamic, Engine, Module, OptimizationLevel, Shared};

use super::frame::{Frame, MAX_STEPS, Trip};
use super::layers::Scripts;
use super::resolver::TableResolver;
use super::{answer, coverage, host, value};

/// The longest text that lives inside the engine, in bytes.
pub const MAX_STRING: usize = 64 * 1024;
/// The most entries of an array inside the engine.
pub const MAX_ARRAY: usize = 2_000;
/// The most keys of a map inside the engine, nested ones counted.
pub const MAX_MAP: usize = 500;
/// How deeply calls may be nested.
pub const MAX_CALLS: usize = 32;
/// How deeply expressions may be nested, at top level and in functions.
pub const MAX_DEPTH: (usize, usize) = (64, 32);

struct Shelf {
    packages: Vec<Shared<Module>>,
    modules: Vec<(&'static str, Shared<Module>)>,
}

/// Built once: functions that capture nothing and never change.
fn shelf() -> &'static Shelf {
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    SHELF.get_or_init(|| Shelf {
        packages: vec![
            LanguageCorePackage::new().as_shared_module(),
            ArithmeticPackage::new().as_shared_module(),
            LogicPackage::new().as_shared_module(),
            BasicStringPackage::new().as_shared_module(),
            BasicIteratorPackage::new().as_shared_module(),
            BasicFnPackage::new().as_shared_module(),
            BasicMathPackage::new().as_shared_module(),
            BasicArrayPackage::new().as_shared_module(),
            BasicMapPackage::new().as_shared_module(),
            MoreStringPackage::new().as_shared_module(),
            Arc::new(indexed(base_module(), "belegt")),
        ],
        modules: host::modules()
            .into_iter()
            .map(|(name, module)| (name, Arc::new(indexed(module, name))))
            .collect(),
    })
}

/// A module with its id and index. The engine clones and indexes any other at each start.
fn indexed(mut module: Module, name: &str) -> Module {
    module.set_id(name);
    module.build_index();
    module
}

/// Types, constructors and closed functions: visible without a namespace.
fn base_module() -> Module {
    let mut module = Module::new();
    value::list::register(&mut module);
    value::look::register(&mut module);
    value::text::register(&mut module);
    value::json::register(&mut module);
    value::moment::register(&mut module);
    value::phrase::register(&mut module);
    value::context::register(&mut module);
    host::entries::register_types(&mut module);
    host::gardener::register_types(&mut module);
    value::heads::register(&mut module);
    value::ticket::register(&mut module);
    host::bulk::register(&mut module);
    host::md::register_types(&mut module);
    host::limits::register(&mut module);
    host::arrays::register(&mut module);
    host::compare::register(&mut module);
    answer::register(&mut module);
    module
}

/// An engine for compiling: it knows the names but reaches nothing.
pub fn bare() -> Engine {
    let mut engine = Engine::new_raw();
    let shelf = shelf();
    for package in &shelf.packages {
        engine.register_global_module(package.clone());
    }
    for (name, module) in &shelf.modules {
        engine.register_static_module(*name, module.clone());
    }
    harden(&mut engine);
    engine
}

/// An engine for one call: the same, with a frame, its clocks and the import table.
pub fn for_call(frame: &Arc<Frame>, scripts: &Arc<Scripts>) -> Engine {
    let mut engine = bare();
    engine.set_default_tag(Dynamic::from(frame.clone()));
    engine.set_module_resolver(TableResolver::new(scripts.clone()));
    let clocks = frame.clone();
    engine.on_progress(move |_| clocks.step().map(trip_token));
    let printed = frame.clone();
    engine.on_print(move |text| printed.print(text));
    let debugged = frame.clone();
    engine.on_debug(move |text, _, _| debugged.print(text));
    if let Some(coverage) = &frame.coverage {
        coverage::watch(&mut engine, coverage);
    }
    engine
}

fn trip_token(trip: Trip) -> Dynamic {
    match trip {
        Trip::Work | Trip::Steps => "script time".into(),
        Trip::Deadline => "deadline".into(),
        Trip::Looks => "number of looks".into(),
    }
}

/// Limits and switches, the same for every engine.
pub(super) fn harden(engine: &mut Engine) {
    engine.set_optimization_level(OptimizationLevel::None);
    engine.set_strict_variables(true);
    engine.set_fail_on_invalid_map_property(true);
    engine.set_fast_operators(false);
    engine.set_max_call_levels(MAX_CALLS);
    engine.set_max_expr_depths(MAX_DEPTH.0, MAX_DEPTH.1);
    engine.set_max_string_size(MAX_STRING);
    engine.set_max_array_size(MAX_ARRAY);
    engine.set_max_map_size(MAX_MAP);
    // Only a net: it does not count inside of closures. The frame does.
    engine.set_max_operations(2 * MAX_STEPS);
    engine.set_max_variables(200);
    engine.set_max_functions(200);
    engine.set_max_modules(32);
    for word in ["try", "eval"] {
        engine.disable_symbol(word);
    }
}
