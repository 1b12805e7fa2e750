//! The parts of a point in time, in any order: a day, a clock time, a zone.
//!
//! INVARIANT: a text counts as a point in time only if nothing else stands in it, or if words
//! such as `at` and a clock time leave no doubt; then what else stands there is refused.

use chrono::FixedOffset;
use chrono_tz::Tz;

use super::Refusal;
use super::clock::{self, Clock};
use super::day::{self, Day};
use super::scan::Scan;
use super::zone::{self, Place};
use super::{units, words};

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    pub day: Option<Day>,
    pub clock: Option<Clock>,
    pub zone: Option<Tz>,
    pub offset: Option<(FixedOffset, &'a str)>,
    /// The whole of it as it was written.
    pub text: &'a str,
    /// Whether a clock time was written, a wrong one included.
    has_clock: bool,
    has_day: bool,
    part_of_day: Option<&'a str>,
    recurring: Option<&'a str>,
    trouble: Option<Refusal>,
    left: &'a str,
}

/// Reads the parts that stand here; nothing if the text is no point in time.
///
/// # Errors
/// It is one, but it cannot be read.
pub(super) fn read<'a>(mut scan: Scan<'a>, led: bool) -> Result<Option<Parts<'a>>, Refusal> {
    let mut parts = Parts::default();
    let from = scan.at();
    loop {
        let glued = !scan.sees(|c| c.is_whitespace() || c == ',');
        scan.run(|c| c.is_whitespace() || c == ',');
        if scan.is_done() || !parts.take(&mut scan, led, glued) {
            break;
        }
    }
    parts.text = scan.piece(from);
    if !scan.is_done() {
        parts.left = scan.rest().trim();
    }
    parts.judged(led)
}

impl<'a> Parts<'a> {
    /// Passes one part; `false` if none stands here.
    fn take(&mut self, scan: &mut Scan<'a>, led: bool, glued: bool) -> bool {
        let from = scan.at();
        if self.has_clock && scan.any_words(words::TAILS) {
            return true;
        }
        if self.take_recurring(scan) {
            return true;
        }
        if let Some(day) = day::read(scan) {
            self.check_twice(self.has_day, scan.piece(from));
            self.has_day = true;
            self.day = self.kept(day);
            return true;
        }
        if self.has_clock {
            let range = glued && scan.sees(|c| c == '-') && !self.is_joined();
            if let Some(place) = zone::read(scan) {
                self.take_place(place, scan.piece(from), range);
                return true;
            }
        }
        if let Some(clock) = clock::read(scan, led) {
            self.check_twice(self.has_clock, scan.piece(from));
            self.has_clock = true;
            self.clock = self.kept(clock);
            return true;
        }
        let mut word = *scan;
        if words::is_part_of_day(&word.word()) {
            self.part_of_day = Some(word.piece(from));
            *scan = word;
            return true;
        }
        self.take_vague(scan) || scan.any_words(words::FILLERS)
    }

    /// `daily`, `jeden Montag`, `every 2 hours`.
    fn take_recurring(&mut self, scan: &mut Scan<'a>) -> bool {
        let from = scan.at();
        let mut ahead = *scan;
        let word = ahead.word();
        let is_each = matches!(
            word.as_str(),
            "every" | "each" | "jeden" | "jede" | "jedes" | "alle" | "immer"
        );
        if is_each {
            ahead.space();
            ahead.number(1..=6);
            ahead.space();
            let what = fold_letters(&mut ahead);
            let known = units::unit(&what).is_some()
                || words::weekday(&what).is_some()
                || words::is_part_of_day(&what)
                || what == "morgen";
            if !known || !ahead.is_boundary() {
                return false;
            }
        } else if !words::is_recurring(&word) {
            return false;
        }
        self.recurring = Some(ahead.piece(from));
        *scan = ahead;
        true
    }

    /// `about 16:00`, `gegen 16 Uhr`.
    fn take_vague(&mut self, scan: &mut Scan<'a>) -> bool {
        let from = scan.at();
        let mut ahead = *scan;
        if !words::is_vague(&ahead.word()) {
            return false;
        }
        let mut further = ahead;
        further.space();
        if clock::read(&mut further, false).is_none() {
            return false;
        }
        self.refuse(
            "a gate needs one exact time; leave this out",
            ahead.piece(from),
        );
        *scan = ahead;
        true
    }

    fn take_place(&mut self, place: Result<Place, Refusal>, piece: &'a str, range: bool) {
        if range {
            self.refuse(
                "an offset or the end of a span; write one time, and a blank before an offset",
                piece,
            );
            return;
        }
        match self.kept(place) {
            Some(Place::Zone(zone)) => {
                self.check_twice(self.zone.is_some(), piece);
                self.zone = Some(zone);
            }
            Some(Place::Offset(offset)) => {
                self.check_twice(self.offset.is_some(), piece);
                self.offset = Some((offset, piece));
            }
            None => {}
        }
    }

    fn is_joined(&self) -> bool {
        matches!(self.day, Some(Day::Date { joined: true, .. }))
    }

    fn kept<T>(&mut self, read: Result<T, Refusal>) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(refusal) => {
                self.trouble.get_or_insert(refusal);
                None
            }
        }
    }

    fn check_twice(&mut self, twice: bool, piece: &str) {
        if twice {
            self.refuse("this stands there twice; a gate waits for one time", piece);
        }
    }

    fn refuse(&mut self, why: &str, piece: &str) {
        self.trouble.get_or_insert_with(|| Refusal::new(why, piece));
    }

    /// Whether the text is a point in time at all, and whether it can be read.
    fn judged(mut self, led: bool) -> Result<Option<Self>, Refusal> {
        let something = self.has_clock
            || self.has_day
            || self.part_of_day.is_some()
            || self.recurring.is_some();
        if !something {
            return Ok(None);
        }
        if !self.left.is_empty() {
            let one_word = !self.left.contains(char::is_whitespace);
            let no_words = !self.left.contains(char::is_alphabetic);
            if !self.has_clock || !(led || one_word || no_words) {
                return Ok(None);
            }
            let why = match one_word {
                true => zone::unknown(self.left),
                false => super::ONLY_A_TIME.to_owned(),
            };
            return Err(self.trouble.unwrap_or(Refusal::new(why, self.left)));
        }
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if let Some(recurring) = self.recurring {
            let why = "a gate is met once; name the next date, such as `tomorrow 02:30` or `2026-12-24 02:30`";
            return Err(Refusal::new(why, recurring));
        }
        if self.clock.is_none() {
            return Err(self.without_clock());
        }
        if let Some(part) = self.part_of_day {
            let why =
                "the clock time says it already; leave this out, and write hours from 0 to 24";
            return Err(Refusal::new(why, part));
        }
        Ok(Some(self))
    }

    fn without_clock(&self) -> Refusal {
        let piece = self.text;
        let why = match (piece.to_lowercase().as_str(), self.day, self.part_of_day) {
            ("morgen", _, _) => {
                "`morgen` can be the morning or the next day, and a clock time is missing; write `morgen 06:00`".to_owned()
            }
            (_, Some(Day::Date { date, .. }), None) => {
                format!("a clock time is missing; write `{date} 18:00`, or `{date} 00:00` for its first minute")
            }
            (_, _, Some(_)) => {
                "this is no clock time; write one, such as `today 18:00`".to_owned()
            }
            _ => "a clock time is missing; write it behind the day, such as `tomorrow 06:00`".to_owned(),
        };
        Refusal::new(why, piece)
    }
}

fn fold_letters(scan: &mut Scan<'_>) -> String {
    super::scan::fold(scan.letters())
}
