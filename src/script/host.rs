//! The host API, version 1: one topic per file, each function documented with an example.
//!
//! What asks the world gives a [`look`](super::value::look) that the script inspects and does
//! not raise. Misuse (a wrong type, a look that was not checked) raises through [`misuse`], the
//! one way to fail, with what was expected.

use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, FuncRegistration, Module, NativeCallContext, Position};

use crate::model::text::short;

use super::frame::Frame;
use super::value;
use super::value::list::MAX_LIST;

pub mod arrays;
pub mod bulk;
pub mod clocked;
pub mod cmd;
pub mod compare;
pub mod entries;
pub mod fs;
pub mod gardener;
pub mod git;
pub mod item;
pub mod json;
pub mod ledger;
pub mod limits;
pub mod md;
pub mod phrases;
pub mod process;
pub mod text;
pub mod time;

/// The longest reason, in characters.
const LONGEST_WHY: usize = 2000;

/// What a host function gives, or why the script misused it.
pub type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// The way for host functions to fail: the script did something that cannot be meant.
pub fn misuse(ctx: &NativeCallContext, message: impl Into<String>) -> Box<EvalAltResult> {
    let message: String = message.into();
    EvalAltResult::ErrorRuntime(message.into(), ctx.call_position()).into()
}

/// The same without a call context; the engine adds the place.
pub fn misuse_here(message: impl Into<String>) -> Box<EvalAltResult> {
    let message: String = message.into();
    EvalAltResult::ErrorRuntime(message.into(), Position::NONE).into()
}

/// An argument that must be a text.
pub fn text_arg(
    ctx: &NativeCallContext,
    value: &Dynamic,
    function: &str,
    name: &str,
) -> Fallible<String> {
    if let Ok(text) = value.clone().into_immutable_string() {
        return Ok(text.to_string());
    }
    if let Some(text) = value.read_lock::<value::text::Text>() {
        return Ok(text.content().to_string());
    }
    let got = value::kind(value);
    Err(misuse(
        ctx,
        format!("`{function}` takes a text as `{name}`, got {got}"),
    ))
}

/// A reason: one line, cut if it is longer than anybody reads.
pub fn why_arg(ctx: &NativeCallContext, why: &Dynamic, function: &str) -> Fallible<String> {
    Ok(short(&text_arg(ctx, why, function, "why")?, LONGEST_WHY))
}

/// A text that is taken apart line by line: one of too many lines raises, since a part of the
/// answer would be a lie.
pub fn lines_arg(
    ctx: &NativeCallContext,
    value: &Dynamic,
    function: &str,
    name: &str,
) -> Fallible<String> {
    let text = text_arg(ctx, value, function, name)?;
    let lines = text.bytes().filter(|byte| *byte == b'\n').count();
    match value::list::within_bounds(lines) {
        Ok(()) => Ok(text),
        Err(_) => Err(misuse(
            ctx,
            format!("`{function}` takes a text of at most {MAX_LIST} lines, got {lines}"),
        )),
    }
}

/// The frame of the running call.
pub fn frame(ctx: &NativeCallContext) -> Fallible<Arc<Frame>> {
    ctx.tag()
        .and_then(|tag| tag.clone().try_cast::<Arc<Frame>>())
        .ok_or_else(|| misuse(ctx, "the world cannot be asked from here"))
}

/// All host modules with their names.
pub fn modules() -> Vec<(&'static str, Module)> {
    vec![
        ("fs", fs::module()),
        ("cmd", cmd::module()),
        ("git", git::module()),
        ("process", process::module()),
        ("ledger", ledger::module()),
        ("text", text::module()),
        ("md", md::module()),
        ("json", json::module()),
        ("time", time::module()),
    ]
}

/// Registers one function of a host module with its documentation.
#[macro_export]
#[doc(hidden)]
macro_rules! host_fn {
    ($module:expr, $name:literal, [$($param:literal),*], $about:literal, $f:expr) => {
        rhai::FuncRegistration::new($name)
            .with_params_info([$($param),*])
            .with_comments([concat!("/// ", $about)])
            .with_purity(true)
            .with_volatility(true)
            .in_global_namespace()
            .set_into_module(&mut $module, $f)
    };
}

/// Registers a getter, both as a property and as a method without arguments. A name such as
/// `files -> list of head` tells more of the type than the type itself.
pub fn getter<T, R>(
    module: &mut Module,
    name: &str,
    about: &str,
    get: impl Fn(&mut T) -> Fallible<R> + Send + Sync + Clone + 'static,
) where
    T: rhai::Variant + Clone,
    R: rhai::Variant + Clone,
{
    let own = || value::type_word(std::any::type_name::<R>());
    let (name, gives) = name.split_once(" -> ").unwrap_or_else(|| (name, own()));
    let of = module.get_custom_type_display::<T>().unwrap_or("value");
    let types = [of.to_string(), gives.to_string()];
    let about = [format!("/// {about}")];
    FuncRegistration::new_getter(name)
        .with_params_info(&types)
        .with_comments(&about)
        .with_purity(true)
        .with_volatility(false)
        .set_into_module(module, get.clone());
    FuncRegistration::new(name)
        .with_params_info(&types)
        .with_comments(&about)
        .with_purity(true)
        .in_global_namespace()
        .set_into_module(module, get);
}

/// What a function of the engine says that the host has closed.
pub fn closed_comment(why: &str) -> String {
    format!("/// {CLOSED}{why}.")
}

/// How the description of a closed function begins.
pub const CLOSED: &str = "Closed: ";
