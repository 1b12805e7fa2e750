//! What holds for every text and every time.

use super::scan::Scan;
use super::*;
use chrono::{NaiveDateTime, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};
use proptest::prelude::*;

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "after ",
        "in ",
        "nach ",
        "wait ",
        "time ",
        "um ",
        "at ",
        "vor ",
        "jeden ",
        "every ",
        "1",
        "2",
        "30",
        "90",
        "2026",
        "-",
        "-",
        ":",
        ":",
        ".",
        ".",
        ",",
        "/",
        "+",
        "T",
        "Z",
        " ",
        " ",
        " ",
        "h",
        "m",
        "M",
        "s",
        " days",
        " Stunden",
        " months",
        "und ",
        "and a half ",
        "half an ",
        "anderthalb ",
        "½",
        "zwölf ",
        "zwo\u{308}lf ",
        "16:00",
        "24:00",
        " Uhr",
        " am ",
        " pm",
        "o'clock",
        "24.12.",
        "2026-12-24",
        "morgen ",
        "heute ",
        "Freitag ",
        "next ",
        "Dezember ",
        "Europe/Berlin",
        "Europe/",
        "(",
        "[",
        "]",
        "IST",
        "UTC",
        "+02:00",
        "abends",
        "9999999999999999999999",
        "ä",
        "🟢",
        "\u{308}",
        "\n",
        "\0",
        "tests",
        "of ",
        "a ",
    ]);
    prop::collection::vec(
        prop_oneof![9 => piece.prop_map(str::to_owned), 1 => any::<String>()],
        0..12,
    )
    .prop_map(|pieces| pieces.concat())
}

/// Instants from 1970 to 2200.
fn instants() -> impl Strategy<Value = DateTime<Utc>> {
    (0_i64..7_258_118_400).prop_map(|seconds| DateTime::from_timestamp(seconds, 0).unwrap())
}

fn zones() -> impl Strategy<Value = Tz> {
    prop::sample::select(TZ_VARIANTS.to_vec())
}

fn moments() -> impl Strategy<Value = Moment> {
    (instants(), zones()).prop_map(|(instant, zone)| Moment::new(instant, zone))
}

fn at(text: &str, set: Moment) -> Reading {
    match read(text, set) {
        Phrase::At(reading) => reading,
        other => panic!("`{text}` gave {other:?}"),
    }
}

fn shown(instant: DateTime<Utc>, zone: Tz) -> NaiveDateTime {
    zone.from_utc_datetime(&instant.naive_utc()).naive_local()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_answered(text in pieces(), set in moments()) {
        match read(&text, set) {
            Phrase::None => {}
            Phrase::Refused { why, piece } => {
                prop_assert!(!why.is_empty() && !piece.is_empty() && text.contains(&piece), "{text:?}: {why} {piece:?}");
            }
            Phrase::At(reading) => {
                if let Some(civil) = &reading.civil {
                    prop_assert_eq!(again(civil, reading.instant.zone().name()).unwrap(), reading.instant);
                }
                // The normal spelling means the same.
                let same = at(&reading.rule, set);
                prop_assert_eq!(same.instant.instant(), reading.instant.instant(), "{:?}: {}", text, reading.rule);
                prop_assert_eq!(same.rule, reading.rule);
            }
        }
    }

    #[test]
    fn elapsed_time_is_the_sum(set in moments(), n in 0_i64..100_000, unit in 0_usize..3) {
        let (word, size) = [("seconds", 1), ("minutes", 60), ("hours", 3_600)][unit];
        let reading = at(&format!("after {n} {word}"), set);
        prop_assert_eq!(reading.instant.instant().timestamp(), set.instant().timestamp() + n * size);
        prop_assert_eq!(reading.civil, None);
    }

    #[test]
    fn days_keep_the_clock_face(set in moments(), n in 1_u64..2_000, weeks: bool) {
        let (word, size) = if weeks { ("Wochen", 7) } else { ("Tage", 1) };
        let reading = at(&format!("nach {n} {word}"), set);
        let wanted = shown(set.instant(), set.zone()) + chrono::Days::new(n * size);
        let got = shown(reading.instant.instant(), set.zone());
        prop_assert_eq!(NaiveDateTime::parse_from_str(&reading.civil.unwrap(), "%Y-%m-%dT%H:%M:%S").unwrap(), wanted);
        prop_assert!(got == wanted || got > wanted && reading.note.is_some(), "{got} {wanted}");
    }

    #[test]
    fn a_clock_time_is_never_early(set in moments(), h in 0_u32..24, m in 0_u32..60) {
        let reading = at(&format!("time {h:02}:{m:02}"), set);
        let instant = reading.instant.instant();
        let civil = NaiveDateTime::parse_from_str(&reading.civil.unwrap(), "%Y-%m-%dT%H:%M:%S").unwrap();
        prop_assert!(instant >= set.instant());
        prop_assert!(shown(instant, set.zone()) >= civil);
        // And it is the first: a second earlier the clock shows less, or it shows it again.
        let before = shown(instant - TimeDelta::seconds(1), set.zone());
        prop_assert!(before < civil || reading.note.is_some(), "{before} {civil}");
    }

    #[test]
    fn a_date_is_never_early(instant in instants(), zone in zones()) {
        let local = shown(instant, zone);
        let resolved = resolve(local, zone).unwrap();
        prop_assert!(resolved.instant >= instant, "{local} {zone}");
        prop_assert_eq!(shown(resolved.instant, zone), local);
    }

    #[test]
    fn words_end_on_boundaries(text in any::<String>()) {
        let mut scan = Scan::new(&text);
        scan.space();
        scan.word();
        prop_assert!(text.ends_with(scan.rest()));
    }
}

#[test]
fn a_long_text_takes_no_time() {
    let began = std::time::Instant::now();
    let set = Moment::new(DateTime::from_timestamp(1_800_000_000, 0).unwrap(), Tz::UTC);
    for piece in ["after ", "1h", "24.12.", "16:00 ", "a/", "-", "und ", "½"] {
        for lead in ["", "after ", "time 16:00 "] {
            for size in [450, 10_000_000] {
                let text = format!("{lead}{}", piece.repeat(size / piece.len()));
                read(&text, set);
            }
        }
    }
    assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
}
