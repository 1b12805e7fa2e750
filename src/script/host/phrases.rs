//! `time::`: phrases of time, and the clock of the run.

use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats::when;
use crate::host_fn;
use crate::script::answer::here;
use crate::script::value::look::Look;
use crate::script::value::moment::optional;
use crate::script::value::phrase::Heard;
use crate::world::Request;

use super::{Fallible, frame, text_arg};

/// Adds the functions to the module `time`.
pub fn register_functions(m: &mut Module) {
    host_fn!(
        *m,
        "phrase",
        ["text: string", "phrase of time"],
        "What a text says of time, counted from the instant of the run (`is_time`, `ok`, `why`, `piece`, or the meaning): `let said = time::phrase(\"after 1h30m\"); if said.ok { said.sentence }`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Heard> {
            let text = text_arg(&ctx, &text, "time::phrase", "text")?;
            let set = frame(&ctx)?.facts.now;
            Ok(Heard::new(when::read(&text, set)))
        }
    );
    host_fn!(
        *m,
        "again",
        ["civil: string", "zone: string", "time or ()"],
        "The instant of a kept local time by the zone rules of today: `time::again(\"2026-12-01T06:00:00\", \"Europe/Berlin\")`.",
        |ctx: NativeCallContext, civil: Dynamic, zone: Dynamic| -> Fallible<Dynamic> {
            let civil = text_arg(&ctx, &civil, "time::again", "civil")?;
            let zone = text_arg(&ctx, &zone, "time::again", "zone")?;
            Ok(optional(when::again(&civil, &zone).ok()))
        }
    );
    host_fn!(
        *m,
        "tzdata",
        ["string"],
        "The version of the zone rules that instants are computed with: `time::tzdata()`.",
        || -> Fallible<String> { Ok(when::TZDATA.to_string()) }
    );
    host_fn!(
        *m,
        "clock",
        ["look"],
        "What time it is, with a receipt: `time::parse(time::clock().text)`.",
        |ctx: NativeCallContext| -> Fallible<Look> {
            let answer = frame(&ctx)?.ask("time::clock", &Request::Clock, &here(&ctx));
            Ok(Look::new("clock", answer))
        }
    );
}
