//! Played cases in the XML that CI servers read (JUnit): one suite for each file of cases.
//!
//! INVARIANT: text from outside is escaped, and what XML cannot hold is replaced.

use std::fmt::Write as _;

use crate::app::test::Report;
use crate::cases::Played;

/// The whole document.
pub fn xml(report: &Report) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"belegt\" tests=\"{}\" failures=\"{}\" errors=\"{}\">",
        report.played.len(),
        report.failed(),
        report.faults.len()
    );
    let mut files: Vec<&str> = report.played.iter().map(|p| p.file.as_str()).collect();
    files.dedup();
    for file in files {
        suite(&mut text, report, file);
    }
    unread(&mut text, report);
    text.push_str("</testsuites>\n");
    text
}

fn suite(text: &mut String, report: &Report, file: &str) {
    let cases: Vec<&Played> = report.played.iter().filter(|p| p.file == file).collect();
    let failures = cases.iter().filter(|played| !played.passed()).count();
    let _ = writeln!(
        text,
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\">",
        safe(file),
        cases.len()
    );
    for played in cases {
        let _ = write!(
            text,
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
            safe(&played.script),
            safe(&played.name),
            safe(&played.file),
            played.line
        );
        match played.passed() {
            true => text.push_str("/>\n"),
            false => failure(text, played),
        }
    }
    text.push_str("  </testsuite>\n");
}

fn failure(text: &mut String, played: &Played) {
    text.push_str(">\n      <failure message=\"not as expected\">");
    for difference in &played.differences {
        let _ = writeln!(
            text,
            "{}: expected {}, got {}",
            safe(&difference.what),
            safe(&difference.expected),
            safe(&difference.got)
        );
    }
    if let Some(made_at) = &played.made_at {
        let _ = write!(text, "answered at {}", safe(made_at));
    }
    text.push_str("</failure>\n    </testcase>\n");
}

/// What cannot be played: an error each.
fn unread(text: &mut String, report: &Report) {
    if report.faults.is_empty() {
        return;
    }
    let count = report.faults.len();
    let _ = writeln!(
        text,
        "  <testsuite name=\"cannot be played\" tests=\"{count}\" errors=\"{count}\">"
    );
    for fault in &report.faults {
        let (code, line) = (fault.code().text(), safe(&fault.line()));
        let _ = writeln!(
            text,
            "    <testcase classname=\"{code}\" name=\"{line}\"><error message=\"{line}\"/></testcase>"
        );
    }
    text.push_str("  </testsuite>\n");
}

fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if crate::model::text::is_harmful(c) => out.extend(c.escape_unicode()),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
