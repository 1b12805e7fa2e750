//! Functions of the engine that the host closes or bounds.
//!
//! `exit` would end a script successfully with any value, `sleep` blocks, `pad` and `replace`
//! build their result before a size limit can look at it, `parse_json` keeps the last of two
//! equal keys. Each was tried on version 1.27 of the engine.

use rhai::{Array, Dynamic, FuncRegistration, Map, Module};

use super::{Fallible, closed_comment, misuse_here};

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

/// A closed function with these parameters.
fn closed(name: &str, why: &str, parameters: &[&str]) -> FuncRegistration {
    let info = parameters.iter().chain(&["never"]);
    FuncRegistration::new(name)
        .with_params_info(info)
        .with_comments([closed_comment(why)])
        .in_global_namespace()
}

fn closed0(module: &mut Module, name: &'static str, why: &'static str) {
    closed(name, why, &[])
        .set_into_module(module, move || -> Fallible<Dynamic> { refuse(name, why) });
}

fn closed1(module: &mut Module, name: &'static str, why: &'static str) {
    let one = || closed(name, why, &["value: value"]);
    one().set_into_module(module, move |_: Dynamic| refuse(name, why));
    one().set_into_module(module, move |_: i64| refuse(name, why));
    one().set_into_module(module, move |_: f64| refuse(name, why));
    one().set_into_module(module, move |_: &str| refuse(name, why));
}

fn pad(module: &mut Module) {
    const WHY: &str = "it builds its result before a limit can look at it";
    let one = |of: &str| closed("pad", WHY, &[of, "length: number", "with: value"]);
    one("string").set_into_module(module, |_: &mut rhai::ImmutableString, _: i64, _: char| {
        refuse("pad", WHY)
    });
    one("string").set_into_module(module, |_: &mut rhai::ImmutableString, _: i64, _: &str| {
        refuse("pad", WHY)
    });
    one("array").set_into_module(module, |_: &mut Array, _: i64, _: Dynamic| {
        refuse("pad", WHY)
    });
    const OUT: &str = "write the map out";
    closed("fill_with", OUT, &["map", "other: map"])
        .set_into_module(module, |_: &mut Map, _: Map| refuse("fill_with", OUT));
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
    let one = |gives: &str, name: &str, about: &str| {
        FuncRegistration::new(name)
            .with_params_info(["string", "from: string", "to: string", gives])
            .with_comments([format!("/// {about}")])
            .in_global_namespace()
    };
    const IN_PLACE: &str =
        "Replaces a part wherever it stands, in the string itself: `name.replace(\"_\", \" \")`.";
    one("()", "replace", IN_PLACE).set_into_module(
        module,
        |text: &mut rhai::ImmutableString, from: &str, to: &str| -> Fallible<()> {
            *text = bounded(text, from, to)?.into();
            Ok(())
        },
    );
    one("()", "replace", IN_PLACE).set_into_module(
        module,
        |text: &mut rhai::ImmutableString, from: char, to: &str| -> Fallible<()> {
            *text = bounded(text, &from.to_string(), to)?.into();
            Ok(())
        },
    );
    one(
        "string",
        "replaced",
        "The string with a part replaced wherever it stands: `name.replaced(\"_\", \" \")`.",
    )
    .set_into_module(
        module,
        |text: &str, from: &str, to: &str| -> Fallible<String> { bounded(text, from, to) },
    );
}
