//! From the parts of a point in time to the one instant that is meant.
//!
//! INVARIANT: the instant is fixed here, at the set time. Without a day it is the next time that
//! the clock shows it; it is never before the local time that was asked for.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};

use super::civil::{self, Resolved, written};
use super::clock::Clock;
use super::day::Day;
use super::parts::Parts;
use super::words::weekday_name;
use super::zone::{self, Place};
use super::{Reading, Refusal, in_range};
use crate::model::moment::Moment;

const OUT_OF_RANGE: &str = "out of range; the years 1970 to 9998 can be read";

/// A local time and its instant.
#[derive(Clone, Copy)]
struct Chosen {
    local: NaiveDateTime,
    resolved: Resolved,
    /// So many days after the day of the set time.
    ahead: i64,
}

/// The reading of the parts.
///
/// # Errors
/// They contradict one another, or lie out of range.
pub(super) fn reading(parts: &Parts<'_>, set: Moment) -> Result<Reading, Refusal> {
    let refuse = |why: &str| Refusal::new(why, parts.text);
    let clock = parts.clock.as_ref().ok_or_else(|| refuse(OUT_OF_RANGE))?;
    let zone = parts.zone.unwrap_or(set.zone());
    let place = match parts.offset {
        Some((offset, _)) => Place::Offset(offset),
        None => Place::Zone(zone),
    };
    check_relative(parts, place, set)?;
    let chosen = choose(parts.day, (clock, place), set).ok_or_else(|| refuse(OUT_OF_RANGE))?;
    let instant = Moment::new(chosen.resolved.instant, zone);
    check_offset(parts, &chosen, instant)?;
    let mut notes: Vec<String> = clock.note.iter().cloned().collect();
    notes.extend(day_note(parts.day, (clock, &chosen), set));
    notes.extend(chosen.resolved.note(zone));
    // With an offset the instant counts, whatever becomes of the zone's rules.
    let civil = parts.offset.is_none().then(|| written(chosen.local));
    let shown = instant.rfc3339();
    Ok(Reading {
        instant,
        rule: rule(parts, clock, place),
        civil,
        sentence: format!("the clock shows at least {shown} ({})", zone.name()),
        note: (!notes.is_empty()).then(|| notes.join("; ")),
    })
}

/// `tomorrow` in a zone where it is another day than here: which one is meant is a guess.
fn check_relative(parts: &Parts<'_>, place: Place, set: Moment) -> Result<(), Refusal> {
    let here = local(set.instant(), Place::Zone(set.zone())).date();
    let there = local(set.instant(), place).date();
    if matches!(parts.day, Some(Day::Ahead(_))) && here != there {
        let why = format!("it is {here} here and {there} there; write the date");
        return Err(Refusal::new(why, parts.text));
    }
    Ok(())
}

/// An offset beside a zone must be one that the zone has then.
fn check_offset(parts: &Parts<'_>, chosen: &Chosen, instant: Moment) -> Result<(), Refusal> {
    let (Some((_, piece)), Some(zone)) = (parts.offset, parts.zone) else {
        return Ok(());
    };
    if !matches!(parts.day, Some(Day::Date { .. })) {
        let why = "an offset beside a zone needs a date; leave the offset out";
        return Err(Refusal::new(why, piece));
    }
    let shown = local(instant.instant(), Place::Zone(zone));
    if shown == chosen.local {
        return Ok(());
    }
    let why = format!(
        "`{}` has another offset then; leave the offset out, or the zone",
        zone.name()
    );
    Err(Refusal::new(why, piece))
}

/// The day that is meant, and the instant.
fn choose(day: Option<Day>, (clock, place): (&Clock, Place), set: Moment) -> Option<Chosen> {
    let today = local(set.instant(), place).date();
    let on = |date: NaiveDate| on(date, clock, place, today);
    let is_to_come = |chosen: &Chosen| chosen.resolved.instant >= set.instant();
    let next = |days: u64| today.checked_add_days(Days::new(days));
    match day {
        Some(Day::Date { date, .. }) => on(date),
        Some(Day::Ahead(days)) => on(next(days)?),
        None => (0..=2).find_map(|days| on(next(days)?).filter(is_to_come)),
        Some(Day::Weekday(weekday)) => (0..=8)
            .filter_map(next)
            .filter(|date| date.weekday() == weekday)
            .find_map(|date| on(date).filter(is_to_come)),
        // The 29th of February is at most eight years away.
        Some(Day::Yearly { month, day }) => (0..=8)
            .filter_map(|years| NaiveDate::from_ymd_opt(today.year() + years, month, day))
            .find_map(|date| on(date).filter(is_to_come)),
    }
}

/// A clock time of a date.
fn on(date: NaiveDate, clock: &Clock, place: Place, today: NaiveDate) -> Option<Chosen> {
    let (days, hour) = (u64::from(clock.hour / 24), clock.hour % 24);
    let time = NaiveTime::from_hms_opt(hour, clock.minute, clock.second)?;
    let local = date.checked_add_days(Days::new(days))?.and_time(time);
    let resolved = match place {
        Place::Zone(zone) => civil::resolve(local, zone)?,
        Place::Offset(offset) => {
            let instant = offset
                .from_local_datetime(&local)
                .single()?
                .with_timezone(&Utc);
            in_range(instant).then(|| Resolved::plain(instant))?
        }
    };
    let ahead = date.signed_duration_since(today).num_days();
    Some(Chosen {
        local,
        resolved,
        ahead,
    })
}

/// What the clock shows there.
fn local(instant: DateTime<Utc>, place: Place) -> NaiveDateTime {
    match place {
        Place::Zone(zone) => instant.with_timezone(&zone).naive_local(),
        Place::Offset(offset) => instant.with_timezone(&offset).naive_local(),
    }
}

/// The remark about the day that was chosen.
fn day_note(day: Option<Day>, (clock, chosen): (&Clock, &Chosen), set: Moment) -> Option<String> {
    let date = chosen.local.date();
    let time = clock.spelling();
    if chosen.resolved.instant < set.instant() {
        return Some("this is past already; the condition is true at once".to_owned());
    }
    match (day, chosen.ahead) {
        (None, 1..) => Some(format!("{time} has passed today; {date} is taken")),
        (Some(Day::Weekday(_)), 0) => Some(format!("the next such day is today, {date}")),
        (Some(Day::Weekday(_)), 7..) => Some(format!("{time} has passed today; {date} is taken")),
        (Some(Day::Yearly { .. }), _) => Some(format!("no year was given; {date} is taken")),
        _ if clock.hour == 24 => Some("24:00 is the start of the next day".to_owned()),
        _ => None,
    }
}

/// The normal spelling; read at the same set time it means the same instant.
fn rule(parts: &Parts<'_>, clock: &Clock, place: Place) -> String {
    let day = match parts.day {
        None => String::new(),
        Some(Day::Date { date, .. }) => format!("{date} "),
        Some(Day::Ahead(0)) => "today ".to_owned(),
        Some(Day::Ahead(1)) => "tomorrow ".to_owned(),
        Some(Day::Ahead(_)) => "day after tomorrow ".to_owned(),
        Some(Day::Weekday(day)) => format!("{} ", weekday_name(day)),
        Some(Day::Yearly { month, day }) => format!("{day}.{month}. "),
    };
    let zone = match place {
        Place::Zone(zone) if zone::is_readable(zone) => format!(" {}", zone.name()),
        // Only the site's own zone can be such a one.
        Place::Zone(_) => String::new(),
        Place::Offset(offset) => format!(" {offset}"),
    };
    format!("time {day}{}{zone}", clock.spelling())
}
