//! `belegt doctor`: one page on what is wrong here.

use serde_json::{Map, Value};

use crate::app::doctor;
use crate::diag::Fault;
use crate::report::findings;

use super::{Desk, exit, unwritable};

/// Runs the command.
pub fn run(desk: &mut Desk<'_>) -> Result<u8, Fault> {
    let settings = desk.settings()?;
    let examined = doctor::run(&settings);
    let written = if desk.printer.style.json {
        let mut value = findings::json(&examined.findings);
        if let Value::Object(fields) = &mut value {
            let facts: Map<String, Value> = examined
                .facts
                .into_iter()
                .map(|(name, value)| (name, value.into()))
                .collect();
            fields.insert("facts".to_string(), Value::Object(facts));
        }
        desk.printer.json(&value)
    } else {
        let page = findings::facts(&examined.facts);
        let list = findings::text(&examined.findings);
        desk.printer.text(&format!("{page}\n{list}"))
    };
    written.map_err(|error| unwritable(&error))?;
    Ok(if examined.findings.is_empty() {
        exit::OK
    } else {
        exit::FINDINGS
    })
}
