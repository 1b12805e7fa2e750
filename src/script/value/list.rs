//! Lists as handles: iterable, never copied into the engine as a whole.

use std::collections::HashMap;
use std::sync::Arc;

use rhai::{Array, Dynamic, FnPtr, FuncRegistration, Module, NativeCallContext};

use crate::host_fn;
use crate::script::host::item::SeenHandle;
use crate::script::host::{Fallible, getter, misuse, misuse_here};

/// A read-only list.
#[derive(Debug, Clone)]
pub struct List(Arc<Vec<Dynamic>>);

impl List {
    /// A list of these values.
    pub fn new(values: Vec<Dynamic>) -> Self {
        List(Arc::new(values))
    }

    /// A list of values that scripts can hold.
    pub fn of<T: rhai::Variant + Clone>(values: impl IntoIterator<Item = T>) -> Self {
        List::new(values.into_iter().map(Dynamic::from).collect())
    }

    /// The values in order.
    pub fn iter(&self) -> impl Iterator<Item = &Dynamic> {
        self.0.iter()
    }

    /// A list handle, or an array of the script, as a list.
    pub fn from_dynamic(value: &Dynamic) -> Option<List> {
        if let Some(list) = value.read_lock::<List>() {
            return Some(list.clone());
        }
        let array = value.read_lock::<Array>()?;
        Some(List::new(array.clone()))
    }

    /// How many values there are.
    pub fn size(&self) -> usize {
        self.0.len()
    }

    fn len(&self) -> i64 {
        i64::try_from(self.0.len()).unwrap_or(i64::MAX)
    }

    fn joined(&self, other: &List) -> Fallible<List> {
        within_bounds(self.size().saturating_add(other.size()))?;
        Ok(List::new(
            self.iter().chain(other.iter()).cloned().collect(),
        ))
    }
}

/// The most values of one list.
pub const MAX_LIST: usize = 200_000;

/// Reaching the bound raises: a short list would be a lie.
pub fn within_bounds(size: usize) -> Fallible<()> {
    if size <= MAX_LIST {
        return Ok(());
    }
    let why = format!("a list of {size} values is longer than {MAX_LIST}");
    Err(misuse_here(why))
}

/// Walks a list without copying it first.
pub struct ListIter(List, usize);

impl Iterator for ListIter {
    type Item = Dynamic;

    fn next(&mut self) -> Option<Dynamic> {
        let value = self.0.0.get(self.1).cloned();
        self.1 += 1;
        value
    }
}

impl IntoIterator for List {
    type Item = Dynamic;
    type IntoIter = ListIter;

    fn into_iter(self) -> ListIter {
        ListIter(self, 0)
    }
}

/// Registers the type and its methods.
pub fn register(module: &mut Module) {
    module.set_custom_type::<List>("list");
    module.set_iterable::<List>();
    getter(
        module,
        "len",
        "How many values there are.",
        |list: &mut List| Ok(list.len()),
    );
    getter(
        module,
        "is_empty",
        "Whether there are none.",
        |list: &mut List| Ok(list.0.is_empty()),
    );
    getter(
        module,
        "first -> value or ()",
        "The first value.",
        |list: &mut List| Ok(list.0.first().cloned().unwrap_or(Dynamic::UNIT)),
    );
    FuncRegistration::new_index_getter()
        .with_params_info(["list", "index: number", "value"])
        .with_comments([
            "/// The value at an index from 0; raises where there is none: `table.header[0]`.",
        ])
        .with_purity(true)
        .with_volatility(false)
        .set_into_module(module, at);
    getter(
        module,
        "last -> value or ()",
        "The last value.",
        |list: &mut List| Ok(list.0.last().cloned().unwrap_or(Dynamic::UNIT)),
    );
    getter(
        module,
        "unique -> list of item",
        "The items whose id occurs once: `found(items.unique, \"entries\")`.",
        |list: &mut List| by_id(list, |count| count == 1),
    );
    getter(
        module,
        "repeated -> list of item",
        "The items whose id occurs more than once.",
        |list: &mut List| by_id(list, |count| count > 1),
    );
    host_fn!(
        *module,
        "+",
        ["a: list", "b: list", "list"],
        "Both lists, one after the other: `found(open + due, \"tasks\")`.",
        |a: List, b: List| -> Fallible<List> { a.joined(&b) }
    );
    host_fn!(
        *module,
        "+",
        ["a: list", "b: array", "list"],
        "Both lists, one after the other: `found(open + due, \"tasks\")`.",
        |a: List, b: Array| -> Fallible<List> { a.joined(&List::new(b)) }
    );
    host_fn!(
        *module,
        "+",
        ["a: array", "b: list", "list"],
        "Both lists, one after the other: `found(open + due, \"tasks\")`.",
        |a: Array, b: List| -> Fallible<List> { List::new(a).joined(&b) }
    );
    host_fn!(
        *module,
        "keep",
        ["list", "test: |value| -> bool", "list"],
        "The values for which the closure gives true: `lines.keep(|l| l.text != \"\")`.",
        keep
    );
    host_fn!(
        *module,
        "parted",
        ["list", "test: |value| -> bool", "array of list"],
        "Two lists: the values for which the closure gives true, and the others: `let parts = tickets.parted(|t| t.claim == \"\"); parts[0]`.",
        parted
    );
    host_fn!(
        *module,
        "map_items",
        ["list", "make: |value| -> value", "list"],
        "What the closure makes of each value: `tasks.map_items(|t| item(#{ id: t.id, title: t.text, at: `TODO.md:${t.line}`, kind: \"todo.open\" }))`.",
        map_items
    );
    host_fn!(
        *module,
        "count",
        ["list", "test: |value| -> bool", "number"],
        "For how many values the closure gives true: `tasks.count(|t| t.state == \"open\")`.",
        count
    );
    host_fn!(
        *module,
        "any",
        ["list", "test: |value| -> bool", "bool"],
        "Whether the closure gives true for a value: `tasks.any(|t| t.depth > 0)`.",
        any
    );
}

fn at(list: &mut List, index: i64) -> Fallible<Dynamic> {
    let place = usize::try_from(index).ok();
    let value = place.and_then(|place| list.0.get(place).cloned());
    value.ok_or_else(|| {
        let text = format!("the list has {} values, there is no [{index}]", list.len());
        misuse_here(text)
    })
}

/// The items of a list whose id occurs so often in it.
fn by_id(list: &List, wanted: fn(usize) -> bool) -> Fallible<List> {
    let mut items = Vec::with_capacity(list.size());
    for value in list.iter() {
        match value.read_lock::<SeenHandle>() {
            Some(item) => items.push(item.0.clone()),
            None => {
                let got = crate::script::value::kind(value);
                let why = format!("`unique` and `repeated` are for lists of items, got {got}");
                return Err(misuse_here(why));
            }
        }
    }
    let mut counts: HashMap<&str, usize> = HashMap::with_capacity(items.len());
    for item in &items {
        *counts.entry(&item.item.id).or_default() += 1;
    }
    let often = |id: &str| counts.get(id).is_some_and(|count| wanted(*count));
    let kept = list.iter().zip(&items).filter(|(_, i)| often(&i.item.id));
    Ok(List::new(kept.map(|(value, _)| value.clone()).collect()))
}

fn holds(ctx: &NativeCallContext, f: &FnPtr, value: &Dynamic) -> Fallible<bool> {
    let answer = f.call_raw(ctx, None, [value.clone()])?;
    answer.as_bool().map_err(|_| {
        let what = crate::script::value::kind(&answer);
        misuse(
            ctx,
            format!("the closure must give true or false, got {what}"),
        )
    })
}

fn keep(ctx: NativeCallContext, list: List, f: FnPtr) -> Fallible<List> {
    let mut kept = Vec::new();
    for value in list.iter() {
        if holds(&ctx, &f, value)? {
            kept.push(value.clone());
        }
    }
    Ok(List::new(kept))
}

fn parted(ctx: NativeCallContext, list: List, f: FnPtr) -> Fallible<Array> {
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for value in list.iter() {
        match holds(&ctx, &f, value)? {
            true => yes.push(value.clone()),
            false => no.push(value.clone()),
        }
    }
    Ok([yes, no].map(|part| Dynamic::from(List::new(part))).into())
}

fn count(ctx: NativeCallContext, list: List, f: FnPtr) -> Fallible<i64> {
    Ok(keep(ctx, list, f)?.len())
}

fn any(ctx: NativeCallContext, list: List, f: FnPtr) -> Fallible<bool> {
    for value in list.iter() {
        if holds(&ctx, &f, value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn map_items(ctx: NativeCallContext, list: List, f: FnPtr) -> Fallible<List> {
    let mut out = Vec::with_capacity(list.0.len());
    for value in list.iter() {
        out.push(f.call_raw(&ctx, None, [value.clone()])?);
    }
    Ok(List::new(out))
}
