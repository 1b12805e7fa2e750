//! Local times and the instants they stand for.
//!
//! INVARIANT: never early. A local time that the clocks skip stands for the end of the gap, one
//! that they show twice for the later one.

use chrono::{DateTime, LocalResult, NaiveDateTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

use super::in_range;
use crate::model::moment::Moment;

/// What the clocks did at a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    /// They skipped it.
    Gap,
    /// They show it twice.
    Fold,
}

/// The instant of a local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resolved {
    /// The instant.
    pub instant: DateTime<Utc>,
    /// The local time that was skipped or is shown twice, if it is such a one.
    pub bend: Option<(Bend, NaiveDateTime)>,
}

impl Resolved {
    /// An instant that needs no remark.
    pub(super) fn plain(instant: DateTime<Utc>) -> Self {
        Resolved {
            instant,
            bend: None,
        }
    }

    /// The same remark about another instant.
    pub(super) fn moved_to(self, instant: DateTime<Utc>) -> Self {
        Resolved { instant, ..self }
    }

    /// The remark for a person.
    pub(super) fn note(self, zone: Tz) -> Option<String> {
        let (bend, local) = self.bend?;
        let (local, zone) = (written(local), zone.name());
        Some(match bend {
            Bend::Gap => format!(
                "the clocks of {zone} skip {local}; the end of the gap is taken, never an earlier time"
            ),
            Bend::Fold => {
                format!("the clocks of {zone} show {local} twice; the later one is taken")
            }
        })
    }
}

/// The instant of a local time in a zone; nothing outside of the calendar.
pub fn resolve(local: NaiveDateTime, zone: Tz) -> Option<Resolved> {
    if !in_range(local.and_utc()) {
        return None;
    }
    let (instant, bend) = match zone.from_local_datetime(&local) {
        LocalResult::Single(time) => (time.with_timezone(&Utc), None),
        LocalResult::Ambiguous(_, later) => (later.with_timezone(&Utc), Some(Bend::Fold)),
        LocalResult::None => (end_of_gap(local, zone), Some(Bend::Gap)),
    };
    Some(Resolved {
        instant,
        bend: bend.map(|bend| (bend, local)),
    })
}

/// The first instant at which the clocks show more than a local time that they skip.
fn end_of_gap(local: NaiveDateTime, zone: Tz) -> DateTime<Utc> {
    // No zone was ever further from UTC than this.
    const FURTHEST: i64 = 16 * 3_600;
    let at = |seconds: i64| local + TimeDelta::seconds(seconds);
    let shows = |utc: NaiveDateTime| utc + zone.offset_from_utc_datetime(&utc).fix();
    let (mut before, mut behind) = (-FURTHEST, FURTHEST);
    while behind - before > 1 {
        let middle = before + (behind - before) / 2;
        match shows(at(middle)) >= local {
            true => behind = middle,
            false => before = middle,
        }
    }
    at(behind).and_utc()
}

/// A local time as it is kept: `2026-12-01T06:00:00`.
pub(super) fn written(local: NaiveDateTime) -> String {
    local.format("%Y-%m-%dT%H:%M:%S").to_string()
}

/// The instant that a kept local time stands for by the zone rules of today.
///
/// # Errors
/// A sentence for a person: it is no local time, or no zone.
pub fn again(civil: &str, zone: &str) -> Result<Moment, String> {
    let known: Tz = zone
        .parse()
        .map_err(|_| format!("`{zone}` is no time zone of the data {}", super::TZDATA))?;
    let local = NaiveDateTime::parse_from_str(civil, "%Y-%m-%dT%H:%M:%S")
        .map_err(|_| format!("`{civil}` is no local time such as `2026-12-01T06:00:00`"))?;
    let resolved = resolve(local, known).ok_or_else(|| format!("`{civil}` is out of range"))?;
    Ok(Moment::new(resolved.instant, known))
}
