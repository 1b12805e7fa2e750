//! What `check` says: each finding at its place, a line that sums up, and the pages of codes.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::app::check::{Examined, Page};
use crate::diag::{Finding, Severity};
use crate::model::text::plural;

use super::fault::{harmless, render_as};
use super::findings;

/// How wide a finding is.
const WIDTH: usize = 100;

/// The findings as text.
pub fn text(examined: &Examined, color: bool) -> String {
    let mut text = rendered(&examined.findings, color);
    let _ = writeln!(text, "{}", summary(examined));
    text
}

/// The findings, one below the other.
pub fn rendered(findings: &[Finding], color: bool) -> String {
    let mut text = String::new();
    for (severity, fault) in findings {
        text.push_str(&render_as(*severity, fault, (color, WIDTH)));
        text.push('\n');
    }
    text
}

fn summary(examined: &Examined) -> String {
    let scripts = plural(examined.scripts, "script", "scripts");
    let count = |wanted: Severity| {
        let found = examined.findings.iter().filter(|(own, _)| *own == wanted);
        found.count()
    };
    if examined.left_out > 0 && examined.findings.is_empty() {
        let left_out = plural(examined.left_out, "warning", "warnings");
        return format!("no error in {scripts}; {left_out} left out");
    }
    if examined.findings.is_empty() {
        return format!("nothing to complain about in {scripts}");
    }
    format!(
        "{}: {}, {} in {scripts}",
        plural(examined.findings.len(), "finding", "findings"),
        plural(count(Severity::Error), "error", "errors"),
        plural(count(Severity::Warning), "warning", "warnings"),
    )
}

/// The findings as one object.
pub fn json(examined: &Examined) -> Value {
    let mut value = findings::json(&examined.findings);
    if let Value::Object(fields) = &mut value {
        fields.insert("scripts".to_string(), examined.scripts.into());
    }
    value
}

/// The page of a code as text.
pub fn page(page: &Page, color: bool) -> String {
    let mut text = format!("{}\n\n{}\n", page.code.text(), page.text.trim_end());
    for (example, findings) in &page.broken {
        let _ = write!(text, "\n{}:\n\n{}\n", example.name, indented(&example.text));
        text.push_str(&rendered(findings, color));
    }
    for example in &page.mended {
        let _ = write!(text, "\n{}:\n\n{}", example.name, indented(&example.text));
    }
    harmless(&text, color)
}

fn indented(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let _ = match line.is_empty() {
            true => writeln!(out),
            false => writeln!(out, "    {line}"),
        };
    }
    out
}

/// The page of a code as one object.
pub fn page_json(page: &Page) -> Value {
    let broken = page.broken.iter().map(|(example, findings)| {
        let findings: Vec<Value> = findings
            .iter()
            .map(|(severity, fault)| super::json::finding(severity.word(), fault))
            .collect();
        json!({ "name": example.name, "text": example.text, "findings": findings })
    });
    let mended = page.mended.iter();
    let mended = mended.map(|example| json!({ "name": example.name, "text": example.text }));
    json!({
        "belegt": 1,
        "kind": "code",
        "code": page.code.text(),
        "about": page.code.about(),
        "page": page.text,
        "broken": broken.collect::<Vec<_>>(),
        "mended": mended.collect::<Vec<_>>(),
    })
}
