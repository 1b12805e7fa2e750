//! `process::`: processes of this machine, as far as they can be named for sure.

use rhai::{Module, NativeCallContext};

use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::look::Look;
use crate::world::Request;

use super::{Fallible, frame, misuse};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "info",
        ["pid: number", "look"],
        "The process of a number: its `start` (with the number it names one process), `state` and `name`; `missing` if there is none: `process::info(4711).data.string(\"start\")`.",
        |ctx: NativeCallContext, pid: i64| -> Fallible<Look> {
            let Some(pid) = u32::try_from(pid).ok().filter(|pid| *pid > 0) else {
                let why = format!("`process::info` takes the number of a process, got {pid}");
                return Err(misuse(&ctx, why));
            };
            let answer = frame(&ctx)?.ask("process::info", &Request::Process { pid }, &here(&ctx));
            Ok(Look::new(&format!("process {pid}"), answer))
        }
    );
    host_fn!(
        m,
        "machine",
        ["look"],
        "Where process numbers count: the `boot` and the PID namespace, `space`: `process::machine().data.string(\"boot\")`.",
        |ctx: NativeCallContext| -> Fallible<Look> {
            let answer = frame(&ctx)?.ask("process::machine", &Request::Machine, &here(&ctx));
            Ok(Look::new("this machine", answer))
        }
    );
    m
}
