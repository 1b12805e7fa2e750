//! The grammar of `text::entries` as a script writes it.
//!
//! INVARIANT: a key that no grammar has is misuse, so a misspelt one is not passed over.

use std::sync::{Arc, OnceLock};

use rhai::{Array, Dynamic, Map, NativeCallContext};

use crate::formats::entries::Grammar;
use crate::script::host::text::{Cache, cached};
use crate::script::host::{Fallible, misuse, text_arg};

/// The grammar that a script describes; compiled once, however often it is given.
pub fn grammar(ctx: &NativeCallContext, spec: &Map) -> Fallible<Arc<Grammar>> {
    static GRAMMARS: OnceLock<Cache<Grammar>> = OnceLock::new();
    if let Some(key) = spec
        .keys()
        .find(|k| !["headings", "field", "end", "outside"].contains(&k.as_str()))
    {
        return Err(misuse(
            ctx,
            format!("a grammar has `headings`, `field`, `end` and `outside`, not `{key}`"),
        ));
    }
    let headings = spec
        .get("headings")
        .and_then(|h| h.read_lock::<Array>().map(|a| a.clone()));
    let headings =
        headings.ok_or_else(|| misuse(ctx, "a grammar needs `headings`: a list of patterns"))?;
    let headings = texts(ctx, &headings, "text::entries", "headings")?;
    let field = spec.get("field").cloned().unwrap_or(Dynamic::UNIT);
    let field = text_arg(ctx, &field, "text::entries", "field")?;
    let optional = |name: &str| {
        let given = spec.get(name);
        given
            .map(|text| text_arg(ctx, text, "text::entries", name))
            .transpose()
    };
    let (end, outside) = (optional("end")?, optional("outside")?);
    let key = format!("{headings:?} {field:?} {end:?} {outside:?}");
    let borrowed: Vec<&str> = headings.iter().map(String::as_str).collect();
    let made = cached(&GRAMMARS, &key, || {
        let grammar = Grammar::new(&borrowed, &field, end.as_deref());
        let grammar = grammar.and_then(|grammar| match &outside {
            Some(pattern) => grammar.with_outside(pattern),
            None => Ok(grammar),
        });
        grammar.map_err(|bad| bad.to_string())
    });
    made.map_err(|why| misuse(ctx, why))
}

/// A list of texts.
pub fn texts(
    ctx: &NativeCallContext,
    values: &Array,
    function: &str,
    name: &str,
) -> Fallible<Vec<String>> {
    let values = values.iter();
    values
        .map(|value| text_arg(ctx, value, function, name))
        .collect()
}
