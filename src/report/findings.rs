//! Findings of `doctor`, `check` and `verify`: what is wrong, where, and what to do.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::diag::Finding;
use crate::model::text::{escape, plural, short};

/// The findings as text.
pub fn text(findings: &[Finding]) -> String {
    let mut text = format!("{}\n", plural(findings.len(), "finding", "findings"));
    for (severity, fault) in findings {
        let _ = writeln!(
            text,
            "  {} {}: {}",
            severity.word(),
            fault.code().text(),
            short(&fault.line(), 500)
        );
        if let Some(help) = fault.help_text() {
            let _ = writeln!(text, "     {}", escape(help));
        }
    }
    text
}

/// The findings as one object.
pub fn json(findings: &[Finding]) -> Value {
    let findings: Vec<Value> = findings
        .iter()
        .map(|(severity, fault)| super::json::finding(severity.word(), fault))
        .collect();
    json!({ "belegt": 1, "kind": "findings", "findings": findings })
}

/// The page of facts, names in one column.
pub fn facts(facts: &[(String, String)]) -> String {
    let width = facts
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (name, value) in facts {
        let _ = writeln!(text, "  {name:<width$}  {}", short(value, 300));
    }
    text
}
