//! Phrases of time and what they mean: the tables of right answers.

use super::*;
use chrono_tz::Europe::Berlin;
use chrono_tz::Tz;

/// The usual set time of the cases.
const SET: &str = "2026-11-30T10:00:00+01:00";

fn moment(text: &str, zone: Tz) -> Moment {
    let time = DateTime::parse_from_rfc3339(text).unwrap();
    Moment::new(time.with_timezone(&Utc), zone)
}

fn read_at(set: &str, text: &str) -> Phrase {
    read(text, moment(set, Berlin))
}

fn reading(set: &str, text: &str) -> Reading {
    match read_at(set, text) {
        Phrase::At(reading) => reading,
        other => panic!("`{text}` gave {other:?}"),
    }
}

/// The instant of a phrase that was said at the usual set time.
fn at(text: &str) -> String {
    reading(SET, text).instant.rfc3339()
}

fn refused(text: &str) -> (String, String) {
    match read_at(SET, text) {
        Phrase::Refused { why, piece } => (why, piece),
        other => panic!("`{text}` gave {other:?}"),
    }
}

fn note(set: &str, text: &str) -> String {
    reading(set, text).note.unwrap_or_default()
}

/// Set time, text, instant.
const RIGHT_ANSWERS: &[(&str, &str, &str)] = &[
    // 1: skipped by the clocks. Others shift to 03:30; here the end of the gap counts, from which
    // on the clock shows at least 02:30. With a note, see below.
    (
        "2027-03-27T20:00:00+01:00",
        "2027-03-28 02:30",
        "2027-03-28T03:00:00+02:00",
    ),
    // 2: a strict mode is not ours.
    // 3: the first skipped minute.
    (
        "2027-03-27T20:00:00+01:00",
        "time 2027-03-28 02:00",
        "2027-03-28T03:00:00+02:00",
    ),
    // 4: the first minute behind the gap.
    (
        "2027-03-27T20:00:00+01:00",
        "time 2027-03-28 03:00",
        "2027-03-28T03:00:00+02:00",
    ),
    // 5: shown twice; the later one.
    (
        "2026-10-24T20:00:00+02:00",
        "time 2026-10-25 02:30",
        "2026-10-25T02:30:00+01:00",
    ),
    // 6 and 7, daily times: refused, see below.
    // 8, 9: a day and 24 hours over the change to summer time.
    (
        "2027-03-27T12:00:00+01:00",
        "after 1 day",
        "2027-03-28T12:00:00+02:00",
    ),
    (
        "2027-03-27T12:00:00+01:00",
        "after 24 h",
        "2027-03-28T13:00:00+02:00",
    ),
    // 10: and over the change to winter time.
    (
        "2026-10-24T12:00:00+02:00",
        "after 1 day",
        "2026-10-25T12:00:00+01:00",
    ),
    (
        "2026-10-24T12:00:00+02:00",
        "after 24 hours",
        "2026-10-25T11:00:00+01:00",
    ),
    // 11, 12: half an hour through a gap and through a fold.
    (
        "2027-03-28T01:50:00+01:00",
        "after 30 min",
        "2027-03-28T03:20:00+02:00",
    ),
    (
        "2026-10-25T02:50:00+02:00",
        "after 30 min",
        "2026-10-25T02:20:00+01:00",
    ),
    // 13: a month has an end.
    (
        "2027-01-31T12:00:00+01:00",
        "after 1 month",
        "2027-02-28T12:00:00+01:00",
    ),
    // 14: leap seconds are not counted.
    (SET, "2016-12-31T23:59:60Z", "2016-12-31T23:59:59+00:00"),
    // 15: an offset that the zone does not have is refused, see below; a bare one is an instant.
    (SET, "2027-07-01T12:00+01:00", "2027-07-01T13:00:00+02:00"),
    (
        SET,
        "2027-07-01T12:00+02:00[Europe/Berlin]",
        "2027-07-01T12:00:00+02:00",
    ),
    // 16: counted from the set time.
    (SET, "nach 30 Minuten", "2026-11-30T10:30:00+01:00"),
    (SET, "in 2 Stunden", "2026-11-30T12:00:00+01:00"),
    (SET, "after 30 minutes", "2026-11-30T10:30:00+01:00"),
    // 17: tomorrow is another day before midnight and after it.
    (
        "2026-11-30T23:59:00+01:00",
        "morgen 06:00",
        "2026-12-01T06:00:00+01:00",
    ),
    (
        "2026-12-01T00:01:00+01:00",
        "morgen 06:00",
        "2026-12-02T06:00:00+01:00",
    ),
    // 18: no clock time, refused, see below.
    // 19: passed today.
    (
        "2026-11-30T07:00:00+01:00",
        "06:00",
        "2026-12-01T06:00:00+01:00",
    ),
    // 20: none, a fraction, words; the negative and the endless are refused, see below.
    (SET, "nach 0 Minuten", "2026-11-30T10:00:00+01:00"),
    (SET, "nach 1,5 Stunden", "2026-11-30T11:30:00+01:00"),
    (SET, "nach anderthalb Stunden", "2026-11-30T11:30:00+01:00"),
    // 21 to 23, clocks that jump or differ: of whoever keeps what was met, and of the ledger.
    // 24: changed zone rules, see `again` below.
];

#[test]
fn the_table_of_right_answers() {
    for (set, text, right) in RIGHT_ANSWERS {
        assert_eq!(
            &reading(set, text).instant.rfc3339(),
            right,
            "`{text}` at {set}"
        );
    }
}

#[test]
fn what_the_clocks_do_is_said() {
    // Rows 1, 3 and 5.
    let evening = "2027-03-27T20:00:00+01:00";
    for text in ["time 02:30", "2027-03-28 02:00"] {
        assert!(
            note(evening, text).contains("skip 2027-03-28T02:"),
            "{text}"
        );
    }
    assert_eq!(reading(evening, "2027-03-28 03:00").note, None);
    let fold = note("2026-10-24T20:00:00+02:00", "2026-10-25 02:30");
    assert!(fold.contains("twice"), "{fold}");
}

#[test]
fn rows_of_the_table_that_are_refused() {
    let table = [
        // 6, 7
        ("daily 02:30", "daily", "once"),
        ("täglich um 02:30", "täglich", "once"),
        ("every day at 02:30", "every day", "once"),
        ("jeden Montag 06:00", "jeden Montag", "once"),
        ("alle 30 Minuten", "alle 30 Minuten", "once"),
        ("montags 06:00", "montags", "once"),
        // 15
        (
            "2027-07-01T12:00+01:00[Europe/Berlin]",
            "+01:00",
            "another offset",
        ),
        ("16:00 Europe/Berln", "Europe/Berln", "`Europe/Berlin`"),
        // 18
        ("morgen", "morgen", "next day"),
        ("morgens", "morgens", "no clock time"),
        ("heute Abend", "heute Abend", "no clock time"),
        ("ab Mitternacht", "Mitternacht", "no clock time"),
        // 20
        ("after -5 minutes", "-5 minutes", "before it was set"),
        (
            "nach minus 5 Minuten",
            "minus 5 Minuten",
            "before it was set",
        ),
        (
            "after 1000000000000 days",
            "1000000000000 days",
            "out of range",
        ),
        ("after 999999999999 days", "999999999999 days", "too long"),
        ("after 9999999 months", "9999999 months", "too long"),
        ("after 18446744073 hours", "18446744073 hours", "too long"),
    ];
    for (text, piece, part) in table {
        let (why, got) = refused(text);
        assert_eq!(got, piece, "{text}");
        assert!(why.contains(part), "{text}: {why}");
        assert!(text.contains(&got), "{text}: {got}");
    }
}

#[test]
fn row_24_a_civil_meaning_is_computed_again() {
    let reading = reading(SET, "time 06:00");
    let civil = reading.civil.unwrap();
    assert_eq!(civil, "2026-12-01T06:00:00");
    assert_eq!(again(&civil, "Europe/Berlin").unwrap(), reading.instant);
    // The same clock face in a zone with other rules is another instant.
    let moved = again(&civil, "Europe/Kyiv").unwrap();
    assert_eq!(moved.rfc3339(), "2026-12-01T06:00:00+02:00");
    for (civil, zone) in [
        ("2026-12-01", "UTC"),
        ("2026-12-01T06:00:00", "Europe/Berln"),
        ("", ""),
        ("9999-12-31T06:00:00", "UTC"),
    ] {
        assert!(again(civil, zone).is_err(), "{civil} {zone}");
    }
    assert_eq!(TZDATA.len(), 5);
}

#[test]
fn o_a11_m_is_a_minute() {
    assert_eq!(at("after 15m"), "2026-11-30T10:15:00+01:00");
    assert_eq!(refused("after 15M").1, "15M");
}

#[test]
fn o_a12_commas_and_glued_units() {
    for text in [
        "after 1 hour, 30 minutes",
        "after 1h30m",
        "after 1 hour 30 min",
        "after 90 Minuten",
        "after 1 hour and 30 minutes",
        "nach 1 Stunde und 30 Minuten",
        "nach 1 Std. 30 Min.",
        "after one and a half hours",
        "after an hour and a half",
        "after 1½ hours",
        "nach eineinhalb Stunden",
        "nach Ablauf von 1,5 Stunden",
        "nach Ablauf von anderthalb Stunden.",
        "wait 1.5h",
        "wait for at least 90 minutes",
        "90 minutes from now",
        "In 5400 Seconds",
        "nach mindestens 6 Viertelstunden",
    ] {
        assert_eq!(at(text), "2026-11-30T11:30:00+01:00", "{text}");
    }
}

#[test]
fn o_a13_nonsense_is_refused_with_its_place() {
    let table = [
        ("after 2h2h", "2h", "twice"),
        ("after 30m1h", "1h", "largest unit"),
        ("after 1.2.3h", "1.2.3h", "decimal point"),
        ("after 1.5h30m", "30m", "only the last"),
        ("after 1.500 hours", "1.500 hours", "thousands"),
        ("after 1.5 days", "1.5 days", "24 hours"),
        ("after 2 years", "2 years", "12 months"),
        ("after 500ms", "500ms", "second"),
        ("after 30 mintues", "30 mintues", "`minutes`"),
        ("after a few minutes", "a few minutes", "guess"),
        ("nach ein paar Stunden", "ein paar Stunden", "guess"),
        ("after 2 hours of silence", "of silence", "/and"),
        ("30 minutes", "30 minutes", "`after`"),
        ("um 30 Minuten", "30 Minuten", "`after`"),
        ("within 2 hours", "2 hours", "`not before`"),
    ];
    for (text, piece, part) in table {
        let (why, got) = refused(text);
        assert_eq!(got, piece, "{text}: {why}");
        assert!(why.contains(part), "{text}: {why}");
    }
}

#[test]
fn o_a14_a_number_needs_its_unit() {
    let (why, piece) = refused("after 90");
    assert_eq!(piece, "90");
    assert!(why.contains("`90m`") && why.contains("`90s`"), "{why}");
    assert_eq!(refused("after 1h30").1, "30");
    assert!(refused("after 1h30").0.contains("`30m`"));
    assert!(refused("at 16").0.contains("16:00"));
    assert!(refused("time 1600").0.contains("16:00"));
}

#[test]
fn o_a15_german_number_words() {
    assert_eq!(at("nach zwei Stunden"), "2026-11-30T12:00:00+01:00");
    assert_eq!(at("in einer halben Stunde"), "2026-11-30T10:30:00+01:00");
    assert_eq!(at("after 2 Stunden"), "2026-11-30T12:00:00+01:00");
    assert_eq!(at("in half an hour"), "2026-11-30T10:30:00+01:00");
    assert_eq!(at("in a quarter of an hour"), "2026-11-30T10:15:00+01:00");
    assert_eq!(at("nach zweieinhalb Stunden"), "2026-11-30T12:30:00+01:00");
    assert_eq!(at("nach Ablauf zweier Wochen"), "2026-12-14T10:00:00+01:00");
    let words = [
        ("one", "einer"),
        ("two", "zwei"),
        ("three", "drei"),
        ("four", "vier"),
        ("five", "fünf"),
        ("six", "sechs"),
        ("seven", "sieben"),
        ("eight", "acht"),
        ("nine", "neun"),
        ("ten", "zehn"),
        ("eleven", "elf"),
        ("twelve", "zwo\u{308}lf"),
    ];
    for (index, (english, german)) in words.iter().enumerate() {
        let right = at(&format!("after {} seconds", index + 1));
        assert_eq!(at(&format!("after {english} seconds")), right);
        assert_eq!(at(&format!("nach {german} Sekunden")), right);
    }
}

#[test]
fn o_a16_dotted_numbers_are_not_guessed() {
    assert_eq!(at("time 22.04 Uhr"), "2026-11-30T22:04:00+01:00");
    assert_eq!(at("22.04 Uhr"), "2026-11-30T22:04:00+01:00");
    let (why, piece) = refused("time 22.04");
    assert!(why.contains("date or a time"), "{why}");
    assert_eq!(piece, "22.04");
    let (why, piece) = refused("time 22.04.");
    assert!(why.contains("clock time is missing"), "{why}");
    assert_eq!(piece, "22.04.");
    assert_eq!(at("time 22.04. 16:00"), "2027-04-22T16:00:00+02:00");
    assert_eq!(at("um 16.30"), "2026-11-30T16:30:00+01:00");
    assert!(refused("after 22.04").0.contains("date or a time"));
    assert!(refused("at 12/24/2026 16:00").0.contains("2026-12-24"));
    assert!(refused("24.12.26 18:00").0.contains("four digits"));
}

#[test]
fn o_a17_the_end_of_a_day_is_the_start_of_the_next() {
    let reading = reading(SET, "time 24:00");
    assert_eq!(reading.instant.rfc3339(), "2026-12-01T00:00:00+01:00");
    assert_eq!(
        reading.sentence,
        "the clock shows at least 2026-12-01T00:00:00+01:00 (Europe/Berlin)"
    );
    assert_eq!(at("2026-12-24T24:00:00"), "2026-12-25T00:00:00+01:00");
    for wrong in [
        "time 24:01",
        "time 25:00",
        "16:60",
        "16:00:60",
        "at 13pm",
        "0 pm",
    ] {
        assert!(refused(wrong).0.len() > 10, "{wrong}");
    }
    assert_eq!(at("23:59:60"), "2026-11-30T23:59:59+01:00");
}

#[test]
fn o_a18_abbreviations_of_zones_are_refused() {
    let (why, piece) = refused("time 16:00 IST");
    assert_eq!(piece, "IST");
    for zone in ["Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin", "+02:00"] {
        assert!(why.contains(zone), "{why}");
    }
    for zone in ["CST", "MEZ", "CET", "cest", "GMT", "EST"] {
        let (why, piece) = refused(&format!("time 16:00 {zone}"));
        assert!(why.contains("not unique"), "{why}");
        assert_eq!(piece, zone);
    }
    assert!(refused("16:00 Berlin").0.contains("`Europe/Berlin`"));
    assert!(refused("16:00 Nowhere/Land").0.contains("no time zone"));
    assert!(refused("16:00 +19:00").0.contains("far from UTC"));
}

#[test]
fn o_a19_the_instant_counts_and_not_the_clock_face() {
    let reading = reading("2026-11-30T23:00:00+01:00", "time 23:30");
    let checked = moment("2026-12-01T00:10:00+01:00", Berlin);
    assert!(checked.instant() >= reading.instant.instant());
}

#[test]
fn o_a20_a_time_that_does_not_exist() {
    let reading = reading("2027-03-27T20:00:00+01:00", "time 02:30 Europe/Berlin");
    assert_eq!(
        reading.instant.instant().to_rfc3339(),
        "2027-03-28T01:00:00+00:00"
    );
    assert_eq!(reading.civil.as_deref(), Some("2027-03-28T02:30:00"));
    // A whole day that a zone skipped.
    let samoa = again("2011-12-30T12:00:00", "Pacific/Apia").unwrap();
    assert_eq!(samoa.rfc3339(), "2011-12-31T00:00:00+14:00");
}

#[test]
fn o_a21_hours_are_elapsed_and_days_are_civil() {
    let set = "2027-03-27T12:00:00+01:00";
    let hours = reading(set, "after 24 hours");
    assert_eq!(hours.instant.rfc3339(), "2027-03-28T13:00:00+02:00");
    assert_eq!(hours.civil, None);
    assert_eq!(
        hours.sentence,
        "at least 24 hours after 2027-03-27T12:00:00+01:00: 2027-03-28T13:00:00+02:00 (Europe/Berlin)"
    );
    let day = reading(set, "after 1 day");
    assert_eq!(day.civil.as_deref(), Some("2027-03-28T12:00:00"));
    assert_eq!(reading(set, "after 1 day 1 hour").civil, None);
    assert_eq!(
        reading("2027-02-28T02:30:00+01:00", "after 4 weeks")
            .instant
            .rfc3339(),
        "2027-03-28T03:00:00+02:00"
    );
}

#[test]
fn clock_times_in_many_spellings() {
    for text in [
        "time 16:00",
        "um 16:00 Uhr",
        "ab 16:00",
        "16:00 Uhr",
        "at 16:00",
        "16:00 Europe/Berlin",
        "not before 16:00",
        "16 Uhr",
        "4pm",
        "4 pm",
        "4:00 p.m.",
        "nicht vor 16 Uhr",
        "after 16:00",
        "nach 16 Uhr",
        "heute 16:00",
        "today at 4 PM",
        "time: 16:00",
        "16:00 (Europe/Berlin)",
        "16:00 europe/berlin",
        "16:00:00",
        "15:00 UTC",
        "15:00Z",
        "16:00+01:00",
        "16:00 +0100",
        "16:00 UTC+1",
        "wait until 16:00",
        "2026-11-30 16:00",
        "30.11.2026 16:00",
        "30. November 2026 um 16 Uhr",
        "November 30th, 2026 at 4pm",
        "16:00 am 30.11.2026",
        "16:00 today",
        "frühestens 16:00",
        "16:00 or later",
        "16 o'clock",
        "Montag 16:00",
        "2026-11-30T16:00:00.000+01:00",
        "2026-11-30 10:00 -05:00",
        "Es ist 16 Uhr",
        "diesen Montag um 16 Uhr",
        "it is 16:00.",
        "30.11. 16:00",
        "10:00 America/New_York",
    ] {
        let instant = reading(SET, text).instant.instant();
        assert_eq!(instant.to_rfc3339(), "2026-11-30T15:00:00+00:00", "{text}");
    }
}

#[test]
fn days_in_many_spellings() {
    let table = [
        ("2026-12-24 18:00", "2026-12-24T18:00:00+01:00"),
        ("24.12.2026 18:00", "2026-12-24T18:00:00+01:00"),
        ("am 24. Dezember um 18 Uhr", "2026-12-24T18:00:00+01:00"),
        ("2026-12-24T18:00", "2026-12-24T18:00:00+01:00"),
        ("tomorrow 06:00", "2026-12-01T06:00:00+01:00"),
        ("übermorgen 06:00", "2026-12-02T06:00:00+01:00"),
        ("day after tomorrow 06:00", "2026-12-02T06:00:00+01:00"),
        ("Freitag 06:00", "2026-12-04T06:00:00+01:00"),
        ("on Friday at 6 am", "2026-12-04T06:00:00+01:00"),
        ("Monday 06:00", "2026-12-07T06:00:00+01:00"),
        ("4:30 pm", "2026-11-30T16:30:00+01:00"),
        ("12 am", "2026-12-01T00:00:00+01:00"),
        ("16 Uhr 30", "2026-11-30T16:30:00+01:00"),
        ("29.2. 06:00", "2028-02-29T06:00:00+01:00"),
        ("10:00", "2026-11-30T10:00:00+01:00"),
        ("09:59:59", "2026-12-01T09:59:59+01:00"),
        ("2026-12-24T18:00:00.5", "2026-12-24T18:00:01+01:00"),
        ("2020-01-01 00:00", "2020-01-01T00:00:00+01:00"),
    ];
    for (text, right) in table {
        assert_eq!(at(text), right, "{text}");
    }
    assert!(note(SET, "06:00").contains("passed today"));
    assert!(note(SET, "today 06:00").contains("past already"));
    assert!(note(SET, "Monday 16:00").contains("today"));
}

#[test]
fn a_phrase_that_is_no_single_time_is_refused() {
    let table = [
        ("2026-12-24", "2026-12-24"),
        ("am 24.12.2026", "am 24.12.2026"),
        ("2026-02-30 06:00", "2026-02-30"),
        ("Freitag", "Freitag"),
        ("next Friday 06:00", "next Friday"),
        ("nächste Woche", "nächste Woche"),
        ("morgen früh 06:00", "früh"),
        ("16:00 17:00", "17:00"),
        ("10:00-12:00", "-12:00"),
        ("16:00 - 18:00", "- 18:00"),
        ("before 16:00", "16:00"),
        ("bis 16 Uhr", "16 Uhr"),
        ("in 16:00", "16:00"),
        ("gegen 16 Uhr", "gegen"),
        ("4 o'clock", "4 o'clock"),
        ("12 am Freitag", "12"),
        (
            "at 16:00 and the tests are green",
            "and the tests are green",
        ),
        ("16:00 UTC Europe/Berlin", "Europe/Berlin"),
        ("1969-12-31 06:00", "1969-12-31 06:00"),
        ("9999-12-31 06:00", "9999-12-31 06:00"),
    ];
    for (text, piece) in table {
        assert_eq!(refused(text).1, piece, "{text}: {}", refused(text).0);
    }
    // It is Tuesday in Tokyo already.
    let late = read_at("2026-11-30T23:00:00+01:00", "tomorrow 06:00 Asia/Tokyo");
    assert!(matches!(late, Phrase::Refused { .. }), "{late:?}");
}

#[test]
fn other_texts_are_left_alone() {
    for text in [
        "",
        " ",
        "Tests grün",
        "Export fertig",
        "Review da",
        "after the review",
        "nach dem Push",
        "in Berlin",
        "um Hilfe gebeten",
        "at the end",
        "time budget approved",
        "at 4 sites deployed",
        "after 3 approvals",
        "after 1.2.3 is released",
        "after 1a2b3c4 is pushed",
        "22.04",
        "90",
        "alle Tests grün",
        "every test is green",
        "daily report sent",
        "after the second review",
        "after a second review",
        "after 2 s3 uploads",
        "Deployment um 16:00 Uhr fertig",
        "wenn der User zustimmt",
        "vor dem Release",
        "by 2 people",
        "next version is out",
        "in two files",
        "may be merged",
        "Morgenbericht fertig",
        "3:1 Mehrheit",
        "1.2.3",
        "file `in 2 hours.md` exists",
        "Montag ist abgenommen",
        "it is done",
        "a",
        "ein",
        "half",
        "die 2026-12-24-Sicherung liegt vor",
        "2026-12-24 Review done",
        "06:00 backup is there",
    ] {
        assert_eq!(read_at(SET, text), Phrase::None, "`{text}`");
    }
}
