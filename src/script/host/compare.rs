//! Comparisons that mean something, or fail.
//!
//! The engine calls two values of different kinds simply unequal, and neither smaller: a count
//! that is a text would be "not more than 3", and a look would pass for an empty one. Here a
//! comparison of kinds that cannot be compared raises. Everything may be compared with `()`,
//! `true` and `false` by `==` and `!=`: that asks what kind it is, as in `options.x != true`.
//!
//! INVARIANT: these functions are found for every pair that no other function fits, which needs
//! the engine's fast operators to be off.

use std::cmp::Ordering;

use rhai::{Dynamic, FuncRegistration, Module, NativeCallContext};

use crate::script::value;
use crate::script::value::text::Text;

use super::{Fallible, misuse};

/// Registers the comparisons.
pub fn register(module: &mut Module) {
    equal(
        module,
        "==",
        "Whether both are the same; raises for kinds that cannot be compared: `task.state == \"open\"`.",
        |same| same,
    );
    equal(
        module,
        "!=",
        "Whether they are not the same; with `()`, `true` and `false` it asks of what kind a value is: `file.ticket != ()`.",
        |same| !same,
    );
    ordered(
        module,
        "<",
        "Whether `a` is smaller, or the text that sorts first; raises for two kinds: `item.priority < 3`.",
        Ordering::is_lt,
    );
    ordered(
        module,
        "<=",
        "Whether `a` is not greater; raises for two kinds: `task.line <= 10`.",
        Ordering::is_le,
    );
    ordered(
        module,
        ">",
        "Whether `a` is greater; raises for two kinds: `tasks.len > 0`.",
        Ordering::is_gt,
    );
    ordered(
        module,
        ">=",
        "Whether `a` is not smaller; raises for two kinds: `entry.fields(\"DATUM\").len >= 1`.",
        Ordering::is_ge,
    );
}

fn equal(module: &mut Module, sign: &'static str, about: &str, holds: fn(bool) -> bool) {
    let compare = move |ctx: NativeCallContext, a: Dynamic, b: Dynamic| -> Fallible<bool> {
        if a.is_unit() || b.is_unit() {
            return Ok(holds(a.is_unit() && b.is_unit()));
        }
        if a.is_bool() != b.is_bool() {
            return Ok(holds(false));
        }
        match order(&a, &b) {
            Some(order) => Ok(holds(order.is_eq())),
            None => Err(apart(&ctx, sign, &a, &b)),
        }
    };
    FuncRegistration::new(sign)
        .with_params_info(["a: value", "b: value", "bool"])
        .with_comments([format!("/// {about}")])
        .with_purity(true)
        .in_global_namespace()
        .set_into_module(module, compare);
}

fn ordered(module: &mut Module, sign: &'static str, about: &str, holds: fn(Ordering) -> bool) {
    let compare = move |ctx: NativeCallContext, a: Dynamic, b: Dynamic| -> Fallible<bool> {
        match order(&a, &b) {
            Some(order) => Ok(holds(order)),
            None => Err(apart(&ctx, sign, &a, &b)),
        }
    };
    FuncRegistration::new(sign)
        .with_params_info(["a: value", "b: value", "bool"])
        .with_comments([format!("/// {about}")])
        .with_purity(true)
        .in_global_namespace()
        .set_into_module(module, compare);
}

/// How two values of one kind stand to each other; nothing for two kinds.
fn order(a: &Dynamic, b: &Dynamic) -> Option<Ordering> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Some(a.cmp(&b));
    }
    if let (Ok(a), Ok(b)) = (a.as_bool(), b.as_bool()) {
        return Some(a.cmp(&b));
    }
    if let (Some(a), Some(b)) = (float(a), float(b)) {
        return a.partial_cmp(&b);
    }
    let (a, b) = (text(a)?, text(b)?);
    Some(a.as_ref().cmp(b.as_ref()))
}

fn float(value: &Dynamic) -> Option<f64> {
    let whole = || value.as_int().ok().map(|whole| whole as f64);
    value.as_float().ok().or_else(whole)
}

/// A text, a text handle or a character, as a text.
fn text(value: &Dynamic) -> Option<std::borrow::Cow<'_, str>> {
    if let Ok(letter) = value.as_char() {
        return Some(letter.to_string().into());
    }
    if let Some(handle) = value.read_lock::<Text>() {
        return Some(handle.content().to_string().into());
    }
    let text = value.read_lock::<rhai::ImmutableString>()?;
    Some(text.to_string().into())
}

fn apart(
    ctx: &NativeCallContext,
    sign: &str,
    a: &Dynamic,
    b: &Dynamic,
) -> Box<rhai::EvalAltResult> {
    let (a, b) = (value::kind(a), value::kind(b));
    misuse(ctx, format!("`{sign}` cannot compare {a} with {b}"))
}
