//! `ledger::`: a read-only look at the view of this run.

use rhai::{Dynamic, Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::json::Json;
use crate::world::{Answer, Request};

use super::{Fallible, frame, text_arg};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "notes",
        ["json"],
        "The notes of the embedded memory: `ledger::notes().rows.map_items(|n| n.string(\"text\"))`.",
        |ctx: NativeCallContext| -> Fallible<Json> { ask(&ctx, "ledger::notes", "notes") }
    );
    host_fn!(
        m,
        "settled",
        ["id: string", "json"],
        "How an item of news was last settled, or null: `ledger::settled(\"work.routine:tidy-up\")`.",
        |ctx: NativeCallContext, id: Dynamic| -> Fallible<Json> {
            let id = text_arg(&ctx, &id, "ledger::settled", "id")?;
            ask(&ctx, "ledger::settled", &format!("settled {id}"))
        }
    );
    host_fn!(
        m,
        "gate",
        ["id: string", "json"],
        "What became of a gate (`status`, `sentence`), or null where there is none: `ledger::gate(\"g1234abcd5678\").string(\"status\")`.",
        |ctx: NativeCallContext, id: Dynamic| -> Fallible<Json> {
            let id = text_arg(&ctx, &id, "ledger::gate", "id")?;
            ask(&ctx, "ledger::gate", &format!("gate {id}"))
        }
    );
    m
}

fn ask(ctx: &NativeCallContext, function: &'static str, ask: &str) -> Fallible<Json> {
    let request = Request::Ledger {
        ask: ask.to_string(),
    };
    let answer = frame(ctx)?.ask(function, &request, &here(ctx));
    Ok(Json::root(match answer {
        Answer::Data(value) => Ok(value.as_ref().clone()),
        Answer::Missing => Ok(serde_json::Value::Null),
        Answer::Refused { why, help } => Err(format!("{why}; {help}")),
        Answer::Failed { why, .. } => Err(why),
        _ => Err("the ledger gave no data".to_string()),
    }))
}
