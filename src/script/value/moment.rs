//! Instants as scripts see them: compared, shown, moved; never read from a clock.

use chrono::Duration;
use rhai::{Dynamic, Module};

use crate::host_fn;
use crate::model::moment::Moment;
use crate::script::host::{Fallible, getter};

/// An instant with the zone of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Time(pub Moment);

/// Registers the type, its getters and comparisons.
pub fn register(module: &mut Module) {
    module.set_custom_type::<Time>("time");
    getter(
        module,
        "text",
        "RFC 3339 with offset, in the zone of the run.",
        |t: &mut Time| Ok(t.0.rfc3339()),
    );
    getter(
        module,
        "date",
        "The day as `2026-11-30`.",
        |t: &mut Time| Ok(t.0.date()),
    );
    getter(module, "seconds", "Seconds since 1970.", |t: &mut Time| {
        Ok(t.0.instant().timestamp())
    });
    host_fn!(
        *module,
        "plus_minutes",
        ["time", "minutes: number", "time"],
        "The instant so many minutes later: `ctx.now.plus_minutes(-15)`.",
        |t: Time, minutes: i64| -> Fallible<Time> { Ok(moved(t, Duration::try_minutes(minutes))) }
    );
    host_fn!(
        *module,
        "plus_seconds",
        ["time", "seconds: number", "time"],
        "The instant so many seconds later: `last.plus_seconds(time::seconds(\"1d\"))`.",
        |t: Time, seconds: i64| -> Fallible<Time> { Ok(moved(t, Duration::try_seconds(seconds))) }
    );
    host_fn!(
        *module,
        "plus_days",
        ["time", "days: number", "time"],
        "The instant so many times 24 hours later: `ctx.now.plus_days(-7)`.",
        |t: Time, days: i64| -> Fallible<Time> { Ok(moved(t, Duration::try_days(days))) }
    );
    host_fn!(
        *module,
        "-",
        ["a: time", "b: time", "number"],
        "Seconds from `b` to `a`: `ctx.now - last`.",
        |a: Time, b: Time| -> Fallible<i64> { Ok(a.0.since(b.0.instant()).num_seconds()) }
    );
    compare(
        module,
        "<",
        "Whether `a` is earlier than `b`: `last < ctx.now`.",
        |a, b| a < b,
    );
    compare(
        module,
        "<=",
        "Whether `a` is not later than `b`: `last <= ctx.now`.",
        |a, b| a <= b,
    );
    compare(
        module,
        ">",
        "Whether `a` is later than `b`: `last > ctx.baseline`.",
        |a, b| a > b,
    );
    compare(
        module,
        ">=",
        "Whether `a` is not earlier than `b`: `last >= ctx.baseline`.",
        |a, b| a >= b,
    );
    compare(
        module,
        "==",
        "Whether both are the same instant: `last == ctx.now`.",
        |a, b| a == b,
    );
    compare(
        module,
        "!=",
        "Whether they are two instants: `last != ctx.now`.",
        |a, b| a != b,
    );
    host_fn!(
        *module,
        "to_string",
        ["time", "string"],
        "RFC 3339 with offset: `ctx.now.to_string()`.",
        |t: Time| -> Fallible<String> { Ok(t.0.rfc3339()) }
    );
}

fn moved(t: Time, by: Option<Duration>) -> Time {
    Time(by.map_or(t.0, |by| t.0.plus(by)))
}

fn compare(module: &mut Module, sign: &str, about: &str, holds: fn(i64, i64) -> bool) {
    rhai::FuncRegistration::new(sign)
        .with_params_info(["a: time", "b: time", "bool"])
        .with_comments([format!("/// {about}")])
        .with_purity(true)
        .in_global_namespace()
        .set_into_module(module, move |a: Time, b: Time| -> Fallible<bool> {
            let nanos = |t: Time| t.0.instant().timestamp_nanos_opt().unwrap_or(i64::MAX);
            Ok(holds(nanos(a), nanos(b)))
        });
}

/// A time for a script, or nothing.
pub fn optional(time: Option<Moment>) -> Dynamic {
    time.map_or(Dynamic::UNIT, |t| Dynamic::from(Time(t)))
}
