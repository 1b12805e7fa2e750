//! `cmd::`: granted commands, without a shell, and granted environment variables.

use rhai::{Array, Dynamic, Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::look::Look;
use crate::world::Request;

use super::{Fallible, frame, misuse, text_arg};

/// The most bytes of each output stream.
const OUTPUT_LIMIT: u64 = 4 * 1024 * 1024;

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "run",
        ["argv: array of string", "look"],
        "Runs a granted command and waits for it: `cmd::run([\"usmc\", \"working\", \"--json\"]).stdout`.",
        run
    );
    host_fn!(
        m,
        "which",
        ["command: string", "look"],
        "Where a command is on PATH, without running it: `cmd::which(\"usmc\").ok`.",
        |ctx: NativeCallContext, command: Dynamic| -> Fallible<Look> {
            let command = text_arg(&ctx, &command, "cmd::which", "command")?;
            let request = Request::Which {
                command: command.clone(),
            };
            let answer = frame(&ctx)?.ask("cmd::which", &request, &here(&ctx));
            Ok(Look::new(&command, answer))
        }
    );
    host_fn!(
        m,
        "env",
        ["name: string", "look"],
        "A granted environment variable: `let db = cmd::env(\"USMC_DB\"); if db.ok { db.text }`.",
        |ctx: NativeCallContext, name: Dynamic| -> Fallible<Look> {
            let name = text_arg(&ctx, &name, "cmd::env", "name")?;
            let request = Request::Env { name: name.clone() };
            let answer = frame(&ctx)?.ask("cmd::env", &request, &here(&ctx));
            Ok(Look::new(&name, answer))
        }
    );
    m
}

fn run(ctx: NativeCallContext, argv: Array) -> Fallible<Look> {
    let argv: Result<Vec<String>, _> = argv
        .iter()
        .map(|word| text_arg(&ctx, word, "cmd::run", "argv"))
        .collect();
    let argv = argv?;
    if argv.is_empty() || argv.iter().any(|word| word.contains('\0')) {
        return Err(misuse(
            &ctx,
            "`cmd::run` takes a command and its arguments, without NUL",
        ));
    }
    let frame = frame(&ctx)?;
    let asked = argv.join(" ");
    let request = Request::Run {
        argv,
        cwd: frame.facts.root.clone(),
        limit: OUTPUT_LIMIT,
    };
    let answer = frame.ask("cmd::run", &request, &here(&ctx));
    Ok(Look::new(&asked, answer))
}
