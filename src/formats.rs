//! Pure readers of the text formats that probe scripts meet.
//!
//! INVARIANT: a reader takes text and gives data. No files, no clock, no scripts; every reader is
//! linear in its text, does not recurse over it and never panics. Line numbers are 1-based and
//! count the lines of the text as given, a byte order mark and `\r\n` included.

pub mod aufgaben;
pub mod entries;
pub mod gardener;
pub mod heads;
pub mod json;
pub mod lines;
pub mod md;
pub mod task;
pub mod ticket;
pub mod todotxt;
pub mod when;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod speed;

/// Is this exactly `YYYY-MM-DD`, and a day of the calendar?
pub(crate) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shaped = bytes.len() == 10
        && bytes.iter().enumerate().all(|(i, b)| match i {
            4 | 7 => *b == b'-',
            _ => b.is_ascii_digit(),
        });
    shaped && chrono::NaiveDate::parse_from_str(text, "%Y-%m-%d").is_ok()
}

/// The text without one byte order mark at its start.
pub(crate) fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar_in_one_spelling() {
        for good in ["2026-11-30", "2028-02-29"] {
            assert!(is_date(good), "{good}");
        }
        for bad in [
            "2026-02-29",
            "2026-1-01",
            "2026-11-30 ",
            "+026-11-30",
            "2026/11/30",
            "heute",
            "",
        ] {
            assert!(!is_date(bad), "{bad}");
        }
    }
}
