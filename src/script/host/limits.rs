//! Functions of the engine that the host closes or bounds.
//!
//! `exit` would end a script successfully with any value, `sleep` blocks, `pad` and `replace`
//! build their result before a size limit can look at it, `parse_json` keeps the last of two
//! equal keys. Each was tried on version 1.27 of the engine.

use rhai::{Array, Dynamic, FuncRegistration, Map, Module};

use super::{Fallible, misuse_here};

/// The longest text that `replace` may build, in bytes; the engine's own limit for a string.
const REPLACE_LIMIT: usize = 64 * 1024;

/// Registers the closed functions.
pub fn register(module: &mut Module) {
    closed0(module, "exit", "an entry ends by its last value");
    closed1(module, "exit", "an entry ends by its last value");
    closed1(module, "sleep", "a script may not wait");
    closed1(
        module,
        "parse_json",
        "use `json::parse`, which refuses duplicate keys",
    );
    pad(module);
    replace(module);
}

fn refuse(name: &str, why: &str) -> Fallible<Dynamic> {
    Err(misuse_here(format!("`{name}` is closed: {why}")))
}

fn closed0(module: &mut Module, name: &'static str, why: &'static str) {
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module(module, move || -> Fallible<Dynamic> { refuse(name, why) });
}

fn closed1(module: &mut Module, name: &'static str, why: &'static str) {
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module(module, move |_: Dynamic| -> Fallible<Dynamic> {
            refuse(name, why)
        });
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module(module, move |_: i64| -> Fallible<Dynamic> {
            refuse(name, why)
        });
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module(module, move |_: f64| -> Fallible<Dynamic> {
            refuse(name, why)
        });
    FuncRegistration::new(name)
        .in_global_namespace()
        .set_into_module(module, move |_: &str| -> Fallible<Dynamic> {
            refuse(name, why)
        });
}

fn pad(module: &mut Module) {
    const WHY: &str = "it builds its result before a limit can look at it";
    let string_char = |_: &mut rhai::ImmutableString, _: i64, _: char| refuse("pad", WHY);
    let string_text = |_: &mut rhai::ImmutableString, _: i64, _: &str| refuse("pad", WHY);
    let array = |_: &mut Array, _: i64, _: Dynamic| refuse("pad", WHY);
    FuncRegistration::new("pad")
        .in_global_namespace()
        .set_into_module(module, string_char);
    FuncRegistration::new("pad")
        .in_global_namespace()
        .set_into_module(module, string_text);
    FuncRegistration::new("pad")
        .in_global_namespace()
        .set_into_module(module, array);
    let fill = |_: &mut Map, _: Map| refuse("fill_with", "write the map out");
    FuncRegistration::new("fill_with")
        .in_global_namespace()
        .set_into_module(module, fill);
}

fn bounded(text: &str, from: &str, to: &str) -> Fallible<String> {
    if from.is_empty() {
        return Ok(text.to_string());
    }
    let hits = text.matches(from).count();
    let grown = hits.saturating_mul(to.len()).saturating_add(text.len());
    if grown > REPLACE_LIMIT {
        return Err(misuse_here(
            "`replace` would build a text of more than 64 KiB",
        ));
    }
    Ok(text.replace(from, to))
}

fn replace(module: &mut Module) {
    FuncRegistration::new("replace")
        .in_global_namespace()
        .set_into_module(
            module,
            |text: &mut rhai::ImmutableString, from: &str, to: &str| -> Fallible<()> {
                *text = bounded(text, from, to)?.into();
                Ok(())
            },
        );
    FuncRegistration::new("replace")
        .in_global_namespace()
        .set_into_module(
            module,
            |text: &mut rhai::ImmutableString, from: char, to: &str| -> Fallible<()> {
                *text = bounded(text, &from.to_string(), to)?.into();
                Ok(())
            },
        );
    FuncRegistration::new("replaced")
        .in_global_namespace()
        .set_into_module(
            module,
            |text: &str, from: &str, to: &str| -> Fallible<String> { bounded(text, from, to) },
        );
}
