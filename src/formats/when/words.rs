//! The words of points in time, German and English, in the one spelling of the scanner.

use chrono::Weekday;

use super::scan::Scan;

/// What the words before a time make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lead {
    /// `at`, `ab`, `time`: a clock time follows.
    Clock,
    /// `in`, `wait`: a length of time follows.
    Length,
    /// `after`, `nach`: either.
    Either,
    /// `before`, `within`, `bis`: a time that something must not pass, which no gate waits for.
    Limit,
}

/// The words before a time; of two that begin alike, the longer one stands first.
const LEADS: &[(&[&str], Lead)] = &[
    (&["not", "before"], Lead::Clock),
    (&["not", "earlier", "than"], Lead::Clock),
    (&["no", "earlier", "than"], Lead::Clock),
    (&["nicht", "vor"], Lead::Clock),
    (&["nicht", "frueher", "als"], Lead::Clock),
    (&["fruehestens"], Lead::Clock),
    (&["erst", "ab"], Lead::Clock),
    (&["erst", "um"], Lead::Clock),
    (&["wait", "until"], Lead::Clock),
    (&["warte", "bis"], Lead::Clock),
    (&["warten", "bis"], Lead::Clock),
    (&["it", "is"], Lead::Clock),
    (&["es", "ist"], Lead::Clock),
    (&["time"], Lead::Clock),
    (&["zeit"], Lead::Clock),
    (&["uhrzeit"], Lead::Clock),
    (&["at"], Lead::Clock),
    (&["from"], Lead::Clock),
    (&["um"], Lead::Clock),
    (&["ab"], Lead::Clock),
    (&["nach", "ablauf", "von"], Lead::Length),
    (&["nach", "ablauf"], Lead::Length),
    (&["wait", "for"], Lead::Length),
    (&["wait"], Lead::Length),
    (&["warte"], Lead::Length),
    (&["warten"], Lead::Length),
    (&["in"], Lead::Length),
    (&["after"], Lead::Either),
    (&["nach"], Lead::Either),
    (&["before"], Lead::Limit),
    (&["until"], Lead::Limit),
    (&["by"], Lead::Limit),
    (&["within"], Lead::Limit),
    (&["vor"], Lead::Limit),
    (&["bis"], Lead::Limit),
    (&["spaetestens"], Lead::Limit),
    (&["innerhalb", "von"], Lead::Limit),
    (&["innerhalb"], Lead::Limit),
];

/// Passes the words before a time.
pub(super) fn lead(scan: &mut Scan<'_>) -> Option<Lead> {
    let found = LEADS.iter().find(|(words, _)| scan.words(words));
    found.map(|(_, lead)| {
        scan.eat(':');
        *lead
    })
}

/// Words for a number that nobody knows.
pub(super) fn is_vague(word: &str) -> bool {
    matches!(
        word,
        "few"
            | "couple"
            | "some"
            | "several"
            | "many"
            | "paar"
            | "einige"
            | "einigen"
            | "einiger"
            | "mehrere"
            | "mehreren"
            | "wenige"
            | "wenigen"
            | "about"
            | "around"
            | "roughly"
            | "etwa"
            | "ungefaehr"
            | "circa"
            | "ca"
            | "gegen"
    )
}

/// The weekday of a name.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "montag" | "monday" | "mon" => Weekday::Mon,
        "dienstag" | "tuesday" | "tue" => Weekday::Tue,
        "mittwoch" | "wednesday" | "wed" => Weekday::Wed,
        "donnerstag" | "thursday" | "thu" => Weekday::Thu,
        "freitag" | "friday" | "fri" => Weekday::Fri,
        "samstag" | "sonnabend" | "saturday" | "sat" => Weekday::Sat,
        "sonntag" | "sunday" | "sun" => Weekday::Sun,
        _ => return None,
    })
}

/// The English name of a weekday.
pub(super) fn weekday_name(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "Monday",
        Weekday::Tue => "Tuesday",
        Weekday::Wed => "Wednesday",
        Weekday::Thu => "Thursday",
        Weekday::Fri => "Friday",
        Weekday::Sat => "Saturday",
        Weekday::Sun => "Sunday",
    }
}

/// The number of a month by its name.
pub(super) fn month(word: &str) -> Option<u32> {
    const MONTHS: [&[&str]; 12] = [
        &["january", "januar", "jaenner", "jan"],
        &["february", "februar", "feb"],
        &["march", "maerz", "mar"],
        &["april", "apr"],
        &["may", "mai"],
        &["june", "juni", "jun"],
        &["july", "juli", "jul"],
        &["august", "aug"],
        &["september", "sep", "sept"],
        &["october", "oktober", "oct", "okt"],
        &["november", "nov"],
        &["december", "dezember", "dec", "dez"],
    ];
    let place = MONTHS.iter().position(|names| names.contains(&word))?;
    u32::try_from(place + 1).ok()
}

/// Words for a part of a day, or a day that is none: no clock time can be made of them.
pub(super) fn is_part_of_day(word: &str) -> bool {
    matches!(
        word,
        "morgens"
            | "frueh"
            | "vormittag"
            | "vormittags"
            | "mittag"
            | "mittags"
            | "nachmittag"
            | "nachmittags"
            | "abend"
            | "abends"
            | "nacht"
            | "nachts"
            | "mitternacht"
            | "feierabend"
            | "wochenende"
            | "morning"
            | "noon"
            | "midday"
            | "afternoon"
            | "evening"
            | "night"
            | "tonight"
            | "midnight"
            | "weekend"
            | "eod"
    )
}

/// Words for something that comes again.
pub(super) fn is_recurring(word: &str) -> bool {
    matches!(
        word,
        "daily"
            | "nightly"
            | "hourly"
            | "weekly"
            | "monthly"
            | "taeglich"
            | "stuendlich"
            | "woechentlich"
            | "monatlich"
            | "werktags"
            | "montags"
            | "dienstags"
            | "mittwochs"
            | "donnerstags"
            | "freitags"
            | "samstags"
            | "sonntags"
    )
}

/// Words that stand between the parts of a time and mean nothing of their own.
pub(super) const FILLERS: &[&[&str]] = &[
    &["um"],
    &["at"],
    &["ab"],
    &["on"],
    &["am"],
    &["im"],
    &["in"],
    &["the"],
    &["den"],
    &["dem"],
    &["der"],
    &["vom"],
    &["from"],
    &["fruehestens"],
];

/// What may stand behind a clock time: a gate means it anyway.
pub(super) const TAILS: &[&[&str]] = &[
    &["or", "later"],
    &["oder", "spaeter"],
    &["at", "the", "earliest"],
    &["reached"],
    &["passed"],
    &["erreicht"],
    &["vorbei"],
];

/// What may stand before a length: a gate means it anyway.
pub(super) const AT_LEAST: &[&[&str]] = &[&["at", "least"], &["mindestens"]];

/// What may stand behind a length: that it counts from the set time.
pub(super) const FROM_NOW: &[&[&str]] = &[
    &["from", "now"],
    &["later"],
    &["ab", "jetzt"],
    &["von", "jetzt", "an"],
    &["spaeter"],
];
