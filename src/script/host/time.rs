//! `time::`: reading instants that are written down. No clock; that is asked at the desk.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use chrono_tz::Tz;
use rhai::{Dynamic, Module, NativeCallContext};

use crate::formats::when::resolve;
use crate::host_fn;
use crate::model::moment::Moment;
use crate::script::value::moment::{Time, optional};

use super::{Fallible, frame, misuse, text_arg};

/// The module.
pub fn module() -> Module {
    let mut m = Module::new();
    host_fn!(
        m,
        "parse",
        ["text: string", "time or ()"],
        "RFC 3339, a naive local time, or a date (its first instant), in the site's zone: `time::parse(\"2026-11-30\")`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<Dynamic> {
            let text = text_arg(&ctx, &text, "time::parse", "text")?;
            let zone = frame(&ctx)?.facts.now.zone();
            Ok(optional(read(text.trim(), zone)))
        }
    );
    host_fn!(
        m,
        "seconds",
        ["text: string", "number"],
        "How many seconds a duration such as `15m`, `1h30m` or `2d` has: `time::seconds(\"1d\")`.",
        |ctx: NativeCallContext, text: Dynamic| -> Fallible<i64> {
            let text = text_arg(&ctx, &text, "time::seconds", "text")?;
            let duration = crate::model::duration::parse(text.trim());
            let duration = duration.map_err(|why| misuse(&ctx, why))?;
            Ok(i64::try_from(duration.as_secs()).unwrap_or(i64::MAX))
        }
    );
    host_fn!(
        m,
        "zone",
        ["string"],
        "The name of the site's zone: `time::zone()`.",
        |ctx: NativeCallContext| -> Fallible<String> {
            Ok(frame(&ctx)?.facts.now.zone().name().to_string())
        }
    );
    super::phrases::register_functions(&mut m);
    m
}

/// Kept so that scripts and the kernel read times alike. A local time that the clocks show twice
/// or skip is never taken early.
pub fn read(text: &str, zone: Tz) -> Option<Moment> {
    if let Ok(time) = DateTime::parse_from_rfc3339(text) {
        return Some(Moment::new(time.with_timezone(&Utc), zone));
    }
    let formats = [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
    ];
    let naive = formats
        .iter()
        .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok())
        .or_else(|| {
            let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
            Some(date.and_time(NaiveTime::MIN))
        })?;
    Some(Moment::new(resolve(naive, zone)?.instant, zone))
}

/// Whether a value is a time.
pub fn as_time(value: &Dynamic) -> Option<Moment> {
    value.read_lock::<Time>().map(|t| t.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono_tz::Europe::Berlin;

    #[test]
    fn written_times_are_read_in_the_sites_zone() {
        let shown = |text| read(text, Berlin).map(|m| m.rfc3339());
        assert_eq!(
            shown("2026-11-30T15:11:05.462315").unwrap(),
            "2026-11-30T15:11:05+01:00"
        );
        assert_eq!(shown("2026-11-30").unwrap(), "2026-11-30T00:00:00+01:00");
        assert_eq!(
            shown("2026-11-30T09:00:00Z").unwrap(),
            "2026-11-30T10:00:00+01:00"
        );
        assert_eq!(
            shown("2026-10-25 02:30").unwrap(),
            "2026-10-25T02:30:00+01:00"
        );
        assert_eq!(
            shown("2027-03-28 02:30").unwrap(),
            "2027-03-28T03:00:00+02:00"
        );
        assert_eq!(shown("heute"), None);
    }
}
