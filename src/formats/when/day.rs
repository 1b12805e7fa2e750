//! Days: `2026-12-24`, `24.12.2026`, `24. Dezember`, `morgen`, `today`, `Friday`.
//!
//! INVARIANT: a day that can be read in two ways is refused, not guessed.

use chrono::{NaiveDate, Weekday};

use super::Refusal;
use super::scan::Scan;
use super::{units, words};

/// A day as it was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Day {
    /// With its year; `joined` if a `T` stands behind it.
    Date { date: NaiveDate, joined: bool },
    /// Without a year: month and day.
    Yearly { month: u32, day: u32 },
    /// So many days after the day of the set time.
    Ahead(u64),
    /// The next day of that name.
    Weekday(Weekday),
}

/// Passes a day; nothing, and the cursor stays, if none stands here.
pub(super) fn read(scan: &mut Scan<'_>) -> Option<Result<Day, Refusal>> {
    let from = scan.at();
    let mut ahead = *scan;
    let day = match scan.sees(|c| c.is_ascii_digit()) {
        true => numbered(&mut ahead),
        false => named(&mut ahead),
    }?;
    let piece = ahead.piece(from);
    *scan = ahead;
    Some(day.map_err(|why| Refusal::new(why, piece)))
}

fn numbered(scan: &mut Scan<'_>) -> Option<Result<Day, String>> {
    let mut ahead = *scan;
    if let Some(year) = ahead.number(4..=4) {
        let separator = ahead.peek()?;
        if !ahead.eat_any(&['-', '/']) {
            return None;
        }
        let month = ahead.number(2..=2)?;
        if !ahead.eat(separator) {
            return None;
        }
        let day = ahead.number(2..=2)?;
        let joined = joined(&mut ahead);
        if !joined && !ahead.is_boundary() {
            return None;
        }
        *scan = ahead;
        return Some(dated((Some(year), month, day), joined));
    }
    let first = ahead.number(1..=2)?;
    let day = match ahead.peek() {
        Some('/') => slashed(&mut ahead)?,
        Some('.') => dotted(&mut ahead, first)?,
        _ => {
            ordinal(&mut ahead);
            ahead.space();
            let month = words::month(&ahead.word())?;
            dated((year(&mut ahead), month, first), false)
        }
    };
    *scan = ahead;
    Some(day)
}

/// Passes the `T` between a date and a clock time.
fn joined(scan: &mut Scan<'_>) -> bool {
    let mut ahead = *scan;
    let joined = ahead.eat_any(&['T', 't']) && ahead.sees(|c| c.is_ascii_digit());
    *scan = if joined { ahead } else { *scan };
    joined
}

/// `/24/2026` behind a first number: nobody knows which is the month.
fn slashed(scan: &mut Scan<'_>) -> Option<Result<Day, String>> {
    scan.eat('/');
    scan.number(1..=2)?;
    if scan.eat('/') {
        scan.number(2..=4)?;
    }
    let why = "the day or the month may stand first; write the date as `2026-12-24`";
    Some(Err(why.to_owned()))
}

/// `.12.2026`, `. Dezember` behind the day.
fn dotted(scan: &mut Scan<'_>, day: u32) -> Option<Result<Day, String>> {
    scan.eat('.');
    scan.space();
    let mut name = *scan;
    if let Some(month) = words::month(&name.word()) {
        name.eat('.');
        *scan = name;
        return Some(dated((year(scan), month, day), false));
    }
    let month = scan.number(1..=2)?;
    if !scan.eat('.') {
        return None;
    }
    let mut short = *scan;
    let digits = short.digits();
    if digits.len() == 2 && short.is_boundary() && !short.sees(|c| ".:".contains(c)) {
        *scan = short;
        return Some(Err("write the year with four digits".to_owned()));
    }
    Some(dated((year(scan), month, day), false))
}

/// Passes a year of four digits, which no clock time begins with.
fn year(scan: &mut Scan<'_>) -> Option<u32> {
    let mut ahead = *scan;
    ahead.eat(',');
    ahead.space();
    let year = ahead.number(4..=4).filter(|_| ahead.is_boundary())?;
    *scan = ahead;
    Some(year)
}

fn dated((year, month, day): (Option<u32>, u32, u32), joined: bool) -> Result<Day, String> {
    // A leap year lets the 29th of February pass where no year is given.
    let checked = i32::try_from(year.unwrap_or(2_000)).unwrap_or(0);
    let Some(date) = NaiveDate::from_ymd_opt(checked, month, day) else {
        return Err("the calendar has no such day".to_owned());
    };
    Ok(match year {
        Some(_) => Day::Date { date, joined },
        None => Day::Yearly { month, day },
    })
}

fn named(scan: &mut Scan<'_>) -> Option<Result<Day, String>> {
    if scan.words(&["day", "after", "tomorrow"]) {
        return Some(Ok(Day::Ahead(2)));
    }
    let mut ahead = *scan;
    let word = ahead.word();
    let this = matches!(
        word.as_str(),
        "this" | "coming" | "diesen" | "kommenden" | "kommender"
    );
    if this {
        ahead.space();
    }
    let day = match word.as_str() {
        "heute" | "today" => Some(Ok(Day::Ahead(0))),
        "morgen" | "tomorrow" => Some(Ok(Day::Ahead(1))),
        "uebermorgen" => Some(Ok(Day::Ahead(2))),
        "next" | "naechsten" | "naechster" | "naechste" | "naechstes" => next(&mut ahead),
        _ if this => words::weekday(&ahead.word()).map(|day| Ok(Day::Weekday(day))),
        word => words::weekday(word)
            .map(|day| Ok(Day::Weekday(day)))
            .or_else(|| month_first(&mut ahead, words::month(word)?)),
    };
    *scan = if day.is_some() { ahead } else { *scan };
    day
}

/// `Friday`, `week`, `month` behind `next`.
fn next(scan: &mut Scan<'_>) -> Option<Result<Day, String>> {
    scan.space();
    let word = scan.word();
    let is_day = words::weekday(&word).is_some() || units::unit(&word).is_some();
    let why = "this can be the day of this week or of the next one; write the date";
    is_day.then(|| Err(why.to_owned()))
}

/// `24th, 2026` behind the name of a month.
fn month_first(scan: &mut Scan<'_>, month: u32) -> Option<Result<Day, String>> {
    scan.eat('.');
    scan.space();
    let day = scan.number(1..=2)?;
    if scan.sees(|c| ":.".contains(c)) {
        return None;
    }
    ordinal(scan);
    Some(dated((year(scan), month, day), false))
}

/// Passes the ending of `24th`.
fn ordinal(scan: &mut Scan<'_>) {
    scan.any_words(&[&["th"], &["st"], &["nd"], &["rd"]]);
}
