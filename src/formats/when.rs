//! Phrases of time, German or English: `after 1h30m`, `um 16:00 Uhr`, `morgen 06:00`.
//!
//! A phrase becomes one absolute instant, fixed at the set time, or is refused with the piece
//! that cannot be read without a guess. A text that is no phrase of time is left to others.
//!
//! INVARIANT: never early. Whatever the clocks do, the instant is not before the time that was
//! asked for. Any text is answered, in time that grows with its length at most.

use chrono::{DateTime, Datelike, DurationRound, TimeDelta, Utc};

use crate::model::moment::Moment;

mod amount;
mod choose;
mod civil;
mod clock;
mod day;
mod length;
mod parts;
mod scan;
mod units;
mod words;
mod zone;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

pub use civil::{Bend, Resolved, again, resolve};

use scan::Scan;
use words::Lead;

/// The version of the zone data that instants were computed with.
pub const TZDATA: &str = chrono_tz::IANA_TZDB_VERSION;

/// The longest text that can be a phrase of time, in bytes.
const LONGEST: usize = 500;

const ONLY_A_TIME: &str =
    "only a time can stand here; write the rest as a condition of its own, joined by `/and`";

/// What a text says of time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phrase {
    /// Nothing: it is no phrase of time.
    None,
    /// It is one, but cannot be read without a guess.
    Refused {
        /// Why, and what to write.
        why: String,
        /// The part of the text that cannot be read.
        piece: String,
    },
    /// It means one instant.
    At(Reading),
}

/// The meaning of a phrase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The instant, in the zone in which it is shown.
    pub instant: Moment,
    /// The phrase in its normal spelling.
    pub rule: String,
    /// The local time `2026-12-01T06:00:00` where that is what counts, even if the zone's rules
    /// change: clock times, and whole days, weeks and months. None for elapsed time.
    pub civil: Option<String>,
    /// One sentence that can be checked.
    pub sentence: String,
    /// What was decided on the way: a gap, a shift to the next day.
    pub note: Option<String>,
}

/// Why a phrase cannot be read, and which piece of it.
#[derive(Debug)]
struct Refusal {
    why: String,
    piece: String,
}

impl Refusal {
    fn new(why: impl Into<String>, piece: &str) -> Self {
        Refusal {
            why: why.into(),
            piece: piece.to_owned(),
        }
    }
}

/// Reads a text as a phrase of time, said at `set` in the site's zone. Whole seconds of the set
/// time count, as it is recorded.
pub fn read(text: &str, set: Moment) -> Phrase {
    if text.len() > LONGEST {
        return Phrase::None;
    }
    let whole = set.instant().duration_trunc(TimeDelta::seconds(1));
    let set = Moment::new(whole.unwrap_or(set.instant()), set.zone());
    match understood(Scan::new(text.trim()), set) {
        Ok(None) => Phrase::None,
        Ok(Some(reading)) => Phrase::At(reading),
        Err(Refusal { why, piece }) => Phrase::Refused { why, piece },
    }
}

fn understood(mut scan: Scan<'_>, set: Moment) -> Result<Option<Reading>, Refusal> {
    let lead = words::lead(&mut scan);
    scan.space();
    if let Some(reading) = as_length(scan, lead, set)? {
        return Ok(Some(reading));
    }
    let Some(parts) = parts::read(scan, lead.is_some())? else {
        return Ok(None);
    };
    let why = match lead {
        Some(Lead::Length) => "a length of time is missing; for a clock time write `at 16:00`",
        Some(Lead::Limit) => LIMIT,
        _ => return choose::reading(&parts, set).map(Some),
    };
    Err(Refusal::new(why, scan.rest()))
}

const LIMIT: &str = "a gate waits until a time has come and cannot end at one; write `not before`";

/// The text as a length of time; nothing if it is none.
fn as_length(
    mut scan: Scan<'_>,
    lead: Option<Lead>,
    set: Moment,
) -> Result<Option<Reading>, Refusal> {
    let counts = matches!(lead, Some(Lead::Length | Lead::Either));
    let start = scan;
    if counts && scan.any_words(words::AT_LEAST) {
        scan.space();
    }
    let mut read = match length::read(scan) {
        Ok(Some(read)) => read,
        Err(refusal) if counts => return Err(refusal),
        // No words say that a length is meant, and it is none.
        Ok(None) | Err(_) => return Ok(None),
    };
    let from_now = read.end.any_words(words::FROM_NOW);
    if !read.end.is_done() {
        // "After a second review" counts no seconds.
        if !counts || read.second {
            return Ok(None);
        }
        return Err(Refusal::new(ONLY_A_TIME, read.end.rest().trim()));
    }
    let why = match lead {
        None if from_now => return of_length(&read, start, set).map(Some),
        Some(Lead::Length | Lead::Either) => return of_length(&read, start, set).map(Some),
        None => "a length of time needs a beginning; write `after` before it",
        Some(Lead::Clock) => "a length of time is no clock time; write `after` before it",
        Some(Lead::Limit) => LIMIT,
    };
    Err(Refusal::new(why, start.rest()))
}

fn of_length(read: &length::Read<'_>, start: Scan<'_>, set: Moment) -> Result<Reading, Refusal> {
    let length = read.length;
    let Some((resolved, civil)) = length.after(set) else {
        let why = "it is too long; the years 1970 to 9998 can be read";
        return Err(Refusal::new(why, read.end.piece(start.at())));
    };
    let instant = Moment::new(resolved.instant, set.zone());
    let (spelling, zone) = (length.spelling(), set.zone().name());
    let note = resolved.note(set.zone());
    let at_once = length.is_zero().then(|| "this is over at once".to_owned());
    Ok(Reading {
        instant,
        rule: format!("after {spelling}"),
        civil: civil.map(civil::written),
        sentence: format!(
            "at least {spelling} after {}: {} ({zone})",
            set.rfc3339(),
            instant.rfc3339()
        ),
        note: note.or(at_once),
    })
}

/// Whether an instant can be read and written with four digits of its year in every zone.
fn in_range(instant: DateTime<Utc>) -> bool {
    (1970..=9998).contains(&instant.year())
}
