//! What can be read of a folder's heads, and of one of them.

use rhai::{Array, Dynamic, Module, NativeCallContext};

use crate::host_fn;
use crate::script::host::{Fallible, getter, misuse};
use crate::script::value::text::number;
use crate::script::value::ticket::TicketName;
use crate::world::Answer;

use super::{FileHead, Heads, texts, unasked};

/// Registers the types.
pub fn register(module: &mut Module) {
    register_heads(module);
    module.set_custom_type::<FileHead>("head");
    getter(
        module,
        "name",
        "The file's name, in a spelling that loses nothing.",
        |f: &mut FileHead| Ok(f.name().to_string()),
    );
    getter(
        module,
        "at",
        "Where to look: the path below the folder as the script wrote it.",
        |f: &mut FileHead| Ok(f.at().to_string()),
    );
    getter(module, "path", "The absolute path.", |f: &mut FileHead| {
        Ok(f.head().map_or_else(String::new, |head| head.path.clone()))
    });
    getter(
        module,
        "ok",
        "Whether the head could be read.",
        |f: &mut FileHead| Ok(f.bytes().is_ok()),
    );
    getter(
        module,
        "why",
        "Why the head could not be read; empty if it could.",
        |f: &mut FileHead| Ok(f.bytes().err().unwrap_or_default().to_string()),
    );
    getter(
        module,
        "digest",
        "The size and a digest of the head: two files that differ there differ here.",
        |f: &mut FileHead| Ok(f.digest()),
    );
    getter(
        module,
        "first_line",
        "The first line that is not blank.",
        |f: &mut FileHead| Ok(f.first_line()),
    );
    getter(
        module,
        "ticket -> ticket name or ()",
        "What the name says if it is a ticket's: `if file.ticket != () { file.ticket.id }`.",
        |f: &mut FileHead| Ok(TicketName::dynamic(f.name())),
    );
    getter(
        module,
        "claim",
        "Who has claimed the ticket by its name, empty if nobody.",
        |f: &mut FileHead| {
            let claim = f.ticket().and_then(|ticket| ticket.claim);
            Ok(claim.unwrap_or_default().to_string())
        },
    );
    host_fn!(
        *module,
        "field",
        ["head", "key: string", "string or ()"],
        "The value of one of the keys that were asked for: `file.field(\"STATUS\") ?? \"\"`.",
        field
    );
    host_fn!(
        *module,
        "first_of",
        ["head", "keys: array of string", "string or ()"],
        "The first of these keys that has a value: `file.first_of([\"TITEL\", \"TITLE\"]) ?? file.name`.",
        |ctx: NativeCallContext, file: FileHead, keys: Array| -> Fallible<Dynamic> {
            let keys = texts(&ctx, &keys, "first_of", "keys")?;
            let found = file.first_of(&keys).map_err(|key| unasked(&ctx, key))?;
            Ok(found.map_or(Dynamic::UNIT, |value| value.to_string().into()))
        }
    );
}

fn register_heads(module: &mut Module) {
    module.set_custom_type::<Heads>("heads");
    getter(
        module,
        "ok",
        "Whether the folder could be read; asked before `files`.",
        |h: &mut Heads| Ok(matches!(h.look.answer, Answer::Heads(_))),
    );
    getter(
        module,
        "missing",
        "Whether there is no such folder.",
        |h: &mut Heads| Ok(matches!(h.look.answer, Answer::Missing)),
    );
    getter(
        module,
        "why",
        "Why the folder could not be read; empty if it could.",
        |h: &mut Heads| Ok(h.look.why()),
    );
    getter(
        module,
        "files -> list of head",
        "All files: `inbox.files.map_items(|file| file.name)`.",
        |h: &mut Heads| h.list(|_| true),
    );
    getter(
        module,
        "tickets -> list of head",
        "The files that could be read and are named as tickets are.",
        |h: &mut Heads| h.list(|file| file.bytes().is_ok() && file.ticket().is_some()),
    );
    getter(
        module,
        "others -> list of head",
        "The files that could not be read, or are not named as tickets are.",
        |h: &mut Heads| h.list(|file| file.bytes().is_err() || file.ticket().is_none()),
    );
    getter(
        module,
        "passed_over",
        "How many files `without` has left out.",
        |h: &mut Heads| Ok(number(h.passed_over)),
    );
    host_fn!(
        *module,
        "has",
        ["heads", "name: string", "bool"],
        "Whether a file of that name is among them: `inbox.has(\"note.txt\")`.",
        |heads: Heads, name: &str| -> Fallible<bool> { Ok(heads.has(name)) }
    );
    host_fn!(
        *module,
        "without",
        ["heads", "patterns: array of string", "heads"],
        "Without the files whose name matches one of the patterns; `passed_over` counts them: `inbox.without([\"^~\\\\$\"]).files`.",
        |ctx: NativeCallContext, heads: Heads, patterns: Array| -> Fallible<Heads> {
            let patterns = texts(&ctx, &patterns, "without", "patterns")?;
            let kept = heads.without(&patterns);
            kept.map_err(|why| misuse(&ctx, format!("`without`: {why}")))
        }
    );
}

fn field(ctx: NativeCallContext, file: FileHead, key: &str) -> Fallible<Dynamic> {
    match file.0.keys.iter().position(|known| known == key) {
        Some(index) => {
            let value = file.0.values.get(index).cloned().flatten();
            Ok(value.map_or(Dynamic::UNIT, Dynamic::from))
        }
        None => Err(unasked(&ctx, key)),
    }
}
