//! The words of lengths of time, German and English, in the one spelling of the scanner.

/// The units of a length, the largest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

/// A word for a unit, the unit, and how many of it the word means.
const UNITS: &[(&[&str], Unit, u32)] = &[
    (
        &["month", "months", "mo", "monat", "monate", "monaten"],
        Unit::Month,
        1,
    ),
    (
        &["week", "weeks", "w", "wk", "wks", "woche", "wochen"],
        Unit::Week,
        1,
    ),
    (&["day", "days", "d", "tag", "tage", "tagen"], Unit::Day, 1),
    (
        &[
            "hour", "hours", "h", "hr", "hrs", "stunde", "stunden", "std",
        ],
        Unit::Hour,
        1,
    ),
    (
        &["minute", "minutes", "m", "min", "mins", "minuten"],
        Unit::Minute,
        1,
    ),
    (&["viertelstunde", "viertelstunden"], Unit::Minute, 15),
    (&["dreiviertelstunde"], Unit::Minute, 45),
    (
        &[
            "second", "seconds", "s", "sec", "secs", "sekunde", "sekunden", "sek",
        ],
        Unit::Second,
        1,
    ),
];

/// Words for units that cannot be counted here, and what to write.
const NO_UNITS: &[(&[&str], &str)] = &[
    (
        &["y", "yr", "yrs", "year", "years", "jahr", "jahre", "jahren"],
        "years are not counted; write `12 months`, or the date",
    ),
    (
        &[
            "ms",
            "millisecond",
            "milliseconds",
            "millisekunde",
            "millisekunden",
        ],
        "the smallest unit is a second",
    ),
    (
        &[
            "workday",
            "workdays",
            "werktag",
            "werktage",
            "werktagen",
            "arbeitstag",
            "arbeitstage",
            "arbeitstagen",
        ],
        "which days are worked is not known; write the date with a clock time",
    ),
    (
        &["quarter", "quarters", "quartal", "quartale", "quartalen"],
        "a quarter is no unit; write `15 minutes` or `3 months`",
    ),
];

/// The unit that a word means, and how many of it.
pub(super) fn unit(word: &str) -> Option<(Unit, u32)> {
    let row = UNITS.iter().find(|(words, _, _)| words.contains(&word));
    row.map(|(_, unit, factor)| (*unit, *factor))
}

/// Why a word for a unit is none here.
pub(super) fn no_unit(word: &str) -> Option<&'static str> {
    let row = NO_UNITS.iter().find(|(words, _)| words.contains(&word));
    row.map(|(_, why)| *why)
}

/// All words for units, for suggestions.
pub(super) fn unit_words() -> impl Iterator<Item = &'static str> {
    UNITS.iter().flat_map(|(words, _, _)| words.iter().copied())
}

const NUMBERS: &[(&[&str], u32)] = &[
    (
        &[
            "a", "an", "one", "ein", "eins", "eine", "einer", "einem", "einen", "eines",
        ],
        1,
    ),
    (&["two", "zwei", "zwo"], 2),
    (&["three", "drei"], 3),
    (&["four", "vier"], 4),
    (&["five", "fuenf"], 5),
    (&["six", "sechs"], 6),
    (&["seven", "sieben"], 7),
    (&["eight", "acht"], 8),
    (&["nine", "neun"], 9),
    (&["ten", "zehn"], 10),
    (&["eleven", "elf"], 11),
    (&["twelve", "zwoelf"], 12),
];

/// The number that a word from one to twelve means, with German endings.
pub(super) fn number(word: &str) -> Option<u32> {
    let exact = |word: &str| {
        let row = NUMBERS.iter().find(|(words, _)| words.contains(&word));
        row.map(|(_, number)| *number)
    };
    exact(word).or_else(|| {
        let stem = word
            .strip_suffix("en")
            .or_else(|| word.strip_suffix("er"))?;
        exact(stem).filter(|number| *number > 1)
    })
}
