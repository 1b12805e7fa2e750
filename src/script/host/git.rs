//! `git::`: the repository around the project's root. Fixed questions only; nothing that the
//! repository's own configuration could turn into a program.

use rhai::{Dynamic, Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::look::Look;
use crate::world::{GitAsk, Request};

use super::{Fallible, frame, text_arg};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "head",
        ["look"],
        "The commit that HEAD names: `git::head().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::head", GitAsk::Head) }
    );
    host_fn!(
        m,
        "tree",
        ["look"],
        "A digest of the work tree without `.belegt/`: `git::tree().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::tree", GitAsk::Tree) }
    );
    host_fn!(
        m,
        "interrupted",
        ["look"],
        "The operation that was interrupted, or empty: `git::interrupted().text`.",
        |ctx: NativeCallContext| -> Fallible<Look> {
            ask(&ctx, "git::interrupted", GitAsk::Interrupted)
        }
    );
    register_history(&mut m);
    register_remotes(&mut m);
    m
}

fn register_history(m: &mut Module) {
    host_fn!(
        *m,
        "commit",
        ["name: string", "look"],
        "The full id of the commit that a name or an abbreviated id stands for here: `git::commit(\"HEAD\").text`.",
        |ctx: NativeCallContext, name: Dynamic| -> Fallible<Look> {
            let name = text_arg(&ctx, &name, "git::commit", "name")?;
            let shown = format!("the commit {name}");
            Ok(ask(&ctx, "git::commit", GitAsk::Commit { name })?.named(&shown))
        }
    );
    host_fn!(
        *m,
        "shallow",
        ["look"],
        "Whether a part of the history (`shallow`) or of the objects (`partial`) is not here: `git::shallow().data.flag(\"shallow\")`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::shallow", GitAsk::Shallow) }
    );
    host_fn!(
        *m,
        "contains",
        ["commit: string", "tip: string", "look"],
        "Whether the history of a tip holds a commit, both as full ids; not ok where that cannot be told: `git::contains(commit, tip).data.flag(\"contains\")`.",
        |ctx: NativeCallContext, commit: Dynamic, tip: Dynamic| -> Fallible<Look> {
            let commit = text_arg(&ctx, &commit, "git::contains", "commit")?;
            let tip = text_arg(&ctx, &tip, "git::contains", "tip")?;
            ask(&ctx, "git::contains", GitAsk::Contains { commit, tip })
        }
    );
    host_fn!(
        *m,
        "gitlinks",
        ["commit: string", "look"],
        "The submodules of a commit (a full id): `git::gitlinks(commit).data.rows.map_items(|s| s.string(\"path\"))`.",
        |ctx: NativeCallContext, commit: Dynamic| -> Fallible<Look> {
            let commit = text_arg(&ctx, &commit, "git::gitlinks", "commit")?;
            ask(&ctx, "git::gitlinks", GitAsk::Gitlinks { commit })
        }
    );
}

fn register_remotes(m: &mut Module) {
    host_fn!(
        *m,
        "remotes",
        ["look"],
        "The remotes with name and URL: `git::remotes().data.rows.map_items(|r| r.string(\"name\"))`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::remotes", GitAsk::Remotes) }
    );
    host_fn!(
        *m,
        "upstream",
        ["look"],
        "What HEAD's branch follows (`branch`, `remote`, `reference`) and what it `lacks`, which is empty, `branch` or `upstream`: `git::upstream().data.string(\"lacks\")`.",
        |ctx: NativeCallContext| -> Fallible<Look> { ask(&ctx, "git::upstream", GitAsk::Upstream) }
    );
    host_fn!(
        *m,
        "remote_tip",
        ["remote: string", "reference: string", "look"],
        "Asks a remote now where a reference stands; its `tip` is null if it has none: `git::remote_tip(\"origin\", \"refs/heads/main\").data.optional(\"tip\")`.",
        |ctx: NativeCallContext, remote: Dynamic, reference: Dynamic| -> Fallible<Look> {
            let remote = text_arg(&ctx, &remote, "git::remote_tip", "remote")?;
            let reference = text_arg(&ctx, &reference, "git::remote_tip", "reference")?;
            ask(
                &ctx,
                "git::remote_tip",
                GitAsk::RemoteTip { remote, reference },
            )
        }
    );
}

fn ask(ctx: &NativeCallContext, function: &'static str, ask: GitAsk) -> Fallible<Look> {
    let frame = frame(ctx)?;
    let root = frame.facts.root.clone();
    let request = Request::Git {
        ask,
        root: root.clone(),
    };
    let answer = frame.ask(function, &request, &here(ctx));
    Ok(Look::new(&format!("git repository of {root}"), answer))
}
