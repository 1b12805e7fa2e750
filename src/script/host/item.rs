//! `item(#{ ... })`: the things that probes saw.

use std::sync::Arc;

use rhai::{Dynamic, FuncRegistration, Map, Module, NativeCallContext};

use crate::model::item::Item;
use crate::model::text::escape;
use crate::script::answer::{SeenItem, here};
use crate::script::names::closest;
use crate::script::value;

use super::{Fallible, getter, misuse, text_arg, time};

/// The keys of an item; `due` is the time at which time alone changes it.
pub const KEYS: &[&str] = &["id", "title", "at", "kind", "priority", "detail", "due"];
/// The keys that every item has.
pub const NEEDED: &[&str] = &["id", "title", "at", "kind"];
/// The longest id, title or place, in characters; more is cut.
const LONGEST: usize = 1000;

/// An item as scripts hold it: lists of them are copied often, their texts are not.
#[derive(Debug, Clone)]
pub struct SeenHandle(pub Arc<SeenItem>);

impl SeenHandle {
    /// A handle on this item.
    pub fn new(item: SeenItem) -> Self {
        SeenHandle(Arc::new(item))
    }
}

/// Registers the constructor and what can be read of an item.
pub fn register(module: &mut Module) {
    module.set_custom_type::<SeenHandle>("item");
    getter(
        module,
        "id",
        "The id, unique within its source.",
        |i: &mut SeenHandle| Ok(i.0.item.id.clone()),
    );
    getter(
        module,
        "title",
        "What it is about, in one line.",
        |i: &mut SeenHandle| Ok(i.0.item.title.clone()),
    );
    getter(module, "at", "Where to look.", |i: &mut SeenHandle| {
        Ok(i.0.item.at.clone())
    });
    getter(
        module,
        "kind",
        "A row of the table of `rules/autonomy`: `item.kind == \"todo.open\"`.",
        |i: &mut SeenHandle| Ok(i.0.item.kind.clone()),
    );
    getter(
        module,
        "priority",
        "From 0, the highest, to 9; 5 if the probe gave none.",
        |i: &mut SeenHandle| Ok(i64::from(i.0.item.priority)),
    );
    getter(
        module,
        "detail",
        "What else the probe said of it, or an empty text.",
        |i: &mut SeenHandle| Ok(i.0.item.detail.clone()),
    );
    FuncRegistration::new("item")
        .with_params_info(["fields: map", "item"])
        .with_comments(["/// A thing that a probe saw: `id` (stable, unique within its source), `title`, `at`, `kind`, and optionally `priority` (0 highest to 9), `detail`, `due`.\n/// `item(#{ id: \"T-1\", title: \"Fix the parser\", at: \"TODO.md:3\", kind: \"todo.open\" })`"])
        .set_into_module(module, |ctx: NativeCallContext, fields: Map| make(&ctx, &fields));
}

fn make(ctx: &NativeCallContext, fields: &Map) -> Fallible<SeenHandle> {
    if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
        let near = closest(key, KEYS.iter().copied());
        let hint = near
            .map(|n| format!("; did you mean `{n}`?"))
            .unwrap_or_default();
        return Err(misuse(ctx, format!("an item has no field `{key}`{hint}")));
    }
    let item = Item {
        id: required(ctx, fields, "id")?,
        title: required(ctx, fields, "title")?,
        at: required(ctx, fields, "at")?,
        kind: required(ctx, fields, "kind")?,
        priority: priority(ctx, fields.get("priority"))?,
        detail: match fields.get("detail") {
            Some(value) if !value.is_unit() => text_arg(ctx, value, "item", "detail")?,
            _ => String::new(),
        },
    };
    let (source, line) = here(ctx);
    Ok(SeenHandle::new(SeenItem {
        item,
        due: due(ctx, fields.get("due"))?,
        source: source.as_str().into(),
        line,
    }))
}

/// A text of an item: cut to its longest, control characters escaped.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => escape(text.get(..end).unwrap_or_default()),
        None => escape(text),
    }
}

fn required(ctx: &NativeCallContext, fields: &Map, key: &str) -> Fallible<String> {
    match fields.get(key) {
        Some(value) => {
            let text = text_arg(ctx, value, "item", key)?;
            if key == "id" && text.trim().is_empty() {
                return Err(misuse(ctx, "an item needs an `id` that is not blank"));
            }
            Ok(shown(&text))
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
