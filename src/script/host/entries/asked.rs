//! What a list of entries or items can be asked, natively.

use std::collections::HashSet;
use std::sync::Arc;

use rhai::{Array, Dynamic, Module, NativeCallContext};

use crate::formats::entries::Field;
use crate::formats::is_date;
use crate::host_fn;
use crate::script::host::item::SeenHandle;
use crate::script::host::{Fallible, misuse};
use crate::script::value::kind;
use crate::script::value::list::List;

use super::{EntryHandle, texts};

/// Registers the methods.
pub fn register(module: &mut Module) {
    host_fn!(
        *module,
        "having",
        ["list of entry", "keys: array of string", "list of entry"],
        "The entries that have a field of one of these keys: `done.having([\"ZURÜCKGESETZT AM\"])`.",
        |ctx: NativeCallContext, list: Dynamic, keys: Array| -> Fallible<List> {
            let keys = texts(&ctx, &keys, "having", "keys")?;
            pick(&ctx, &list_arg(&ctx, &list, "having")?, |entry| {
                has_any(entry, &keys)
            })
        }
    );
    host_fn!(
        *module,
        "lacking",
        ["list of entry", "keys: array of string", "list of entry"],
        "The entries that have no field of any of these keys: `done.lacking([\"ZURÜCKGESETZT AM\"])`.",
        |ctx: NativeCallContext, list: Dynamic, keys: Array| -> Fallible<List> {
            let keys = texts(&ctx, &keys, "lacking", "keys")?;
            pick(&ctx, &list_arg(&ctx, &list, "lacking")?, |entry| {
                !has_any(entry, &keys)
            })
        }
    );
    host_fn!(
        *module,
        "from_day",
        [
            "list of entry",
            "day: string",
            "keys: array of string",
            "list of entry"
        ],
        "The entries whose day is this one or a later one. The day is the date at the start of one of these fields, else the eight digits in the id; an entry without any stays: `done.from_day(ctx.baseline.date, [\"ENTSCHIEDEN AM\"])`.",
        from_day
    );
    register_ids(module);
}

fn register_ids(module: &mut Module) {
    host_fn!(
        *module,
        "without",
        ["list", "others: list", "list"],
        "The entries or items whose id none of the others has; without an id they stay: `active.without(done)`.",
        |ctx: NativeCallContext, list: Dynamic, others: Dynamic| -> Fallible<List> {
            let others = list_arg(&ctx, &others, "without")?;
            let others = others.iter().map(|other| id_of(&ctx, other));
            let others = others.collect::<Result<HashSet<_>, _>>()?;
            by_id(&ctx, &list, "without", |id| {
                id.is_empty() || !others.contains(id)
            })
        }
    );
    host_fn!(
        *module,
        "once",
        ["list", "list"],
        "The entries or items that are the first of their id, or have none: `items.once()`.",
        |ctx: NativeCallContext, list: Dynamic| -> Fallible<List> {
            let mut seen = HashSet::new();
            by_id(&ctx, &list, "once", |id| {
                id.is_empty() || seen.insert(id.clone())
            })
        }
    );
    host_fn!(
        *module,
        "again",
        ["list", "list"],
        "The entries or items whose id stands further above already: `entries.again()`.",
        |ctx: NativeCallContext, list: Dynamic| -> Fallible<List> {
            let mut seen = HashSet::new();
            by_id(&ctx, &list, "again", |id| {
                !id.is_empty() && !seen.insert(id.clone())
            })
        }
    );
}

/// Whether a field has this key, with or without a qualifier behind a blank.
pub(super) fn is_of(field: &Field, key: &str) -> bool {
    let rest = field.key.strip_prefix(key);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

fn has_any(entry: &EntryHandle, keys: &[String]) -> bool {
    let mut fields = entry.fields.iter();
    fields.any(|field| keys.iter().any(|key| is_of(field, key)))
}

fn from_day(ctx: NativeCallContext, list: Dynamic, day: &str, keys: Array) -> Fallible<List> {
    if !is_date(day) {
        let text = format!("`from_day` takes a day such as `2026-11-30`, got `{day}`");
        return Err(misuse(&ctx, text));
    }
    let keys = texts(&ctx, &keys, "from_day", "keys")?;
    pick(&ctx, &list_arg(&ctx, &list, "from_day")?, |entry| {
        day_of(entry, &keys).is_none_or(|of_entry| of_entry.as_str() >= day)
    })
}

fn day_of(entry: &EntryHandle, keys: &[String]) -> Option<String> {
    let mut fields = entry.fields.iter().filter(|f| keys.contains(&f.key));
    let written = fields.find_map(|f| f.value.get(..10).filter(|text| is_date(text)));
    written.map(str::to_string).or_else(|| day_in_id(&entry.id))
}

fn day_in_id(id: &str) -> Option<String> {
    let mut runs = id.split(|c: char| !c.is_ascii_digit());
    let digits = runs.find(|run| run.len() == 8)?;
    let (year, rest) = digits.split_at_checked(4)?;
    let (month, day) = rest.split_at_checked(2)?;
    Some(format!("{year}-{month}-{day}")).filter(|text| is_date(text))
}

fn pick(
    ctx: &NativeCallContext,
    list: &List,
    mut test: impl FnMut(&EntryHandle) -> bool,
) -> Fallible<List> {
    let mut kept = Vec::new();
    for value in list.iter() {
        match value.read_lock::<EntryHandle>() {
            Some(entry) if test(&entry) => kept.push(value.clone()),
            Some(_) => {}
            None => {
                let text = format!("a list of entries was expected, it holds {}", kind(value));
                return Err(misuse(ctx, text));
            }
        }
    }
    Ok(List::new(kept))
}

fn list_arg(ctx: &NativeCallContext, value: &Dynamic, function: &str) -> Fallible<List> {
    List::from_dynamic(value).ok_or_else(|| {
        misuse(
            ctx,
            format!("`{function}` takes a list, got {}", kind(value)),
        )
    })
}

fn by_id(
    ctx: &NativeCallContext,
    list: &Dynamic,
    function: &str,
    mut test: impl FnMut(&Arc<str>) -> bool,
) -> Fallible<List> {
    let mut kept = Vec::new();
    for value in list_arg(ctx, list, function)?.iter() {
        if test(&id_of(ctx, value)?) {
            kept.push(value.clone());
        }
    }
    Ok(List::new(kept))
}

fn id_of(ctx: &NativeCallContext, value: &Dynamic) -> Fallible<Arc<str>> {
    if let Some(entry) = value.read_lock::<EntryHandle>() {
        return Ok(entry.id.clone());
    }
    if let Some(seen) = value.read_lock::<SeenHandle>() {
        return Ok(seen.0.item.id.as_str().into());
    }
    let text = format!("entries or items were expected, got {}", kind(value));
    Err(misuse(ctx, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_of_an_id_is_a_day_of_the_calendar() {
        let table = [
            ("D-20261130-001", Some("2026-11-30")),
            ("D-20261130-001-b", Some("2026-11-30")),
            ("D-20261330-001", None),
            ("D-2026113-001", None),
            ("D-202611301-001", None),
            ("x", None),
        ];
        for (id, day) in table {
            assert_eq!(day_in_id(id).as_deref(), day, "{id}");
        }
    }
}
