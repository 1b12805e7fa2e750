//! `ctx`: what a script may know of the run. Getters only; a misspelt one is an error.

use std::sync::Arc;

use rhai::{Dynamic, Map, Module, NativeCallContext};
use serde_json::Value;

use crate::host_fn;
use crate::script::frame::Facts;
use crate::script::host::{Fallible, getter, misuse};
use crate::script::names::closest;

use super::json::to_plain;
use super::moment::Time;

/// The read-only handle that every entry function takes.
#[derive(Clone)]
pub struct Context(pub Arc<Facts>);

/// Registers the type and its getters.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Context>("ctx");
    getter(
        module,
        "now",
        "The instant of the run; one and the same for all its scripts: `ctx.now.plus_days(-1)`.",
        |c: &mut Context| Ok(Time(c.0.now)),
    );
    getter(
        module,
        "baseline",
        "From when decisions count as news, seven days before the first tick: `ctx.baseline.date`.",
        |c: &mut Context| Ok(Time(c.0.baseline)),
    );
    getter(
        module,
        "root",
        "The project's root folder, absolute.",
        |c: &mut Context| Ok(c.0.root.clone()),
    );
    getter(
        module,
        "home",
        "The home folder of who runs belegt.",
        |c: &mut Context| Ok(c.0.home.clone()),
    );
    getter(
        module,
        "host",
        "The name of this machine.",
        |c: &mut Context| Ok(c.0.host.clone()),
    );
    getter(
        module,
        "actor",
        "Who acts, as it is recorded.",
        |c: &mut Context| Ok(c.0.actor.clone()),
    );
    getter(
        module,
        "project",
        "The project's name: `text::matches(item.title, ctx.project)`.",
        |c: &mut Context| Ok(c.0.project.clone()),
    );
    getter(
        module,
        "language",
        "`en` or `de`: how reasons are worded.",
        |c: &mut Context| Ok(c.0.language.clone()),
    );
    getter(
        module,
        "settings -> map or ()",
        "What the site sets for this script; `ctx.options` checks it as well.",
        |c: &mut Context| -> Result<Dynamic, _> { to_plain(&c.0.settings) },
    );
    host_fn!(
        *module,
        "options",
        ["ctx", "defaults: map", "map"],
        "The defaults, replaced by what the site sets for this script; a key or type that the defaults lack is an error: `ctx.options(#{ path: \"_TICKETS\" }).path`.",
        options
    );
    getter(
        module,
        "tests -> array of string or ()",
        "The test command that the site sets: `if ctx.tests != () { cmd::run(ctx.tests) }`.",
        |c: &mut Context| -> Result<Dynamic, _> {
            let words = c.0.tests.iter().flatten();
            let words: rhai::Array = words.map(|word| word.clone().into()).collect();
            Ok(match words.is_empty() {
                true => Dynamic::UNIT,
                false => words.into(),
            })
        },
    );
    getter(
        module,
        "site -> map",
        "What every script may know of the site's settings, the same for all scripts.",
        |c: &mut Context| -> Result<Dynamic, _> { to_plain(&c.0.site) },
    );
}

fn options(ctx: NativeCallContext, context: Context, defaults: Map) -> Fallible<Map> {
    let mut options = defaults;
    let set = match &context.0.settings {
        Value::Null => return Ok(options),
        Value::Object(set) => set,
        _ => {
            return Err(misuse(
                &ctx,
                "the site's settings of a script must be a map",
            ));
        }
    };
    for (key, value) in set {
        let value = to_plain(value)?;
        let Some(default) = options.get(key.as_str()) else {
            let near = closest(key, options.keys().map(|known| known.as_str()));
            let hint = near
                .map(|n| format!("; did you mean `{n}`?"))
                .unwrap_or_default();
            return Err(misuse(
                &ctx,
                format!("the site sets `{key}`, which this script does not know{hint}"),
            ));
        };
        if default.type_id() != value.type_id() {
            let (wanted, got) = (super::kind(default), super::kind(&value));
            return Err(misuse(
                &ctx,
                format!("the site's setting `{key}` must be like {wanted}, got {got}"),
            ));
        }
        options.insert(key.as_str().into(), value);
    }
    Ok(options)
}
