//! `item(#{ ... })`: the things that probes saw.

use rhai::{Dynamic, FuncRegistration, Map, Module, NativeCallContext};

use crate::model::item::Item;
use crate::model::text::escape;
use crate::script::answer::{SeenItem, here};
use crate::script::names::closest;
use crate::script::value;

use super::{Fallible, misuse, text_arg, time};

/// The keys of an item; `due` is the time at which time alone changes it.
const KEYS: &[&str] = &["id", "title", "at", "kind", "priority", "detail", "due"];
/// The longest id, title or place, in characters; more is cut.
const LONGEST: usize = 1000;

/// Registers the constructor.
pub fn register(module: &mut Module) {
    module.set_custom_type::<SeenItem>("item");
    FuncRegistration::new("item")
        .with_params_info(["fields: map", "item"])
        .with_comments(["/// A thing that a probe saw: `id` (stable, unique within its source), `title`, `at`, `kind`, and optionally `priority` (0 highest to 9), `detail`, `due`.\n/// `item(#{ id: \"T-1\", title: \"Fix the parser\", at: \"TODO.md:3\", kind: \"todo.open\" })`"])
        .set_into_module(module, |ctx: NativeCallContext, fields: Map| make(&ctx, &fields));
}

fn make(ctx: &NativeCallContext, fields: &Map) -> Fallible<SeenItem> {
    if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near = closest(key, KEYS.iter().copied());
        let hint = near
            .map(|n| format!("; did you mean `{n}`?"))
            .unwrap_or_default();
        return Err(misuse(ctx, format!("an item has no field `{key}`{hint}")));
    }
    let id = required(ctx, fields, "id")?;
    if id.trim().is_empty() {
        return Err(misuse(ctx, "an item needs an `id` that is not blank"));
    }
    let item = Item {
        id,
        title: required(ctx, fields, "title")?,
        at: required(ctx, fields, "at")?,
        kind: required(ctx, fields, "kind")?,
        priority: priority(ctx, fields.get("priority"))?,
        detail: match fields.get("detail") {
            Some(value) if !value.is_unit() => text_arg(ctx, value, "item", "detail")?,
            _ => String::new(),
        },
    };
    Ok(SeenItem {
        item,
        due: due(ctx, fields.get("due"))?,
        line: here(ctx).1,
    })
}

fn required(ctx: &NativeCallContext, fields: &Map, key: &str) -> Fallible<String> {
    match fields.get(key) {
        Some(value) => {
            let text = text_arg(ctx, value, "item", key)?;
            Ok(escape(&text.chars().take(LONGEST).collect::<String>()))
        }
        None => Err(misuse(ctx, format!("an item needs `{key}`"))),
    }
}

fn priority(ctx: &NativeCallContext, value: Option<&Dynamic>) -> Fallible<u8> {
    let Some(value) = value.filter(|v| !v.is_unit()) else {
        return Ok(5);
    };
    match value.as_int() {
        Ok(number @ 0..=9) => Ok(u8::try_from(number).unwrap_or(5)),
        _ => {
            let got = value::kind(value);
            Err(misuse(
                ctx,
                format!("`priority` is a number from 0 to 9, got {got}"),
            ))
        }
    }
}

fn due(ctx: &NativeCallContext, value: Option<&Dynamic>) -> Fallible<Option<i64>> {
    match value.filter(|v| !v.is_unit()) {
        None => Ok(None),
        Some(value) => match time::as_time(value) {
            Some(moment) => Ok(Some(moment.instant().timestamp())),
            None => {
                let got = value::kind(value);
                Err(misuse(ctx, format!("`due` is a time, got {got}")))
            }
        },
    }
}
