//! `files.to_items(#{ ... })`: many items from many heads, without a closure for each.
//!
//! A closure per file costs ten times as much as the item itself; a folder of ten thousand
//! tickets must not make a tick slow.

use std::sync::Arc;

use rhai::{Array, Dynamic, FuncRegistration, Map, Module, NativeCallContext};

use crate::model::item::Item;
use crate::script::answer::{SeenItem, here};
use crate::script::names::closest;
use crate::script::value::heads::{FileHead, texts, unasked};
use crate::script::value::list::List;

use super::item::{SeenHandle, shown};
use super::{Fallible, misuse, text_arg};

/// The keys of the map.
const KEYS: &[&str] = &["kind", "title", "detail", "priority", "words"];

/// What all items have in common.
struct Template {
    kind: String,
    title: Vec<String>,
    detail: Vec<String>,
    priority: Vec<String>,
    words: Vec<(String, u8)>,
    source: Arc<str>,
    line: usize,
}

/// Registers the method.
pub fn register(module: &mut Module) {
    FuncRegistration::new("to_items")
        .with_params_info(["list of head", "fields: map", "list of item"])
        .with_comments(["/// One item for each file: `kind` for all; `title`, `detail` and `priority` name keys of `fs::heads`, the first with a value counts (else the title is the ticket's slug or the name); `words` gives the number of a priority's word. The id is the ticket's, else the name.\n/// `files.to_items(#{ kind: \"ticket.user\", title: [\"TITLE\"], priority: [\"PRIORITY\"], words: #{ high: 3 } })`"])
        .with_purity(true)
        .in_global_namespace()
        .set_into_module(module, to_items);
}

fn to_items(ctx: NativeCallContext, files: List, fields: Map) -> Fallible<List> {
    let template = Template::read(&ctx, &fields)?;
    let mut items = Vec::with_capacity(files.size());
    for value in files.iter() {
        let Some(file) = value.read_lock::<FileHead>() else {
            let got = crate::script::value::kind(value);
            return Err(misuse(&ctx, format!("`to_items` takes heads, got {got}")));
        };
        let item = template.item(&file).map_err(|key| unasked(&ctx, key))?;
        items.push(Dynamic::from(SeenHandle::new(item)));
    }
    Ok(List::new(items))
}

impl Template {
    fn read(ctx: &NativeCallContext, fields: &Map) -> Fallible<Self> {
        if let Some(key) = fields.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let near = closest(key, KEYS.iter().copied());
            let hint = near
                .map(|n| format!("; did you mean `{n}`?"))
                .unwrap_or_default();
            return Err(misuse(
                ctx,
                format!("`to_items` has no field `{key}`{hint}"),
            ));
        }
        let kind = fields.get("kind").cloned().unwrap_or(Dynamic::UNIT);
        Ok(Template {
            kind: text_arg(ctx, &kind, "to_items", "kind")?,
            title: keys(ctx, fields, "title")?,
            detail: keys(ctx, fields, "detail")?,
            priority: keys(ctx, fields, "priority")?,
            words: words(ctx, fields.get("words"))?,
            source: here(ctx).0.as_str().into(),
            line: here(ctx).1,
        })
    }

    /// `Err` with a key that the heads were not read for.
    fn item(&self, file: &FileHead) -> Result<SeenItem, &str> {
        let ticket = file.ticket();
        let id = ticket.as_ref().map_or(file.name(), |t| t.id);
        let slug = ticket.as_ref().and_then(|t| t.slug);
        let title = file.first_of(&self.title)?;
        let word = file.first_of(&self.priority)?.unwrap_or_default();
        Ok(SeenItem {
            item: Item {
                id: shown(id),
                title: shown(title.or(slug).unwrap_or(id)),
                at: shown(file.at()),
                kind: self.kind.clone(),
                priority: self.number(word),
                detail: file.first_of(&self.detail)?.unwrap_or_default().to_string(),
            },
            due: None,
            source: self.source.clone(),
            line: self.line,
        })
    }

    fn number(&self, word: &str) -> u8 {
        let word = word.to_lowercase();
        let known = self.words.iter().find(|(known, _)| *known == word);
        known.map_or(5, |(_, number)| *number)
    }
}

fn keys(ctx: &NativeCallContext, fields: &Map, name: &str) -> Fallible<Vec<String>> {
    match fields.get(name).map(Dynamic::read_lock::<Array>) {
        None => Ok(Vec::new()),
        Some(Some(values)) => texts(ctx, &values, "to_items", name),
        Some(None) => Err(misuse(ctx, format!("`{name}` must be a list of keys"))),
    }
}

fn words(ctx: &NativeCallContext, value: Option<&Dynamic>) -> Fallible<Vec<(String, u8)>> {
    let Some(value) = value else {
        return Ok(Vec::new());
    };
    let wrong = || misuse(ctx, "`words` must be a map from words to numbers 0 to 9");
    let map = value.read_lock::<Map>().ok_or_else(wrong)?;
    let number = |n: &Dynamic| n.as_int().ok().and_then(|n| u8::try_from(n).ok());
    map.iter()
        .map(|(word, n)| {
            let n = number(n).filter(|n| *n <= 9).ok_or_else(wrong)?;
            Ok((word.to_lowercase().to_string(), n))
        })
        .collect()
}
