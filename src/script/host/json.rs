//! `json::`: a strict reader. Duplicate keys, NaN and numbers out of range are refused.

use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats;
use crate::host_fn;
use crate::script::value::json::Json;

use super::{Fallible, text_arg};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "parse",
        ["text", "json"],
        "A text as JSON: `let answer = json::parse(run.stdout); if answer.ok { answer.rows }`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Json> {
            let text = text_arg(&ctx, &text, "json::parse", "text")?;
            Ok(Json::root(
                formats::json::parse(&text).map_err(|problem| problem.to_string()),
            ))
        }
    );
    m
}
