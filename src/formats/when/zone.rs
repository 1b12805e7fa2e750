//! Zones as they are written behind a clock time: `Europe/Berlin`, `UTC`, `Z`, `+02:00`.
//!
//! INVARIANT: an abbreviation is never resolved. Most mean more than one zone; who wrote one is
//! told which names there are.

use chrono::FixedOffset;
use chrono_tz::{TZ_VARIANTS, Tz};

use super::Refusal;
use super::scan::{Scan, is_near};

/// The longest name that is looked for among the known ones.
const LONGEST: usize = 40;
/// No zone was ever further from UTC, in seconds.
const FURTHEST: u32 = 16 * 3_600;

/// A zone by name, or a distance from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A zone with its rules.
    Zone(Tz),
    /// A fixed offset.
    Offset(FixedOffset),
}

/// Abbreviations and the zones that they may mean.
const ABBREVIATIONS: &[(&str, &[&str])] = &[
    ("ACST", &["Australia/Adelaide", "Australia/Darwin"]),
    ("AEDT", &["Australia/Sydney"]),
    ("AEST", &["Australia/Sydney", "Australia/Brisbane"]),
    ("AKST", &["America/Anchorage"]),
    ("AST", &["America/Halifax", "Asia/Riyadh"]),
    ("AWST", &["Australia/Perth"]),
    ("BST", &["Europe/London", "Asia/Dhaka"]),
    ("CDT", &["America/Chicago", "America/Havana"]),
    ("CEST", &["Europe/Berlin", "Europe/Paris"]),
    ("CET", &["Europe/Berlin", "Europe/Paris", "Africa/Algiers"]),
    (
        "CST",
        &["America/Chicago", "Asia/Shanghai", "America/Havana"],
    ),
    ("EDT", &["America/New_York"]),
    ("EEST", &["Europe/Athens", "Europe/Helsinki", "Europe/Kyiv"]),
    ("EET", &["Europe/Athens", "Europe/Helsinki", "Africa/Cairo"]),
    ("EST", &["America/New_York", "America/Panama"]),
    ("GMT", &["UTC", "Europe/London"]),
    ("HKT", &["Asia/Hong_Kong"]),
    ("HST", &["Pacific/Honolulu"]),
    ("IST", &["Asia/Kolkata", "Asia/Jerusalem", "Europe/Dublin"]),
    ("JST", &["Asia/Tokyo"]),
    ("KST", &["Asia/Seoul"]),
    ("MDT", &["America/Denver"]),
    ("MESZ", &["Europe/Berlin", "Europe/Vienna", "Europe/Zurich"]),
    ("MEZ", &["Europe/Berlin", "Europe/Vienna", "Europe/Zurich"]),
    ("MSK", &["Europe/Moscow"]),
    ("MST", &["America/Denver", "America/Phoenix"]),
    ("NZDT", &["Pacific/Auckland"]),
    ("NZST", &["Pacific/Auckland"]),
    ("OEZ", &["Europe/Athens", "Europe/Helsinki"]),
    ("PDT", &["America/Los_Angeles"]),
    ("PKT", &["Asia/Karachi"]),
    ("PST", &["America/Los_Angeles", "Asia/Manila"]),
    ("SAST", &["Africa/Johannesburg"]),
    ("SGT", &["Asia/Singapore"]),
    ("WEST", &["Europe/Lisbon"]),
    ("WET", &["Europe/Lisbon"]),
    ("WEZ", &["Europe/London", "Europe/Lisbon"]),
];

/// Passes a zone; nothing, and the cursor stays, if none stands here.
pub(super) fn read(scan: &mut Scan<'_>) -> Option<Result<Place, Refusal>> {
    let mut ahead = *scan;
    let open = ahead.eat_any(&['(', '[']);
    let place = bare(&mut ahead)?;
    if open {
        ahead.eat_any(&[')', ']']);
    }
    *scan = ahead;
    Some(place)
}

fn bare(scan: &mut Scan<'_>) -> Option<Result<Place, Refusal>> {
    if scan.sees(|c| c == '+' || c == '-') {
        return offset(scan);
    }
    let from = scan.at();
    let mut ahead = *scan;
    let name = ahead.run(|c| c.is_ascii_alphanumeric() || "_/-+".contains(c));
    let mut short = *scan;
    let letters = short.run(|c| c.is_ascii_alphabetic());
    let is_utc = letters.eq_ignore_ascii_case("utc");
    if (is_utc || letters == "GMT") && short.sees(|c| c == '+' || c == '-') {
        *scan = short;
        return offset(scan);
    }
    let refuse = |why: String| Some(Err(Refusal::new(why, ahead.piece(from))));
    let place = match name {
        _ if is_utc || matches!(name, "Z" | "z") => Some(Ok(Place::Zone(Tz::UTC))),
        name if name.contains('/') => match known(name) {
            Some(zone) => Some(Ok(Place::Zone(zone))),
            None => refuse(unknown(name)),
        },
        name if candidates(name).is_some() => refuse(unknown(name)),
        _ => None,
    };
    *scan = if place.is_some() { ahead } else { *scan };
    place
}

/// `+02:00`, `+0200`, `+2`.
fn offset(scan: &mut Scan<'_>) -> Option<Result<Place, Refusal>> {
    let mut ahead = *scan;
    let from = ahead.at();
    let west = ahead.eat('-');
    if !west {
        ahead.eat('+');
    }
    let (hours, minutes) = match ahead.number(4..=4) {
        Some(both) => (both / 100, both % 100),
        None => {
            let hours = ahead.number(1..=2)?;
            let mut more = ahead;
            let minutes = more.eat(':').then(|| more.number(2..=2)).flatten();
            ahead = if minutes.is_some() { more } else { ahead };
            (hours, minutes.unwrap_or(0))
        }
    };
    *scan = ahead;
    let seconds = hours * 3_600 + minutes * 60;
    let offset = i32::try_from(seconds).ok().and_then(|seconds| match west {
        true => FixedOffset::west_opt(seconds),
        false => FixedOffset::east_opt(seconds),
    });
    let fits = seconds <= FURTHEST && minutes < 60;
    Some(match offset.filter(|_| fits) {
        Some(offset) => Ok(Place::Offset(offset)),
        None => Err(Refusal::new(
            "no place is so far from UTC; write an offset such as `+02:00`",
            ahead.piece(from),
        )),
    })
}

/// Whether the name of a zone is one that is read: `EST`, `GB` and such are abbreviations.
pub(super) fn is_readable(zone: Tz) -> bool {
    zone == Tz::UTC || zone.name().contains('/')
}

/// The zone of a name, in any letter case.
fn known(name: &str) -> Option<Tz> {
    let mut zones = TZ_VARIANTS.iter();
    let found = zones.find(|zone| zone.name().eq_ignore_ascii_case(name));
    found.copied()
}

fn candidates(abbreviation: &str) -> Option<&'static [&'static str]> {
    let row = ABBREVIATIONS.iter().find(|(a, _)| *a == abbreviation);
    row.map(|(_, zones)| *zones)
}

/// Why a word is no zone, and what it may have meant.
pub(super) fn unknown(word: &str) -> String {
    if let Some(zones) = candidates(&word.to_uppercase()) {
        let zones: Vec<String> = zones.iter().map(|zone| format!("`{zone}`")).collect();
        return format!(
            "abbreviations of zones are not unique; write {} or an offset such as `+02:00`",
            zones.join(", ")
        );
    }
    let is_city = |zone: &&Tz| {
        let city = zone.name().rsplit('/').next();
        is_readable(**zone) && city.is_some_and(|city| city.eq_ignore_ascii_case(word))
    };
    let lower = word.to_ascii_lowercase();
    let looks_alike =
        |zone: &&Tz| is_readable(**zone) && is_near(&zone.name().to_ascii_lowercase(), &lower);
    let meant = match word.len() <= LONGEST {
        true => TZ_VARIANTS
            .iter()
            .find(is_city)
            .or_else(|| TZ_VARIANTS.iter().find(looks_alike)),
        false => None,
    };
    match meant {
        Some(zone) => format!("this is no time zone; did you mean `{}`?", zone.name()),
        None => "this is no time zone; write a name such as `Europe/Berlin`, or `UTC`".to_owned(),
    }
}
