//! `ctx`: what a script may know of the run. Getters only; a misspelt one is an error.

use std::sync::Arc;

use rhai::{Dynamic, Module};

use crate::script::frame::Facts;
use crate::script::host::getter;

use super::json::to_plain;
use super::moment::Time;

/// The read-only handle that every entry function takes.
#[derive(Clone)]
pub struct Context(pub Arc<Facts>);

/// Registers the type and its getters.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Context>("ctx");
    getter(module, "now", |c: &mut Context| Ok(Time(c.0.now)));
    getter(module, "baseline", |c: &mut Context| Ok(Time(c.0.baseline)));
    getter(module, "root", |c: &mut Context| Ok(c.0.root.clone()));
    getter(module, "home", |c: &mut Context| Ok(c.0.home.clone()));
    getter(module, "host", |c: &mut Context| Ok(c.0.host.clone()));
    getter(module, "actor", |c: &mut Context| Ok(c.0.actor.clone()));
    getter(module, "project", |c: &mut Context| Ok(c.0.project.clone()));
    getter(module, "language", |c: &mut Context| {
        Ok(c.0.language.clone())
    });
    getter(
        module,
        "settings",
        |c: &mut Context| -> Result<Dynamic, _> { to_plain(&c.0.settings) },
    );
    getter(module, "site", |c: &mut Context| -> Result<Dynamic, _> {
        to_plain(&c.0.site)
    });
}
