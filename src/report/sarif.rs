//! Findings as SARIF 2.1.0, which code hosts show beside the changed lines.
//!
//! The shape is that of the OASIS standard: one run, a rule for each code that was found, a
//! result for each finding. Columns count Unicode scalar values, which the run says.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::app::check::Examined;
use crate::diag::place::line_column;
use crate::diag::{Code, Fault, Finding, Severity};

/// The schema that the output keeps.
const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The findings as one SARIF log.
pub fn log(examined: &Examined) -> Value {
    let codes: BTreeSet<Code> = examined.findings.iter().map(|(_, f)| f.code()).collect();
    let rules: Vec<Value> = codes.iter().map(|code| rule(*code)).collect();
    let results: Vec<Value> = examined.findings.iter().map(result).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "belegt",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.text(),
        "shortDescription": { "text": code.about() },
        "help": { "text": format!("belegt check --explain {}", code.text()) },
    })
}

fn result((severity, fault): &Finding) -> Value {
    let text = match fault.help_text() {
        Some(help) => format!("{}\n{help}", fault.message()),
        None => fault.message().to_string(),
    };
    let level = match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut result = json!({
        "ruleId": fault.code().text(),
        "level": level,
        "message": { "text": text },
    });
    if let (Some(place), Value::Object(fields)) = (location(fault), &mut result) {
        fields.insert("locations".to_string(), json!([place]));
    }
    result
}

fn location(fault: &Fault) -> Option<Value> {
    let (file, line, column) = fault.place()?;
    let mut region = json!({ "startLine": line, "startColumn": column });
    let label = fault.labels_list().first();
    if let (Some(label), Some(text), Value::Object(fields)) =
        (label, fault.source_text(), &mut region)
    {
        let (end_line, end_column) = line_column(text, label.span.end);
        fields.insert("endLine".to_string(), end_line.into());
        fields.insert("endColumn".to_string(), end_column.into());
    }
    Some(json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&file) },
            "region": region,
        },
    }))
}

/// A path as a relative reference: what may not stand in one is written in percent.
fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte);
        match plain {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_its_rule_and_its_region() {
        let fault = Fault::new(Code::ScriptMember, "no")
            .with_source(".belegt/a b.rhai", "x\nfs::raed(1)".into())
            .with_label(6..10, "here");
        let bare = Fault::new(Code::ScriptRead, "gone").with_help("make it");
        let log = log(&Examined {
            findings: vec![(Severity::Error, fault), (Severity::Warning, bare)],
            scripts: 1,
            left_out: 0,
        });
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"].as_array().unwrap().len(), 2);
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], ".belegt/a%20b.rhai");
        let wanted = json!({ "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 9 });
        assert_eq!(place["region"], wanted);
        assert_eq!(run["results"][1]["message"]["text"], "gone\nmake it");
        assert!(run["results"][1].get("locations").is_none());
    }
}
