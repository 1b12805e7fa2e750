//! `fs::`: files and folders below the granted roots.
//!
//! A path that does not begin with `/` or `~/` counts from the project's root.

use rhai::{Array, Dynamic, Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::frame::Facts;
use crate::script::value::heads::Heads;
use crate::script::value::look::Look;
use crate::world::Request;

use super::{Fallible, frame, text_arg};

/// The largest file that a script can read, in bytes.
pub const FILE_LIMIT: u64 = 16 * 1024 * 1024;
/// How many bytes of each file `fs::heads` looks at.
const HEAD: u64 = 4 * 1024;

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "read",
        ["path: string", "look"],
        "The text of a file: `let todo = fs::read(\"TODO.md\"); if todo.ok { todo.text.lines }`.",
        |ctx: NativeCallContext, path: Dynamic| -> Fallible<Look> {
            ask(&ctx, "fs::read", &path, |path| Request::Read {
                path,
                limit: FILE_LIMIT,
            })
        }
    );
    host_fn!(
        m,
        "list",
        ["path: string", "look"],
        "The entries of a folder: `fs::list(\"_TICKETS/INBOX\").entries`.",
        |ctx: NativeCallContext, path: Dynamic| -> Fallible<Look> {
            ask(&ctx, "fs::list", &path, |path| Request::List { path })
        }
    );
    host_fn!(
        m,
        "stat",
        ["path: string", "look"],
        "What stands at a path, without opening it: `fs::stat(\"DECISIONS.md\").mark`.",
        |ctx: NativeCallContext, path: Dynamic| -> Fallible<Look> {
            ask(&ctx, "fs::stat", &path, |path| Request::Stat { path })
        }
    );
    host_fn!(
        m,
        "glob",
        ["folder: string", "pattern: string", "look"],
        "The paths below a folder that match: `fs::glob(\"docs\", \"**/*.md\").entries`.",
        glob
    );
    host_fn!(
        m,
        "heads",
        ["folder: string", "suffix: string", "keys: array", "heads"],
        "The `KEY: value` lines at the head of each file: `fs::heads(\"_TICKETS/USER\", \".txt\", [\"ID\"]).files`.",
        look_at_heads
    );
    host_fn!(
        m,
        "join",
        ["folder: string", "name: string", "string"],
        "A path below a folder: `fs::join(place, \"START.md\")`.",
        |ctx: NativeCallContext, folder: Dynamic, name: Dynamic| -> Fallible<String> {
            let folder = text_arg(&ctx, &folder, "fs::join", "folder")?;
            let name = text_arg(&ctx, &name, "fs::join", "name")?;
            Ok(joined(&folder, &name))
        }
    );
    m
}

/// A path below a folder.
pub fn joined(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

/// The absolute path that a script means.
pub fn absolute(facts: &Facts, path: &str) -> String {
    let joined = match (path.strip_prefix("~/"), path.starts_with('/')) {
        (Some(rest), _) => format!("{}/{rest}", facts.home),
        (None, true) => path.to_string(),
        (None, false) => format!("{}/{path}", facts.root),
    };
    let kept: Vec<&str> = joined
        .split('/')
        .filter(|s| !s.is_empty() && *s != ".")
        .collect();
    format!("/{}", kept.join("/"))
}

/// A path as a person of the project would write it: below the root without the root.
fn below_root<'a>(facts: &Facts, path: &'a str) -> &'a str {
    let below = path.strip_prefix(facts.root.as_str());
    below
        .and_then(|rest| rest.strip_prefix('/'))
        .unwrap_or(path)
}

fn ask(
    ctx: &NativeCallContext,
    function: &'static str,
    path: &Dynamic,
    request: impl FnOnce(String) -> Request,
) -> Fallible<Look> {
    let path = text_arg(ctx, path, function, "path")?;
    let frame = frame(ctx)?;
    let path = absolute(&frame.facts, &path);
    let answer = frame.ask(function, &request(path.clone()), &here(ctx));
    Ok(Look::new(&path, answer).shown_as(below_root(&frame.facts, &path)))
}

fn glob(ctx: NativeCallContext, folder: Dynamic, pattern: Dynamic) -> Fallible<Look> {
    let pattern = text_arg(&ctx, &pattern, "fs::glob", "pattern")?;
    ask(&ctx, "fs::glob", &folder, |root| Request::Glob {
        root,
        pattern,
    })
}

fn look_at_heads(
    ctx: NativeCallContext,
    folder: Dynamic,
    suffix: Dynamic,
    keys: Array,
) -> Fallible<Heads> {
    let asked = text_arg(&ctx, &folder, "fs::heads", "folder")?;
    let suffix = text_arg(&ctx, &suffix, "fs::heads", "suffix")?;
    let keys: Result<Vec<String>, _> = keys
        .iter()
        .map(|key| text_arg(&ctx, key, "fs::heads", "keys"))
        .collect();
    let look = ask(&ctx, "fs::heads", &folder, |path| Request::Heads {
        path,
        suffix,
        head: HEAD,
    })?;
    Ok(Heads::new(look, &asked, keys?))
}
