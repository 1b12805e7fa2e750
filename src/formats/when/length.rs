//! Lengths of time: `1 hour, 30 minutes`, `1h30m`, `anderthalb Stunden`.
//!
//! INVARIANT: each unit stands at most once, the largest first; nothing is guessed. Days, weeks
//! and months are civil (the same clock face later), hours and below are elapsed time.

use chrono::{DateTime, Days, Months, NaiveDateTime, TimeDelta, TimeZone, Utc};

use super::amount::{self, Amount, ONE};
use super::civil::{self, Resolved};
use super::scan::{Scan, fold, is_near};
use super::words::{self, Unit};
use super::{Refusal, in_range};
use crate::model::moment::Moment;
use crate::model::text::plural;

/// A length of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Length {
    months: u64,
    weeks: u64,
    days: u64,
    seconds: u64,
}

/// A length and where it ends in the text.
pub(super) struct Read<'a> {
    pub length: Length,
    pub end: Scan<'a>,
    /// Whether the last word was `second`, which is also a number.
    pub second: bool,
}

/// Reads the length that stands here; nothing if none does.
///
/// # Errors
/// It is a length, but not one that can be read.
pub(super) fn read<'a>(start: Scan<'a>) -> Result<Option<Read<'a>>, Refusal> {
    let mut end = start;
    let mut length = Length::default();
    let mut last: Option<(Unit, bool)> = None;
    let mut second = false;
    loop {
        let mut scan = end;
        between(&mut scan, last.is_some());
        let from = scan.at();
        let Some(mut amount) = amount::read(&mut scan) else {
            break;
        };
        let Some((unit, times, word)) = unit(&mut scan, (from, last.is_some()), &amount)? else {
            break;
        };
        if scan.words(&["and", "a", "half"]) {
            amount.billionths = amount.billionths.saturating_add(ONE / 2);
        }
        let refuse = |why: &str| Err(Refusal::new(why, scan.piece(from)));
        if let Some(why) = amount.trouble {
            return refuse(&why);
        }
        match last {
            Some((before, _)) if before == unit => return refuse("this unit stands there twice"),
            Some((before, _)) if before > unit => {
                return refuse("the largest unit stands first");
            }
            Some((_, true)) => return refuse("only the last number may have a fraction"),
            _ => {}
        }
        if !length.add(unit, &amount, times) {
            return refuse(
                match unit <= Unit::Day && !amount.is_whole() && amount.is_in_range() {
                    true => "a day is not always 24 hours; write its parts in hours",
                    false => "it is too long",
                },
            );
        }
        last = Some((unit, !amount.is_whole()));
        second = word == "second";
        end = scan;
    }
    Ok(last.map(|_| Read {
        length,
        end,
        second,
    }))
}

/// Passes what stands between two parts.
fn between(scan: &mut Scan<'_>, inside: bool) {
    scan.space();
    if inside && (scan.eat(',') || scan.any_words(&[&["and"], &["und"], &["plus"]])) {
        scan.space();
    }
}

/// Passes the unit behind an amount; nothing if the words are no length at all.
fn unit(
    scan: &mut Scan<'_>,
    (from, inside): (usize, bool),
    amount: &Amount,
) -> Result<Option<(Unit, u32, String)>, Refusal> {
    let before = *scan;
    scan.space();
    let raw = scan.letters();
    let word = fold(raw);
    let refuse = |scan: &Scan<'_>, why: String| Err(Refusal::new(why, scan.piece(from)));
    if raw == "M" {
        return refuse(
            scan,
            "`M` may be minutes or months; write `m` or `mo`".into(),
        );
    }
    // `2h30m` has its digits glued on; `2 s3 uploads` are no seconds.
    let whole = before.at() + raw.len() == scan.at() || scan.is_boundary();
    if let Some((unit, times)) = words::unit(&word).filter(|_| whole) {
        let mut dotted = *scan;
        if dotted.eat('.') && !dotted.sees(|c| c.is_ascii_digit()) {
            *scan = dotted;
        }
        return Ok(Some((unit, times, word)));
    }
    if let Some(why) = words::no_unit(&word) {
        return refuse(scan, why.into());
    }
    let near = words::unit_words().find(|known| known.len() > 3 && is_near(known, &word));
    if let Some(near) = near.filter(|_| scan.is_done()) {
        let why = format!("`{raw}` is no unit; did you mean `{near}`?");
        return refuse(scan, why);
    }
    if amount.plain && before.is_done() && (inside || amount.is_whole()) {
        let piece = before.piece(from);
        let piece = piece.trim_end_matches('.');
        let why = format!("the unit is missing; write `{piece}m`, `{piece}s` or `{piece}h`");
        return Err(Refusal::new(why, piece));
    }
    Ok(None)
}

impl Length {
    /// Adds an amount of a unit; `false` if that cannot be.
    fn add(&mut self, unit: Unit, amount: &Amount, times: u32) -> bool {
        let size = match unit {
            Unit::Hour => 3_600,
            Unit::Minute => 60,
            Unit::Second | Unit::Day | Unit::Week | Unit::Month => 1,
        };
        if unit <= Unit::Day && !amount.is_whole() {
            return false;
        }
        let billionths = u128::from(amount.billionths) * u128::from(times) * size;
        let Ok(number) = u64::try_from(billionths.div_ceil(u128::from(ONE))) else {
            return false;
        };
        let field = match unit {
            Unit::Month => &mut self.months,
            Unit::Week => &mut self.weeks,
            Unit::Day => &mut self.days,
            Unit::Hour | Unit::Minute | Unit::Second => &mut self.seconds,
        };
        match field.checked_add(number) {
            Some(sum) if amount.is_in_range() => *field = sum,
            _ => return false,
        }
        true
    }

    /// Whether nothing of it is civil.
    pub fn is_elapsed(self) -> bool {
        self.months == 0 && self.weeks == 0 && self.days == 0
    }

    /// The normal spelling: `1 hour 30 minutes`.
    pub fn spelling(self) -> String {
        let parts = [
            (self.months, "month"),
            (self.weeks, "week"),
            (self.days, "day"),
            (self.seconds / 3_600, "hour"),
            (self.seconds / 60 % 60, "minute"),
            (self.seconds % 60, "second"),
        ];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, unit)| {
                let number = usize::try_from(*number).unwrap_or(usize::MAX);
                plural(number, unit, &format!("{unit}s"))
            })
            .collect();
        match parts.is_empty() {
            true => "0 seconds".to_owned(),
            false => parts.join(" "),
        }
    }

    /// Whether it is no time at all.
    pub fn is_zero(self) -> bool {
        self == Length::default()
    }

    /// The instant so much later, and the local time that it stands for if only its civil part
    /// counts; nothing if it leaves the calendar.
    pub fn after(self, set: Moment) -> Option<(Resolved, Option<NaiveDateTime>)> {
        let elapsed = TimeDelta::try_seconds(i64::try_from(self.seconds).ok()?)?;
        let moved = |start: DateTime<Utc>| {
            let end = start.checked_add_signed(elapsed)?;
            in_range(end).then_some(end)
        };
        if self.is_elapsed() {
            let end = moved(set.instant())?;
            return Some((Resolved::plain(end), None));
        }
        let days = self.weeks.checked_mul(7)?.checked_add(self.days)?;
        let local = set
            .zone()
            .from_utc_datetime(&set.instant().naive_utc())
            .naive_local()
            .checked_add_months(Months::new(u32::try_from(self.months).ok()?))?
            .checked_add_days(Days::new(days))?;
        let resolved = civil::resolve(local, set.zone())?;
        let end = moved(resolved.instant)?;
        let civil = (self.seconds == 0).then_some(local);
        Some((resolved.moved_to(end), civil))
    }
}
