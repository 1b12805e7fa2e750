//! Lengths of time: `1 hour, 30 minutes`, `1h30m`, `anderthalb Stunden`.
//!
//! INVARIANT: each unit stands at most once, the largest first; nothing is guessed. Days, weeks
//! and months are civil (the same clock face later), hours and below are elapsed time.

use chrono::{DateTime, Days, Months, NaiveDateTime, TimeDelta, TimeZone, Utc};

use super::amount::{self, Amount, ONE};
use super::civil::{self, Resolved};
use super::scan::{Scan, fold, is_near};
use super::units::{self, Unit};
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

/// One number with its unit.
struct Part {
    amount: Amount,
    unit: Unit,
    /// How many of the unit its word means.
    times: u32,
    word: String,
}

/// Reads the length that stands here; nothing if none does.
///
/// # Errors
/// It is a length, but not one that can be read.
pub(super) fn read<'a>(start: Scan<'a>) -> Result<Option<Read<'a>>, Refusal> {
    let mut end = start;
    let mut length = Length::default();
    let mut last: Option<Part> = None;
    loop {
        let mut scan = end;
        between(&mut scan, last.is_some());
        let from = scan.at();
        let Some(part) = part(&mut scan, last.is_some())? else {
            break;
        };
        if let Err(why) = length.add(&part, last.as_ref()) {
            return Err(Refusal::new(why, scan.piece(from)));
        }
        last = Some(part);
        end = scan;
    }
    Ok(last.map(|part| Read {
        length,
        end,
        second: part.word == "second",
    }))
}

/// Passes one number with its unit; nothing if none stands here.
fn part(scan: &mut Scan<'_>, inside: bool) -> Result<Option<Part>, Refusal> {
    let from = scan.at();
    let Some(mut amount) = amount::read(scan) else {
        return Ok(None);
    };
    let Some((unit, times, word)) = unit(scan, (from, inside), &amount)? else {
        return Ok(None);
    };
    if scan.words(&["and", "a", "half"]) {
        amount.billionths = amount.billionths.saturating_add(ONE / 2);
    }
    Ok(Some(Part {
        amount,
        unit,
        times,
        word,
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
    if let Some((unit, times)) = units::unit(&word).filter(|_| whole) {
        let mut dotted = *scan;
        if dotted.eat('.') && !dotted.sees(|c| c.is_ascii_digit()) {
            *scan = dotted;
        }
        return Ok(Some((unit, times, word)));
    }
    match not_a_unit(scan, raw, &word) {
        Some(why) => refuse(scan, why),
        None if amount.plain && before.is_done() && (inside || amount.is_whole()) => {
            let piece = before.piece(from);
            let why = format!("the unit is missing; write `{piece}m`, `{piece}s` or `{piece}h`");
            Err(Refusal::new(why, piece))
        }
        None => Ok(None),
    }
}

/// Why a word that looks like a unit is none.
fn not_a_unit(scan: &Scan<'_>, raw: &str, word: &str) -> Option<String> {
    if let Some(why) = units::no_unit(word) {
        return Some(why.to_owned());
    }
    let near = |known: &&str| known.len() > 3 && is_near(known, word);
    let near = units::unit_words().find(near).filter(|_| scan.is_done())?;
    Some(format!("`{raw}` is no unit; did you mean `{near}`?"))
}

impl Length {
    /// Adds a part, or says why it cannot stand behind the last one.
    fn add(&mut self, part: &Part, last: Option<&Part>) -> Result<(), String> {
        let (unit, amount) = (part.unit, &part.amount);
        let why = match last {
            _ if amount.trouble.is_some() => {
                return Err(amount.trouble.clone().unwrap_or_default());
            }
            Some(last) if last.unit == unit => "this unit stands there twice",
            Some(last) if last.unit > unit => "the largest unit stands first",
            Some(last) if !last.amount.is_whole() => "only the last number may have a fraction",
            _ if !amount.is_in_range() => "it is too long",
            _ if unit <= Unit::Day && !amount.is_whole() => {
                "a day is not always 24 hours; write its parts in hours"
            }
            _ => return self.count(part).ok_or_else(|| "it is too long".to_owned()),
        };
        Err(why.to_owned())
    }

    /// Adds a part; nothing if the sum is too large.
    fn count(&mut self, part: &Part) -> Option<()> {
        let (size, field) = match part.unit {
            Unit::Month => (1, &mut self.months),
            Unit::Week => (1, &mut self.weeks),
            Unit::Day => (1, &mut self.days),
            Unit::Hour => (3_600, &mut self.seconds),
            Unit::Minute => (60, &mut self.seconds),
            Unit::Second => (1, &mut self.seconds),
        };
        let billionths = u128::from(part.amount.billionths) * u128::from(part.times) * size;
        // A part of a second is rounded up: never early.
        let number = u64::try_from(billionths.div_ceil(u128::from(ONE))).ok()?;
        *field = field.checked_add(number)?;
        Some(())
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
