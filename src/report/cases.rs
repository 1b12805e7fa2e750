//! Played cases: what failed and how, what was covered, and the sum last.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::test::{Covered, Point, Report};
use crate::cases::Played;
use crate::cases::compare::Difference;
use crate::model::text::{escape, plural, short};

/// The longest value that is shown, in characters.
const LONGEST: usize = 600;

/// The failed cases, the coverage if it was asked for, and the sum.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for played in report.played.iter().filter(|played| !played.passed()) {
        failed(&mut text, played);
    }
    coverage(&mut text, report);
    let cases = plural(report.played.len(), "case", "cases");
    let _ = write!(
        text,
        "{cases}: {} passed",
        report.played.len() - report.failed()
    );
    if report.failed() > 0 {
        let _ = write!(text, ", {} failed", report.failed());
    }
    if !report.faults.is_empty() {
        let _ = write!(text, ", {} cannot be played", report.faults.len());
    }
    text.push('\n');
    text
}

fn failed(text: &mut String, played: &Played) {
    let _ = writeln!(text, "not as expected: {}", short(&played.name, LONGEST));
    let _ = writeln!(
        text,
        "  {}:{} plays {}",
        escape(&played.file),
        played.line,
        escape(&played.script)
    );
    for difference in &played.differences {
        let Difference {
            what,
            expected,
            got,
        } = difference;
        let line = made_at(played, what);
        let line = line.map(|line| format!(", made at {}", escape(line)));
        let _ = writeln!(text, "  {}{}", escape(what), line.unwrap_or_default());
        let _ = writeln!(text, "    expected  {}", short(expected, LONGEST));
        let _ = writeln!(text, "    got       {}", short(got, LONGEST));
    }
    if let Some(why) = unasked_why(played) {
        let _ = writeln!(text, "  why it answered so: {}", short(why, LONGEST));
    }
    if let Some(made_at) = &played.made_at {
        let _ = writeln!(text, "  answered at {}", escape(made_at));
    }
    text.push('\n');
}

/// The line that made the item in which something differs: `items[0].kind`.
fn made_at<'p>(played: &'p Played, what: &str) -> Option<&'p str> {
    let index = what.strip_prefix("items[")?.split(']').next()?;
    let items = played.got.get("items")?.as_array()?;
    items
        .get(index.parse::<usize>().ok()?)?
        .get("made_at")?
        .as_str()
}

/// The reason of the answer, if no difference shows it.
fn unasked_why(played: &Played) -> Option<&str> {
    let is_shown = played.differences.iter().any(|d| d.what == "why");
    let why = played.got.get("why")?.as_str()?;
    (!is_shown).then_some(why)
}

fn coverage(text: &mut String, report: &Report) {
    if report.coverage.is_empty() {
        return;
    }
    let (ran, points) = report.covered();
    let percent = percent(ran, points);
    let _ = writeln!(
        text,
        "Coverage: {percent} % of {}",
        plural(points, "point", "points")
    );
    for (script, covered) in &report.coverage {
        let _ = writeln!(text, "  {:>5} %  {}", of(covered), escape(script));
        if !covered.missed.is_empty() {
            let _ = writeln!(text, "           not run: {}", missed(&covered.missed));
        }
    }
    text.push('\n');
}

fn of(covered: &Covered) -> String {
    percent(covered.points - covered.missed.len(), covered.points)
}

/// Tenths of a percent, rounded down: 100.0 means all.
pub fn percent(ran: usize, points: usize) -> String {
    let tenths = match points {
        0 => 1000,
        points => ran * 1000 / points,
    };
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// Line and column of each, since a line may have run but for one branch of it.
fn missed(points: &[Point]) -> String {
    let shown = points
        .iter()
        .map(|(line, column)| format!("{line}:{column}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// The same as one object.
pub fn json(report: &Report) -> Value {
    let cases: Vec<Value> = report.played.iter().map(case).collect();
    let faults = report.faults.iter();
    let (ran, points) = report.covered();
    let coverage: Vec<Value> = report.coverage.iter().map(script).collect();
    json!({
        "belegt": 1,
        "kind": "test",
        "passed": report.played.len() - report.failed(),
        "failed": report.failed(),
        "cases": cases,
        "findings": faults.map(|fault| super::json::finding("error", fault)).collect::<Vec<_>>(),
        "coverage": match report.coverage.is_empty() {
            true => Value::Null,
            false => json!({ "points": points, "ran": ran, "scripts": coverage }),
        },
    })
}

fn case(played: &Played) -> Value {
    let differences = played.differences.iter();
    json!({
        "name": played.name,
        "file": played.file,
        "line": played.line,
        "script": played.script,
        "passed": played.passed(),
        "made_at": played.made_at,
        "differences": differences
            .map(|d| json!({ "what": d.what, "expected": d.expected, "got": d.got }))
            .collect::<Vec<_>>(),
        "got": match played.passed() {
            true => Value::Null,
            false => played.got.clone(),
        },
    })
}

fn script((name, covered): &(String, Covered)) -> Value {
    let missed = covered.missed.iter();
    json!({
        "script": name,
        "points": covered.points,
        "ran": covered.points - covered.missed.len(),
        "missed": missed
            .map(|(line, column)| json!({ "line": line, "column": column }))
            .collect::<Vec<_>>(),
    })
}
