//! `git::`: the repository around the project's root. Fixed questions only; nothing that the
//! repository's own configuration could turn into a program.

use rhai::{Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::look::Look;
use crate::world::{GitAsk, Request};

use super::{Fallible, frame};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "head",
        ["look"],
        "The commit that HEAD names: `git::head().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::head", GitAsk::Head) }
    );
    host_fn!(
        m,
        "tree",
        ["look"],
        "A digest of the work tree without `.belegt/`: `git::tree().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::tree", GitAsk::Tree) }
    );
    host_fn!(
        m,
        "interrupted",
        ["look"],
        "The operation that was interrupted, or empty: `git::interrupted().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> {
            ask(&ctx, "git::interrupted", GitAsk::Interrupted)
        }
    );
    m
}

fn ask(ctx: &NativeCallContext, function: &'static str, ask: GitAsk) -> Fallible<Look> {
    let frame = frame(ctx)?;
    let root = frame.facts.root.clone();
    let request = Request::Git {
        ask,
        root: root.clone(),
    };
    let answer = frame.ask(function, &request, here(ctx).1);
    Ok(Look::new(&format!("git repository of {root}"), answer))
}
