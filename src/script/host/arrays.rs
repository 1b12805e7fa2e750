//! The engine's functions over arrays that take a closure, made strict.
//!
//! The engine takes an answer that is neither true nor false for false, so a filter whose
//! closure forgot a comparison finds nothing; and its `sort` swallows every error of its
//! closure, the ones of the clocks included. Here both raise. Other functions of that kind are
//! closed: `filter` and `reduce` say the same.

use rhai::{Array, Dynamic, FnPtr, FuncRegistration, Map, Module, NativeCallContext};

use crate::script::value;

use super::{Fallible, closed_comment, misuse, misuse_here};

/// A function and its line of the reference.
type Row<R> = (
    &'static str,
    &'static str,
    &'static str,
    fn(NativeCallContext, &mut Array, FnPtr) -> Fallible<R>,
);

/// Functions of lists and maps that the host closes for closures.
pub const CLOSED: &[&str] = &["dedup", "drain", "retain", "index_of", "find_map"];

/// Registers the functions.
pub fn register(module: &mut Module) {
    const TEST: &str = "test: |value| -> bool";
    const ORDER: &str = "order: |a, b| -> number";
    const SORT: &str = "Sorts the array itself by a closure that gives a number below, at or above 0: `names.sort(|a, b| if a < b { -1 } else { 1 })`.";
    const SORT_BY: &str = "The same as `sort`: `names.sort_by(|a, b| a.len - b.len)`.";
    add(
        module,
        (
            "filter",
            "array",
            "The values for which the closure gives true: `[3, 7].filter(|n| n > 5)`.",
            filter,
        ),
        TEST,
    );
    add(
        module,
        (
            "some",
            "bool",
            "Whether the closure gives true for a value: `names.some(|name| name == \"README\")`.",
            some,
        ),
        TEST,
    );
    add(
        module,
        (
            "all",
            "bool",
            "Whether the closure gives true for every value: `[3, 7].all(|n| n > 0)`.",
            all,
        ),
        TEST,
    );
    add(
        module,
        (
            "find",
            "value or ()",
            "The first value for which the closure gives true: `[3, 7].find(|n| n > 5) ?? 0`.",
            find,
        ),
        TEST,
    );
    for (name, about) in [("sort", SORT), ("sort_by", SORT_BY)] {
        add(module, (name, "()", about, sort), ORDER);
    }
    for &name in CLOSED {
        shut(name, "array").set_into_module(module, move |_: &mut Array, _: FnPtr| closed(name));
    }
    for name in ["filter", "drain", "retain"] {
        shut(name, "map").set_into_module(module, move |_: &mut Map, _: FnPtr| closed(name));
    }
}

fn add<R: rhai::Variant + Clone>(
    module: &mut Module,
    (name, gives, about, function): Row<R>,
    closure: &str,
) {
    FuncRegistration::new(name)
        .with_params_info(["array", closure, gives])
        .with_comments([format!("/// {about}")])
        .with_purity(!name.starts_with("sort"))
        .in_global_namespace()
        .set_into_module(module, function);
}

fn shut(name: &str, of: &str) -> FuncRegistration {
    FuncRegistration::new(name)
        .with_params_info([of, "f: closure", "never"])
        .with_comments([closed_comment(
            "with a closure; use `filter`, `some`, `all`, `find` or `for`",
        )])
        .in_global_namespace()
}

fn closed(name: &str) -> Fallible<Dynamic> {
    Err(misuse_here(format!(
        "`{name}` with a closure is closed: use `filter`, `some`, `all`, `find` or `for`"
    )))
}

/// Whether a closure `|value|` or `|value, index|` holds for a value.
fn holds(
    ctx: &NativeCallContext,
    f: &FnPtr,
    (index, item): (usize, &mut Dynamic),
) -> Fallible<bool> {
    let index = [Dynamic::from(value::text::number(index))];
    let answer = f.call_raw_with_extra_args("filter", ctx, Some(item), [], index, Some(0))?;
    answer.as_bool().map_err(|_| {
        let got = value::kind(&answer);
        misuse(
            ctx,
            format!("the closure must give true or false, got {got}"),
        )
    })
}

fn filter(ctx: NativeCallContext, array: &mut Array, f: FnPtr) -> Fallible<Array> {
    let mut kept = Array::new();
    for (index, item) in array.iter_mut().enumerate() {
        if holds(&ctx, &f, (index, item))? {
            kept.push(item.clone());
        }
    }
    Ok(kept)
}

fn some(ctx: NativeCallContext, array: &mut Array, f: FnPtr) -> Fallible<bool> {
    for one in array.iter_mut().enumerate() {
        if holds(&ctx, &f, one)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn all(ctx: NativeCallContext, array: &mut Array, f: FnPtr) -> Fallible<bool> {
    for one in array.iter_mut().enumerate() {
        if !holds(&ctx, &f, one)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn find(ctx: NativeCallContext, array: &mut Array, f: FnPtr) -> Fallible<Dynamic> {
    for (index, item) in array.iter_mut().enumerate() {
        if holds(&ctx, &f, (index, item))? {
            return Ok(item.clone());
        }
    }
    Ok(Dynamic::UNIT)
}

/// Sorts by a closure `|a, b|` that gives a number below, at or above 0. By insertion at the
/// place that halving finds: stable, and whatever the closure says, no order makes it panic.
fn sort(ctx: NativeCallContext, array: &mut Array, f: FnPtr) -> Fallible<()> {
    let mut sorted = Array::with_capacity(array.len());
    for item in array.iter() {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = low.midpoint(high);
            let other = sorted.get(middle).cloned().unwrap_or(Dynamic::UNIT);
            let order = f.call_raw(&ctx, None, [item.clone(), other])?;
            let order = order.as_int().map_err(|_| {
                let got = value::kind(&order);
                misuse(
                    &ctx,
                    format!("the closure of `sort` must give a number, got {got}"),
                )
            })?;
            if order < 0 {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        sorted.insert(low, item.clone());
    }
    *array = sorted;
    Ok(())
}
